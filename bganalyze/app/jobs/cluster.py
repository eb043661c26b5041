"""An `Executor` of the workers of a Dask cluster; each batch of work is a task of the scheduler.

This process reads the files and sends their contents, because other machines may not have the paths. If
a worker is lost, the scheduler gives its task to another worker; results already received are kept.
"""

from __future__ import annotations

import asyncio
import gc
import math
import os
import pickle
import platform
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from pkgutil import resolve_name
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Never, TypeVar

import bganalyze
from bganalyze.app.jobs.executor import (
    DIED,
    LATE,
    LostWork,
    Started,
    WorkerError,
    apply_to_numbered,
    map_chunks_in_order,
)
from bganalyze.app.jobs.workers import collect_rarely, delay_signals, make_clean_context
from bganalyze.files.limits import reason
from bganalyze.files.reading import FileToRead, hold_content
from bganalyze.packages import DASK, how_to_add

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

BATCH = 125
"""Items of the largest batch: chunks of files (1,000 files in all) or parts of matches."""
SHARE = 8
"""A batch is at most one `SHARE`th of the items each worker has done so far. So batches grow during the
run, and the last items of a short run are spread over all workers."""
ENOUGH = 10.0
"""Seconds that a task runs; the rest of its batch is submitted again."""
AHEAD = 3
"""Batches for each worker that may be running or waiting for an earlier one."""

PATIENCE = 10.0
"""Seconds to wait for a scheduler, for its workers, and for their answers."""
LONGEST_WAY = 300.0
"""Seconds that the results of a task may take from a worker to this process."""
LEFT_ALONE = 60.0
"""Seconds that a scheduler may have no worker during a run."""

QUIET = {
    "distributed": "critical",
    "distributed.client": "critical",
    "tornado": "critical",
    "tornado.application": "critical",
}
"""Log levels for Dask, unless its own settings set them: this program reports the errors."""

LARGE = {"distributed.admin.large-graph-warning-threshold": "1GiB"}
"""The message size above which Dask warns: a thousand files have about 10 MB."""

IN_PLACE = {
    "distributed.nanny.pre-spawn-environ.PYTHONSAFEPATH": "1",
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
}
"""The environment of a local cluster's processes: no imports from the current folder, and no logging."""

_A = TypeVar("_A")
_B = TypeVar("_B")


class Cluster:
    """An `Executor` of the workers of a Dask cluster, on this machine or others.

    The address is that of a scheduler (`tcp://HOST:PORT`), or `local:N` for N workers on this
    machine. Raises WorkerError if there are no workers, or if they have other versions of Python or
    bganalyze.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._environment = dict(os.environ)
        self._size, self._asked = 0, -math.inf
        self._alone_since: float | None = None
        self._started, self._client = _join_cluster(address)
        try:
            self._require_workers()
            self._require_same_version("Python", platform.python_version, _shorten_version)
            self._require_same_version(
                "bganalyze", partial(resolve_name, "bganalyze:__version__"), str
            )
        except BaseException:
            self.close()
            raise

    @property
    def size(self) -> int:
        """Number of workers."""
        now = time.monotonic()
        # The scheduler is asked again after a second.
        if now - self._asked > 1.0:
            try:
                self._size = len(self._client.nthreads(callback_timeout=PATIENCE))
            except Exception as error:
                raise self.make_scheduler_error() from error
            self._asked = now
        return self._size

    def close(self) -> None:
        """Disconnect from the cluster, and end the cluster if this run started it."""
        if self._started is not None:
            with suppress(Exception):  # A worker that is ended while it starts again complains.
                self._client.wait_for_workers(len(self._started.workers), timeout=PATIENCE)
        for part in (self._client, self._started):
            with suppress(Exception):  # The scheduler may be gone already.
                if part is not None:
                    part.close(timeout=PATIENCE)
        self._restore_environment()

    def _restore_environment(self) -> None:
        """Undo the changes that Dask made to this process's environment variables."""
        if self._started is None:
            return
        import dask

        with dask.config.set(IN_PLACE):
            names = {*dask.config.get("distributed.nanny.pre-spawn-environ"), "PYTHONHASHSEED"}
        for name in names:
            os.environ.pop(name, None)
            if name in self._environment:
                os.environ[name] = self._environment[name]

    def stays_in_process(self, *, few: bool) -> bool:
        """Return False: the cluster does all work, even if there are only a `few` items."""
        del few
        # The user named it.
        return False

    def attach_content(self, item: Any) -> Any:
        """Return a file with its content, because workers may be unable to read the file.

        Other items are returned unchanged.
        """
        return hold_content(item) if isinstance(item, FileToRead) else item

    @property
    def shares_file_system(self) -> bool:
        """Return False: the workers may be on other computers."""
        return False

    def map_in_order(
        self,
        function: Callable[[list[_A]], _B],
        chunks: Iterable[list[_A]],
        chunks_at_once: int = BATCH,
    ) -> Generator[_B, None, None]:
        """Yield the result of `function` for each chunk of items, in order.

        A worker gets at most `chunks_at_once` chunks together. Raises WorkerError if a worker dies.
        """
        with closing(Tasks(self, partial(apply_to_numbered, function), chunks_at_once)) as tasks:
            yield from map_chunks_in_order(tasks, chunks)

    def run_watched(
        self,
        function: Callable[[_A], _B],
        items: Iterable[_A],
        find_time_limit: Callable[[_A], float],
    ) -> Generator[tuple[_A, _B | Started | LostWork], None, None]:
        """Yield each item with `Started` when work on it begins, and later with its result.

        If a worker dies, or takes longer than `find_time_limit(item)` seconds, the result is
        `LostWork`.
        """
        waiting = iter(items)
        with closing(Tasks(self, partial(_call_in_time, function, find_time_limit))) as tasks:
            while True:
                for item in tasks.hand_over(waiting):
                    yield item, Started()
                if not tasks.is_busy:
                    return
                yield from tasks.wait_for_results()

    def call_on_foreign_workers(self, function: Callable[[], _A]) -> Mapping[str, _A | Exception]:
        """Call `function` on each worker; return results or exceptions by the worker's address."""
        try:
            answers: dict[str, _A | Exception] = self._client.run(
                function, on_error="return", callback_timeout=PATIENCE
            )
        except Exception as error:
            raise self.make_error("its workers do not answer") from error
        return answers

    def make_error(self, reason: str) -> WorkerError:
        """Return a WorkerError whose message has this cluster's address and a reason."""
        return WorkerError(f"the cluster at {self.address}: {reason}")

    def require_alive(self) -> None:
        """Raise WorkerError if the scheduler is gone, or has had no workers for too long."""
        if self._client.status != "running":
            raise self.make_scheduler_error()
        if self.size:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > LEFT_ALONE:
            raise self.make_error("it has no workers any more")

    def make_scheduler_error(self) -> WorkerError:
        """Return the WorkerError that says that the scheduler no longer answers."""
        return self.make_error("the scheduler went away before all was done")

    def submit(self, work: Callable[[_A], _B], batch: _A) -> Future:
        """Send the call `work(batch)` to the scheduler, and return the future of its result."""
        try:
            return self._client.submit(pickle.loads, pickle.dumps(_Call(work, batch)), pure=False)
        except Exception as error:
            raise self.make_scheduler_error() from error

    def replace(self, worker: str) -> None:
        """Restart a worker that hangs; `worker` is its address."""
        # Dask restarts only a worker that runs under a supervising process.
        with suppress(Exception):
            self._client.restart_workers([worker], timeout=PATIENCE, raise_for_error=False)

    def _require_workers(self) -> None:
        """Wait for a worker; raise WorkerError if none comes."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except Exception as error:
            command = f"`dask worker {self.address} --nthreads 1` starts one"
            raise self.make_error(f"it has no workers; {command}") from error

    def _require_same_version(
        self, package: str, find_version: Callable[[], str], shorten: Callable[[str], str]
    ) -> None:
        """Raise WorkerError unless all workers have this process's version of a package.

        `shorten` reduces a version to the part that must be equal.
        """
        here = shorten(find_version())
        for worker, answer in self.call_on_foreign_workers(find_version).items():
            if isinstance(answer, ModuleNotFoundError):
                raise self.make_error(f"the worker {worker} has no {package}; install {here} there")
            if isinstance(answer, Exception):
                raise self.make_error(f"the worker {worker} fails: {answer!r}")
            there = shorten(answer)
            if there != here:
                versions = f"{package} {there}, but this machine has {here}"
                raise self.make_error(f"the worker {worker} has {versions}")


def _shorten_version(version: str) -> str:
    """Return the first two numbers of a version, such as `3.11` for `3.11.4`."""
    return ".".join(version.split(".")[:2])


def _join_cluster(address: str) -> tuple[LocalCluster | None, Client]:
    """Connect to the cluster at an address, or start a cluster for an address such as `local:4`.

    Returns the cluster, if it was started, and the client connected to it. Raises WorkerError.
    """
    local = re.fullmatch(r"local:([1-9][0-9]{0,2})", address)
    if address.startswith("local") and local is None:
        raise WorkerError(f"--cluster {address}: a local cluster is local:N, such as local:4")
    try:
        import dask

        if "logging" not in dask.config.config:
            dask.config.set(logging=QUIET)
        dask.config.set(LARGE)
        from distributed import Client
    except ImportError as error:
        raise WorkerError(f"--cluster needs Dask: {how_to_add(DASK)}") from error
    if local is not None:
        started = _start_local_cluster(int(local[1]))
        return started, Client(started, set_as_default=False)
    try:
        asyncio.run(_require_scheduler(address))
        return None, Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:
        raise WorkerError(
            f"no Dask scheduler at {address or 'an empty address'}: {reason(error)}"
        ) from error


async def _require_scheduler(address: str) -> None:
    """Raise an error unless a scheduler answers at the address."""
    from distributed.core import rpc
    from distributed.security import Security

    # A `Client` would wait for ever, and print errors when it is closed.
    arguments = Security().get_connection_args("client")
    try:
        async with asyncio.timeout(PATIENCE), rpc(address, connection_args=arguments) as server:
            kind = (await server.identity())["type"]
    except TimeoutError as error:
        raise OSError(f"nobody answers within {PATIENCE:.0f} seconds") from error
    if kind != "Scheduler":
        raise OSError(f"a {kind.lower()} of a cluster is there, not a scheduler")


def _start_local_cluster(workers: int) -> LocalCluster:
    """Start a cluster of processes on this machine, which end with this process."""
    import dask
    from distributed import LocalCluster

    make_clean_context()
    try:
        # The thread that starts the processes begins here, so it leaves interrupts to this one.
        with delay_signals(), dask.config.set(IN_PLACE):
            return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    except (OSError, RuntimeError) as error:
        raise WorkerError(f"no cluster can be started here: {reason(error)}") from error


class Tasks(Generic[_A, _B]):
    """A `WorkerTeam` that sends items to a cluster in batches; a task works on one batch."""

    def __init__(
        self, cluster: Cluster, function: Callable[[_A], _B], items_at_once: int = BATCH
    ) -> None:
        self.under_way: dict[Future, list[_A]] = {}
        self._items_at_once = items_at_once
        self._cluster, self._submitted = cluster, 0
        self._call_for_batch = partial(_call_for_batch, bganalyze.__version__, function)
        self._ended: SimpleQueue[Future] = SimpleQueue()

    @property
    def is_busy(self) -> bool:
        """Whether any task is running."""
        return bool(self.under_way)

    def hand_over(self, items: Iterator[_A], held_results: int = 0) -> list[_A]:
        """Send the workers as many items as they can take, and return these items.

        `held_results` is the number of results that wait for earlier ones; the more, the fewer
        items are sent.
        """
        workers = max(self._cluster.size, 1)
        given: list[_A] = []
        while True:
            size = min(max(self._submitted // (SHARE * workers), 1), self._items_at_once)
            if len(self.under_way) + held_results // size >= AHEAD * workers:
                return given
            batch = list(islice(items, size))
            if not batch:
                return given
            self._submit(batch)
            self._submitted += len(batch)
            given += batch

    def wait_for_results(self) -> Iterator[tuple[_A, _B | LostWork]]:
        """Wait until a task ends, and yield its items, each with its result or `LostWork`.

        If a worker died on several items, they are sent again one by one. Raises WorkerError.
        """
        future = self._wait_for_next()
        batch = self.under_way.pop(future)
        answer = self._get_result(future)
        if answer is None and len(batch) > 1:
            for item in batch:  # Submitted alone, the deadly item shows.
                self._submit([item])
            return
        worker, results = answer or ("", [DIED])
        if batch[len(results) :]:
            self._submit(batch[len(results) :])
        for item, result in zip(batch, results, strict=False):
            if result == LATE:
                self._cluster.replace(worker)
            if isinstance(result, _RaisedError):
                self._reraise(result.error, worker)
            yield item, result

    def close(self) -> None:
        """Give up the tasks that are still running."""
        with suppress(Exception):
            for future in self.under_way:
                future.release()

    def _submit(self, batch: list[_A]) -> None:
        """Send a batch to the scheduler, and record it as running."""
        future = self._cluster.submit(self._call_for_batch, batch)
        self.under_way[future] = batch
        future.add_done_callback(self._ended.put)

    def _reraise(self, error: Exception, worker: str) -> Never:
        """Raise the error of a worker again, as a WorkerError if the worker lacks a package."""
        if isinstance(error, ImportError):
            raise self._cluster.make_error(
                f"the worker {worker} lacks a package: {error}"
            ) from error
        raise error

    def _wait_for_next(self) -> Future:
        """Wait until a task ends, and return its future.

        Raises WorkerError if the cluster is gone.
        """
        while True:
            try:
                return self._ended.get(timeout=1.0)
            except Empty:
                self._cluster.require_alive()

    def _get_result(self, future: Future) -> tuple[str, list[_B | LostWork | _RaisedError]] | None:
        """Return the worker and the results of a task, or None if the task killed its workers."""
        from distributed import CancelledError, KilledWorker

        try:
            answer: tuple[str, list[_B | LostWork | _RaisedError]] = future.result(
                timeout=LONGEST_WAY
            )
        except KilledWorker:
            return None
        except (CancelledError, TimeoutError) as error:
            raise self._cluster.make_scheduler_error() from error
        except WorkerError as error:
            raise self._cluster.make_error(str(error)) from error
        except Exception as error:
            raise self._cluster.make_error(f"a worker cannot do the work: {error!r}") from error
        return answer


# Code that runs on a worker.


class _Call:
    """A function call that runs when it is unpickled.

    It is sent as bytes, so that a worker that lacks a package reports an error. If Dask itself unpickled
    the call, such a worker would close its connection, and the client would wait for it.
    """

    def __init__(self, function: Callable[[_A], _B], argument: _A) -> None:
        self._reduced = function, (argument,)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._reduced


_ONE_AT_A_TIME = threading.Lock()
"""A lock, because threads of one worker share one interpreter and are no faster in parallel."""


class _RaisedError(NamedTuple):
    """An error of the function, to be raised again in the client."""

    error: Exception


def _call_for_batch(
    version: str, function: Callable[[_A], _B], items: list[_A]
) -> tuple[str, list[_B | _RaisedError]]:
    """Call `function` for each item of a batch; return the worker's address and the results.

    It stops after some seconds, and after an item that fails; later items have no result. The
    worker must have the `version` of bganalyze.
    """
    from distributed import get_worker

    worker = get_worker().address
    if version != bganalyze.__version__:
        here = bganalyze.__version__
        raise WorkerError(f"the worker {worker} has bganalyze {here}, but {version} is needed")
    results: list[_B | _RaisedError] = []
    with _ONE_AT_A_TIME, _collect_garbage_rarely():
        until = time.monotonic() + ENOUGH
        for item in items:
            results.append(_call_safely(function, item))
            if (
                # The client sends the other items again.
                time.monotonic() > until
                or isinstance(results[-1], _RaisedError)
                or results[-1] == LATE
            ):
                break
    return worker, results


@contextmanager
def _collect_garbage_rarely() -> Iterator[None]:
    """Make Python's garbage collector run rarely during a `with` block."""
    thresholds = gc.get_threshold()
    # A worker has many modules to scan: without scans it checks 25 % faster.
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def _call_safely(function: Callable[[_A], _B], item: _A) -> _B | _RaisedError:
    """Return `function(item)`; if it raises an error, return the error as a value."""
    try:
        return function(item)
    except Exception as error:  # noqa: BLE001 - raised again in the client
        return _RaisedError(error)


class _SideThread:
    """A thread that makes one call after another, and is left alone if a call takes too long.

    All calls share the thread, because the engine caches results by thread. With a thread for each
    part of a match, the analysis takes 17 % longer (measured).
    """

    def __init__(self) -> None:
        self._ends: tuple[SimpleQueue[Callable[[], object]], SimpleQueue[Any]] | None = None
        """The queues to and from the thread (calls and results), or None without a thread."""

    def result(self, call: Callable[[], _A], seconds: float) -> _A:
        """Make a call in the thread, and return its result; raise `queue.Empty` after `seconds`."""
        if self._ends is None:
            self._ends = SimpleQueue(), SimpleQueue()
            threading.Thread(target=_make_calls, args=self._ends, daemon=True).start()
        calls, results = self._ends
        calls.put(call)
        try:
            result: _A = results.get(timeout=seconds)
        except Empty:
            # The call goes on running.
            self._ends = None
            raise
        return result


def _make_calls(calls: SimpleQueue[Callable[[], Any]], results: SimpleQueue[Any]) -> None:
    """Make the calls in one queue, and put their results into the other, for ever."""
    while True:
        results.put(calls.get()())


_ASIDE = _SideThread()


def _call_in_time(
    function: Callable[[_A], _B], find_time_limit: Callable[[_A], float], item: _A
) -> _B | LostWork:
    """Return `function(item)`, or `LATE` if it takes over `find_time_limit(item)` seconds."""
    try:
        result = _ASIDE.result(partial(_call_safely, function, item), find_time_limit(item))
    except Empty:
        # The late call goes on running.
        return LATE
    if isinstance(result, _RaisedError):
        raise result.error
    return result
