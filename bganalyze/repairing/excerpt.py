"""An excerpt of a draft: one game with the head of its match, on which suggestions are tried first.

A file may hold hundreds of games. Measured on matches of seven points, to try a suggestion on one
game takes a sixth of the time that it takes on the whole file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from bganalyze.record.model import Match
from bganalyze.record.refused import NotATranscript
from bganalyze.repairing.draft import Draft
from bganalyze.repairing.remedy import identity
from bganalyze.validation.findings import Edit, Finding
from bganalyze.validation.replaying.facts import Turn

OF_OTHER_GAMES = ("R604", "R605", "R611", "T104", "T114")
"""Findings that compare a game with those before it, or with how the match goes on."""

LINES_THAT_TELL = 12
"""A repair shows itself in so many lines. What is wrong behind them costs time in every trial."""

TOLD_BY_OTHERS = ("R", "T104", "T114")
"""Findings about results, scores and headers: the games before and after a game tell of them."""


class Excerpt(NamedTuple):
    """One game of a draft, as a draft of its own."""

    draft: Draft
    first: int
    last: int
    """The lines of the game in the whole draft."""
    head: int
    """How many lines stand before the game in the excerpt."""
    is_whole: bool = False
    """Whether it is all of the draft."""

    def holds(self, edits: Iterable[Edit]) -> bool:
        """Whether all edits of the whole draft are of lines of the game."""
        return all(self.first <= edit.line <= self.last for edit in edits)

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return edits of the whole draft as edits of the excerpt."""
        return tuple(edit._replace(line=self.line(edit.line)) for edit in edits)

    def line(self, number: int) -> int:
        """Return where a line of the whole draft stands in the excerpt."""
        return number + self.head - self.first + 1

    def turns(self, repaired: Draft, finding: Finding) -> Sequence[Turn]:
        """Return the turns of the game of a finding of the whole draft, where edits may be made."""
        match, game = (finding.match, finding.game) if self.is_whole else (1, 1)
        if game is None or not 0 < match <= len(repaired.replays):
            return ()
        games = repaired.replays[match - 1].games
        return games[game - 1].turns if game <= len(games) else ()


def whole_of(draft: Draft) -> Excerpt:
    """Return the whole of a draft."""
    return Excerpt(draft, 1, len(draft.lines) + 1, 0, is_whole=True)


class Excerpts:
    """The excerpts for one finding, each made when a suggestion first needs it."""

    def __init__(self, draft: Draft, finding: Finding) -> None:
        self._made: list[Excerpt] = []
        self._to_make = excerpts_of(draft, finding)

    def holding(self, edits: Sequence[Edit]) -> Excerpt:
        """Return the shortest excerpt that holds all lines of these edits."""
        for excerpt in self._made:
            if excerpt.holds(edits):
                return excerpt
        for excerpt in self._to_make:
            self._made.append(excerpt)
            if excerpt.holds(edits):
                return excerpt
        raise AssertionError("the whole draft holds every line")


def excerpts_of(draft: Draft, finding: Finding) -> Iterator[Excerpt]:
    """Yield what a suggestion may be tried on, the shortest first and the whole draft last.

    That is the game of a finding up to the next error, and the game. A part whose errors are others
    alone than in the file is left out, and so are all parts for a finding about results or scores,
    which the games before and after tell.
    """
    if finding.game is not None and not finding.code.startswith(TOLD_BY_OTHERS):
        match = draft.replays[finding.match - 1].match
        first, last = _lines_of(match, finding.game, len(draft.lines))
        for end in _ends(draft, finding, last):
            part = _excerpt(draft, finding, first, end)
            if part is not None:
                yield part
    yield whole_of(draft)


def _ends(draft: Draft, finding: Finding, last: int) -> Iterator[int]:
    """Yield up to which lines of a game a part of it is worth a trial.

    Up to the next error, or so far that a repair shows itself; and the whole game.
    """
    later = (error.line for error in draft.to_repair if finding.line < error.line <= last)
    end = min(min(later, default=last + 1) - 1, finding.line + LINES_THAT_TELL)
    if end < last:
        yield end
    if sum(len(replayed.games) for replayed in draft.replays) > 1:
        yield last


def _excerpt(draft: Draft, finding: Finding, first: int, last: int) -> Excerpt | None:
    """Return some lines of a game, with the head of the match."""
    match = draft.replays[finding.match - 1].match
    beginning = match.beginning
    head_from = 1 if finding.match == 1 or beginning is None else beginning.line
    head = draft.lines[head_from - 1 : min(match.games[0].span.line, first) - 1]
    text = "\n".join([*head, *draft.lines[first - 1 : last], ""])
    try:
        alone = draft.excerpt(text)
    except NotATranscript:
        return None
    in_file = _errors_within(draft, finding.match, finding.game, last)
    if _errors_within(alone, 1, 1, len(alone.lines)) != in_file:
        return None
    return Excerpt(replace(alone, untold=OF_OTHER_GAMES), first, last, len(head))


def _errors_within(draft: Draft, match: int, game: int | None, last: int) -> set[object]:
    """Return the errors of a game up to a line, but for those that other games tell."""
    return {
        identity(error)[2:]
        for error in draft.to_repair
        if (error.match, error.game) == (match, game) and error.line <= last
        if not error.code.startswith(TOLD_BY_OTHERS)
    }


def _lines_of(match: Match, number: int, count: int) -> tuple[int, int]:
    """Return the first and the last line of a game in a file of so many lines."""
    game = match.games[number - 1]
    first = game.span.line
    if number < len(match.games):
        return first, match.games[number].span.line - 1
    return first, min(max((action.span.line for action in game.actions), default=first) + 1, count)
