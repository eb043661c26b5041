"""Remedies for a finding: edits of the match file, or the assumption that parts are missing."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.validation.findings import Edit, Finding

FindingKey = tuple[int, int | None, str | None, str | None, str, int]
"""Match, game, row, side, code and column of a finding."""


def finding_key(finding: Finding) -> FindingKey:
    """Return a key by which a finding is recognized after edits, even if its line has moved."""
    row, side, code = finding.row, finding.side, finding.code
    return finding.match, finding.game, row, side, code, finding.column


class Remedy(NamedTuple):
    """Edits that repair a finding or, without edits, the assumption that text is missing."""

    edits: tuple[Edit, ...]
    explained: frozenset[FindingKey] = frozenset()
    """Findings that follow from missing parts, which no edit can restore."""
