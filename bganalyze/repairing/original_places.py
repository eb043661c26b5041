"""Places in a binary file, from places in the `.bgm` text in which it is repaired."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from bganalyze.record.model import Match, Span
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.validation.findings import Finding, Proposal

_Place = tuple[int, int]
"""Line and column, from 1."""


class OriginalPlaces:
    """Places in an original (binary) file that correspond to places in its `.bgm` text."""

    def __init__(self, original: Sequence[Match], text: Sequence[Match]) -> None:
        """Pair the games and actions of the matches in the binary file with those in its text."""
        self.original, self._text = original, text
        pairs = zip(_list_spans(text), _list_spans(original), strict=False)
        ordered = sorted((_find_start(in_text), _find_start(in_file)) for in_text, in_file in pairs)
        self._starts = [in_text for in_text, _ in ordered]
        """Where games and actions start in the text, in order."""
        self._origins = [in_file for _, in_file in ordered]
        """Where they start in the file."""

    def find_place(self, line: int, column: int) -> _Place:
        """Convert a place in the `.bgm` text to a line and column of the original file."""
        index = max(bisect_right(self._starts, (line, column)) - 1, 0)
        if index < len(self._starts) and self._starts[index][0] == line:
            origin_line, origin_column = self._origins[index]
            return origin_line, origin_column + column - self._starts[index][1]
        lines, origin_lines = (matches[0].source.lines for matches in (self._text, self.original))
        is_header = not self._starts or (line, column) < self._starts[0]
        first = 1 if is_header else self._origins[index][0]
        written = lines[line - 1] if line <= len(lines) else None
        equal = (
            number
            for number in range(first, len(origin_lines) + 1)
            if origin_lines[number - 1] == written
        )
        return next(equal, first), column

    def find_line(self, line: int) -> int:
        """Convert a line number of the `.bgm` text to one of the original file."""
        starts = (column for start, column in self._starts if start == line)
        return self.find_place(line, next(starts, 1))[0]

    def translate_finding(self, finding: Finding) -> Finding:
        """Convert the line and column of a finding in the `.bgm` text to the original file's."""
        line, column = self.find_place(finding.line, finding.column)
        closer, evidence = finding.closer, finding.evidence
        if closer is not None:
            closer = closer._replace(line=self.find_line(closer.line))
        if evidence is not None:
            moved = (one._replace(line=self.find_line(one.line)) for one in evidence.by)
            evidence = evidence._replace(by=tuple(moved))
        return finding._replace(
            line=line,
            column=column,
            end_column=finding.end_column + column - finding.column,
            closed_by=finding.closed_by and self._translate_place(finding.closed_by),
            closer=closer,
            evidence=evidence,
        )

    def translate_repairs(self, repairable: RepairableFinding) -> RepairableFinding:
        """Convert the lines of a finding and its repairs to those of the original file."""
        proposals = tuple(map(self._translate_proposal, repairable.proposals))
        finding = self.translate_finding(repairable.finding)
        return repairable._replace(finding=finding, proposals=proposals)

    def _translate_proposal(self, proposal: Proposal) -> Proposal:
        """Convert a proposed repair's line number from the `.bgm` text to the original file."""
        # The edits stay those of the text.
        return proposal._replace(line=self.find_line(proposal.line))

    def _translate_place(self, place: str) -> str:
        """Convert a place in the `.bgm` text, such as `12:7`, to a place in the original file.

        A word instead of a place, such as `end-of-record`, is returned unchanged.
        """
        line, colon, column = place.partition(":")
        if not (colon and line.isdecimal() and column.isdecimal()):
            return place
        return "{}:{}".format(*self.find_place(int(line), int(column)))


def _list_spans(matches: Iterable[Match]) -> Iterator[Span]:
    """Yield the places of all games and actions, in order."""
    for match in matches:
        for game in match.games:
            yield game.span
            yield from (action.span for action in game.actions)


def _find_start(span: Span) -> _Place:
    """Return the line and the first column of a place in the file."""
    return span.line, span.column
