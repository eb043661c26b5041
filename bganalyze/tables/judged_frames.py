"""Judged matches as pandas DataFrames, each with its row for every engine that has judged it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import pandas as pd

from bganalyze.judging.match import JudgedMatch
from bganalyze.names import Players
from bganalyze.tables.decisions import SCHEMAS, decision_rows, game_rows, match_row
from bganalyze.tables.frames import Growing, mark_copies, name_players
from bganalyze.tables.schema import by_column

EDITION = ("engine", "version", "level")
"""What judged a match. Verdicts of different ones are never put together."""


class JudgedTables(NamedTuple):
    """The tables of judged matches; `match` and `game` join them."""

    matches: pd.DataFrame
    games: pd.DataFrame
    decisions: pd.DataFrame


def tabulate_judged(
    matches: Iterable[JudgedMatch], player: Callable[[str], str] | None = None
) -> JudgedTables:
    """Return judged matches as tables, in their order.

    `player` says who a written name is, as for `collected`. A match that the same engine has judged
    before under other names, or with its columns exchanged, is marked as a copy.

    >>> len(tabulate_judged([]).decisions)
    0
    """
    growing = [Growing(schema.columns) for schema in SCHEMAS]
    for number, match in enumerate(matches):
        rows = ([match_row(number, match)], game_rows(number, match), decision_rows(number, match))
        for table, schema, made in zip(growing, SCHEMAS, rows, strict=True):
            table.add(by_column(made, schema.columns), 0)
    tables = JudgedTables(*(table.frame() for table in growing))
    name_players(tables, player or Players())
    mark_copies(tables.matches, ("content", *EDITION))
    return tables
