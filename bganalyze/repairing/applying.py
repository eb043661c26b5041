"""Repairing: the repairs that are made in a file, all at once, or step by step by a person."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from bganalyze.repairing.draft import Draft, draft_of
from bganalyze.repairing.edits import combined
from bganalyze.repairing.effort import EffortSpentError
from bganalyze.repairing.outlook import UNFIT, Outlook
from bganalyze.repairing.prior import Prior
from bganalyze.repairing.remedy import Identity, identity
from bganalyze.repairing.search import Cause, causes_in
from bganalyze.repairing.suggestion import Suggestion
from bganalyze.validation.findings import Edit, Finding, Proposal


class Chosen(NamedTuple):
    """A proposal by its numbers among those for its file, both from 1.

    >>> str(Chosen(2)), str(Chosen(2, 3))
    ('2', '2.3')
    """

    cause: int
    rank: int = 1

    def __str__(self) -> str:
        return str(self.cause) if self.rank == 1 else f"{self.cause}.{self.rank}"


def parse_choice(word: str) -> Chosen:
    """Return the numbers of a proposal; raise ValueError.

    >>> parse_choice("2"), parse_choice("2.3")
    (Chosen(cause=2, rank=1), Chosen(cause=2, rank=3))
    """
    cause, point, rank = word.strip().partition(".")
    try:
        choice = Chosen(int(cause), int(rank) if point else 1)
    except ValueError as error:
        raise ValueError(f"{word.strip()!r} is not a number such as 2 or 2.3") from error
    if min(choice) < 1:
        raise ValueError("numbers begin with 1")
    return choice


class RepairedFile(NamedTuple):
    """A file with repairs made."""

    data: bytes
    errors_before: int
    errors_after: int
    made: tuple[Chosen, ...] = ()
    left_out: tuple[Chosen, ...] = ()
    """Repairs that were to be made, and would not leave the file better."""
    later: tuple[str, ...] = ()
    """What was made besides, because it is proved in what the others left, in words."""


def apply_repairs(
    draft: Draft, causes: Sequence[Cause], prior: Prior, chosen: Iterable[Chosen] = ()
) -> RepairedFile:
    """Return a file with every repair that is proved, or chosen instead or besides.

    The result is checked again: a repair after which there are more errors, or new ones, is left
    out. What is proved in the result is made too, until nothing is. So a file that has been repaired
    stays as it is when it is repaired once more.
    """
    by_cause = {choice.cause: choice for choice in (*_proved(causes), *chosen)}
    choices = sorted(by_cause.values())
    result, made = _made(draft, causes, choices)
    left_out = tuple(choice for choice in choices if choice not in made)
    later: list[str] = []
    is_better = bool(made)
    while is_better and result.faults:
        draft_again = draft_of(result.data, result.path, result.rule_book)
        causes_left = tuple(causes_in(draft_again, prior))
        result, more = _made(draft_again, causes_left, _proved(causes_left))
        later += (proposal_of(causes_left, choice).message for choice in more)
        is_better = bool(more)
    errors = len(draft.errors), len(result.errors)
    return RepairedFile(result.data, *errors, made, left_out, tuple(later))


def apply_chosen(draft: Draft, causes: Sequence[Cause], chosen: Iterable[Chosen]) -> RepairedFile:
    """Return a file with the repairs that are chosen, as far as they leave it better, and no others."""
    choices = sorted({choice.cause: choice for choice in chosen}.values())
    result, made = _made(draft, causes, choices)
    left_out = tuple(choice for choice in choices if choice not in made)
    return RepairedFile(result.data, len(draft.errors), len(result.errors), made, left_out)


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
        if cause.is_certain and places & _places(cause.proposals[0].edits)
    }


def _proved(causes: Sequence[Cause]) -> list[Chosen]:
    return [
        Chosen(number, rank)
        for number, cause in enumerate(causes, start=1)
        for rank, proposal in enumerate(cause.proposals, start=1)
        if proposal.proved
    ]


def _made(
    draft: Draft, causes: Sequence[Cause], choices: Sequence[Chosen]
) -> tuple[Draft, tuple[Chosen, ...]]:
    """Return the draft with as many of these repairs as leave it better, and which these are.

    Where they do not do so together, one after the other is tried, as far as the effort for a file
    goes.
    """
    together = _better(draft.refreshed(math.inf), causes, choices)
    if together is not None:
        return together, tuple(choices)
    fresh = draft.refreshed()
    result, made = draft, tuple[Chosen, ...]()
    with suppress(EffortSpentError):
        for choice in choices:
            tried = _better(fresh, causes, (*made, choice))
            if tried is not None:
                result, made = tried, (*made, choice)
    return result, made


def _better(draft: Draft, causes: Sequence[Cause], choices: Sequence[Chosen]) -> Draft | None:
    """Return the draft with these repairs made; None where they cannot be, or it is not better."""
    if not all(built_on(causes, choice) <= set(choices) for choice in choices):
        return None
    edits = combined(proposal_of(causes, choice).edits for choice in choices)
    try:
        result = draft.with_edits(edits)
    except UNFIT:
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


# -- step by step ----------------------------------------------------------------------------------

BY_HAND = "by hand"
"""The kind of slip of an edit that the person has typed."""

MOST_WAYS = 9
"""How many proposals a person is shown: as many as there are keys with a figure."""


class Way(NamedTuple):
    """A way of repairing an error: what is changed, and what the file is then."""

    suggestion: Suggestion
    draft: Draft
    probability: float
    """If the error is a slip."""
    proved: bool
    may_stand: bool = False
    """Whether a player may have made the error although something contradicts it."""


class SessionStep(NamedTuple):
    """Where a session is: the file as it stands, and which errors were passed over."""

    draft: Draft
    passed: frozenset[Identity]
    taken: int = 0


class RepairQuestion(NamedTuple):
    """An error, and what may have been meant, likeliest first."""

    finding: Finding
    ways: tuple[Way, ...]


@dataclass
class Session:
    """The steps of a session; the last is where it stands."""

    prior: Prior
    steps: list[SessionStep] = field(default_factory=list)

    @property
    def draft(self) -> Draft:
        """The file as it stands."""
        return self.steps[-1].draft

    @property
    def step(self) -> SessionStep:
        """Where the session is."""
        return self.steps[-1]

    def question(self) -> RepairQuestion | None:
        """Return the next error that was not passed over; None where there is none."""
        passed = self.step.passed
        finding = next(
            (error for error in self.draft.to_repair if identity(error) not in passed), None
        )
        if finding is None:
            return None
        return RepairQuestion(finding, tuple(islice(self._ways(finding), MOST_WAYS)))

    def _ways(self, finding: Finding) -> Iterator[Way]:
        outlook, draft = Outlook(self.prior), self.draft.refreshed()
        with suppress(EffortSpentError):
            repairs = outlook.repairs(draft, finding, self.step.passed)
            for repair, tried in outlook.holding(draft, finding, repairs):
                repaired = tried or outlook.repaired(draft, finding.line, repair.suggestion.remedy)
                if repaired is not None:
                    yield Way(
                        repair.suggestion,
                        repaired,
                        repair.probability,
                        repair.proved,
                        repair.may_stand,
                    )

    def take(self, way: Way) -> None:
        """Go on with the file repaired so."""
        self.steps.append(SessionStep(way.draft, self.step.passed, self.step.taken + 1))

    def skip(self, finding: Finding) -> None:
        """Pass an error over."""
        self.steps.append(self.step._replace(passed=self.step.passed | {identity(finding)}))

    def undo(self) -> bool:
        """Go back a step; return whether there was one."""
        if len(self.steps) == 1:
            return False
        self.steps.pop()
        return True

    def typed(self, line: int, text: str) -> Way:
        """Return what becomes of the file with a line as it was typed.

        Raise NotATranscript and UnicodeEncodeError as `Draft.with_edits` does.
        """
        edits = (Edit(line, self.draft.lines[line - 1], text),)
        suggestion = Suggestion(BY_HAND, f"line {line} as typed", edits, line, None, None, 0.0)
        repaired = self.draft.refreshed(math.inf).with_edits(edits)
        return Way(suggestion, repaired, 1.0, proved=False)
