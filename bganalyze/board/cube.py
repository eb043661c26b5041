"""The doubling cube, the value of a won game, and the Crawford game."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple

from bganalyze.board.position import BAR, OFF, Points

Side = Literal[0, 1]


class Cube(NamedTuple):
    """State of the doubling cube.

    The last four fields describe a double or a beaver that is not answered yet:

    - `offered_by`: the side that made the double or beaver
    - `offer`: the cube value after a take
    - `refused`: the points that a pass costs
    - `keeper`: the owner of the cube after a take, the side that was doubled first
    """

    value: int = 1
    owner: Side | None = None
    offered_by: Side | None = None
    offer: int = 0
    refused: int = 0
    keeper: Side | None = None

    @property
    def is_open(self) -> bool:
        """Whether a double or a beaver (an immediate redouble) waits for an answer."""
        return self.offered_by is not None

    @property
    def next_value(self) -> int:
        """Cube value after one more double.

        >>> Cube(2).next_value
        4
        """
        return 2 * (self.offer if self.is_open else self.value)

    def may_double(self, side: Side) -> bool:
        """Whether `side` may double: the cube is centered or belongs to that side."""
        return self.owner is None or self.owner == side

    def doubled(self, side: Side, offer: int | None = None) -> Cube:
        """Return the cube after a double by `side` that is not answered yet.

        `offer` is the cube value after a take, by default twice the present value.

        >>> Cube().doubled(0).taken()
        Cube(value=2, owner=1, offered_by=None, offer=0, refused=0, keeper=None)
        """
        other: Side = 1 if side == 0 else 0
        value = self.value
        return Cube(value, self.owner, side, 2 * value if offer is None else offer, value, other)

    def beavered(self, side: Side) -> Cube:
        """Return the cube after `side` answers a double with a beaver (an immediate redouble).

        >>> Cube().doubled(0).beavered(1).taken()
        Cube(value=4, owner=1, offered_by=None, offer=0, refused=0, keeper=None)
        """
        # A doubler who passes the beaver loses the value first offered (rules by T. Keith).
        return self._replace(offered_by=side, offer=2 * self.offer, refused=self.offer)

    def taken(self) -> Cube:
        """Return the cube after the double is taken."""
        return Cube(self.offer, self.keeper)

    def withdrawn(self) -> Cube:
        """Return the cube without the unanswered double."""
        return Cube(self.value, self.owner)


class Class(IntEnum):
    """Single game, gammon or backgammon; its value multiplies the cube."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


def classify_loss(loser: Points) -> Class:
    """Return whether a game was lost as a single game, a gammon or a backgammon.

    `loser` holds the loser's checkers at the end of the game, with those borne off first.

    >>> home = (0,) * 6 + (15,) + (0,) * 19
    >>> classify_loss(home).name, classify_loss((1,) + home[1:]).name
    ('GAMMON', 'SINGLE')
    """
    if loser[OFF]:
        return Class.SINGLE
    return Class.BACKGAMMON if any(loser[19 : BAR + 1]) else Class.GAMMON


def is_crawford(length: int, score: tuple[int, int], already_played: bool) -> bool:
    """Whether a game is the Crawford game: the first with one side a point short of winning.

    `score` holds the points of left and right before the game. `already_played` says whether the
    match has had its Crawford game.

    >>> is_crawford(5, (4, 2), False), is_crawford(5, (4, 2), True)
    (True, False)
    """
    left, right = score
    return length > 1 and not already_played and (left == length - 1) != (right == length - 1)


def limit_points(points: int, length: int | None, score: int) -> int:
    """Return the points won, reduced to those that the winner still needs to win the match.

    `score` is the winner's score before the game. In a money game, `length` is None or 0.
    """
    return points if not length else max(min(points, length - score), 0)


def is_dead(cube: int, length: int, score: int) -> bool:
    """Whether the cube is dead for a side: winning a single game at its value wins the match.

    In a money game (`length` 0), no cube is dead.
    """
    return length > 0 and score + cube >= length
