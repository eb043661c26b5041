"""Processes on this machine that map a function over a stream of items, in order or as they finish.

Each process has its own pipe and shares nothing with the others. It can be ended at any moment (an
interrupt, a closed pipe), and if it dies, the items it was working on are known. Only as many items are
under way as keep the processes busy, so memory does not grow with the number of items.
`concurrent.futures` offers neither: its processes share one queue, it waits for work under way, and it
cannot name the item on which a process died.
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

from bganalyze.app.jobs.executor import (
    DIED,
    LATE,
    LostWork,
    Started,
    apply_to_numbered,
    map_chunks_in_order,
)
from bganalyze.app.jobs.memory import check_memory_before_imports

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnContext, SpawnProcess

COLLECT_AFTER = 500_000
"""Surplus of allocated over freed objects at which the garbage collector runs. Importing `analyze` and
checking 1,000 files stay below it; a collection in that check would take 3 % of its time (measured).
`collect` sets a lower value, because data frames form cycles."""


def collect_rarely() -> None:
    """Make Python's garbage collector run rarely in this process."""
    # This saves 5 % of the time of a check.
    gc.set_threshold(COLLECT_AFTER)


_AHEAD = 4
"""Chunks for each process that may be in progress or waiting for an earlier one."""

FOREVER = 7 * 24 * 3600.0
"""The time limit of the program's own work, in seconds: a week, which all systems accept as a wait."""

PATIENCE = 1.0
"""Seconds that a process has to end before it is killed."""

ENDING_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""Signals that ask a process to end, as far as the system has them."""

_SAFE_PATH = "PYTHONSAFEPATH"

_A = TypeVar("_A")
_B = TypeVar("_B")


class Processes(NamedTuple):
    """An `Executor` of processes on this machine."""

    size: int = 1

    def stays_in_process(self, *, few: bool) -> bool:
        """Whether this process works itself: it is alone, or there are only a `few` items."""
        return few or self.size == 1

    def attach_content(self, item: Any) -> Any:
        """Return the item unchanged: a process on this machine can read a file itself."""
        return item

    @property
    def shares_file_system(self) -> bool:
        """Return True: all processes run on this machine."""
        return True

    def map_in_order(
        self,
        function: Callable[[list[_A]], _B],
        chunks: Iterable[list[_A]],
        chunks_at_once: int = 1,
    ) -> Generator[_B, None, None]:
        """Yield the result of `function` for each chunk of items, in order.

        A process always gets one chunk at a time. Raises WorkerError if it dies.
        """
        del chunks_at_once  # Sending several chunks together would gain nothing here.
        with closing(_Team(partial(apply_to_numbered, function), self.size)) as team:
            yield from map_chunks_in_order(team, chunks)

    def run_watched(
        self,
        function: Callable[[_A], _B],
        items: Iterable[_A],
        find_time_limit: Callable[[_A], float],
    ) -> Generator[tuple[_A, _B | Started | LostWork], None, None]:
        """Yield each item with `Started` when work on it begins, and later with its result.

        If a process dies, or takes longer than `find_time_limit(item)` seconds, the result is
        `LostWork`.
        """
        waiting = iter(items)
        with closing(_Team(function, self.size, find_time_limit)) as team:
            while True:
                for _ in range(team.free_places):
                    for item in team.hand_over(islice(waiting, 1)):
                        yield item, Started()
                if not team.is_busy:
                    return
                yield from team.wait_for_results()

    def call_on_foreign_workers(self, function: Callable[[], _A]) -> Mapping[str, _A | Exception]:
        """Return an empty mapping: no process on this machine has other software."""
        del function
        return {}


class ThisProcess(Processes):
    """An `Executor` that works in this process, for notebooks.

    There is no time limit, and a crash ends the program.
    """

    def run_watched(
        self,
        function: Callable[[_A], _B],
        items: Iterable[_A],
        find_time_limit: Callable[[_A], float],
    ) -> Generator[tuple[_A, _B | Started | LostWork], None, None]:
        """Yield each item with `Started` when work on it begins, and later with its result.

        There is no time limit: `find_time_limit` is ignored.
        """
        del find_time_limit
        for item in items:
            yield item, Started()
            yield item, function(item)


def _allow_any_time(_: object) -> float:
    """Return `FOREVER`, the time limit in seconds of an item that may take any time."""
    return FOREVER


class _Busy(NamedTuple, Generic[_A, _B]):
    """A process, the item it is working on, and its deadline."""

    worker: Worker[_A, _B]
    item: _A
    until: float


class _Team(Generic[_A, _B]):
    """A `WorkerTeam` of processes on this machine; each works on one item at a time."""

    def __init__(
        self,
        function: Callable[[_A], _B],
        size: int,
        find_time_limit: Callable[[_A], float] = _allow_any_time,
    ) -> None:
        self.busy: dict[object, _Busy[_A, _B]] = {}
        """The processes at work, by their pipes."""
        self._function, self._size, self._find_time_limit = function, size, find_time_limit
        self._context = make_clean_context()
        self._idle: list[Worker[_A, _B]] = []

    @property
    def free_places(self) -> int:
        """Number of items that can still be handed over."""
        return self._size - len(self.busy)

    @property
    def is_busy(self) -> bool:
        """Whether any item is in progress."""
        return bool(self.busy)

    def hand_over(self, items: Iterator[_A], held_results: int = 0) -> list[_A]:
        """Hand over as many items as idle or new processes can take, and return these items.

        `held_results` is the number of results that wait for earlier ones; the more, the fewer
        items are handed over.
        """
        ahead = _AHEAD * self._size - len(self.busy) - held_results
        given: list[_A] = []
        for item in islice(items, max(min(self.free_places, ahead), 0)):
            worker = self._idle.pop() if self._idle else Worker(self._context, self._function)
            self.busy[worker.pipe] = _Busy(
                worker, item, time.monotonic() + self._find_time_limit(item)
            )
            worker.hand_over(item)
            given.append(item)
        return given

    def wait_for_results(self) -> Iterator[tuple[_A, _B | LostWork]]:
        """Wait until a process is done or late; yield the items done, with result or `LostWork`."""
        from multiprocessing.connection import wait

        soonest = min(busy.until for busy in self.busy.values())
        pipes = [busy.worker.pipe for busy in self.busy.values()]
        ready = wait(pipes, max(soonest - time.monotonic(), 0))
        late = [pipe for pipe, busy in self.busy.items() if busy.until <= time.monotonic()]
        for pipe in ready or late:
            worker, item, _ = self.busy[pipe]
            result = worker.receive() if ready else LATE
            del self.busy[pipe]
            if isinstance(result, LostWork):
                worker.end()
            else:
                self._idle.append(worker)
            yield item, result

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        for worker in (*self._idle, *(busy.worker for busy in self.busy.values())):
            worker.end()


class Worker(Generic[_A, _B]):
    """A process that works on one item at a time; a pipe connects it with this process."""

    def __init__(self, context: SpawnContext, function: Callable[[_A], _B]) -> None:
        self.pipe, far_end = context.Pipe()
        self._process = context.Process(target=_serve_pipe, args=(far_end,), daemon=True)
        start_process(self._process)
        far_end.close()
        self.hand_over(function)

    def hand_over(self, work: _A | Callable[[_A], _B]) -> None:
        """Send the process the function to call, or an item to call it with."""
        with suppress(OSError):  # If it has died, taking the result shows it.
            self.pipe.send(work)

    def receive(self) -> _B | LostWork:
        """Wait for the process's result, and return it, or `DIED` if the process has died.

        An exception in the process is raised here.
        """
        try:
            result: _B | Exception = self.pipe.recv()
        except (EOFError, OSError):
            return DIED
        if isinstance(result, Exception):
            raise result
        return result

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.terminate()
        self._process.join(PATIENCE)
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _serve_pipe(pipe: Connection) -> None:
    """Receive a function and then items; send back the results until the pipe is closed."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    check_memory_before_imports()
    try:
        function = pipe.recv()
        while True:
            pipe.send(_call_safely(function, pipe.recv()))
    except (EOFError, OSError):
        return
    except Exception as error:  # noqa: BLE001 - the function cannot be loaded, for want of memory
        with suppress(Exception):
            pipe.send(error)


def end_with_parent(clean_up: Callable[[], None] = lambda: None) -> None:
    """Wait until the parent process ends; then call `clean_up`, and end this process."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    clean_up()
    os._exit(1)


def _call_safely(function: Callable[[_A], _B], item: _A) -> _B | Exception:
    """Return `function(item)`; if it raises an exception, return the exception as a value."""
    try:
        return function(item)
    except Exception as error:  # noqa: BLE001 - it is raised at the other end
        return error


def start_process(process: SpawnProcess) -> None:
    """Start a process made by `make_clean_context`, from any thread."""
    with _starting, delay_signals(), _exclude_current_folder():
        process.start()


_starting = threading.Lock()
"""A lock held while a process starts, because the environment is changed for it."""


def make_clean_context() -> SpawnContext:
    """Return a multiprocessing context whose processes inherit no threads."""
    import multiprocessing

    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with (
            _starting,
            delay_signals(),
            _exclude_current_folder(),
        ):  # Starting the tracker unblocks interrupts.
            # It cleans up after killed processes.
            resource_tracker.ensure_running()
    return multiprocessing.get_context("spawn")


@contextmanager
def _exclude_current_folder() -> Iterator[None]:
    """Keep processes that a `with` block starts from importing modules of the current folder."""
    before = os.environ.get(_SAFE_PATH)
    # They start as `python -c`, which would run a file lark.py beside match files.
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextmanager
def delay_signals() -> Iterator[None]:
    """Delay signals such as Ctrl-C until the end of a `with` block."""
    if threading.current_thread() is not threading.main_thread():
        # A terminal sends Ctrl-C to the new process, too.
        _mask_interrupts("SIG_BLOCK")
        try:
            yield
        finally:
            _mask_interrupts("SIG_UNBLOCK")
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


def _mask_interrupts(action: str) -> None:
    """Block or unblock Ctrl-C, if the system can; `action` is `SIG_BLOCK` or `SIG_UNBLOCK`."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, action), {signal.SIGINT})
