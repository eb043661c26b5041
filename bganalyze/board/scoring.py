"""What a game is worth, and what the score of a match says about the next one."""

from __future__ import annotations

from enum import IntEnum

from bganalyze.board.position import BAR, OFF, Points


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
    """Whether the game at `score` is the Crawford game; `played` says that it has been already.

    The first game in which exactly one side is a point short of the match.

    >>> is_crawford(5, (4, 2), False), is_crawford(5, (4, 2), True), is_crawford(1, (0, 0), False)
    (True, False, False)
    """
    short = [points == length - 1 for points in score]
    return length > 1 and not played and short[0] != short[1]


def capped(points: int, length: int | None, score: int) -> int:
    """Return how many of `points` count for a side that has `score` in a match to `length`."""
    return points if not length else max(min(points, length - score), 0)


def is_dead(cube: int, length: int, score: int) -> bool:
    """Whether a plain win at `cube` already takes the match for the side with `score`."""
    return length > 0 and score + cube >= length
