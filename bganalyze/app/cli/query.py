"""`bganalyze query`: SQL over the tables of a store."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from bganalyze import NAME
from bganalyze.app.cli import options
from bganalyze.app.cli.exit_status import exit_on, print_note, refuse
from bganalyze.app.cli.io import (
    load_players,
    load_settings,
    make_output_options,
    write_bytes,
    write_file,
)
from bganalyze.app.cli.options import choice_option, value_option
from bganalyze.app.config import Config
from bganalyze.app.render import QUERY_FORMATS, render_query_result
from bganalyze.files.reading import STANDARD_INPUT
from bganalyze.statistics.store.manifest import MatchStoreError


def parse_memory_size(text: str) -> str:
    """Return an amount of memory as DuckDB spells it; end the run for text that is no amount.

    >>> parse_memory_size("500 mb")
    '500MB'
    """
    from bganalyze.statistics.store.memory import parse_size  # Queries alone need it.

    try:
        return parse_size(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def command(
    sql: Annotated[
        str,
        typer.Argument(
            metavar="SQL",
            help="A query in DuckDB's SQL; - reads it from standard input.",
            callback=options.require_text,
        ),
    ],
    store: options.StoreFolder = None,
    format: Annotated[
        str, choice_option(QUERY_FORMATS, "FORMAT", "How rows are written.")
    ] = "table",
    out: Annotated[
        Path | None, value_option("FILE", "Write to this file instead of the screen.")
    ] = None,
    force: options.Force = False,
    timeout: Annotated[
        float, value_option("SECONDS", "How long the query may take; 0 for no limit.", min=0)
    ] = 300,
    memory: Annotated[
        str,
        value_option(
            "SIZE", "How much memory the query may take: 500MB, 4GB.", parser=parse_memory_size
        ),
    ] = "1GB",
    aliases: options.Aliases = None,
    color: options.Color = "auto",
) -> None:
    """Query a store with SQL.

    The tables are matches, games, turns, cubes and findings, joined by `match`, `game`
    and `turn`, and copies, which has pairs of records of the same match. SHOW TABLES lists
    the tables, DESCRIBE the columns of one, and duckdb_columns() explains them:

        bganalyze query "SHOW TABLES" --store club
        bganalyze query "DESCRIBE games" --store club
        bganalyze query "SELECT column_name, comment FROM duckdb_columns()" --store club

    The analyses of the store are analyzed_matches, analyzed_games and decisions, joined
    by `analysis`; their `match` is that of the store.

    If a match was collected twice, only one record of it counts, the fuller one or else
    the first; in the other one, copy_of is the number of the record that counts. If two
    records share only some games, a game that is fuller in the other record is marked as
    `counted_elsewhere` and does not count.

    A query changes nothing, and reads only the store; if a collected file has changed since,
    a line on standard error says so (in stores of up to 5,000 files). `path` is relative to the current
    folder if it was collected as a relative path that is valid there, else absolute. Data
    beyond --memory goes to a temporary folder until the query ends. Put column names that
    are SQL keywords in double quotes: "left", "right".

    Exit status: 2 if the query or the store is wrong or a limit is met, else 0.

    Example:

        bganalyze query "SELECT site, count(*) FROM matches GROUP BY ALL" --store club
        bganalyze query "FROM games WHERE counting > 8" --store club --format csv
        bganalyze query "SELECT match, sum(loss) FROM decisions GROUP BY 1" --store club
    """
    if store is None:
        raise refuse("name the folder of a store with --store; bganalyze collect makes one")
    options.require_store_packages()
    if format == "parquet" and out is None and sys.stdout.isatty():
        raise refuse("parquet is not for the screen; name a file with --out")
    from bganalyze.statistics.store.freshness import find_changed_path
    from bganalyze.statistics.store.query import QueryLimits, run_query
    from bganalyze.statistics.store.statements import QueryError

    if sql == STANDARD_INPUT:
        sql = options.require_text(sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape"))
    called = load_players(load_settings(".", Config(aliases=aliases)))
    with exit_on(MatchStoreError, OSError):
        changed = find_changed_path(store)
    if changed is not None:
        command = shlex.join([NAME, "collect", "--store", str(store)])
        print_note(
            f"{changed}: changed, new or gone since the store was collected; to update: {command}"
        )
    with (
        exit_on(MatchStoreError, QueryError),
        run_query(store, sql, called, QueryLimits(memory, timeout)) as answered,
    ):
        pieces = render_query_result(answered, format, make_output_options(color=color))
        if out is None:
            write_bytes(pieces)
        else:
            write_file(out, b"".join(pieces), force=force)
