"""A function mapped over a stream of items by several processes: in their order, or as they are done.

Each process has a pipe of its own and shares nothing with the others: it can be ended at any
moment (an interrupt, a closed pipe), and where one dies it is known over which items. No more is
under way than keeps the processes busy, so that memory does not grow with the number of items.
`concurrent.futures` can promise none of this: it has one queue for all, waits for what is under
way, and knows of a process that dies only that one did.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnContext

COLLECT_AFTER = 50_000
"""Objects made and not yet freed before Python looks through them."""


def collect_rarely() -> None:
    """Let the garbage collector run rarely: a replay makes tuples, and no cycles.

    Measured: a twentieth of the time of `check`, and no more memory.
    """
    gc.set_threshold(COLLECT_AFTER)


FEW = 8
"""So many items are done sooner than processes are started."""

_PEEKED = 256
"""Of so many items is looked how many are not known."""

CHUNK = 8
"""How many items a process is given at a time."""
_AHEAD = 4
"""How many chunks for each process may be under way or wait for an earlier one."""

FOREVER = 7 * 24 * 3600.0
"""Seconds that our own work on some items may take: a week, as long as a system can be asked to wait."""

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


def map_unknown(
    function: Callable[[_A], _B],
    items: Iterable[_A],
    known: Callable[[_A], _B | None],
    workers: int = 1,
) -> Generator[_B, None, None]:
    """Yield what is known of each item, or else `function` of it, as `map_files` does.

    As long as all is known, no process is started.
    """
    pairs: Iterator[tuple[_A, _B | None]] = ((item, known(item)) for item in items)
    for item, result in pairs:
        if result is None:
            pairs = chain([(item, None)], pairs)
            break
        yield result
    beginning = list(islice(pairs, _PEEKED))
    few = len(beginning) < _PEEKED and sum(result is None for _, result in beginning) <= FEW
    pairs = chain(beginning, pairs)
    if workers == 1 or few:
        for item, result in pairs:
            yield function(item) if result is None else result
        return
    given: deque[list[_B | None]] = deque()
    """What is known of the items of each chunk under way."""

    def chunks() -> Iterator[list[_A]]:
        while chunk := list(islice(pairs, CHUNK)):
            given.append([result for _, result in chunk])
            yield [item for item, result in chunk if result is None]

    for results in in_processes(partial(_each, function), chunks(), workers):
        computed = iter(results)
        for result in given.popleft():
            yield next(computed) if result is None else result


def _few(items: Iterable[_A]) -> tuple[bool, Iterator[_A]]:
    """Whether there are few items, and the items."""
    items = iter(items)
    beginning = list(islice(items, FEW + 1))
    return len(beginning) <= FEW, chain(beginning, items)


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
    numbered = enumerate(chunks)
    done: dict[int, _B] = {}
    with closing(_Team(partial(_of_numbered, function), workers)) as team:
        for following in count():
            while following not in done:
                ahead = _AHEAD * workers - len(team.busy) - len(done)
                team.give(islice(numbered, min(team.room, ahead)))
                if not team.busy:
                    return
                for (number, chunk), result in team.ended():
                    if isinstance(result, Lost):
                        place = (
                            f"between {chunk[0]} and {chunk[-1]}" if chunk else "while it waited"
                        )
                        raise WorkerError(f"a worker process died (out of memory?) {place}")
                    done[number] = result
            yield done.pop(following)


def _of_numbered(function: Callable[[list[_A]], _B], chunk: tuple[int, list[_A]]) -> _B:
    return function(chunk[1])


class Lost(NamedTuple):
    """A piece of work that came to nothing, and why."""

    reason: str


class Given(NamedTuple):
    """That a process works on an item now."""


LATE = Lost("took too long")


def watched(
    function: Callable[[_A], _B],
    items: Iterable[_A],
    workers: int,
    longest: Callable[[_A], float],
) -> Generator[tuple[_A, _B | Given | Lost], None, None]:
    """Yield each item as it is given to a process, and with `function` of it as that is done.

    For work that is done by other people's programs: a process that dies, or that takes longer than
    the seconds that an item may take, is replaced, and the rest goes on. What the function raises
    is raised here. Closing the generator ends the processes.
    """
    waiting = iter(items)
    with closing(_Team(function, workers, longest)) as team:
        while True:
            for item in islice(waiting, team.room):
                team.give([item])
                yield item, Given()
            if not team.busy:
                return
            yield from team.ended()


def _forever(_: object) -> float:
    return FOREVER


class _Busy(NamedTuple, Generic[_A, _B]):
    """A process at work, on what, and until when at most."""

    worker: Worker[_A, _B]
    item: _A
    until: float


class _Team(Generic[_A, _B]):
    """Processes that run one function, each on one item at a time; started as there is work."""

    def __init__(
        self, function: Callable[[_A], _B], size: int, longest: Callable[[_A], float] = _forever
    ) -> None:
        self.busy: dict[object, _Busy[_A, _B]] = {}
        """By its pipe, who is at work."""
        self._function, self._size, self._longest = function, size, longest
        self._context = _context()
        self._idle: list[Worker[_A, _B]] = []

    @property
    def room(self) -> int:
        """How many items more can be worked on."""
        return self._size - len(self.busy)

    def give(self, items: Iterable[_A]) -> None:
        """Have the items worked on, each by a process of its own."""
        for item in items:
            worker = self._idle.pop() if self._idle else Worker(self._context, self._function)
            self.busy[worker.pipe] = _Busy(worker, item, time.monotonic() + self._longest(item))
            worker.give(item)

    def ended(self) -> Iterator[tuple[_A, _B | Lost]]:
        """Wait until work has ended; yield it with its result, or with why there is none."""
        from multiprocessing.connection import wait

        soonest = min(busy.until for busy in self.busy.values())
        pipes = [busy.worker.pipe for busy in self.busy.values()]
        ready = wait(pipes, max(soonest - time.monotonic(), 0))
        late = [pipe for pipe, busy in self.busy.items() if busy.until <= time.monotonic()]
        for pipe in ready or late:
            worker, item, _ = self.busy[pipe]
            result = worker.take() if ready else LATE
            del self.busy[pipe]
            if isinstance(result, Lost):
                worker.end()
            else:
                self._idle.append(worker)
            yield item, result

    def close(self) -> None:
        """End all processes, whatever they are at."""
        for worker in (*self._idle, *(busy.worker for busy in self.busy.values())):
            worker.end()


class Worker(Generic[_A, _B]):
    """A process, seen from this side of the pipe to it. It works on one thing at a time."""

    def __init__(self, context: SpawnContext, function: Callable[[_A], _B]) -> None:
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        with _undisturbed(), _safe_path():
            self._process.start()
        theirs.close()
        self.give(function)

    def give(self, work: _A | Callable[[_A], _B]) -> None:
        """Give it something to work on; at first, the function that it is to run."""
        with suppress(OSError):  # That it has died shows where the result is taken.
            self.pipe.send(work)

    def take(self) -> _B | Lost:
        """Take the result, or raise the error that the function raised."""
        try:
            result: _B | Exception = self.pipe.recv()
        except (EOFError, OSError):
            return Lost("its process died")
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


def _context() -> SpawnContext:
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
