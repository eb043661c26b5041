"""Trying faults: each is checked in memory, and what was found is held against what it must give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding
from tests.faults.catalog import BY_NAME
from tests.faults.damage import Damage
from tests.faults.record import Record, open_record


class Found(NamedTuple):
    """A finding, as far as a trial needs it."""

    line: int
    code: str
    severity: str
    message: str

    @property
    def place(self) -> tuple[int, str]:
        """Place and code of the fault."""
        return self.line, self.code


class Trial(NamedTuple):
    """A damaged record and what the check said of it."""

    kind: str
    path: str
    broken: Damage
    found: tuple[Found, ...]
    at_row: bool
    exact: bool
    unrelated: tuple[Found, ...]

    @property
    def is_miss(self) -> bool:
        """Whether anything is to be looked into."""
        return self.broken.is_fault and not (self.at_row and self.exact and not self.unrelated)


@dataclass
class Count:
    """The figures of one kind of fault."""

    tried: int = 0
    faults: int = 0
    at_row: int = 0
    exact: int = 0
    unrelated: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    """The codes that were expected and found."""

    def add(self, trial: Trial) -> None:
        """Count a trial."""
        self.tried += 1
        if not trial.broken.is_fault:
            return
        self.faults += 1
        self.at_row += trial.at_row
        self.exact += trial.exact
        self.unrelated += len(trial.unrelated)
        if trial.exact:
            first = next(finding for finding in trial.found if finding.place in trial.broken.exact)
            self.codes[first.code] += 1

    def merge(self, other: Count) -> None:
        """Add another count."""
        self.tried += other.tried
        self.faults += other.faults
        self.at_row += other.at_row
        self.exact += other.exact
        self.unrelated += other.unrelated
        self.codes += other.codes


def trials(path: Path, data: bytes, kinds: Iterable[str], seed: int) -> Iterator[Trial]:
    """Damage a file once in each way that it can be damaged in."""
    record = open_record(str(path), data)
    if record is None:
        return
    for name in kinds:
        broken = BY_NAME[name].make(record, Random(f"{seed}:{path.name}:{name}"))
        if broken is not None:
            yield trial(record, name, broken)


def trial(record: Record, kind: str, broken: Damage) -> Trial:
    """Check a damaged record."""
    matches = read_bytes(record.encoded(broken.lines), record.path)
    findings = [_make_found(finding) for finding in check(matches)]
    return Trial(
        kind,
        record.path,
        broken,
        tuple(findings),
        _at_row(broken, findings),
        any(finding.place in broken.exact for finding in findings),
        _find_unrelated(broken, findings),
    )


def _make_found(finding: Finding) -> Found:
    return Found(finding.line, finding.code, str(finding.severity), finding.message)


def _at_row(broken: Damage, findings: list[Found]) -> bool:
    """Whether something new is reported in a line where it must be, of that gravity or graver."""
    rows = {line for line, _ in broken.exact}
    if any(finding.place in broken.exact for finding in findings):
        return True
    return any(finding.line in rows and finding.severity == "error" for finding in findings)


def _find_unrelated(broken: Damage, findings: list[Found]) -> tuple[Found, ...]:
    """Return the errors that are neither the one finding expected nor explained by the damage.

    If the expected one is missing, one error in its row counts as it.
    """
    errors = [f for f in findings if f.severity == "error" and f.place not in broken.also]
    expected = next((f for f in errors if f.place in broken.exact), None)
    if not any(f.place in broken.exact for f in findings):
        rows = {line for line, _ in broken.exact}
        expected = next((f for f in errors if f.line in rows), None)
    return tuple(f for f in errors if f is not expected)
