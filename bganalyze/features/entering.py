"""Entering from the bar: the exact chances, over the 36 throws, of not getting all of it done."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bganalyze.features.boards import HOME, Array, Boards, entry, masks
from bganalyze.features.throws import THROWS, WAYS


class Entering(NamedTuple):
    """What a throw may do to a side with checkers on the bar. Chances are 0 with none there."""

    closed: Array
    """How many of the six points to enter on are blocked."""
    dances: Array
    """The chance that no checker enters."""
    enters_some: Array
    """The chance that some enter and some stay on the bar."""
    stops: Array
    """The chance that all enter, dice are left, and no checker can be moved with them."""


def entering(boards: Boards) -> Entering:
    """Return the chances of entering.

    >>> from bganalyze.board.position import BAR, Position, points
    >>> from bganalyze.features.boards import boards_of
    >>> two_closed = points({6: 2, 5: 2, 13: 11})
    >>> both = entering(boards_of([Position(points({BAR: 2, 6: 13}), two_closed)]))
    >>> [round(float(36 * chance[0])) for chance in (both.dances, both.enters_some)]
    [4, 16]
    """
    closed = (boards.other[:, 1 : HOME + 1] > 1).sum(axis=1)
    free, bar = 6 - closed, boards.own[:, 25].astype(np.int16)
    one_enters, both_enter = 2 * free * closed, free * (free - 1)
    some = np.select([bar < 2, bar == 2, bar < 5], [0, one_enters, one_enters + both_enter], 0)
    some = np.where(bar > 4, 36 - closed**2, some)
    return Entering(
        closed=closed.astype(np.int8),
        dances=np.where(bar > 0, closed**2 / 36, 0),
        enters_some=some / 36,
        stops=_stops(boards),
    )


def _stops(boards: Boards) -> Array:
    """One checker enters and the other die has no play, or a double has none after entering."""
    chance = np.zeros(len(boards))
    rows = np.flatnonzero(boards.own[:, 25])
    seen = masks(boards.take(rows))
    stopped = np.zeros(len(rows))
    for (high, low), ways in zip(THROWS, WAYS, strict=True):
        on = {die: entry(seen.open, die) for die in (high, low)}
        goes = {
            die: (on[die] > 0) & (((seen.checkers | on[die]) & (seen.open << np.uint32(then))) > 0)
            for die, then in ((high, low), (low, high))
        }
        enters = (on[high] > 0) | (on[low] > 0)
        all_in = seen.bar < 4 if high == low else seen.bar == 1
        stopped += ways * (all_in & enters & ~(goes[high] | goes[low]))
    chance[rows] = stopped / 36
    return chance
