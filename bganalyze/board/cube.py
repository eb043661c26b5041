"""The doubling cube as a state machine, what a game is worth, and the Crawford game."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple

from bganalyze.board.position import BAR, OFF, Points

Side = Literal[0, 1]


class Cube(NamedTuple):
    """The cube between two actions.

    `offered_by` is the side whose double waits for an answer; `offer` the value if it is taken;
    `refused` what a pass costs. A beaver leaves the cube with the side that beavered (`keeper`).
    """

    value: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    offer: int = 0
    refused: int = 0
    keeper: Side | None = None

    @property
    def is_open(self) -> bool:
        """Whether an offer waits for its answer."""
        return self.offered_by is not None

    @property
    def next_value(self) -> int:
        """The value that a double, or a beaver in answer to one, offers.

        >>> Cube(2).next_value, Cube(2).doubled(0).next_value
        (4, 8)
        """
        return 2 * (self.offer if self.is_open else self.value)

    def may_double(self, side: Side) -> bool:
        """Whether the cube is centered or belongs to `side`."""
        return self.owner is None or self.owner == side

    def doubled(self, side: Side, offer: int | None = None) -> Cube:
        """Return the cube with an offer by `side`, by default at twice its value.

        >>> Cube().doubled(0).taken()
        Cube(value=2, owner=1, offered_by=None, offer=0, refused=0, keeper=None)
        """
        other: Side = 1 if side == 0 else 0
        value = self.value
        return Cube(value, self.owner, side, 2 * value if offer is None else offer, value, other)

    def beavered(self, side: Side) -> Cube:
        """Return the cube turned again by the doubled side, who keeps it.

        A refusal costs the doubler the value of the first offer (rules by T. Keith).

        >>> Cube().doubled(0).beavered(1).taken()
        Cube(value=4, owner=1, offered_by=None, offer=0, refused=0, keeper=None)
        """
        return self._replace(offered_by=side, offer=2 * self.offer, refused=self.offer)

    def taken(self) -> Cube:
        """Return the cube after the offer was taken."""
        return Cube(self.offer, self.keeper)

    def withdrawn(self) -> Cube:
        """Return the cube as if the open offer had not been made."""
        return Cube(self.value, self.owner)


class Class(IntEnum):
    """How large a win is, in units of the cube."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


def class_of_loss(loser: Points) -> Class:
    """Return the class of the game lost by the side whose checkers are `loser` at its end.

    >>> home = (0,) * 6 + (15,) + (0,) * 19
    >>> class_of_loss(home).name, class_of_loss((1,) + home[1:]).name
    ('GAMMON', 'SINGLE')
    """
    if loser[OFF]:
        return Class.SINGLE
    return Class.BACKGAMMON if any(loser[19 : BAR + 1]) else Class.GAMMON


def is_crawford(length: int, score: tuple[int, int], played: bool) -> bool:
    """Whether the game at `score` is the Crawford game; `played` says whether there has been one already.

    The first game in which exactly one side is a point short of the match.

    >>> is_crawford(5, (4, 2), False), is_crawford(5, (4, 2), True), is_crawford(1, (0, 0), False)
    (True, False, False)
    """
    left, right = score
    return length > 1 and not played and (left == length - 1) != (right == length - 1)


def capped(points: int, length: int | None, score: int) -> int:
    """Return how many of `points` count for a side that has `score` in a match to `length`."""
    return points if not length else max(min(points, length - score), 0)


def is_dead(cube: int, length: int, score: int) -> bool:
    """Whether a plain win at `cube` already takes the match for the side with `score`."""
    return length > 0 and score + cube >= length
