"""What stands on a board: pips, blots, points, primes, anchors."""

from __future__ import annotations

import numpy as np

from bganalyze.board.position import BAR, OFF
from bganalyze.features.boards import HOME, Array

_PIPS = np.arange(BAR + 1)
_QUADRANTS = np.array([0] + [1] * 6 + [2] * 6 + [3] * 6 + [4] * 6 + [5])
"""How many crossovers a checker is away from being off: one from home, five from the bar."""


def pips(side: Array) -> Array:
    """Return the pip counts of one side.

    >>> from bganalyze.features.boards import packed
    >>> from bganalyze.board.position import points
    >>> pips(packed([points({24: 2, 13: 5, 8: 3, 6: 5})])).tolist()
    [167]
    """
    return np.asarray(side @ _PIPS, dtype=np.int16)


def quadrants(side: Array) -> Array:
    """Return how many crossovers all checkers of one side are away from being off."""
    return np.asarray(side @ _QUADRANTS, dtype=np.int16)


def blots(side: Array) -> Array:
    """Return how many points hold a single checker; the bar holds none."""
    return _count(side[:, 1:BAR] == 1)


def points_held(side: Array) -> Array:
    """Return how many of the points 1 to 24 hold two checkers or more."""
    return _count(side[:, 1:BAR] > 1)


def points_gained(before: Array, after: Array) -> Array:
    """Return how many points are held after a play that were not held before it."""
    return _count((after[:, 1:BAR] > 1) & (before[:, 1:BAR] < 2))


def home_points(side: Array) -> Array:
    """Return how many points of its own home board a side holds."""
    return _count(side[:, 1 : HOME + 1] > 1)


def anchors(side: Array) -> Array:
    """Return how many points of the opponent's home board a side holds."""
    return _count(side[:, BAR - HOME : BAR] > 1)


def longest_prime(side: Array) -> Array:
    """Return the length of the longest row of points held, one after the other.

    >>> from bganalyze.features.boards import packed
    >>> from bganalyze.board.position import points
    >>> longest_prime(packed([points({4: 2, 5: 2, 6: 3, 8: 2, 13: 1})])).tolist()
    [3]
    """
    held = side[:, 1:BAR] > 1
    run = np.zeros(len(side), dtype=np.int8)
    longest = run.copy()
    for point in range(held.shape[1]):
        run = np.where(held[:, point], run + 1, 0).astype(np.int8)
        longest = np.maximum(longest, run)
    return longest


def rearmost(side: Array) -> Array:
    """Return the highest point with a checker; 0 where all are off."""
    found = np.argmax(side[:, ::-1] > 0, axis=1)
    return np.where(side[:, 1:].any(axis=1), BAR - found, OFF).astype(np.int8)


def is_home(side: Array) -> Array:
    """Return whether all checkers in play are in the home board."""
    return rearmost(side) <= HOME


def _count(found: Array) -> Array:
    return np.asarray(found.sum(axis=1), dtype=np.int8)
