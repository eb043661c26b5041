"""SQLite databases: open their files, wait while they are locked, and explain errors.

Other programs may write to them too. SQLite can wait for a lock by itself, but Python cannot be
interrupted meanwhile.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

PATIENCE = 30.0
"""Seconds to wait while another program writes to the same database."""

DECLARED = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
"""Query for everything that a database declares."""

_MOMENT = 0.1
"""Seconds that SQLite waits by itself, and pause between two attempts."""

_A = TypeVar("_A")

_UNFINISHED = (sqlite3.SQLITE_READONLY_ROLLBACK, sqlite3.SQLITE_READONLY_RECOVERY)


class DatabaseFile(NamedTuple):
    """An SQLite file and the mode in which SQLite opens it: `ro`, `rw` or `rwc`."""

    path: Path
    mode: str = "ro"

    def connect(self, patience: float = PATIENCE, **options: Any) -> PatientConnection:
        """Open the database; its statements wait up to `patience` seconds for locks.

        `options` are passed to `sqlite3.connect`. Raises sqlite3.Error if opening fails.
        """
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={self.mode}",
            timeout=patience,
            factory=PatientConnection,
            check_same_thread=False,
            uri=True,
            **options,
        )
        # SQL stored in the file (triggers, views) must not call unsafe functions.
        connection.execute("PRAGMA trusted_schema = OFF")
        return connection


def describe_database_error(error: Exception) -> str:
    """Return the message of a database error on one line.

    If a killed run has left its changes unfinished, the message advises to repeat that run.
    """
    lines = str(error).strip().splitlines()
    message = lines[0] if lines else type(error).__name__
    if getattr(error, "sqlite_errorcode", None) in _UNFINISHED:
        return f"{message}: a run that wrote to it was killed; repeat that run"
    return message


class PatientConnection(sqlite3.Connection):
    """A connection whose statements wait while the database is locked.

    Pass it to `sqlite3.connect` as `factory`. It waits up to `timeout` seconds and answers an
    interrupt within 0.1 s.
    """

    def __init__(self, database: Any, timeout: float = PATIENCE, **options: Any) -> None:
        super().__init__(database, timeout=_MOMENT, **options)
        self._patience = timeout

    def cursor(self, factory: Any = None) -> Any:
        """Return a cursor whose statements wait while the database is locked."""
        return super().cursor(factory or _PatientCursor)

    def execute(self, *args: Any) -> sqlite3.Cursor:
        """Execute a statement, waiting while the database is locked."""
        return self.retry_while_locked(lambda: super(PatientConnection, self).execute(*args))

    def commit(self) -> None:
        """Commit the transaction, waiting while the database is locked."""
        self.retry_while_locked(super().commit)

    def retry_while_locked(self, attempt: Callable[[], _A]) -> _A:
        """Call `attempt` again and again while the database is locked, and return its result.

        Raises sqlite3.OperationalError after the time limit of the connection.
        """
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
    """A cursor whose statements wait while the database is locked."""

    connection: PatientConnection

    def execute(self, *args: Any) -> Self:
        """Execute a statement, waiting while the database is locked."""
        return self.connection.retry_while_locked(
            lambda: super(_PatientCursor, self).execute(*args)
        )

    def executemany(self, *args: Any) -> Self:
        """Execute a statement for many rows, waiting while the database is locked."""
        return self.connection.retry_while_locked(
            lambda: super(_PatientCursor, self).executemany(*args)
        )
