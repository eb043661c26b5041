"""Watched processes: an item that kills or hangs its process is reported, and all others are done."""

from __future__ import annotations

import os
import time

import pytest

from bganalyze.app.jobs.executor import LATE, LostWork, Started
from bganalyze.app.jobs.workers import Processes
from tests.app.jobs.children import children_end

pytestmark = pytest.mark.slow


def works(number: int) -> int:
    """Do the work of a bad day: some dies, some hangs."""
    if number % 10 == 3:
        os._exit(1)
    if number == 5:
        time.sleep(120)
    return number * number


def one_second_for_five(number: int) -> float:
    return 1.0 if number == 5 else 60.0


def a_minute(_: object) -> float:
    return 60.0


def test_what_is_given_to_a_process_is_told_at_once() -> None:
    assert list(Processes(1).run_watched(int, ["1"], a_minute)) == [("1", Started()), ("1", 1)]


def test_what_dies_or_hangs_is_lost_and_the_rest_is_done() -> None:
    results = dict(Processes(2).run_watched(works, range(12), find_time_limit=one_second_for_five))
    assert results.pop(3) == LostWork("its process died")
    assert results.pop(5) == LATE
    assert results == {number: number * number for number in (0, 1, 2, 4, 6, 7, 8, 9, 10, 11)}
    assert children_end()


def test_what_the_function_raises_is_raised() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(Processes(1).run_watched(int, ["1", "x"], a_minute))
    assert children_end()


def test_nothing_to_do() -> None:
    assert list(Processes(2).run_watched(int, [], a_minute)) == []


def test_closing_ends_the_processes_at_once() -> None:
    results = Processes(2).run_watched(time.sleep, [0.0, *[120.0] * 10], a_minute)
    next(results)
    results.close()
    assert children_end()
