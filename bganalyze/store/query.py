"""Questions to a store in SQL: its tables with the data dictionary, to be read and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bganalyze.store.views import connected
from bganalyze.tables.fragments import SCHEMAS
from bganalyze.tables.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

MEMORY = "1GB"
"""The most memory that a question may take."""

ROWS_AT_ONCE = 10_000


class QueryError(Exception):
    """A question that cannot be answered; the message says why, in one line."""


class Answered(NamedTuple):
    """The answer to a question."""

    names: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]
    arrow: Callable[[], pa.Table]
    """The same as a table that keeps the types; one of the two can be asked for."""


def ask(folder: Path, sql: str, player: Callable[[str], str]) -> Answered:
    """Return the answer to a question in SQL; raise QueryError and MatchStoreError.

    `player` says who a written name is.
    """
    import duckdb

    connection = connected(folder)
    settle(connection, player)
    describe(connection)
    restrict(connection, folder)
    try:
        statements = duckdb.extract_statements(sql)
        allowed = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
        if len(statements) != 1 or statements[0].type not in allowed:
            raise QueryError("a query is a single SELECT (or FROM, WITH, DESCRIBE, EXPLAIN)")
        relation = connection.sql(sql)  # It is carried out as far as its columns are known.
        names = tuple(relation.columns)
    except duckdb.Error as error:
        raise QueryError(_in_a_line(error)) from error
    return Answered(names, _rows(connection, sql), partial(_arrow, relation))


def settle(connection: DuckDBPyConnection, player: Callable[[str], str]) -> None:
    """Show players in place of written names, copies as copies, and the days that others tell."""
    import pyarrow as pa

    from bganalyze.tables.frames import mark_copies, settle_dates

    matches = connection.execute("SELECT * FROM matches ORDER BY match").df()
    matches["date"] = matches["date"].astype("datetime64[s]")
    matches["copy_of"] = matches["copy_of"].astype("Int32")
    mark_copies(matches)
    settle_dates(matches)
    written = connection.execute(
        'SELECT "left" FROM games UNION SELECT "right" FROM games'
        ' UNION SELECT "left" FROM matches UNION SELECT "right" FROM matches'
    ).fetchall()
    met = dict.fromkeys((*matches["left"], *matches["right"], *(name for (name,) in written)))
    players = {name: player(name) for name in met if name is not None}
    settled = pa.Table.from_pandas(matches[["match", "date", "date_from", "copy_of"]])
    names = pa.schema([("written", pa.string()), ("player", pa.string())])
    persons = pa.table({"written": list(players), "player": list(players.values())}, schema=names)
    for name, rows in (("settled", settled), ("persons", persons)):
        connection.register("given", rows)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
        connection.unregister("given")
    for name in ("matches", "games"):
        query = connection.execute(
            "SELECT sql FROM duckdb_views() WHERE view_name = ?", [name]
        ).fetchone()
        assert query is not None
        connection.execute(query[0].replace(name, f"{name}_as_written", 1))
        connection.execute(_SEEN[name])


_PLAYERS = '''"left".player AS "left", "right".player AS "right"'''
_JOINED = '''LEFT JOIN persons AS "left" ON "left".written = rows."left"
LEFT JOIN persons AS "right" ON "right".written = rows."right"'''
_SEEN = {
    "matches": f"""CREATE OR REPLACE VIEW matches AS SELECT rows.* REPLACE (
{_PLAYERS}, settled.date::DATE AS date, settled.date_from AS date_from, settled.copy_of AS copy_of)
FROM matches_as_written AS rows JOIN settled USING (match) {_JOINED}""",
    "games": f"""CREATE OR REPLACE VIEW games AS SELECT rows.* REPLACE ({_PLAYERS})
FROM games_as_written AS rows {_JOINED}""",
}


def describe(connection: DuckDBPyConnection) -> None:
    """Put the data dictionary into comments on the tables and their columns."""
    for schema in SCHEMAS:
        connection.execute(f"COMMENT ON VIEW {schema.name} IS {_quoted(schema.about)}")
        for name, meaning in _meanings(schema):
            connection.execute(f'COMMENT ON COLUMN {schema.name}."{name}" IS {_quoted(meaning)}')


def _meanings(schema: Schema) -> Iterator[tuple[str, str]]:
    for column in schema.columns:
        choices = f" One of {', '.join(column.choices)}." if column.choices else ""
        yield column.name, column.meaning + choices


def restrict(connection: DuckDBPyConnection, folder: Path) -> None:
    """Let nothing be read but the store, and nothing be changed; of memory take no more than this."""
    for setting in (
        f"SET memory_limit = '{MEMORY}'",
        f"SET allowed_directories = [{_quoted(str(folder))}]",
        "SET enable_external_access = false",
        "SET lock_configuration = true",
    ):
        connection.execute(setting)


def _rows(connection: DuckDBPyConnection, sql: str) -> Iterator[tuple[Any, ...]]:
    import duckdb

    try:
        result = connection.execute(sql)
        while rows := result.fetchmany(ROWS_AT_ONCE):
            yield from rows
    except duckdb.Error as error:
        raise QueryError(_in_a_line(error)) from error


def _arrow(relation: DuckDBPyRelation) -> pa.Table:
    import duckdb

    try:
        return relation.to_arrow_table()
    except duckdb.Error as error:
        raise QueryError(_in_a_line(error)) from error


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _in_a_line(error: Exception) -> str:
    """What DuckDB says, without the place in the query that it shows on further lines."""
    message = " ".join(str(error).partition("\nLINE ")[0].split())
    hint = 'columns that are words of SQL stand in double quotes: "left", "right"'
    return f"{message}; {hint}" if message.startswith("Parser Error") else message
