"""Applying repairs: all proved ones at once, or step by step as a person chooses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import NamedTuple

from bganalyze.repairing.cause import Cause
from bganalyze.repairing.draft import Draft, draft_of
from bganalyze.repairing.edits import Number, merge_edits
from bganalyze.repairing.outlook import EDIT_FAILURES, Outlook
from bganalyze.repairing.prior import Prior
from bganalyze.repairing.proof import TYPED
from bganalyze.repairing.remedy import Identity, identity
from bganalyze.repairing.search import MOST_PROPOSALS, find_causes_in_draft
from bganalyze.repairing.suggestion import Suggestion
from bganalyze.repairing.work_limit import EffortSpentError
from bganalyze.validation.findings import Edit, Finding, Proposal


class Chosen(NamedTuple):
    """The number of a proposal: its cause and its rank, both counted from 1.

    >>> str(Chosen(2)), str(Chosen(2, 3))
    ('2', '2.3')
    """

    cause: int
    rank: int = 1

    def __str__(self) -> str:
        return str(self.cause) if self.rank == 1 else f"{self.cause}.{self.rank}"


def parse_choice(word: str) -> Chosen:
    """Return the choice that a word such as `2` or `2.3` makes, or raise ValueError.

    >>> parse_choice("2"), parse_choice("2.3")
    (Chosen(cause=2, rank=1), Chosen(cause=2, rank=3))
    """
    cause, point, rank = word.strip().partition(".")
    try:
        choice = Chosen(int(cause), int(rank) if point else 1)
    except ValueError as error:
        raise ValueError(f"{word.strip()!r} is not a number such as 2 or 2.3") from error
    if min(choice) < 1:
        raise ValueError(f"{word.strip()!r} is not a proposal: numbers start at 1")
    return choice


class RepairedFile(NamedTuple):
    """A file with repairs made."""

    data: bytes
    """The whole file as repaired."""
    errors_before: int
    """Errors of the file as it was."""
    errors_after: int
    """Errors of the repaired file."""
    made: tuple[Chosen, ...] = ()
    """The numbers of the proposals that were applied."""
    left_out: tuple[Chosen, ...] = ()
    """Repairs not made, because they would not improve the file."""
    later: tuple[str, ...] = ()
    """Messages of further repairs, proved only after the first ones were made."""


def apply_repairs(
    draft: Draft, causes: Sequence[Cause], prior: Prior, chosen: Iterable[Chosen] = ()
) -> RepairedFile:
    """Return a file with all proved repairs made (the only possible ones), and those `chosen`.

    A chosen repair replaces the proved one of its cause. The result is checked again: a repair that
    leaves more errors, or new ones, is omitted. Repairs proved only in the result are made too,
    until there are none, so that a second run changes nothing.
    """
    by_cause = {choice.cause: choice for choice in (*_find_proved(causes), *chosen)}
    choices = sorted(by_cause.values())
    result, made = _make_repairs(draft, causes, choices)
    left_out = tuple(choice for choice in choices if choice not in made)
    later: list[str] = []
    is_better = bool(made)
    while is_better and result.faults:
        draft_again = draft_of(result.data, result.path, result.rule_book)
        causes_left = tuple(find_causes_in_draft(draft_again, prior))
        result, more = _make_repairs(draft_again, causes_left, _find_proved(causes_left))
        later += (proposal_of(causes_left, choice).message for choice in more)
        is_better = bool(more)
    errors = len(draft.errors), len(result.errors)
    return RepairedFile(result.data, *errors, made, left_out, tuple(later))


def apply_chosen(draft: Draft, causes: Sequence[Cause], chosen: Iterable[Chosen]) -> RepairedFile:
    """Return a file with the chosen repairs made, except those that do not improve it."""
    choices = sorted({choice.cause: choice for choice in chosen}.values())
    result, made = _make_repairs(draft, causes, choices)
    left_out = tuple(choice for choice in choices if choice not in made)
    return RepairedFile(result.data, len(draft.errors), len(result.errors), made, left_out)


def proposal_of(causes: Sequence[Cause], choice: Chosen) -> Proposal:
    """Return the proposal that `choice` names; raise LookupError if there is none."""
    return causes[choice.cause - 1].proposals[choice.rank - 1]


def find_prerequisites(causes: Sequence[Cause], choice: Chosen) -> set[Chosen]:
    """Return the proposals of earlier causes on which a proposal depends, the first of each cause.

    A proposal that changes the same lines depends on them, because its text includes their changes.
    """
    places = _find_edited_places(proposal_of(causes, choice).edits)
    return {
        Chosen(number)
        for number, cause in enumerate(causes[: choice.cause - 1], start=1)
        if cause.is_certain and places & _find_edited_places(cause.proposals[0].edits)
    }


def _find_proved(causes: Sequence[Cause]) -> list[Chosen]:
    """Return the choices of all proved proposals."""
    return [
        Chosen(number, rank)
        for number, cause in enumerate(causes, start=1)
        for rank, proposal in enumerate(cause.proposals, start=1)
        if proposal.proved
    ]


def _make_repairs(
    draft: Draft, causes: Sequence[Cause], choices: Sequence[Chosen]
) -> tuple[Draft, tuple[Chosen, ...]]:
    """Return the file with those of the chosen repairs made that improve it, and these choices.

    If they do not improve it together, as many of the first as do so are made, and each further one
    if it improves the file too, until the work limit is reached.
    """
    together = _try_repairs(draft.refreshed(math.inf), causes, choices)
    if together is not None:
        return together, tuple(choices)
    fresh = draft.refreshed()
    result, made = draft, tuple[Chosen, ...]()
    with suppress(EffortSpentError):
        for count in range(len(choices) - 1, 1, -1):
            tried = _try_repairs(fresh, causes, choices[:count])
            if tried is not None:
                result, made = tried, tuple(choices[:count])
                break
        for choice in choices[len(made) :]:
            tried = _try_repairs(fresh, causes, (*made, choice))
            if tried is not None:
                result, made = tried, (*made, choice)
    return result, made


def _try_repairs(draft: Draft, causes: Sequence[Cause], choices: Sequence[Chosen]) -> Draft | None:
    """Return the file with these repairs made; None if an edit fails or they do not improve it."""
    if not all(find_prerequisites(causes, choice) <= set(choices) for choice in choices):
        return None
    edits = merge_edits(proposal_of(causes, choice).edits for choice in choices)
    try:
        result = draft.with_edits(edits)
    except EDIT_FAILURES:
        return None
    is_helpful = is_better(draft, result) and not _has_error_in_edits(draft, result, edits)
    return result if is_helpful else None


def _has_error_in_edits(before: Draft, after: Draft, edits: Iterable[Edit]) -> bool:
    """Whether the repaired file has a new error in text that the edits wrote.

    Repairs that help alone may contradict each other: both may move the same checker.
    """
    edited = {(edit.line, edit.old is None): edit for edit in edits if edit.new is not None}
    known = _count_errors_by_place(before)
    for error in after.errors:
        source = _source_line(after, error)
        edit = edited.get((source.line, source.is_inserted)) if source is not None else None
        if edit is None or (error.code, source) in known:
            continue
        start, end = _changed_columns(edit.old or "", after.lines[error.line - 1])
        if error.column < end and start < error.end_column:
            return True
    return False


def _changed_columns(old: str, new: str) -> tuple[int, int]:
    """Return the first column of `new` that differs from `old`, and the one after the last.

    >>> _changed_columns("  1) 31: 8/5 6/5", "  1) 31: 8/5 24/23")
    (14, 19)
    """
    start = _common_length(old, new)
    return start + 1, len(new) - _common_length(old[start:][::-1], new[start:][::-1]) + 1


def _common_length(one: str, other: str) -> int:
    """Return the number of characters at the start that two texts share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def is_better(before: Draft, after: Draft) -> bool:
    """Whether `after` has fewer faults than `before`, no more errors and no new ones.

    An error that was a consequence of another before does not count as new.
    """
    errors, errors_left = _count_errors_by_place(before), _count_errors_by_place(after)
    new = (errors_left - errors).total()
    followed = sum(finding.consequences or 0 for finding in before.errors)
    followed -= sum(finding.consequences or 0 for finding in after.errors)
    return (
        after.faults < before.faults
        and len(after.errors) <= len(before.errors)
        and new <= max(followed, 0)
    )


def _count_errors_by_place(draft: Draft) -> Counter[tuple[str, object]]:
    """Count the errors by rule code and source line."""
    return Counter((error.code, _source_line(draft, error)) for error in draft.errors)


def _source_line(draft: Draft, finding: Finding) -> Number | None:
    """Return the line of the original file from which a finding's line comes; None for the end."""
    return draft.numbers[finding.line - 1] if finding.line <= len(draft.numbers) else None


def _find_edited_places(edits: Iterable[Edit]) -> set[tuple[int, bool]]:
    """Return the lines edited, each with a boolean: whether a line is inserted there."""
    return {(edit.line, edit.old is None) for edit in edits}


# -- step by step ----------------------------------------------------------------------------------

BY_HAND = "by hand"
"""Kind of a repair that the person has typed."""


class Way(NamedTuple):
    """A way to repair an error, with the repaired file."""

    suggestion: Suggestion
    draft: Draft
    probability: float
    """Probability, given that the error is a slip."""
    doubt: str | None
    """The reason why it is not proved, or None if it is."""
    may_stand: bool = False
    """Whether a player may have made the error although something contradicts it."""

    @property
    def proved(self) -> bool:
        """Whether the repair is proved: the only possible one."""
        return self.doubt is None


class SessionStep(NamedTuple):
    """State of a session: the current file and the errors that were skipped."""

    draft: Draft
    passed: frozenset[Identity]
    taken: int = 0


class RepairQuestion(NamedTuple):
    """An error and the possible repairs, likeliest first."""

    finding: Finding
    ways: tuple[Way, ...]


@dataclass
class Session:
    """The steps of a repair session; the last one is current."""

    prior: Prior
    steps: list[SessionStep] = field(default_factory=list)

    @property
    def draft(self) -> Draft:
        """The file with the repairs made so far."""
        return self.steps[-1].draft

    @property
    def step(self) -> SessionStep:
        """The current step: the file, and the errors that were skipped."""
        return self.steps[-1]

    def question(self) -> RepairQuestion | None:
        """Return the next error that was not skipped, with its repairs; None if there is none."""
        passed = self.step.passed
        finding = next(
            (error for error in self.draft.to_repair if identity(error) not in passed), None
        )
        if finding is None:
            return None
        return RepairQuestion(finding, tuple(islice(self._find_ways(finding), MOST_PROPOSALS)))

    def _find_ways(self, finding: Finding) -> Iterator[Way]:
        """Yield the repairs of a finding, each with the repaired file, likeliest first."""
        outlook, draft = Outlook(self.prior), self.draft.refreshed()
        with suppress(EffortSpentError):
            repairs = outlook.find_repairs(draft, finding, self.step.passed)
            for repair, tried in outlook.confirm_repairs(draft, finding, repairs):
                repaired = tried or outlook.repair_once(
                    draft, finding.line, repair.suggestion.remedy
                )
                if repaired is not None:
                    yield Way(
                        repair.suggestion,
                        repaired,
                        repair.probability,
                        repair.doubt,
                        repair.may_stand,
                    )

    def take(self, way: Way) -> None:
        """Make the repair `way`; the repaired file becomes the current one."""
        self.steps.append(SessionStep(way.draft, self.step.passed, self.step.taken + 1))

    def skip(self, finding: Finding) -> None:
        """Skip an error."""
        self.steps.append(self.step._replace(passed=self.step.passed | {identity(finding)}))

    def undo(self) -> bool:
        """Take back the last repair or skip; return False if there is none."""
        if len(self.steps) == 1:
            return False
        self.steps.pop()
        return True

    def typed(self, line: int, text: str) -> Way:
        """Return the repair that replaces the line with number `line` by the typed text.

        Raise NotATranscript and UnicodeEncodeError as `Draft.with_edits` does.
        """
        edits = (Edit(line, self.draft.lines[line - 1], text),)
        suggestion = Suggestion(BY_HAND, f"line {line} as typed", edits, line, None, None, 0.0)
        repaired = self.draft.refreshed(math.inf).with_edits(edits)
        return Way(suggestion, repaired, 1.0, TYPED)
