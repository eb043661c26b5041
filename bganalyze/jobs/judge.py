"""A run of `judge`: matches found, judged by several processes, and kept as they are done.

What is kept already is not judged again, so a run that was stopped goes on where it was. A match
whose engine fails, dies or hangs is reported, and the others are judged.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from enum import StrEnum
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from bganalyze.files.reading import STANDARD_INPUT, Item, find
from bganalyze.jobs.outcome import FileOutcome, attempt
from bganalyze.jobs.workers import Lost, watched
from bganalyze.judging.engines import Engine, EngineError, Judgement, Limits, start
from bganalyze.judging.match import JudgedMatch, UnjudgedMatch, as_met, prepare, with_judgements
from bganalyze.judging.store import Store
from bganalyze.transcript.reader import read_bytes

Judgements: TypeAlias = list[Judgement | None]


class State(StrEnum):
    """What became of a match."""

    JUDGED = "judged"
    KEPT = "kept before"
    FAILED = "failed"


class Outcome(NamedTuple):
    """What became of one match."""

    state: State
    path: str
    match: JudgedMatch | None = None
    problem: str | None = None
    decisions: int = 0
    """How many the match has."""


def count_decisions(paths: Iterable[str]) -> int:
    """Return how many decisions there are under the paths that can be read twice."""
    again = [path for path in paths if path != STANDARD_INPUT]
    return sum(
        len(to_judge.decisions)
        for item in find(again)
        for to_judge in attempt(item, partial(_prepare_all, item.path))[1] or ()
    )


def run(
    items: Iterable[Item], store: Store, engine: Engine, workers: int, limits: Limits
) -> Generator[FileOutcome | Outcome, None, None]:
    """Yield what becomes of each file and of each match, as it is done; raise StoreError."""
    early: list[FileOutcome | Outcome] = []
    work = partial(_judgements, engine.name, engine.level, limits)
    tasks = _tasks(items, store, engine, early)
    with closing(watched(work, tasks, workers, limits.seconds)) as results:
        for to_judge, judgements in results:
            while early:
                yield early.pop(0)
            yield _kept(to_judge, judgements, store, engine)
    yield from early


def _tasks(
    items: Iterable[Item], store: Store, engine: Engine, early: list[FileOutcome | Outcome]
) -> Iterator[UnjudgedMatch]:
    """Yield the matches to judge; the files, and what needs no judging, go to `early`."""
    for item in items:
        outcome, matches = attempt(item, partial(_prepare_all, item.path))
        early.append(outcome)
        for to_judge in matches or ():
            now, kept = to_judge.match, store.find(to_judge.key(engine))
            if kept is None:
                yield to_judge
            else:
                decisions = len(to_judge.decisions)
                early.append(Outcome(State.KEPT, now.path, as_met(kept, now), None, decisions))


def _prepare_all(path: str, content: bytes) -> list[UnjudgedMatch]:
    """The matches of a file, ready to be judged."""
    return [prepare(match) for match in read_bytes(content, path)]


def _kept(
    to_judge: UnjudgedMatch, judgements: Judgements | Lost, store: Store, engine: Engine
) -> Outcome:
    """Keep the judgements of a match."""
    path, decisions = to_judge.match.path, len(to_judge.decisions)
    if isinstance(judgements, Lost):
        return Outcome(State.FAILED, path, None, judgements.reason, decisions)
    match = with_judgements(to_judge, to_judge.key(engine), judgements)
    state = State.JUDGED if store.add(match) else State.KEPT
    return Outcome(state, path, match, decisions=decisions)


def _judgements(
    name: str, level: str, limits: Limits, to_judge: UnjudgedMatch
) -> Judgements | Lost:
    """What an engine says of the decisions of a match; in a process of its own."""
    try:
        return _engine(name, level, limits).judge(to_judge.decisions)
    except EngineError as error:
        return Lost(str(error))
    except Exception as error:  # noqa: BLE001 - one match must not cost the others
        return Lost(f"a fault of bganalyze or of the engine, please report it: {error!r}")


@cache
def _engine(name: str, level: str, limits: Limits) -> Engine:
    """The engine of this process, started once."""
    return start(name, level, limits)
