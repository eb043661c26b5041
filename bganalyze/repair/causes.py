"""The findings of a file with what caused them: one for what one edit explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bganalyze.findings import Finding, Severity
from bganalyze.repair.draft import Identity, identity
from bganalyze.repair.search import Cause

LIKELY = 0.5
"""From this probability on a cause stands for all errors that its edit explains."""


def with_causes(findings: Sequence[Finding], causes: Iterable[Cause]) -> list[Finding]:
    """Return the findings, those with a known cause with it.

    Errors that a likely cause of an earlier one explains are counted as its consequences.
    """
    of_errors = {identity(cause.finding): cause for cause in causes}
    earlier = {
        key: first
        for first, cause in of_errors.items()
        if cause.proposals[0].probability >= LIKELY
        for key in cause.explained - {first}
    }
    followed = Counter[Identity]()
    kept: list[Finding] = []
    for finding in findings:
        first = earlier.get(identity(finding))
        if first is None or finding.severity is not Severity.ERROR:
            kept.append(finding)
        else:
            followed[first] += 1 + (finding.consequences or 0)
    return [_explained(finding, of_errors, followed) for finding in kept]


def _explained(
    finding: Finding, causes: Mapping[Identity, Cause], followed: Mapping[Identity, int]
) -> Finding:
    key = identity(finding)
    if key not in causes:
        return finding
    consequences = (finding.consequences or 0) + followed[key]
    return finding._replace(proposals=causes[key].proposals, consequences=consequences or None)
