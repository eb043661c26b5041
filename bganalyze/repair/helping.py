"""What helps against one finding: the suggestions for it, each tried, and ranked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from bganalyze.findings import Finding
from bganalyze.repair.draft import Draft
from bganalyze.repair.edits import EditError
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.excerpt import Excerpts
from bganalyze.repair.prior import Prior
from bganalyze.repair.ranking import (
    MOST_TRIED,
    NEGLIGIBLE,
    Repair,
    Tried,
    Weighed,
    loss_for,
    ranked,
    weighed,
)
from bganalyze.repair.slips import suggestions
from bganalyze.transcript.refused import NotATranscript

UNFIT = (EditError, NotATranscript, UnicodeEncodeError)
"""Why an edit cannot be made."""

PLAYS_ENOUGH = (6, 2, 0)
"""So many plays carried out after the fault show that it is mended; where nothing goes so far, as
where the next slip is near, fewer do."""


def repairs_for(draft: Draft, finding: Finding, prior: Prior) -> list[Repair]:
    """Return what helps against a finding, likeliest first."""
    for enough in PLAYS_ENOUGH:
        replayed = draft.replays[finding.match - 1]
        evidence = Evidence(replayed, finding, draft.lines, draft.errors, enough)
        candidates = weighed(suggestions(evidence), prior)
        tried = _tried(draft, finding, candidates[:MOST_TRIED])
        if repairs := ranked(candidates, evidence, tried):
            return repairs
    return []


def _tried(draft: Draft, finding: Finding, candidates: Sequence[Weighed]) -> Iterator[Tried]:
    """Yield the suggestions that help, of several that leave the same text the likeliest.

    Those within a part of one game are tried on it alone. Once one helps, those that are beside it
    too unlikely to count are not tried.
    """
    excerpts = Excerpts(draft, finding)
    seen: set[bytes] = set()
    least = -math.inf
    for suggestion, weight in candidates:
        if weight < least:
            return
        excerpt = excerpts.holding(suggestion.edits)
        try:
            mended = excerpt.mended(suggestion.edits)
        except UNFIT:
            continue
        if helps(mended, excerpt.draft, excerpt.line(finding.line)) and mended.data not in seen:
            seen.add(mended.data)
            faults = draft.faults + mended.faults - excerpt.draft.faults
            errors = len(draft.errors) + len(mended.errors) - len(excerpt.draft.errors)
            yield Tried(suggestion, weight, faults, errors)
            least = max(least, weight - loss_for(mended.faults) - NEGLIGIBLE)


def helps(mended: Draft, draft: Draft, line: int) -> bool:
    """Whether edits leave less at fault up to a line of the draft, and no more behind it.

    Where a fault has hidden what follows, there may be as many errors more: the next slip is one.
    """
    end = draft.number(line)
    if _at_fault_until(mended, end) >= _at_fault_until(draft, end):
        return False
    hidden = sum(error.consequences or 0 for error in draft.errors)
    is_less = mended.faults < draft.faults or hidden > 0
    return is_less and len(mended.errors) <= len(draft.errors) + hidden


def _at_fault_until(draft: Draft, end: int) -> int:
    return sum(draft.number(finding.line) <= end for finding in draft.to_mend)
