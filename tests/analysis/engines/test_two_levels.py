"""Screening: what is looked at again, and that the deeper evaluation is the one that counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import loss
from bganalyze.analysis.decisions import Decision, Kind, decisions_of_match
from bganalyze.analysis.engines import (
    Candidate,
    CubeEvaluation,
    Evaluation,
    PlayEvaluation,
    PlayingOn,
    depth_of,
    find_stored_level,
    read_evaluation,
    start,
    write_evaluation,
)
from bganalyze.analysis.engines.two_levels import TwoLevelEngine, needs_deeper_search
from bganalyze.analysis.match import analyze_match
from bganalyze.record.reader import read
from bganalyze.validation.replaying import replay
from tests.analysis.rows import cube, make_resignation, play
from tests.statistics.reports.analyzed import Guesser

SAMPLE = Path(__file__).parents[3] / "samples" / "clean" / "short-match.mat"


def of_plays(*equities: float) -> PlayEvaluation:
    [match] = read(SAMPLE)
    left = next(decisions_of_match(replay(match))).position
    return PlayEvaluation(tuple(Candidate(left, equity) for equity in equities), None)


def of_cube(no_double: float, take: float) -> CubeEvaluation:
    return CubeEvaluation(no_double, take)


@pytest.mark.parametrize(
    ("row", "evaluation", "expected"),
    [
        (play(0.001), of_plays(0.5, 0.1), True),
        (play(0.0), of_plays(0.5, 0.47), True),
        (play(0.0), of_plays(0.5, 0.45), False),
        (play(0.0), of_plays(0.5), False),
        (play(0.0, forced=True), of_plays(0.5, 0.5), False),
        (play(None), None, False),
        (cube(Kind.NO_DOUBLE, 0.5, 0.4), of_cube(0.5, 0.4), True),
        (cube(Kind.NO_DOUBLE, 0.5, 0.3), of_cube(0.5, 0.3), False),
        (cube(Kind.NO_DOUBLE, 0.4, 0.9), of_cube(0.4, 0.9), True),
        (cube(Kind.DOUBLE, 0.5, 0.9), of_cube(0.5, 0.9), False),
        (cube(Kind.TAKE, 0.5, 0.9), of_cube(0.5, 0.9), True),
        (cube(Kind.TAKE, 0.5, 0.8), of_cube(0.5, 0.8), False),
        (make_resignation(Kind.RESIGNATION, -1.0, -0.9), PlayingOn(-0.9), True),
        (make_resignation(Kind.RESIGNATION, -1.0, -1.0), PlayingOn(-1.0), False),
    ],
)
def test_what_is_wrong_or_close_is_looked_at_again(
    row: object, evaluation: Evaluation | None, expected: bool
) -> None:
    assert needs_deeper_search(row, evaluation) is expected  # type: ignore[arg-type]


class Deeper(Guesser):
    """One that remembers what it was asked."""

    analyzed_again: Sequence[Decision] = ()

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        self.asked = decisions
        return super().evaluate(decisions)


def test_each_decision_has_the_deeper_evaluation_where_there_are_two() -> None:
    [match] = read(SAMPLE)
    first, second = Guesser(level="1ply"), Deeper("other", "3ply")
    screened = analyze_match(match, TwoLevelEngine(first, second))
    alone, deep = (
        analyze_match(match, first).rows,
        analyze_match(match, Guesser("other", "3ply")).rows,
    )
    assert screened.key[1:] == ("guesser", "1", "1ply+3ply")
    deeper_keys = {(decision.turn.action.span, decision.kind) for decision in second.asked}
    assert 0 < len(deeper_keys) < len(alone)
    for row, shallow, deeper in zip(screened.rows, alone, deep, strict=True):
        assert row in (shallow, deeper)
        if loss(shallow):
            assert row == deeper


@pytest.mark.oracle
def test_presets_of_open_sage() -> None:
    pytest.importorskip("bgsage")
    levels = {name: start("sage", name).level for name in ("quick", "standard", "thorough")}
    assert levels == {"quick": "1ply", "standard": "1ply+2ply", "thorough": "2ply+3ply"}
    assert start("sage", "2ply+3ply").level == "2ply+3ply"


def test_the_first_level_is_what_orders_levels_by_depth() -> None:
    shallow = [
        "stored",
        "0ply",
        "1ply",
        "1ply+2ply",
        "2ply",
        "2ply-exhaustive",
        "2ply+3ply",
        "3ply",
    ]
    ordered = [*shallow, "4ply", "truncated1", "truncated3", "rollout"]
    assert sorted(sorted(ordered), key=depth_of) == ordered


def test_levels_and_evaluations_are_stored() -> None:
    assert find_stored_level("quick", "gnubg") == "0ply"
    assert write_evaluation(None) == "null"
    cube_evaluation = CubeEvaluation(0.25, 0.125, 1.0, chances=None, depth=None)
    assert read_evaluation('["CubeEvaluation", 0.25, 0.125, 1.0, null]') == cube_evaluation
