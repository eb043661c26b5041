"""The tables of analyzed matches: matches, games, and a row for each decision with its evaluation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import Problem, better, problem
from bganalyze.analysis.gnubg_statistics import CubeError, luck_chance
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.metrics import METRICS, Metric
from bganalyze.board.position import PHASES
from bganalyze.statistics.tables import games, matches
from bganalyze.statistics.tables.schema import (
    GAME,
    MATCH,
    SIDES,
    Column,
    Columns,
    Schema,
    by_column,
    category,
    flag,
    maybe_number,
    measure,
    number,
    text,
)


def counted_by(metric: Metric) -> str:
    """Return the column that says what a metric counts.

    >>> [counted_by(metric) for metric in METRICS if metric.unit == "PR"]
    ['xg_a_counts', 'xg_b_counts']
    """
    return f"{metric.name.replace('-', '_')}_counts"


class _Match(NamedTuple):
    """An analyzed match in its place."""

    match: int
    analyzed: AnalyzedMatch


class _Game(NamedTuple):
    """A game of an analyzed match, with its first roll."""

    match: int
    analyzed: AnalyzedMatch
    result: GameResult
    dice: str | None

    @property
    def away(self) -> tuple[int | None, int | None]:
        """The points that either side needs; none are needed in money play."""
        length, left, right = self.result.length, self.result.left, self.result.right
        return (length - left, length - right) if length else (None, None)

    @property
    def stage(self) -> str:
        """Where in the match the game stands."""
        result = self.result
        if not result.length:
            return "money"
        if result.crawford:
            return "crawford"
        return games.stage_at(result.length, (result.left, result.right))


class _Decision(NamedTuple):
    """A decision of an analyzed match, in its place, and as a problem where its loss is known."""

    match: int
    decision: int
    row: AnalyzedDecision
    problem: Problem | None


def decision(number: int, place: int, row: AnalyzedDecision) -> _Decision:
    """Return a decision as the columns of the table ask for it."""
    return _Decision(number, place, row, problem(row))


MATCHES = Schema(
    "matches",
    "One row for each match and each engine, version and level that has analyzed it.",
    ("match",),
    (
        number("match", "The analyzed match, counted from 0."),
        *matches.SCHEMA.shared(
            path=lambda m: m.analyzed.path,
            number=lambda m: m.analyzed.number,
            site=lambda m: m.analyzed.site,
            date=lambda m: _midnight(m.analyzed.date),
            left=lambda m: m.analyzed.names[0],
            right=lambda m: m.analyzed.names[1],
        ),
        maybe_number("length", "Points to win; 0 for money play.", lambda m: m.analyzed.length),
        category("engine", "Who analyzed it.", lambda m: m.analyzed.key.engine),
        category(
            "version",
            "Its version; of `recorded`, the program that analyzed.",
            lambda m: m.analyzed.key.version,
        ),
        category(
            "level",
            "How deep: levels of different engines are not comparable.",
            lambda m: m.analyzed.key.level,
        ),
        *matches.SCHEMA.shared(content=lambda m: m.analyzed.record or None, copy_of=lambda _: None),
    ),
)

GAMES = Schema(
    "games",
    "One row for each game of an analyzed match.",
    ("match", "game"),
    (
        MATCH,
        GAME._replace(value=lambda g: g.result.game),
        *games.SCHEMA.shared(
            left=lambda g: g.result.left_name or g.analyzed.names[0],
            right=lambda g: g.result.right_name or g.analyzed.names[1],
            left_score=lambda g: g.result.left,
            right_score=lambda g: g.result.right,
            left_away=lambda g: g.away[0],
            right_away=lambda g: g.away[1],
            stage=lambda g: g.stage,
            winner=lambda g: None if g.result.winner is None else SIDES[g.result.winner],
        ),
        maybe_number("points", "Points as the record has them.", lambda g: g.result.points),
        measure(
            "worth",
            "What the winner gained: chance to win the match, by Kazaross-XG2; in money play, points.",
            lambda g: g.result.worth(),
        ),
        category(
            "opened",
            "The first roll of the game.",
            lambda g: g.dice and "-".join(sorted(g.dice, reverse=True)),
        ),
    ),
)


def _recorded(name: str, dtype: str, meaning: str, choices: tuple[str, ...] = ()) -> Column:
    """A column that holds what the analyzed decision has under that name."""
    return Column(name, dtype, meaning, attrgetter(f"row.{name}"), choices)


def _of_problem(name: str) -> Callable[[_Decision], Any]:
    return lambda e: e.problem and getattr(e.problem, name)


def _is_counted_by(metric: Metric) -> Callable[[_Decision], bool]:
    return lambda e: metric.counts(e.row) and metric.lost(e.row) is not None


SCHEMA = Schema(
    "decisions",
    "One row for each decision of an analyzed match. Equities are normalized to the cube before it (EMG) and those of the side that rolls or doubles.",
    ("match", "decision"),
    (
        MATCH,
        GAME._replace(value=lambda e: e.row.game),
        number("decision", "The place among the decisions of the match, from 1."),
        _recorded("place", "str", "Line and column of the file."),
        category("side", "Who decides.", lambda e: SIDES[e.row.side], SIDES),
        category("kind", "What was decided.", lambda e: e.row.kind.value, tuple(Kind)),
        _recorded(
            "phase", "category", "The phase of the position; of an answer, of the double.", PHASES
        ),
        _recorded(
            "depth",
            "category",
            "How deep the engine looked, where that differs from decision to decision: in what other programs have stored in a file.",
        ),
        _recorded("dice", "category", "The roll that was played."),
        _recorded("played", "str", "The play as made."),
        text(
            "better",
            "What would have been better: a play, or what to do with the cube; missing where nothing was.",
            lambda e: better(e.row),
        ),
        text("made", "What was played, or done with the cube, in words.", _of_problem("made")),
        text("solution", "What the engine considers best, in words.", _of_problem("best")),
        _recorded("xgid", "str", "The position, before the decision."),
        _recorded(
            "legal",
            "boolean",
            "Whether the play is legal; no for an illegal double and its answers; missing elsewhere.",
        ),
        _recorded("forced", "bool", "Whether the roll left no choice."),
        _recorded("verified", "bool", "Whether the board is beyond doubt."),
        _recorded("cube", "int32", "The value of the cube; of an answer, before the double."),
        _recorded(
            "best", "float64", "Equity of the best play; of a game given up, of the better choice."
        ),
        _recorded("reached", "float64", "Equity of the play, or the choice, as made."),
        _recorded("spread", "float64", "Between the best play and the worst that was looked at."),
        _recorded("no_double", "float64", "Equity without a double."),
        _recorded("take", "float64", "Equity after a double that is taken."),
        _recorded("passed", "float64", "Equity after a double that is passed."),
        measure(
            "loss", "Equity given away; missing where the engine says nothing.", _of_problem("loss")
        ),
        measure(
            "cost",
            "The same as chance to win the match; in money play, points.",
            _of_problem("cost"),
        ),
        _recorded("luck", "float64", "Equity of the best play less the mean over all rolls."),
        measure(
            "luck_cost",
            "The same as chance to win the match, or points.",
            lambda e: None if e.row.luck is None else luck_chance(e.row),
        ),
        category(
            "cube_error",
            "The class of a wrong cube decision, by GNU Backgammon's names.",
            lambda e: (e.problem and e.problem.error) or None,
            tuple(CubeError),
        ),
        *(
            flag(counted_by(metric), f"Whether `{metric.name}` counts it.", _is_counted_by(metric))
            for metric in METRICS
        ),
    ),
)

ANALYZED_SCHEMAS = (MATCHES, GAMES, SCHEMA)
"""The tables of analyzed matches, in the order of what they are about."""


def analyzed_columns(number: int, match: AnalyzedMatch) -> list[Columns]:
    """Return the columns of an analyzed match, counted from 0, in each of these tables."""
    dice = {
        game: next((row.dice for row in rows if row.dice), None)
        for game, rows in groupby(match.rows, key=lambda row: row.game)
    }
    entries: tuple[Sequence[object], ...] = (
        [_Match(number, match)],
        [_Game(number, match, result, dice.get(result.game)) for result in match.results],
        [decision(number, place, row) for place, row in enumerate(match.rows, 1)],
    )
    return [
        by_column(rows, schema.columns)
        for rows, schema in zip(entries, ANALYZED_SCHEMAS, strict=True)
    ]


def _midnight(day: dt.date | None) -> dt.datetime | None:
    return None if day is None else dt.datetime.combine(day, dt.time())
