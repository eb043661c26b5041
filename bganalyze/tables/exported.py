"""Exported decisions: the rows of the table of decisions, each with its match and in words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import pandas as pd

from bganalyze.judging.describe import problem
from bganalyze.judging.metrics.gnubg import MARKS
from bganalyze.judging.select import Picked
from bganalyze.tables import decisions
from bganalyze.tables.frames import as_array
from bganalyze.tables.schema import Column, Row, Schema, by_column

_OF_MATCH = ("path", "number", "date", "site", "engine", "version", "level")
_ELSEWHERE = ("match", "side")
"""Columns of the table of decisions that say nothing in a table by itself."""

SCHEMA = Schema(
    "exported decisions",
    f"{decisions.SCHEMA.about} Each has its match beside it.",
    ("path", "number", "decision", "engine", "version", "level"),
    (
        *(column for column in decisions.MATCHES.columns if column.name in _OF_MATCH),
        Column("player", "category", "Who decided."),
        Column("opponent", "category", "The other."),
        Column("length", "Int32", "Points to win; 0 for money play."),
        Column("own_score", "Int32", "Of the player, before the game."),
        Column("other_score", "Int32", "Of the opponent, before the game."),
        Column("crawford", "bool", "Whether it is the Crawford game."),
        Column("row", "str", "The row of the record, as written."),
        Column("mark", "category", "How bad it was by GNU Backgammon's marks.", tuple(MARKS)),
        *(column for column in decisions.SCHEMA.columns if column.name not in _ELSEWHERE),
    ),
)


def frame(picks: Iterable[Picked]) -> pd.DataFrame:
    """Return decisions as a table.

    >>> frame([]).columns[0]
    'path'
    """
    columns = by_column([_row(each) for each in picks], SCHEMA.columns)
    return pd.DataFrame({column.name: as_array(column, [columns]) for column in SCHEMA.columns})


def _row(each: Picked) -> Row:
    match, row, told = each.match, each.row, problem(each.row)
    names, scores = each.names, (row.left, row.right)
    return {
        **decisions.decision_row(0, each.place, row),
        **match.key._asdict(),
        "path": _text(match.path),
        "number": match.number,
        "date": match.date and dt.datetime.combine(match.date, dt.time()),
        "site": match.site,
        "player": names[row.side],
        "opponent": names[1 - row.side],
        "length": row.length,
        "own_score": scores[row.side],
        "other_score": scores[1 - row.side],
        "crawford": row.crawford,
        "row": row.row and row.row.strip(),
        "mark": (told and told.mark) or None,
    }


def _text(path: str) -> str:
    """A path as text: what cannot be decoded in it is spelled out."""
    return path.encode("utf-8", "backslashreplace").decode()
