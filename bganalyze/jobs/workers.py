"""A function mapped over a stream of items by several processes, with the results in their order.

Each process has a pipe of its own and shares nothing with the others: it can be ended at any
moment (an interrupt, a closed pipe), and where one dies it is known over which items. No more is
under way than keeps the processes busy, so that memory does not grow with the number of items.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnContext
import time
from typing import NamedTuple

# How often this process looks for garbage that keeps itself alive.

COLLECT_AFTER = 50_000
"""Objects made and not yet freed before Python looks through them."""


def collect_rarely() -> None:
    """Let the garbage collector run rarely: a replay makes tuples, and no cycles.

    Measured: a twentieth of the time of `check`, and no more memory.
    """
    gc.set_threshold(COLLECT_AFTER)


FEW = 8
"""So many items are done sooner than processes are started."""

CHUNK = 8
"""How many items a process is given at a time."""
_AHEAD = 4
"""How many chunks for each process may be under way or wait for an earlier one."""

PATIENCE = 1.0
"""Seconds that a process is given to end before it is killed."""

ENDING_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""What a process is asked to end by, as far as the system knows it."""

_SAFE_PATH = "PYTHONSAFEPATH"

_A = TypeVar("_A")
_B = TypeVar("_B")


class WorkerError(RuntimeError):
    """A process that computes results ended before its work was done."""


def map_files(
    function: Callable[[_A], _B], items: Iterable[_A], workers: int = 1
) -> Generator[_B, None, None]:
    """Yield `function` of each item, in the order of the items, computed by several processes.

    Few items are not worth a process: they are computed here, as are all with one worker.
    Closing the generator ends the processes; one that dies raises WorkerError.
    """
    few, items = _few(items)
    if workers == 1 or few:
        yield from map(function, items)
        return
    for results in in_processes(partial(_each, function), _chunks(items), workers):
        yield from results


def map_chunks(
    function: Callable[[list[_A]], _B], items: Iterable[_A], workers: int = 1
) -> Generator[_B, None, None]:
    """Yield `function` of some items at a time, which otherwise is as `map_files`."""
    few, items = _few(items)
    if workers == 1 or few:
        yield from map(function, _chunks(items))
        return
    yield from in_processes(function, _chunks(items), workers)


def _few(items: Iterable[_A]) -> tuple[bool, Iterator[_A]]:
    """Whether there are few items, and the items."""
    items = iter(items)
    first = list(islice(items, FEW + 1))
    return len(first) <= FEW, chain(first, items)


def _chunks(items: Iterable[_A]) -> Iterator[list[_A]]:
    items = iter(items)
    while chunk := list(islice(items, CHUNK)):
        yield chunk


def _each(function: Callable[[_A], _B], items: list[_A]) -> list[_B]:
    return list(map(function, items))


def in_processes(
    function: Callable[[list[_A]], _B], chunks: Iterable[list[_A]], workers: int
) -> Iterator[_B]:
    """Yield `function` of each chunk of items, in their order; raise WorkerError."""
    team = _Team(context(), function, workers)
    try:
        yield from _in_order(team, iter(chunks))
    finally:
        team.end()


def _in_order(team: _Team[list[_A], _B], chunks: Iterator[list[_A]]) -> Iterator[_B]:
    """Hand out the chunks to whoever is idle; yield the results in the order of the chunks."""
    from multiprocessing.connection import wait

    busy: dict[object, tuple[int, list[_A], Worker[list[_A], _B]]] = {}
    done: dict[int, _B] = {}
    numbered = enumerate(chunks)
    for wanted in count():
        while wanted not in done:
            room = min(team.size - len(busy), _AHEAD * team.size - len(busy) - len(done))
            for number, chunk in islice(numbered, room):
                worker = team.idle_worker()
                worker.give(chunk)
                busy[worker.pipe] = number, chunk, worker
            if not busy:
                return
            for pipe in wait([worker.pipe for *_, worker in busy.values()]):
                number, chunk, worker = busy.pop(pipe)
                done[number] = _taken(worker, chunk)
                team.idle.append(worker)
        yield done.pop(wanted)


def _taken(worker: Worker[list[_A], _B], chunk: list[_A]) -> _B:
    try:
        return worker.take()
    except WorkerError as error:
        raise WorkerError(f"{error} between {chunk[0]} and {chunk[-1]}") from error


class _Team(Generic[_A, _B]):
    """Workers, of whom no more are started than there is work for."""

    def __init__(self, context: SpawnContext, function: Callable[[_A], _B], size: int) -> None:
        self.size = size
        self.idle: list[Worker[_A, _B]] = []
        self._context, self._function = context, function
        self._started: list[Worker[_A, _B]] = []

    def idle_worker(self) -> Worker[_A, _B]:
        """Return one with nothing to do; it is started if there is none."""
        if self.idle:
            return self.idle.pop()
        self._started.append(Worker(self._context, self._function))
        return self._started[-1]

    def end(self) -> None:
        """End all that were started."""
        for worker in self._started:
            worker.end()


class Worker(Generic[_A, _B]):
    """A process, seen from this side of the pipe to it. It works on one thing at a time."""

    def __init__(self, context: SpawnContext, function: Callable[[_A], _B]) -> None:
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        with _undisturbed(), _safe_path():
            self._process.start()
        theirs.close()
        self._send(function)

    def give(self, work: _A) -> None:
        """Give it something to work on."""
        self._send(work)

    def _send(self, value: Any) -> None:
        with suppress(OSError):  # That it has died is told where the result is taken.
            self.pipe.send(value)

    def take(self) -> _B:
        """Take the result, or raise the error that the function raised."""
        try:
            result: _B | Exception = self.pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerError("a worker process died (out of memory?)") from error
        if isinstance(result, Exception):
            raise result
        return result

    def end(self) -> None:
        """End it, whatever it is at."""
        self._process.terminate()
        self._process.join(PATIENCE)
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _work(pipe: Connection) -> None:
    """What a worker process does until nobody is at the other end."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    try:
        function = pipe.recv()
        while True:
            pipe.send(_outcome(function, pipe.recv()))
    except (EOFError, OSError):
        return


def _end_with_parent() -> None:
    """End this process, whatever it is at, as soon as the one that started it is gone."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _outcome(function: Callable[[_A], _B], work: _A) -> _B | Exception:
    try:
        return function(work)
    except Exception as error:  # noqa: BLE001 - it is raised at the other end
        return error


def context() -> SpawnContext:
    """Processes that start clean, whatever threads this one runs, and leave nothing if killed."""
    import multiprocessing

    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with _undisturbed(), _safe_path():  # Its start lets interrupts through again.
            resource_tracker.ensure_running()
    return multiprocessing.get_context("spawn")


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep a process that starts from importing what lies in the present folder.

    It is started with `python -c`, which looks there first, before it is told where this process
    looks: a module `lark` beside transcripts would be executed.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off signals while a process starts: one left half started would complain.

    Where signals can be blocked, the process that starts is deaf to interrupts from its first
    moment: on a terminal they reach all processes, and none but this one is to answer.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {
        number: handler
        for number in ENDING_SIGNALS
        if callable(handler := signal.getsignal(number))
    }
    caught: list[int] = []
    for number in handlers:
        signal.signal(number, lambda number, _: caught.append(number))
    _mask_interrupts("SIG_BLOCK")
    try:
        yield
    finally:
        _mask_interrupts("SIG_UNBLOCK")
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for number in caught:
        handlers[number](number, None)


def _mask_interrupts(how: str) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), {signal.SIGINT})


# Processes that are watched: one that dies or takes too long is replaced, and the rest goes on.
#
# For work that is done by other people's programs, one piece at a time; the pool above is
# for our own.


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
    from multiprocessing.connection import wait

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
