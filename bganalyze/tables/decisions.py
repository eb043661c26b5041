"""The tables of judged matches: matches, games, and a row for each decision with its verdict."""

from __future__ import annotations

import datetime as dt
from itertools import groupby
from typing import Any

from bganalyze.features.structure import PHASES
from bganalyze.judging.decisions import Kind
from bganalyze.judging.describe import problem
from bganalyze.judging.match import JudgedMatch
from bganalyze.judging.metrics import METRICS, Metric
from bganalyze.judging.metrics.figures import GameResult
from bganalyze.judging.metrics.gnubg import CubeError, luck_chance
from bganalyze.judging.verdict import JudgedDecision
from bganalyze.tables import games, matches
from bganalyze.tables.matches import FEWEST_PLAYS
from bganalyze.tables.schema import GAME, MATCH, SIDES, Column, Row, Schema


def _shared(schema: Schema, *names: str) -> tuple[Column, ...]:
    """The columns that a table shares with that of the same name made of files."""
    return tuple(column for column in schema.columns if column.name in names)


def counted_by(metric: Metric) -> str:
    """Return the column that says what a metric counts.

    >>> [counted_by(metric) for metric in METRICS]
    ['gnubg_counts', 'snowie_counts', 'xg_a_counts', 'xg_b_counts', 'mwc_counts']
    """
    return f"{metric.name.replace('-', '_')}_counts"


MATCHES = Schema(
    "matches",
    "One row for each match and each engine, version and level that has judged it.",
    ("match",),
    (
        Column("match", "int32", "The judged match, counted from 0."),
        *_shared(matches.SCHEMA, "path", "number", "site", "date", "left", "right"),
        Column("length", "Int32", "Points to win; 0 for money play."),
        Column("engine", "category", "Who judged it."),
        Column("version", "category", "Its version; of `recorded`, the program that judged."),
        Column("level", "category", "How deep: levels of different engines are not comparable."),
        Column(
            "content",
            "str",
            "A digest of the decisions and scores: the same for the same match from another file, whatever the names and columns; missing where too little is recorded to tell.",
        ),
        *_shared(matches.SCHEMA, "copy_of"),
    ),
)

GAMES = Schema(
    "games",
    "One row for each game of a judged match.",
    ("match", "game"),
    (
        MATCH,
        GAME,
        *_shared(
            games.SCHEMA,
            *("left", "right", "left_score", "right_score", "left_away", "right_away", "winner"),
        ),
        Column("points", "Int32", "Points as the record has them."),
        Column(
            "worth",
            "float64",
            "What the winner gained: chance to win the match, by Kazaross-XG2; in money play, points.",
        ),
        Column("opened", "category", "The first throw of the game."),
    ),
)

SCHEMA = Schema(
    "decisions",
    "One row for each decision of a judged match. Equities are normalised to the cube before it (EMG) and those of the side that throws or doubles.",
    ("match", "decision"),
    (
        MATCH,
        GAME,
        Column("decision", "int32", "The place among the decisions of the match, from 1."),
        Column("place", "str", "Line and column of the file."),
        Column("side", "category", "Who decides.", SIDES),
        Column("kind", "category", "What was decided.", tuple(Kind)),
        Column(
            "phase", "category", "The phase of the position; of an answer, of the double.", PHASES
        ),
        Column("dice", "category", "The throw that was played."),
        Column("played", "str", "The play as made."),
        Column("better", "str", "The best play."),
        Column("made", "str", "What was played, or done with the cube, in words."),
        Column("solution", "str", "What the engine holds for best, in words."),
        Column("xgid", "str", "The position, before the decision."),
        Column("legal", "boolean", "Whether the play is legal; missing where there is none."),
        Column("forced", "bool", "Whether the throw left no choice."),
        Column("verified", "bool", "Whether the board is beyond doubt."),
        Column("cube", "int32", "The value of the cube; of an answer, before the double."),
        Column(
            "best", "float64", "Equity of the best play; of a game given up, of the better choice."
        ),
        Column("reached", "float64", "Equity of the play, or the choice, as made."),
        Column("spread", "float64", "Between the best play and the worst that was looked at."),
        Column("no_double", "float64", "Equity without a double."),
        Column("take", "float64", "Equity after a double that is taken."),
        Column("drop", "float64", "Equity after a double that is dropped."),
        Column("loss", "float64", "Equity given away; missing where the engine says nothing."),
        Column("cost", "float64", "The same as chance to win the match; in money play, points."),
        Column("luck", "float64", "Equity of the best play less the mean over all throws."),
        Column("luck_cost", "float64", "The same as chance to win the match, or points."),
        Column(
            "cube_error", "category", "GNU Backgammon's class of a wrong one.", tuple(CubeError)
        ),
        *(
            Column(counted_by(metric), "bool", f"Whether `{metric.name}` counts it.")
            for metric in METRICS
        ),
    ),
)

JUDGED_SCHEMAS = (MATCHES, GAMES, SCHEMA)
"""The tables of judged matches, in the order of what they are about."""


def match_row(number: int, match: JudgedMatch) -> Row:
    """Return the row of a match."""
    plays = sum(row.kind is Kind.PLAY for row in match.rows)
    return {
        "match": number,
        "path": match.path,
        "number": match.number,
        "site": match.site,
        "date": match.date and dt.datetime.combine(match.date, dt.time()),
        "left": match.names[0],
        "right": match.names[1],
        "length": match.length,
        "engine": match.key.engine,
        "version": match.key.version,
        "level": match.key.level,
        "content": match.record if plays >= FEWEST_PLAYS else None,
        "copy_of": None,
    }


def game_rows(number: int, match: JudgedMatch) -> list[Row]:
    """Return the rows of the games of a match."""
    opened = {
        game: next((row.dice for row in rows if row.dice), None)
        for game, rows in groupby(match.rows, key=lambda row: row.game)
    }
    return [_game(number, match, result, opened.get(result.game)) for result in match.results]


def decision_rows(number: int, match: JudgedMatch) -> list[Row]:
    """Return the rows of the decisions of a match."""
    return [decision_row(number, place, row) for place, row in enumerate(match.rows, 1)]


def _game(number: int, match: JudgedMatch, result: GameResult, opened: str | None) -> Row:
    names = (result.left_name or match.names[0], result.right_name or match.names[1])
    needed = (result.length - result.left, result.length - result.right)
    away = needed if result.length else (None, None)
    return {
        "match": number,
        "game": result.game,
        "left": names[0],
        "right": names[1],
        "left_score": result.left,
        "right_score": result.right,
        "left_away": away[0],
        "right_away": away[1],
        "winner": None if result.winner is None else SIDES[result.winner],
        "points": result.points,
        "worth": result.worth(),
        "opened": opened and "-".join(sorted(opened, reverse=True)),
    }


_AS_KEPT = (
    *("game", "place", "dice", "played", "better", "xgid", "legal", "forced", "verified", "cube"),
    *("best", "reached", "spread", "no_double", "take", "drop", "luck"),
)
"""The columns that are kept under the same name."""


def decision_row(number: int, place: int, row: JudgedDecision) -> Row:
    """Return the row of a decision."""
    told = problem(row)
    made: dict[str, Any] = {name: getattr(row, name) for name in _AS_KEPT}
    return {
        **made,
        "match": number,
        "decision": place,
        "side": SIDES[row.side],
        "kind": str(row.kind),
        "phase": row.phase,
        "made": told and told.made,
        "solution": told and told.best,
        "loss": told and told.loss,
        "cost": told and told.cost,
        "luck_cost": None if row.luck is None else luck_chance(row),
        "cube_error": (told and told.error) or None,
        **{
            counted_by(metric): metric.counts(row) and metric.lost(row) is not None
            for metric in METRICS
        },
    }
