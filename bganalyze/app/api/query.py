"""`query`: SQL over the tables of a store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import FilePath
from bganalyze.record.players import Players

if TYPE_CHECKING:
    import pandas as pd


@check_arguments
def query(
    sql: str,
    store: FilePath,
    *,
    players: Callable[[str], str] | None = None,
    memory: str = "1GB",
    seconds: float = 300.0,
) -> pd.DataFrame:
    """Query a store with SQL (DuckDB's dialect), and return the rows.

    The tables are `matches`, `games`, `turns`, `cubes` and `findings`, as `tabulate` returns them,
    and `analyzed_matches`, `analyzed_games` and `decisions`. A query changes nothing and reads only
    the store.

    - `players` maps written names to players.
    - `memory` and `seconds` limit the query; 0 seconds set no limit.

    Raises QueryError if the query is wrong or meets a limit, MatchStoreError if the store cannot be
    read, and ValueError if `memory` is not an amount such as 500MB.
    """
    from bganalyze.statistics.store.memory import parse_size
    from bganalyze.statistics.store.query import QueryLimits, run_query

    limits = QueryLimits(parse_size(memory), seconds)
    with run_query(Path(store), sql, players or Players(), limits) as answered:
        frame: pd.DataFrame = answered.arrow().to_pandas()
        return frame
