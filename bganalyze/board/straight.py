"""The straight case: a play whose steps, in the order written, use up the dice one by one.

That is nearly every play of real records, so this is kept fast; what it leaves undecided takes
the closer look of `plays`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from bganalyze.board.movement import HOME, Dice, is_whole
from bganalyze.board.position import BAR, OFF, Points, Position, Step


def played_straight(
    own_before: Points, other_before: Points, dice: Dice, steps: Sequence[Step]
) -> tuple[Points, Points, bool] | None:
    """Both sides' checkers after the steps if each in turn is plainly legal, or none.

    A step is one unused die, or several on an open route without a blot on any. All dice are used,
    or as many as can be, or the last checker is off. With the checkers comes whether the hits are
    marked, those and no others.

    >>> from bganalyze.board.variants import start_position
    >>> start = start_position("standard")
    >>> own, other, marked = played_straight(*start, (6, 5), [Step((24, 13), (False,))])
    >>> own[13], marked
    (6, True)
    >>> played_straight(*start, (6, 5), [Step((13, 8), (False,))]) is None
    True
    """
    first, second = dice
    if not steps or not (0 < first <= 6 and 0 < second <= 6):
        return None
    left = [first, second] if first != second else [first] * 4
    own = list(own_before)
    other: Sequence[int] = other_before
    marked = True
    for path, marks in steps:
        for leg, mark in enumerate(marks):
            source, target = path[leg], path[leg + 1]
            if not own[source] or (own[BAR] and source != BAR):
                return None
            length = source - target
            facing = other[BAR - target] if target else 0
            # A single die on an open point, spelled out here: three steps of four.
            if target and length in left and facing < 2:
                left.remove(length)
            elif not _covered(own, other, left, source, target):
                return None
            own[source] -= 1
            own[target] += 1
            if mark != (facing == 1):
                marked = False
            if facing:
                struck = list(other)
                struck[BAR - target] = 0
                struck[BAR] += 1
                other = struck
    end = tuple(own), tuple(other)
    if (
        left
        and any(own[1:])
        and not is_whole(Position(own_before, other_before), dice, Position(*end), left)
    ):
        return None
    return *end, marked


def _covered(
    own: Sequence[int], other: Sequence[int], left: list[int], source: int, target: int
) -> bool:
    """Take from the dice left those that plainly cover a leg; whether there are such."""
    length = source - target
    if target == OFF:
        return _borne_off(own, left, length)
    if length <= 0 or other[BAR - target] > 1 or own[BAR] > 1:
        return False
    return _covered_together(other, left, source, length)


def _borne_off(own: Sequence[int], left: list[int], point: int) -> bool:
    """Take the die that bears a checker off from a point."""
    if any(own[HOME + 1 :]):
        return False
    if point in left:
        left.remove(point)
        return True
    if not left or max(left) < point or any(own[point + 1 :]):
        return False
    left.remove(max(left))
    return True


def _covered_together(other: Sequence[int], left: list[int], source: int, length: int) -> bool:
    """Take several dice that together cover a leg, unless a blot or a block asks for a choice."""
    count = next((count for count, moved in enumerate(accumulate(left), 1) if moved == length), 0)
    used = left[:count]
    routes = [
        [other[BAR - source + moved] for moved in accumulate(order[:-1])]
        for order in (used, used[::-1])
    ]
    if not used or any(1 in route for route in routes) or all(any(route) for route in routes):
        return False
    del left[:count]
    return True
