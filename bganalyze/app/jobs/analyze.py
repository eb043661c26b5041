"""A run of `analyze`: processes analyze parts of matches, and results are stored at once."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import count
from typing import NamedTuple, TypeAlias

from bganalyze.analysis.analyzed import AnalyzedDecision, make_rows_with_evaluations
from bganalyze.analysis.decisions import Decision
from bganalyze.analysis.engines import Engine, Evaluation, Limits
from bganalyze.analysis.match import (
    AnalyzedMatch,
    Key,
    UnanalyzedMatch,
    make_unanalyzed,
    relocate_analysis,
    with_evaluations,
)
from bganalyze.analysis.select import RECORDED
from bganalyze.analysis.store import DAMAGED, Store
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.jobs.budget import describe_unexpected_error
from bganalyze.app.jobs.executor import LATE, Executor, LostWork, Started, WorkerError
from bganalyze.app.jobs.match_parts import Evaluations, MatchPart, analyze_part, find_engine_version
from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file
from bganalyze.files.reading import FileToRead
from bganalyze.record.reader import read_bytes
from bganalyze.text import number_of


class State(StrEnum):
    """The outcome of analyzing a match."""

    ANALYZED = "analyzed"
    KEPT = "kept before"
    FAILED = "failed"


class Outcome(NamedTuple):
    """The state of one match, with its analysis or the problem."""

    state: State
    path: str
    match: AnalyzedMatch | None = None
    problem: str | None = None
    ignored: str | None = None
    """A note on analyses stored in the file that were left out, or None."""


class MatchFound(NamedTuple):
    """The event that a match to be analyzed was read."""

    decisions: int
    """Decisions still to be analyzed."""


class PartAnalyzed(NamedTuple):
    """The event that some decisions of a match were analyzed."""

    match: AnalyzedMatch
    """The match, still without its analyses."""
    rows: tuple[AnalyzedDecision, ...]


Event: TypeAlias = FileOutcome | MatchFound | PartAnalyzed | Outcome


@dataclass(slots=True)
class _MatchInProgress:
    """A match whose decisions are being evaluated."""

    unanalyzed: UnanalyzedMatch
    key: Key
    evaluations: dict[int, Evaluation | None]
    """The evaluations so far, by the index of the decision."""
    parts_left: int
    began: float

    def to_analyzed_match(self) -> AnalyzedMatch:
        """Return the match with all its evaluations. All decisions must be evaluated."""
        evaluations = [self.evaluations[n] for n in range(len(self.unanalyzed.decisions))]
        return with_evaluations(self.unanalyzed, self.key, evaluations)


class FileToAnalyze(NamedTuple):
    """A file that was read, and its matches ready to be analyzed."""

    outcome: FileOutcome
    matches: Sequence[UnanalyzedMatch]


def read_files_to_analyze(items: Iterable[FileToRead]) -> Iterator[FileToAnalyze]:
    """Read files, and yield each file with its matches, ready for an engine."""
    for item in items:
        outcome, matches = apply_to_file(item, partial(_read_matches_to_analyze, item.path))
        yield FileToAnalyze(outcome, matches or [])


def run_analysis(
    files: Iterable[FileToAnalyze], store: Store, engine: Engine, executor: Executor, limits: Limits
) -> Generator[Event, None, None]:
    """Analyze the matches of files with an engine, and yield events on the progress.

    A match that has an analysis in `store` is not analyzed again. Raises StoreError, and
    WorkerError if a worker lacks this version of the engine.
    """
    _require_same_engine(engine, executor)
    work = partial(analyze_part, engine.name, engine.level)
    matches = _MatchesUnderWay(store, engine, limits)
    with closing(
        executor.run_watched(work, matches.list_parts(files), _find_time_limit)
    ) as results:
        for part, result in results:
            yield from matches.take_events()
            if not isinstance(result, Started):
                yield from matches.save_result(part, result)
    yield from matches.take_events()


def _require_same_engine(engine: Engine, executor: Executor) -> None:
    """Raise WorkerError unless all workers have the same version of the engine as this process."""
    question = partial(find_engine_version, engine.name, engine.level)
    for worker, version in executor.call_on_foreign_workers(question).items():
        if isinstance(version, Exception):
            raise WorkerError(f"the worker {worker} cannot analyze: {version}")
        if version != engine.version:
            raise WorkerError(
                f"the worker {worker} has {engine.name} {version}, but this machine has"
                f" {engine.version}: install the same version on both"
            )


def _find_time_limit(part: MatchPart) -> float:
    """Return how many seconds a worker may take for a part of a match."""
    return part.limits.seconds


class _MatchesUnderWay:
    """The matches being analyzed, each split into parts (some of its decisions) for the workers."""

    def __init__(self, store: Store, engine: Engine, limits: Limits) -> None:
        self._store, self._engine, self._limits = store, engine, limits
        self._under_way: dict[int, _MatchInProgress] = {}
        self._numbers = count()
        self._events: list[Event] = []

    def take_events(self) -> Iterator[Event]:
        """Yield the events since the last call, such as that a match was begun."""
        while self._events:
            yield self._events.pop(0)

    def list_parts(self, files: Iterable[FileToAnalyze]) -> Iterator[MatchPart]:
        """Split the matches in files into parts for workers to evaluate, and yield these parts."""
        # A file is read only when the parts of earlier ones are used up.
        for outcome, matches in files:
            self._events.append(outcome)
            for unanalyzed in matches:
                yield from self._begin_match(unanalyzed)

    def _begin_match(self, unanalyzed: UnanalyzedMatch) -> Iterator[MatchPart]:
        """Begin the analysis of a match, and yield the parts that are not evaluated yet."""
        match, decisions, key = unanalyzed.match, unanalyzed.decisions, unanalyzed.key(self._engine)
        stored = self._store.find(key)
        if stored is not None:
            self._require_all_decisions(stored, decisions)
            kept, ignored = relocate_analysis(stored, match), self._describe_left_out(unanalyzed)
            self._events.append(Outcome(State.KEPT, match.path, kept, ignored=ignored))
            return
        begun = self._store.find_partial(key)
        parts = [
            part
            for part in self._engine.split_decisions(decisions)
            if not begun.keys() >= set(part)
        ]
        number, began = next(self._numbers), time.monotonic()
        self._under_way[number] = _MatchInProgress(unanalyzed, key, begun, len(parts), began)
        self._events.append(MatchFound(sum(map(len, parts))))
        if not parts:
            self._events.append(self._finish_match(number))
        threads = max(self._limits.threads // max(len(parts), 1), 1)
        for part in parts:
            if number not in self._under_way:
                return  # It has failed.
            chosen = tuple(decisions[place] for place in part)
            seconds = began + self._limits.seconds - time.monotonic()
            yield MatchPart(number, tuple(part), chosen, Limits(threads, max(seconds, 0.0)))

    def _require_all_decisions(self, stored: AnalyzedMatch, decisions: Sequence[Decision]) -> None:
        """Raise StoreError unless a stored analysis has all decisions of its match."""
        if len(stored.rows) != len(decisions):
            missing = f"{len(stored.rows)} of the {number_of(len(decisions), 'decision')}"
            raise StoreError(f"{self._store.name}: has {missing} in {stored.path}: {DAMAGED}")

    def save_result(self, part: MatchPart, result: Evaluations | LostWork) -> Iterator[Event]:
        """Save the evaluations of a part of a match, and yield the events that result."""
        match = self._under_way.get(part.match)
        if match is None:
            return  # Another part of it has failed.
        # The worker died or took too long.
        if isinstance(result, LostWork):
            del self._under_way[part.match]
            timeout = f"took more than {self._limits.seconds:.0f} seconds"
            problem = timeout if result == LATE else result.reason
            ignored = self._describe_left_out(match.unanalyzed)
            yield Outcome(State.FAILED, match.unanalyzed.match.path, None, problem, ignored)
            return
        evaluations = dict(zip(part.places, result, strict=True))
        match.evaluations |= evaluations
        match.parts_left -= 1
        if match.parts_left:
            self._store.add_part_of_analysis(match.key, evaluations)
        yield PartAnalyzed(
            match.unanalyzed.match, tuple(make_rows_with_evaluations(part.decisions, result))
        )
        if not match.parts_left:
            yield self._finish_match(part.match)

    def _finish_match(self, number: int) -> Outcome:
        """Save the whole analysis of a match, and return the outcome.

        `number` is the number of the match in this run. Raises StoreError.
        """
        under_way = self._under_way.pop(number)
        path = under_way.unanalyzed.match.path
        try:
            match, ignored = (
                under_way.to_analyzed_match(),
                self._describe_left_out(under_way.unanalyzed),
            )
            state = State.ANALYZED if self._store.add(match) else State.KEPT
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - one match must not cost the others
            return Outcome(State.FAILED, path, None, describe_unexpected_error(error))
        return Outcome(state, match.path, match, ignored=ignored)

    def _describe_left_out(self, unanalyzed: UnanalyzedMatch) -> str | None:
        """Return a note on analyses in the match file that the engine could not read, if any."""
        # This engine takes its analyses from the match file.
        return unanalyzed.ignored if self._engine.name == RECORDED else None


def _read_matches_to_analyze(path: str, content: bytes) -> list[UnanalyzedMatch]:
    """Return the matches in a file's content, ready for an engine."""
    return [make_unanalyzed(match) for match in read_bytes(content, path)]
