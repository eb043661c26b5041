"""How rolls, plays and cube actions change the chances, counted on paper."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.course import SwingCause, chance_at_end, chance_at_start, find_swings
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.error_rates import cost
from bganalyze.analysis.gnubg_statistics import match_luck
from bganalyze.analysis.match import AnalyzedMatch, analyze_matches
from bganalyze.record.reader import read, read_bytes
from tests.analysis.engines.test_gnubg_report import MATCH as REPORT
from tests.analysis.rows import cube, play

CORPUS = os.environ.get("BGANALYZE_CORPUS")


def at_match_point(row: AnalyzedDecision, side: int) -> AnalyzedDecision:
    """Put a decision into a match to one point, where an equity of 0.2 is a chance of 60 %."""
    return row._replace(length=1, side=side)


def swings(row: AnalyzedDecision) -> list[tuple[str, float, float]]:
    return [
        (swing.cause.value, round(swing.before, 4), round(swing.after, 4))
        for swing in find_swings(row)
    ]


@pytest.mark.parametrize(
    ("side", "chances"), [(0, (0.6, 0.7, 0.65)), (1, (0.4, 0.3, 0.35))], ids=["left", "right"]
)
def test_a_roll_moves_the_chance_by_its_luck_and_a_play_by_its_loss(
    side: int, chances: tuple[float, float, float]
) -> None:
    row = play(0.0)._replace(best=0.4, reached=0.3, luck=0.2)
    before, rolled, played = chances
    assert swings(at_match_point(row, side)) == [
        ("dice", before, rolled),
        ("play", rolled, played),
    ]


def test_unknown_luck_and_an_unknown_play_move_nothing() -> None:
    assert [kind for kind, *_ in swings(play(0.1))] == ["play"]
    assert [kind for kind, *_ in swings(play(None, luck=0.1))] == ["dice"]
    assert swings(play(None, luck=0.1, legal=None)) == []
    assert swings(play(0.1, luck=0.1)._replace(verified=False)) == []
    assert swings(play(0.1)._replace(best=None)) == []


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        (Kind.NO_DOUBLE, 0.7, 0.5),
        (Kind.DOUBLE, 0.7, 0.7),
        (Kind.TAKE, 0.7, 0.7),
        (Kind.PASS, 0.7, 1.0),
    ],
)
def test_a_cube_action_moves_the_points_of_a_money_game(
    kind: Kind, before: float, after: float
) -> None:
    row = cube(kind, no_double=0.5, take=0.7)._replace(length=0)
    assert swings(row) == [("cube", before, after)]


def test_an_answer_moves_the_chance_of_the_doubler() -> None:
    row = cube(Kind.PASS, no_double=0.5, take=0.7)._replace(length=0, side=0)
    assert swings(row) == [("cube", -0.7, -1.0)]


def test_an_evaluation_that_is_missing_and_a_beaver_move_nothing() -> None:
    assert find_swings(cube(Kind.BEAVER, 0.5, 0.7)) == ()
    assert find_swings(cube(Kind.NO_DOUBLE, 0.5, 0.7)._replace(take=None)) == ()


def test_the_gain_is_what_the_left_player_gains() -> None:
    (roll, loss) = find_swings(at_match_point(play(0.1, luck=0.2), 1))
    assert (roll.cause, round(roll.gain, 4)) == (SwingCause.DICE, -0.1)
    assert round(loss.gain, 4) == 0.05


def result(length: int, *, winner: int | None, points: int | None) -> GameResult:
    return GameResult(1, length, 2, 2, False, winner, points)


@pytest.mark.parametrize(
    ("game", "start", "end"),
    [
        (result(3, winner=0, points=1), 0.5, 1.0),
        (result(3, winner=1, points=2), 0.5, 0.0),
        (result(3, winner=1, points=None), 0.5, None),
        (result(3, winner=None, points=None), 0.5, None),
        (result(0, winner=1, points=4), 0.0, -4.0),
        (result(99, winner=0, points=1), None, None),
    ],
)
def test_a_game_begins_and_ends_at_the_chance_of_its_score(
    game: GameResult, start: float | None, end: float | None
) -> None:
    assert (chance_at_start(game), chance_at_end(game)) == (start, end)


def assert_sums(match: AnalyzedMatch) -> None:
    """Swings sum to the luck and to the cost of the match, which are counted elsewhere."""
    luck = match_luck(match.rows, match.results).luck
    for side in (0, 1):
        rows = [row for row in match.rows if row.side == side and row.verified]
        sums = dict.fromkeys(SwingCause, 0.0)
        for swing in (swing for row in rows for swing in find_swings(row)):
            sums[swing.cause] += swing.gain if side == 0 else -swing.gain
        assert sums[SwingCause.DICE] == pytest.approx(luck[side].chance, abs=1e-4)
        lost = sum(cost(row) or 0.0 for row in rows if row.kind in SWINGING)
        assert sums[SwingCause.PLAY] + sums[SwingCause.CUBE] == pytest.approx(-lost, abs=1e-4)


SWINGING = (Kind.PLAY, Kind.NO_DOUBLE, Kind.DOUBLE, Kind.TAKE, Kind.PASS)


def test_swings_sum_to_the_luck_and_the_cost_of_a_report() -> None:
    (match,) = analyze_matches(read_bytes(REPORT.encode(), "report.txt"), "recorded")
    assert_sums(match)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="BGANALYZE_CORPUS names no folder of real files")
def test_swings_sum_to_the_luck_and_the_cost_of_real_matches() -> None:
    files = sorted(Path(CORPUS or "").glob("xg/*.xg"))
    assert files
    for path in files:
        (match,) = analyze_matches(read(str(path))[:1], "recorded")
        assert_sums(match)
