"""Positions: where the checkers of both sides stand, at the start too, and how a step changes that."""

# Annotations are values here, not text: see `record/model.py`.

from itertools import count
from operator import mul
from typing import NamedTuple

OFF = 0
HOME = 6
"""The highest point of the home board."""
BAR = 25

Points = tuple[int, ...]
"""Checkers of one side on 0 (off), 1–24 and 25 (bar), in that side's own numbering."""


class Step(NamedTuple):
    """The movement of one checker as written: from, any points between, to; one die or more.

    A legal play is made of steps of one die each, so their path has two points.
    """

    path: tuple[int, ...]
    marked: tuple[bool, ...]
    """For each landing of the path, whether a hit is marked there."""


class Position(NamedTuple):
    """Both sides' checkers, each seen by its owner; `own` is the side to play."""

    own: Points
    other: Points


def after(position: Position, step: Step) -> Position:
    """Move one checker along the path of a step, hitting a blot wherever it lands.

    Mechanical: asks no rule. A source without a checker leaves the position as it is, and a
    landing on several opposing checkers merely lands. The sides are not swapped.

    >>> start = points({24: 2, 13: 5, 8: 3, 6: 5})
    >>> after(Position(start, start), Step((13, 7), (False,))).own[7]
    1
    >>> blot = Position(points({8: 1}), points({20: 1}))
    >>> after(blot, Step((8, 5), (True,))) == Position(points({5: 1}), points({BAR: 1}))
    True
    """
    own, other = list(position.own), list(position.other)
    move(own, other, step.path)
    return Position(tuple(own), tuple(other))


def move(own: list[int], other: list[int], path: tuple[int, ...]) -> bool:
    """Move a checker on the lists that `after` works on; return whether there was one to move.

    >>> own, other = list(points({8: 1})), list(points({20: 1}))
    >>> move(own, other, (8, 5)), move(own, other, (8, 5)), own[5], other[BAR]
    (True, False, 1, 1)
    """
    if not own[path[0]]:
        return False
    own[path[0]] -= 1
    own[path[-1]] += 1
    for landing in path[1:]:
        if OFF < landing < BAR and other[BAR - landing] == 1:
            other[BAR - landing] = 0
            other[BAR] += 1
    return True


def points(checkers_on: dict[int, int]) -> Points:
    """The checkers of a side, given how many stand on which of its points.

    >>> points({24: 2, BAR: 1})[20:]
    (0, 0, 0, 0, 2, 1)
    """
    return tuple(checkers_on.get(point, 0) for point in range(BAR + 1))


def swapped(position: Position) -> Position:
    """The same board with the other side to play."""
    return Position(position.other, position.own)


def is_possible(position: Position) -> bool:
    """Whether no point is held by both sides; only an illegal play leaves such a board.

    >>> is_possible(Position(points({8: 2}), points({17: 1})))
    False
    """
    own, other = position
    return not any(own[point] and other[BAR - point] for point in range(1, BAR))


def pips(side: Points) -> int:
    """The pip count of a side.

    >>> pips(points({24: 2, 13: 5, 8: 3, 6: 5}))
    167
    """
    return sum(map(mul, side, count()))


def checkers(side: Points) -> int:
    """How many checkers a side has in play: on the board or on the bar, not off.

    >>> checkers(points({24: 2, BAR: 1, OFF: 12}))
    3
    """
    return sum(side) - side[OFF]


# The phase of a position.

PHASES = ("opening", "contact", "race", "bear-off")
"""The first three plays of each side; checkers that have still to pass each other; those that have
not; and of these, all of both sides' checkers at home."""

RACE = PHASES.index("race")
"""From this phase on there is no contact any more."""

OPENING_PLAYS = 3


def rearmost(side: Points) -> int:
    """The highest point with a checker; 0 where all are off.

    >>> rearmost(points({24: 2, 6: 13})), rearmost(points({OFF: 15}))
    (24, 0)
    """
    return next((point for point in range(BAR, OFF, -1) if side[point]), OFF)


def phase_of(position: Position, play: int) -> str:
    """The phase of a position; `play` is its number among the plays of its side, from 1.

    `features.structure.phases` does the same for many positions at once.

    >>> start = start_position("standard")
    >>> phase_of(start, 3), phase_of(start, 4)
    ('opening', 'contact')
    """
    own, other = map(rearmost, position)
    if own + other > BAR:
        return "opening" if play <= OPENING_PLAYS else "contact"
    return "bear-off" if max(own, other) <= HOME else "race"


# The variants of the game: how many checkers a side has and where they start.


class Variant(NamedTuple):
    """A way to set up the board. Both sides start alike, each seen by its owner."""

    name: str
    start: Points
    checkers: int


def _variant(name: str, start: dict[int, int]) -> Variant:
    return Variant(name, points(start), sum(start.values()))


_ALL = (
    _variant("standard", {24: 2, 13: 5, 8: 3, 6: 5}),
    _variant("nackgammon", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    _variant("hypergammon-1", {24: 1}),
    _variant("hypergammon-2", {24: 1, 23: 1}),
    _variant("hypergammon-3", {24: 1, 23: 1, 22: 1}),
)

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in _ALL}

_OF_ONE_STACK = ("longgammon", "plakoto", "fevga", "moultezim", "gul bara", "narde", "tapa")

_OTHERS = (
    *(_variant(name, {24: 15}) for name in _OF_ONE_STACK),
    _variant("acey-deucey", {25: 15}),
    _variant("tabula", {25: 15}),
)

UNCHECKED: dict[str, Variant] = {variant.name: variant for variant in _OTHERS}
"""Variants that records state, and whose rules are others: their games are told, not checked."""


def start_position(variant_name: str) -> Position:
    """The position a game of this variant starts from.

    >>> start_position("nackgammon").own[23]
    2
    """
    start = VARIANTS[variant_name].start
    return Position(start, start)
