"""Executors: who computes a function of many items, on this machine or on several.

`jobs/workers.py` has processes of this machine, `jobs/cluster.py` the workers of a Dask cluster.
Both promise the same: results in the order of the items where that is said, no more under way than
keeps the workers busy, one error where work is lost for good, and an end at any moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, Protocol, TypeVar

CHUNK = 8
"""How many files are computed together."""

FEW = 8
"""So many are done sooner than processes are started."""

_PEEKED = 256
"""Of so many files is looked how many are not known."""

_A = TypeVar("_A")
_B = TypeVar("_B")
_B_co = TypeVar("_B_co", covariant=True)


class WorkerError(RuntimeError):
    """Work that nobody can do: a process died over it, or the workers cannot be had."""


class Lost(NamedTuple):
    """A piece of work that came to nothing, and why."""

    reason: str


class Given(NamedTuple):
    """That somebody works on an item now."""


LATE = Lost("took too long")
DIED = Lost("its process died")


class Executor(Protocol):
    """Who computes. Closing a generator ends the work; what the function raises is raised here."""

    @property
    def size(self) -> int:
        """How many items are worked on at the same time."""

    def works_here(self, *, few: bool) -> bool:
        """Whether this very process does the work, where there are few items or not."""

    def carry(self, item: Any) -> Any:
        """Return an item as the workers can read it."""

    @property
    def sees_folders(self) -> bool:
        """Whether the workers read and write in the folders that this process sees."""

    def in_order(
        self, function: Callable[[list[_A]], _B], chunks: Iterable[list[_A]], together: int = ...
    ) -> Generator[_B, None, None]:
        """Yield `function` of each chunk of items, in their order; raise WorkerError.

        So many chunks at most are sent together, where they are sent to another machine.
        """

    def watched(
        self,
        function: Callable[[_A], _B],
        items: Iterable[_A],
        longest: Callable[[_A], float],
    ) -> Generator[tuple[_A, _B | Given | Lost], None, None]:
        """Yield each item as it is given to a worker, and with `function` of it as that is done.

        For work that is done by other people's programs: a worker that dies, or that takes longer
        than the seconds that an item may take, is replaced, and the rest goes on.
        """

    def answers(self, question: Callable[[], _A]) -> Mapping[str, _A | Exception]:
        """Return what each worker answers that is not a process of this very program."""


class Team(Protocol[_A, _B_co]):
    """Workers to whom items are given, and whose results are taken as they end."""

    def give(self, items: Iterator[_A], waiting: int = 0) -> list[_A]:
        """Give as many items as there is room for, where so many results wait; return them."""

    @property
    def is_busy(self) -> bool:
        """Whether any item is worked on."""

    def ended(self) -> Iterator[tuple[_A, _B_co | Lost]]:
        """Wait until work has ended; yield it with its result, or with why there is none."""


def taken_in_order(
    team: Team[tuple[int, list[_A]], _B], chunks: Iterable[list[_A]]
) -> Generator[_B, None, None]:
    """Yield what a team makes of numbered chunks of items, in their order; raise WorkerError."""
    numbered = enumerate(chunks)
    results: dict[int, _B] = {}
    following = 0
    while True:
        team.give(numbered, waiting=len(results))
        if not team.is_busy:
            return
        for (number, chunk), result in team.ended():
            if isinstance(result, Lost):
                raise died_over(chunk)
            results[number] = result
        while following in results:
            yield results.pop(following)
            following += 1


def of_numbered(function: Callable[[_A], _B], numbered: tuple[int, _A]) -> _B:
    """Return `function` of what has a number."""
    return function(numbered[1])


def map_files(
    function: Callable[[_A], _B], items: Iterable[_A], executor: Executor
) -> Generator[_B, None, None]:
    """Yield `function` of each file, in the order of the files; raise WorkerError."""
    few, items = _few(items)
    if executor.works_here(few=few):
        yield from map(function, items)
        return
    for results in executor.in_order(partial(each, function), chunks(map(executor.carry, items))):
        yield from results


def map_chunks(
    function: Callable[[list[_A]], _B], items: Iterable[_A], executor: Executor
) -> Generator[_B, None, None]:
    """Yield `function` of some files at a time, which otherwise is as `map_files`."""
    few, items = _few(items)
    if executor.works_here(few=few):
        yield from map(function, chunks(items))
        return
    yield from executor.in_order(function, chunks(map(executor.carry, items)))


def map_unknown(
    function: Callable[[_A], _B],
    items: Iterable[_A],
    known: Callable[[_A], _B | None],
    executor: Executor,
) -> Generator[tuple[_A, _B], None, None]:
    """Yield each file with what is known of it, or else with `function` of it, as `map_files` does.

    As long as all is known, no worker is asked.
    """
    pairs: Iterator[tuple[_A, _B | None]] = ((item, known(item)) for item in items)
    for item, result in pairs:
        if result is None:
            pairs = chain([(item, None)], pairs)
            break
        yield item, result
    beginning = list(islice(pairs, _PEEKED))
    few = len(beginning) < _PEEKED and sum(result is None for _, result in beginning) <= FEW
    pairs = chain(beginning, pairs)
    if executor.works_here(few=few):
        for item, result in pairs:
            yield item, function(item) if result is None else result
        return
    given: deque[list[tuple[_A, _B | None]]] = deque()
    """The chunks under way, with what is known of their items."""

    def unknown() -> Iterator[list[_A]]:
        for chunk in chunks(pairs):
            given.append(chunk)
            yield [executor.carry(item) for item, result in chunk if result is None]

    for results in executor.in_order(partial(each, function), unknown()):
        computed = iter(results)
        for item, result in given.popleft():
            yield item, next(computed) if result is None else result


def _few(items: Iterable[_A]) -> tuple[bool, Iterator[_A]]:
    """Whether there are few items, and the items."""
    items = iter(items)
    beginning = list(islice(items, FEW + 1))
    return len(beginning) <= FEW, chain(beginning, items)


def chunks(items: Iterable[_A], size: int = CHUNK) -> Iterator[list[_A]]:
    """Yield some items at a time.

    >>> list(chunks("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    items = iter(items)
    while chunk := list(islice(items, size)):
        yield chunk


def each(function: Callable[[_A], _B], items: Iterable[_A]) -> list[_B]:
    """Return `function` of each item.

    >>> each(abs, [-1, 2])
    [1, 2]
    """
    return list(map(function, items))


def died_over(items: Sequence[object]) -> WorkerError:
    """Return the error that a process died over these items.

    >>> died_over(["a.mat", "b.mat", "c.mat"])
    WorkerError('a worker process died (out of memory?) between a.mat and c.mat')
    """
    place = f"between {items[0]} and {items[-1]}" if items else "while it waited"
    if len(items) == 1:
        place = f"over {items[0]}"
    return WorkerError(f"a worker process died (out of memory?) {place}")
