"""The search: from the errors of a file back to their causes, and to the edits that mend them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bganalyze.findings import Finding, Proposal
from bganalyze.law import BASIC, Law
from bganalyze.repair.draft import Draft, Identity, draft_of, identity
from bganalyze.repair.edits import EditError
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.excerpt import Excerpts
from bganalyze.repair.prior import Prior, uniform
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
from bganalyze.transcript.model import SIDE_NAMES
from bganalyze.transcript.refused import NotATranscript

MOST_PROPOSALS = 10
"""So many proposals of a cause are kept."""

MOST_FINDINGS = 300
"""So many findings of a file are looked at."""

UNFIT = (EditError, NotATranscript, UnicodeEncodeError)
"""Why an edit cannot be made."""

PLAYS_ENOUGH = (6, 2)
"""So many plays carried out after the fault show that it is mended; where nothing goes so far, as
where the next slip is near, fewer do."""


class Cause(NamedTuple):
    """A finding, and what may have caused it."""

    finding: Finding
    proposals: tuple[Proposal, ...]
    """Likeliest first."""
    explained: frozenset[Identity]
    """What the first proposal mends: this finding, and those that follow from the same slip."""


def causes_of(data: bytes, path: str, law: Law = BASIC, prior: Prior = uniform) -> list[Cause]:
    """Return the causes of what is at fault in a file, as `causes_in` finds them.

    Raise NotATranscript as `read_bytes` does.
    """
    return list(causes_in(draft_of(data, path, law), prior))


def causes_in(draft: Draft, prior: Prior = uniform, most: int = MOST_FINDINGS) -> Iterator[Cause]:
    """Yield the causes of what is at fault in a draft, each with its proposals.

    The first `most` findings are looked at. The cause of each is looked for in the file as the
    first proposals for those before it would leave it.
    """
    passed: set[Identity] = set()
    while len(passed) < most:
        finding = next((fault for fault in draft.to_mend if identity(fault) not in passed), None)
        if finding is None:
            return
        passed.add(identity(finding))
        repairs, mended = _confirmed(draft, repairs_for(draft, finding, prior))
        if repairs:
            explained = frozenset(map(identity, draft.to_mend)) - set(map(identity, mended.to_mend))
            yield Cause(finding, tuple(_proposals(draft, repairs)), explained)
            draft = mended


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
        if _is_better(mended, excerpt.draft) and mended.data not in seen:
            seen.add(mended.data)
            faults = draft.faults + mended.faults - excerpt.draft.faults
            errors = len(draft.errors) + len(mended.errors) - len(excerpt.draft.errors)
            yield Tried(suggestion, weight, faults, errors)
            least = max(least, weight - loss_for(mended.faults) - NEGLIGIBLE)


def _confirmed(draft: Draft, repairs: list[Repair]) -> tuple[list[Repair], Draft]:
    """Return the repairs from the first that helps in the whole file, and the file then."""
    for rank, repair in enumerate(repairs):
        try:
            mended = draft.mended(repair.suggestion.edits)
        except UNFIT:
            continue
        if _is_better(mended, draft):
            return repairs[rank:], mended
    return [], draft


def _is_better(mended: Draft, draft: Draft) -> bool:
    """Whether an edit leaves fewer faults, and no more errors."""
    return mended.faults < draft.faults and len(mended.errors) <= len(draft.errors)


def _proposals(draft: Draft, repairs: list[Repair]) -> Iterator[Proposal]:
    for suggestion, errors, probability, proved in repairs[:MOST_PROPOSALS]:
        yield Proposal(
            suggestion.kind,
            suggestion.message,
            tuple(draft.of_source(suggestion.edits)),
            probability,
            proved,
            draft.numbers[suggestion.line - 1].line,
            suggestion.row,
            None if suggestion.side is None else SIDE_NAMES[suggestion.side],
            len(draft.errors),
            errors,
        )
