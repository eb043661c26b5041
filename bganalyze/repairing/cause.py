"""Causes: the possible slips behind a finding, and the edits that repair them."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.repairing.remedy import FindingIdentity
from bganalyze.validation.findings import Finding, Proposal


class Cause(NamedTuple):
    """A finding and the slips that may have caused it."""

    finding: Finding
    proposals: tuple[Proposal, ...]
    """Likeliest first."""
    explained: frozenset[FindingIdentity]
    """Findings that follow from the same slip, including this one; empty if that is not likely."""

    @property
    def is_certain(self) -> bool:
        """Whether the error must be the transcriber's: no player can have made it at the table.

        Otherwise nothing may be edited without asking.
        """
        return not self.finding.may_be_players
