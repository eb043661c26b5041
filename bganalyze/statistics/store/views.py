"""The tables of a store in DuckDB: views of its shards, limited to existing files."""

from __future__ import annotations

import shlex
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.files.interruptible import run_interruptibly
from bganalyze.statistics.store.allowed_names import is_shard_unchanged
from bganalyze.statistics.store.connection import (
    can_be_literal,
    connect_to_files,
    make_literal_pattern,
    message_in_a_line,
    quote_name,
    quote_text,
    require_readable_path,
)
from bganalyze.statistics.store.manifest import (
    Checksums,
    LiveFile,
    MatchStoreError,
    find_shard_folder,
)
from bganalyze.statistics.store.opening import open_store
from bganalyze.text import escape_surrogates

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

NUMBERS = "numbers"

MOST_ROWS_A_BYTE = 8
"""Most rows in a shard's file per byte. At most 1.8 were measured, in a shard with the same match
250 times."""

_MOST_ROWS_A_BYTE = {"matches": 1, "games": 1}
"""The same limit for tables that are read into memory as a whole; 0.05 was measured."""

_READ = "read_parquet([{}], hive_partitioning = false, union_by_name = false, filename = false)"
"""Reading that does not depend on the path of a file."""


@contextmanager
def connect_to_store(
    folder: Path,
    rule_book: str | None = None,
    duckdb_settings: Mapping[str, object] | None = None,
    tables: Collection[str] | None = None,
) -> Iterator[DuckDBPyConnection]:
    """Provide, in a `with` block, a database connection that reads a store's tables.

    `tables` names the wanted tables, by default all. Raises MatchStoreError if the store cannot be
    read, or another program version or rule book made it.
    """
    import duckdb

    from bganalyze.statistics.reports.stored import DamagedSumsError
    from bganalyze.statistics.store.shards import list_stored_schemas

    with closing(open_store(folder, rule_book)) as manifest:
        numbers, shards = _number_matches(manifest.list_files()), manifest.shards()
    every = list(list_stored_schemas())
    names = every if tables is None else [name for name in every if name in tables]
    _require_whole(
        folder, shards, *([f"{name}.parquet" for name in some] for some in (every, names))
    )
    root = Path(require_readable_path(folder))
    if not can_be_literal(str(root)):
        raise MatchStoreError(
            f"{folder}: DuckDB cannot read a store whose path contains both a backslash and *, ? or [; rename the folder"
        )
    files = {
        name: {str(find_shard_folder(root, shard) / f"{name}.parquet"): shard for shard in shards}
        for name in names
    }
    paths = [path for several in files.values() for path in several]
    try:
        with connect_to_files(paths, duckdb_settings or {}) as connection:
            run_interruptibly(
                lambda: _create_views(connection, folder, numbers, files), connection.interrupt
            )
            yield connection
    except (duckdb.OutOfMemoryException, duckdb.InterruptException) as error:
        raise MatchStoreError(f"{folder}: {message_in_a_line(error)}") from error
    except (duckdb.Error, DamagedSumsError, UnicodeDecodeError) as error:
        raise MatchStoreError(
            f"{folder}: damaged or not created by bganalyze ({message_in_a_line(error)});"
            " collect again into another folder"
        ) from error


def _require_whole(
    folder: Path, shards: Mapping[int, Checksums], names: Collection[str], read: Collection[str]
) -> None:
    """Raise MatchStoreError if a shard's data files are missing or, for those in `read`, changed.

    `names` are the data files that each shard must have.
    """
    for shard, checksums in shards.items():
        is_complete = checksums.keys() == set(names)
        if not is_complete or not is_shard_unchanged(
            folder, shard, {name: checksums[name] for name in read}
        ):
            command = shlex.join(["bganalyze", "collect", "--store", str(folder)])
            raise MatchStoreError(
                f"{find_shard_folder(folder, shard)}: damaged; collect again: {command}"
            )


def _require_few_rows(
    connection: DuckDBPyConnection, folder: Path, name: str, shard_by_path: Mapping[str, int]
) -> None:
    """Raise MatchStoreError if a data file claims more rows than a file of its size can hold.

    `name` is the table of the data files. `shard_by_path` has the shard number of each file.
    """
    if not shard_by_path:
        return
    most = _MOST_ROWS_A_BYTE.get(name, MOST_ROWS_A_BYTE)
    sizes = [most * Path(path).stat().st_size for path in shard_by_path]
    query = f"SELECT num_rows FROM parquet_file_metadata([{_list_files(shard_by_path)}])"
    answer = connection.execute(query).fetchall()
    for shard, size, (rows,) in zip(shard_by_path.values(), sizes, answer, strict=True):
        if not 0 <= rows <= size:
            raise MatchStoreError(
                f"{find_shard_folder(folder, shard)}: damaged or not created by bganalyze"
                f" ({rows:,} rows of {name}); collect again into another folder"
            )


def _create_views(
    connection: DuckDBPyConnection,
    folder: Path,
    match_numbers: pa.Table,
    shards_by_path: Mapping[str, Mapping[str, int]],
) -> None:
    """Create a database view for each table, which joins the data files of all shards.

    `match_numbers` has the number and path of each match, `shards_by_path` the shard number of each
    table's data files.
    """
    from bganalyze.statistics.store.shards import SUMS, list_stored_schemas

    connection.register("given", match_numbers)
    connection.execute(f"CREATE TABLE {NUMBERS} AS SELECT * FROM given")
    connection.unregister("given")
    schemas = list_stored_schemas()
    for name, paths in shards_by_path.items():
        _require_few_rows(connection, folder, name, paths)
        _create_view(connection, name.replace(f"{SUMS}/", f"{SUMS}_"), schemas[name], list(paths))


def _create_view(
    connection: DuckDBPyConnection, name: str, schema: pa.Schema, files: list[str]
) -> None:
    """Create the database view of the table `name`, which reads the table's data files."""
    if files:
        source = _READ.format(_list_files(files))
    else:
        source = f"no_{name}"
        connection.register(source, schema.empty_table())
    columns = [f"{NUMBERS}.match"]
    if name == "matches":
        columns.append(f"{NUMBERS}.path")
    columns += [
        f"CAST(rows.{quote_name(field.name)} AS {type_in_sql(field.type)}) AS {quote_name(field.name)}"
        for field in schema
        if field.name not in ("match", "path" if name == "matches" else "match")
    ]
    connection.execute(
        f"CREATE VIEW {quote_name(name)} AS SELECT {', '.join(columns)}"
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
"""DuckDB's names of column types."""


def type_in_sql(kind: pa.DataType) -> str:
    """Return DuckDB's name for an Arrow type."""
    return _TYPES[str(getattr(kind, "value_type", kind))]


def _list_files(paths: Iterable[str]) -> str:
    """Return file paths as a list in SQL, with wildcards escaped.

    >>> _list_files(["/a.parquet", "/b.parquet"])
    "'/a.parquet', '/b.parquet'"
    """
    return ", ".join(quote_text(make_literal_pattern(path)) for path in paths)


def _number_matches(files: Iterable[LiveFile]) -> pa.Table:
    """Return a table with a number for each match of a store, in the order of the files."""
    import pyarrow as pa

    kept, paths = array("q"), list[str]()
    for file in files:
        kept.extend(range(file.first, file.first + file.matches))
        paths.extend([escape_surrogates(file.path)] * file.matches)
    columns = {
        "kept": pa.array(kept, pa.int64()),
        "match": pa.array(range(len(kept)), pa.int32()),
        "path": pa.array(paths, pa.string()),
    }
    return pa.table(columns)
