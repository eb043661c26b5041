"""Connections to DuckDB end with whoever uses them."""

import threading
from threading import Thread

import duckdb
import pytest

from bganalyze.files.interruptible import interruptible
from bganalyze.statistics.store.connection import shut_connection


class Busy:
    """A connection that refuses to be closed at first, as one in use does."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def interrupt(self) -> None:
        self.asked.append("interrupt")

    def close(self) -> None:
        self.asked.append("close")
        if self.asked.count("close") < 3:
            raise duckdb.OperationalError("connection is busy with another call")


def test_a_signal_is_passed_on_from_a_busy_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = Busy()
    monkeypatch.setattr(duckdb, "connect", lambda _: busy)
    monkeypatch.setattr("bganalyze.statistics.store.connection._lock_connection", lambda *_: None)
    with pytest.raises(KeyboardInterrupt), shut_connection([], {}):
        raise KeyboardInterrupt
    assert busy.asked == ["interrupt", "close"] * 3


def test_a_call_is_ended_by_a_signal_that_comes_while_it_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Signaled(Thread):
        def start(self) -> None:
            super().start()
            raise KeyboardInterrupt

    is_asked = threading.Event()
    monkeypatch.setattr("bganalyze.files.interruptible.Thread", Signaled)
    with pytest.raises(KeyboardInterrupt):
        interruptible(is_asked.wait, is_asked.set)
    assert is_asked.is_set()
