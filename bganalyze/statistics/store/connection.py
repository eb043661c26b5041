"""Connections to DuckDB that can read certain files and do nothing else.

They are locked before they read the first value of a store.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from bganalyze.files.interruptible import run_interruptibly
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.statistics.store.temporary import temporary_folder

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

MEMORY = "1GB"
"""Most memory of a connection."""

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
"""Wildcards of DuckDB; in brackets they have no special meaning."""


@contextmanager
def connect_to_files(
    files: Iterable[str], duckdb_settings: Mapping[str, object]
) -> Iterator[DuckDBPyConnection]:
    """Provide, in a `with` block, a database connection that can read no files but these.

    Settings that this version of DuckDB does not know are ignored.
    """
    import duckdb

    allowed = list(
        dict.fromkeys(name for file in files for name in (file, make_literal_pattern(file)))
    )
    with temporary_folder() as temporary:
        given = {**_SETTINGS, **duckdb_settings, "temp_directory": temporary / "spill"}
        connection = duckdb.connect(":memory:")
        try:
            run_interruptibly(
                lambda: _lock_connection(connection, allowed, given), connection.interrupt
            )
            yield connection
        finally:
            _close_and_interrupt(connection)


def _lock_connection(
    connection: DuckDBPyConnection, allowed: Iterable[str], duckdb_settings: Mapping[str, object]
) -> None:
    """Apply settings of DuckDB, then restrict a connection to reading the `allowed` files."""
    rows = connection.execute("SELECT name FROM duckdb_settings()").fetchall()
    for (name,) in rows:
        if name in duckdb_settings:
            connection.execute(f"SET {name} = {quote_text(duckdb_settings[name])}")
    connection.execute(f"SET allowed_paths = [{', '.join(map(quote_text, allowed))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _close_and_interrupt(connection: DuckDBPyConnection) -> None:
    """Close a connection, and interrupt its query if one is running."""
    until = time.monotonic() + _SECONDS_TO_CLOSE
    with suppress(TimeoutError):
        # Some steps of DuckDB cannot be interrupted.
        run_interruptibly(
            lambda: _retry_closing_until(until, connection), connection.interrupt, until
        )


def _retry_closing_until(until: float, connection: DuckDBPyConnection) -> None:
    """Try to close a connection, again and again until the time `until`.

    The time is one of `time.monotonic`.
    """
    import duckdb

    # Some versions of DuckDB refuse while a query runs.
    while time.monotonic() < until:
        connection.interrupt()
        try:
            connection.close()
        except duckdb.Error:
            time.sleep(_MOMENT)
        else:
            return


def make_literal_pattern(path: str) -> str:
    """Return the DuckDB file pattern that matches only this path, with wildcards escaped.

    >>> make_literal_pattern("/club[2]/a?.parquet")
    '/club[[]2]/a[?].parquet'
    """
    return "".join(f"[{character}]" if character in _WILD else character for character in path)


def can_be_literal(path: str) -> bool:
    r"""Whether `make_literal_pattern` works for a path.

    Except on Windows, it does not for a path with both a backslash and a wildcard.

    >>> can_be_literal("/club[2]"), can_be_literal("/cl\\ub"), can_be_literal("/cl\\ub[2]")
    (True, True, False)
    """
    # DuckDB reads backslashes in such a pattern as slashes.
    return os.sep == "\\" or "\\" not in path or not any(sign in path for sign in _WILD)


def quote_text(value: object) -> str:
    """Return a value as a text literal in SQL.

    >>> quote_text("it's")
    "'it''s'"
    """
    return "'" + str(value).replace("'", "''") + "'"


def quote_name(name: str) -> str:
    """Return a name as an identifier in SQL.

    >>> quote_name("left")
    '"left"'
    """
    return '"' + name.replace('"', '""') + '"'


def message_in_a_line(error: Exception) -> str:
    r"""Return DuckDB's error message in one line, without the query that it quotes.

    >>> message_in_a_line(ValueError("Parser Error:\n  bad\nLINE 1: SELEC 1"))
    'Parser Error: bad'
    """
    return " ".join(str(error).partition("\nLINE ")[0].split())


def require_readable_path(path: Path) -> str:
    """Return a path as text; raise MatchStoreError if DuckDB cannot read such a path."""
    real = os.path.realpath(path)
    try:
        real.encode()
    except UnicodeEncodeError:
        raise MatchStoreError(
            f"{path}: DuckDB cannot read a path that is not UTF-8; rename the file"
        ) from None
    return real
