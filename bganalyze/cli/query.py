"""`bganalyze query`: SQL over the tables of a store."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.cli import options
from bganalyze.cli.endings import refuse, refusing
from bganalyze.cli.io import page, players, settings, write_bytes, write_file
from bganalyze.cli.options import one_of, takes
from bganalyze.config import Config
from bganalyze.files.reading import STANDARD_INPUT
from bganalyze.render import QUERY_FORMATS, render_answered
from bganalyze.store.manifest import MatchStoreError


def command(
    sql: Annotated[
        str,
        typer.Argument(
            metavar="SQL", help="A query in DuckDB's SQL; - reads it from standard input."
        ),
    ],
    store: options.StoreFolder = None,
    format: Annotated[str, one_of(QUERY_FORMATS, "FORMAT", "How rows are written.")] = "table",
    out: Annotated[Path | None, takes("FILE", "Write to this file instead of the screen.")] = None,
    force: options.Force = False,
    aliases: options.Aliases = None,
    color: options.Colour = "auto",
) -> None:
    """Query a store with SQL.

    The tables are matches, games, turns, cubes and findings, joined by `match`, `game`
    and `turn`. DESCRIBE lists the columns, and duckdb_columns() explains them:

        bganalyze query "SELECT column_name, comment FROM duckdb_columns()" --store club

    A match that was collected twice has the number of the first copy as its copy_of.
    A query changes nothing, and reads nothing but the store. Put column names that are
    keywords of SQL in double quotes: "left", "right".

    Exit status: 2 if the query or the store is wrong, else 0.

    Example:

        bganalyze query "SELECT site, count(*) FROM matches GROUP BY ALL" --store club
        bganalyze query "FROM games WHERE points_won > 8" --store club --format csv
    """
    if store is None:
        raise refuse("name the folder of a store with --store; bganalyze collect makes one")
    options.require_store_packages()
    if format == "parquet" and out is None and sys.stdout.isatty():
        raise refuse("parquet is not for the screen; name a file with --out")
    from bganalyze.store.query import QueryError, ask

    sql = sys.stdin.read() if sql == STANDARD_INPUT else sql
    called = players(settings(".", Config(aliases=aliases)))
    with refusing(MatchStoreError, QueryError):
        pieces = render_answered(ask(store, sql, called), format, page(colour=color))
        if out is None:
            write_bytes(pieces)
        else:
            write_file(out, b"".join(pieces), force=force)
