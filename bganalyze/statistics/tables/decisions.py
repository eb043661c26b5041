"""The tables of analyzed matches: matches, games, and a row for each decision with its evaluation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decision_kinds import DecisionKind, kind_of_decision
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import Problem, better_action, describe_problem
from bganalyze.analysis.error_rates import METRICS, Metric
from bganalyze.analysis.gnubg_statistics import CubeError, luck_in_match_chance
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.position_classes import (
    ClassifiedPosition,
    PositionClass,
    Role,
    classify_decision,
)
from bganalyze.board.position import PHASES
from bganalyze.statistics.tables import games, matches
from bganalyze.statistics.tables.schema import (
    GAME,
    MATCH,
    SIDES,
    Column,
    Columns,
    Schema,
    category,
    compute_columns,
    flag,
    maybe_number,
    measure,
    number,
    text,
)
from bganalyze.statistics.tables.sequences import write_analyzed_sequence


def name_counted_column(metric: Metric) -> str:
    """Return the name of the column that says whether a metric counts a decision.

    >>> [name_counted_column(metric) for metric in METRICS if metric.unit == "PR"]
    ['xg_a_counts', 'xg_b_counts']
    """
    return f"{metric.name.replace('-', '_')}_counts"


class _Match(NamedTuple):
    """An analyzed match with its number."""

    match: int
    analyzed: AnalyzedMatch

    @property
    def sequence(self) -> str:
        """The rolls and plays of the match as text, by which copies are found."""
        return write_analyzed_sequence(self.analyzed.rows)


class _Game(NamedTuple):
    """A game of an analyzed match, with its first roll."""

    match: int
    """The number of the match."""
    analyzed: AnalyzedMatch
    result: GameResult
    dice: str | None
    """The first roll of the game; None if it has none."""

    @property
    def away(self) -> tuple[int | None, int | None]:
        """The points that each side still needs; None in money play."""
        length, left, right = self.result.length, self.result.left, self.result.right
        return (length - left, length - right) if length else (None, None)

    @property
    def stage(self) -> str:
        """The stage of the match before the game, such as `crawford` or `money`."""
        result = self.result
        if not result.length:
            return "money"
        if result.crawford:
            return "crawford"
        return games.name_stage_at_score(result.length, (result.left, result.right))


class _Decision(NamedTuple):
    """A decision of an analyzed match, with its place in the match and a description in words."""

    match: int
    """The number of the match."""
    decision: int
    """The number of the decision in the match, from 1."""
    row: AnalyzedDecision
    problem: Problem | None
    """Question, answer given, best answer and loss; None if the loss is unknown."""
    classified: ClassifiedPosition | None
    """The class of its position; None for a resignation or its answer, or an unknown phase."""


def make_decision(match_number: int, place: int, row: AnalyzedDecision) -> _Decision:
    """Describe an analyzed decision, with its error and the class of its position in words.

    `place` is the decision's number in the match, from 1.
    """
    return _Decision(match_number, place, row, describe_problem(row), classify_decision(row))


MATCHES = Schema(
    "matches",
    "One row for each match and each engine, version and level that has analyzed it.",
    ("match",),
    (
        number("match", "The analyzed match, counted from 0."),
        *matches.SCHEMA.copy_columns(
            path=lambda m: m.analyzed.path,
            number=lambda m: m.analyzed.number,
            site=lambda m: m.analyzed.site,
            date=lambda m: _convert_to_datetime(m.analyzed.date),
            left=lambda m: m.analyzed.names[0],
            right=lambda m: m.analyzed.names[1],
        ),
        maybe_number("length", "Points to win; 0 for money play.", lambda m: m.analyzed.length),
        category("engine", "The engine that analyzed it.", lambda m: m.analyzed.key.engine),
        category(
            "version",
            "The version of the engine; for `recorded`, the program that analyzed.",
            lambda m: m.analyzed.key.version,
        ),
        category(
            "level",
            "The search level; levels of different engines are not comparable.",
            lambda m: m.analyzed.key.level,
        ),
        *matches.SCHEMA.copy_columns(
            content=lambda m: m.analyzed.record or None,
            recorded_rolls=lambda m: len(m.sequence) // 2,
            sequence=lambda m: m.sequence,
            **dict.fromkeys(("copy_of", "compared", "shared", "same_plays"), lambda _: None),
        ),
    ),
)

GAMES = Schema(
    "games",
    "One row for each game of an analyzed match.",
    ("match", "game"),
    (
        MATCH,
        GAME._replace(value=lambda g: g.result.game),
        *games.SCHEMA.copy_columns(
            left=lambda g: g.result.left_name or g.analyzed.names[0],
            right=lambda g: g.result.right_name or g.analyzed.names[1],
            left_score=lambda g: g.result.left,
            right_score=lambda g: g.result.right,
            left_away=lambda g: g.away[0],
            right_away=lambda g: g.away[1],
            stage=lambda g: g.stage,
            winner=lambda g: None if g.result.winner is None else SIDES[g.result.winner],
            counted_elsewhere=lambda _: False,
        ),
        maybe_number(
            "points",
            "Points recorded in the match file; missing if the result is disputed.",
            lambda g: g.result.points,
        ),
        measure(
            "worth",
            "The winner's gain: match-winning chance, by Kazaross-XG2; in money play, points.",
            lambda g: g.result.compute_gain_of_winner(),
        ),
        category(
            "opened",
            "The first roll of the game.",
            lambda g: g.dice and "-".join(sorted(g.dice, reverse=True)),
        ),
    ),
)


def _declare_column(name: str, dtype: str, meaning: str, choices: tuple[str, ...] = ()) -> Column:
    """Return a column whose values are the attribute `name` of the decisions."""
    return Column(name, dtype, meaning, attrgetter(f"row.{name}"), choices)


def _make_error_getter(name: str) -> Callable[[_Decision], Any]:
    """Return a function from a decision to the attribute `name` of its error.

    The function returns None for a decision whose loss is unknown.
    """
    return lambda e: e.problem and getattr(e.problem, name)


def _make_counted_getter(metric: Metric) -> Callable[[_Decision], bool]:
    """Return a function that says whether a metric such as PR counts a decision."""
    return lambda e: metric.counts(e.row) and metric.lost(e.row) is not None


SCHEMA = Schema(
    "decisions",
    "One row for each decision of an analyzed match. Equities are normalized to the cube before it (EMG) and those of the side that rolls or doubles.",
    ("match", "decision"),
    (
        MATCH,
        GAME._replace(value=lambda e: e.row.game),
        number("decision", "The number of the decision in the match, from 1."),
        text(
            "row",
            "The label of the row in the match file.",
            lambda e: e.row.row and e.row.row.strip(),
        ),
        _declare_column("place", "str", "Line and column of the file."),
        category("side", "The side that decides.", lambda e: SIDES[e.row.side], SIDES),
        category("kind", "The kind of decision.", lambda e: e.row.kind.value, tuple(Kind)),
        _declare_column(
            "phase",
            "category",
            "The phase of the position; for an answer, the phase at the double.",
            PHASES,
        ),
        _declare_column(
            "depth",
            "category",
            "The search depth, if it differs between decisions, as in analyses stored by other programs.",
        ),
        _declare_column("dice", "category", "The roll that was played."),
        _declare_column("played", "str", "The recorded play."),
        text(
            "better",
            "A better play or cube action; missing if the decision was right or was not analyzed.",
            lambda e: better_action(e.row),
        ),
        text("made", "The recorded action, in words.", _make_error_getter("made")),
        text(
            "solution",
            "The best action by the engine's evaluation, in words.",
            _make_error_getter("best"),
        ),
        _declare_column("xgid", "str", "The position before the decision, as an XGID."),
        _declare_column(
            "legal",
            "boolean",
            "Whether the play is legal; also false for an illegal double and its answers, missing for other decisions.",
        ),
        _declare_column("forced", "bool", "Whether the roll left no choice."),
        _declare_column("verified", "bool", "Whether the board is verified."),
        _declare_column(
            "cube", "int32", "The value of the cube; for an answer, before the double."
        ),
        _declare_column(
            "offer",
            "int32",
            "The value of the cube if the double is taken, or the points given up; 0 for other decisions, and for points that are not recorded.",
        ),
        _declare_column(
            "best", "float64", "Equity of the best play; for a resignation, of the better choice."
        ),
        _declare_column("reached", "float64", "Equity of the recorded play or choice."),
        _declare_column(
            "spread",
            "float64",
            "Equity difference between the best and the worst play that the engine lists.",
        ),
        _declare_column("no_double", "float64", "Equity without a double."),
        _declare_column("take", "float64", "Equity after double and take."),
        _declare_column("passed", "float64", "Equity after double and pass."),
        measure(
            "loss",
            "Equity given away; missing without an evaluation.",
            _make_error_getter("loss"),
        ),
        measure(
            "cost",
            "The loss as match-winning chance; in money play, as points.",
            _make_error_getter("cost"),
        ),
        _declare_column(
            "luck",
            "float64",
            "Luck of the roll: equity of the best play minus the mean over all rolls.",
        ),
        measure(
            "luck_cost",
            "The luck as match-winning chance; in money play, as points.",
            lambda e: None if e.row.luck is None else luck_in_match_chance(e.row),
        ),
        category(
            "cube_error",
            "The class of a wrong cube decision, by GNU Backgammon's names.",
            lambda e: (e.problem and e.problem.error) or None,
            tuple(CubeError),
        ),
        category(
            "decision_kind",
            "The kind of decision: a play by its phase, a no double by the side of the cash point, a double, a take or a pass.",
            lambda e: kind_of_decision(e.row),
            tuple(DecisionKind),
        ),
        category(
            "position_class",
            "The class of the position: blitz, holding game, back game, ...",
            lambda e: e.classified and e.classified.kind,
            tuple(PositionClass),
        ),
        category(
            "class_role",
            "The side whose plan gives the class its name, seen by the side that decides.",
            lambda e: e.classified and e.classified.role,
            tuple(Role),
        ),
        *(
            flag(
                name_counted_column(metric),
                f"Whether the error rate `{metric.name}` counts the decision.",
                _make_counted_getter(metric),
            )
            for metric in METRICS
        ),
    ),
)

ANALYZED_SCHEMAS = (MATCHES, GAMES, SCHEMA)
"""The tables of analyzed matches, from the largest unit to the smallest."""


def tabulate_analyzed_match(match_number: int, match: AnalyzedMatch) -> list[Columns]:
    """Return the rows of an analyzed match for the tables of matches, games and decisions."""
    dice = {
        game: next((row.dice for row in rows if row.dice), None)
        for game, rows in groupby(match.rows, key=lambda row: row.game)
    }
    entries: tuple[Sequence[object], ...] = (
        [_Match(match_number, match)],
        [_Game(match_number, match, result, dice.get(result.game)) for result in match.results],
        [make_decision(match_number, place, row) for place, row in enumerate(match.rows, 1)],
    )
    return [
        compute_columns(rows, schema.columns)
        for rows, schema in zip(entries, ANALYZED_SCHEMAS, strict=True)
    ]


def _convert_to_datetime(day: dt.date | None) -> dt.datetime | None:
    """Return the start of a day, or None without a day."""
    return None if day is None else dt.datetime.combine(day, dt.time())
