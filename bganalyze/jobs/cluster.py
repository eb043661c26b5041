"""The workers of a Dask cluster, as an `Executor`: batches of work, each a task of its scheduler.

Files are read here and their contents sent along: what a path names on another machine may be
nothing, or another file. A worker that is lost costs what it was at, which the scheduler has done
again by another; results are kept here as they come.
"""

from __future__ import annotations

import asyncio
import math
import pickle
import platform
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pkgutil import resolve_name
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Never, TypeVar

import bganalyze
from bganalyze.files.limits import reason
from bganalyze.files.reading import Item, carried
from bganalyze.jobs.executor import (
    DIED,
    LATE,
    Given,
    Lost,
    WorkerError,
    of_numbered,
    taken_in_order,
)
from bganalyze.jobs.workers import clean_context, undisturbed
from bganalyze.packages import DASK, install_command

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

BATCH = 125
"""The most that a task is given: chunks of files, a thousand files in all, or parts of matches."""
SHARE = 8
"""A task is given no more than this part of what a worker has had so far: tasks grow with the run,
and however few the files are, all workers have some of the last of them."""
ENOUGH = 10.0
"""Seconds after which a task ends; what is left of its batch is given anew."""
AHEAD = 3
"""How many batches for each worker may be under way or wait for an earlier one."""

PATIENCE = 10.0
"""Seconds that are waited for a scheduler, for its workers, and for their answers."""
LONGEST_WAY = 300.0
"""Seconds that the results of a task may take from a worker to here."""
LEFT_ALONE = 60.0
"""Seconds that a scheduler may be without any worker during a run."""

QUIET = {"distributed": "critical", "distributed.client": "critical", "tornado": "critical"}
"""What Dask is to say of itself, unless its own settings speak of that: its users are told here."""

LARGE = {"distributed.admin.large-graph-warning-threshold": "1GiB"}
"""From which size on Dask warns of what is sent: a thousand files are some ten megabytes."""

IN_PLACE = {
    "distributed.nanny.pre-spawn-environ.PYTHONSAFEPATH": "1",
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
}
"""What processes of a cluster in place are started with: they import nothing from the present
folder, and are as quiet as this one."""

_A = TypeVar("_A")
_B = TypeVar("_B")


class Cluster:
    """The workers of a scheduler, at `tcp://HOST:PORT`, or `local:N` for N of this machine.

    Raises WorkerError where there are none, or where they are not as this program is.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._size, self._asked = 0, -math.inf
        self._alone_since: float | None = None
        self._started, self._client = _joined(address)
        try:
            self._require_workers()
            self._require_same("Python", platform.python_version, _minor)
            self._require_same("bganalyze", partial(resolve_name, "bganalyze:__version__"), str)
        except BaseException:
            self.close()
            raise

    @property
    def size(self) -> int:
        """How many processes work for the scheduler, as it said a second ago at most."""
        now = time.monotonic()
        if now - self._asked > 1.0:
            try:
                self._size = len(self._client.nthreads(callback_timeout=PATIENCE))
            except Exception as error:
                raise self.gone() from error
            self._asked = now
        return self._size

    def close(self) -> None:
        """Leave the cluster; end the one that was started for this run."""
        for part in (self._client, self._started):
            with suppress(Exception):  # What is gone already cannot be left.
                if part is not None:
                    part.close(timeout=PATIENCE)

    def works_here(self, *, few: bool) -> bool:
        """Return False: who names a cluster wants it to work."""
        del few
        return False

    def carry(self, item: Any) -> Any:
        """Return a file with its content."""
        return carried(item) if isinstance(item, Item) else item

    @property
    def sees_folders(self) -> bool:
        """Return False: the workers may be anywhere."""
        return False

    def in_order(
        self, function: Callable[[list[_A]], _B], chunks: Iterable[list[_A]], together: int = BATCH
    ) -> Generator[_B, None, None]:
        """Yield `function` of each chunk of items, in their order; raise WorkerError."""
        with closing(Tasks(self, partial(of_numbered, function), together)) as tasks:
            yield from taken_in_order(tasks, chunks)

    def watched(
        self,
        function: Callable[[_A], _B],
        items: Iterable[_A],
        longest: Callable[[_A], float],
    ) -> Generator[tuple[_A, _B | Given | Lost], None, None]:
        """Yield each item as it is given to a worker, and with `function` of it as that is done.

        The seconds that an item may take count from when a worker begins with it.
        """
        waiting = iter(items)
        with closing(Tasks(self, partial(_in_time, function, longest))) as tasks:
            while True:
                for item in tasks.give(waiting):
                    yield item, Given()
                if not tasks.is_busy:
                    return
                yield from tasks.ended()

    def answers(self, question: Callable[[], _A]) -> Mapping[str, _A | Exception]:
        """Return what each worker answers, or the error that the question raises there."""
        try:
            answers: dict[str, _A | Exception] = self._client.run(
                question, on_error="return", callback_timeout=PATIENCE
            )
        except Exception as error:
            raise self.failed("its workers do not answer") from error
        return answers

    def failed(self, why: str) -> WorkerError:
        """Return the error that something is wrong with this cluster."""
        return WorkerError(f"the cluster at {self.address}: {why}")

    def require_alive(self) -> None:
        """Raise WorkerError where the scheduler is gone, or has had no workers for long."""
        if self._client.status != "running":
            raise self.gone()
        if self.size:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > LEFT_ALONE:
            raise self.failed("it has no workers any more")

    def gone(self) -> WorkerError:
        """Return the error that the scheduler does not answer any more."""
        return self.failed("the scheduler went away before all was done")

    def submit(self, work: Callable[[_A], _B], batch: _A) -> Future:
        """Give a batch to the scheduler; return the future of what the work makes of it."""
        try:
            return self._client.submit(pickle.loads, pickle.dumps(_Call(work, batch)), pure=False)
        except Exception as error:
            raise self.gone() from error

    def replace(self, worker: str) -> None:
        """Have a worker ended that hangs; without a nanny nobody can do that."""
        with suppress(Exception):
            self._client.restart_workers([worker], timeout=PATIENCE, raise_for_error=False)

    def _require_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except Exception as error:
            how = f"`dask worker {self.address} --nthreads 1` starts one"
            raise self.failed(f"it has no workers; {how}") from error

    def _require_same(
        self, what: str, question: Callable[[], str], of: Callable[[str], str]
    ) -> None:
        """Raise WorkerError unless all workers have the version that is here."""
        here = of(question())
        for worker, there in self.answers(question).items():
            if isinstance(there, ModuleNotFoundError):
                raise self.failed(f"the worker {worker} has no {what}; install {here} there")
            if isinstance(there, Exception):
                raise self.failed(f"the worker {worker} fails: {there!r}")
            if of(there) != here:
                raise self.failed(f"the worker {worker} has {what} {of(there)}, and here is {here}")


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _joined(address: str) -> tuple[LocalCluster | None, Client]:
    """A client of the scheduler, and the cluster that was started for it, if it was."""
    local = re.fullmatch(r"local:([1-9][0-9]{0,2})", address)
    if address.startswith("local") and local is None:
        raise WorkerError(f"--cluster {address}: a cluster in place is local:N, such as local:4")
    try:
        import dask

        if "logging" not in dask.config.config:
            dask.config.set(logging=QUIET)
        dask.config.set(LARGE)
        from distributed import Client
    except ImportError as error:
        command = install_command(DASK)
        raise WorkerError(f"--cluster needs Dask; this installs it: {command}") from error
    if local is not None:
        started = _in_place(int(local[1]))
        return started, Client(started, set_as_default=False)
    try:
        asyncio.run(_met(address))
        return None, Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:
        raise WorkerError(
            f"no Dask scheduler at {address or 'an empty address'}: {reason(error)}"
        ) from error


async def _met(address: str) -> None:
    """Ask who is there; raise an error where it is no scheduler.

    A `Client` waits for ever for an answer to its greeting, and complains where it ends.
    """
    from distributed.core import rpc
    from distributed.security import Security

    how = Security().get_connection_args("client")
    try:
        async with asyncio.timeout(PATIENCE), rpc(address, connection_args=how) as met:
            kind = (await met.identity())["type"]
    except TimeoutError as error:
        raise OSError(f"nobody answers within {PATIENCE:.0f} seconds") from error
    if kind != "Scheduler":
        raise OSError(f"a {kind.lower()} of a cluster is there, and no scheduler")


def _in_place(workers: int) -> LocalCluster:
    """A cluster of processes of this machine, which end with this one."""
    import dask
    from distributed import LocalCluster

    clean_context()
    try:
        # The thread that starts the processes is started here: it leaves interrupts to this one.
        with undisturbed(), dask.config.set(IN_PLACE):
            return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    except (OSError, RuntimeError) as error:
        raise WorkerError(f"no cluster can be started here: {reason(error)}") from error


class Tasks(Generic[_A, _B]):
    """The batches of a run that are under way, each a task that does one item after the other."""

    def __init__(
        self, cluster: Cluster, function: Callable[[_A], _B], together: int = BATCH
    ) -> None:
        self.under_way: dict[Future, list[_A]] = {}
        self._together = together
        self._cluster, self._given = cluster, 0
        self._work = partial(_work, bganalyze.__version__, function)
        self._ended: SimpleQueue[Future] = SimpleQueue()

    @property
    def is_busy(self) -> bool:
        """Whether any task is under way."""
        return bool(self.under_way)

    def give(self, items: Iterator[_A], waiting: int = 0) -> list[_A]:
        """Give as many items as there is room for, where so many results wait; return them."""
        workers = max(self._cluster.size, 1)
        given: list[_A] = []
        while True:
            size = min(max(self._given // (SHARE * workers), 1), self._together)
            if len(self.under_way) + waiting // size >= AHEAD * workers:
                return given
            batch = list(islice(items, size))
            if not batch:
                return given
            self._submit(batch)
            self._given += len(batch)
            given += batch

    def ended(self) -> Iterator[tuple[_A, _B | Lost]]:
        """Wait until a task has ended; yield its items with their results; raise WorkerError."""
        future = self._awaited()
        batch = self.under_way.pop(future)
        done = self._taken(future)
        if done is None and len(batch) > 1:
            for item in batch:  # Which of them it was shows when each is alone.
                self._submit([item])
            return
        worker, results = done or ("", [DIED])
        if batch[len(results) :]:
            self._submit(batch[len(results) :])
        for item, result in zip(batch, results, strict=False):
            if result == LATE:
                self._cluster.replace(worker)
            if isinstance(result, _Raised):
                self._reraise(result.error, worker)
            yield item, result

    def close(self) -> None:
        """Give up what is under way."""
        with suppress(Exception):
            for future in self.under_way:
                future.release()

    def _submit(self, batch: list[_A]) -> None:
        future = self._cluster.submit(self._work, batch)
        self.under_way[future] = batch
        future.add_done_callback(self._ended.put)

    def _reraise(self, error: Exception, worker: str) -> Never:
        if isinstance(error, ImportError):
            raise self._cluster.failed(f"the worker {worker} lacks a package: {error}") from error
        raise error

    def _awaited(self) -> Future:
        while True:
            try:
                return self._ended.get(timeout=1.0)
            except Empty:
                self._cluster.require_alive()

    def _taken(self, future: Future) -> tuple[str, list[_B | Lost | _Raised]] | None:
        """What a task has come to; None where every worker that had it died."""
        from distributed import CancelledError, KilledWorker

        try:
            taken: tuple[str, list[_B | Lost | _Raised]] = future.result(timeout=LONGEST_WAY)
        except KilledWorker:
            return None
        except (CancelledError, TimeoutError) as error:
            raise self._cluster.gone() from error
        except WorkerError as error:
            raise self._cluster.failed(str(error)) from error
        except Exception as error:
            raise self._cluster.failed(f"a worker cannot do the work: {error!r}") from error
        return taken


# What is done on a worker.


class _Call:
    """A call that is made where it is unpickled.

    Every worker can load it as the bytes that it is sent as, and say what it lacks. One that cannot
    load what Dask itself sends would leave its connection, and be waited for.
    """

    def __init__(self, function: Callable[[_A], _B], argument: _A) -> None:
        self._reduced = function, (argument,)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._reduced


_ONE_AT_A_TIME = threading.Lock()
"""The threads of a worker share one Python: side by side they would be no faster."""


class _Raised(NamedTuple):
    """The error that a function raised, to be raised where the results are."""

    error: Exception


def _work(
    version: str, function: Callable[[_A], _B], items: list[_A]
) -> tuple[str, list[_B | _Raised]]:
    """The name of this worker, and the results of the first items, as many as time allows."""
    from distributed import get_worker

    worker = get_worker().address
    if version != bganalyze.__version__:
        here = bganalyze.__version__
        raise WorkerError(f"the worker {worker} has bganalyze {here}, and {version} is asked for")
    results: list[_B | _Raised] = []
    with _ONE_AT_A_TIME:
        until = time.monotonic() + ENOUGH
        for item in items:
            results.append(_outcome(function, item))
            if time.monotonic() > until or isinstance(results[-1], _Raised) or results[-1] == LATE:
                break
    return worker, results


def _outcome(function: Callable[[_A], _B], item: _A) -> _B | _Raised:
    try:
        return function(item)
    except Exception as error:  # noqa: BLE001 - it is raised where the results are
        return _Raised(error)


def _in_time(function: Callable[[_A], _B], longest: Callable[[_A], float], item: _A) -> _B | Lost:
    """What the function makes of an item in its time. What takes longer is left to itself."""
    results: SimpleQueue[_B | _Raised] = SimpleQueue()
    work = threading.Thread(target=lambda: results.put(_outcome(function, item)), daemon=True)
    work.start()
    try:
        result = results.get(timeout=longest(item))
    except Empty:
        return LATE
    if isinstance(result, _Raised):
        raise result.error
    return result
