"""A run of `judge`: what it asks of its processes, and what it counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bganalyze.jobs import judge
from bganalyze.judging.engines import Limits, start
from bganalyze.judging.store import Store

SAMPLE = Path(__file__).parents[2] / "samples" / "clean" / "short-match.mat"


def test_a_match_has_the_seconds_that_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def watched(*work: object) -> Iterator[object]:
        limits.append(float(str(work[-1])))
        yield from ()

    monkeypatch.setattr(judge, "watched", watched)
    engine = start("recorded")
    assert list(judge.run([], Store("sqlite://"), engine, 1, Limits(seconds=7))) == []
    assert limits == [7.0]


def test_decisions_are_counted_in_files_and_not_in_standard_input() -> None:
    assert judge.count_decisions([str(SAMPLE), "-"]) == 84
