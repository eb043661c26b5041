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
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from bganalyze.jobs.executor import DIED, LATE, Given, Lost, of_numbered, taken_in_order

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


class Processes(NamedTuple):
    """Processes of this machine, as an `Executor`."""

    size: int = 1

    def works_here(self, *, few: bool) -> bool:
        """Whether there is one process only, or few items, which are not worth a process."""
        return few or self.size == 1

    def carry(self, item: Any) -> Any:
        """Return the item: what this process can read, the others can."""
        return item

    @property
    def sees_folders(self) -> bool:
        """Return True: all run on this machine."""
        return True

    def in_order(
        self, function: Callable[[list[_A]], _B], chunks: Iterable[list[_A]], together: int = 1
    ) -> Generator[_B, None, None]:
        """Yield `function` of each chunk of items, in their order.

        Closing the generator ends the processes; one that dies raises WorkerError.
        """
        del together  # A process has one at a time: nothing is gained by more.
        with closing(_Team(partial(of_numbered, function), self.size)) as team:
            yield from taken_in_order(team, chunks)

    def watched(
        self,
        function: Callable[[_A], _B],
        items: Iterable[_A],
        longest: Callable[[_A], float],
    ) -> Generator[tuple[_A, _B | Given | Lost], None, None]:
        """Yield each item as it is given to a process, and with `function` of it as that is done.

        A process that dies, or that takes longer than the seconds that an item may take, is
        replaced, and the rest goes on. Closing the generator ends the processes.
        """
        waiting = iter(items)
        with closing(_Team(function, self.size, longest)) as team:
            while True:
                for _ in range(team.room):
                    for item in team.give(islice(waiting, 1)):
                        yield item, Given()
                if not team.is_busy:
                    return
                yield from team.ended()

    def answers(self, question: Callable[[], _A]) -> Mapping[str, _A | Exception]:
        """Return nothing: what this process can do, its processes can."""
        del question
        return {}


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
        self._context = clean_context()
        self._idle: list[Worker[_A, _B]] = []

    @property
    def room(self) -> int:
        """How many items more can be worked on."""
        return self._size - len(self.busy)

    @property
    def is_busy(self) -> bool:
        """Whether any item is worked on."""
        return bool(self.busy)

    def give(self, items: Iterator[_A], waiting: int = 0) -> list[_A]:
        """Have items worked on, each by a process of its own, as far as there is room for them."""
        ahead = _AHEAD * self._size - len(self.busy) - waiting
        given: list[_A] = []
        for item in islice(items, max(min(self.room, ahead), 0)):
            worker = self._idle.pop() if self._idle else Worker(self._context, self._function)
            self.busy[worker.pipe] = _Busy(worker, item, time.monotonic() + self._longest(item))
            worker.give(item)
            given.append(item)
        return given

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
        with undisturbed(), _safe_path():
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
            return DIED
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


def clean_context() -> SpawnContext:
    """Processes that start clean, whatever threads this one runs, and leave nothing if killed."""
    import multiprocessing

    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with undisturbed(), _safe_path():  # Its start lets interrupts through again.
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
def undisturbed() -> Iterator[None]:
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
