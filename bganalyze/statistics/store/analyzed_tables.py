"""The analyses of a store as DuckDB tables, limited to matches in the store.

They are read from the database of analyses, with every value checked, only if a query names one of
the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.statistics.store.connection import quote_name
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.statistics.store.shards import make_arrow_schema
from bganalyze.statistics.store.views import type_in_sql
from bganalyze.statistics.tables.copies import FOUND
from bganalyze.statistics.tables.decisions import ANALYZED_SCHEMAS, tabulate_analyzed_match
from bganalyze.statistics.tables.schema import Columns, Schema, maybe_number, number

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from bganalyze.analysis.match import AnalyzedMatch

_MATCHES_AT_ONCE = 20
"""Matches added in one step; the program can be interrupted between steps."""

_NAMES = ("analyzed_matches", "analyzed_games", "decisions")

_ANALYSIS = number("analysis", "The number of the analysis of one match by one engine, from 0.")
_MATCH = number("match", "The first match of the store with this content.")
_COPY_OF = maybe_number(
    "copy_of",
    "The first analysis of the same content by the same engine, if this is not the first.",
)
_OF_COPIES = {"sequence", "counted_elsewhere", *FOUND} - {"copy_of"}
"""Columns that only tables in memory have."""
_OWN = {"match": _MATCH, "copy_of": _COPY_OF}


def _make_stored_schema(schema: Schema, name: str) -> Schema:
    """Return the schema of a stored table of analyses, which has a column more than in memory.

    The additional first column is the number of the analysis.
    """
    columns = (
        _ANALYSIS,
        *(_OWN.get(one.name, one) for one in schema.columns if one.name not in _OF_COPIES),
    )
    return Schema(name, schema.about, ("analysis", *schema.key[1:]), columns)


STORED_SCHEMAS = tuple(map(_make_stored_schema, ANALYZED_SCHEMAS, _NAMES))
"""The tables of analyses in a store."""


class _Numbered(NamedTuple):
    """An analysis of a match in the store, with its number and the match's number."""

    analysis: int
    match: int
    copy_of: int | None
    """The number of the analysis that counts instead, if this one repeats it."""
    analyzed: AnalyzedMatch

    def columns(self) -> list[Columns]:
        """Return this analysis as rows of the three tables, each as a dictionary of columns."""
        tables = tabulate_analyzed_match(self.match, self.analyzed)
        for table in tables:
            table["analysis"] = [self.analysis] * len(table["match"])
        tables[0]["copy_of"] = [self.copy_of]
        return tables


def create_analysis_tables(connection: DuckDBPyConnection) -> None:
    """Create the empty tables of analyses in a database."""
    for schema in STORED_SCHEMAS:
        columns = ", ".join(
            f"{quote_name(field.name)} {type_in_sql(field.type)}"
            for field in make_arrow_schema(schema)
        )
        connection.execute(f"CREATE TABLE {schema.name} ({columns})")


def yield_load_steps(
    connection: DuckDBPyConnection,
    folder: Path,
    player_of_name: Callable[[str], str],
    words_of_query: frozenset[str],
) -> Iterator[Callable[[], None]]:
    """Yield functions that load a store's analyses into a database if called in order.

    Nothing is yielded if no table of analyses is in `words_of_query`. Raises MatchStoreError, here
    or in a step, if the analyses cannot be read.
    """
    if words_of_query.isdisjoint(_NAMES):
        return
    from bganalyze.statistics.store.analyses import open_store_analyses

    with _errors_as_store_errors():
        store = open_store_analyses(folder)
    if store is None:
        return
    numbered = _number_analyses(connection, store.matches(), player_of_name)
    is_over = False

    # Between two calls the query can be interrupted.
    def add() -> None:
        """Insert the analyses of the next matches into the tables, and note if none were left."""
        nonlocal is_over
        with _errors_as_store_errors():
            several = list(islice(numbered, _MATCHES_AT_ONCE))
        is_over = not several
        _insert_analyses(connection, several)

    while not is_over:
        yield add


@contextmanager
def _errors_as_store_errors() -> Iterator[None]:
    """Turn a StoreError in a `with` block into a MatchStoreError."""
    from bganalyze.analysis.store_error import StoreError

    try:
        yield
    except StoreError as error:
        raise MatchStoreError(str(error)) from error


def _number_analyses(
    connection: DuckDBPyConnection,
    analyzed: Iterator[AnalyzedMatch],
    player_of_name: Callable[[str], str],
) -> Iterator[_Numbered]:
    """Yield the analyses of matches that are in the store, each with a number of its own."""
    query = "SELECT content, min(match) FROM matches WHERE content IS NOT NULL GROUP BY content"
    of_contents = dict(connection.execute(query).fetchall())
    firsts = dict[tuple[object, ...], int]()
    analysis = 0
    for match in analyzed:
        if match.record not in of_contents:
            continue
        first = firsts.setdefault((match.record, match.length, *match.key[1:]), analysis)
        copy_of = None if first == analysis else first
        named = match.rename_players(player_of_name)
        yield _Numbered(analysis, of_contents[match.record], copy_of, named)
        analysis += 1


def _insert_analyses(connection: DuckDBPyConnection, several: Sequence[_Numbered]) -> None:
    """Insert the rows of some analyses into the tables of a database."""
    import pyarrow as pa

    tables = [numbered.columns() for numbered in several]
    for place, schema in enumerate(STORED_SCHEMAS if several else ()):
        arrays = {
            field.name: pa.array(
                [value for columns in tables for value in columns[place][field.name]],
                getattr(field.type, "value_type", field.type),
            )
            for field in make_arrow_schema(schema)
        }
        connection.register("given", pa.table(arrays))
        connection.execute(f"INSERT INTO {schema.name} FROM given")
        connection.unregister("given")
