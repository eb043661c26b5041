"""Databases that another program has locked: waited for, but not by who is interrupted."""

from __future__ import annotations

import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bganalyze.files.databases import PATIENCE, PatientConnection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


@pytest.fixture
def other(path: Path) -> Iterator[sqlite3.Connection]:
    """A program that has locked the database."""
    with closing(
        sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    ) as connection:
        connection.execute("CREATE TABLE names (name)")
        connection.execute("BEGIN EXCLUSIVE")
        yield connection


def connect(path: Path, patience: float) -> PatientConnection:
    return sqlite3.connect(path, timeout=patience, factory=PatientConnection)


@pytest.mark.slow
def test_it_is_waited_for(path: Path, other: sqlite3.Connection) -> None:
    freed = threading.Timer(0.3, other.execute, ("ROLLBACK",))
    freed.start()
    with closing(connect(path, PATIENCE)) as connection:
        connection.cursor().executemany("INSERT INTO names VALUES (?)", [("Ann",), ("Bob",)])
        connection.commit()
        assert connection.execute("SELECT count(*) FROM names").fetchall() == [(2,)]
    freed.join()


def test_it_is_not_waited_for_longer_than_was_said(path: Path, other: sqlite3.Connection) -> None:
    with closing(connect(path, 0.1)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="database is locked"):
            connection.execute("INSERT INTO names VALUES ('Ann')")
        other.execute("ROLLBACK")
        connection.execute("INSERT INTO names VALUES ('Ann')")


def test_other_errors_are_told_at_once(path: Path) -> None:
    with (
        closing(connect(path, PATIENCE)) as connection,
        pytest.raises(sqlite3.OperationalError, match="no such table"),
    ):
        connection.execute("SELECT 1 FROM nobody")


@pytest.mark.slow
@pytest.mark.usefixtures("other", "heeded_signals")
def test_an_interrupt_ends_it(path: Path) -> None:
    start = time.monotonic()
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))

    def insert() -> None:
        with closing(connect(path, PATIENCE)) as connection:
            timer.start()
            connection.execute("INSERT INTO names VALUES ('Ann')")

    with pytest.raises(KeyboardInterrupt):
        insert()
    assert time.monotonic() - start < PATIENCE / 2
    timer.join()
