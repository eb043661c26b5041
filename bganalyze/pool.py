"""Several processes at work on a stream of items, with the results in the order of the items.

No more is under way at a time than keeps the processes busy, so that memory does not grow with
the number of items. When the results are no longer wanted (an interrupt, a closed pipe) the
processes stop after the item they are at; one that takes too long over it is ended.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.context import BaseContext
from multiprocessing.synchronize import Event
from typing import Any, TypeVar

from bganalyze.corpus import WorkerError

CHUNK = 8
"""How many items a process is given at a time."""
_CHUNKS_EACH = 4
"""How many chunks are under way for each process."""
_PATIENCE = 2.0
"""How long a process that is to stop may take over its last item, in seconds."""

_A = TypeVar("_A")
_B = TypeVar("_B")


def in_processes(function: Callable[[_A], _B], items: Iterable[_A], workers: int) -> Iterator[_B]:
    """Yield `function` of each item, in the order of the items; raise WorkerError."""
    place: object = "the first"
    pool = _Pool(workers)
    try:
        for chunk, future in pool.under_way(function, items):
            place = chunk[0]
            yield from future.result()
    except BrokenProcessPool as error:
        raise WorkerError(
            f"a worker process ended unexpectedly at or after {place} (out of memory?);"
            " with one worker the file can be found"
        ) from error
    finally:
        pool.end()


class _Pool:
    """Processes, and the chunks of items they are at."""

    def __init__(self, workers: int) -> None:
        self._others = set(multiprocessing.active_children())
        context = _context()
        self._stop = context.Event()
        self._most = workers * _CHUNKS_EACH
        self._jobs: deque[tuple[list[Any], Future[list[Any]]]] = deque()
        self._executor = ProcessPoolExecutor(workers, context, _begin, (self._stop,))

    def under_way(
        self, function: Callable[[_A], _B], items: Iterable[_A]
    ) -> Iterator[tuple[list[_A], Future[list[_B]]]]:
        """Yield the items in chunks and what becomes of them, with some chunks ahead."""
        jobs = ((chunk, self._submit(function, chunk)) for chunk in _chunks(items))
        self._jobs.extend(islice(jobs, self._most))
        while self._jobs:
            yield self._jobs[0]
            self._jobs.popleft()
            self._jobs.extend(islice(jobs, 1))

    def _submit(self, function: Callable[[_A], _B], chunk: list[_A]) -> Future[list[_B]]:
        with _undisturbed():
            return self._executor.submit(_each, function, chunk)

    def end(self) -> None:
        """Stop the processes.

        A process must not be ended while it sends a result, or the rest would wait for the other
        half of it. One that has not stopped after a while is not sending but at a long item.
        """
        self._stop.set()
        futures = [future for _, future in self._jobs]
        for future in futures:
            future.cancel()
        if wait(futures, _PATIENCE).not_done:
            for process in set(multiprocessing.active_children()) - self._others:
                process.terminate()
        self._executor.shutdown(cancel_futures=True)


def _chunks(items: Iterable[_A]) -> Iterator[list[_A]]:
    items = iter(items)
    while chunk := list(islice(items, CHUNK)):
        yield chunk


_stop: Event
"""In a worker process: whether its results are no longer wanted."""


def _begin(stop: Event) -> None:
    """Prepare a worker process."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _each(function: Callable[[_A], _B], chunk: list[_A]) -> list[_B]:
    return [function(item) for item in chunk if not _stop.is_set()]


def _context() -> BaseContext:
    """Processes that start clean, whatever threads this one runs, and with the program loaded."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver, resource_tracker

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["bganalyze.checking", __name__])
    resource_tracker.ensure_running()
    with _undisturbed():
        forkserver.ensure_running()
    return context


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off an interrupt while a process starts: one left half started would complain.

    Where signals can be blocked, the process that starts is deaf to interrupts from its first
    moment: on a terminal they reach all processes, and none but this one is to answer.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    _mask_interrupts("SIG_BLOCK")
    try:
        yield
    finally:
        _mask_interrupts("SIG_UNBLOCK")
        signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


def _mask_interrupts(how: str) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), {signal.SIGINT})
