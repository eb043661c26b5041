"""Results and scores written wrong in one way throughout a match are one error."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.outcomes import Win, outcome_of

LEFT, RIGHT = 0, 1

GAME = """\
 Game {number}
 Ann : {left}                         Bob : {right}
  1) 31: 8/5 6/5                  {double}
  2) {end}

"""

BOB_WINS = " Drops                          Wins 1 point"
WRITTEN_FOR_ANN = " Drops\n      Wins 1 point"
NIL = ((0, 0), (0, 1), (0, 2), (0, 3))


def of_games(ends: Sequence[str], scores: Sequence[tuple[int, int]] = NIL) -> list[Match]:
    games = (
        GAME.format(number=number, left=left, right=right, double="Doubles => 2", end=end)
        for number, ((left, right), end) in enumerate(zip(scores, ends, strict=False), start=1)
    )
    return read_bytes(f" 9 point match\n\n{''.join(games)}".encode(), "a.mat")


def errors(matches: list[Match]) -> list[Finding]:
    return [found for found in check(matches) if found.severity is Severity.ERROR]


def test_wins_in_the_other_column_are_one_error() -> None:
    [error] = errors(of_games([WRITTEN_FOR_ANN] * 4))
    assert (error.code, error.game, error.consequences) == ("R603", 1, 3)
    assert error.reading == "the wins in the other column throughout"


def test_wins_in_the_other_column_from_a_game_on_are_one_error() -> None:
    [error] = errors(of_games([BOB_WINS, BOB_WINS, WRITTEN_FOR_ANN, WRITTEN_FOR_ANN]))
    assert (error.code, error.game, error.consequences) == ("R603", 3, 1)
    assert error.reading == "the wins in the other column from game 3 on"


def test_a_resignation_outside_the_rows_goes_with_its_win() -> None:
    resigned = " Takes\n Losses 2 points\n\n      Wins 2 points"
    text = of_games([WRITTEN_FOR_ANN] * 3 + [resigned])
    assert [(error.code, error.game) for error in errors(text)] == [("R603", 1)]


def test_single_wins_in_the_other_column_are_errors_of_their_own() -> None:
    found = errors(of_games([WRITTEN_FOR_ANN, BOB_WINS, WRITTEN_FOR_ANN, BOB_WINS]))
    assert [error.game for error in found] == [1, 3]


def test_each_win_counted_on_another_is_disputed_as_before() -> None:
    [match] = of_games([WRITTEN_FOR_ANN] * 4)
    games = outcome_of(replay(match)).games
    assert [game.disputed for game in games] == [("wrong-winner",)] * 4
    assert [game.recorded for game in games] == [Win(LEFT, 1)] * 4
    assert [game.by_board for game in games] == [Win(RIGHT, 1)] * 4


def test_scores_in_the_other_column_are_one_error() -> None:
    matches = of_games([BOB_WINS] * 4, ((0, 0), (1, 0), (2, 0), (3, 0)))
    [error] = errors(matches)
    assert (error.code, error.game, error.consequences) == ("R604", 2, 2)
    assert error.reading == "the two scores exchanged throughout"
    disputed = [game.disputed for game in outcome_of(replay(matches[0])).games]
    assert disputed == [("score-mismatch",)] * 3 + [()]


def test_another_error_beside_a_habit_is_still_reported() -> None:
    found = errors(of_games([BOB_WINS] * 4, ((0, 0), (1, 0), (2, 0), (7, 0))))
    assert [(error.code, error.game) for error in found] == [("R604", 2), ("R604", 4)]


def test_scores_that_no_habit_explains_are_errors_of_their_own() -> None:
    assert len(errors(of_games([BOB_WINS] * 4, ((0, 0), (0, 3), (0, 5), (0, 8))))) == 3


ROWS = {
    1: "                  Doubles => 2\n  2) Drops                          ",
    2: (
        "                  Doubles => 2\n  2) Takes                          65: 24/18 18/13\n"
        "  3) 42: 8/4 6/4                    61: 13/7 8/7\n"
        "  4) Doubles => 4                   Drops\n      "
    ),
}


def text_of_points(*games: tuple[int, int]) -> str:
    """Return games that end with a pass, by the points won and those written."""
    text, scores = " 25 point match\n\n", [0, 0]
    for number, (won, written) in enumerate(games, start=1):
        text += (
            f" Game {number}\n Ann : {scores[0]}                         Bob : {scores[1]}\n"
            f"  1) 31: 8/5 6/5  {ROWS[won]}Wins {written} points\n\n"
        )
        scores[2 - won] += won
    return text


def of_points(*games: tuple[int, int]) -> list[Finding]:
    """Return the errors of such games."""
    return errors(read_bytes(text_of_points(*games).encode(), "a.mat"))


def reading_of(*games: tuple[int, int]) -> str | None:
    """Return how the points are written, if that is one error."""
    [error] = of_points(*games)
    assert error.code == "R602"
    return error.reading


def test_points_wrong_in_one_way_are_one_error() -> None:
    assert reading_of((2, 1), (1, 1), (2, 1)) == "the points written without the cube throughout"
    assert reading_of((1, 2), (2, 4), (1, 2)) == "the cube offered written for a pass throughout"
    assert reading_of((1, 1), (1, 1), (1, 2), (2, 4)) == (
        "the cube offered written for a pass from game 3 on"
    )


@pytest.mark.parametrize("game", [1, 2, 3])
def test_an_illegal_play_beside_points_wrong_in_one_way_is_still_reported(game: int) -> None:
    rows = text_of_points((2, 1), (2, 1), (2, 1)).split(" Game ")
    rows[game] = rows[game].replace("42: 8/4 6/4", "42: 8/4 6/3")
    found = errors(read_bytes(" Game ".join(rows).encode(), "a.mat"))
    assert sorted((error.code, error.game) for error in found) == [("P404", game), ("R602", 1)]


def test_points_wrong_in_several_ways_are_errors_of_their_own() -> None:
    assert [error.game for error in of_points((1, 2), (2, 1), (1, 1))] == [1, 2]
    assert [error.game for error in of_points((2, 1), (2, 2), (2, 1))] == [1, 3]


def test_a_second_result_is_disputed_as_before_where_it_is_counted() -> None:
    [match] = of_games([BOB_WINS + "\n      Wins 2 points"])
    replayed = replay(match)
    [game] = replayed.games
    [problem] = (problem for problem in game.problems if problem.rule == "action-after-end")
    others = tuple(other for other in game.problems if other is not problem)
    counted = replayed._replace(games=(game._replace(problems=others),), counted=(problem,))
    assert outcome_of(counted) == outcome_of(replayed)
    assert outcome_of(counted).disputed == ("action-after-end",)
