"""A run of `judge`: several processes judge the parts of matches, and the results are stored at once.

Stored matches are not judged again, nor are the stored decisions of unfinished ones: a run that was
stopped continues where it was. A match on which the engine fails, dies or hangs is reported, and
the others are judged.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import count
from typing import NamedTuple, TypeAlias

from bganalyze.analysis.decisions import Decision
from bganalyze.analysis.engines import Engine, Judgement, Limits
from bganalyze.analysis.match import (
    JudgedMatch,
    Key,
    UnjudgedMatch,
    as_met,
    prepare,
    with_judgements,
)
from bganalyze.analysis.select import RECORDED
from bganalyze.analysis.store import DAMAGED, Store, StoreError
from bganalyze.analysis.verdict import JudgedDecision, judged
from bganalyze.app.jobs.budget import problem_of
from bganalyze.app.jobs.executor import LATE, Executor, Lost, Started, WorkerError
from bganalyze.app.jobs.outcome import FileOutcome, attempt
from bganalyze.app.jobs.parts import Judgements, MatchPart, judge_part, version_of
from bganalyze.files.reading import Item
from bganalyze.record.reader import read_bytes
from bganalyze.text import number_of


class State(StrEnum):
    """How the judging of a match ended."""

    JUDGED = "judged"
    KEPT = "kept before"
    FAILED = "failed"


class Outcome(NamedTuple):
    """The outcome of one match."""

    state: State
    path: str
    match: JudgedMatch | None = None
    problem: str | None = None
    ignored: str | None = None
    """What was left out of the analyses that were taken over, if anything was."""


class MatchFound(NamedTuple):
    """A match that is to be judged."""

    decisions: int
    """How many of its decisions are not judged yet."""


class PartJudged(NamedTuple):
    """Decisions of a match that have just been judged."""

    match: JudgedMatch
    """Without verdicts, for it is still under way."""
    rows: tuple[JudgedDecision, ...]


Event: TypeAlias = FileOutcome | MatchFound | PartJudged | Outcome


@dataclass(slots=True)
class _UnderWay:
    """A match under way."""

    unjudged: UnjudgedMatch
    key: Key
    judgements: dict[int, Judgement | None]
    """The judgements so far, by the index of the decision."""
    parts_left: int
    began: float

    def finished(self) -> JudgedMatch:
        """Return the match with its judgements."""
        judgements = [self.judgements[n] for n in range(len(self.unjudged.decisions))]
        return with_judgements(self.unjudged, self.key, judgements)


class FileToJudge(NamedTuple):
    """A file that was read, and its matches ready to be judged."""

    outcome: FileOutcome
    matches: Sequence[UnjudgedMatch]


def read_to_judge(items: Iterable[Item]) -> Iterator[FileToJudge]:
    """Yield files as they are wanted, ready to be judged."""
    for item in items:
        outcome, matches = attempt(item, partial(_prepare_all, item.path))
        yield FileToJudge(outcome, matches or [])


def run(
    files: Iterable[FileToJudge], store: Store, engine: Engine, executor: Executor, limits: Limits
) -> Generator[Event, None, None]:
    """Yield the outcome of each file and each match, and decisions as they are judged.

    Raises StoreError, and WorkerError if a worker lacks the engine or has another version of it.
    """
    _require(engine, executor)
    work = partial(judge_part, engine.name, engine.level)
    matches = _Matches(store, engine, limits)
    with closing(executor.watched(work, matches.parts(files), _seconds)) as results:
        for part, result in results:
            yield from matches.take_events()
            if not isinstance(result, Started):
                yield from matches.record(part, result)
    yield from matches.take_events()


def _require(engine: Engine, executor: Executor) -> None:
    """Raise WorkerError unless all workers have the same version of the engine."""
    question = partial(version_of, engine.name, engine.level)
    for worker, version in executor.answers(question).items():
        if isinstance(version, Exception):
            raise WorkerError(f"the worker {worker} cannot judge: {version}")
        if version != engine.version:
            raise WorkerError(
                f"the worker {worker} has {engine.name} {version}, but this machine has"
                f" {engine.version}: install the same version on both"
            )


def _seconds(part: MatchPart) -> float:
    return part.limits.seconds


class _Matches:
    """The matches of a run: handed to processes in parts, and stored as these are judged."""

    def __init__(self, store: Store, engine: Engine, limits: Limits) -> None:
        self._store, self._engine, self._limits = store, engine, limits
        self._under_way: dict[int, _UnderWay] = {}
        self._numbers = count()
        self._events: list[Event] = []

    def take_events(self) -> Iterator[Event]:
        """Yield the events that occurred while files were read."""
        while self._events:
            yield self._events.pop(0)

    def parts(self, files: Iterable[FileToJudge]) -> Iterator[MatchPart]:
        """Yield the parts to be judged. Files are read as processes have time for their matches."""
        for outcome, matches in files:
            self._events.append(outcome)
            for unjudged in matches:
                yield from self._parts_of(unjudged)

    def _parts_of(self, unjudged: UnjudgedMatch) -> Iterator[MatchPart]:
        match, decisions, key = unjudged.match, unjudged.decisions, unjudged.key(self._engine)
        stored = self._store.find(key)
        if stored is not None:
            self._require_all(stored, decisions)
            kept, ignored = as_met(stored, match), self._ignored(unjudged)
            self._events.append(Outcome(State.KEPT, match.path, kept, ignored=ignored))
            return
        begun = self._store.begun(key)
        parts = [part for part in self._engine.parts(decisions) if not begun.keys() >= set(part)]
        number, began = next(self._numbers), time.monotonic()
        self._under_way[number] = _UnderWay(unjudged, key, begun, len(parts), began)
        self._events.append(MatchFound(sum(map(len, parts))))
        if not parts:
            self._events.append(self._finished(number))
        threads = max(self._limits.threads // max(len(parts), 1), 1)
        for part in parts:
            if number not in self._under_way:
                return  # It has failed.
            chosen = tuple(decisions[place] for place in part)
            seconds = began + self._limits.seconds - time.monotonic()
            yield MatchPart(number, tuple(part), chosen, Limits(threads, max(seconds, 0.0)))

    def _require_all(self, stored: JudgedMatch, decisions: Sequence[Decision]) -> None:
        """Raise StoreError if a stored match lacks decisions."""
        if len(stored.rows) != len(decisions):
            missing = f"{len(stored.rows)} of the {number_of(len(decisions), 'decision')}"
            raise StoreError(f"{self._store.name}: has {missing} in {stored.path}: {DAMAGED}")

    def record(self, part: MatchPart, result: Judgements | Lost) -> Iterator[Event]:
        """Store the judgements of a part; yield them, and the match if it is finished."""
        match = self._under_way.get(part.match)
        if match is None:
            return  # Another part of it has failed.
        if isinstance(result, Lost):
            del self._under_way[part.match]
            timeout = f"took more than {self._limits.seconds:.0f} seconds"
            problem = timeout if result == LATE else result.reason
            ignored = self._ignored(match.unjudged)
            yield Outcome(State.FAILED, match.unjudged.match.path, None, problem, ignored)
            return
        judgements = dict(zip(part.places, result, strict=True))
        match.judgements |= judgements
        match.parts_left -= 1
        if match.parts_left:
            self._store.keep(match.key, judgements)
        yield PartJudged(match.unjudged.match, tuple(judged(part.decisions, result)))
        if not match.parts_left:
            yield self._finished(part.match)

    def _finished(self, number: int) -> Outcome:
        under_way = self._under_way.pop(number)
        path = under_way.unjudged.match.path
        try:
            match, ignored = under_way.finished(), self._ignored(under_way.unjudged)
            state = State.JUDGED if self._store.add(match) else State.KEPT
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - one match must not cost the others
            return Outcome(State.FAILED, path, None, problem_of(error))
        return Outcome(state, match.path, match, ignored=ignored)

    def _ignored(self, unjudged: UnjudgedMatch) -> str | None:
        """Return what was left out of the analyses that the engine takes over."""
        return unjudged.ignored if self._engine.name == RECORDED else None


def _prepare_all(path: str, content: bytes) -> list[UnjudgedMatch]:
    """Return the matches of a file, ready to be judged."""
    return [prepare(match) for match in read_bytes(content, path)]
