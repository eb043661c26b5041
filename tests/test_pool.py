"""Processes: their order, their end, and the end of one that dies."""

import multiprocessing
import os
import time

import pytest

from bganalyze.corpus import WorkerError
from bganalyze.pool import in_processes


def children_end() -> bool:
    """Whether no process is left after a while."""
    deadline = time.monotonic() + 10
    while multiprocessing.active_children() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not multiprocessing.active_children()


def test_results_come_in_order() -> None:
    waits = [0.05, 0.0, 0.0, 0.0] * 10
    assert list(in_processes(time.sleep, waits, 2)) == [None] * 40
    assert list(in_processes(str, range(100), 2)) == list(map(str, range(100)))


def test_an_error_of_the_function_comes_back() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(in_processes(int, ["1"] * 20 + ["x"], 2))
    assert children_end()


def test_a_process_that_dies_is_one_error() -> None:
    with pytest.raises(WorkerError, match=r"died \(out of memory\?\) between \d+ and \d+"):
        list(in_processes(os._exit, range(3, 100), 2))
    assert children_end()


def test_closing_ends_the_processes_at_once() -> None:
    results = in_processes(time.sleep, [0.0] * 8 + [60.0] * 100, 2)
    next(results)
    started = time.monotonic()
    results.close()
    assert children_end()
    assert time.monotonic() - started < 10
