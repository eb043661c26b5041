"""Processes that are watched: one that dies or takes too long is replaced, and the rest goes on.

For work that is done by other people's programs, one piece at a time; `pool.py` is for our own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from multiprocessing.connection import wait
from typing import Generic, NamedTuple, TypeVar

from bganalyze.jobs.pool import Worker, WorkerError, context

_A = TypeVar("_A")
_B = TypeVar("_B")


class Lost(NamedTuple):
    """A piece of work that came to nothing, and why."""

    reason: str


class _Busy(NamedTuple, Generic[_A, _B]):
    """A process at work, on what, and until when at most."""

    worker: Worker[_A, _B]
    item: _A
    until: float


def watched(
    function: Callable[[_A], _B], items: Iterable[_A], workers: int, longest: float
) -> Generator[tuple[_A, _B | Lost], None, None]:
    """Yield each item with `function` of it, as they are done; `longest` is in seconds.

    What the function raises is raised here. Closing the generator ends the processes.
    """
    start, waiting = context(), iter(items)
    idle: list[Worker[_A, _B]] = []
    busy: dict[object, _Busy[_A, _B]] = {}
    try:
        while True:
            for item in islice(waiting, workers - len(busy)):
                worker = idle.pop() if idle else Worker(start, function)
                busy[worker.pipe] = _Busy(worker, item, time.monotonic() + longest)
                worker.give(item)
            if not busy:
                return
            for done in _ended(busy):
                result = _result(done, longest)
                del busy[done.worker.pipe]
                if isinstance(result, Lost):
                    done.worker.end()
                else:
                    idle.append(done.worker)
                yield done.item, result
    finally:
        for worker in (*idle, *(each.worker for each in busy.values())):
            worker.end()


def _ended(busy: dict[object, _Busy[_A, _B]]) -> list[_Busy[_A, _B]]:
    """Wait until a process has a result or has died, or has taken too long."""
    soonest = min(each.until for each in busy.values())
    ready = wait([each.worker.pipe for each in busy.values()], max(soonest - time.monotonic(), 0))
    if ready:
        return [busy[pipe] for pipe in ready]
    return [each for each in busy.values() if each.until <= time.monotonic()]


def _result(done: _Busy[_A, _B], longest: float) -> _B | Lost:
    if not done.worker.pipe.poll():
        return Lost(f"took more than {longest:.0f} seconds")
    try:
        return done.worker.take()
    except WorkerError:
        return Lost("its process died")
