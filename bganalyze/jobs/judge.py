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

from bganalyze.files.corpus import Item
from bganalyze.jobs.outcome import FileOutcome, attempt
from bganalyze.jobs.workers import Lost, watched
from bganalyze.judging.engines import Engine, EngineError, Limits, start
from bganalyze.judging.evaluation import Judgement
from bganalyze.judging.match import JudgedMatch, Prepared, as_met, prepared, with_judgements
from bganalyze.judging.store import Store
from bganalyze.transcript.reader import read_bytes

GRACE = 30.0
"""Seconds that an engine has beyond its limit before its process is ended."""


class State(StrEnum):
    """What became of a match."""

    JUDGED = "judged"
    KNOWN = "known"
    FAILED = "failed"


class Outcome(NamedTuple):
    """What became of one match."""

    state: State
    path: str
    match: JudgedMatch | None = None
    problem: str | None = None


def run(
    items: Iterable[Item], store: Store, engine: Engine, workers: int, limits: Limits
) -> Generator[FileOutcome | Outcome, None, None]:
    """Yield what becomes of each file and of each match, as it is done; raise StoreError."""
    early: deque[FileOutcome | Outcome] = deque()
    work = partial(_judgements, engine.name, engine.level, limits)
    tasks = _tasks(items, store, engine, early)
    with closing(watched(work, tasks, workers, limits.seconds + GRACE)) as results:
        for ready, said in results:
            yield from _taken(early)
            yield _kept(ready, said, store, engine)
    yield from _taken(early)


def _tasks(
    items: Iterable[Item], store: Store, engine: Engine, early: deque[FileOutcome | Outcome]
) -> Iterator[Prepared]:
    """Yield the matches to judge; the files, and what needs no judging, go to `early`."""
    for item in items:
        attempted, matches = attempt(item, partial(_prepared, item.path))
        early.append(attempted)
        for ready in matches or ():
            known = store.find(ready.key(engine))
            if known is not None:
                early.append(Outcome(State.KNOWN, ready.path, as_met(known, ready)))
            else:
                yield ready


def _prepared(path: str, content: bytes) -> list[Prepared]:
    """The matches of a file, ready to be judged."""
    return [prepared(match) for match in read_bytes(content, path)]


def _taken(early: deque[FileOutcome | Outcome]) -> Iterator[FileOutcome | Outcome]:
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
        return Lost(f"a fault of bganalyze or of the engine, please report it: {error!r}")


@cache
def _engine(name: str, level: str, limits: Limits) -> Engine:
    """The engine of this process, started once."""
    return start(name, level, limits)
