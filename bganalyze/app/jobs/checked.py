"""The result of checking one file, and the count of a run, as plain values.

A run keeps only a `CheckOutcome` for each file. It is small and picklable, so that other processes can check
files. Importing this module does not import the checker.
"""

# Annotations are values here, not text: see `record/model.py`.

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bganalyze.app.jobs.outcome import CLEAN, FAILED, NO_MATCH_FILE, FileCounts, FileOutcome
from bganalyze.validation.findings import Finding, Severity, Standing


class UnknownCode(NamedTuple):
    """A word of an ignore comment that begins no rule code, and its line."""

    line: int
    text: str
    """The word; empty if the comment is mistyped as a whole."""


class DisputedResult(NamedTuple):
    """A result that findings contradict."""

    words: str
    """The result as recorded, by the board, and as it counts."""
    codes: tuple[str, ...]
    """The codes of the findings that contradict it."""


class Record(NamedTuple):
    """The program that wrote a match file, with the file's conventions and number of turns."""

    producer: str
    conventions: frozenset[str]
    """Those of `hits`, `dances` and `resignations` that the file spells out."""
    notes: tuple[tuple[str, str], ...]
    """Each convention, and the evidence it was inferred from, as text."""
    turns: int


class Unselected(NamedTuple):
    """Facts about a file that findings of the selected rules alone do not show."""

    errors: tuple[str, ...]
    """The code of each error by another rule."""
    are_plays_legal: bool
    """Whether all rules about plays were asked for, none is broken, and no other error hides a play."""


@dataclass(frozen=True, slots=True)
class CheckOutcome(FileOutcome):
    """The outcome of checking one file: its findings, or why it could not be checked."""

    record: Record | None = None
    findings: tuple[Finding, ...] = ()
    silenced: int = 0
    """Findings silenced by ignore comments."""
    unselected: Unselected | None = None
    """Facts about the rules that were not asked for; None if all were."""
    unknown_codes: tuple[UnknownCode, ...] = ()
    """Words of ignore comments that begin no rule code."""
    excerpts: Mapping[int, str] = field(default_factory=dict)
    """The text of the lines that have findings."""
    names: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """The players of each match that has findings, left and right."""
    disputes: tuple[DisputedResult, ...] = ()
    """The results that these findings contradict."""
    facts: Mapping[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The length, event, date and result of each match that has findings, as labels and values."""

    @property
    def lacks_part(self) -> bool:
        """Whether the file lacks the beginning or end of a match or game."""
        return any(finding.name in LACKING_PARTS for finding in self.findings)

    def limited_to(self, findings: tuple[Finding, ...]) -> "CheckOutcome":
        """Return the outcome with only `findings`, and with the results that these contradict."""
        codes = {finding.code for finding in findings}
        disputes = tuple(one for one in self.disputes if not codes.isdisjoint(one.codes))
        return replace(self, findings=findings, disputes=disputes)


def report_no_match_file(path: str) -> CheckOutcome:
    """Return the outcome of a folder or archive without a match file."""
    return CheckOutcome(path, path, error=NO_MATCH_FILE)


# The count of a run: its files and findings, and whether it failed.

MOST_WORST = 10
"""Files listed as having the most errors."""

MOST_DISPUTES = 20
"""Disputed results that are listed."""


MOST_INCOMPLETE = 5
"""Files with matches that are not complete that are named."""

LACKING_PARTS = frozenset({"partial-match", "unfinished-game"})
"""Names of the rules that find a match whose beginning or end is not recorded, or a game without its end."""


class FileDispute(NamedTuple):
    """A result that findings contradict, in words."""

    path: str
    words: str


class RuleCount(NamedTuple):
    """The key for counting findings; findings of one rule may differ in severity."""

    code: str
    name: str
    severity: Severity


class FaultyFile(NamedTuple):
    """A file with errors.

    Files compare by their number of errors; of equal ones, the earlier counts as worse.
    """

    errors: int
    before: int
    """Minus the number of files checked before it."""
    path: str


@dataclass(slots=True, eq=False, repr=False)
class Producer:
    """Counts over the files of one producer."""

    files: int = 0
    turns: int = 0
    errors: int = 0
    conventions: Counter[str] = field(default_factory=Counter)
    """Files that spell out `hits`, `dances` and `resignations`."""


@dataclass(slots=True, eq=False, repr=False)
class CheckTally:
    """Counts of the files and findings of a check so far."""

    fail_on: Severity | None = Severity.ERROR
    """The lowest severity that makes the run fail; None for never."""
    attempts: FileCounts = field(default_factory=FileCounts)
    failing: int = 0
    silenced: int = 0
    consequences: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    corrected: Counter[Severity] = field(default_factory=Counter)
    """Findings corrected later in the game."""
    rules: Counter[RuleCount] = field(default_factory=Counter)
    producers: dict[str, Producer] = field(default_factory=dict)
    worst: list[FaultyFile] = field(default_factory=list)
    """The files with the most errors, as a heap."""
    disputed: int = 0
    """Number of disputed results."""
    disputes: list[FileDispute] = field(default_factory=list)
    """The first disputed results."""
    incomplete: int = 0
    """Number of files with a match or a game that is not complete."""
    incomplete_paths: list[str] = field(default_factory=list)
    """The first of these files."""
    selected_files: int = 0
    """Files that were checked by selected rules."""
    legal_files: int = 0
    """Files checked by selected rules whose plays are all legal."""
    unselected: Counter[str] = field(default_factory=Counter)
    """The errors in them by other rules, by code."""

    def count_each(self, results: Iterable[CheckOutcome]) -> Iterator[CheckOutcome]:
        """Add the outcome of each file to these counts, and yield it unchanged."""
        for checked in self.attempts.count_each(results):
            if checked.record is not None:
                self._count(checked, checked.record)
            yield checked

    @property
    def turns(self) -> int:
        """Number of turns written in the files."""
        return sum(producer.turns for producer in self.producers.values())

    def status(self, paths: Iterable[str]) -> int:
        """Return the exit status: 2 for an unreadable path, 1 for a failing finding, or 0."""
        return self.attempts.status(paths, FAILED if self.failing else CLEAN)

    def _count(self, checked: CheckOutcome, record: Record) -> None:
        """Count a file that was read, its findings and the program that wrote it."""
        self.silenced += checked.silenced
        if checked.unselected is not None:
            self.selected_files += 1
            self.legal_files += checked.unselected.are_plays_legal
            self.unselected.update(checked.unselected.errors)
        for finding in checked.findings:
            self._count_finding(finding)
        self.disputed += len(checked.disputes)
        for dispute in checked.disputes[: MOST_DISPUTES - len(self.disputes)]:
            self.disputes.append(FileDispute(checked.path, dispute.words))
        if checked.lacks_part:
            self.incomplete += 1
            if len(self.incomplete_paths) < MOST_INCOMPLETE:
                self.incomplete_paths.append(checked.path)
        errors = sum(finding.severity is Severity.ERROR for finding in checked.findings)
        self._count_producer(record, errors)
        if errors:
            self._keep_worst(FaultyFile(errors, -self.attempts.files, checked.path))

    def _count_finding(self, finding: Finding) -> None:
        """Count a finding by severity and by rule, and count its consequences."""
        self.severities[finding.severity] += 1
        self.rules[RuleCount(finding.code, finding.name, finding.severity)] += 1
        self.corrected[finding.severity] += finding.standing is Standing.CORRECTED
        self.consequences += finding.consequences or 0
        self.failing += finding.fails(self.fail_on)

    def _count_producer(self, record: Record, errors: int) -> None:
        """Count a file, its turns and its errors for the program that wrote it."""
        producer = self.producers.setdefault(record.producer, Producer())
        producer.files += 1
        producer.turns += record.turns
        producer.errors += errors
        producer.conventions.update(record.conventions)

    def _keep_worst(self, faulty: FaultyFile) -> None:
        """Keep a file if it is among those with the most errors."""
        if len(self.worst) < MOST_WORST:
            heapq.heappush(self.worst, faulty)
        else:
            heapq.heappushpop(self.worst, faulty)
