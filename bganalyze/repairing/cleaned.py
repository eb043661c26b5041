"""Repairs of a file with marks of mail, found in its cleaned text and translated back to the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bganalyze.record.cleaning.clean import Cleaned
from bganalyze.record.model import Play, Span
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import clean_text, read_bytes
from bganalyze.repairing.edits import EditError, apply_edits, measure_common_ends
from bganalyze.repairing.file_to_repair import FileToRepair, read_file_to_repair
from bganalyze.repairing.remedy import FindingKey, finding_key
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.validation.findings import Edit, Finding, Proposal

COLUMNS_ARE_LOST = "the file has no columns: whose a cell is was inferred"
"""Doubt about each proposal for a text without columns."""

LINES_ARE_WRAPPED = "lines of the file were wrapped: where each row ends was inferred"
"""Doubt about each proposal for a text with joined lines."""


@dataclass(frozen=True, eq=False)
class CleanedFile:
    """A file cleaned of marks such as the `> ` of mail. It can convert repairs for the original."""

    file: FileToRepair
    cleaned: Cleaned
    path: str

    def restore_repairs(self, repairable: RepairableFinding) -> RepairableFinding:
        """Convert an error in the cleaned text, and its repairs, for the original file.

        Repairs that cannot be made in the original file are left out.
        """
        proposals = (self._restore_proposal(proposal) for proposal in repairable.proposals)
        explained = (self._keys_in_original.get(key) for key in repairable.explained)
        return repairable._replace(
            finding=self.restore_finding(repairable.finding),
            proposals=tuple(proposal for proposal in proposals if proposal is not None),
            explained=frozenset(key for key in explained if key is not None),
        )

    def restore_finding(self, finding: Finding) -> Finding:
        """Convert the line and column of a finding to those in the original file."""
        last_line = self.cleaned.text.count("\n") + 1
        span = Span(min(finding.line, last_line), finding.column, finding.end_column)
        line, column, end_column = self.cleaned.find_original_place(span)
        return finding._replace(line=line, column=column, end_column=end_column)

    @cached_property
    def _keys_in_original(self) -> dict[FindingKey, FindingKey]:
        """Keys (`finding_key`) of errors in the original file, by keys in the cleaned text."""
        faults = self.file.to_repair
        return {finding_key(fault): finding_key(self.restore_finding(fault)) for fault in faults}

    def _restore_proposal(self, proposal: Proposal) -> Proposal | None:
        """Convert a proposed repair of the cleaned text for the original file.

        Return None if the two files would then no longer hold equal matches.
        """
        edits = tuple(edit for old in proposal.edits for edit in self._restore_edit(old))
        if edits and not self._has_same_effect(edits, proposal.edits):
            return None
        lines = self.cleaned.text.count("\n") + 1
        line = self.cleaned.find_original_line(min(proposal.line, lines))
        restored = proposal._replace(edits=edits, line=line)
        if restored.proved and self.cleaned.has_inferred_columns:
            return restored._replace(proved=False, doubt=COLUMNS_ARE_LOST)
        if restored.proved and self.cleaned.has_joined_lines:
            return restored._replace(proved=False, doubt=LINES_ARE_WRAPPED)
        return restored

    def _has_same_effect(self, edits: Iterable[Edit], cleaned_edits: Iterable[Edit]) -> bool:
        """Whether edits of the original file and of the cleaned text lead to equal matches."""
        # Edits that do not fit or that change nothing have no effect.
        edits = tuple(edit for edit in edits if edit.old != edit.new)
        try:
            text = "\n".join(apply_edits(self.cleaned.before.split("\n"), edits))
            meant = "\n".join(apply_edits(self.cleaned.text.split("\n"), cleaned_edits))
            now, then = (_read_without_line_numbers(data, self.path) for data in (text, meant))
        except (EditError, NotATranscript):
            return False
        return bool(edits) and now == then

    def _restore_edit(self, edit: Edit) -> Iterator[Edit]:
        """Yield the edits of the original file that do the same as one edit of the cleaned text."""
        before = self.cleaned.before.split("\n")
        if edit.old is None:
            count = self.cleaned.text.count("\n") + 1
            line = len(before) + 1 if edit.line > count else self._find_original_line(edit.line)
            mark = self._find_removed_prefix(min(edit.line, count))
            yield Edit(line, None, f"{mark}{edit.new}")
            return
        first = self._find_original_line(edit.line)
        last = self.cleaned.find_original_place(
            Span(edit.line, len(edit.old) + 1, len(edit.old) + 1)
        ).line
        new = edit.new
        if new is not None and last == first:
            new = self._apply_change_to_original(edit.line, edit.old, new, before[first - 1])
        yield Edit(first, before[first - 1], new)
        for line in range(first + 1, last + 1):  # The rest of a row that cleaning joined.
            yield Edit(line, before[line - 1], None)

    def _find_removed_prefix(self, line: int) -> str:
        """Return the text, such as `> `, that cleaning removed from the start of a line.

        `line` is its number in the cleaned text.
        """
        number, column, _ = self.cleaned.find_original_place(Span(line, 1, 1))
        return self.cleaned.before.split("\n")[number - 1][: column - 1]

    def _find_original_line(self, line: int) -> int:
        """Return the line number in the original file for a line of the cleaned text."""
        return self.cleaned.find_original_line(line)

    def _apply_change_to_original(self, line: int, old: str, new: str, original: str) -> str:
        """Make a change of a cleaned line in the same line of the original file.

        `old` and `new` are the cleaned line before and after the change.
        """
        start, end = measure_common_ends(old, new)
        changed = Span(line, start + 1, len(old) - end + 1)
        place = self.cleaned.find_original_place(changed)
        from_, to = place.column - 1, place.end_column - 1
        if changed.column == changed.end_column:
            to = from_
        return original[:from_] + new[start : len(new) - end] + original[to:]


def _read_without_line_numbers(text: str, path: str) -> object:
    """Return the matches in a text without line and column numbers, to compare two texts."""
    return [
        (
            match.length and match.length.points,
            match.names,
            *map(_without_line_numbers, match.games),
        )
        for match in read_bytes(text.encode("utf-8", "surrogatepass"), path)
    ]


def _without_line_numbers(value: Any) -> Any:
    """Return a match, an action or another value without its lines and columns."""
    if isinstance(value, Span):
        return None
    if isinstance(value, Play):
        value = value._replace(places=(), cell_offset=0)
    return tuple(map(_without_line_numbers, value)) if isinstance(value, tuple) else value


def make_cleaned_file(file: FileToRepair) -> CleanedFile | None:
    """Return a match file cleaned of marks such as `> `, or None if it has none."""
    lines = file.replays[0].match.source.lines
    if not any(note.rule == "cleaned-text" for note in file.replays[0].match.oddities):
        return None
    cleaned = clean_text("\n".join(lines), file.path)
    data = cleaned.text.encode("utf-8", "surrogatepass")
    return CleanedFile(read_file_to_repair(data, file.path, file.rule_book), cleaned, file.path)
