"""A figure: what a metric says of one side, and over how many decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bganalyze.equities import MatchScore, chance_after, single
from bganalyze.judging.verdict import JudgedDecision, loss
from bganalyze.replaying.facts import GameReplay


class MetricValue(NamedTuple):
    """A sum of losses, and what it is divided by."""

    lost: float
    counted: int
    factor: float = 1.0

    @property
    def rate(self) -> float | None:
        """What is lost at each decision, times the factor; None where none counts."""
        return self.factor * self.lost / self.counted if self.counted else None


def metric_value(
    rows: Iterable[JudgedDecision],
    side: int,
    counts: Callable[[JudgedDecision], bool],
    factor: float,
) -> MetricValue:
    """Return the losses of `side` at the decisions that count, each in EMG.

    >>> metric_value([], 0, lambda row: True, 500).rate is None
    True
    """
    losses = [loss(row) for row in rows if row.side == side and counts(row)]
    known = [each for each in losses if each is not None]
    return MetricValue(sum(known), len(known), factor)


# What a game was worth to its winner, in chances to win the match or in points.


class GameResult(NamedTuple):
    """How a game of a judged match ended."""

    game: int
    length: int
    left: int
    right: int
    crawford: bool
    winner: int | None
    """None where the game was not finished."""
    points: int | None
    left_name: str = ""
    right_name: str = ""
    """Who sat where: players may change columns between games."""

    def worth(self) -> float | None:
        """Return what the winner gained: chance to win the match; of a money game, points.

        >>> GameResult(1, 5, 3, 3, False, winner=0, points=2).worth()
        0.5
        """
        if self.winner is None or self.points is None:
            return None
        if not self.length:
            return float(self.points)
        score = MatchScore(self.length, (self.left, self.right), self.crawford)
        before = chance_after(score, self.winner, winner=self.winner, points=0)
        after = chance_after(score, self.winner, winner=self.winner, points=self.points)
        return None if before is None or after is None else single(after - before)


def result_of(replayed: GameReplay, names: tuple[str, str] = ("", "")) -> GameResult:
    """Return the result of a game, with the points that the record gives it.

    `names` are those of the match, for a game without names of its own.
    """
    context, ending = replayed.context, replayed.ending
    left, right = replayed.game.score.names if replayed.game.score else names
    points = ending.on_board if ending.recorded is None else ending.recorded
    return GameResult(
        game=context.game,
        length=context.terms.length or 0,
        left=context.score[0],
        right=context.score[1],
        crawford=context.crawford,
        winner=ending.winner,
        points=points,
        left_name=left,
        right_name=right,
    )
