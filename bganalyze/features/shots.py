"""Shots: with which throws a side can hit, exactly, by the rules of movement.

A throw hits if some legal play of it sends a checker to the bar: directly, or by a combination
over points that are not blocked, and after entering what is on the bar.
"""

from __future__ import annotations

import numpy as np

from bganalyze.board.movement import legal_plays
from bganalyze.board.position import BAR
from bganalyze.features.boards import HOME, Array, Boards, Masks, bits, entry, masks
from bganalyze.features.structure import rearmost
from bganalyze.features.throws import THROWS, WAYS


def hitting_throws(boards: Boards) -> Array:
    """Return for each board, and each of `THROWS`, whether the side can hit with it.

    >>> from bganalyze.features.boards import boards_of
    >>> from bganalyze.board.position import Position, points
    >>> six_away = Position(points({24: 1, 6: 14}), points({7: 1, 6: 14}))
    >>> int(shots(hitting_throws(boards_of([six_away])))[0])
    17
    """
    hits = np.zeros((len(boards), len(THROWS)), dtype=bool)
    rows = np.flatnonzero(masks(boards).blots)
    if not rows.size:
        return hits
    near = boards.take(rows)
    seen, rear = masks(near), rearmost(near.own)
    for index, (high, low) in enumerate(THROWS):
        if high == low:
            hits[rows, index] = _hits_with_double(seen, high)
            continue
        sure, doubtful = _hits_with_two(seen, rear, high, low)
        for row in np.flatnonzero(doubtful & ~sure).tolist():
            sure[row] = _hits_in_some_play(near, row, (high, low))
        hits[rows, index] = sure
    return hits


def shots(hitting: Array) -> Array:
    """Return how many of the 36 throws hit."""
    return np.asarray(hitting @ WAYS, dtype=np.int8)


def _hits_in_some_play(boards: Boards, row: int, dice: tuple[int, int]) -> bool:
    """Look at every legal play: for the rare hit after which the other die cannot be played."""
    position = boards.position(row)
    return any(end.other[BAR] > position.other[BAR] for end in legal_plays(position, dice))


def _hits_with_double(seen: Masks, die: int) -> Array:
    """Up to four steps of one length; those on the bar enter first.

    The steps of one checker never hinder those of another, so a hit is in some fullest play.
    """
    entered = entry(seen.open, die)
    on_bar = seen.bar > 0
    hit = on_bar & ((entered & seen.blots) > 0)
    shut_out = on_bar & (entered == 0)
    moving = np.where(on_bar, seen.checkers | entered, seen.checkers)
    for used in range(1, 5):
        moving = (moving >> np.uint32(die)) & seen.open
        hit |= ~shut_out & (seen.bar + used <= 4) & ((moving & seen.blots) > 0)
    return np.asarray(hit)


def _hits_with_two(seen: Masks, rear: Array, high: int, low: int) -> tuple[Array, Array]:
    """Whether two different dice surely hit, and whether they do if the rules let one die do."""
    sure = np.zeros(len(rear), dtype=bool)
    doubtful = sure.copy()
    free, one, more = seen.bar == 0, seen.bar == 1, seen.bar > 1
    for first, second in ((high, low), (low, high)):
        entered = entry(seen.open, first)
        landed = np.where(free, (seen.checkers >> np.uint32(first)) & seen.open, entered)
        moving = np.where(one, seen.checkers | entered, landed)
        may_go_on = free | (one & (entered > 0))
        sure |= may_go_on & (((moving >> np.uint32(second)) & seen.blots) > 0)
        struck = (landed & seen.blots) > 0
        sure |= more & struck
        doubtful |= struck
        if (struck & ~sure).any():
            after_entering = _leaves(seen, seen.checkers | entered, second) > 0
            goes_on = np.where(one, after_entering, _second_die_goes(seen, rear, first, second))
            sure |= ~more & struck & goes_on
    return sure, doubtful


def _leaves(seen: Masks, checkers: Array, die: int) -> Array:
    """The points from which a checker can be moved on by this die."""
    return np.asarray(checkers & (seen.open << np.uint32(die)))


def _second_die_goes(seen: Masks, rear: Array, first: int, second: int) -> Array:
    """Whether surely the second die can be played after a hit with the first, no one on the bar."""
    hitters = seen.checkers & (seen.blots << np.uint32(first))
    movable = _leaves(seen, seen.checkers, second)
    another = (movable > 0) & (
        (bits(hitters | movable) > 1) | ((hitters & movable & seen.several) > 0)
    )
    onward = (((hitters >> np.uint32(first)) >> np.uint32(second)) & seen.open) > 0
    borne_off = (rear <= HOME) & (
        (rear < second) | ((seen.several | (seen.checkers & ~hitters)) & np.uint32(1 << second) > 0)
    )
    return np.asarray(another | onward | borne_off)
