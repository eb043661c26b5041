"""The rules of GNU Backgammon's statistics: `show statistics match`, from its 1.07 and its manual.

*Errors.* Of a play: the equity of the best play less that of the one made, over rolls with more
than one legal play. Of the cube: six classes, by what was wrong and on which side of the cash point
(CP), the doubling point (DP) or the point of being too good (TG). In equity (EMG), and in
match-winning chance: the same, times half the difference between the chances after a plain win and
a plain loss of the cube; in a money game times the cube.

*Rates.* Plays: per unforced play. Cube: per *close or actual* decision: every double, take and
pass, and no double where the best decision gains less than 0.16 over doubling (or over a pass,
where that would be the answer). Overall: both totals over both counts. Times 1000: mEMG.

*Luck* of a roll: the best play's equity less the mean over all rolls (the engine tells it).
*Luck adjusted result*: what was won, less one's own luck, plus the other's.

Beavers, and answers to them, are not counted, nor are resignations. All sums are in single
precision, game by game, as the program computes them: its figures come out to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.board.equities import single

CLOSE = 0.16
"""No double is close where the best decision gains less than this over doubling."""

MARKS = {"very bad": 0.12, "bad": 0.06, "doubtful": 0.03}
"""A play is marked where it loses more than this."""

LUCK_MARKS = {"very lucky": 0.6, "lucky": 0.3}
"""A roll is marked where its luck is more than this, and as unlucky below minus this."""

RATINGS = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
    (math.inf, "Awful!"),
)
"""Error rates (EMG) below which a player is called so."""

LUCK_RATINGS = {
    "very lucky": "Go to Las Vegas",
    "lucky": "Good dice, man!",
    "unmarked": "None",
    "unlucky": "Bad dice, man!",
    "very unlucky": "Go to bed",
}
"""What a player's luck is called, by the mark of a roll with ten times the luck rate."""

RATING_OF_PERFECT_PLAY = 2050.0
LOWEST_DIFFERENCE = -2100.0


class CubeError(StrEnum):
    """The six ways to err with the cube."""

    MISSED_BELOW_CP = "missed double below CP"
    MISSED_ABOVE_CP = "missed double above CP"
    WRONG_BELOW_DP = "wrong double below DP"
    WRONG_ABOVE_TG = "wrong double above TG"
    WRONG_TAKE = "wrong take"
    WRONG_PASS = "wrong pass"


def mark(loss: float) -> str:
    """Return how bad a loss is, in EMG: `unmarked` where it is not.

    >>> mark(0.13), mark(0.04), mark(0.03)
    ('very bad', 'doubtful', 'unmarked')
    """
    return next((mark for mark, least in MARKS.items() if single(loss) > single(least)), "unmarked")


def luck_mark(luck: float) -> str:
    """Return how lucky a roll is: `unmarked` where it is neither lucky nor unlucky.

    >>> luck_mark(0.7), luck_mark(-0.4), luck_mark(0.1)
    ('very lucky', 'unlucky', 'unmarked')
    """
    for mark, least in LUCK_MARKS.items():
        if abs(luck) > single(least):
            return mark if luck > 0 else mark.replace("lucky", "unlucky")
    return "unmarked"


def rating(rate: float) -> str:
    """Return what a player of this error rate (EMG) is called.

    >>> rating(0.0049)
    'World class'
    """
    return next(name for below, name in RATINGS if rate < single(min(below, 1e38)))


def luck_rating(rate: float) -> str:
    """Return what this luck (EMG) of a roll is called."""
    return LUCK_RATINGS[luck_mark(single(rate * 10))]


def fibs_difference_of(chance: float, length: int) -> float | None:
    """Return the difference of FIBS ratings that a chance to win matches of a length speaks for.

    None in money games, and where there is no chance on one side.

    >>> fibs_difference_of(0.75, 1)
    954.2425537109375
    """
    if not length or not 0 < chance < 1:
        return None
    spread = single(-2000.0 / single(math.sqrt(length)))
    return max(single(spread * single(math.log10(1 / chance - 1))), LOWEST_DIFFERENCE)


def fibs_rating_of(checker: float, cube: float, length: int) -> float:
    """Return the FIBS rating that these error rates (EMG) speak for, in matches of this length.

    >>> fibs_rating_of(0.0, 0.0, 7)
    2050.0
    """
    lost = single(lost_by_plays(checker, length) + lost_by_cube(cube, length))
    return single(RATING_OF_PERFECT_PLAY - lost)


def lost_by_plays(rate: float, length: int) -> float:
    """Return the FIBS rating lost by plays (K. van den Doel's formula, GNU Backgammon's manual)."""
    return single(rate * single(8798 + single(25526 / length)))


def lost_by_cube(rate: float, length: int) -> float:
    """Return the FIBS rating lost by the cube (ibidem)."""
    return single(rate * single(863 - single(519 / length)))


def is_close(row: AnalyzedDecision) -> bool:
    """Whether a decision not to double was close."""
    no_double, take, passed = row.cube_equities
    best = max(no_double, min(take, passed))
    return single(best - min(take, 1.0)) < single(CLOSE)


def cube_error(row: AnalyzedDecision) -> tuple[CubeError, float] | None:
    """Return the class of a wrong cube decision and its loss in EMG; None where it was right."""
    if row.optimal is None:
        return None
    (no_double, take, passed), best = row.cube_equities, row.optimal
    match row.kind:
        case Kind.NO_DOUBLE:
            above = CubeError.MISSED_ABOVE_CP if take > 1 else CubeError.MISSED_BELOW_CP
            error = above, single(best - no_double)
        case Kind.DOUBLE:
            wrong = CubeError.WRONG_ABOVE_TG if no_double > 1 else CubeError.WRONG_BELOW_DP
            error = wrong, single(best - min(take, passed))
        case Kind.TAKE:
            error = CubeError.WRONG_TAKE, single(take - passed)
        case Kind.PASS:
            error = CubeError.WRONG_PASS, single(passed - take)
        case _:
            return None
    return error if error[1] > 0 else None


def luck_chance(row: AnalyzedDecision) -> float:
    """Return the luck of a roll as chance to win the match or, for money, as points."""
    if row.luck is None or row.stake is None:
        return 0.0
    return row.stake.cost(row.luck)


# The luck of a match.


class Total(NamedTuple):
    """A sum of losses or of luck: `equity` in EMG, `chance` in MWC or, for money, points."""

    number: int = 0
    equity: float = 0.0
    chance: float = 0.0

    def plus(self, equity: float, chance: float) -> Total:
        """Return the total with one more."""
        return self.joined(Total(1, equity, chance))

    def joined(self, other: Total) -> Total:
        """Return the sum of two totals."""
        number = self.number + other.number
        equity, chance = single(self.equity + other.equity), single(self.chance + other.chance)
        return Total(number, equity, chance)


class MatchLuck(NamedTuple):
    """The luck of both sides in a match, and its result with and without it: left, right."""

    luck: tuple[Total, Total]
    actual: tuple[float, float]
    """What was won, in chances to win the match; of money games, in points."""
    adjusted: tuple[float, float]
    """The same, less one's own luck, plus the other's."""


def match_luck(rows: Iterable[AnalyzedDecision], results: Sequence[GameResult]) -> MatchLuck:
    """Return the luck in the rows of one match, whose games ended so."""
    by_game = {game: list(group) for game, group in groupby(rows, key=lambda row: row.game)}
    left = right = Total()
    actual = adjusted = (0.0, 0.0)
    for result in results:
        of_game = by_game.get(result.game, [])
        left, right = left.joined(_luck(of_game, 0)), right.joined(_luck(of_game, 1))
        won = _won(result)
        actual = _added(actual, won)
        adjusted = _added(adjusted, _luck_adjusted(of_game, won))
    return MatchLuck((left, right), actual, adjusted)


def _rolled(rows: Iterable[AnalyzedDecision]) -> list[AnalyzedDecision]:
    """The plays whose luck counts: the record shows them, on boards beyond doubt."""
    plays = (row for row in rows if row.kind is Kind.PLAY and row.verified)
    return [row for row in plays if row.luck is not None and row.legal is not None]


def _luck(rows: Iterable[AnalyzedDecision], side: int) -> Total:
    total = Total()
    for row in _rolled(rows):
        if row.side == side:
            total = total.plus(row.luck or 0.0, luck_chance(row))
    return total


def _won(result: GameResult) -> tuple[float, float]:
    worth = result.worth()
    if worth is None:
        return (0.0, 0.0)
    return (worth, -worth) if result.winner == 0 else (-worth, worth)


def _luck_adjusted(
    rows: Iterable[AnalyzedDecision], won: tuple[float, float]
) -> tuple[float, float]:
    adjusted = list(won)
    for row in _rolled(rows):
        luck = luck_chance(row)
        adjusted[row.side] = single(adjusted[row.side] - luck)
        adjusted[1 - row.side] = single(adjusted[1 - row.side] + luck)
    return (adjusted[0], adjusted[1])


def _added(one: tuple[float, float], two: tuple[float, float]) -> tuple[float, float]:
    return (single(one[0] + two[0]), single(one[1] + two[1]))
