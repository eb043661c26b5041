"""Connections to DuckDB end with whoever uses them."""

import _thread
import sys
import threading
from collections.abc import Callable
from subprocess import run

import duckdb
import pytest

from bganalyze.files.interruptible import run_interruptibly
from bganalyze.statistics.store.connection import connect_to_files
from bganalyze.statistics.store.memory import read_private_memory

IN_LITTLE_MEMORY = """
import sys
from bganalyze.files.interruptible import run_interruptibly
from bganalyze.statistics.store.memory import limit_memory, read_private_memory
try:
    with limit_memory(read_private_memory() + int(sys.argv[1])):
        assert run_interruptibly(lambda: 3, lambda: None) == 3
except MemoryError:
    pass
print("3 or out of memory")
"""
"""Program that limits its memory and calls a function."""


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
    with pytest.raises(KeyboardInterrupt), connect_to_files([], {}):
        raise KeyboardInterrupt
    assert busy.asked == ["interrupt", "close"] * 3


def test_a_call_is_ended_by_a_signal_that_comes_while_it_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start_and_signal(work: Callable[[], None], given: tuple[()]) -> None:
        _thread.start_new_thread(work, given)
        raise KeyboardInterrupt

    is_asked = threading.Event()
    monkeypatch.setattr("bganalyze.files.interruptible.start_new_thread", start_and_signal)
    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(is_asked.wait, is_asked.set)
    assert is_asked.is_set()


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0, 1 << 20, 8 << 20], ids=["none", "1 MB", "8 MB"])
def test_a_call_for_whose_thread_memory_is_missing_ends(margin: int) -> None:
    before = read_private_memory()
    if before is None:
        pytest.skip("memory can be limited on Linux only")
    ended = run(
        [sys.executable, "-c", IN_LITTLE_MEMORY, str(margin)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.stdout == "3 or out of memory\n", ended.stderr


@pytest.mark.slow
def test_a_thread_that_ends_without_a_result_is_out_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bganalyze.files.interruptible.start_new_thread", lambda *_: None)
    with pytest.raises(MemoryError):
        run_interruptibly(lambda: 3, lambda: None)
