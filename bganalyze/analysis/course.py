"""The course of an analyzed match: how each roll, play and cube action changed the chances.

Chances are those of player 0 to win the match; in a money game they are points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.board.equities import MatchScore, compute_chance_after


class SwingCause(StrEnum):
    """Causes of a change of the chance to win."""

    DICE = "dice"
    PLAY = "play"
    CUBE = "cube"


class Swing(NamedTuple):
    """A change of player 0's chance to win the match, caused by a roll, a play or a cube decision."""

    cause: SwingCause
    before: float
    after: float

    @property
    def gain(self) -> float:
        """How much player 0's chance to win grew; negative if it fell."""
        return self.after - self.before


def find_swings(row: AnalyzedDecision) -> tuple[Swing, ...]:
    """Return how a decision changed player 0's chance to win: by luck and play, or by the cube.

    Player 0 must be side 0 in all games. The result is empty if the board is uncertain or the
    decision has no evaluation.
    """
    if not row.verified:
        return ()
    return tuple(_find_swings_of_play(row) if row.kind is Kind.PLAY else _find_swing_of_cube(row))


def _find_swings_of_play(row: AnalyzedDecision) -> Iterator[Swing]:
    """Yield how the luck of a roll, and then its play, changed player 0's chance, if known."""
    best = _find_chance(row, row.best)
    if best is None or row.best is None:
        return
    luck = None if row.legal is None else row.luck
    if luck is not None and (before := _find_chance(row, row.best - luck)) is not None:
        yield Swing(SwingCause.DICE, before, best)
    if (reached := _find_chance(row, row.reached)) is not None:
        yield Swing(SwingCause.PLAY, best, reached)


def _find_swing_of_cube(row: AnalyzedDecision) -> Iterator[Swing]:
    """Yield how a cube decision changed player 0's chance, if known."""
    # Answers to beavers are left out.
    if row.optimal is None or row.kind not in _REACHED:
        return
    no_double, take, passed = row.cube_equities
    doubled = min(take, passed)
    reached = {"none": no_double, "doubled": doubled, "take": take, "pass": passed}
    best = doubled if row.kind in (Kind.TAKE, Kind.PASS) else row.optimal
    before, after = _find_chance(row, best), _find_chance(row, reached[_REACHED[row.kind]])
    if before is not None and after is not None:
        yield Swing(SwingCause.CUBE, before, after)


_REACHED: Mapping[Kind, str] = {
    Kind.NO_DOUBLE: "none",
    Kind.DOUBLE: "doubled",
    Kind.TAKE: "take",
    Kind.PASS: "pass",
}
"""The equity that each cube action reaches."""


def _find_chance(row: AnalyzedDecision, equity: float | None) -> float | None:
    """Convert the equity of a row's doubler to player 0's chance to win the match; None if unknown.

    In money play, return player 0's points.
    """
    if equity is None or row.stake is None:
        return None
    own = row.stake.value(equity)
    if row.doubler == 0:
        return own
    return 1 - own if row.length else -own


def chance_at_start(result: GameResult) -> float | None:
    """Return player 0's chance to win the match before a game, if known; 0 in a money game."""
    if not result.length:
        return 0.0
    return compute_chance_after(_make_score(result), 0, winner=0, points=0)


def chance_at_end(result: GameResult) -> float | None:
    """Return player 0's chance to win the match after a game, if known.

    In a money game, return the points that player 0 won, negative if player 0 lost.

    >>> chance_at_end(GameResult(1, 5, 3, 3, False, winner=1, points=2))
    0.0
    """
    if result.winner is None or result.points is None:
        return None
    if not result.length:
        return float(result.points if result.winner == 0 else -result.points)
    return compute_chance_after(_make_score(result), 0, winner=result.winner, points=result.points)


def _make_score(result: GameResult) -> MatchScore:
    """Return the score before a game, with the match length."""
    return MatchScore(result.length, (result.left, result.right), result.crawford)
