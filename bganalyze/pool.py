"""Several processes at work on a stream of items, with the results in the order of the items.

No more is under way at a time than keeps the processes busy, so that memory does not grow with
the number of items. When the results are no longer wanted (an interrupt, a closed pipe) the
processes are ended at once.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from bganalyze.corpus import WorkerError

CHUNK = 8
"""How many items a process is given at a time."""
_CHUNKS_EACH = 4
"""How many chunks are under way for each process."""

_A = TypeVar("_A")
_B = TypeVar("_B")


def in_processes(function: Callable[[_A], _B], items: Iterable[_A], workers: int) -> Iterator[_B]:
    """Yield `function` of each item, in the order of the items."""
    chunks = _chunks(items)
    with _executor(workers) as executor:
        submitted = ((chunk, executor.submit(_each, function, chunk)) for chunk in chunks)
        under_way = deque(islice(submitted, workers * _CHUNKS_EACH))
        while under_way:
            chunk, future = under_way.popleft()
            yield from _result(chunk, future)
            under_way.extend(islice(submitted, 1))


def _chunks(items: Iterable[_A]) -> Iterator[list[_A]]:
    items = iter(items)
    while chunk := list(islice(items, CHUNK)):
        yield chunk


def _each(function: Callable[[_A], _B], chunk: list[_A]) -> list[_B]:
    return [function(item) for item in chunk]


def _result(chunk: list[_A], future: Future[list[_B]]) -> list[_B]:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise WorkerError(
            f"a worker process ended unexpectedly at or after {chunk[0]} (out of memory?);"
            " with one worker the file can be found"
        ) from error


@contextmanager
def _executor(workers: int) -> Iterator[ProcessPoolExecutor]:
    """An executor whose processes do not outlive an error, an interrupt or a loss of interest."""
    others = set(multiprocessing.active_children())
    methods = multiprocessing.get_all_start_methods()
    method = "forkserver" if "forkserver" in methods else "spawn"
    context = multiprocessing.get_context(method)
    executor = ProcessPoolExecutor(workers, context, initializer=_leave_interrupts_to_the_parent)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    executor.shutdown()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
