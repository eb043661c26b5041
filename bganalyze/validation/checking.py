"""Checking: turn matches into findings. The replay establishes problems, and rules word them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice, Steps
from bganalyze.board.plays import find_nearest_plays, notation
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import (
    SIDE_NAMES,
    Action,
    Double,
    Game,
    Match,
    Play,
    Result,
    RulingMade,
    Side,
    Span,
)
from bganalyze.validation.findings import (
    ClosingAction,
    Conflict,
    Finding,
    RecordEvidence,
    Severity,
    StandingByBook,
)
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying.match import MatchReplay, replay
from bganalyze.validation.replaying.match_problems import match_problems
from bganalyze.validation.replaying.player_error_rule import BY_BOOK, MOVEMENT
from bganalyze.validation.replaying.replayed import Boards, MatchProblem

if TYPE_CHECKING:
    from bganalyze.validation.replaying.clues import Clues
    from bganalyze.validation.replaying.contradictions import ErrorsOfGame

ONCE_A_FILE = frozenset(("missing-hit-mark", "header-mismatch"))
"""Rules reported once per file, because their findings would repeat in every row or game."""
SHOWN_PLAYS = 5

_MOST_CUT_LINES, _MOST_CUT_CHARACTERS = 20, 1000
"""Lines, and characters of each, that may follow the last closed bracket of a file that is cut off."""

# Patterns are compiled, and modules imported, only for files with errors.
_BAR = r"(?i:\b(25|bar)/)"
_OFF = r"(?i:/(0|off)\b)"


def check(matches: Sequence[Match], rule_book: RuleBook = BASIC) -> list[Finding]:
    """Return every finding in the matches of one file, in the order of their places."""
    return findings_of([replay(match, rule_book) for match in matches], rule_book)


def count_errors(replays: Sequence[MatchReplay]) -> int:
    """Return the number of errors in the matches of a file that are neither corrected nor silenced.

    Players correct errors in the game; an `ignore` comment silences them.
    """
    findings = findings_of(replays)
    silent = find_ignores([replayed.match for replayed in replays])
    return sum(one.fails(Severity.ERROR) and not silent.silences(one) for one in findings)


def findings_of(replays: Iterable[MatchReplay], rule_book: RuleBook = BASIC) -> list[Finding]:
    """Return every finding (broken rule) in the replayed matches of one file, in file order.

    `rule_book` decides the severities. `ignore` comments and the user's settings are not applied.
    """
    findings: list[Finding] = []
    for replayed in replays:
        match, players = replayed.match, replayed.match.names
        problems = list(problems_of(replayed))
        moved = any(problem.rule in MOVEMENT for problem in problems)
        boards_after = _map_boards_after_actions(replayed) if moved else {}
        spelling = _find_place_words(match) if moved else PlaceWords()
        evidence, closers = _Evidence(replayed), _find_closing_actions(problems, match)
        at_results = _map_boards_at_results(problems, replayed) if problems else {}
        for problem in problems:
            finding = _make_finding(
                problem,
                match,
                players,
                rule_book,
                spelling,
                _find_board_after(problem, boards_after),
            )
            if problem.turn is None:
                finding = finding._replace(situation=at_results.get(problem.span))
            if problem.closed_by is not None:
                finding = finding._replace(closer=closers.get(problem.closed_by))
            if (by_book := problem.about.get(BY_BOOK)) is not None:
                finding = finding._replace(
                    before_ruling=_describe_standing_without_director(by_book, closers)
                )
            if finding.severity is Severity.ERROR:
                said = evidence.find_evidence(problem, _find_player_names(problem, match, players))
                finding = finding._replace(evidence=said)
            findings.append(finding)
    findings.sort(key=lambda finding: (finding.line, finding.column, finding.code))
    return list(_report_once_per_file(findings))


def _describe_standing_without_director(
    error: MatchProblem, closing_actions: Mapping[str, ClosingAction]
) -> StandingByBook:
    """Return whether the players could have corrected an error if no director had ruled on it.

    `closing_actions` maps places to the actions after which a correction is too late.
    """
    closer = None if error.closed_by is None else closing_actions.get(error.closed_by)
    return StandingByBook(error.standing, error.closed_by, closer)


def problems_of(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield the problems (errors and remarks) of a match, of its scores and of its games."""
    yield from match_problems(replayed)
    yield from replayed.problems
    for game in replayed.games:
        yield from game.problems


def _report_once_per_file(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings; of rules that report once per file, yield only the first."""
    seen: set[str] = set()
    for finding in findings:
        if finding.name in ONCE_A_FILE:
            if finding.name in seen:
                continue
            seen.add(finding.name)
        yield finding


class PlaceWords(NamedTuple):
    """A file's words for the bar and for checkers borne off."""

    bar: str = "bar"
    off: str = "off"

    def updated_by(self, written: str) -> PlaceWords:
        """Return a copy with the words for the bar and for off that the play `written` uses.

        A word that the play does not use is unchanged.

        >>> PlaceWords("25", "0").updated_by("6/off")
        PlaceWords(bar='25', off='off')
        """
        bar, off = re.search(_BAR, written), re.search(_OFF, written)
        return PlaceWords(_choose_place_word(bar, self.bar), _choose_place_word(off, self.off))

    def respell(self, text: str) -> str:
        """Return `text` with this file's words for bar and off.

        >>> PlaceWords("25", "0").respell("bar/22 6/off(2)")
        '25/22 6/0(2)'
        """
        return text.replace("bar/", f"{self.bar}/").replace("/off", f"/{self.off}")


def _choose_place_word(found: re.Match[str] | None, previous_word: str) -> str:
    """Return the word in the regex match `found` in lowercase, or else `previous_word`."""
    return previous_word if found is None else found[1].lower()


def _find_expected_board(error: MatchProblem) -> Position | None:
    """Return the board that a wrong recorded position should have shown, or None if unknown."""
    boards: Boards | None = error.about.get("expected_boards")
    if boards is None or error.turn is None:
        return None
    from bganalyze.validation.replaying.places import side_of

    side = side_of(error.turn)
    return Position(boards[side], boards[1 - side])


def _find_place_words(match: Match) -> PlaceWords:
    """Return the words of a match for bar and off, from its first entry and its first bear-off."""
    entering = next(
        (play for play in match.plays() for path, _ in play.steps if path[0] == BAR), None
    )
    ending = next(
        (play for play in match.plays() for path, _ in play.steps if path[-1] == OFF), None
    )
    spelling = PlaceWords()
    for play in filter(None, (entering, ending)):
        spelling = spelling.updated_by(match.source.text_at(play.span))
    return spelling


def _make_finding(
    problem: MatchProblem,
    match: Match,
    players: tuple[str, str],
    rule_book: RuleBook,
    spelling: PlaceWords,
    after: Position | None,
) -> Finding:
    """Return the finding to show to users for a problem that the replay noted.

    `players` are the names on the first score line. `after` is the board after an illegal play.
    """
    # Imported here because a check without problems needs no rules.
    from bganalyze.validation.replaying.places import situation_before
    from bganalyze.validation.rules import BY_NAME

    rule = BY_NAME[problem.rule]
    worded = rule.write_message(problem, rule_book)
    message, severity = (worded, None) if isinstance(worded, str) else worded
    if problem.rule == "unreadable-text" and match.format == "bgm":
        message += _write_hint_at_meaning(problem)
    if (
        problem.rule == "unreadable-text"
        and match.format == "sgf"
        and _is_sgf_cut_off(problem, match)
    ):
        message = "the file seems to be cut off here: " + message
    if problem.rule == "unreadable-text":
        message += _write_hint_at_odd_name(problem, players)
    names = _find_player_names(problem, match, players)
    play = problem.turn.action if problem.turn and isinstance(problem.turn.action, Play) else None
    own = spelling.updated_by(match.source.text_at(play.span)) if play else spelling
    legal, legal_count = _find_legal_plays(problem, own)
    return Finding(
        path=match.source.path,
        line=problem.span.line,
        column=problem.span.column,
        end_column=problem.span.end_column,
        code=rule.code,
        name=rule.name,
        severity=severity or rule.severity,
        message=_fill_in_names(message.replace("{bar}", own.bar).replace("{off}", own.off), names),
        match=match.number,
        game=problem.game,
        row=problem.row,
        side=None if problem.side is None else SIDE_NAMES[problem.side],
        player=None if problem.side is None else names[problem.side],
        dice=play.dice if play else None,
        standing=problem.standing,
        closed_by=problem.closed_by,
        situation=None if problem.turn is None else situation_before(problem.turn),
        legal=legal,
        legal_count=legal_count,
        reading=problem.reading and _fill_in_names(own.respell(problem.reading), names),
        consequences=problem.consequences,
        after=after,
        expected=_find_expected_board(problem),
    )


def _write_hint_at_odd_name(problem: MatchProblem, players: tuple[str, str]) -> str:
    """Return a hint such as `; 'Game 7' may be the name of a player`, or ""."""
    from bganalyze.record.prose import may_be_comment  # Few files have such text.

    # An unreadable line may hold a name that looks like another part of the file.
    names = (name for name in players if name and name in problem.about["text"])
    odd = next((name for name in names if not may_be_comment(name)), None)
    return "" if odd is None else f"; {odd!r} may be the name of a player"


def _map_boards_at_results(
    problems: Iterable[MatchProblem], replayed: MatchReplay
) -> dict[Span, Situation]:
    """Map the place of each result line with a problem to the board, cube and score there."""
    places = {problem.span for problem in problems if problem.turn is None and problem.game}
    ended = [
        game
        for game in replayed.games
        if any(
            type(action) is Result and action.span in places
            for action in game.game.actions_besides_plays()
        )
    ]
    if not ended:
        return {}
    from bganalyze.validation.replaying.places import situation_before

    turns = (turn for game in ended for turn in game.turns)
    return {t.action.span: situation_before(t) for t in turns if t.action.span in places}


def _find_closing_actions(
    problems: Iterable[MatchProblem], match: Match
) -> dict[str, ClosingAction]:
    """Map places (`11:38`) to actions that corrected an error or made correction too late."""
    from bganalyze.validation.replaying.player_error_rule import place_text

    of_books = (problem.about.get(BY_BOOK, problem).closed_by for problem in problems)
    places = {place for place in (*(problem.closed_by for problem in problems), *of_books) if place}
    if not places:
        return {}
    players = match.names
    return {
        place: _describe_closing_action(action, _find_names_in_game(game, players), number)
        for number, game in enumerate(match.games, start=1)
        for action in game.actions
        if (place := place_text(action.span)) in places
    }


def _describe_closing_action(action: Action, names: tuple[str, str], game: int) -> ClosingAction:
    """Describe the action that corrected an error, or that made its correction too late."""
    if isinstance(action, RulingMade):
        return ClosingAction("the director", "corrected it", action.span.line, None, game)
    side: Side | None = getattr(action, "side", None)
    match action:
        case Double():
            words = "doubled"
        case Play(dice=(high, low)) if high:
            words = f"rolled {high}-{low}"
        case _:
            words = "played"
    name = "the other side" if side is None else names[side]
    column = None if side is None else SIDE_NAMES[side]
    return ClosingAction(name, words, action.span.line, column, game)


class _Evidence:
    """Finder of evidence in a match for and against its errors."""

    def __init__(self, replayed: MatchReplay) -> None:
        self._replayed = replayed
        self._errors_by_game: dict[int, ErrorsOfGame] = {}

    def find_evidence(self, error: MatchProblem, names: tuple[str, str]) -> RecordEvidence:
        """Return whether and where the rest of the match contradicts or fits the error."""
        from bganalyze.validation.replaying.contradictions import (
            AT_TABLE,
            contradictions_of,
            evidence_kind,
        )
        from bganalyze.validation.rules import BY_NAME

        errors_of_game = self._collect_errors_of_game(error.game) if error.game else None
        contradictions = contradictions_of(error, errors_of_game)
        text_at = self._replayed.match.source.text_at
        conflicts = [
            Conflict(span.line, BY_NAME[name].code, _write_conflict(text_at(span), name))
            for span, name in contradictions
        ]
        if error.rule not in AT_TABLE:
            conflicts += (
                Conflict(span.line, None, _fill_in_names(_write_remark(text_at(span), what), names))
                for span, what in self._clues.find_for(error)
            )
        return RecordEvidence(
            evidence_kind(error, errors_of_game, contradictions), tuple(conflicts)
        )

    def _collect_errors_of_game(self, number: int) -> ErrorsOfGame:
        """Return the errors of game `number` and what contradicts them, collected only once."""
        from bganalyze.validation.replaying.contradictions import ErrorsOfGame

        if number not in self._errors_by_game:
            self._errors_by_game[number] = ErrorsOfGame(self._replayed.games[number - 1])
        return self._errors_by_game[number]

    @cached_property
    def _clues(self) -> Clues:
        """The finder of places in the match that suggest how to correct an error."""
        from bganalyze.validation.replaying.clues import Clues

        return Clues(self._replayed)


def _join_lines(text: str) -> str:
    r"""Replace each run of blanks and line ends by one blank.

    >>> _join_lines("31:  8/5\n6/5")
    '31: 8/5 6/5'
    """
    return " ".join(text.split())


def _write_remark(text: str, remark: str) -> str:
    """Return `text`, a piece of the file, followed by `remark` in brackets.

    >>> _write_remark("56:", 'fits "the pass a take"')
    '56 (fits "the pass a take")'
    """
    return f"{_join_lines(text).rstrip(':')} ({remark})"


def _write_conflict(text: str, name: str) -> str:
    """Return the text of an action, followed by the name of the rule it breaks in brackets.

    >>> _write_conflict("62: 24/18 ", "blocked-point")
    '62: 24/18 (blocked point)'
    """
    return f"{text.strip()} ({name.replace('-', ' ')})".strip()


def _is_sgf_cut_off(problem: MatchProblem, match: Match) -> bool:
    """Whether the unreadable text of a problem is the end of an SGF file that was cut off."""
    line, start = problem.span.line - 1, problem.span.column - 1
    lines = match.source.lines[line : line + _MOST_CUT_LINES + 1]
    if not 0 < len(lines) <= _MOST_CUT_LINES or len(lines[0]) - start > _MOST_CUT_CHARACTERS:
        return False
    rest = "".join((lines[0][start:], *(other[:_MOST_CUT_CHARACTERS] for other in lines[1:])))
    return not any(sign in rest for sign in "]);")


def _write_hint_at_meaning(problem: MatchProblem) -> str:
    """Return a hint at what an unreadable `.bgm` line may mean, such as `; is 'double' meant?`."""
    from bganalyze.record.intended_words import guess_meaning, is_like_ruling

    if is_like_ruling(problem.about["text"]):
        return "; a ruling gives points (1 point to R), has the game replayed, or checkers put back (L 4/5)"
    likely = guess_meaning(problem.about["text"], is_row=problem.side is None)
    return "" if likely is None else f"; is {likely!r} meant?"


def _fill_in_names(text: str, names: tuple[str, str]) -> str:
    """Replace `{left}` and `{right}` in a text by the players' names."""
    return text.replace("{left}", names[0]).replace("{right}", names[1])


def _find_player_names(
    problem: MatchProblem, match: Match, players: tuple[str, str]
) -> tuple[str, str]:
    """Return the players' names in the game with the problem, or else `players`."""
    return _find_names_in_game(match.games[problem.game - 1] if problem.game else None, players)


def _find_names_in_game(game: Game | None, players: tuple[str, str]) -> tuple[str, str]:
    """Return the players' names in a game, filling in missing names from `players`."""
    names = players if game is None else game.names_or(players)
    return names[0] or "left", names[1] or "right"


def _map_boards_after_actions(replayed: MatchReplay) -> dict[Span, Boards]:
    """Map the place of each action to the boards after it, in games with illegal plays."""
    # After an illegal play these are the boards from which the replay continues.
    return {
        turn.action.span: turn.after
        for game in replayed.games
        if any(problem.rule in MOVEMENT for problem in game.problems)
        for turn in game.turns
    }


def _find_board_after(error: MatchProblem, boards_after: Mapping[Span, Boards]) -> Position | None:
    """Return the board from which the replay continues after an illegal play.

    It is seen by the player. Return None for other errors, and if the board is unchanged.
    """
    if error.rule not in MOVEMENT or error.turn is None:
        return None
    from bganalyze.validation.replaying.places import side_of

    side, boards = side_of(error.turn), boards_after.get(error.turn.action.span, error.turn.before)
    return None if boards == error.turn.before else Position(boards[side], boards[1 - side])


@lru_cache(maxsize=1024)
def _find_nearest_legal_plays(
    position: Position, dice: Dice, steps: Steps, board_left: Position | None
) -> tuple[tuple[str, ...], int]:
    """Return the legal plays most similar to the illegal `steps`, and how many are legal.

    `board_left` is the board recorded after the illegal play, or None.
    """
    # Cached, because the search for repairs asks again.
    plays = find_nearest_plays(position, dice, steps, limit=None, recorded_end=board_left)
    return tuple(map(notation, plays[:SHOWN_PLAYS])), len(plays)


def _find_legal_plays(
    error: MatchProblem, spelling: PlaceWords
) -> tuple[tuple[str, ...], int] | tuple[None, None]:
    """Return the legal plays most similar to an illegal play, and the number of all legal plays.

    Both are None if `error` is not about an illegal play.
    """
    if error.rule not in MOVEMENT or error.turn is None:
        return None, None
    play = error.turn.action
    if not isinstance(play, Play) or play.dice is None:
        return None, None
    position = error.turn.position(play.side)
    boards = None if play.left_board is None else play.left_board.boards
    left = None if boards is None else Position(boards[play.side], boards[1 - play.side])
    nearest, count = _find_nearest_legal_plays(position, play.dice, play.steps, left)
    return tuple(map(spelling.respell, nearest)), count
