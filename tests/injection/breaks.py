"""What a break is: the text it leaves, and what must be reported of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple, TypeVar

from tests.injection.record import Lines, Record
from tests.injection.referee import Place

ATTEMPTS = 40

Target = TypeVar("Target")


class Break(NamedTuple):
    """A record with one thing broken.

    `exact` are the places and codes of which one must be reported, none where the result is not
    against the rules; `also` are further errors that the break itself explains.
    """

    lines: Lines
    line: int
    was: str
    now: str
    exact: frozenset[Place]
    also: frozenset[Place] = frozenset()

    @property
    def is_fault(self) -> bool:
        """Whether the result is against the rules."""
        return bool(self.exact)


Maker = Callable[[Record, Random], "Break | None"]


def edited(
    record: Record, lines: Lines, line: int, exact: Iterable[Place], also: Iterable[Place] = ()
) -> Break:
    """Return the break that leaves `lines`; `line` shows what was edited."""
    before = record.lines[line - 1] if line <= len(record.lines) else ""
    now = lines[line - 1] if line <= len(lines) else ""
    return Break(lines, line, before.strip(), now.strip(), frozenset(exact), frozenset(also))


def first_of(
    rng: Random, targets: list[Target], make: Callable[[Target], Break | None]
) -> Break | None:
    """Break one target, taken at random from those that can be broken so."""
    for target in rng.sample(targets, min(len(targets), ATTEMPTS)):
        broken = make(target)
        if broken is not None:
            return broken
    return None
