"""SQLite databases: how their files are opened, waited for and told of where they cannot be used.

Other programs may write to them as well. SQLite can wait for a locked one by itself, but Python answers
no interrupt meanwhile.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

PATIENCE = 30.0
"""Seconds to wait for another program that writes to the same database."""

DECLARED = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
"""The query for everything that a database declares."""

_MOMENT = 0.1
"""Seconds that SQLite waits by itself, and between two attempts."""

_A = TypeVar("_A")

_UNFINISHED = (sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY)


class DatabaseFile(NamedTuple):
    """An SQLite file, and the mode of SQLite in which it is opened: `ro`, `rw` or `rwc`."""

    path: Path
    mode: str = "ro"

    def connect(self, patience: float = PATIENCE, **options: Any) -> PatientConnection:
        """Return a connection, which waits `patience` seconds for other programs; raise sqlite3.Error.

        What the file declares runs no function of the program. Threads may use the connection in turn.
        """
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={self.mode}",
            timeout=patience,
            factory=PatientConnection,
            check_same_thread=False,
            uri=True,
            **options,
        )
        connection.execute("PRAGMA trusted_schema = OFF")
        return connection


def problem_in(error: Exception) -> str:
    """Return in one line what a database says, with what to do if a run that was killed left work."""
    lines = str(error).strip().splitlines()
    message = lines[0] if lines else type(error).__name__
    if getattr(error, "sqlite_errorcode", None) in _UNFINISHED:
        return f"{message}: a run that wrote to it was killed; repeat that run"
    return message


class PatientConnection(sqlite3.Connection):
    """A connection whose statements wait until a locked database is free.

    It is a `factory` for `sqlite3.connect`, and waits for `timeout` seconds at most; an interrupt
    is answered within a tenth of a second.
    """

    def __init__(self, database: Any, timeout: float = PATIENCE, **options: Any) -> None:
        super().__init__(database, timeout=_MOMENT, **options)
        self._patience = timeout

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(factory or _PatientCursor)

    def execute(self, *args: Any) -> sqlite3.Cursor:
        return self.patiently(lambda: super(PatientConnection, self).execute(*args))

    def commit(self) -> None:
        self.patiently(super().commit)

    def patiently(self, attempt: Callable[[], _A]) -> _A:
        """Return what an attempt returns, which is repeated while the database is locked."""
        until = time.monotonic() + self._patience
        while True:
            try:
                return attempt()
            except sqlite3.OperationalError as error:
                is_locked = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_locked or time.monotonic() > until:
                    raise
                time.sleep(_MOMENT)  # SQLite reports some locks without waiting.


class _PatientCursor(sqlite3.Cursor):
    connection: PatientConnection

    def execute(self, *args: Any) -> Self:
        return self.connection.patiently(lambda: super(_PatientCursor, self).execute(*args))

    def executemany(self, *args: Any) -> Self:
        return self.connection.patiently(lambda: super(_PatientCursor, self).executemany(*args))
