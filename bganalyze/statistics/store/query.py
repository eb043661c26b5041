"""Read-only SQL queries of a store: its tables, with the data dictionary as comments."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bganalyze.files.interruptible import run_interruptibly
from bganalyze.statistics.store.analyzed_tables import (
    STORED_SCHEMAS,
    create_analysis_tables,
    yield_load_steps,
)
from bganalyze.statistics.store.connection import MEMORY, message_in_a_line, quote_name, quote_text
from bganalyze.statistics.store.memory import count_bytes, limit_memory, read_private_memory
from bganalyze.statistics.store.statements import QueryError, read_query_words
from bganalyze.statistics.store.views import connect_to_store
from bganalyze.statistics.tables.copies_table import MARKS
from bganalyze.statistics.tables.copies_table import SCHEMA as COPIES
from bganalyze.statistics.tables.fragments import SCHEMAS
from bganalyze.statistics.tables.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

_A = TypeVar("_A")

SECONDS = 300.0
"""Time limit of a query, in seconds."""

ROWS_AT_ONCE = 10_000

_SHOW_TABLES = re.compile(r"\s*SHOW\s+TABLES\s*;?\s*", re.IGNORECASE)
_LIST_TABLES = """SELECT view_name AS name, comment AS rows FROM duckdb_views() WHERE comment IS NOT NULL
UNION ALL SELECT table_name, comment FROM duckdb_tables() WHERE comment IS NOT NULL ORDER BY name"""
"""The tables that are documented, instead of all tables and views of the connection."""

_CATALOGS = ("duckdb_", "information_schema", "pg_")
"""Prefixes of DuckDB's own tables, which hold the comments."""

_NO_TABLE = re.compile(r"Catalog Error: Table with name (?P<name>.+?) does not exist!.*")

MARGIN = 1 << 29
"""Bytes beyond the memory limit that the whole process may use for a query: DuckDB counts neither
long texts nor lists, and its threads have memory of their own."""


class QueryLimits(NamedTuple):
    """Limits of a query."""

    memory: str = MEMORY
    seconds: float = SECONDS
    """Time limit in seconds; 0 for no limit."""


class QueryResult(NamedTuple):
    """The rows that a query returned."""

    names: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]
    arrow: Callable[[], pa.Table]
    """Function that returns the answer as a table with its types; use either this or `rows`."""


@contextmanager
def run_query(
    folder: Path, sql: str, player_of_name: Callable[[str], str], limits: QueryLimits
) -> Iterator[QueryResult]:
    """Provide, in a `with` block, the result of an SQL query on a store.

    Raises QueryError for a wrong query or one beyond the limits, and MatchStoreError if the store
    cannot be read.
    """
    with connect_to_store(folder, duckdb_settings={"memory_limit": limits.memory}) as connection:
        asked = _RunningQuery(connection, limits)
        sql = _LIST_TABLES if _SHOW_TABLES.fullmatch(sql) else sql
        words = asked.run_within_limits(lambda: read_query_words(connection, sql))
        asked.run_in_time(lambda: make_views_show_players(connection, player_of_name))
        asked.run_in_time(lambda: create_analysis_tables(connection))
        if any(word.startswith(_CATALOGS) for word in words):
            asked.run_in_time(lambda: add_column_comments(connection))
        for step in yield_load_steps(connection, folder, player_of_name, words):
            asked.run_within_limits(step)
        # DuckDB runs the query only as far as it needs to know the columns.
        relation = asked.run_within_limits(lambda: connection.sql(sql))
        arrow = partial(asked.run_within_limits, relation.to_arrow_table)
        yield QueryResult(tuple(relation.columns), asked.rows(sql), arrow)


class _RunningQuery:
    """A running query, whose steps share a limited time and can be interrupted."""

    def __init__(self, connection: DuckDBPyConnection, limits: QueryLimits) -> None:
        self._connection = connection
        self._is_late = QueryError(
            f"the query took longer than {limits.seconds:g} s; --timeout sets another limit"
        )
        before = read_private_memory()
        self._most = None if before is None else before + count_bytes(limits.memory) + MARGIN
        self._left = limits.seconds or math.inf

    def run_in_time(self, step: Callable[[], _A]) -> _A:
        """Call `step` and return its result; raise QueryError if the query's time is up."""
        if self._left <= 0:
            raise self._is_late
        began = time.monotonic()
        try:
            return run_interruptibly(step, self._connection.interrupt, began + self._left)
        except TimeoutError:
            raise self._is_late from None
        finally:  # Time in which rows are written, or read by a person, does not count.
            self._left -= time.monotonic() - began

    def run_within_limits(self, step: Callable[[], _A]) -> _A:
        """Call `step` within the limits of time and memory, and return its result.

        Raises QueryError if a limit is exceeded, and for any error of DuckDB.
        """
        with _errors_as_query_errors(), limit_memory(self._most):
            return self.run_in_time(step)

    def rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Run an SQL query within the limits and yield its rows."""
        result = self.run_within_limits(lambda: self._connection.execute(sql))
        while rows := self.run_within_limits(lambda: result.fetchmany(ROWS_AT_ONCE)):
            yield from rows


@contextmanager
def _errors_as_query_errors() -> Iterator[None]:
    """Turn an error of DuckDB in a `with` block into a QueryError of one line."""
    import duckdb

    try:
        yield
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        if _DISK_LIMIT in str(error):
            raise QueryError(message_in_a_line(error)) from error
        raise QueryError("the query ran out of memory; --memory sets another limit") from error
    except duckdb.Error as error:
        raise QueryError(_add_hint(message_in_a_line(error))) from error


_DISK_LIMIT = "max_temp_directory_size"
"""DuckDB's word in the error for a full disk."""


def make_views_show_players(
    connection: DuckDBPyConnection, player_of_name: Callable[[str], str]
) -> None:
    """Change the database views so that they show players, copies and decided dates, as reports do.

    This also adds a table `copies`.
    """
    import pyarrow as pa

    from bganalyze.statistics.reports.stored import StoredSums
    from bganalyze.statistics.tables.copies_table import tabulate_copies

    matches, games = StoredSums(connection, player_of_name).recorded
    written = connection.execute(
        'SELECT "left" FROM games UNION SELECT "right" FROM games'
        ' UNION SELECT "left" FROM matches UNION SELECT "right" FROM matches'
    ).fetchall()
    players = {name: player_of_name(name) for (name,) in written if name is not None}
    settled = pa.Table.from_pandas(matches[["match", "date", "date_from", *MARKS]])
    copied = pa.Table.from_pandas(games.loc[games["counted_elsewhere"], ["match", "game"]])
    names = pa.schema([("written", pa.string()), ("player", pa.string())])
    persons = pa.table({"written": list(players), "player": list(players.values())}, schema=names)
    copies = pa.Table.from_pandas(tabulate_copies(matches))
    tables = {"settled": settled, "copied": copied, "persons": persons, "copies": copies}
    for name, rows in tables.items():
        connection.register("given", rows)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
        connection.unregister("given")
    for name, view in _SEEN.items():
        query = connection.execute(
            "SELECT sql FROM duckdb_views() WHERE view_name = ?", [name]
        ).fetchone()
        assert query is not None
        connection.execute(query[0].replace(name, f"{name}_as_written", 1))
        connection.execute(view)


def _list_columns(schema: Schema) -> str:
    """Return the columns of a table as a list in SQL, with the player computed from the side."""
    player = """CASE rows.side WHEN 'left' THEN games."left" ELSE games."right" END AS player"""
    columns = (
        player if column.from_games else f"rows.{quote_name(column.name)}"
        for column in schema.columns
    )
    return ", ".join(columns)


_PLAYERS = '''"left".player AS "left", "right".player AS "right"'''
_JOINED = '''LEFT JOIN persons AS "left" ON "left".written = rows."left"
LEFT JOIN persons AS "right" ON "right".written = rows."right"'''
_SEEN = {
    "matches": f"""CREATE OR REPLACE VIEW matches AS SELECT rows.* REPLACE (
{_PLAYERS}, settled.date::DATE AS date, settled.date_from AS date_from,
{", ".join(f"settled.{name} AS {name}" for name in MARKS)})
FROM matches_as_written AS rows JOIN settled USING (match) {_JOINED}""",
    "games": f"""CREATE OR REPLACE VIEW games AS SELECT rows.* REPLACE (
{_PLAYERS}, copied.match IS NOT NULL AS counted_elsewhere)
FROM games_as_written AS rows LEFT JOIN copied ON (copied.match, copied.game) = (rows.match, rows.game) {_JOINED}""",
    **{
        schema.name: f"""CREATE OR REPLACE VIEW {schema.name} AS SELECT {_list_columns(schema)}
FROM {schema.name}_as_written AS rows LEFT JOIN games USING (match, game)"""
        for schema in SCHEMAS
        if schema.recorded != schema.columns
    },
}
"""The views with players and settled values, in place of those of the stored columns."""


def add_column_comments(connection: DuckDBPyConnection) -> None:
    """Store the meanings of tables and columns as comments in the database."""
    kinds = (
        *(("VIEW", schema) for schema in SCHEMAS),
        *(("TABLE", one) for one in (COPIES, *STORED_SCHEMAS)),
    )
    for kind, schema in kinds:
        connection.execute(f"COMMENT ON {kind} {schema.name} IS {quote_text(schema.about)}")
        for name, meaning in _describe_columns(schema):
            connection.execute(f'COMMENT ON COLUMN {schema.name}."{name}" IS {quote_text(meaning)}')


def _describe_columns(schema: Schema) -> Iterator[tuple[str, str]]:
    """Yield the name of each column and its meaning, which includes the possible values."""
    for column in schema.columns:
        choices = f" One of {', '.join(column.choices)}." if column.choices else ""
        yield column.name, column.meaning + choices


def _add_hint(message: str) -> str:
    """Return a database error message, with a hint on how to correct the query."""
    missing = _NO_TABLE.fullmatch(message)
    if missing:
        names = [schema.name for schema in (*SCHEMAS, COPIES, *STORED_SCHEMAS)]
        return f"the table {missing['name']} does not exist; there are {', '.join(names)}"
    if not message.startswith("Parser Error"):
        return message
    return f'{message}; write columns that are SQL keywords in double quotes, such as "left"'
