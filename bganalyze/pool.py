"""Several processes at work on a stream of items, with the results in the order of the items.

No more is under way at a time than keeps the processes busy, so that memory does not grow with
the number of items. When the results are no longer wanted (an interrupt, a closed pipe) the
processes are ended at once.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.context import BaseContext
from typing import TypeVar

from bganalyze.corpus import WorkerError

CHUNK = 8
"""How many items a process is given at a time."""
_CHUNKS_EACH = 4
"""How many chunks are under way for each process."""

_A = TypeVar("_A")
_B = TypeVar("_B")


def in_processes(function: Callable[[_A], _B], items: Iterable[_A], workers: int) -> Iterator[_B]:
    """Yield `function` of each item, in the order of the items; raise WorkerError."""
    place: object = "the first"
    try:
        with _executor(workers) as executor:
            for chunk, future in _submitted(executor, function, items, workers * _CHUNKS_EACH):
                place = chunk[0]
                yield from future.result()
    except BrokenProcessPool as error:
        raise WorkerError(
            f"a worker process ended unexpectedly at or after {place} (out of memory?);"
            " with one worker the file can be found"
        ) from error


def _submitted(
    executor: Executor, function: Callable[[_A], _B], items: Iterable[_A], most: int
) -> Iterator[tuple[list[_A], Future[list[_B]]]]:
    """Yield the items in chunks with what becomes of them, submitting so many chunks ahead."""
    jobs = ((chunk, _submit(executor, function, chunk)) for chunk in _chunks(items))
    under_way = deque(islice(jobs, most))
    while under_way:
        yield under_way.popleft()
        under_way.extend(islice(jobs, 1))


def _submit(executor: Executor, function: Callable[[_A], _B], chunk: list[_A]) -> Future[list[_B]]:
    with _undisturbed():
        return executor.submit(_each, function, chunk)


def _chunks(items: Iterable[_A]) -> Iterator[list[_A]]:
    items = iter(items)
    while chunk := list(islice(items, CHUNK)):
        yield chunk


def _each(function: Callable[[_A], _B], chunk: list[_A]) -> list[_B]:
    return [function(item) for item in chunk]


@contextmanager
def _executor(workers: int) -> Iterator[Executor]:
    """An executor whose processes do not outlive an error, an interrupt or a loss of interest."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, _context(), initializer=_ignore_interrupts)
    try:
        yield executor
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


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


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
