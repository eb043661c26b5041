"""Results and scores written wrong in one way throughout a match are one error."""

from __future__ import annotations

from collections.abc import Sequence

import bganalyze
from bganalyze.findings import Finding, Severity
from bganalyze.replaying.outcomes import Win, outcome_of
from bganalyze.transcript.model import Match

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
    return bganalyze.read_bytes(f" 9 point match\n\n{''.join(games)}".encode(), "a.mat")


def errors(matches: list[Match]) -> list[Finding]:
    return [found for found in bganalyze.check(matches) if found.severity is Severity.ERROR]


def test_wins_in_the_other_column_are_one_error() -> None:
    [error] = errors(of_games([WRITTEN_FOR_ANN] * 4))
    assert (error.code, error.game, error.consequences) == ("R603", 1, 3)
    assert error.reading == "the wins in the other column throughout"


def test_wins_in_the_other_column_from_a_game_on_are_one_error() -> None:
    [error] = errors(of_games([BOB_WINS, BOB_WINS, WRITTEN_FOR_ANN, WRITTEN_FOR_ANN]))
    assert (error.code, error.game, error.consequences) == ("R603", 3, 1)
    assert error.reading == "the wins in the other column from game 3 on"


def test_single_wins_in_the_other_column_are_errors_of_their_own() -> None:
    found = errors(of_games([WRITTEN_FOR_ANN, BOB_WINS, WRITTEN_FOR_ANN, BOB_WINS]))
    assert [error.game for error in found] == [1, 3]


def test_each_win_counted_on_another_is_disputed_as_before() -> None:
    [match] = of_games([WRITTEN_FOR_ANN] * 4)
    games = outcome_of(bganalyze.replay(match)).games
    assert [game.disputed for game in games] == [("wrong-winner",)] * 4
    assert [game.recorded for game in games] == [Win(LEFT, 1)] * 4
    assert [game.by_board for game in games] == [Win(RIGHT, 1)] * 4


def test_scores_in_the_other_column_are_one_error() -> None:
    matches = of_games([BOB_WINS] * 4, ((0, 0), (1, 0), (2, 0), (3, 0)))
    [error] = errors(matches)
    assert (error.code, error.game, error.consequences) == ("R604", 2, 2)
    assert error.reading == "the two scores exchanged throughout"
    disputed = [game.disputed for game in outcome_of(bganalyze.replay(matches[0])).games]
    assert disputed == [("score-mismatch",)] * 3 + [()]


def test_another_error_beside_a_habit_is_still_reported() -> None:
    found = errors(of_games([BOB_WINS] * 4, ((0, 0), (1, 0), (2, 0), (7, 0))))
    assert [(error.code, error.game) for error in found] == [("R604", 2), ("R604", 4)]


def test_scores_that_no_habit_explains_are_errors_of_their_own() -> None:
    assert len(errors(of_games([BOB_WINS] * 4, ((0, 0), (0, 3), (0, 5), (0, 8))))) == 3
