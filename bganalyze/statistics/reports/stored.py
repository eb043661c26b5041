"""Sums stored in Parquet: DuckDB adds them up, so that memory holds groups instead of matches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.files.interruptible import run_interruptibly
from bganalyze.statistics.reports.answer import SectionsOnDisk
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.sums import BOTH, KEY, SummedTable, concatenate_sums
from bganalyze.statistics.tables import games, matches
from bganalyze.statistics.tables.copies import Copies, find_copies, find_copies_among
from bganalyze.statistics.tables.frames import Recorded, resolve_tables
from bganalyze.statistics.tables.schema import Column, Schema

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

SETTINGS: Mapping[str, object] = {
    "memory_limit": "200MB",
    # Each further thread takes 50 MB and saves only a twentieth of the time, most of which goes
    # into estimates.
    "threads": 1,
    # DuckDB 2 would read with eight threads, which take 20 MB more and save no time with local
    # files. Version 1 lacks this setting.
    "async_threads": 1,
    "preserve_insertion_order": False,
}
"""Settings with which DuckDB uses little memory."""

AT_ONCE = 1 << 15
"""Matches per query; the memory DuckDB needs for them is far below its limit."""

PREFIX = "sums_"
"""Prefix of the views of sums."""

NOT_ASKED = ("left_written", "right_written", "round", "sequence")
"""Columns of matches that no report uses."""

OF_GAMES = (
    *("match", "game", "left", "right", "left_score", "right_score", "left_away", "right_away"),
    *("stage", "variant", "kind", "winner", "counting", "recorded", "scored", "rolls", "errors"),
    *("disputed", "counted_elsewhere", "left_given", "right_given"),
)
"""The columns of games that reports use."""


def store_sections(sections: Iterable[Section]) -> Sequence[Section]:
    """Store the tables of a report on disk, and return a sequence that reads them one by one."""
    return SectionsOnDisk(_release_memory(sections))


def _release_memory(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield the tables of a report, and release unused memory after each."""
    import pyarrow as pa

    pa.system_memory_pool().release_unused()
    for section in sections:
        yield section
        del section
        pa.system_memory_pool().release_unused()


class DamagedSumsError(Exception):
    """Rows of a store that no run can have written; the message says where."""


class StoredSums:
    """The sums of matches in a store, read from disk when needed."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        players: Callable[[str], str],
        emptied: Collection[str] = (),
    ) -> None:
        """Use a connection's views of `matches`, `games` and the sums of each table.

        `players` maps written names to players. The columns `emptied` of matches are read as empty.
        """
        self._connection, self._players, self._emptied = connection, players, emptied
        self._copies: Copies | None = None

    @property
    def recorded(self) -> Recorded:
        """The tables of matches and games, read anew on each access."""
        asked = [column.name for column in matches.SCHEMA.columns if column.name not in NOT_ASKED]
        recorded = Recorded(
            self._read_table(matches.SCHEMA, asked),
            self._read_table(games.SCHEMA, OF_GAMES),
        )
        if self._copies is None:
            self._copies = find_copies_among(recorded.matches, recorded.games, self._read_sequences)
        resolve_tables(recorded, self._players, self._copies)
        return recorded

    def list_copies(self) -> dict[int, int]:
        """Map the number of each copy of a match to the number of the match that counts."""
        columns = ("match", "content", "date", "recorded_rolls", "errors")
        records = find_copies(self._read_table(matches.SCHEMA, columns), self._read_sequences)
        copies = records["copy_of"].dropna()
        return dict(zip(copies.index.tolist(), copies.tolist(), strict=True))

    def _read_sequences(self, numbers: Sequence[int]) -> Sequence[str]:
        """Read the rolls and plays of some matches, as a text for each match.

        Raises DamagedSumsError for text that the program never stores.
        """
        asked = pd.DataFrame({"match": np.asarray(numbers, dtype=np.int32)})
        rows = self._run_sql(
            "SELECT match, sequence FROM matches SEMI JOIN asked USING (match)", asked
        )
        found = dict(zip(*(column.to_pylist() for column in rows.columns), strict=True))
        sequences = [found[number] for number in numbers]
        if any(one is None or len(one) % 2 or not one.isascii() for one in sequences):
            raise DamagedSumsError("matches.sequence")
        return sequences

    def sum_columns(
        self,
        table: SummedTable,
        grouped_sides: pd.DataFrame,
        key_columns: Sequence[str],
        columns_to_sum: Sequence[str],
    ) -> pd.DataFrame:
        """Return sums of columns for each group in `grouped_sides` and each value of `key_columns`.

        A column with the prefix `BOTH` is summed only over games with both sides in the group.
        """
        contests = [name for name in columns_to_sum if name.startswith(BOTH)]
        if not contests:
            expressions = ", ".join(
                f"sum({_quote_name(name)}) AS {_quote_name(name)}" for name in columns_to_sum
            )
            return self._compute_for_groups(table, grouped_sides, key_columns, expressions)
        return self._sum_with_both_sides(table, grouped_sides, key_columns, columns_to_sum)

    def count_games(
        self, table: SummedTable, grouped_sides: pd.DataFrame, key_columns: Sequence[str]
    ) -> pd.DataFrame:
        """Count the games for each group in `grouped_sides` and each value of `key_columns`."""
        return self._compute_for_groups(
            table, grouped_sides, key_columns, "count(DISTINCT (match, game)) AS games"
        )

    def _sum_with_both_sides(
        self,
        table: SummedTable,
        grouped_sides: pd.DataFrame,
        key_columns: Sequence[str],
        columns_to_sum: Sequence[str],
    ) -> pd.DataFrame:
        """Return what `sum_columns` returns, if at least one column has the prefix `BOTH`.

        Such a column is summed only over games with both sides in the group.
        """
        columns = sorted({name.removeprefix(BOTH) for name in columns_to_sum})
        expressions = ", ".join(
            f"sum({_quote_name(name)}) AS {_quote_name(name)}" for name in columns
        )
        within = list(dict.fromkeys([*key_columns, "match", "game"]))
        inner = self._write_query(table, within, f"{expressions}, count(*) AS sides_here")
        whole = ", ".join(
            f"sum(CASE WHEN sides_here > 1 THEN {_quote_name(name.removeprefix(BOTH))} ELSE 0 END) AS {_quote_name(name)}"
            if name.startswith(BOTH)
            else f"sum({_quote_name(name)}) AS {_quote_name(name)}"
            for name in columns_to_sum
        )
        named = ", ".join(map(_quote_name, ["group", *key_columns]))
        sql = f"SELECT {named}, {whole} FROM ({inner}) GROUP BY ALL"
        return self._answer_in_parts(table, grouped_sides, key_columns, sql)

    def _compute_for_groups(
        self,
        table: SummedTable,
        grouped_sides: pd.DataFrame,
        key_columns: Sequence[str],
        expressions: str,
    ) -> pd.DataFrame:
        """Compute SQL `expressions`, such as sums, for each group and value of `key_columns`."""
        return self._answer_in_parts(
            table, grouped_sides, key_columns, self._write_query(table, key_columns, expressions)
        )

    def _write_query(self, table: SummedTable, key_columns: Sequence[str], expressions: str) -> str:
        """Write SQL for `expressions`, such as sums, by group and by the `key_columns`.

        The query reads stored sums and the table `asked`: sides of games with their group numbers.
        """
        named = ", ".join(map(_quote_name, ["group", *key_columns]))
        source = _quote_name(f"{PREFIX}{table.name}")
        return f"SELECT {named}, {expressions} FROM {source} JOIN asked USING ({', '.join(KEY)}) GROUP BY ALL"

    def _answer_in_parts(
        self, table: SummedTable, grouped_sides: pd.DataFrame, key_columns: Sequence[str], sql: str
    ) -> pd.DataFrame:
        """Run a query of `_write_query` on a few matches at a time, and add up the rows.

        `grouped_sides`, sorted by match, is the table `asked` of the query.
        """
        numbers = grouped_sides["match"].to_numpy()
        starts = np.arange(0, int(numbers[-1]) + 1 if len(numbers) else 1, AT_ONCE)
        places = [*numbers.searchsorted(starts), len(numbers)]
        parts = [
            self._answer_for_sides(table, grouped_sides.iloc[start:end], sql)
            for start, end in pairwise(places)
        ]
        whole = concatenate_sums(table, parts) if len(parts) > 1 else parts[0]
        if "match" in key_columns or len(parts) == 1:
            return whole
        return (
            whole.groupby(["group", *key_columns], observed=True, dropna=False).sum().reset_index()
        )

    def _answer_for_sides(
        self, table: SummedTable, grouped_sides: pd.DataFrame, sql: str
    ) -> pd.DataFrame:
        """Run a query of `_write_query` with `grouped_sides` as its table `asked`.

        Raises DamagedSumsError for values that the program never stores.
        """
        columns = {name: grouped_sides[name].to_numpy() for name in (*KEY, "group")}
        rows = self._run_sql(sql, pd.DataFrame(columns))
        _require_sensible(table, rows)
        words = [name for name, kind in table.dimensions.items() if kind is str]
        words = [name for name in words if name in rows.column_names]
        return rows.to_pandas(categories=words, split_blocks=True, self_destruct=True)

    def _run_sql(self, sql: str, asked: pd.DataFrame | None = None) -> pa.Table:
        """Return the rows of a query; a signal such as Ctrl+C can interrupt it.

        The query can read the data frame `asked` as a table of that name.
        """
        connection = self._connection

        def answer() -> pa.Table:
            """Return the rows of the query."""
            if asked is None:
                return connection.sql(sql).to_arrow_table()
            connection.register("asked", asked)
            try:
                return connection.sql(sql).to_arrow_table()
            finally:
                connection.unregister("asked")

        return run_interruptibly(answer, connection.interrupt)

    def _read_table(self, schema: Schema, names: Iterable[str]) -> pd.DataFrame:
        """Return the columns `names` of a stored table, sorted by the table's key."""
        columns = [column for column in schema.columns if column.name in set(names)]
        named = ", ".join(map(self._write_column_in_sql, columns))
        rows = self._run_sql(f"SELECT {named} FROM {schema.name}")
        asked = dict(zip(rows.column_names, rows.columns, strict=True))
        del rows
        keys = [asked[name].to_numpy() for name in reversed(schema.key)]
        order = np.lexsort(keys)  # DuckDB would sort by copying all columns together.
        if len(order) > 1 and _has_duplicates([key[order] for key in keys]):
            raise DamagedSumsError(schema.name)
        for column in columns:
            _require_possible(schema, column, asked[column.name])
        values = {
            column.name: _make_column(column, asked.pop(column.name).take(order))
            for column in columns
        }
        return pd.DataFrame(values, copy=False)

    def _write_column_in_sql(self, column: Column) -> str:
        """Return SQL that selects a column, or NULL for a column that is to be read as empty."""
        name = _quote_name(column.name)
        return f"CAST(NULL AS VARCHAR) AS {name}" if column.name in self._emptied else name


def _quote_name(name: str) -> str:
    """Quote a name as an identifier in SQL."""
    return '"' + name.replace('"', '""') + '"'


_LARGEST = 1e15
"""Largest sum allowed. A whole number of this size is still exact as a float."""

_NEVER_MISSING = ("int8", "int16", "int32", "bool")


def _has_duplicates(keys: Iterable[npt.NDArray[Any]]) -> bool:
    """Whether two rows of a sorted table have the same key."""
    return bool(np.logical_and.reduce([key[1:] == key[:-1] for key in keys]).any())


def _require_possible(schema: Schema, column: Column, values: pa.ChunkedArray) -> None:
    """Raise DamagedSumsError if a stored column has an unknown word or lacks a value."""
    is_missing = values.null_count and column.dtype in _NEVER_MISSING
    words = set(values.unique().to_pylist()) if column.choices else set()
    if is_missing or not words <= {*column.choices, None}:
        raise DamagedSumsError(f"{schema.name}.{column.name}")


def _require_sensible(table: SummedTable, rows: pa.Table) -> None:
    """Raise DamagedSumsError if a sum is too large or NaN, or if an index stands for no word.

    `table` has the words for which indexes stand.
    """
    for name in rows.column_names:
        kind = table.dimensions.get(name)
        least, most = (-1, len(kind) - 1) if isinstance(kind, Sequence) else (-_LARGEST, _LARGEST)
        if kind is str or not rows.num_rows:
            continue
        values = rows.column(name).to_numpy()
        is_possible = (values >= least) & (values <= most)  # False for NaN.
        if kind is float:  # The dimension may be missing.
            is_possible |= np.isnan(values)
        if not is_possible.all():
            raise DamagedSumsError(f"{PREFIX}{table.name}.{name}")


def _make_column(column: Column, values: pa.ChunkedArray) -> pd.Series:
    """Convert a stored column to the pandas type that it has in memory."""
    if column.dtype == "category" and not column.choices:
        encoded = values.combine_chunks().dictionary_encode()
        words = pd.Index(encoded.dictionary.to_pylist(), dtype=object)
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return pd.Series(pd.Categorical.from_codes(codes, words))
    if column.dtype == "category":
        return pd.Series(pd.Categorical(values.to_pandas(), categories=list(column.choices)))
    if column.dtype.startswith(("Int", "boolean")):
        dtype = pd.api.types.pandas_dtype(column.dtype)
        return values.to_pandas(types_mapper=lambda _: dtype)
    return values.to_pandas().astype(column.dtype)
