"""Sums that lie in Parquet: DuckDB adds them up, so that memory holds groups and no matches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.files.interruptible import interruptible
from bganalyze.statistics.reports.answer import SetAside
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.sums import BOTH, KEY, Base, together
from bganalyze.statistics.tables import games, matches
from bganalyze.statistics.tables.frames import Recorded, settle
from bganalyze.statistics.tables.schema import Column, Schema

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

SETTINGS: Mapping[str, object] = {
    "memory_limit": "200MB",
    # Each further thread takes 50 MB, and a twentieth of the time less: most of it goes into estimates.
    "threads": 1,
    # DuckDB 2 would read with eight threads, which take 20 MB more, and of files that lie here no less
    # time. Version 1 has no such setting.
    "async_threads": 1,
    "preserve_insertion_order": False,
}
"""The settings of DuckDB by which it takes little memory."""

AT_ONCE = 1 << 15
"""So many matches are asked for at once: what DuckDB needs for them is far below what it may take."""

PREFIX = "sums_"
"""What the views of sums begin with."""

NOT_ASKED = ("left_written", "right_written", "round")
"""Columns of matches that no report looks at."""

OF_GAMES = (
    *("match", "game", "left", "right", "left_score", "right_score", "left_away", "right_away"),
    *("stage", "variant", "kind", "winner", "counting", "recorded", "scored", "rolls", "errors"),
    "disputed",
)
"""The columns of games that reports look at."""


def set_aside(sections: Iterable[Section]) -> Sequence[Section]:
    """Set sections aside; after each, give the system back the memory that it took.

    What is freed would otherwise be kept in pieces that are too small for the next section.
    """
    return SetAside(_giving_back(sections))


def _giving_back(sections: Iterable[Section]) -> Iterator[Section]:
    import pyarrow as pa

    pa.system_memory_pool().release_unused()
    for section in sections:
        yield section
        del section
        pa.system_memory_pool().release_unused()


class DamagedSumsError(Exception):
    """Rows of a store that no run can have written; the message says where."""


class StoredSums:
    """The sums of a store."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        players: Callable[[str], str],
        emptied: Collection[str] = (),
    ) -> None:
        """Look at the views of a connection: `matches`, `games`, and of each base its sums.

        `players` says who a written name is. Of matches, the columns `emptied` are taken to say nothing.
        """
        self._connection, self._players, self._emptied = connection, players, emptied

    @property
    def recorded(self) -> Recorded:
        """The matches and the games, read each time: what is chosen of them is a copy."""
        asked = [column.name for column in matches.SCHEMA.columns if column.name not in NOT_ASKED]
        recorded = Recorded(
            self._table(matches.SCHEMA, asked),
            self._table(games.SCHEMA, OF_GAMES),
        )
        settle(recorded, self._players)
        return recorded

    def summed(
        self, base: Base, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums of a base, as `Sums` says."""
        contests = [name for name in sums if name.startswith(BOTH)]
        if not contests:
            added = ", ".join(f"sum({_quoted(name)}) AS {_quoted(name)}" for name in sums)
            return self._asked(base, seats, keys, added)
        return self._of_contests(base, seats, keys, sums)

    def games(self, base: Base, seats: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
        """Return how many games there are, as `Sums` says."""
        return self._asked(base, seats, keys, "count(DISTINCT (match, game)) AS games")

    def _of_contests(
        self, base: Base, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """The same with sums over games that count for both of their sides, which are found first."""
        columns = sorted({name.removeprefix(BOTH) for name in sums})
        added = ", ".join(f"sum({_quoted(name)}) AS {_quoted(name)}" for name in columns)
        within = list(dict.fromkeys([*keys, "match", "game"]))
        inner = self._query(base, within, f"{added}, count(*) AS sides_here")
        whole = ", ".join(
            f"sum(CASE WHEN sides_here > 1 THEN {_quoted(name.removeprefix(BOTH))} ELSE 0 END) AS {_quoted(name)}"
            if name.startswith(BOTH)
            else f"sum({_quoted(name)}) AS {_quoted(name)}"
            for name in sums
        )
        named = ", ".join(map(_quoted, ["group", *keys]))
        sql = f"SELECT {named}, {whole} FROM ({inner}) GROUP BY ALL"
        return self._answer(base, seats, keys, sql)

    def _asked(
        self, base: Base, seats: pd.DataFrame, keys: Sequence[str], added: str
    ) -> pd.DataFrame:
        return self._answer(base, seats, keys, self._query(base, keys, added))

    def _query(self, base: Base, keys: Sequence[str], added: str) -> str:
        named = ", ".join(map(_quoted, ["group", *keys]))
        source = _quoted(f"{PREFIX}{base.name}")
        return f"SELECT {named}, {added} FROM {source} JOIN asked USING ({', '.join(KEY)}) GROUP BY ALL"

    def _answer(
        self, base: Base, seats: pd.DataFrame, keys: Sequence[str], sql: str
    ) -> pd.DataFrame:
        """What a query over the sums of some seats gives: of some matches after the other."""
        numbers = seats["match"].to_numpy()
        starts = np.arange(0, int(numbers[-1]) + 1 if len(numbers) else 1, AT_ONCE)
        places = [*numbers.searchsorted(starts), len(numbers)]
        parts = [self._part(base, seats.iloc[start:end], sql) for start, end in pairwise(places)]
        whole = together(base, parts) if len(parts) > 1 else parts[0]
        if "match" in keys or len(parts) == 1:
            return whole
        return whole.groupby(["group", *keys], observed=True, dropna=False).sum().reset_index()

    def _part(self, base: Base, seats: pd.DataFrame, sql: str) -> pd.DataFrame:
        columns = {name: seats[name].to_numpy() for name in (*KEY, "group")}
        rows = self._rows(sql, pd.DataFrame(columns))
        _require_sensible(base, rows)
        words = [name for name, kind in base.dimensions.items() if kind is str]
        words = [name for name in words if name in rows.column_names]
        return rows.to_pandas(categories=words, split_blocks=True, self_destruct=True)

    def _rows(self, sql: str, asked: pd.DataFrame | None = None) -> pa.Table:
        """Return the rows that answer a query, which a signal ends; it may be about what is `asked`."""
        connection = self._connection

        def answer() -> pa.Table:
            if asked is None:
                return connection.sql(sql).to_arrow_table()
            connection.register("asked", asked)
            try:
                return connection.sql(sql).to_arrow_table()
            finally:
                connection.unregister("asked")

        return interruptible(answer, connection.interrupt)

    def _table(self, schema: Schema, names: Iterable[str]) -> pd.DataFrame:
        """A table with some of its columns, in the order of its key."""
        columns = [column for column in schema.columns if column.name in set(names)]
        named = ", ".join(map(self._column, columns))
        rows = self._rows(f"SELECT {named} FROM {schema.name}")
        asked = dict(zip(rows.column_names, rows.columns, strict=True))
        del rows
        keys = [asked[name].to_numpy() for name in reversed(schema.key)]
        order = np.lexsort(keys)  # DuckDB would lay all columns beside each other to sort them.
        if len(order) > 1 and _any_same([key[order] for key in keys]):
            raise DamagedSumsError(schema.name)
        for column in columns:
            _require_possible(schema, column, asked[column.name])
        values = {
            column.name: _values(column, asked.pop(column.name).take(order)) for column in columns
        }
        return pd.DataFrame(values, copy=False)

    def _column(self, column: Column) -> str:
        name = _quoted(column.name)
        return f"CAST(NULL AS VARCHAR) AS {name}" if column.name in self._emptied else name


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


_LARGEST = 1e15
"""No sum is larger. A whole number of this size is still exact as one with a fraction."""

_NEVER_MISSING = ("int8", "int16", "int32", "bool")


def _any_same(keys: Iterable[npt.NDArray[Any]]) -> bool:
    """Whether two rows have the same key; the rows are in its order."""
    return bool(np.logical_and.reduce([key[1:] == key[:-1] for key in keys]).any())


def _require_possible(schema: Schema, column: Column, values: pa.ChunkedArray) -> None:
    """Raise DamagedSumsError where a value is missing, or is none of those that a column may have."""
    is_missing = values.null_count and column.dtype in _NEVER_MISSING
    words = set(values.unique().to_pylist()) if column.choices else set()
    if is_missing or not words <= {*column.choices, None}:
        raise DamagedSumsError(f"{schema.name}.{column.name}")


def _require_sensible(base: Base, rows: pa.Table) -> None:
    """Raise DamagedSumsError where sums are not finite, or a dimension has none of its numbers."""
    for name in rows.column_names:
        kind = base.dimensions.get(name)
        least, most = (-1, len(kind) - 1) if isinstance(kind, Sequence) else (-_LARGEST, _LARGEST)
        if kind is str or not rows.num_rows:
            continue
        values = rows.column(name).to_numpy()
        is_possible = (values >= least) & (values <= most)  # No number is not.
        if kind is float:  # A dimension may be missing.
            is_possible |= np.isnan(values)
        if not is_possible.all():
            raise DamagedSumsError(f"{PREFIX}{base.name}.{name}")


def _values(column: Column, values: pa.ChunkedArray) -> pd.Series:
    """A column of a table as `tables.frames` has it."""
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
