"""Connections to DuckDB that can read some files and do nothing else.

They are closed to everything before the first value of a store is read by them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from bganalyze.files.interruptible import interruptible
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.statistics.store.temporary import temporary_folder

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

MEMORY = "1GB"
"""The most memory that a connection may take."""

_SETTINGS = {
    "memory_limit": MEMORY,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "enable_progress_bar": False,
}

_SECONDS_TO_CLOSE = 1.0
_MOMENT = 0.02
"""Seconds between two attempts to close a connection."""

_WILD = "*?["
"""Characters by which DuckDB would look for several files; in brackets they stand for themselves."""


@contextmanager
def shut_connection(
    files: Iterable[str], settings: Mapping[str, object]
) -> Iterator[DuckDBPyConnection]:
    """Provide a connection to a database in memory that can read these files and no others.

    It has a temporary folder, which is removed at the end. Settings that this version of DuckDB does
    not have are left out.
    """
    import duckdb

    allowed = list(dict.fromkeys(name for file in files for name in (file, literal(file))))
    with temporary_folder() as temporary:
        given = {**_SETTINGS, **settings, "temp_directory": temporary / "spill"}
        connection = duckdb.connect(":memory:")
        try:
            interruptible(lambda: _shut(connection, allowed, given), connection.interrupt)
            yield connection
        finally:
            _close(connection)


def _shut(
    connection: DuckDBPyConnection, allowed: Iterable[str], settings: Mapping[str, object]
) -> None:
    """Let a connection read these files and do nothing else, by settings that stay as they are."""
    rows = connection.execute("SELECT name FROM duckdb_settings()").fetchall()
    for (name,) in rows:
        if name in settings:
            connection.execute(f"SET {name} = {quoted(settings[name])}")
    connection.execute(f"SET allowed_paths = [{', '.join(map(quoted, allowed))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _close(connection: DuckDBPyConnection) -> None:
    """Close a connection and end what it does; some steps of DuckDB do not hear that."""
    until = time.monotonic() + _SECONDS_TO_CLOSE
    with suppress(TimeoutError):
        interruptible(lambda: _close_by(until, connection), connection.interrupt, until)


def _close_by(until: float, connection: DuckDBPyConnection) -> None:
    """Close a connection; some versions of DuckDB refuse that until it has nothing to do."""
    import duckdb

    while time.monotonic() < until:
        connection.interrupt()
        try:
            connection.close()
        except duckdb.Error:
            time.sleep(_MOMENT)
        else:
            return


def literal(path: str) -> str:
    """Return the pattern that a path alone fulfills.

    >>> literal("/club[2]/a?.parquet")
    '/club[[]2]/a[?].parquet'
    """
    return "".join(f"[{character}]" if character in _WILD else character for character in path)


def can_be_literal(path: str) -> bool:
    r"""Whether `literal` has a pattern for a path: DuckDB takes a backslash in a pattern for a slash.

    >>> can_be_literal("/club[2]"), can_be_literal("/cl\\ub"), can_be_literal("/cl\\ub[2]")
    (True, True, False)
    """
    return os.sep == "\\" or "\\" not in path or not any(sign in path for sign in _WILD)


def quoted(value: object) -> str:
    """Return a value as it stands in SQL: a text, or a number or truth as one.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + str(value).replace("'", "''") + "'"


def named(name: str) -> str:
    """Return a name as it stands in SQL.

    >>> named("left")
    '"left"'
    """
    return '"' + name.replace('"', '""') + '"'


def in_a_line(error: Exception) -> str:
    """Return the message of DuckDB without the place in the query, which it shows on further lines."""
    return " ".join(str(error).partition("\nLINE ")[0].split())


def readable_path(path: Path) -> str:
    """Return a path as DuckDB takes it; raise MatchStoreError where it cannot."""
    real = os.path.realpath(path)
    try:
        real.encode()
    except UnicodeEncodeError:
        raise MatchStoreError(
            f"{path}: DuckDB reads no path that is not UTF-8; rename it"
        ) from None
    return real
