"""Applying repairs: all proved ones at once, or step by step as a person chooses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from bganalyze.repairing.edits import LineOrigin, measure_common_ends, merge_edits
from bganalyze.repairing.file_to_repair import FileToRepair, read_file_to_repair
from bganalyze.repairing.look_ahead import EDIT_FAILURES, RepairFinder
from bganalyze.repairing.prior import PlayPrior
from bganalyze.repairing.proof import TYPED
from bganalyze.repairing.remedy import FindingKey, finding_key
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.search import MOST_PROPOSALS, find_repairable_findings
from bganalyze.repairing.suggestion import Suggestion
from bganalyze.repairing.work_limit import EffortSpentError
from bganalyze.validation.findings import Edit, Finding, Proposal


class ChosenProposal(NamedTuple):
    """The number of a proposed repair: its finding's number (`cause`), and its `rank` for that finding.

    Both count from 1. A rank of 1 is not written.

    >>> str(ChosenProposal(2)), str(ChosenProposal(2, 3))
    ('2', '2.3')
    """

    cause: int
    rank: int = 1

    def __str__(self) -> str:
        return str(self.cause) if self.rank == 1 else f"{self.cause}.{self.rank}"


def parse_number_of_proposal(word: str) -> ChosenProposal:
    """Parse the number of a proposed repair, such as `2` or `2.3`, or raise ValueError.

    `2.3` is the third proposal for the second finding. `2` is the first proposal for it.

    >>> parse_number_of_proposal("2"), parse_number_of_proposal("2.3")
    (ChosenProposal(cause=2, rank=1), ChosenProposal(cause=2, rank=3))
    """
    cause, point, rank = word.strip().partition(".")
    try:
        choice = ChosenProposal(int(cause), int(rank) if point else 1)
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
    errors_left: tuple[Finding, ...] = ()
    """The errors of the repaired file."""
    made: tuple[ChosenProposal, ...] = ()
    """The numbers of the proposals that were applied."""
    left_out: tuple[ChosenProposal, ...] = ()
    """The numbers of proposals that were not applied, because they would not improve the file."""
    later: tuple[str, ...] = ()
    """Messages of repairs that were proved only after the others were made, and made as well."""

    @property
    def errors_after(self) -> int:
        """Number of errors left in the repaired file."""
        return len(self.errors_left)

    def __repr__(self) -> str:
        """The size of the file, and its numbers of errors."""
        errors = f"errors {self.errors_before:,} → {self.errors_after:,}"
        return f"<repaired file: {len(self.data):,} bytes, {errors}>"


def apply_repairs(
    file: FileToRepair,
    findings: Sequence[RepairableFinding],
    prior: PlayPrior,
    chosen: Iterable[ChosenProposal] = (),
) -> RepairedFile:
    """Make all proved repairs in a match file, and those that the user has `chosen`.

    Repairs that do not reduce the errors are left out. `prior` is a function that rates how likely
    players make each play.
    """
    by_cause = {choice.cause: choice for choice in (*_find_proved_repairs(findings), *chosen)}
    choices = sorted(by_cause.values())
    result, made = _make_repairs(file, findings, choices)
    left_out = tuple(choice for choice in choices if choice not in made)
    later: list[str] = []
    is_better = bool(made)
    # Repairs may become certain in the repaired file.
    while is_better and result.problem_count:
        file_again = read_file_to_repair(result.data, result.path, result.rule_book)
        causes_left = tuple(find_repairable_findings(file_again, prior))
        result, more = _make_repairs(file_again, causes_left, _find_proved_repairs(causes_left))
        later += (find_proposal(causes_left, choice).message for choice in more)
        is_better = bool(more)
    return RepairedFile(result.data, len(file.errors), result.errors, made, left_out, tuple(later))


def apply_chosen(
    file: FileToRepair, findings: Sequence[RepairableFinding], chosen: Iterable[ChosenProposal]
) -> RepairedFile:
    """Make the repairs with the numbers `chosen` in a file, and no others.

    A repair that does not reduce the errors is left out.
    """
    choices = sorted({choice.cause: choice for choice in chosen}.values())
    result, made = _make_repairs(file, findings, choices)
    left_out = tuple(choice for choice in choices if choice not in made)
    return RepairedFile(result.data, len(file.errors), result.errors, made, left_out)


def find_proposal(findings: Sequence[RepairableFinding], choice: ChosenProposal) -> Proposal:
    """Return the proposed repair with the number `choice`, or raise LookupError."""
    return findings[choice.cause - 1].proposals[choice.rank - 1]


def find_prerequisites(
    findings: Sequence[RepairableFinding], choice: ChosenProposal
) -> set[ChosenProposal]:
    """Return the numbers of the repairs that must be made before the repair `choice`.

    They are repairs of slips that change the same lines and are listed before `choice`.
    """
    places = _find_edited_lines(find_proposal(findings, choice).edits)
    return {
        ChosenProposal(number)
        for number, cause in enumerate(findings[: choice.cause - 1], start=1)
        if cause.is_surely_slip and places & _find_edited_lines(cause.proposals[0].edits)
    }


def find_first_harmless_repair(findings: Sequence[RepairableFinding]) -> ChosenProposal | None:
    """Return the number of the first proposed repair that adds no error if made alone, or None."""
    return next(
        (
            ChosenProposal(number, rank)
            for number, cause in enumerate(findings, start=1)
            for rank, proposal in enumerate(cause.proposals, start=1)
            if proposal.edits and proposal.errors_after <= proposal.errors_before
        ),
        None,
    )


def explain_left_out(
    findings: Sequence[RepairableFinding], repaired: RepairedFile, choice: ChosenProposal
) -> str:
    """Return, as words for the user, why the chosen repair was not made.

    `repaired` is the file after the other chosen repairs.
    """
    basis = sorted(find_prerequisites(findings, choice) - {*repaired.made})
    if basis:
        numbers = ", ".join(map(str, basis))
        return f"it builds on {numbers}; choose {numbers} with it"
    proposal = find_proposal(findings, choice)
    if not proposal.edits:
        return "no edit brings back what is missing"
    if proposal.errors_after > proposal.errors_before:
        left = f"{proposal.errors_after} errors instead of {proposal.errors_before}"
        return f"alone it would leave {left}; choose repairs of the later errors as well"
    return "it would not improve the file"


def _find_proved_repairs(findings: Sequence[RepairableFinding]) -> list[ChosenProposal]:
    """Return the numbers of the proved repairs."""
    return [
        ChosenProposal(number, rank)
        for number, cause in enumerate(findings, start=1)
        for rank, proposal in enumerate(cause.proposals, start=1)
        if proposal.proved
    ]


def _make_repairs(
    file: FileToRepair, findings: Sequence[RepairableFinding], choices: Sequence[ChosenProposal]
) -> tuple[FileToRepair, tuple[ChosenProposal, ...]]:
    """Make as many of the chosen repairs as reduce the errors.

    Return the repaired file and the numbers of the repairs that were made.
    """
    together = _try_repairs(file.with_fresh_limit(math.inf), findings, choices)
    if together is not None:
        return together, tuple(choices)
    fresh = file.with_fresh_limit()
    # If not all together do, as many of the first as do, then each of the others.
    result, made = file, tuple[ChosenProposal, ...]()
    with suppress(EffortSpentError):
        for count in range(len(choices) - 1, 1, -1):
            tried = _try_repairs(fresh, findings, choices[:count])
            if tried is not None:
                result, made = tried, tuple(choices[:count])
                break
        for choice in choices[len(made) :]:
            tried = _try_repairs(fresh, findings, (*made, choice))
            if tried is not None:
                result, made = tried, (*made, choice)
    return result, made


def _try_repairs(
    file: FileToRepair, findings: Sequence[RepairableFinding], choices: Sequence[ChosenProposal]
) -> FileToRepair | None:
    """Make all chosen repairs, and return the repaired file.

    Return None if the errors become no fewer, or if a repair needs another one that is not chosen.
    """
    if not all(find_prerequisites(findings, choice) <= set(choices) for choice in choices):
        return None
    edits = merge_edits(find_proposal(findings, choice).edits for choice in choices)
    try:
        result = file.with_edits(edits)
    except EDIT_FAILURES:
        return None
    is_helpful = leaves_fewer_problems(file, result) and not _has_error_in_edits(
        file, result, edits
    )
    return result if is_helpful else None


def _has_error_in_edits(before: FileToRepair, after: FileToRepair, edits: Iterable[Edit]) -> bool:
    """Whether a repair leaves an error in the text that its `edits` wrote."""
    edited = {_find_edited_line(edit): edit for edit in edits if edit.new is not None}
    known = _count_errors_by_line(before)
    for error in after.errors:
        source = _find_original_line(after, error)
        edit = None if source is None else edited.get(source)
        if edit is None or (error.code, source) in known:
            continue
        start, end = _find_changed_columns(edit.old or "", after.lines[error.line - 1])
        if error.column < end and start < error.end_column:
            return True
    return False


def _find_changed_columns(old: str, new: str) -> tuple[int, int]:
    """Return the first changed column of the line `new`, and the column after the last one.

    Columns count from 1.

    >>> _find_changed_columns("  1) 31: 8/5 6/5", "  1) 31: 8/5 24/23")
    (14, 19)
    """
    start, same = measure_common_ends(old, new)
    return start + 1, len(new) - same + 1


def leaves_fewer_problems(before: FileToRepair, after: FileToRepair) -> bool:
    """Whether an edited file has fewer errors and warnings than before, and no new error."""
    errors, errors_left = _count_errors_by_line(before), _count_errors_by_line(after)
    # An error is not new if it was counted before as a consequence of another error.
    new = (errors_left - errors).total()
    followed = sum(finding.consequences or 0 for finding in before.errors)
    followed -= sum(finding.consequences or 0 for finding in after.errors)
    return (
        after.problem_count < before.problem_count
        and len(after.errors) <= len(before.errors)
        and new <= max(followed, 0)
    )


def _count_errors_by_line(file: FileToRepair) -> Counter[tuple[str, object]]:
    """Return the number of errors for each rule code and line of the original file."""
    return Counter((error.code, _find_original_line(file, error)) for error in file.errors)


def _find_original_line(file: FileToRepair, finding: Finding) -> LineOrigin | None:
    """Return the line of the original file that holds a finding; None if it is below the last line."""
    return file.numbers[finding.line - 1] if finding.line <= len(file.numbers) else None


def _find_edited_lines(edits: Iterable[Edit]) -> set[LineOrigin]:
    """Return the original lines that edits change, or above which they insert a line."""
    return set(map(_find_edited_line, edits))


def _find_edited_line(edit: Edit) -> LineOrigin:
    """Return the original line that an edit changes, or above which the edit inserts a line."""
    return LineOrigin(edit.line, edit.old is None)


# -- step by step ----------------------------------------------------------------------------------

BY_HAND = "by hand"
"""Kind of a repair that the person has typed."""


class RepairOption(NamedTuple):
    """A way to repair an error, with the repaired file."""

    suggestion: Suggestion
    file: FileToRepair
    probability: float
    """Probability, given that the error is a slip."""
    doubt: str | None
    """The reason why it is not proved, or None if it is."""
    may_stand: bool = False
    """Whether a player may have made the error, because the game goes on from the board as played."""

    @property
    def proved(self) -> bool:
        """Whether no other repair of the error is possible."""
        return self.doubt is None


class SessionStep(NamedTuple):
    """State of a session: the current file and the errors that were skipped."""

    file: FileToRepair
    skipped: frozenset[FindingKey]
    taken: int = 0


class RepairQuestion(NamedTuple):
    """An error and the possible repairs, likeliest first."""

    finding: Finding
    ways: tuple[RepairOption, ...]


@dataclass
class Session:
    """A dialog with a user who repairs a file. Its steps can be undone."""

    prior: PlayPrior
    steps: list[SessionStep] = field(default_factory=list)

    @property
    def file(self) -> FileToRepair:
        """The match file with the repairs made so far."""
        return self.steps[-1].file

    @property
    def step(self) -> SessionStep:
        """The state after the user's last answer: the repaired file and the skipped errors."""
        return self.steps[-1]

    def find_next_question(self) -> RepairQuestion | None:
        """Return the next error that was not skipped, with its possible repairs, or None."""
        skipped = self.step.skipped
        finding = next(
            (error for error in self.file.to_repair if finding_key(error) not in skipped), None
        )
        if finding is None:
            return None
        return RepairQuestion(
            finding, tuple(islice(self._find_repair_options(finding), MOST_PROPOSALS))
        )

    def _find_repair_options(self, finding: Finding) -> Iterator[RepairOption]:
        """Yield the possible repairs of an error with the repaired files, likeliest first."""
        search, file = RepairFinder(self.prior), self.file.with_fresh_limit()
        with suppress(EffortSpentError):
            repairs = search.find_repairs(file, finding, self.step.skipped)
            for repair, tried in search.confirm_repairs(file, finding, repairs):
                repaired = tried or search.repair_once(file, finding.line, repair.suggestion.remedy)
                if repaired is not None:
                    yield RepairOption(
                        repair.suggestion,
                        repaired,
                        repair.probability,
                        repair.doubt,
                        repair.may_stand,
                    )

    def make_repair(self, option: RepairOption) -> None:
        """Make a repair that the user chose: its repaired file becomes the current one."""
        self.steps.append(SessionStep(option.file, self.step.skipped, self.step.taken + 1))

    def skip(self, finding: Finding) -> None:
        """Leave an error unrepaired, and do not ask about it again."""
        self.steps.append(self.step._replace(skipped=self.step.skipped | {finding_key(finding)}))

    def undo(self) -> bool:
        """Take back the last repair or skip. If there is none, return False."""
        if len(self.steps) == 1:
            return False
        self.steps.pop()
        return True

    def repair_by_hand(self, line: int, text: str) -> RepairOption:
        """Return a repair that replaces a line by a text that the user typed.

        Raises NotATranscript if the file then has no match, and UnicodeEncodeError if its encoding
        lacks a character.
        """
        edits = (Edit(line, self.file.lines[line - 1], text),)
        suggestion = Suggestion(BY_HAND, f"line {line} as typed", edits, line, None, None, 0.0)
        repaired = self.file.with_fresh_limit(math.inf).with_edits(edits)
        return RepairOption(suggestion, repaired, 1.0, TYPED)
