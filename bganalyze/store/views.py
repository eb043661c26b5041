"""The tables of a store in DuckDB: views over the Parquet of its shards, of the files that are there."""

from __future__ import annotations

import shlex
from array import array
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.store.manifest import LiveFile, MatchStoreError, is_whole, opened, path_of
from bganalyze.text import storable

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

NUMBERS = "numbers"


def connected(folder: Path, law: str | None = None) -> DuckDBPyConnection:
    """Return a connection to a database in memory that shows the tables of a store.

    `matches`, `games`, `turns`, `cubes` and `findings` have the columns of the data dictionary,
    `sums_...` the sums of the reports. `match` counts the matches of the store from 0, in the order in
    which `files.reading.find` meets the files. Raises MatchStoreError, as it does where another version
    of the program or another law than this (as `config.title` has it) made the store.
    """
    import duckdb

    from bganalyze.store.shards import SUMS, empty
    from bganalyze.tables.frames import Tables

    with closing(opened(folder, law)) as manifest:
        numbers, shards = _numbers(manifest.live()), manifest.shards()
    for shard, checksums in shards.items():
        if not is_whole(folder, shard, checksums):
            command = shlex.join(["bganalyze", "collect", "--store", str(folder)])
            raise MatchStoreError(f"{path_of(folder, shard)}: damaged; make it anew: {command}")
    connection = duckdb.connect(":memory:")
    connection.register("given", numbers)
    connection.execute(f"CREATE TABLE {NUMBERS} AS SELECT * FROM given")
    connection.unregister("given")
    del numbers
    for name in Tables._fields:
        paths = [path_of(folder, shard) / f"{name}.parquet" for shard in shards]
        if not paths:
            connection.register(f"no_{name}", empty(name))
        source = _parquet(paths) if paths else f"no_{name}"
        path = "numbers.path, " if name == "matches" else ""
        left_out = "match, path" if name == "matches" else "match"
        connection.execute(
            f"CREATE VIEW {name} AS SELECT numbers.match, {path}rows.* EXCLUDE ({left_out})"
            f" FROM {source} AS rows JOIN {NUMBERS} AS numbers ON rows.match = numbers.kept"
        )
    bases = sorted({name for files in shards.values() for name in files if name.startswith(SUMS)})
    for name in bases:
        base = name.removeprefix(f"{SUMS}/").removesuffix(".parquet")
        source = _parquet([path_of(folder, shard) / name for shard in shards])
        connection.execute(
            f'CREATE VIEW "sums_{base}" AS SELECT numbers.match, rows.* EXCLUDE (match)'
            f" FROM {source} AS rows JOIN {NUMBERS} AS numbers ON rows.match = numbers.kept"
        )
    return connection


def _numbers(files: Iterable[LiveFile]) -> pa.Table:
    """For each match its number where it is kept, its number in the store, and the path of its file."""
    import pyarrow as pa

    kept, paths = array("q"), list[str]()
    for file in files:
        kept.extend(range(file.first, file.first + file.matches))
        paths.extend([storable(file.path)] * file.matches)
    columns = {
        "kept": pa.array(kept, pa.int64()),
        "match": pa.array(range(len(kept)), pa.int32()),
        "path": pa.array(paths, pa.string()),
    }
    return pa.table(columns)


def _parquet(paths: list[Path]) -> str:
    """Files as DuckDB reads them."""
    quoted = ", ".join("'" + str(path).replace("'", "''") + "'" for path in paths)
    return f"read_parquet([{quoted}])"
