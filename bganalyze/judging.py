"""A run of `judge`: matches found, judged by several processes, and kept as they are done.

What is kept already is not judged again, so a run that was stopped goes on where it was. A match
whose engine fails, dies or hangs is told, and the others are judged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from enum import StrEnum
from functools import cache, partial
from typing import NamedTuple

from bganalyze.corpus import Item, load
from bganalyze.engines import Engine, EngineError, Limits, start
from bganalyze.files import TooLargeError, UnreadableError
from bganalyze.judge import JudgedMatch, Prepared, prepared, with_judgements
from bganalyze.judgements import Judgement
from bganalyze.store import Store
from bganalyze.transcript.reader import NotATranscript, read_bytes
from bganalyze.watched import Lost, watched

GRACE = 30.0
"""Seconds that an engine has beyond its limit before its process is ended."""


class State(StrEnum):
    """What became of a match or a file."""

    JUDGED = "judged"
    KNOWN = "known"
    FAILED = "failed"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"


class Outcome(NamedTuple):
    """What became of one match, or of a file without one."""

    state: State
    path: str
    match: JudgedMatch | None = None
    problem: str | None = None


def run(
    items: Iterable[Item], store: Store, engine: Engine, workers: int, limits: Limits
) -> Generator[Outcome, None, None]:
    """Yield what becomes of each match, as it is done; raise StoreError."""
    early: deque[Outcome] = deque()
    work = partial(_judgements, engine.name, engine.level, limits)
    tasks = _tasks(items, store, engine, early)
    with closing(watched(work, tasks, workers, limits.seconds + GRACE)) as results:
        for ready, said in results:
            yield from _taken(early)
            yield _kept(ready, said, store, engine)
    yield from _taken(early)


def _tasks(
    items: Iterable[Item], store: Store, engine: Engine, early: deque[Outcome]
) -> Iterator[Prepared]:
    """Yield the matches to judge; what needs no judging goes to `early`."""
    for item in items:
        try:
            matches = read_bytes(load(item), item.path)
        except (NotATranscript, TooLargeError) as error:
            why = error.reason if isinstance(error, NotATranscript) else str(error)
            state = State.UNREADABLE if item.named else State.SKIPPED
            early.append(Outcome(state, item.path, problem=why))
            continue
        except UnreadableError as error:
            early.append(Outcome(State.UNREADABLE, item.path, problem=str(error)))
            continue
        for match in matches:
            ready = prepared(match)
            known = store.find(ready.key(engine))
            if known is not None:
                early.append(Outcome(State.KNOWN, ready.path, known))
            else:
                yield ready


def _taken(early: deque[Outcome]) -> Iterator[Outcome]:
    while early:
        yield early.popleft()


def _kept(
    ready: Prepared, said: Sequence[Judgement | None] | Lost, store: Store, engine: Engine
) -> Outcome:
    """Keep what an engine said of a match."""
    if isinstance(said, Lost):
        return Outcome(State.FAILED, ready.path, problem=said.reason)
    match = with_judgements(ready, ready.key(engine), said)
    state = State.JUDGED if store.add(match) else State.KNOWN
    return Outcome(state, ready.path, match)


def _judgements(
    name: str, level: str, limits: Limits, ready: Prepared
) -> list[Judgement | None] | Lost:
    """What an engine says of the decisions of a match; in a process of its own."""
    try:
        return _engine(name, level, limits).judge(ready.decisions)
    except EngineError as error:
        return Lost(str(error))
    except Exception as error:  # noqa: BLE001 - one match must not cost the others
        return Lost(f"a fault of bganalyze, please report it: {error!r}")


@cache
def _engine(name: str, level: str, limits: Limits) -> Engine:
    """The engine of this process, started once."""
    return start(name, level, limits)
