"""The search: from the errors of a file back to their causes, and to the edits that mend them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bganalyze.findings import Finding
from bganalyze.law import BASIC, Law
from bganalyze.repair.draft import Draft, draft_of
from bganalyze.repair.edits import Edit, EditError
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.prior import Prior, uniform
from bganalyze.repair.ranking import MOST_TRIED, Repair, Weighed, ranked, weighed
from bganalyze.repair.slips import HYPOTHESES
from bganalyze.repair.suggestion import Suggestion
from bganalyze.transcript.model import SIDE_NAMES
from bganalyze.transcript.reader import NotATranscript

MOST_PROPOSALS = 10
"""So many proposals of a cause are kept."""

MOST_CAUSES = 300
"""So many causes are looked for in a file."""

PLAYS_ENOUGH = (6, 2)
"""So many plays carried out after the fault show that it is mended; where nothing goes so far, as
where the next slip is near, fewer do."""


class Proposal(NamedTuple):
    """An edit of the file that mends one cause, and how sure that is."""

    kind: str
    """The name of the slip."""
    message: str
    edits: tuple[Edit, ...]
    """Of the file as it is."""
    probability: float
    """From 0 to 1, beside the other proposals for the cause."""
    proved: bool
    """Whether no other edit of comparable likelihood lets the game be replayed to its end."""
    line: int
    row: str | None
    side: str | None
    errors_before: int
    """With the first proposals for the causes before this one."""
    errors_after: int


class Cause(NamedTuple):
    """A finding, and what may have caused it, likeliest first."""

    finding: Finding
    proposals: tuple[Proposal, ...]


def causes_of(data: bytes, path: str, law: Law = BASIC, prior: Prior = uniform) -> list[Cause]:
    """Return the causes of what is at fault in a file, each with its proposals, likeliest first.

    Each cause is looked for in the file as the first proposals for those before it would leave it.
    Raise NotATranscript as `read_bytes` does.
    """
    draft = draft_of(data, path, law)
    causes: list[Cause] = []
    passed: set[object] = set()
    while len(causes) < MOST_CAUSES:
        finding = next((fault for fault in draft.to_mend if _identity(fault) not in passed), None)
        if finding is None:
            break
        passed.add(_identity(finding))
        repairs = repairs_for(draft, finding, prior)
        if repairs:
            causes.append(Cause(finding, tuple(_proposals(draft, repairs))))
            draft = repairs[0].draft
    return causes


def repairs_for(draft: Draft, finding: Finding, prior: Prior) -> list[Repair]:
    """Return what helps against a finding, and what becomes of the file then, likeliest first."""
    for enough in PLAYS_ENOUGH:
        replayed = draft.replays[finding.match - 1]
        evidence = Evidence(replayed, finding, draft.lines, draft.errors, enough)
        candidates = weighed(_suggestions(evidence), prior)
        repairs = ranked(candidates, evidence, _tried(draft, candidates[:MOST_TRIED]))
        if repairs:
            return repairs
    return []


def _identity(finding: Finding) -> object:
    """Return what a finding is known by, though lines are put in or taken out above it."""
    return finding.match, finding.game, finding.row, finding.side, finding.code, finding.column


def _suggestions(evidence: Evidence) -> Iterator[Suggestion]:
    for hypothesis in HYPOTHESES:
        yield from hypothesis(evidence)


def _tried(draft: Draft, candidates: list[Weighed]) -> Iterator[tuple[Weighed, Draft]]:
    """Yield the suggestions after which the file has fewer faults, with the file as they leave it.

    Of several that leave the same, only the likeliest.
    """
    seen: set[bytes] = set()
    for candidate in candidates:
        try:
            mended = draft.mended(candidate.suggestion.edits)
        except (EditError, NotATranscript, UnicodeEncodeError):
            continue
        if mended.faults < draft.faults and mended.data not in seen:
            seen.add(mended.data)
            yield candidate, mended


def _proposals(draft: Draft, repairs: list[Repair]) -> Iterator[Proposal]:
    for suggestion, _, mended, probability, proved in repairs[:MOST_PROPOSALS]:
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
            len(mended.errors),
        )
