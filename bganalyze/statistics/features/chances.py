"""Exact results over the 36 rolls: a choice of plays, entering from the bar, and hits.

A roll hits if one of its legal plays sends a checker to the bar: directly, by a combination over
open points, or after entering from the bar.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bganalyze.board.movement import has_choice, legal_plays
from bganalyze.board.position import BAR, HOME
from bganalyze.statistics.features.boards import (
    Array,
    BoardArrays,
    BoardMasks,
    count_bits,
    find_entry_point,
    make_masks,
)
from bganalyze.statistics.features.structure import rearmost_point

# Number of legal plays of a roll: no play, one, or several.


def is_forced(boards: BoardArrays, high_dice: Array, low_dice: Array) -> Array:
    """Return for each board whether its roll leaves no choice: at most one legal play.

    >>> from bganalyze.board.position import BAR, Position, points
    >>> from bganalyze.statistics.features.boards import boards_of
    >>> two_up = Position(points({BAR: 2, 6: 13}), points({6: 2, 13: 13}))
    >>> is_forced(boards_of([two_up, two_up]), np.array([5, 5]), np.array([3, 5])).tolist()
    [True, False]
    """
    # Bit masks find most rolls with a choice; legal plays are generated for the others.
    masks = make_masks(boards)
    forced = ~_has_sure_choice(masks, boards, high_dice, low_dice)
    for row in np.flatnonzero(forced).tolist():
        dice = (int(high_dice[row]), int(low_dice[row]))
        forced[row] = not has_choice(boards.position(row), dice)
    return np.asarray(forced)


def _has_sure_choice(
    masks: BoardMasks, boards: BoardArrays, high_dice: Array, low_dice: Array
) -> Array:
    """Return True for each board whose roll surely leaves a choice of plays, False if not sure."""
    shift_high, shift_low = high_dice.astype(np.uint32), low_dice.astype(np.uint32)
    by_high = count_bits(masks.checkers & (masks.open << shift_high))
    by_low = count_bits(masks.checkers & (masks.open << shift_low))
    free = (masks.bar == 0) & (high_dice != low_dice)
    two_dice = ((by_high > 2) & (by_low > 0)) | ((by_low > 2) & (by_high > 0))
    plain = free & two_dice
    for die in range(1, 7):
        rows = np.flatnonzero((high_dice == die) & (low_dice == die))
        plain[rows] = _doubles_have_choice(masks, boards, rows, die)
    return np.asarray(plain | _has_choice_after_entering(masks, high_dice, low_dice))


def _doubles_have_choice(masks: BoardMasks, boards: BoardArrays, rows: Array, die: int) -> Array:
    """Return True for each board where doubles of `die` surely leave a choice, False if not sure.

    `rows` has the indexes of the boards to test.
    """
    movable = masks.checkers[rows] & (masks.open[rows] << np.uint32(die))
    sources = (movable[:, None] >> np.arange(26, dtype=np.uint32)) & np.uint32(1)
    steps = (sources * boards.own[rows]).sum(axis=1)
    # More than four possible steps from two points or more, with nothing on the bar.
    return np.asarray((masks.bar[rows] == 0) & (count_bits(movable) > 1) & (steps > 4))


def _has_choice_after_entering(masks: BoardMasks, high_dice: Array, low_dice: Array) -> Array:
    """Return True for each board where one checker must enter and a choice of plays remains."""
    plain = np.zeros(len(high_dice), dtype=bool)
    alone = (masks.bar == 1) & (high_dice != low_dice)
    for die in range(1, 7):
        entered = find_entry_point(masks.open, die)
        for mine, then in ((high_dice, low_dice), (low_dice, high_dice)):
            onward = (masks.checkers | entered) & (masks.open << then.astype(np.uint32))
            plain |= alone & (mine == die) & (entered > 0) & (count_bits(onward) > 1)
    return plain


# The 21 different rolls, with their frequency among the 36.

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""Every roll, the higher die first."""

WAYS = np.array([1 if high == low else 2 for high, low in ROLLS], dtype=np.int8)
"""Number of the 36 rolls of two dice for each of `ROLLS`."""

INDEX = {roll: index for index, roll in enumerate(ROLLS)}


# Entering from the bar: exact chances over the 36 rolls.


class Entering(NamedTuple):
    """Chances to enter with the next roll, for a side with checkers on the bar; 0 without checkers there."""

    closed: Array
    """Number of blocked points among the six to enter on."""
    dances: Array
    """The chance that no checker enters."""
    dances_66: Array
    """The chance of a dancing 6-6."""
    enters_some: Array
    """The chance that some checkers enter and some stay on the bar."""
    stops: Array
    """The chance that all checkers enter and the remaining dice have no legal play."""


def compute_entering_chances(boards: BoardArrays) -> Entering:
    """Return the chances on each board that all, some or none of the checkers on the bar enter.

    >>> from bganalyze.board.position import BAR, Position, points
    >>> from bganalyze.statistics.features.boards import boards_of
    >>> two_closed = points({6: 2, 5: 2, 13: 11})
    >>> both = compute_entering_chances(boards_of([Position(points({BAR: 2, 6: 13}), two_closed)]))
    >>> [round(float(36 * chance[0])) for chance in (both.dances, both.enters_some)]
    [4, 16]
    """
    closed = (boards.other[:, 1 : HOME + 1] > 1).sum(axis=1)
    free, bar = 6 - closed, boards.own[:, 25].astype(np.int16)
    one_enters, both_enter = 2 * free * closed, free * (free - 1)
    partly = np.select([bar < 2, bar == 2, bar < 5], [0, one_enters, one_enters + both_enter], 0)
    partly = np.where(bar > 4, 36 - closed**2, partly)
    return Entering(
        closed=closed.astype(np.int8),
        dances=np.where(bar > 0, closed**2 / 36, 0),
        dances_66=np.where((bar > 0) & (boards.other[:, 6] > 1), 1 / 36, 0),
        enters_some=partly / 36,
        stops=_compute_chance_of_only_entering(boards),
    )


def _compute_chance_of_only_entering(boards: BoardArrays) -> Array:
    """Return the chance on each board that all checkers enter and then no die can be played."""
    chance = np.zeros(len(boards))
    rows = np.flatnonzero(boards.own[:, 25])
    masks = make_masks(boards.take(rows))
    stopped = np.zeros(len(rows))
    for (high, low), ways in zip(ROLLS, WAYS, strict=True):
        on = {die: find_entry_point(masks.open, die) for die in (high, low)}
        goes = {
            die: (on[die] > 0)
            & (((masks.checkers | on[die]) & (masks.open << np.uint32(then))) > 0)
            for die, then in ((high, low), (low, high))
        }
        enters = (on[high] > 0) | (on[low] > 0)
        all_in = masks.bar < 4 if high == low else masks.bar == 1
        stopped += ways * (all_in & enters & ~(goes[high] | goes[low]))
    chance[rows] = stopped / 36
    return chance


def find_hitting_rolls(boards: BoardArrays) -> Array:
    """Return an array that says for each board (row) which of the 21 `ROLLS` (columns) can hit.

    >>> from bganalyze.statistics.features.boards import boards_of
    >>> from bganalyze.board.position import Position, points
    >>> six_away = Position(points({24: 1, 6: 14}), points({7: 1, 6: 14}))
    >>> int(count_shots(find_hitting_rolls(boards_of([six_away])))[0])
    17
    """
    hits = np.zeros((len(boards), len(ROLLS)), dtype=bool)
    rows = np.flatnonzero(make_masks(boards).blots)
    if not rows.size:
        return hits
    near = boards.take(rows)
    masks, rear = make_masks(near), rearmost_point(near.own)
    for index, (high, low) in enumerate(ROLLS):
        if high == low:
            hits[rows, index] = _hits_with_doubles(masks, high)
            continue
        sure, doubtful = _hits_with_two(masks, rear, high, low)
        for row in np.flatnonzero(doubtful & ~sure).tolist():
            sure[row] = _hits_in_some_play(near, row, (high, low))
        hits[rows, index] = sure
    return hits


def count_shots(hitting: Array) -> Array:
    """Return for each board how many of the 36 rolls hit, given which of the 21 `ROLLS` hit."""
    return np.asarray(hitting @ WAYS, dtype=np.int8)


def _hits_in_some_play(boards: BoardArrays, row: int, dice: tuple[int, int]) -> bool:
    """Whether any legal play of a roll hits, on the board in the given row."""
    position = boards.position(row)
    return any(end.other[BAR] > position.other[BAR] for end in legal_plays(position, dice))


def _hits_with_doubles(masks: BoardMasks, die: int) -> Array:
    """Return for each board whether doubles of `die` hit."""
    entered = find_entry_point(masks.open, die)
    on_bar = masks.bar > 0
    hit = on_bar & ((entered & masks.blots) > 0)
    shut_out = on_bar & (entered == 0)
    moving = np.where(on_bar, masks.checkers | entered, masks.checkers)
    for used in range(1, 5):
        moving = (moving >> np.uint32(die)) & masks.open
        hit |= ~shut_out & (masks.bar + used <= 4) & ((moving & masks.blots) > 0)
    # Steps of one checker never block another's: a possible hit is part of a legal play.
    return np.asarray(hit)


def _hits_with_two(masks: BoardMasks, rear: Array, high: int, low: int) -> tuple[Array, Array]:
    """Return for each board whether a roll surely hits, and whether one die alone would hit.

    The dice `high` and `low` differ. `rear` has the player's rearmost point on each board.
    """
    sure = np.zeros(len(rear), dtype=bool)
    doubtful = sure.copy()
    free, one, more = masks.bar == 0, masks.bar == 1, masks.bar > 1
    for first, second in ((high, low), (low, high)):
        entered = find_entry_point(masks.open, first)
        landed = np.where(free, (masks.checkers >> np.uint32(first)) & masks.open, entered)
        moving = np.where(one, masks.checkers | entered, landed)
        may_go_on = free | (one & (entered > 0))
        sure |= may_go_on & (((moving >> np.uint32(second)) & masks.blots) > 0)
        struck = (landed & masks.blots) > 0
        sure |= more & struck
        doubtful |= struck
        if (struck & ~sure).any():
            after_entering = _find_movable(masks, masks.checkers | entered, second) > 0
            goes_on = np.where(
                one, after_entering, _can_play_second_die(masks, rear, first, second)
            )
            sure |= ~more & struck & goes_on
    # They may hit if hitting with one die could leave the other unplayable.
    return sure, doubtful


def _find_movable(masks: BoardMasks, checkers: Array, die: int) -> Array:
    """Return, for each board, a mask of the points in `checkers` from which `die` can be played."""
    return np.asarray(checkers & (masks.open << np.uint32(die)))


def _can_play_second_die(masks: BoardMasks, rear: Array, first: int, second: int) -> Array:
    """Return for each board whether the second die is surely playable after a hit with the first.

    False means "not sure". `rear` has the player's rearmost point. Nobody is on the bar.
    """
    hitters = masks.checkers & (masks.blots << np.uint32(first))
    movable = _find_movable(masks, masks.checkers, second)
    another = (movable > 0) & (
        (count_bits(hitters | movable) > 1) | ((hitters & movable & masks.several) > 0)
    )
    onward = (((hitters >> np.uint32(first)) >> np.uint32(second)) & masks.open) > 0
    borne_off = (rear <= HOME) & (
        (rear < second)
        | ((masks.several | (masks.checkers & ~hitters)) & np.uint32(1 << second) > 0)
    )
    return np.asarray(another | onward | borne_off)
