"""Remedies for a finding: edits of the record, or the assumption that pieces of it are missing."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.validation.findings import Edit, Finding

Identity = tuple[int, int | None, str | None, str | None, str, int]


def identity(finding: Finding) -> Identity:
    """Return what a finding is known by, even if lines are put in or taken out above it."""
    row, side, code = finding.row, finding.side, finding.code
    return finding.match, finding.game, row, side, code, finding.column


class Remedy(NamedTuple):
    """Edits that repair a finding or, where pieces of the record are missing, the findings that follow."""

    edits: tuple[Edit, ...]
    explained: frozenset[Identity] = frozenset()
    """The findings that follow if something is missing; no edit brings it back."""
