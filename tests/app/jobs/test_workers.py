"""Processes: their order, their end, and the end of one that dies."""

import os
import signal
import threading
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from bganalyze.app.jobs.executor import (
    CHUNK,
    FEW,
    WorkerError,
    apply_to_all,
    map_chunks,
    map_files,
    split_into_chunks,
)
from bganalyze.app.jobs.workers import Processes, delay_signals
from tests.app.jobs.children import children_end, list_own_children


@pytest.mark.slow
def test_results_come_in_order() -> None:
    waits = [0.05, 0.0, 0.0, 0.0] * 10
    assert list(map_files(time.sleep, waits, Processes(2))) == [None] * 40
    assert list(map_files(str, range(100), Processes(2))) == list(map(str, range(100)))


@pytest.mark.slow
def test_an_error_of_the_function_comes_back() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(map_files(int, ["1"] * 20 + ["x"], Processes(2)))
    assert children_end()


class Unloadable:
    """A function that no process can load."""

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("x",)

    def __call__(self, item: object) -> object:
        return item


@pytest.mark.slow
def test_a_function_that_cannot_be_loaded_is_one_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(map_files(Unloadable(), range(100), Processes(2)))
    assert children_end()
    assert capfd.readouterr() == ("", "")


def test_a_process_that_dies_is_one_error() -> None:
    with pytest.raises(WorkerError, match=r"died \(out of memory\?\) over \d+$"):
        list(map_files(os._exit, range(3, 100), Processes(2)))
    assert children_end()


def dies_over_40(number: int) -> int:
    if number == 40:
        os._exit(1)
    return number


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 25, 41])
def test_the_item_over_which_a_process_dies_is_named(size: int) -> None:
    work, items = partial(apply_to_all, dies_over_40), split_into_chunks(range(100), size)
    with pytest.raises(WorkerError, match=r"died \(out of memory\?\) over 40$"):
        list(Processes(2).map_in_order(work, items))
    assert children_end()


def dies_once(path: Path) -> None:
    """End the process that is the first to come here."""
    try:
        path.with_name("dead").touch(exist_ok=False)
    except FileExistsError:
        return
    os._exit(1)


@pytest.mark.slow
def test_where_no_item_is_deadly_the_first_and_the_last_are_named(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number:02}.mat" for number in range(40)]
    with pytest.raises(WorkerError, match=r"between .*\d\d\.mat and .*\d\d\.mat$"):
        list(map_files(dies_once, paths, Processes(2)))
    assert children_end()


@pytest.mark.slow
def test_no_more_processes_are_started_than_there_is_work_for() -> None:
    results = map_files(abs, range(CHUNK + 1), Processes(100_000))
    assert next(results) == 0
    assert len(list_own_children()) == 2
    assert len(list(results)) == CHUNK
    assert children_end()


@pytest.mark.slow
def test_closing_ends_the_processes_at_once() -> None:
    results = map_files(time.sleep, [0.0] * 8 + [120.0] * 100, Processes(2))
    next(results)
    started = time.monotonic()
    results.close()
    assert children_end()
    assert time.monotonic() - started < 60


class TestMap:
    @pytest.mark.parametrize("workers", [1, 2, 3])
    def test_the_order_is_that_of_the_items(self, workers: int) -> None:
        assert list(map_files(abs, range(-100, 0), Processes(workers))) == list(range(100, 0, -1))

    def test_few_items_start_no_processes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr(Processes, "map_in_order")
        items = range(FEW)
        assert list(map_files(abs, items, Processes(4))) == list(items)

    def test_items_are_taken_as_they_are_needed(self) -> None:
        consumed = []
        items = (consumed.append(number) or number for number in range(10_000))
        results = map_files(abs, items, Processes(2))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        assert len(consumed) < 200
        results.close()


class TestChunks:
    @pytest.mark.parametrize("workers", [1, 2, 3])
    @pytest.mark.parametrize("size", [0, 1, FEW, 10 * CHUNK + 1])
    def test_the_chunks_are_all_the_items_in_order(self, workers: int, size: int) -> None:
        split_into_chunks = list(map_chunks(tuple, range(size), Processes(workers)))
        assert [item for chunk in split_into_chunks for item in chunk] == list(range(size))
        assert all(len(chunk) <= CHUNK for chunk in split_into_chunks)

    @pytest.mark.slow
    def test_an_error_of_the_function_comes_back(self) -> None:
        with pytest.raises(TypeError):
            list(map_chunks(sum, [1] * 20 + ["x"], Processes(2)))
        assert children_end()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals of POSIX")
@pytest.mark.parametrize("is_main", [True, False])
def test_a_process_starts_with_interrupts_blocked(is_main: bool) -> None:
    blocked = []

    def look() -> None:
        for block in (nullcontext(), delay_signals(), nullcontext()):
            with block:
                blocked.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))

    if is_main:
        look()
    else:
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert blocked == [False, True, False]
