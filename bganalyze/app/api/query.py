"""`query`: SQL over the tables of a store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.app.api.sources import FilePath
from bganalyze.record.players import Players

if TYPE_CHECKING:
    import pandas as pd


def query(
    sql: str,
    store: FilePath,
    *,
    players: Callable[[str], str] | None = None,
    memory: str = "1GB",
    seconds: float = 300.0,
) -> pd.DataFrame:
    """Return the answer of a store to a query in DuckDB's SQL.

    The tables are `matches`, `games`, `turns`, `cubes` and `findings`, as `tabulate` returns them, and of
    analyses that the store keeps `analyzed_matches`, `analyzed_games` and `decisions`. A query
    changes nothing and reads nothing but the store. `memory` and `seconds` (0 for no limit) limit what
    it may take; `players` returns the player whom a written name stands for. Raises QueryError if the
    query is wrong or meets a limit, and MatchStoreError if the store cannot be read.
    """
    from bganalyze.statistics.store.query import QueryLimits, asking

    limits = QueryLimits(memory, seconds)
    with asking(Path(store), sql, players or Players(), limits) as answered:
        frame: pd.DataFrame = answered.arrow().to_pandas()
        return frame
