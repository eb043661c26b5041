"""The search: from the errors of a file back to their causes, and to the edits that mend them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bganalyze.checking import findings_of
from bganalyze.findings import Finding, Severity, Standing
from bganalyze.law import BASIC, Law
from bganalyze.repair.edits import Edit, edited_bytes
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.prior import Prior, uniform
from bganalyze.repair.ranking import ERROR_LEFT, probabilities, weighed
from bganalyze.repair.slips import HYPOTHESES
from bganalyze.repair.suggestion import Suggestion
from bganalyze.replaying.match import MatchReplay, replay
from bganalyze.transcript.model import SIDE_NAMES
from bganalyze.transcript.reader import NotATranscript, read_bytes

MOST_PROPOSALS = 10
"""So many proposals of a cause are shown."""

MOST_TRIED = 20
"""So many suggestions are tried on the whole file."""

MOST_CAUSES = 300
"""So many causes are looked for in a file."""


class Proposal(NamedTuple):
    """An edit of the file that mends one cause, and how sure that is."""

    kind: str
    message: str
    edits: tuple[Edit, ...]
    probability: float
    proved: bool
    """Whether no other edit of comparable likelihood lets the rest of the game be replayed."""
    line: int
    row: str | None
    side: str | None
    errors_before: int
    errors_after: int


class Cause(NamedTuple):
    """A finding, and what may have caused it, likeliest first."""

    finding: Finding
    proposals: tuple[Proposal, ...]


class Draft(NamedTuple):
    """A file on its way to being mended."""

    data: bytes
    replays: tuple[MatchReplay, ...]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The errors that stand."""
        return tuple(
            finding
            for finding in self.findings
            if finding.severity is Severity.ERROR and finding.standing is not Standing.CORRECTED
        )


def draft_of(data: bytes, path: str, law: Law) -> Draft:
    """Read, replay and check a file; raise NotATranscript as `read_bytes` does."""
    replays = tuple(replay(match, law) for match in read_bytes(data, path))
    return Draft(data, replays, tuple(findings_of(replays, law)))


def causes_of(data: bytes, path: str, law: Law = BASIC, prior: Prior = uniform) -> list[Cause]:
    """Return the causes of the errors of a file, each with its proposals, likeliest first.

    Each cause is looked for in the file as the first proposals of those before it would leave it.
    """
    draft = draft_of(data, path, law)
    causes: list[Cause] = []
    passed: set[tuple[int, str]] = set()
    while len(causes) < MOST_CAUSES:
        finding = next((error for error in draft.errors if _key(error) not in passed), None)
        if finding is None:
            return causes
        passed.add(_key(finding))
        outcomes = _outcomes(draft, finding, path, law, prior)
        if outcomes:
            causes.append(Cause(finding, _proposals(draft, outcomes)))
            draft = outcomes[0].draft
    return causes


class _Outcome(NamedTuple):
    """A suggestion that helps, and the file as it leaves it."""

    suggestion: Suggestion
    weight: float
    draft: Draft


def _key(finding: Finding) -> tuple[int, str]:
    return finding.line, finding.code


def _outcomes(draft: Draft, finding: Finding, path: str, law: Law, prior: Prior) -> list[_Outcome]:
    """Return the suggestions for a finding that leave fewer errors, the likeliest first."""
    candidates = weighed(_suggestions(draft, finding), prior)
    outcomes = [
        _Outcome(suggestion, weight, mended)
        for suggestion, weight in candidates[:MOST_TRIED]
        if (mended := _mended(draft, suggestion, path, law)) is not None
    ]
    fewest = min((len(outcome.draft.errors) for outcome in outcomes), default=0)
    ranked = [
        outcome._replace(weight=outcome.weight - ERROR_LEFT * (len(outcome.draft.errors) - fewest))
        for outcome in outcomes
    ]
    return sorted(ranked, key=lambda outcome: -outcome.weight)


def _proposals(draft: Draft, outcomes: list[_Outcome]) -> tuple[Proposal, ...]:
    chances = probabilities([outcome.weight for outcome in outcomes])
    return tuple(
        Proposal(
            suggestion.kind,
            suggestion.message,
            suggestion.edits,
            chance,
            False,
            suggestion.line,
            suggestion.row,
            None if suggestion.side is None else SIDE_NAMES[suggestion.side],
            len(draft.errors),
            len(mended.errors),
        )
        for (suggestion, _, mended), chance in zip(outcomes, chances, strict=True)
    )[:MOST_PROPOSALS]


def _suggestions(draft: Draft, finding: Finding) -> Iterator[Suggestion]:
    replayed = draft.replays[finding.match - 1]
    evidence = Evidence(replayed, finding, replayed.match.source.lines, draft.errors)
    for hypothesis in HYPOTHESES:
        yield from hypothesis(evidence)


def _mended(draft: Draft, suggestion: Suggestion, path: str, law: Law) -> Draft | None:
    """Return the file as a suggestion leaves it; None where it has no fewer errors then."""
    try:
        mended = draft_of(edited_bytes(draft.data, suggestion.edits), path, law)
    except (NotATranscript, UnicodeEncodeError):
        return None
    return mended if len(mended.errors) < len(draft.errors) else None
