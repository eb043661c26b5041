"""A finding with its proposed repairs."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.repairing.remedy import FindingKey
from bganalyze.validation.findings import Finding, Proposal


class RepairableFinding(NamedTuple):
    """A finding and the repairs proposed for it."""

    finding: Finding
    proposals: tuple[Proposal, ...]
    """Likeliest first."""
    explained: frozenset[FindingKey]
    """Findings that disappear with the likely repairs, including this one; empty if none is likely."""

    @property
    def is_surely_slip(self) -> bool:
        """Whether no player can have made this error, so that it is a transcription slip."""
        return not self.finding.may_be_players
