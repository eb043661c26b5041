"""Shards: the rows of some files as Parquet, in a folder that is written whole and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bganalyze.statistics.reports import bases
from bganalyze.statistics.reports.sums import KEY, Base
from bganalyze.statistics.store.manifest import MATCHES_A_SHARD, Checksums, MatchStoreError, path_of
from bganalyze.statistics.store.plain import checksum, open_plain, remove_shard
from bganalyze.statistics.tables.fragments import SCHEMAS
from bganalyze.statistics.tables.frames import Tables
from bganalyze.statistics.tables.schema import Column, Schema

SUMS = "sums"
_UNFINISHED = ".unfinished-"

pa.set_memory_pool(pa.system_memory_pool())
"""Its own pools keep 25 MB more in each process that writes shards, and are no faster at it."""
pa.set_cpu_count(1)  # Work is shared by processes; each thread would have an arena of memory.

WORDS = pa.dictionary(pa.int32(), pa.string())
"""Words that come again and again."""

_TYPES = {
    "str": pa.string(),
    "category": WORDS,
    "int8": pa.int8(),
    "Int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "Int32": pa.int32(),
    "bool": pa.bool_(),
    "boolean": pa.bool_(),
    "float32": pa.float32(),
    "float64": pa.float64(),
    "datetime64[s]": pa.date32(),
}
"""How a column of a table is written."""

_TYPES_OF_SUMS = {str: WORDS, int: pa.int64(), float: pa.float64()}
"""How a dimension of sums is written; one whose words are known is written as their numbers."""


class ShardRows(NamedTuple):
    """The rows of some matches, as they are written."""

    matches: int
    """How many matches there are, counted from 0."""
    tables: Mapping[str, pa.Table]
    """By the name of their file in the shard."""


def shard_rows(tables: Tables, sums: Mapping[str, pd.DataFrame]) -> ShardRows:
    """Return the rows of tables and of their sums as they are written."""
    arrow = {
        name: _arrow(getattr(tables, name), schema)
        for name, schema in zip(Tables._fields, SCHEMAS, strict=True)
    }
    arrow |= {f"{SUMS}/{name}": _arrow_of_sums(frame) for name, frame in sums.items()}
    return ShardRows(len(tables.matches), arrow)


class ShardWriter:
    """A shard under way. It is nothing until `finish` has put it in its place."""

    def __init__(self, store: Path, shard: int) -> None:
        """Begin a shard; what another run has left unfinished under its number is removed."""
        self._store = store
        self._place = path_of(store, shard)
        self._folder = self._place.with_name(_UNFINISHED + self._place.name)
        _make_folder(self._folder)
        self._writers: dict[str, Any] = {}
        self._first = shard * MATCHES_A_SHARD
        self._matches = 0

    def add(self, rows: ShardRows) -> None:
        """Add the rows of some matches, which are counted from 0."""
        first = self._first + self._matches
        for name, table in rows.tables.items():
            self._write(name, _moved(table, first))
        self._matches += rows.matches

    def copy(self, shard: int, matches: pa.Array) -> None:
        """Add the rows that another shard has of some matches; raise MatchStoreError."""
        folder = path_of(self._store, shard)
        for name, schema in stored_schemas().items():
            try:
                with open_plain(folder / f"{name}.parquet") as file:
                    rows = pq.read_table(file, schema=schema)
                mask = pc.is_in(rows.column("match"), matches)
                self._write(name, rows.filter(mask))
            except pa.ArrowException as error:
                raise MatchStoreError(
                    f"{folder}: damaged or not made by bganalyze; collect anew into another folder"
                ) from error

    def _write(self, name: str, rows: pa.Table) -> None:
        if name not in self._writers:
            path = self._folder / f"{name}.parquet"
            self._writers[name] = pq.ParquetWriter(path, rows.schema, compression="zstd")
        self._writers[name].write_table(rows.cast(self._writers[name].schema))

    def finish(self) -> Checksums:
        """Put the shard in its place; return its files."""
        for writer in self._writers.values():
            writer.close()
        files = {
            f"{name}.parquet": checksum(self._folder / f"{name}.parquet") for name in self._writers
        }
        remove_shard(self._place)
        self._folder.rename(self._place)
        pa.system_memory_pool().release_unused()  # Else each shard leaves more pieces behind.
        return files


def place_shard(store: Path, shard: int, contents: Mapping[str, bytes]) -> None:
    """Put a shard in its place that was made elsewhere; raise OSError."""
    place = path_of(store, shard)
    folder = place.with_name(_UNFINISHED + place.name)
    _make_folder(folder)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    remove_shard(place)
    folder.rename(place)


def _make_folder(folder: Path) -> None:
    """Make the folder of a shard under way; what another run has left under its name is removed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    remove_shard(folder)
    folder.mkdir()
    (folder / SUMS).mkdir()


def merged(store: Path, shard: int, others: Iterable[int], matches: Iterable[range]) -> Checksums:
    """Write a shard of the rows that others have of some matches; raise OSError."""
    numbers = pa.array([number for several in matches for number in several], pa.int64())
    writer = ShardWriter(store, shard)
    for other in others:
        writer.copy(other, numbers)
    return writer.finish()


def empty(name: str) -> pa.Table:
    """Return one of the five tables without rows."""
    return stored_schemas()[name].empty_table()


def stored_schemas() -> dict[str, pa.Schema]:
    """Return the columns of each file of a shard, by its name without the ending."""
    tables = dict(zip(Tables._fields, map(arrow_schema, SCHEMAS), strict=True))
    sums = {f"{SUMS}/{base.name}": _schema_of_sums(base) for base in bases()}
    return {name: _with_match(schema) for name, schema in (tables | sums).items()}


def _with_match(schema: pa.Schema) -> pa.Schema:
    return schema.set(schema.get_field_index("match"), pa.field("match", pa.int64()))


def _schema_of_sums(base: Base) -> pa.Schema:
    dimensions = {
        name: _TYPES_OF_SUMS[kind if isinstance(kind, type) else int]
        for name, kind in base.dimensions.items()
    }
    keys, sums = dict.fromkeys(KEY, pa.int64()), dict.fromkeys(base.sums, pa.float64())
    return pa.schema((keys | dimensions | sums).items())


def arrow_schema(schema: Schema) -> pa.Schema:
    """Return the columns of a table as they are written."""
    return pa.schema([(column.name, _type_of(column)) for column in schema.columns])


def _type_of(column: Column) -> pa.DataType:
    return _TYPES[column.dtype]


def _arrow(frame: pd.DataFrame, schema: Schema) -> pa.Table:
    arrays = [
        pa.array(frame[column.name], from_pandas=True).cast(_type_of(column), safe=False)
        for column in schema.columns
    ]
    return pa.table(arrays, schema=arrow_schema(schema))


def _arrow_of_sums(frame: pd.DataFrame) -> pa.Table:
    """Sums, whose words are categories; whole numbers and others are as wide as they can be."""
    arrays = {name: pa.array(frame[name], from_pandas=True) for name in frame.columns}
    return pa.table({name: array.cast(_wide(array.type)) for name, array in arrays.items()})


def _wide(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_integer(kind):
        return pa.int64()
    if pa.types.is_floating(kind):
        return pa.float64()
    return kind if pa.types.is_boolean(kind) else WORDS


def _moved(rows: pa.Table, first: int) -> pa.Table:
    """Rows with the numbers that their matches have in the store."""
    place = rows.schema.get_field_index("match")
    numbers = pa.array(rows.column(place).to_numpy().astype("int64") + first, pa.int64())
    return rows.set_column(place, pa.field("match", pa.int64()), numbers)
