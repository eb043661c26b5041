"""Routes: which dice, in which order, may carry a checker over a step as it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise, permutations
from typing import NamedTuple

from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.position import OFF, Step

Throw = tuple[int, ...]
"""Numbers to play: two, or four of a double; fewer once some are played."""


class Leg(NamedTuple):
    """The part of a written step between two points that it names."""

    step: int
    """Index of the step it belongs to."""
    source: int
    target: int


class Fit(NamedTuple):
    """How far the dice cover a sequence of legs."""

    legs: int
    """How many legs, from the first on, each have dice of their own."""
    left: Throw
    """The dice not used by those."""


def throw(dice: Dice) -> Throw:
    """The numbers a throw gives to play: none where the dice are none.

    >>> throw((6, 1)), throw((2, 2)), throw((0, 3))
    ((6, 1), (2, 2, 2, 2), ())
    """
    if not are_dice(dice):
        return ()
    return dice * 2 if dice[0] == dice[1] else dice


def legs(steps: Sequence[Step]) -> tuple[Leg, ...]:
    """All the legs of the steps, in the order written.

    >>> legs([Step((25, 21, 15), (True, False))])
    (Leg(step=0, source=25, target=21), Leg(step=0, source=21, target=15))
    """
    return tuple(
        Leg(index, source, target)
        for index, step in enumerate(steps)
        for source, target in pairwise(step.path)
    )


def uses(leg: Leg, left: Throw) -> Iterator[Throw]:
    """The dice, in playing order, that cover a leg: single dice first, then several together.

    The last die of a bear-off may be larger than needed.

    >>> list(uses(Leg(0, 13, 6), (6, 1)))
    [(1, 6), (6, 1)]
    >>> list(uses(Leg(0, 5, OFF), (6, 1)))
    [(6,), (1, 6)]
    """
    length = leg.source - leg.target
    for dice, moved in _orders(left):
        beyond = moved - length
        if beyond == 0 or (leg.target == OFF and 0 < beyond < dice[-1]):
            yield dice


@cache
def _orders(left: Throw) -> tuple[tuple[Throw, int], ...]:
    """Every choice and order of some of the dice, the fewest first, with the pips of each."""
    counts = range(1, len(left) + 1)
    orders = (order for count in counts for order in sorted(set(permutations(left, count))))
    return tuple((order, sum(order)) for order in orders)


def midpoints(leg: Leg, dice: Throw) -> tuple[int, ...]:
    """The points a checker touches under way when it covers a leg with these dice in turn.

    >>> midpoints(Leg(0, 24, 12), (4, 4, 4))
    (20, 16)
    """
    return tuple(leg.source - moved for moved in accumulate(dice[:-1]))


def fit(unplayed: Sequence[Leg], left: Throw) -> Fit:
    """Give the legs, in the order written, dice of their own as far as that goes.

    >>> fit(legs([Step((8, 4), (False,)), Step((6, 3), (False,))]), (4, 2))
    Fit(legs=1, left=(2,))
    """
    best = Fit(0, left)
    if not unplayed:
        return best
    for dice in uses(unplayed[0], left):
        rest = fit(unplayed[1:], without(left, dice))
        best = max(best, Fit(rest.legs + 1, rest.left), key=lambda found: found.legs)
    return best


def without(left: Throw, used: Throw) -> Throw:
    """The dice that remain when some are used.

    >>> without((4, 4, 4, 4), (4, 4))
    (4, 4)
    """
    remaining = list(left)
    for die in used:
        remaining.remove(die)
    return tuple(remaining)
