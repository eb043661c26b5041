"""How much choice a throw leaves: none, one play, or several."""

from __future__ import annotations

import numpy as np

from bganalyze.board.movement import has_choice
from bganalyze.features.boards import Array, Boards, Masks, bits, entry, masks


def is_forced(boards: Boards, high: Array, low: Array) -> Array:
    """Return whether the throw of each row has at most one legal result, a dance included.

    Most throws have two plays that are found at once; plays are generated for the others.

    >>> from bganalyze.board.position import BAR, Position, points
    >>> from bganalyze.features.boards import boards_of
    >>> two_up = Position(points({BAR: 2, 6: 13}), points({6: 2, 13: 13}))
    >>> is_forced(boards_of([two_up, two_up]), np.array([5, 5]), np.array([3, 5])).tolist()
    [True, False]
    """
    seen = masks(boards)
    forced = ~_has_choice(seen, boards, high, low)
    for row in np.flatnonzero(forced).tolist():
        dice = (int(high[row]), int(low[row]))
        forced[row] = not has_choice(boards.position(row), dice)
    return np.asarray(forced)


def _has_choice(seen: Masks, boards: Boards, high: Array, low: Array) -> Array:
    """Whether two different plays are plainly there; not every row that has two is found."""
    shift_high, shift_low = high.astype(np.uint32), low.astype(np.uint32)
    by_high = bits(seen.checkers & (seen.open << shift_high))
    by_low = bits(seen.checkers & (seen.open << shift_low))
    free = (seen.bar == 0) & (high != low)
    two_dice = ((by_high > 2) & (by_low > 0)) | ((by_low > 2) & (by_high > 0))
    found = free & two_dice
    for die in range(1, 7):
        rows = np.flatnonzero((high == die) & (low == die))
        found[rows] = _double_has_choice(seen, boards, rows, die)
    return np.asarray(found | _entered_has_choice(seen, high, low))


def _double_has_choice(seen: Masks, boards: Boards, rows: Array, die: int) -> Array:
    """More than four steps to choose from, of checkers on several points; nobody on the bar."""
    movable = seen.checkers[rows] & (seen.open[rows] << np.uint32(die))
    sources = (movable[:, None] >> np.arange(26, dtype=np.uint32)) & np.uint32(1)
    steps = (sources * boards.own[rows]).sum(axis=1)
    return np.asarray((seen.bar[rows] == 0) & (bits(movable) > 1) & (steps > 4))


def _entered_has_choice(seen: Masks, high: Array, low: Array) -> Array:
    """One checker enters, and the other die can then be played from several points."""
    found = np.zeros(len(high), dtype=bool)
    alone = (seen.bar == 1) & (high != low)
    for die in range(1, 7):
        entered = entry(seen.open, die)
        for mine, then in ((high, low), (low, high)):
            onward = (seen.checkers | entered) & (seen.open << then.astype(np.uint32))
            found |= alone & (mine == die) & (entered > 0) & (bits(onward) > 1)
    return found
