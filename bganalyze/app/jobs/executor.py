"""Executors: compute a function of many items, on this machine or on several.

`app/jobs/workers.py` runs processes on this machine, `app/jobs/cluster.py` the workers of a Dask cluster.
Both promise the same: results in the order of the items (if the method says so), only as many items
under way as keep the workers busy, one error if work is lost for good, and a prompt end when the caller
stops.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from math import ceil
from typing import Any, NamedTuple, Protocol, TypeVar

from bganalyze.errors import BganalyzeError

CHUNK = 8
"""Files handed to a worker together."""

FEW = 8
"""Files that take less time than starting processes."""

_PEEKED = 256
"""Files examined in advance to count those without a known result."""

_A = TypeVar("_A")
_B = TypeVar("_B")
_B_co = TypeVar("_B_co", covariant=True)


class WorkerError(BganalyzeError, RuntimeError):
    """The error that work cannot be done: a worker died, or there are no workers."""


class LostWork(NamedTuple):
    """The reason why a piece of work has no result."""

    reason: str


class Started(NamedTuple):
    """The event that a worker started on an item."""


LATE = LostWork("took too long")
DIED = LostWork("its process died")


class Executor(Protocol):
    """Workers that call a function on many items: processes on this machine, or a cluster.

    Closing the generator of a method ends its work. The generator raises errors of the function.
    """

    @property
    def size(self) -> int:
        """Number of items that are worked on at the same time."""

    def stays_in_process(self, *, few: bool) -> bool:
        """Whether this process works itself, as it may if there are only a `few` items."""

    def attach_content(self, item: Any) -> Any:
        """Return a file with its content if workers may be unable to read it.

        Other items are returned unchanged.
        """

    @property
    def shares_file_system(self) -> bool:
        """Whether the workers share the file system of this process."""

    def map_in_order(
        self,
        function: Callable[[list[_A]], _B],
        chunks: Iterable[list[_A]],
        chunks_at_once: int = ...,
    ) -> Generator[_B, None, None]:
        """Yield the result of `function` for each chunk of items, in order.

        Another machine gets at most `chunks_at_once` chunks together. Raises WorkerError if a
        worker dies.
        """

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

    def call_on_foreign_workers(self, function: Callable[[], _A]) -> Mapping[str, _A | Exception]:
        """Call `function` on each worker whose software may differ from this process's.

        Returns results or exceptions by the worker's address.
        """


class WorkerTeam(Protocol[_A, _B_co]):
    """Workers that are handed items, and that return the results in any order."""

    def hand_over(self, items: Iterator[_A], held_results: int = 0) -> list[_A]:
        """Hand over as many items as the workers can take, and return these items.

        `held_results` is the number of results that wait for earlier ones; the more, the fewer
        items are handed over.
        """

    @property
    def is_busy(self) -> bool:
        """Whether any item is in progress."""

    def wait_for_results(self) -> Iterator[tuple[_A, _B_co | LostWork]]:
        """Wait until a worker is done; yield the items done, each with its result or `LostWork`."""


def map_chunks_in_order(
    team: WorkerTeam[tuple[int, list[_A]], _B], chunks: Iterable[list[_A]]
) -> Generator[_B, None, None]:
    """Give numbered chunks of items to a team of workers, and yield the results in order.

    If a worker dies, raises WorkerError, which names the item at fault if possible.
    """
    numbered = enumerate(chunks)
    results: dict[int, _B] = {}
    following = 0
    while True:
        team.hand_over(numbered, held_results=len(results))
        if not team.is_busy:
            return
        for (number, chunk), result in team.wait_for_results():
            if isinstance(result, LostWork):
                deadly = _find_deadly_items(team, chunk)
                raise make_death_error(deadly)
            results[number] = result
        while following in results:
            yield results.pop(following)
            following += 1


def _find_deadly_items(team: WorkerTeam[tuple[int, list[_A]], _B], chunk: list[_A]) -> list[_A]:
    """Return, in a list, the item that kills a worker, or the whole chunk if none is found."""
    try:
        # Other chunks may have got lost at the same time.
        others = [
            items
            for (_, items), result in _yield_remaining_results(team)
            if isinstance(result, LostWork)
        ]
        suspects = (_bisect_deadly(team, items) for items in (chunk, *others))
        return next((items for items in suspects if _is_deadly(team, items)), chunk)
    except WorkerError:  # No worker is left.
        return chunk


def _bisect_deadly(team: WorkerTeam[tuple[int, list[_A]], _B], items: list[_A]) -> list[_A]:
    """Find, by halving, the item that kills a worker, and return it in a list."""
    while len(items) > 1:
        half = items[: len(items) // 2]
        items = half if _is_deadly(team, half) else items[len(half) :]
    return items


def _is_deadly(team: WorkerTeam[tuple[int, list[_A]], _B], items: list[_A]) -> bool:
    """Whether a worker dies if it works on these items and no others."""
    team.hand_over(iter([(0, items)]))
    return any(isinstance(result, LostWork) for _, result in _yield_remaining_results(team))


def _yield_remaining_results(team: WorkerTeam[_A, _B]) -> Iterator[tuple[_A, _B | LostWork]]:
    """Yield the items in progress as they end, each with its result or `LostWork`."""
    while team.is_busy:
        yield from team.wait_for_results()


def apply_to_numbered(function: Callable[[_A], _B], numbered: tuple[int, _A]) -> _B:
    """Return `function(item)` for `numbered`, a pair of a number and an item."""
    return function(numbered[1])


def map_files(
    function: Callable[[_A], _B], items: Iterable[_A], executor: Executor
) -> Generator[_B, None, None]:
    """Apply a function to each file, and yield the results in order.

    Raises WorkerError if a worker dies.
    """
    few, items = peek(items)
    if executor.stays_in_process(few=few):
        yield from map(function, items)
        return
    work = partial(apply_to_all, function)
    for results in executor.map_in_order(
        work, split_into_chunks(map(executor.attach_content, items))
    ):
        yield from results


def map_chunks(
    function: Callable[[list[_A]], _B], items: Iterable[_A], executor: Executor
) -> Generator[_B, None, None]:
    """Apply a function to chunks of items, and yield the results in order.

    Raises WorkerError if a worker dies.
    """
    few, items = peek(items)
    if executor.stays_in_process(few=few):
        yield from map(function, split_into_chunks(items))
        return
    yield from executor.map_in_order(
        function, split_into_chunks(map(executor.attach_content, items))
    )


def map_or_recall(
    function: Callable[[_A], _B],
    items: Iterable[_A],
    recall: Callable[[_A], _B | None],
    executor: Executor,
) -> Generator[tuple[_A, _B], None, None]:
    """Yield each item, in order, with its earlier result or else with `function(item)`.

    `recall` returns the earlier result, or None. Workers start only when a result is missing.
    """
    pairs: Iterator[tuple[_A, _B | None]] = ((item, recall(item)) for item in items)
    for item, result in pairs:
        if result is None:
            pairs = chain([(item, None)], pairs)
            break
        yield item, result
    beginning = list(islice(pairs, _PEEKED))
    few = len(beginning) < _PEEKED and sum(result is None for _, result in beginning) <= FEW
    pairs = chain(beginning, pairs)
    if executor.stays_in_process(few=few):
        for item, result in pairs:
            yield item, function(item) if result is None else result
        return
    under_way: deque[list[tuple[_A, _B | None]]] = deque()
    """Chunks of files, with recalled results."""

    def yield_new_chunks() -> Iterator[list[_A]]:
        """Yield the items without an earlier result, in chunks."""
        for chunk in split_into_chunks(pairs):
            under_way.append(chunk)
            yield [executor.attach_content(item) for item, result in chunk if result is None]

    for results in executor.map_in_order(partial(apply_to_all, function), yield_new_chunks()):
        computed = iter(results)
        for item, result in under_way.popleft():
            yield item, next(computed) if result is None else result


def peek(items: Iterable[_A], few: int = FEW) -> tuple[bool, Iterator[_A]]:
    """Return whether there are at most `few` items, and an iterator over all of them.

    >>> few, letters = peek("abc", few=2)
    >>> few, "".join(letters)
    (False, 'abc')
    """
    items = iter(items)
    beginning = list(islice(items, few + 1))
    return len(beginning) <= few, chain(beginning, items)


def split_into_chunks(items: Iterable[_A], size: int = CHUNK) -> Iterator[list[_A]]:
    """Yield lists of at most `size` items.

    >>> list(split_into_chunks("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    items = iter(items)
    while chunk := list(islice(items, size)):
        yield chunk


def divide_evenly(items: Iterable[_A], workers: int, most: int, fewest: int) -> Iterator[list[_A]]:
    """Yield lists of items for workers, each of at most `most` items.

    Few items are divided evenly, into lists of at least `fewest`.

    >>> [len(share) for share in divide_evenly(range(100), workers=3, most=50, fewest=10)]
    [34, 34, 32]
    """
    workers, items = max(workers, 1), iter(items)
    first = list(islice(items, workers * most))
    sharing = max(min(workers, len(first) // min(fewest, most)), 1)
    yield from split_into_chunks(chain(first, items), max(ceil(len(first) / sharing), 1))


def apply_to_all(function: Callable[[_A], _B], items: Iterable[_A]) -> list[_B]:
    """Return the results of a function for all items."""
    # A `partial` of this function can be pickled.
    return list(map(function, items))


def make_death_error(items: Sequence[object]) -> WorkerError:
    """Return the error about a process that died while it worked on some items.

    >>> make_death_error(["a.mat", "b.mat", "c.mat"])
    WorkerError('a worker process died (out of memory?) between a.mat and c.mat')
    """
    place = f"between {items[0]} and {items[-1]}" if items else "while it waited"
    if len(items) == 1:
        place = f"over {items[0]}"
    return WorkerError(f"a worker process died (out of memory?) {place}")
