"""The tables of a store in DuckDB: views over the Parquet of its shards, of the files that are there."""

from __future__ import annotations

import shlex
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.files.interruptible import interruptible
from bganalyze.statistics.store.connection import (
    can_be_literal,
    in_a_line,
    literal,
    named,
    quoted,
    readable_path,
    shut_connection,
)
from bganalyze.statistics.store.manifest import Checksums, LiveFile, MatchStoreError, path_of
from bganalyze.statistics.store.opening import opened
from bganalyze.statistics.store.plain import is_whole
from bganalyze.text import storable

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

NUMBERS = "numbers"

MOST_ROWS_A_BYTE = 8
"""How many rows a file of a shard holds for each of its bytes: at most 1.8 were measured, where a shard
has the same match 250 times."""

_MOST_ROWS_A_BYTE = {"matches": 1, "games": 1}
"""The same of tables that are read into memory as a whole; 0.05 were measured."""

_READ = "read_parquet([{}], hive_partitioning = false, union_by_name = false, filename = false)"
"""What is in the path of a file must make no difference to its rows."""


@contextmanager
def connected(
    folder: Path, rule_book: str | None = None, settings: Mapping[str, object] | None = None
) -> Iterator[DuckDBPyConnection]:
    """Provide a connection to a database in memory that shows the tables of a store.

    It can read the files of the shards and nothing else. `matches`, `games`, `turns`, `cubes` and
    `findings` have the columns of the data dictionary, `sums_...` the sums of the reports. `match`
    counts the matches of the store from 0, in the order in which `files.reading.find` meets the files.
    `settings` are those of DuckDB. Raises MatchStoreError, as it does where another version of the
    program or another rule book than this (as `config.title` has it) made the store.
    """
    import duckdb

    from bganalyze.statistics.reports.stored import DamagedSumsError
    from bganalyze.statistics.store.shards import stored_schemas

    with closing(opened(folder, rule_book)) as manifest:
        numbers, shards = _numbers(manifest.live()), manifest.shards()
    names = list(stored_schemas())
    _require_whole(folder, shards, [f"{name}.parquet" for name in names])
    root = Path(readable_path(folder))
    if not can_be_literal(str(root)):
        raise MatchStoreError(
            f"{folder}: DuckDB reads no store whose path has both a backslash and *, ? or [; rename it"
        )
    files = {
        name: {str(path_of(root, shard) / f"{name}.parquet"): shard for shard in shards}
        for name in names
    }
    paths = [path for several in files.values() for path in several]
    try:
        with shut_connection(paths, settings or {}) as connection:
            interruptible(
                lambda: _show_all(connection, folder, numbers, files), connection.interrupt
            )
            yield connection
    except (duckdb.OutOfMemoryException, duckdb.InterruptException) as error:
        raise MatchStoreError(f"{folder}: {in_a_line(error)}") from error
    except (duckdb.Error, DamagedSumsError, UnicodeDecodeError) as error:
        raise MatchStoreError(
            f"{folder}: damaged or not made by bganalyze ({in_a_line(error)});"
            " collect anew into another folder"
        ) from error


def _require_whole(folder: Path, shards: Mapping[int, Checksums], names: Iterable[str]) -> None:
    """Raise MatchStoreError where a shard has not the files, or not as they were written."""
    expected = set(names)
    for shard, checksums in shards.items():
        if checksums.keys() != expected or not is_whole(folder, shard, checksums):
            command = shlex.join(["bganalyze", "collect", "--store", str(folder)])
            raise MatchStoreError(f"{path_of(folder, shard)}: damaged; make it anew: {command}")


def _require_few_rows(
    connection: DuckDBPyConnection, folder: Path, name: str, files: Mapping[str, int]
) -> None:
    """Raise MatchStoreError where a file says that it has more rows than there can be in its bytes."""
    if not files:
        return
    most = _MOST_ROWS_A_BYTE.get(name, MOST_ROWS_A_BYTE)
    sizes = [most * Path(path).stat().st_size for path in files]
    query = f"SELECT num_rows FROM parquet_file_metadata([{_listed(files)}])"
    answer = connection.execute(query).fetchall()
    for shard, size, (rows,) in zip(files.values(), sizes, answer, strict=True):
        if not 0 <= rows <= size:
            raise MatchStoreError(
                f"{path_of(folder, shard)}: damaged or not made by bganalyze"
                f" ({rows:,} rows of {name}); collect anew into another folder"
            )


def _show_all(
    connection: DuckDBPyConnection,
    folder: Path,
    numbers: pa.Table,
    files: Mapping[str, Mapping[str, int]],
) -> None:
    """Make the views of the tables, each of its files, which lie in the shards that are named."""
    from bganalyze.statistics.store.shards import SUMS, stored_schemas

    connection.register("given", numbers)
    connection.execute(f"CREATE TABLE {NUMBERS} AS SELECT * FROM given")
    connection.unregister("given")
    for name, schema in stored_schemas().items():
        _require_few_rows(connection, folder, name, files[name])
        _show(connection, name.replace(f"{SUMS}/", f"{SUMS}_"), schema, list(files[name]))


def _show(connection: DuckDBPyConnection, name: str, schema: pa.Schema, files: list[str]) -> None:
    """Make the view of a table: its columns as they are written, and the numbers of its matches."""
    if files:
        source = _READ.format(_listed(files))
    else:
        source = f"no_{name}"
        connection.register(source, schema.empty_table())
    columns = [f"{NUMBERS}.match"]
    if name == "matches":
        columns.append(f"{NUMBERS}.path")
    columns += [
        f"CAST(rows.{named(field.name)} AS {type_in_sql(field.type)}) AS {named(field.name)}"
        for field in schema
        if field.name not in ("match", "path" if name == "matches" else "match")
    ]
    connection.execute(
        f"CREATE VIEW {named(name)} AS SELECT {', '.join(columns)}"
        f" FROM {source} AS rows JOIN {NUMBERS} ON CAST(rows.match AS BIGINT) = {NUMBERS}.kept"
    )


_TYPES = {
    "string": "VARCHAR",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "bool": "BOOLEAN",
    "float": "FLOAT",
    "double": "DOUBLE",
    "date32[day]": "DATE",
}
"""How DuckDB names the types of columns."""


def type_in_sql(kind: pa.DataType) -> str:
    """Return how DuckDB names the type of a column; of words, that of texts."""
    return _TYPES[str(getattr(kind, "value_type", kind))]


def _listed(paths: Iterable[str]) -> str:
    """Files as DuckDB reads them."""
    return ", ".join(quoted(literal(path)) for path in paths)


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
