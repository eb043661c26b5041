"""Structure of boards: pips, blots, points, primes, anchors, phase, and race formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bganalyze.board.position import BAR, HOME, OFF, OPENING_PLAYS, PHASES, RACE
from bganalyze.statistics.features.boards import Array, BoardArrays, SideArray

_PIPS = np.arange(BAR + 1)
_QUADRANTS = np.array([0] + [1] * 6 + [2] * 6 + [3] * 6 + [4] * 6 + [5])
"""Crossovers that a checker needs to be off, by its point: one from home, five from the bar."""


def count_pips(side: SideArray) -> Array:
    """Return the pip count of one side on each board.

    >>> from bganalyze.statistics.features.boards import pack_sides
    >>> from bganalyze.board.position import points
    >>> count_pips(pack_sides([points({24: 2, 13: 5, 8: 3, 6: 5})])).tolist()
    [167]
    """
    return np.asarray(side @ _PIPS, dtype=np.int16)


def count_crossovers(side: SideArray) -> Array:
    """Return how many crossovers a side needs on each board to bear off all checkers.

    A crossover takes a checker in from the bar, into the next quarter of the board, or off.
    """
    return np.asarray(side @ _QUADRANTS, dtype=np.int16)


def count_blots(side: SideArray) -> Array:
    """Return a side's number of blots on each board; checkers on the bar are no blots."""
    return _count_true(side[:, 1:BAR] == 1)


def count_points_held(side: SideArray) -> Array:
    """Return on how many of the points 1 to 24 of each board a side has two or more checkers."""
    return _count_true(side[:, 1:BAR] > 1)


def count_points_made(before: SideArray, after: SideArray) -> Array:
    """Return how many points a side holds after each play that it did not hold before."""
    return _count_true((after[:, 1:BAR] > 1) & (before[:, 1:BAR] < 2))


def count_home_points(side: SideArray) -> Array:
    """Return the number of points a side holds in its own home board, on each board."""
    return _count_true(side[:, 1 : HOME + 1] > 1)


def count_anchors(side: SideArray) -> Array:
    """Return the number of points a side holds in the opponent's home board, on each board."""
    return _count_true(side[:, BAR - HOME : BAR] > 1)


def longest_prime(side: SideArray) -> Array:
    """Return how many adjacent points the side's longest prime has on each board.

    >>> from bganalyze.statistics.features.boards import pack_sides
    >>> from bganalyze.board.position import points
    >>> longest_prime(pack_sides([points({4: 2, 5: 2, 6: 3, 8: 2, 13: 1})])).tolist()
    [3]
    """
    held = side[:, 1:BAR] > 1
    run = np.zeros(len(side), dtype=np.int8)
    longest = run.copy()
    for point in range(held.shape[1]):
        run = np.where(held[:, point], run + 1, 0).astype(np.int8)
        longest = np.maximum(longest, run)
    return longest


def rearmost_point(side: SideArray) -> Array:
    """Return the highest point with a checker of the side on each board, or 0 if all are off."""
    from_behind = np.argmax(side[:, ::-1] > 0, axis=1)
    return np.where(side[:, 1:].any(axis=1), BAR - from_behind, OFF).astype(np.int8)


def is_home(side: SideArray) -> Array:
    """Return for each board whether all checkers of the side are in its home board or off."""
    return rearmost_point(side) <= HOME


def _count_true(is_so: Array) -> Array:
    """Return how many values of each row are True.

    >>> _count_true(np.array([[True, False, True]])).tolist()
    [2]
    """
    return np.asarray(is_so.sum(axis=1), dtype=np.int8)


# The phase of a position.


def phases(boards: BoardArrays, plays: Array) -> Array:
    """Return the phase of each board as an index of `PHASES` (opening, contact, race, bear-off).

    `plays` says for each board which play of the side in its game is next: 1 for the first.

    >>> from bganalyze.board.position import start_position
    >>> from bganalyze.statistics.features.boards import boards_of
    >>> start = boards_of([start_position("standard")] * 2)
    >>> [PHASES[index] for index in phases(start, np.array([3, 4]))]
    ['opening', 'contact']
    """
    own, other = rearmost_point(boards.own), rearmost_point(boards.other)
    contact = own.astype(np.int16) + other > BAR
    passed = np.where(np.maximum(own, other) <= HOME, PHASES.index("bear-off"), RACE)
    met = np.where(plays <= OPENING_PLAYS, PHASES.index("opening"), PHASES.index("contact"))
    return np.where(contact, met, passed).astype(np.int8)


# Cube formulas for races. They hold only without contact, and ignore the match score.


class RaceAdvice(NamedTuple):
    """A race formula's advice for each board: whether to double, to redouble, and to take."""

    double: Array
    redouble: Array
    take: Array


def compute_keith_count(side: SideArray) -> Array:
    """Return each board's Keith count (Tom Keith, Cube Handling in Noncontact Positions, 2004).

    The pip count grows by 2 for each checker after the first on the ace point, 1 for each after the
    first on the two-point and after the third on the three-point, and 1 for each gap on the four-,
    five- and six-point.

    >>> from bganalyze.statistics.features.boards import pack_sides
    >>> from bganalyze.board.position import points
    >>> compute_keith_count(pack_sides([points({6: 3, 5: 2, 3: 4, 1: 2})])).tolist()
    [46]
    """
    counted = side.astype(np.int16)
    extra = 2 * np.maximum(counted[:, 1] - 1, 0) + np.maximum(counted[:, 2] - 1, 0)
    extra += np.maximum(counted[:, 3] - 3, 0) + (counted[:, 4:7] == 0).sum(axis=1)
    return np.asarray(count_pips(side) + extra, dtype=np.int16)


def advise_by_keith(boards: BoardArrays) -> RaceAdvice:
    """Return Keith's advice on races: whether to double, to redouble and to take.

    The doubler's Keith count is first raised by a seventh, rounded down. The raised count may
    exceed the opponent's by at most 4 for a double and 3 for a redouble, and must exceed by at
    least 2 for a take.
    """
    own = compute_keith_count(boards.own)
    excess = own + own // 7 - compute_keith_count(boards.other)
    return RaceAdvice(excess <= 4, excess <= 3, excess >= 2)


def advise_by_trice(boards: BoardArrays) -> RaceAdvice:
    """Return Trice's advice on races: whether to double, to redouble and to take.

    The opponent may take with up to p + (p - 5)/7 pips, or p + p/10 + 1 above 62, where p are the
    doubler's pips. A redouble is right from 2 pips below this number, a first double from 3 (Walter
    Trice, Backgammon Boot Camp).
    """
    own, other = count_pips(boards.own), count_pips(boards.other)
    last_take = np.where(own <= 62, own + (own - 5) // 7, own + own // 10 + 1)
    return RaceAdvice(other >= last_take - 3, other >= last_take - 2, other <= last_take)


SAVED_BY = 28
"""Lead in pips with which gammon chances are negligible. In 500 races of real matches that Keith's
formula doubles, Open Sage gives the doubler less than 1 % gammons if the opponent is this far ahead
with its first checker off; over all of them, up to 100 %."""


def may_win_gammon(boards: BoardArrays) -> Array:
    """Return for each race whether the side to play may win a gammon.

    False if the opponent has borne off a checker, or needs at least `SAVED_BY` fewer pips for the
    first checker than the side needs for all.

    >>> from bganalyze.board.position import Position, points
    >>> from bganalyze.statistics.features.boards import boards_of
    >>> near, far, behind = points({2: 4, 0: 11}), points({6: 15}), points({20: 2, 6: 13})
    >>> boards = boards_of([Position(near, behind), Position(far, behind), Position(near, near)])
    >>> may_win_gammon(boards).tolist()
    [True, False, False]
    """
    to_first = boards.other.astype(np.int16) @ np.maximum(_PIPS - HOME, 0) + HOME
    is_late = count_pips(boards.own) - to_first < SAVED_BY
    return np.asarray((boards.other[:, OFF] == 0) & is_late)


FORMULAS = {"keith": advise_by_keith, "trice": advise_by_trice}
"""The formulas by name; each returns its advice for boards."""
