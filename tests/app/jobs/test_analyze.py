"""A run of `analyze`: the work given to its processes, its progress, and what it keeps meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bganalyze.analysis.decisions import Decision
from bganalyze.analysis.engines import Limits
from bganalyze.analysis.store import Store
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.jobs import analyze, match_parts
from bganalyze.app.jobs.analyze import (
    Event,
    MatchFound,
    Outcome,
    PartAnalyzed,
    State,
    read_files_to_analyze,
)
from bganalyze.app.jobs.budget import HOW_TO_REPORT, OUT_OF_MEMORY
from bganalyze.app.jobs.executor import LATE, LostWork, Started
from bganalyze.app.jobs.match_parts import Evaluations, MatchPart, analyze_part
from bganalyze.app.jobs.outcome import FileOutcome
from bganalyze.app.jobs.workers import Processes
from bganalyze.files.reading import find_files
from tests.statistics.reports.analyzed import Guesser

SAMPLE = Path(__file__).parents[3] / "samples" / "clean" / "short-match.mat"
DECISIONS = 84

Answer = Callable[[MatchPart], "Evaluations | LostWork"]


class Parted(Guesser):
    """One that is asked ten decisions at a time."""

    def split_decisions(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        ends = range(0, len(decisions), 10)
        return [range(start, min(start + 10, len(decisions))) for start in ends]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[MatchPart]:
    """Let parts be analyzed here, and remember them."""
    match_parts: list[MatchPart] = []

    def watch(
        _: Processes, __: object, items: Iterable[MatchPart], ___: object
    ) -> Iterator[tuple[MatchPart, object]]:
        for part in items:
            match_parts.append(part)
            yield part, Started()
            yield part, answer(part)

    monkeypatch.setattr(Processes, "run_watched", watch)
    return match_parts


def answer(part: MatchPart) -> Evaluations | LostWork:
    return Parted().evaluate(part.decisions)


def events(store: Store, seconds: float = 60.0) -> Iterator[Event]:
    return analyze.run_analysis(
        read_files_to_analyze(find_files([SAMPLE])),
        store,
        Parted(),
        Processes(1),
        Limits(1, seconds),
    )


def kinds(stream: Iterable[Event]) -> list[type]:
    return [type(event) for event in stream]


@pytest.mark.usefixtures("given")
def test_what_is_analyzed_is_told_as_it_is_analyzed() -> None:
    file, found_match, *analyzed, outcome = events(Store("sqlite://"))
    assert isinstance(file, FileOutcome)
    assert found_match == MatchFound(DECISIONS)
    assert kinds(analyzed) == [PartAnalyzed] * 9
    assert (
        sum(len(event.rows) for event in analyzed if isinstance(event, PartAnalyzed)) == DECISIONS
    )
    assert isinstance(outcome, Outcome)
    assert (outcome.state, outcome.problem) == (State.ANALYZED, None)
    assert outcome.match is not None
    assert len(outcome.match.rows) == DECISIONS


def test_a_run_that_is_stopped_goes_on_with_what_nobody_has_analyzed(
    given: list[MatchPart], tmp_path: Path
) -> None:
    store = Store(f"{tmp_path}/kept.db")
    stopped = events(store)
    first_events = [next(stopped) for _ in range(2 + 3)]  # A file, a match and three parts of it.
    assert kinds(first_events)[2:] == [PartAnalyzed] * 3
    del stopped
    first = [place for part in given for place in part.places][:30]
    given.clear()
    _, found_match, *_, outcome = events(store)
    assert found_match == MatchFound(DECISIONS - 30)
    assert not set(first) & {place for part in given for place in part.places}
    assert isinstance(outcome, Outcome)
    undisturbed = list(events(Store("sqlite://")))[-1]
    assert isinstance(undisturbed, Outcome)
    assert undisturbed.match is not None
    assert outcome.match == undisturbed.match
    assert store.find_partial(undisturbed.match.key) == {}
    assert [event.state for event in events(store) if isinstance(event, Outcome)] == [State.KEPT]


@pytest.mark.usefixtures("given")
def test_a_match_that_cannot_be_kept_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> bool:
        raise OverflowError("too large")

    monkeypatch.setattr(Store, "add", failing)
    *_, outcome = events(Store("sqlite://"))
    assert isinstance(outcome, Outcome)
    assert outcome.state is State.FAILED
    fault = "an internal error of bganalyze, please report it: OverflowError('too large')"
    assert outcome.problem == f"{fault}; {HOW_TO_REPORT}"


@pytest.mark.parametrize(
    ("loss", "problem"),
    [(LostWork("its process died"), "its process died"), (LATE, "took more than 7 seconds")],
)
def test_a_match_of_which_a_part_is_lost_is_told_once(
    given: list[MatchPart], monkeypatch: pytest.MonkeyPatch, loss: LostWork, problem: str
) -> None:
    monkeypatch.setattr(f"{__name__}.answer", lambda _: loss)
    *_, outcome = events(Store("sqlite://"), 7)
    assert isinstance(outcome, Outcome)
    assert (outcome.state, outcome.problem) == (State.FAILED, problem)
    assert len(given) == 1
    assert 6 < given[0].limits.seconds <= 7


@pytest.mark.usefixtures("given")
def test_a_kept_match_that_lacks_decisions_is_one_line(tmp_path: Path) -> None:
    store = Store(f"{tmp_path}/kept.db")
    list(events(store))
    with closing(sqlite3.connect(tmp_path / "kept.db")) as other, other:
        other.execute("DELETE FROM decisions WHERE position = 3")
    with pytest.raises(StoreError, match=r"kept\.db: has 83 of the 84 decisions in .*damaged"):
        list(events(store))


def test_an_engine_that_gets_no_memory_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(match_parts, "start", start)
    part = MatchPart(0, (), (), Limits())
    assert analyze_part("sage", "1ply", part) == LostWork(OUT_OF_MEMORY)
