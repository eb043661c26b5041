"""Mending: the repairs that are made in a file, and what it holds then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.findings import Edit, Finding, Proposal
from bganalyze.repair.draft import Draft, draft_of
from bganalyze.repair.edits import EditError, combined
from bganalyze.repair.prior import Prior
from bganalyze.repair.search import Cause, causes_in
from bganalyze.transcript.refused import NotATranscript


class Chosen(NamedTuple):
    """A proposal by its numbers among those for its file, both from 1.

    >>> str(Chosen(2)), str(Chosen(2, 3))
    ('2', '2.3')
    """

    cause: int
    rank: int = 1

    def __str__(self) -> str:
        return str(self.cause) if self.rank == 1 else f"{self.cause}.{self.rank}"


class Mended(NamedTuple):
    """A file with repairs made."""

    data: bytes
    errors_before: int
    errors_after: int
    made: tuple[Chosen, ...] = ()
    left_out: tuple[Chosen, ...] = ()
    """Repairs that were to be made, and would not leave the file better."""
    later: tuple[str, ...] = ()
    """What was made besides, because it is proved in what the others left, in words."""


def mended(
    draft: Draft, causes: Sequence[Cause], prior: Prior, chosen: Iterable[Chosen] = ()
) -> Mended:
    """Return a file with every repair that is proved, or chosen instead or besides.

    The result is checked again: a repair after which there are more errors, or new ones, is left
    out. What is proved in the result is made too, until nothing is. So a file that has been mended
    stays as it is when it is mended once more.
    """
    by_cause = {choice.cause: choice for choice in (*_proved(causes), *chosen)}
    wanted = sorted(by_cause.values())
    result, made = _made(draft, causes, wanted)
    left_out = tuple(choice for choice in wanted if choice not in made)
    later: list[str] = []
    is_better = bool(made)
    while is_better and result.faults:
        draft_again = draft_of(result.data, result.path, result.law)
        causes_left = tuple(causes_in(draft_again, prior))
        result, more = _made(draft_again, causes_left, _proved(causes_left))
        later += (proposal_of(causes_left, choice).message for choice in more)
        is_better = bool(more)
    errors = len(draft.errors), len(result.errors)
    return Mended(result.data, *errors, made, left_out, tuple(later))


def mended_by(draft: Draft, causes: Sequence[Cause], chosen: Iterable[Chosen]) -> Mended:
    """Return a file with the repairs that are chosen, as far as they leave it better, and no others."""
    wanted = sorted({choice.cause: choice for choice in chosen}.values())
    result, made = _made(draft, causes, wanted)
    left_out = tuple(choice for choice in wanted if choice not in made)
    return Mended(result.data, len(draft.errors), len(result.errors), made, left_out)


def proposal_of(causes: Sequence[Cause], choice: Chosen) -> Proposal:
    """Return the proposal of these numbers; raise LookupError where there is none."""
    return causes[choice.cause - 1].proposals[choice.rank - 1]


def built_on(causes: Sequence[Cause], choice: Chosen) -> set[Chosen]:
    """Return the first proposals for earlier causes that a proposal goes on from.

    It holds what they make of the same lines.
    """
    places = _places(proposal_of(causes, choice).edits)
    return {
        Chosen(number)
        for number, cause in enumerate(causes[: choice.cause - 1], start=1)
        if places & _places(cause.proposals[0].edits)
    }


def _proved(causes: Sequence[Cause]) -> list[Chosen]:
    return [
        Chosen(number, rank)
        for number, cause in enumerate(causes, start=1)
        for rank, proposal in enumerate(cause.proposals, start=1)
        if proposal.proved
    ]


def _made(
    draft: Draft, causes: Sequence[Cause], wanted: Sequence[Chosen]
) -> tuple[Draft, tuple[Chosen, ...]]:
    """Return the draft with as many of these repairs as leave it better, and which these are."""
    together = _better(draft, causes, wanted)
    if together is not None:
        return together, tuple(wanted)
    result, made = draft, tuple[Chosen, ...]()
    for choice in wanted:
        tried = _better(draft, causes, (*made, choice))
        if tried is not None:
            result, made = tried, (*made, choice)
    return result, made


def _better(draft: Draft, causes: Sequence[Cause], choices: Sequence[Chosen]) -> Draft | None:
    """Return the draft with these repairs made; None where they cannot be, or it is not better."""
    if not all(built_on(causes, choice) <= set(choices) for choice in choices):
        return None
    edits = combined(proposal_of(causes, choice).edits for choice in choices)
    try:
        result = draft.mended(edits)
    except (EditError, NotATranscript, UnicodeEncodeError):
        return None
    return result if is_better(draft, result) else None


def is_better(before: Draft, after: Draft) -> bool:
    """Whether a draft has less at fault than before, and no more errors nor any new ones.

    What was counted as a consequence of an error, and not listed, is not new.
    """
    errors, errors_left = _places_of(before), _places_of(after)
    new = (errors_left - errors).total()
    followed = sum(finding.consequences or 0 for finding in before.errors)
    followed -= sum(finding.consequences or 0 for finding in after.errors)
    return (
        after.faults < before.faults
        and len(after.errors) <= len(before.errors)
        and new <= max(followed, 0)
    )


def _places_of(draft: Draft) -> Counter[tuple[str, object]]:
    """Return the errors by their code and by the line of the file as it was."""
    return Counter((error.code, _line_of(draft, error)) for error in draft.errors)


def _line_of(draft: Draft, finding: Finding) -> object:
    return draft.numbers[finding.line - 1] if finding.line <= len(draft.numbers) else None


def _places(edits: Iterable[Edit]) -> set[tuple[int, bool]]:
    return {(edit.line, edit.old is None) for edit in edits}
