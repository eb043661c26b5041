"""Checking: from matches to findings. The replay establishes facts, and rules put them into words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.board.movement import Dice, Steps
from bganalyze.board.plays import nearest_plays, notation
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import SIDE_NAMES, Match, Play, Span
from bganalyze.validation.findings import Conflict, Finding, RecordEvidence, Severity
from bganalyze.validation.replaying.facts import Boards, Fact
from bganalyze.validation.replaying.match import MatchReplay, replay
from bganalyze.validation.replaying.match_facts import match_facts
from bganalyze.validation.replaying.standing import MOVEMENT

if TYPE_CHECKING:
    from bganalyze.validation.replaying.contradictions import Aftermath
    from bganalyze.validation.replaying.witnesses import Witnesses

ONCE_A_FILE = frozenset(("missing-hit-mark", "header-mismatch"))
"""Rules that are reported once a file, since their findings would repeat in every row or game."""
SHOWN_PLAYS = 5

# Compiled for files with errors only, and what finds their places is imported for them.
_BAR = r"(?i:\b(25|bar)/)"
_OFF = r"(?i:/(0|off)\b)"


def check(matches: Sequence[Match], rule_book: RuleBook = BASIC) -> list[Finding]:
    """Return every finding of the matches of one file, in the order of their places."""
    return findings_of([replay(match, rule_book) for match in matches], rule_book)


def findings_of(replays: Iterable[MatchReplay], rule_book: RuleBook = BASIC) -> list[Finding]:
    """Return every finding of the replayed matches of one file, in the order of their places."""
    findings: list[Finding] = []
    for replayed in replays:
        match, players = replayed.match, replayed.match.names
        facts = list(facts_of(replayed))
        moved = any(fact.rule in MOVEMENT for fact in facts)
        left = _boards_left(replayed) if moved else {}
        spelling = _spelling(match) if moved else PlaceWords()
        evidence = _Evidence(replayed)
        for fact in facts:
            finding = _finding(fact, match, players, rule_book, spelling, _after(fact, left))
            if finding.severity is Severity.ERROR:
                said = evidence.of(fact, _names(fact, match, players))
                finding = finding._replace(evidence=said)
            findings.append(finding)
    findings.sort(key=lambda finding: (finding.line, finding.column, finding.code))
    return list(_without_repeats(findings))


def facts_of(replayed: MatchReplay) -> Iterator[Fact]:
    """Yield every fact about a match: of its text, its games and its score."""
    yield from match_facts(replayed)
    yield from replayed.facts
    for game in replayed.games:
        yield from game.facts


def _without_repeats(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings, but only the first one of each rule that is reported once a file."""
    seen: set[str] = set()
    for finding in findings:
        if finding.name in ONCE_A_FILE:
            if finding.name in seen:
                continue
            seen.add(finding.name)
        yield finding


class PlaceWords(NamedTuple):
    """A file's names for the bar and for the place of checkers borne off."""

    bar: str = "bar"
    off: str = "off"

    def of(self, written: str) -> PlaceWords:
        """Return the spelling in a piece of the file; where it has none, this one.

        >>> PlaceWords().of("25/22 6/5"), PlaceWords("25", "0").of("6/off")
        (PlaceWords(bar='25', off='off'), PlaceWords(bar='25', off='off'))
        """
        bar, off = re.search(_BAR, written), re.search(_OFF, written)
        return PlaceWords(_numbered(bar, "25", self.bar), _numbered(off, "0", self.off))

    def put_in(self, text: str) -> str:
        """Return plays rewritten in this spelling.

        >>> PlaceWords("25", "0").put_in("bar/22 6/off(2)")
        '25/22 6/0(2)'
        """
        return text.replace("bar/", f"{self.bar}/").replace("/off", f"/{self.off}")


def _numbered(match: re.Match[str] | None, number: str, usual: str) -> str:
    """Return the number if one was matched, else the usual word."""
    if match is None:
        return usual
    return number if match[1] == number else match[1].lower()


def _spelling(match: Match) -> PlaceWords:
    """Return the spelling of plays in a match, by its first entering and first bear-off."""
    entering = next(
        (play for play in match.plays() for path, _ in play.steps if path[0] == BAR), None
    )
    ending = next(
        (play for play in match.plays() for path, _ in play.steps if path[-1] == OFF), None
    )
    spelling = PlaceWords()
    for play in filter(None, (entering, ending)):
        spelling = spelling.of(match.source.text_at(play.span))
    return spelling


def _finding(
    fact: Fact,
    match: Match,
    players: tuple[str, str],
    rule_book: RuleBook,
    spelling: PlaceWords,
    after: Position | None,
) -> Finding:
    """Put a fact into words; `after` is the board that an illegal play left.

    `players` are those of the match: looked for once, as they may stand in none of many games.
    """
    # Where nothing is found, no rule need be loaded.
    from bganalyze.validation.replaying.places import situation_before
    from bganalyze.validation.rules import BY_NAME

    rule = BY_NAME[fact.rule]
    worded = rule.word(fact, rule_book)
    message, severity = (worded, None) if isinstance(worded, str) else worded
    if fact.rule == "unreadable-text" and match.format == "bgm":
        message += _hint(fact)
    names = _names(fact, match, players)
    play = fact.turn.action if fact.turn and isinstance(fact.turn.action, Play) else None
    own = spelling.of(match.source.text_at(play.span)) if play else spelling
    return Finding(
        path=match.source.path,
        line=fact.span.line,
        column=fact.span.column,
        end_column=fact.span.end_column,
        code=rule.code,
        name=rule.name,
        severity=severity or rule.severity,
        message=_with_names(message.replace("{bar}", own.bar).replace("{off}", own.off), names),
        match=match.number,
        game=fact.game,
        row=fact.row,
        side=None if fact.side is None else SIDE_NAMES[fact.side],
        player=None if fact.side is None else names[fact.side],
        dice=play.dice if play else None,
        standing=fact.standing,
        closed_by=fact.closed_by,
        situation=None if fact.turn is None else situation_before(fact.turn),
        legal=_legal(fact, own),
        reading=fact.reading and _with_names(own.put_in(fact.reading), names),
        consequences=fact.consequences,
        after=after,
    )


class _Evidence:
    """What a match says about its errors. What follows each is looked at once, if it is asked for."""

    def __init__(self, replayed: MatchReplay) -> None:
        self._replayed = replayed
        self._aftermaths: dict[int, Aftermath] = {}

    def of(self, fact: Fact, names: tuple[str, str]) -> RecordEvidence:
        """Return what the rest of the match says about an error as recorded."""
        from bganalyze.validation.replaying.contradictions import (
            AT_TABLE,
            contradictions_of,
            evidence_kind,
        )
        from bganalyze.validation.rules import BY_NAME

        aftermath = self._aftermath(fact.game) if fact.game else None
        contradictions = contradictions_of(fact, aftermath)
        text_at = self._replayed.match.source.text_at
        conflicts = [
            Conflict(span.line, BY_NAME[name].code, _conflict(text_at(span), name))
            for span, name in contradictions
        ]
        if fact.rule not in AT_TABLE:
            conflicts += (
                Conflict(
                    span.line, None, _with_names(f"{_on_one_line(text_at(span))}: {what}", names)
                )
                for span, what in self._witnesses.of(fact)
            )
        return RecordEvidence(evidence_kind(fact, aftermath, contradictions), tuple(conflicts))

    def _aftermath(self, game: int) -> Aftermath:
        from bganalyze.validation.replaying.contradictions import Aftermath

        if game not in self._aftermaths:
            self._aftermaths[game] = Aftermath(self._replayed.games[game - 1])
        return self._aftermaths[game]

    @cached_property
    def _witnesses(self) -> Witnesses:
        from bganalyze.validation.replaying.witnesses import Witnesses

        return Witnesses(self._replayed)


def _on_one_line(text: str) -> str:
    """Return a piece of the file with single spaces."""
    return " ".join(text.split())


def _conflict(text: str, name: str) -> str:
    """Return what does not fit, in words.

    >>> _conflict("62: 24/18 ", "blocked-point")
    '62: 24/18 (blocked point)'
    """
    return f"{text.strip()} ({name.replace('-', ' ')})".strip()


def _hint(fact: Fact) -> str:
    """Return a hint about what an unknown word of the project's own text may mean."""
    from bganalyze.record.meant import meant

    likely = meant(fact.about["text"], is_row=fact.side is None)
    return "" if likely is None else f"; is {likely!r} meant?"


def _with_names(text: str, names: tuple[str, str]) -> str:
    return text.replace("{left}", names[0]).replace("{right}", names[1])


def _names(fact: Fact, match: Match, players: tuple[str, str]) -> tuple[str, str]:
    """Return the players of the game, or of the match if the game does not name them."""
    game = match.games[fact.game - 1] if fact.game else None
    names = game.score.names if game and game.score else players
    return names[0] or "left", names[1] or "right"


def _boards_left(replayed: MatchReplay) -> dict[Span, Boards]:
    """Return the board after each action, by its place, of the games with an error of movement."""
    return {
        turn.action.span: turn.after
        for game in replayed.games
        if any(fact.rule in MOVEMENT for fact in game.facts)
        for turn in game.turns
    }


def _after(fact: Fact, left: Mapping[Span, Boards]) -> Position | None:
    """The board that an illegal play left, as the replay goes on with it; None if nothing moved."""
    if fact.rule not in MOVEMENT or fact.turn is None:
        return None
    from bganalyze.validation.replaying.places import side_of

    side, boards = side_of(fact.turn), left.get(fact.turn.action.span, fact.turn.before)
    return None if boards == fact.turn.before else Position(boards[side], boards[1 - side])


@lru_cache(maxsize=1024)
def _nearest(position: Position, dice: Dice, steps: Steps) -> tuple[str, ...]:
    """The legal plays nearest to an illegal one; a search for repairs asks for the same many times."""
    return tuple(map(notation, nearest_plays(position, dice, steps, SHOWN_PLAYS)))


def _legal(fact: Fact, spelling: PlaceWords) -> tuple[str, ...] | None:
    """The legal plays nearest to an illegal one, spelled as the file does."""
    if fact.rule not in MOVEMENT or fact.turn is None:
        return None
    play = fact.turn.action
    if not isinstance(play, Play) or play.dice is None:
        return None
    position = fact.turn.position(play.side)
    return tuple(map(spelling.put_in, _nearest(position, play.dice, play.steps)))
