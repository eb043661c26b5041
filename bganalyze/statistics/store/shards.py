"""Shards: the rows of some files as Parquet, in a folder that is written once and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bganalyze.statistics.reports import list_summed_tables
from bganalyze.statistics.reports.sums import KEY, SummedTable
from bganalyze.statistics.store.allowed_names import compute_checksum, open_plain, remove_shard
from bganalyze.statistics.store.manifest import (
    MATCHES_A_SHARD,
    Checksums,
    MatchStoreError,
    find_shard_folder,
)
from bganalyze.statistics.tables.fragments import SCHEMAS
from bganalyze.statistics.tables.frames import Tables
from bganalyze.statistics.tables.schema import Column, Schema

SUMS = "sums"
_UNFINISHED = ".unfinished-"

pa.set_memory_pool(pa.system_memory_pool())
"""Arrow's own pools take 25 MB more in each process that writes shards, and are not faster."""
pa.set_cpu_count(1)  # Processes share the work; each thread would need its own memory arena.

WORDS = pa.dictionary(pa.int32(), pa.string())
"""Type of words that occur many times."""

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
"""Stored type of each pandas type."""

_TYPES_OF_SUMS = {str: WORDS, int: pa.int64(), float: pa.float64()}
"""Stored type of a dimension of sums; a dimension with known words is stored as numbers."""


class ShardRows(NamedTuple):
    """The rows of some matches in stored form."""

    matches: int
    """Number of matches; they are numbered from 0."""
    tables: Mapping[str, pa.Table]
    """The tables, by the name of their file in the shard."""


def make_shard_rows(tables: Tables, sums: Mapping[str, pd.DataFrame]) -> ShardRows:
    """Return the rows of matches in the form in which a store keeps them, as Arrow tables.

    `sums` has the rows of each table of sums, by the table's name.
    """
    arrow = {
        name: _store_table(getattr(tables, name), schema)
        for name, schema in zip(Tables._fields, SCHEMAS, strict=True)
    }
    arrow |= {f"{SUMS}/{name}": _store_sums(frame) for name, frame in sums.items()}
    return ShardRows(len(tables.matches), arrow)


class ShardWriter:
    """A shard (the files with the rows of some matches) being written.

    The store has the shard only after `finish` has moved the files to their place.
    """

    def __init__(self, store: Path, shard: int) -> None:
        """Begin a shard, in place of an unfinished one with its number."""
        self._store = store
        self._place = find_shard_folder(store, shard)
        self._folder = self._place.with_name(_UNFINISHED + self._place.name)
        _make_folder(self._folder)
        self._writers: dict[str, Any] = {}
        self._first = shard * MATCHES_A_SHARD
        self._matches = 0

    def add(self, rows: ShardRows) -> None:
        """Add the rows of some matches, which become the last matches of the shard.

        In `rows` the matches are numbered from 0.
        """
        # In `rows` the numbers begin at 0.
        first = self._first + self._matches
        for name, table in rows.tables.items():
            self._write_rows(name, _renumber_matches(table, first))
        self._matches += rows.matches

    def copy_from(self, shard: int, matches: pa.Array) -> None:
        """Copy the rows of some matches from another shard.

        `shard` is the other shard's number, `matches` the matches' numbers in it. Raises
        MatchStoreError if a file is damaged.
        """
        folder = find_shard_folder(self._store, shard)
        for name, schema in list_stored_schemas().items():
            try:
                with open_plain(folder / f"{name}.parquet") as file:
                    rows = pq.read_table(file, schema=schema)
                mask = pc.is_in(rows.column("match"), matches)
                self._write_rows(name, rows.filter(mask))
            except pa.ArrowException as error:
                raise MatchStoreError(
                    f"{folder}: damaged or not created by bganalyze; collect again into another folder"
                ) from error

    def _write_rows(self, name: str, rows: pa.Table) -> None:
        """Append rows to the data file of the table `name`, which is created if missing."""
        if name not in self._writers:
            path = self._folder / f"{name}.parquet"
            self._writers[name] = pq.ParquetWriter(path, rows.schema, compression="zstd")
        self._writers[name].write_table(rows.cast(self._writers[name].schema))

    def finish(self) -> Checksums:
        """Move the finished files to their place in the store, and return their checksums."""
        for writer in self._writers.values():
            writer.close()
        files = {
            f"{name}.parquet": compute_checksum(self._folder / f"{name}.parquet")
            for name in self._writers
        }
        remove_shard(self._place)
        self._folder.rename(self._place)
        # Otherwise each shard would leave more unused memory.
        pa.system_memory_pool().release_unused()
        return files


def place_shard(store: Path, shard: int, contents: Mapping[str, bytes]) -> None:
    """Write the data files of a shard into a store, and replace any old files of that shard.

    `contents` maps file names to bytes. Raises OSError if a file cannot be written.
    """
    place = find_shard_folder(store, shard)
    folder = place.with_name(_UNFINISHED + place.name)
    _make_folder(folder)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    remove_shard(place)
    folder.rename(place)


def _make_folder(folder: Path) -> None:
    """Create an empty folder for a shard, and delete an older one at this path."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    remove_shard(folder)
    folder.mkdir()
    (folder / SUMS).mkdir()


def merge_shards(
    store: Path, shard: int, others: Iterable[int], matches: Iterable[range]
) -> Checksums:
    """Write a new shard with matches of older shards, and return the checksums of its files.

    `others` has the numbers of the older shards, `matches` the numbers of the matches to copy.
    Raises OSError if a file cannot be read or written, and MatchStoreError if a file is damaged.
    """
    numbers = pa.array([number for several in matches for number in several], pa.int64())
    writer = ShardWriter(store, shard)
    for other in others:
        writer.copy_from(other, numbers)
    return writer.finish()


def list_stored_schemas() -> dict[str, pa.Schema]:
    """Return the Arrow schema (columns with types) of each data file, by the file's stem."""
    tables = dict(zip(Tables._fields, map(make_arrow_schema, SCHEMAS), strict=True))
    sums = {f"{SUMS}/{table.name}": _make_sums_schema(table) for table in list_summed_tables()}
    return {name: _set_type_of_match_numbers(schema) for name, schema in (tables | sums).items()}


def _set_type_of_match_numbers(schema: pa.Schema) -> pa.Schema:
    """Return the Arrow schema of a data file, changed to have 64-bit match numbers."""
    return schema.set(schema.get_field_index("match"), pa.field("match", pa.int64()))


def _make_sums_schema(table: SummedTable) -> pa.Schema:
    """Return the Arrow schema (columns with types) of the data file for a table of sums."""
    dimensions = {
        name: _TYPES_OF_SUMS[kind if isinstance(kind, type) else int]
        for name, kind in table.dimensions.items()
    }
    keys, sums = dict.fromkeys(KEY, pa.int64()), dict.fromkeys(table.sums, pa.float64())
    return pa.schema((keys | dimensions | sums).items())


def make_arrow_schema(schema: Schema) -> pa.Schema:
    """Return the Arrow schema with which a store keeps a table."""
    return pa.schema([(column.name, _find_stored_type(column)) for column in schema.recorded])


def _find_stored_type(column: Column) -> pa.DataType:
    """Return the Arrow type with which a store keeps a column."""
    return _TYPES[column.dtype]


def _store_table(frame: pd.DataFrame, schema: Schema) -> pa.Table:
    """Return a table as an Arrow table with the types of the store."""
    arrays = [
        pa.array(frame[column.name], from_pandas=True).cast(_find_stored_type(column), safe=False)
        for column in schema.recorded
    ]
    return pa.table(arrays, schema=make_arrow_schema(schema))


def _store_sums(frame: pd.DataFrame) -> pa.Table:
    """Return a table of sums as an Arrow table with 64-bit numbers."""
    arrays = {name: pa.array(frame[name], from_pandas=True) for name in frame.columns}
    return pa.table({name: array.cast(_widen_type(array.type)) for name, array in arrays.items()})


def _widen_type(kind: pa.DataType) -> pa.DataType:
    """Return the widest Arrow type of the same kind: 64 bits for an integer.

    >>> _widen_type(pa.int8())
    DataType(int64)
    """
    # A damaged file may hold columns of any width.
    if pa.types.is_integer(kind):
        return pa.int64()
    if pa.types.is_floating(kind):
        return pa.float64()
    return kind if pa.types.is_boolean(kind) else WORDS


def _renumber_matches(rows: pa.Table, first_number: int) -> pa.Table:
    """Return rows with `first_number` added to their match numbers."""
    place = rows.schema.get_field_index("match")
    numbers = pa.array(rows.column(place).to_numpy().astype("int64") + first_number, pa.int64())
    return rows.set_column(place, pa.field("match", pa.int64()), numbers)
