"""The lock of a store: one run at a time writes to it; who was killed holds it no more."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bganalyze.store.manifest import MatchStoreError

NAME = "lock.db"
_ASK_AGAIN = 0.1
"""Seconds."""


@contextmanager
def locked(folder: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of a store; where another run holds it, call `wait` once, and wait.

    SQLite locks a file on every system, and the system frees it at any end of the program.
    Raises MatchStoreError.
    """
    path, is_told = folder / NAME, False
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            while not _is_locked(connection):
                if not is_told:
                    wait()
                is_told = True
                time.sleep(_ASK_AGAIN)
            yield
    except sqlite3.Error as error:
        raise MatchStoreError(f"{path}: {error}") from error


def _is_locked(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True
