"""The count of a run: what was checked, what was found, and whether the run failed."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bganalyze.findings import Finding, Severity, Standing
from bganalyze.jobs.checking import Checked, Record
from bganalyze.jobs.outcome import Attempts

CLEAN, FAILED, UNREADABLE = 0, 1, 2
"""Exit statuses: nothing that counts was found, something was, a file could not be read."""

MOST_WORST = 10
"""How many of the files with most errors are kept."""


class Rule(NamedTuple):
    """What a rule is counted under; the severity may differ from one finding to the next."""

    code: str
    name: str
    severity: Severity


class Worst(NamedTuple):
    """A file with errors. Ordered by their number; of equals the one met first is the worst."""

    errors: int
    before: int
    """Minus the number of files met before."""
    path: str


@dataclass(slots=True)
class Producer:
    """What one producer's files hold."""

    files: int = 0
    turns: int = 0
    errors: int = 0
    conventions: Counter[str] = field(default_factory=Counter)
    """In how many files hits, dances and resignations are spelled out."""


@dataclass(slots=True)
class Tally:
    """What a check has seen so far; `counted` fills it as the results pass by."""

    fail_on: Severity | None = Severity.ERROR
    """From which severity on a finding makes the run fail; None: never."""
    attempts: Attempts = field(default_factory=Attempts)
    """The files, read or not."""
    failing: int = 0
    silenced: int = 0
    consequences: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    corrected: Counter[Severity] = field(default_factory=Counter)
    """How many of these the record corrects."""
    rules: Counter[Rule] = field(default_factory=Counter)
    producers: dict[str, Producer] = field(default_factory=dict)
    worst: list[Worst] = field(default_factory=list)
    """The files with most errors, as a heap."""

    def counted(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """Pass the results on, counting them."""
        for checked in self.attempts.counted(results):
            if checked.record is not None:
                self._count(checked, checked.record)
            yield checked

    def status(self, paths: Iterable[str]) -> int:
        """Return the exit status of a check of these paths."""
        if self.attempts.have_failed(paths):
            return UNREADABLE
        return FAILED if self.failing else CLEAN

    def _count(self, checked: Checked, record: Record) -> None:
        self.silenced += checked.silenced
        for finding in checked.findings:
            self._count_finding(finding)
        errors = sum(finding.severity is Severity.ERROR for finding in checked.findings)
        self._count_producer(record, errors)
        if errors:
            self._keep_worst(Worst(errors, -self.attempts.files, checked.path))

    def _count_finding(self, finding: Finding) -> None:
        self.severities[finding.severity] += 1
        self.rules[Rule(finding.code, finding.name, finding.severity)] += 1
        self.corrected[finding.severity] += finding.standing is Standing.CORRECTED
        self.consequences += finding.consequences or 0
        self.failing += finding.fails(self.fail_on)

    def _count_producer(self, record: Record, errors: int) -> None:
        producer = self.producers.setdefault(record.producer, Producer())
        producer.files += 1
        producer.turns += record.turns
        producer.errors += errors
        producer.conventions.update(record.conventions)

    def _keep_worst(self, worst: Worst) -> None:
        if len(self.worst) < MOST_WORST:
            heapq.heappush(self.worst, worst)
        else:
            heapq.heappushpop(self.worst, worst)
