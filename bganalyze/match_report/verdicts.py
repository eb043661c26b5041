"""What an engine says of the match: error rates, luck, and each decision that cost something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.judging.decisions import GIVING_UP, Kind
from bganalyze.judging.describe import LEAST, Problem, problem
from bganalyze.judging.match import JudgedMatch, in_seats
from bganalyze.judging.metrics import METRICS, Metric
from bganalyze.judging.metrics.gnubg import statistics
from bganalyze.judging.metrics.results import GameResult
from bganalyze.judging.verdict import Judged
from bganalyze.match_report.doubles import Shown, shown_position
from bganalyze.match_report.seats import Seated


class Rate(NamedTuple):
    """The error rates of both players by one published definition."""

    metric: str
    unit: str
    meaning: str
    values: tuple[float | None, float | None]
    counted: tuple[int, int]
    """By how many it is divided; 1 for a plain sum."""


class Luck(NamedTuple):
    """What the dice gave both players, as GNU Backgammon counts it."""

    equity: tuple[float, float]
    """In EMG."""
    chance: tuple[float, float]
    """In chances to win the match; of a money game, in points."""
    result: tuple[float, float]
    """What was won, in the same."""
    adjusted: tuple[float, float]
    """The result without the luck of both."""


class Error(NamedTuple):
    """A decision that cost something."""

    game: int
    row: str
    seat: int
    """Who decided: 0 or 1."""
    kind: Kind
    problem: Problem
    legal: bool | None
    verified: bool
    position: str
    """As an XGID."""
    shown: Shown | None
    """None where the record has more to say than an XGID can."""


class Verdicts(NamedTuple):
    """What one engine says of the match."""

    engine: str
    version: str
    level: str
    money: bool
    """Whether chances are points."""
    rates: tuple[Rate, ...]
    luck: Luck | None
    """None where nothing is known of it."""
    errors: tuple[Error, ...]
    """The dearest first."""
    unknown: int
    """Plays and decisions about the cube of which it says nothing."""


def verdicts(seated: Seated, match: JudgedMatch) -> Verdicts:
    """Return the verdicts of the match with the players in their seats."""
    rows, results = in_seats(match.rows, match.results, seated.changed)
    asked = [row for row in rows if row.kind not in GIVING_UP]
    return Verdicts(
        engine=match.key.engine,
        version=match.key.version,
        level=match.key.level,
        money=not match.length,
        rates=tuple(_rate(rows, metric) for metric in METRICS),
        luck=_luck(rows, results),
        errors=tuple(sorted(_errors(seated, rows), key=lambda error: -error.problem.loss)),
        unknown=sum(problem(row) is None for row in asked),
    )


def _rate(rows: Sequence[Judged], metric: Metric) -> Rate:
    left, right = (metric.of(rows, side) for side in (0, 1))
    return Rate(
        metric=metric.name,
        unit=metric.unit,
        meaning=metric.about,
        values=(left.rate, right.rate),
        counted=(left.counted, right.counted),
    )


def _luck(rows: Sequence[Judged], results: Sequence[GameResult]) -> Luck | None:
    if not any(row.luck is not None for row in rows):
        return None
    found = statistics(rows, results)
    left, right = (player.luck for player in found.players)
    return Luck(
        equity=(left.equity, right.equity),
        chance=(left.chance, right.chance),
        result=found.actual,
        adjusted=found.luck_adjusted,
    )


def _errors(seated: Seated, rows: Iterable[Judged]) -> Iterator[Error]:
    """The errors in the order of the record."""
    for row in rows:
        told = problem(row)
        if told is not None and told.loss >= LEAST:
            yield Error(
                game=row.game,
                row=row.row or "",
                seat=row.side,
                kind=row.kind,
                problem=told,
                legal=row.legal,
                verified=row.verified,
                position=row.xgid,
                shown=shown_position(seated, row.game, row.xgid),
            )
