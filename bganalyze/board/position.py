"""Positions of checkers, steps that change them, phases, and start positions of the variants."""

# Annotations are evaluated here: `record/model.py` says why.

from itertools import count
from operator import mul
from typing import NamedTuple

OFF = 0
HOME = 6
"""The highest point of the home board."""
BAR = 25
CHECKERS = 15
"""The checkers of each side in standard backgammon; no variant here has more."""

Points = tuple[int, ...]
"""Checkers of one side on 0 (off), 1–24 and 25 (bar), in that side's own numbering."""


class Step(NamedTuple):
    """The movement of one checker as written: start, points on the way, end; one die or more.

    A legal play consists of steps of one die each, whose paths have two points.
    """

    path: tuple[int, ...]
    marked: tuple[bool, ...]
    """For each landing of the path, whether it has a hit mark."""


class Position(NamedTuple):
    """Both sides' checkers, each in its owner's numbering; `own` is the side to play."""

    own: Points
    other: Points


def after(position: Position, step: Step) -> Position:
    """Return the position after a checker makes a step and hits blots where it lands.

    Nothing is checked. The sides are not swapped.

    >>> start = points({24: 2, 13: 5, 8: 3, 6: 5})
    >>> after(Position(start, start), Step((13, 7), (False,))).own[7]
    1
    """
    own, other = list(position.own), list(position.other)
    move_checker(own, other, step.path)
    return Position(tuple(own), tuple(other))


def move_checker(own: list[int], other: list[int], path: tuple[int, ...]) -> bool:
    """Move a checker of `own` along a path, and hit each blot of `other` where it lands.

    The lists are changed. Return False if no checker is at the start.

    >>> own, other = list(points({8: 1})), list(points({20: 1}))
    >>> move_checker(own, other, (8, 5)), move_checker(own, other, (8, 5)), own[5], other[BAR]
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
    """Return a side's checkers on all 26 points, given the number on each occupied point.

    >>> points({24: 2, BAR: 1})[20:]
    (0, 0, 0, 0, 2, 1)
    """
    return tuple(checkers_on.get(point, 0) for point in range(BAR + 1))


def swap_sides(position: Position) -> Position:
    """Return the same board with the other side to play."""
    return Position(position.other, position.own)


def is_possible(position: Position) -> bool:
    """Whether each side has at most 15 checkers in play and no point has checkers of both.

    >>> is_possible(Position(points({8: 2}), points({17: 1})))
    False
    """
    own, other = position
    if max(checkers(own), checkers(other)) > CHECKERS:
        return False
    return not any(own[point] and other[BAR - point] for point in range(1, BAR))


def pips(side: Points) -> int:
    """Return the pip count of a side; a checker on the bar counts 25.

    >>> pips(points({24: 2, 13: 5, 8: 3, 6: 5}))
    167
    """
    return sum(map(mul, side, count()))


def checkers(side: Points) -> int:
    """Return the number of checkers a side has in play: on the board and on the bar.

    >>> checkers(points({24: 2, BAR: 1, OFF: 12}))
    3
    """
    return sum(side) - side[OFF]


# The phase of a position.

PHASES = ("opening", "contact", "race", "bear-off")
"""Phases of a game: the first three plays of each side; later, while checkers still have to pass
each other; after that; and with all checkers of both sides home."""

RACE = PHASES.index("race")
"""First phase without contact."""

OPENING_PLAYS = 3


def rearmost(side: Points) -> int:
    """Return the highest point with a checker; 0 if all are off.

    >>> rearmost(points({24: 2, 6: 13})), rearmost(points({OFF: 15}))
    (24, 0)
    """
    return next((point for point in range(BAR, OFF, -1) if side[point]), OFF)


def classify_phase(position: Position, play: int) -> str:
    """Return the phase of a position: `opening`, `contact`, `race` or `bear-off`.

    `play` is the number of the side's next play. With contact, the first three plays are the
    opening.

    >>> start = start_position("standard")
    >>> classify_phase(start, 3), classify_phase(start, 4)
    ('opening', 'contact')
    """
    own, other = map(rearmost, position)
    if own + other > BAR:
        return "opening" if play <= OPENING_PLAYS else "contact"
    return "bear-off" if max(own, other) <= HOME else "race"


# Variants: the number of checkers of a side and their start position.


class Variant(NamedTuple):
    """A variant of the game. Both sides start alike, each in its owner's numbering."""

    name: str
    start: Points
    checkers: int


def _make_variant(name: str, start: dict[int, int]) -> Variant:
    """Return a variant with the given start position, the same for both sides."""
    return Variant(name, points(start), sum(start.values()))


_CHECKED_VARIANTS = (
    _make_variant("standard", {24: 2, 13: 5, 8: 3, 6: 5}),
    _make_variant("nackgammon", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    _make_variant("hypergammon-1", {24: 1}),
    _make_variant("hypergammon-2", {24: 1, 23: 1}),
    _make_variant("hypergammon-3", {24: 1, 23: 1, 22: 1}),
)

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in _CHECKED_VARIANTS}

_ONE_STACK_VARIANTS = ("longgammon", "plakoto", "fevga", "moultezim", "gul bara", "narde", "tapa")

_UNCHECKED_VARIANTS = (
    *(_make_variant(name, {24: 15}) for name in _ONE_STACK_VARIANTS),
    _make_variant("acey-deucey", {25: 15}),
    _make_variant("tabula", {25: 15}),
)

UNCHECKED: dict[str, Variant] = {variant.name: variant for variant in _UNCHECKED_VARIANTS}
"""Variants with other rules that match files may name: their games are read but not checked."""


def start_position(variant_name: str) -> Position:
    """Return the start position of a variant by its name, such as `standard` or `nackgammon`.

    >>> start_position("nackgammon").own[23]
    2
    """
    start = VARIANTS[variant_name].start
    return Position(start, start)
