"""A figure: what a metric says of one side, and over how many decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bganalyze.judging.verdict import Judged, loss


class Figure(NamedTuple):
    """A sum of losses, and what it is divided by."""

    lost: float
    counted: int
    factor: float = 1.0

    @property
    def rate(self) -> float | None:
        """What is lost at each decision, times the factor; None where none counts."""
        return self.factor * self.lost / self.counted if self.counted else None


def figure(
    rows: Iterable[Judged], side: int, counts: Callable[[Judged], bool], factor: float
) -> Figure:
    """Return the losses of `side` at the decisions that count, each in EMG.

    >>> figure([], 0, lambda row: True, 500).rate is None
    True
    """
    losses = [loss(row) for row in rows if row.side == side and counts(row)]
    known = [each for each in losses if each is not None]
    return Figure(sum(known), len(known), factor)
