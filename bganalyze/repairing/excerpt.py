"""Excerpts: one game with the head of its match, on which suggestions are tried first.

A file may hold hundreds of games. Measured on matches to seven points, a trial on one game takes a
sixth of the time of a trial on the whole file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from bganalyze.record.model import Match
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.repairing.file_to_repair import FileToRepair
from bganalyze.repairing.remedy import finding_key
from bganalyze.validation.findings import Edit, Finding
from bganalyze.validation.replaying.replayed import Turn

CODES_COMPARING_GAMES = ("R604", "R605", "R611", "T104", "T114")
"""Codes of findings that compare a game with earlier games, or with the rest of the match."""

LINES_AFTER_FINDING = 12
"""Lines after the finding that show whether a repair works. Later errors would only slow each
trial."""

CODES_ABOUT_OTHER_GAMES = ("R", "T104", "T114")
"""Starts of the codes about results, scores and headers, which depend on other games."""


class Excerpt(NamedTuple):
    """A part of a file around an error, as a file of its own, to try repairs faster."""

    file: FileToRepair
    first: int
    """First line of the game in the whole file."""
    last: int
    """Last line of the game in the whole file."""
    head: int
    """Number of lines above the game in the excerpt: the header of the match."""
    is_whole: bool = False
    """Whether the excerpt is the whole file."""

    def holds_edits(self, edits: Iterable[Edit]) -> bool:
        """Whether the excerpt has all lines that these edits change."""
        return all(self.first <= edit.line <= self.last for edit in edits)

    def translate_edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Convert edits of the whole file to the line numbers of the excerpt."""
        return tuple(edit._replace(line=self.line_in_excerpt(edit.line)) for edit in edits)

    def line_in_excerpt(self, line: int) -> int:
        """Convert a line number of the whole file to the line number in the excerpt."""
        return line + self.head - self.first + 1

    def find_turns(self, repaired: FileToRepair, finding: Finding) -> Sequence[Turn]:
        """Return the turns of the repaired game, or no turns if the repair removed the game."""
        match, game = (finding.match, finding.game) if self.is_whole else (1, 1)
        if game is None or not 0 < match <= len(repaired.replays):
            return ()
        games = repaired.replays[match - 1].games
        return games[game - 1].turns if game <= len(games) else ()


def make_whole_excerpt(file: FileToRepair) -> Excerpt:
    """Return the whole file as an excerpt."""
    return Excerpt(file, 1, len(file.lines) + 1, 0, is_whole=True)


class Excerpts:
    """The excerpts (shorter parts of a file) for one error, each made when first needed."""

    def __init__(self, file: FileToRepair, finding: Finding) -> None:
        self._file = file
        self._made: list[Excerpt] = []
        self._to_make = make_excerpts(file, finding)

    def find_shortest_excerpt(self, edits: Sequence[Edit]) -> Excerpt:
        """Return the shortest part of the file that has all lines of these edits.

        Raises EffortSpentError or FindingSpentError at the work limit.
        """
        for excerpt in self._made:
            if excerpt.holds_edits(edits):
                return excerpt
        for excerpt in self._to_make:
            self._made.append(excerpt)
            if excerpt.holds_edits(edits):
                return excerpt
        return make_whole_excerpt(self._file)


def make_excerpts(file: FileToRepair, finding: Finding) -> Iterator[Excerpt]:
    """Yield ever longer parts of a file on which repairs of an error can be tried.

    The last part is the whole file.
    """
    if finding.game is not None and not finding.code.startswith(CODES_ABOUT_OTHER_GAMES):
        match = file.replays[finding.match - 1].match
        first, last = _find_lines_of_game(match, finding.game, len(file.lines))
        for end in _yield_last_lines(file, finding, last):
            part = _make_excerpt(file, finding, first, end)
            if part is not None:
                yield part
    # Errors in results and scores depend on other games.
    yield make_whole_excerpt(file)


def _yield_last_lines(file: FileToRepair, finding: Finding, game_end: int) -> Iterator[int]:
    """Yield the last line of a short part of a game, and then of the whole game.

    The short part ends above the next error, or some lines below the finding.
    """
    later = (error.line for error in file.to_repair if finding.line < error.line <= game_end)
    end = min(min(later, default=game_end + 1) - 1, finding.line + LINES_AFTER_FINDING)
    if end < game_end:
        yield end
    # Without another game, the second part would be the whole file.
    if sum(len(replayed.games) for replayed in file.replays) > 1:
        yield game_end


def _make_excerpt(file: FileToRepair, finding: Finding, first: int, last: int) -> Excerpt | None:
    """Return the match header and the lines from `first` to `last` as an excerpt.

    Return None if a check of the excerpt finds other errors than a check of the whole file.
    """
    match = file.replays[finding.match - 1].match
    beginning = match.beginning
    head_from = 1 if finding.match == 1 or beginning is None else beginning.line
    head = file.lines[head_from - 1 : min(match.games[0].span.line, first) - 1]
    text = "\n".join([*head, *file.lines[first - 1 : last], ""])
    try:
        alone = file.check_excerpt(text)
    except NotATranscript:
        return None
    in_file = _list_error_keys(file, finding.match, finding.game, last)
    # It shows other errors than the whole file does there.
    if _list_error_keys(alone, 1, 1, len(alone.lines)) != in_file:
        return None
    return Excerpt(replace(alone, ignored_codes=CODES_COMPARING_GAMES), first, last, len(head))


def _list_error_keys(file: FileToRepair, match: int, game: int | None, last: int) -> set[object]:
    """Return keys of a game's errors up to the line `last`, to compare two checks."""
    return {
        finding_key(error)[2:]
        for error in file.to_repair
        if (error.match, error.game) == (match, game) and error.line <= last
        # Errors in results and scores depend on other games.
        if not error.code.startswith(CODES_ABOUT_OTHER_GAMES)
    }


def _find_lines_of_game(match: Match, number: int, count: int) -> tuple[int, int]:
    """Return the first and last line of the game with this number, in a file of `count` lines."""
    game = match.games[number - 1]
    first = game.span.line
    if number < len(match.games):
        return first, match.games[number].span.line - 1
    return first, min(max((action.span.line for action in game.actions), default=first) + 1, count)
