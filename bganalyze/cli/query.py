"""`bganalyze query`: SQL over the tables of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bganalyze.cli.endings import refuse, refusing
from bganalyze.cli.io import write
from bganalyze.cli.options import takes


def command(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A query, as DuckDB knows them.")],
    store: Annotated[Path | None, takes("DIR", "The folder that collect keeps.")] = None,
) -> None:
    """Ask the tables of a store in SQL.

    Example:

        bganalyze query "SELECT count(*) FROM games" --store club
    """
    from bganalyze.store.manifest import MatchStoreError
    from bganalyze.store.views import connected

    if store is None:
        raise refuse("--store names the folder that collect keeps")
    with refusing(MatchStoreError):
        connection = connected(store)
    frame = connection.execute(sql).df()
    write([str(frame.to_csv(index=False, lineterminator="\n"))])
