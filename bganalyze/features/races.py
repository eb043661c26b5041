"""Cube formulas for races: what Keith's and Trice's say of a doubler and the answer.

They hold without contact, and nowhere else. Both leave the match score out of account.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bganalyze.features.boards import Array, Boards
from bganalyze.features.structure import pips


class Verdicts(NamedTuple):
    """What a formula says: whether to double, to redouble, and whether a double may be taken."""

    double: Array
    redouble: Array
    take: Array


def keith_count(side: Array) -> Array:
    """Return the Keith count of one side (Tom Keith, Cube Handling in Noncontact Positions, 2004).

    Pips, and 2 for each checker beyond the first on the ace point, 1 for each beyond the first on
    the two-point, 1 for each beyond the third on the three-point, and 1 for each gap on the four-,
    five- and six-point.

    >>> from bganalyze.features.boards import packed
    >>> from bganalyze.board.position import points
    >>> keith_count(packed([points({6: 3, 5: 2, 3: 4, 1: 2})])).tolist()
    [46]
    """
    counted = side.astype(np.int16)
    extra = 2 * np.maximum(counted[:, 1] - 1, 0) + np.maximum(counted[:, 2] - 1, 0)
    extra += np.maximum(counted[:, 3] - 3, 0) + (counted[:, 4:7] == 0).sum(axis=1)
    return np.asarray(pips(side) + extra, dtype=np.int16)


def keith(boards: Boards) -> Verdicts:
    """Return what Keith's formula says of a double by the side to play.

    Its count is raised by a seventh, rounded down: double if it then exceeds the opponent's by at
    most 4, redouble by at most 3; the opponent takes if it exceeds by at least 2.
    """
    own = keith_count(boards.own)
    excess = own + own // 7 - keith_count(boards.other)
    return Verdicts(excess <= 4, excess <= 3, excess >= 2)


def trice(boards: Boards) -> Verdicts:
    """Return what Trice's formula says (Walter Trice, Backgammon Boot Camp), for little waste.

    With p pips of the doubler the last take is at p + (p - 5)/7, above 62 pips at p + p/10 + 1,
    rounded down; redouble from two pips less, double from three.
    """
    own, other = pips(boards.own), pips(boards.other)
    last_take = np.where(own <= 62, own + (own - 5) // 7, own + own // 10 + 1)
    return Verdicts(other >= last_take - 3, other >= last_take - 2, other <= last_take)
