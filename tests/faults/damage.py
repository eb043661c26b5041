"""A clean record with something written otherwise, and what a check must report of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeVar

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity, Standing
from tests.faults.record import Lines, Record
from tests.faults.referee import NOTHING, Place, Places

ATTEMPTS = 40

Target = TypeVar("Target")


class Part(NamedTuple):
    """A run of lines that one slip has put in place of others; either may be none."""

    start: int
    """Number of lines before it in the clean record."""
    was: Lines
    now: Lines
    elsewhere: frozenset[int] = frozenset()
    """Other lines where a repair may begin as well, counted from the first of `now`."""


class Damage(NamedTuple):
    """A clean record, and what was written otherwise: parts that do not touch, in their order."""

    clean: Lines
    parts: tuple[Part, ...]
    exact: Places = NOTHING
    """Places and codes, one of which must be reported; none where no rule is broken."""
    also: Places = NOTHING
    """Further errors that the damage explains."""

    @property
    def is_fault(self) -> bool:
        """Whether a rule is broken, as far as the maker has worked it out."""
        return bool(self.exact)

    @property
    def line(self) -> int:
        """The first 1-based line that differs."""
        return self.parts[0].start + 1

    @property
    def lines(self) -> Lines:
        """The record as it was written."""
        lines: list[str] = []
        at = 0
        for part in self.parts:
            lines += self.clean[at : part.start]
            lines += part.now
            at = part.start + len(part.was)
        return (*lines, *self.clean[at:])

    def repaired(self, part: Part) -> Damage:
        """Return the record without one of its slips."""
        return Damage(self.clean, tuple(other for other in self.parts if other is not part))

    def places(self, part: Part) -> frozenset[int]:
        """Return the 1-based lines, as written, where a repair of that part may begin.

        Where lines were lost it may begin before any of the blank lines around the gap, and where
        lines were put in with the line above or below, which may be the same.
        """
        lines = self.lines
        shift = sum(len(other.now) - len(other.was) for other in self.parts if other < part)
        first = part.start + shift
        places = {first + 1} | {first + 1 + other for other in part.elsewhere}
        if len(part.now) > len(part.was):
            places |= {first, first + 2}
        if not part.now:
            above = below = first
            while above > 0 and not lines[above - 1].strip():
                above -= 1
            while below < len(lines) and not lines[below].strip():
                below += 1
            places |= set(range(above + 1, below + 2))
        return frozenset(places)


Maker = Callable[[Record, Random], Damage | None]
"""Damages a clean record; returns None where the record offers no place for the fault."""


def make_damage(
    record: Record,
    lines: Iterable[str],
    exact: Iterable[Place] = (),
    also: Iterable[Place] = (),
    elsewhere: Iterable[int] = (),
) -> Damage | None:
    """Return the damage that leaves these lines; None where they are those of the record.

    `elsewhere` are further lines, as written, where a repair may begin.
    """
    clean, lines = record.lines, tuple(lines)
    if lines == clean:
        return None
    least = min(len(clean), len(lines))
    start = next((at for at in range(least) if clean[at] != lines[at]), least)
    common = 0
    while common < least - start and clean[-1 - common] == lines[-1 - common]:
        common += 1
    before, after = clean[start : len(clean) - common], lines[start : len(lines) - common]
    part = Part(start, before, after, frozenset(line - 1 - start for line in elsewhere))
    return Damage(clean, (part,), frozenset(exact), frozenset(also))


def first_of(
    rng: Random, targets: list[Target], make: Callable[[Target], Damage | None]
) -> Damage | None:
    """Damage one target, taken at random from those that can be damaged so."""
    for target in rng.sample(targets, min(len(targets), ATTEMPTS)):
        damage = make(target)
        if damage is not None:
            return damage
    return None


def errors(record: Record, lines: Lines) -> int:
    """Count the errors of the record with these lines, except for those corrected in time."""
    return _errors_of(record.encoded(lines), record.path)


@lru_cache(maxsize=64)
def _errors_of(content: bytes, path: str) -> int:
    """Return the number of errors: while one slip is examined, the same few files are checked."""
    return sum(map(is_error, check(read_bytes(content, path))))


def is_error(finding: Finding) -> bool:
    """Return whether a finding is an error that still counts."""
    return finding.severity is Severity.ERROR and finding.standing is not Standing.CORRECTED
