"""Match-winning chances by the score, from a table that is named wherever it is used."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from struct import Struct
from typing import NamedTuple

TABLE = "Kazaross-XG2"
_FILE = "kazaross-xg2.csv"
MOST_AWAY = 25
"""The table goes no further."""

REMEMBERED_STAKES = 4_096
"""A thousand matches have some 1,300, and lengths of their own have more with each match."""


def match_winning_chance(own: int, other: int, *, after_crawford: bool = False) -> float | None:
    """Return the chance of a side that needs `own` points against one that needs `other`.

    `after_crawford` says that the Crawford game is over. None where the table does not reach.

    >>> match_winning_chance(5, 5), match_winning_chance(1, 3), match_winning_chance(30, 2)
    (0.5, 0.75076, None)
    >>> match_winning_chance(2, 1, after_crawford=True)
    0.48803
    """
    if not (1 <= own <= MOST_AWAY and 1 <= other <= MOST_AWAY):
        return None
    if after_crawford and other == 1:
        return _rows()[MOST_AWAY][own - 1]
    if after_crawford and own == 1:
        return 1 - _rows()[MOST_AWAY][other - 1]
    return _rows()[own - 1][other - 1]


@cache
def _rows() -> tuple[tuple[float, ...], ...]:
    text = (files("bganalyze.board") / _FILE).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(tuple(map(float, line.split(","))) for line in lines)


# Single precision: the arithmetic of GNU Backgammon, so that its figures come out to the digit.

_SINGLE = Struct("f")


def single(value: float) -> float:
    """Return the number of single precision nearest to `value`.

    Adding, subtracting, multiplying or dividing two such numbers and rounding the result gives
    what a machine computes that has single precision only.

    >>> single(0.1)
    0.10000000149011612
    """
    (rounded,) = _SINGLE.unpack(_SINGLE.pack(value))
    return float(rounded)


# What is at stake in a game: the chances to win the match after it is won or lost.
#
# Equity is *normalized*: +1 is a plain win at the cube's present value, -1 a plain loss. A chance to
# win the match is a linear function of it (EMG; GNU Backgammon's manual, "Match equity calculation").
# All is computed in single precision, as GNU Backgammon does.


class MatchScore(NamedTuple):
    """A score of a match, or a money game (`length` 0)."""

    length: int
    points: tuple[int, int]
    """Left, right."""
    crawford: bool = False
    """Whether the game at this score is the Crawford game."""


class Stake(NamedTuple):
    """Chances to win the match after a plain win and a plain loss; of a money game, the points."""

    win: float
    lose: float

    def value(self, equity: float) -> float:
        """Return the chance (or the points) that an equity stands for.

        >>> stake(MatchScore(5, (0, 0)), 0, 1).value(1.0)
        0.5773199796676636
        """
        spread = single(equity * single(self.win - self.lose))
        return single(0.5 * single(spread + single(self.win + self.lose)))

    def equity(self, value: float) -> float:
        """Return the equity that a chance (or a number of points) stands for."""
        twice = single(2 * value - single(self.win + self.lose))
        return single(twice / single(self.win - self.lose))

    def cost(self, loss: float) -> float:
        """Return the chance (or the points) that a difference of equity stands for."""
        return single(self.value(loss) - self.value(0.0))


@lru_cache(maxsize=REMEMBERED_STAKES)
def stake(score: MatchScore, side: int, cube: int) -> Stake | None:
    """Return what is at stake for `side` (0 left) with the cube at this value.

    None where the match equity table does not reach, or the match is over at this score.

    >>> stake(MatchScore(0, (0, 0)), 0, 2), stake(MatchScore(5, (7, 0)), 0, 1)
    (Stake(win=2.0, lose=-2.0), None)
    """
    if not score.length:
        return Stake(float(cube), float(-cube))
    if max(score.points) >= score.length:
        return None
    win = chance_after(score, side, winner=side, points=cube)
    lose = chance_after(score, side, winner=1 - side, points=cube)
    return None if win is None or lose is None else Stake(win, lose)


def chance_after(score: MatchScore, side: int, *, winner: int, points: int) -> float | None:
    """Return the chance of `side` to win the match once `winner` has won so many points.

    Of 0 points: its chance before the game. None where the table does not reach.

    >>> chance_after(MatchScore(5, (4, 0), crawford=True), 1, winner=1, points=1)
    0.31001999974250793
    """
    left, right = (
        score.length - reached - (points if winner == player else 0)
        for player, reached in enumerate(score.points)
    )
    if left <= 0 or right <= 0:
        return float((left <= 0) == (side == 0))
    if points == 0 and score.crawford:
        return _of(side, match_winning_chance(left, right), 0)
    if 1 in (left, right) and _is_over(score):
        trailing = 1 if left == 1 else 0
        away = (left, right)[trailing]
        return _of(side, match_winning_chance(away, 1, after_crawford=True), trailing)
    return _of(side, match_winning_chance(left, right), 0)


def _is_over(score: MatchScore) -> bool:
    """Whether the game after this one comes after the Crawford game."""
    return score.crawford or score.length - 1 in score.points


def _of(side: int, chance: float | None, owner: int) -> float | None:
    """The chance of `side`, given that of `owner`."""
    if chance is None:
        return None
    return single(chance) if side == owner else single(1.0 - single(chance))
