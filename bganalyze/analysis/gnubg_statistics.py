"""GNU Backgammon's match statistics, as in `show statistics match` (1.07) and its manual.

*Errors.* Of a play: the equity of the best play minus that of the recorded one, over rolls with
more than one legal play. Of the cube: six classes, by the kind of error and the side of the cash
point (CP), the doubling point (DP) or the too-good point (TG). Errors are given in equity (EMG),
and in match-winning chance: the equity times half the difference between the chances after a plain
win and a plain loss at the cube value. In a money game they are multiplied by the cube.

*Rates.* Plays: per unforced play. Cube: per *close or actual* decision: every double, take and
pass, and each no double where the best decision gains less than 0.16 over doubling (or over a pass,
if that would be the answer). Overall: both totals over both counts. Times 1000: mEMG.

*Luck* of a roll: the best play's equity minus the mean over all rolls, as given by the engine.

*Luck adjusted result*: the result, minus the side's own luck, plus the other side's.

Beavers, answers to them, and resignations are not counted. All sums are in single precision, game
by game, as in the program, so the figures agree to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.board.equities import round_to_single

CLOSE = 0.16
"""A no double is close if the best decision gains less than this (EMG) over doubling."""

MARKS = {"very bad": 0.12, "bad": 0.06, "doubtful": 0.03}
"""Loss (EMG) above which a play has each mark."""

LUCK_MARKS = {"very lucky": 0.6, "lucky": 0.3}
"""Luck (EMG) above which a roll has each mark; below its negative, the roll is unlucky."""

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
"""Ratings, each with the error rate (EMG) it stays below."""

LUCK_RATINGS = {
    "very lucky": "Go to Las Vegas",
    "lucky": "Good dice, man!",
    "unmarked": "None",
    "unlucky": "Bad dice, man!",
    "very unlucky": "Go to bed",
}
"""Luck ratings, by the mark of a roll with ten times the luck rate."""

RATING_OF_PERFECT_PLAY = 2050.0
LOWEST_DIFFERENCE = -2100.0


class CubeError(StrEnum):
    """The six classes of cube errors."""

    MISSED_BELOW_CP = "missed double below CP"
    MISSED_ABOVE_CP = "missed double above CP"
    WRONG_BELOW_DP = "wrong double below DP"
    WRONG_ABOVE_TG = "wrong double above TG"
    WRONG_TAKE = "wrong take"
    WRONG_PASS = "wrong pass"


def mark_loss(loss: float) -> str:
    """Return GNU Backgammon's mark for a loss (EMG).

    >>> mark_loss(0.13), mark_loss(0.03)
    ('very bad', 'unmarked')
    """
    return next(
        (mark for mark, least in MARKS.items() if round_to_single(loss) > round_to_single(least)),
        "unmarked",
    )


def mark_luck(luck: float) -> str:
    """Return GNU Backgammon's mark for the luck of a roll (EMG).

    >>> mark_luck(0.7), mark_luck(0.1)
    ('very lucky', 'unmarked')
    """
    for mark, least in LUCK_MARKS.items():
        if abs(luck) > round_to_single(least):
            return mark if luck > 0 else mark.replace("lucky", "unlucky")
    return "unmarked"


def rating_name(rate: float) -> str:
    """Return GNU Backgammon's name for players with this error rate (EMG).

    >>> rating_name(0.0049)
    'World class'
    """
    return next(name for below, name in RATINGS if rate < round_to_single(min(below, 1e38)))


def luck_rating_name(rate: float) -> str:
    """Return GNU Backgammon's name for this luck (EMG per roll).

    >>> luck_rating_name(0.07)
    'Go to Las Vegas'
    """
    return LUCK_RATINGS[mark_luck(round_to_single(rate * 10))]


def fibs_difference_of(chance: float, length: int) -> float | None:
    """Return the difference of FIBS ratings that gives a player this chance to win a match.

    The match has this `length`. Return None for money games, and for chances of 0 and 1.

    >>> round(fibs_difference_of(0.75, 1))
    954
    """
    if not length or not 0 < chance < 1:
        return None
    spread = round_to_single(-2000.0 / round_to_single(math.sqrt(length)))
    return max(
        round_to_single(spread * round_to_single(math.log10(1 / chance - 1))), LOWEST_DIFFERENCE
    )


def fibs_rating_of(checker: float, cube: float, length: int) -> float:
    """Estimate a FIBS rating from the average losses (EMG) in matches of this length."""
    lost = round_to_single(
        find_rating_lost_by_plays(checker, length) + find_rating_lost_by_cube(cube, length)
    )
    return round_to_single(RATING_OF_PERFECT_PLAY - lost)


def find_rating_lost_by_plays(rate: float, length: int) -> float:
    """Return the FIBS rating points lost by wrong plays in matches of this length.

    `rate` is the average loss (EMG) of an unforced play.
    """
    return round_to_single(rate * round_to_single(8798 + round_to_single(25526 / length)))


def find_rating_lost_by_cube(rate: float, length: int) -> float:
    """Return the FIBS rating points lost by wrong cube decisions in matches of this length.

    `rate` is the average loss (EMG) of a cube decision, without trivial ones.
    """
    return round_to_single(rate * round_to_single(863 - round_to_single(519 / length)))


def is_close(row: AnalyzedDecision) -> bool:
    """Whether a decision not to double is close enough for GNU Backgammon to count it."""
    no_double, take, passed = row.cube_equities
    best = max(no_double, min(take, passed))
    return round_to_single(best - min(take, 1.0)) < round_to_single(CLOSE)


def cube_error(row: AnalyzedDecision) -> tuple[CubeError, float] | None:
    """Return GNU Backgammon's class of a cube error and its loss (EMG).

    Return None if the decision was correct or not evaluated.
    """
    if row.optimal is None:
        return None
    (no_double, take, passed), best = row.cube_equities, row.optimal
    match row.kind:
        case Kind.NO_DOUBLE:
            above = CubeError.MISSED_ABOVE_CP if take > 1 else CubeError.MISSED_BELOW_CP
            error = above, round_to_single(best - no_double)
        case Kind.DOUBLE:
            wrong = CubeError.WRONG_ABOVE_TG if no_double > 1 else CubeError.WRONG_BELOW_DP
            error = wrong, round_to_single(best - min(take, passed))
        case Kind.TAKE:
            error = CubeError.WRONG_TAKE, round_to_single(take - passed)
        case Kind.PASS:
            error = CubeError.WRONG_PASS, round_to_single(passed - take)
        case _:
            return None
    return error if error[1] > 0 else None


def luck_in_match_chance(row: AnalyzedDecision) -> float:
    """Return a roll's luck as match-winning chance (in money games, points), or 0 if unknown."""
    if row.luck is None or row.stake is None:
        return 0.0
    return row.stake.cost(row.luck)


# The luck of a match.


class Total(NamedTuple):
    """The number of decisions or rolls, with the sum of their losses or luck in two units.

    `equity` is in EMG; `chance` is match-winning chance, or points in a money game.
    """

    number: int = 0
    equity: float = 0.0
    chance: float = 0.0

    def plus(self, equity: float, chance: float) -> Total:
        """Return the total after adding the loss or luck of one more decision or roll."""
        return self.add_total(Total(1, equity, chance))

    def add_total(self, other: Total) -> Total:
        """Return the sum of two totals."""
        number = self.number + other.number
        equity, chance = (
            round_to_single(self.equity + other.equity),
            round_to_single(self.chance + other.chance),
        )
        return Total(number, equity, chance)


class MatchLuck(NamedTuple):
    """The luck of both sides in a match, and its result with and without luck: left, right."""

    luck: tuple[Total, Total]
    actual: tuple[float, float]
    """The result as a change of match-winning chance; in money games, as points."""
    adjusted: tuple[float, float]
    """The result minus the side's own luck, plus the other side's."""


def match_luck(rows: Iterable[AnalyzedDecision], results: Sequence[GameResult]) -> MatchLuck:
    """Return the luck of both sides in a match, and the result with and without luck."""
    by_game = {game: list(group) for game, group in groupby(rows, key=lambda row: row.game)}
    left = right = Total()
    actual = adjusted = (0.0, 0.0)
    for result in results:
        of_game = by_game.get(result.game, [])
        left, right = (
            left.add_total(_sum_luck_of_side(of_game, 0)),
            right.add_total(_sum_luck_of_side(of_game, 1)),
        )
        won = _split_result(result)
        actual = _add_pairs(actual, won)
        adjusted = _add_pairs(adjusted, _adjust_for_luck(of_game, won))
    return MatchLuck((left, right), actual, adjusted)


def _select_plays_with_luck(rows: Iterable[AnalyzedDecision]) -> list[AnalyzedDecision]:
    """Return the recorded plays whose board is verified and whose luck is known."""
    plays = (row for row in rows if row.kind is Kind.PLAY and row.verified)
    return [row for row in plays if row.luck is not None and row.legal is not None]


def _sum_luck_of_side(rows: Iterable[AnalyzedDecision], side: int) -> Total:
    """Return the total luck of one side."""
    total = Total()
    for row in _select_plays_with_luck(rows):
        if row.side == side:
            total = total.plus(row.luck or 0.0, luck_in_match_chance(row))
    return total


def _split_result(result: GameResult) -> tuple[float, float]:
    """Return the match-winning chance that left and right gained in a game; 0 if unknown.

    In money games, return points instead.
    """
    gain = result.compute_gain_of_winner()
    if gain is None:
        return (0.0, 0.0)
    return (gain, -gain) if result.winner == 0 else (-gain, gain)


def _adjust_for_luck(
    rows: Iterable[AnalyzedDecision], won: tuple[float, float]
) -> tuple[float, float]:
    """Return how much left and right won in a game, without the luck of both sides."""
    adjusted = list(won)
    for row in _select_plays_with_luck(rows):
        luck = luck_in_match_chance(row)
        adjusted[row.side] = round_to_single(adjusted[row.side] - luck)
        adjusted[1 - row.side] = round_to_single(adjusted[1 - row.side] + luck)
    return (adjusted[0], adjusted[1])


def _add_pairs(one: tuple[float, float], two: tuple[float, float]) -> tuple[float, float]:
    """Add two pairs of numbers, first to first and second to second."""
    return (round_to_single(one[0] + two[0]), round_to_single(one[1] + two[1]))
