"""SQLite databases that other programs write to as well: a locked one is waited for.

SQLite can wait by itself, but Python answers no interrupt meanwhile.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

PATIENCE = 30.0
"""Seconds to wait for another program that writes to the same database."""

_MOMENT = 0.1
"""Seconds that SQLite waits by itself, and between two attempts."""

_A = TypeVar("_A")


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
