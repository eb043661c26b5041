"""GNU Backgammon's statistics: the program's own, to the last digit it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import (
    AnalyzedDecision,
    GameResult,
    make_result,
    make_rows_with_evaluations,
)
from bganalyze.analysis.decisions import Kind, decisions_of_match
from bganalyze.analysis.engines import start
from bganalyze.analysis.gnubg_statistics import (
    CubeError,
    cube_error,
    is_close,
    luck_rating_name,
    rating_name,
)
from bganalyze.board.equities import MatchScore, compute_chance_after, stake
from bganalyze.record.model import Match
from bganalyze.record.reader import read
from bganalyze.validation.replaying import replay
from tests.analysis.gnubg_statistics import (
    Statistics,
    ask_program,
    fibs_difference,
    snowie_rate,
    statistics,
    write_statistics,
)
from tests.analysis.rows import cube, play

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "samples" / "clean"
MATCHES = 3
WON = GameResult(1, 5, 0, 0, False, winner=0, points=1)


def of_rows(*rows: AnalyzedDecision) -> Statistics:
    return statistics(rows, [WON])


def test_a_forced_play_is_a_move_but_not_counted_as_unforced() -> None:
    left = of_rows(play(0.0), play(0.1), play(0.0, forced=True)).players[0]
    assert (left.moves, left.unforced) == (3, 2)
    assert left.checker.equity == pytest.approx(0.1)
    assert left.checker_rate.equity == pytest.approx(0.05)


def test_plays_are_marked_by_what_they_lose() -> None:
    left = of_rows(*map(play, (0.03, 0.031, 0.061, 0.121))).players[0]
    assert left.marked == {"unmarked": 1, "doubtful": 1, "bad": 1, "very bad": 1}


def test_an_illegal_play_is_no_move_and_its_roll_counts_as_luck() -> None:
    left = of_rows(play(0.2, legal=False, luck=0.4)).players[0]
    assert (left.moves, left.checker.equity, left.luck.number) == (0, 0.0, 1)


@pytest.mark.parametrize(
    ("row", "error"),
    [
        (cube(Kind.NO_DOUBLE, 0.5, 0.4), None),
        (cube(Kind.NO_DOUBLE, 0.5, 0.7), (CubeError.MISSED_BELOW_CP, 0.2)),
        (cube(Kind.NO_DOUBLE, 0.9, 1.2), (CubeError.MISSED_ABOVE_CP, 0.1)),
        (cube(Kind.DOUBLE, 0.5, 0.3), (CubeError.WRONG_BELOW_DP, 0.2)),
        (cube(Kind.DOUBLE, 1.2, 1.5), (CubeError.WRONG_ABOVE_TG, 0.2)),
        (cube(Kind.DOUBLE, 0.5, 0.7), None),
        (cube(Kind.TAKE, 0.9, 1.2), (CubeError.WRONG_TAKE, 0.2)),
        (cube(Kind.PASS, 0.5, 0.7), (CubeError.WRONG_PASS, 0.3)),
        (cube(Kind.TAKE, 0.5, 0.7), None),
    ],
)
def test_the_six_cube_errors(row: AnalyzedDecision, error: tuple[CubeError, float] | None) -> None:
    result = cube_error(row)
    assert (result and result[0]) == (error and error[0])
    assert (result and result[1]) == (error and pytest.approx(error[1], abs=1e-6))


def test_no_double_is_close_up_to_the_threshold() -> None:
    assert is_close(cube(Kind.NO_DOUBLE, 0.5, 0.35))
    assert not is_close(cube(Kind.NO_DOUBLE, 0.5, 0.33))
    assert is_close(cube(Kind.NO_DOUBLE, 1.1, 2.0))


def test_no_double_before_a_roll_that_was_not_played_is_not_counted() -> None:
    unplayed = play(None, legal=None)
    assert of_rows(cube(Kind.NO_DOUBLE, 0.5, 0.7), unplayed).players[0].cube_decisions == 0
    assert of_rows(cube(Kind.NO_DOUBLE, 0.5, 0.7), play(0.0)).players[0].cube_decisions == 1


def test_an_answer_to_a_beaver_is_not_counted() -> None:
    answered = cube(Kind.PASS, 0.5, -0.7)._replace(offer=4)
    assert of_rows(answered).players[1].cube_decisions == 0


def test_beavers_are_not_counted() -> None:
    of = of_rows(cube(Kind.BEAVER, 0.5, 0.6)._replace(offer=4))
    assert of.players[0].close_or_actual == of.players[0].cube_decisions == 0


def test_luck_takes_from_the_result_of_one_side_what_it_gives_the_other() -> None:
    of = of_rows(play(0.0, luck=0.5))
    assert of.luck.adjusted[0] + of.luck.adjusted[1] == pytest.approx(0, abs=1e-7)
    assert of.luck.actual[0] - of.luck.adjusted[0] == pytest.approx(of.players[0].luck.chance)


def test_snowie_counts_the_moves_of_both_sides() -> None:
    of = of_rows(play(0.1), play(0.3), play(0.0, side=1, forced=True))
    assert snowie_rate(of, 0) == pytest.approx(0.4 / 3)


@pytest.mark.parametrize(
    ("rate", "name"), [(0.0, "Supernatural"), (0.003, "World class"), (0.9, "Awful!")]
)
def test_ratings(rate: float, name: str) -> None:
    assert rating_name(rate) == name


@pytest.mark.parametrize(
    ("rate", "name"),
    [(0.07, "Go to Las Vegas"), (0.04, "Good dice, man!"), (0, "None"), (-0.07, "Go to bed")],
)
def test_luck_ratings(rate: float, name: str) -> None:
    assert luck_rating_name(rate) == name


def test_no_difference_of_ratings_where_the_luck_explains_more_than_the_match() -> None:
    unlucky = statistics([play(0.0, luck=3.0)], [WON._replace(length=1, winner=1)])
    assert fibs_difference(unlucky) is None


def test_stakes_know_the_crawford_game_and_what_follows() -> None:
    crawford = MatchScore(5, (4, 2), crawford=True)
    assert compute_chance_after(crawford, 0, winner=0, points=1) == 1.0
    losing = compute_chance_after(crawford, 1, winner=1, points=1)
    assert losing == pytest.approx(0.488, abs=0.001)
    assert compute_chance_after(MatchScore(5, (4, 3)), 1, winner=1, points=0) == pytest.approx(
        losing
    )
    assert stake(MatchScore(31, (0, 0)), 0, 1) is None


def ours(match: Match, plies: str = "0ply") -> list[str]:
    """Return the statistics of a match analyzed by the program, as it would write them."""
    replayed = replay(match)
    match_decisions = list(decisions_of_match(replayed))
    rows = make_rows_with_evaluations(
        match_decisions, start("gnubg", plies).evaluate(match_decisions)
    )
    return write_statistics(statistics(rows, [make_result(game) for game in replayed.games]))


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["short-match", "three-point", "one-point", "nackgammon"])
def test_every_line_of_its_statistics(gnubg_program: str, name: str, tmp_path: Path) -> None:
    path = SAMPLES / f"{name}.mat"
    [match] = read(str(path))
    assert ours(match) == ask_program(gnubg_program, path, tmp_path)


@pytest.mark.oracle
@pytest.mark.corpus
def test_every_line_of_its_statistics_of_real_matches(
    gnubg_program: str, corpus: Path, tmp_path: Path
) -> None:
    """Compare the matches that both programs read alike: matches to a length, in which every roll is played."""
    count = 0
    for path in sorted((corpus / "mat").rglob("*.*"))[::17]:
        [match, *_] = read(str(path))
        if count == MATCHES:
            break
        if not _is_read_alike(match):
            continue
        assert ours(match) == ask_program(gnubg_program, path, tmp_path), path
        count += 1
    assert count == MATCHES


def _is_read_alike(match: Match) -> bool:
    if match.length is None or not match.length.points or match.conventions.one_game_is_money:
        return False
    plays = [
        decision for decision in decisions_of_match(replay(match)) if decision.kind is Kind.PLAY
    ]
    return len(plays) > 0 and all(decision.legal and decision.turn.verified for decision in plays)
