"""Match-winning chances from a match equity table, and the equities derived from them."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from struct import Struct
from typing import NamedTuple

TABLE = "Kazaross-XG2"
_FILE = "kazaross-xg2.csv"
MOST_AWAY = 25
"""Largest number of points away that the table covers."""

REMEMBERED_STAKES = 4_096
"""Cache size of `stake`. A thousand matches need about 1,300; unusual match lengths add more."""


def match_winning_chance(own: int, other: int, *, after_crawford: bool = False) -> float | None:
    """Return the match-winning chance of a side that needs `own` more points.

    The opponent needs `other` more points. `after_crawford` is true once the Crawford game is over.
    If a side needs more points than the match equity table has (25), the result is None.

    >>> match_winning_chance(5, 5), match_winning_chance(1, 3), match_winning_chance(30, 2)
    (0.5, 0.75076, None)
    """
    if not (1 <= own <= MOST_AWAY and 1 <= other <= MOST_AWAY):
        return None
    if after_crawford and other == 1:
        return _load_match_equity_table()[MOST_AWAY][own - 1]
    if after_crawford and own == 1:
        return 1 - _load_match_equity_table()[MOST_AWAY][other - 1]
    return _load_match_equity_table()[own - 1][other - 1]


@cache
def _load_match_equity_table() -> tuple[tuple[float, ...], ...]:
    """Return the rows of the match equity table. The last row holds the post-Crawford chances."""
    text = (files("bganalyze.board") / _FILE).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(tuple(map(float, line.split(","))) for line in lines)


# Single precision, as in GNU Backgammon, so that every digit agrees with its figures.

_SINGLE = Struct("f")


def round_to_single(value: float) -> float:
    """Round a number to single precision (32 bits), as some programs compute.

    >>> round_to_single(0.1)
    0.10000000149011612
    """
    (rounded,) = _SINGLE.unpack(_SINGLE.pack(value))
    return float(rounded)


# Stakes of a game: the chances of winning the match after winning it and after losing it.
#
# Equity is *normalized*: +1 is a single win at the present cube value, -1 a single loss. The chance
# of winning the match is a linear function of it (EMG; GNU Backgammon's manual, "Match equity
# calculation"). Everything is computed in single precision, as in GNU Backgammon.


class MatchScore(NamedTuple):
    """Score of a match, or of a money game (`length` 0)."""

    length: int
    points: tuple[int, int]
    """Points of the left and the right side."""
    crawford: bool = False
    """Whether the game at this score is the Crawford game."""


class Stake(NamedTuple):
    """Match-winning chances (in money play, points) after a single game is won, and is lost."""

    win: float
    lose: float

    def value(self, equity: float) -> float:
        """Convert an equity to a match-winning chance, or to points in a money game.

        An equity of 1.0 is a single win.

        >>> stake(MatchScore(5, (0, 0)), 0, 1).value(1.0)
        0.5773199796676636
        """
        spread = round_to_single(equity * round_to_single(self.win - self.lose))
        return round_to_single(
            0.5 * round_to_single(spread + round_to_single(self.win + self.lose))
        )

    def equity(self, value: float) -> float:
        """Convert a match-winning chance (in a money game, points) to an equity."""
        twice = round_to_single(2 * value - round_to_single(self.win + self.lose))
        return round_to_single(twice / round_to_single(self.win - self.lose))

    def cost(self, loss: float) -> float:
        """Convert a loss of equity to a loss of match-winning chance, or of points in a money game."""
        return round_to_single(self.value(loss) - self.value(0.0))


@lru_cache(maxsize=REMEMBERED_STAKES)
def stake(score: MatchScore, side: int, cube: int) -> Stake | None:
    """Return the match-winning chances of `side` after it wins and after it loses `cube` points.

    In a money game (`score.length` 0), return the points won and lost. The result is None if the
    match is over or the match equity table lacks a score. `side` is 0 for left, 1 for right.

    >>> stake(MatchScore(0, (0, 0)), 0, 2), stake(MatchScore(5, (7, 0)), 0, 1)
    (Stake(win=2.0, lose=-2.0), None)
    """
    if not score.length:
        return Stake(float(cube), float(-cube))
    if max(score.points) >= score.length:
        return None
    win = compute_chance_after(score, side, winner=side, points=cube)
    lose = compute_chance_after(score, side, winner=1 - side, points=cube)
    return None if win is None or lose is None else Stake(win, lose)


def compute_chance_after(score: MatchScore, side: int, *, winner: int, points: int) -> float | None:
    """Return the chance of `side` to win the match after `winner` wins `points`.

    With 0 `points`, this is the chance before the game. If the match equity table lacks the score,
    the result is None.

    >>> compute_chance_after(MatchScore(5, (4, 0), crawford=True), 1, winner=1, points=1)
    0.31001999974250793
    """
    left, right = (
        score.length - reached - (points if winner == player else 0)
        for player, reached in enumerate(score.points)
    )
    if left <= 0 or right <= 0:
        return float((left <= 0) == (side == 0))
    if points == 0 and score.crawford:
        return _convert_chance_to_side(side, match_winning_chance(left, right), 0)
    if 1 in (left, right) and _is_crawford_over(score):
        trailing = 1 if left == 1 else 0
        away = (left, right)[trailing]
        return _convert_chance_to_side(
            side, match_winning_chance(away, 1, after_crawford=True), trailing
        )
    return _convert_chance_to_side(side, match_winning_chance(left, right), 0)


def _is_crawford_over(score: MatchScore) -> bool:
    """Whether the Crawford game is over once the game at this score has ended."""
    return score.crawford or score.length - 1 in score.points


def _convert_chance_to_side(side: int, chance: float | None, side_of_chance: int) -> float | None:
    """Return the chance of `side` to win the match, given the `chance` of `side_of_chance`.

    The result is None if `chance` is None.
    """
    if chance is None:
        return None
    return (
        round_to_single(chance)
        if side == side_of_chance
        else round_to_single(1.0 - round_to_single(chance))
    )
