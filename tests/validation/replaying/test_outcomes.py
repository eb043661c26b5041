"""Problems about a result: as recorded, by the board, the one that counts, and what disputes it."""

from __future__ import annotations

import pytest

from bganalyze.record.model import LEFT, RIGHT
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.outcomes import FinalScore, MatchOutcome, Win, outcome_of

PASS = "  1) 31: 8/5 6/5                   Doubles => 2\n  2)  Drops                        {}\n"
RESIGNED = "  1) 31: 8/5 6/5                   65: 24/13\n{}"
LEFT_WINS, RIGHT_WINS = "      {}\n", " " * 34 + "{}\n"


def match_of(*games: tuple[tuple[int, int], str], length: int = 5) -> str:
    """Return a match of games, each with the score above it and its rows."""
    lines = [f" {length} point match\n\n"]
    for number, ((left, right), rows) in enumerate(games, start=1):
        lines.append(f" Game {number}\n Ann : {left}{'Bob : ':>34}{right}\n{rows}\n")
    return "".join(lines)


def outcome(text: str) -> MatchOutcome:
    (match,) = read_bytes(text.encode(), "match.mat")
    return outcome_of(replay(match))


def make_passed_game(result: str = "Wins 1 point") -> str:
    """Return the rows of a game that the left side passes."""
    return PASS.format(result)


def make_resigned_game(line: str, result: str = "Wins 1 point") -> str:
    """Return the rows of a game that ends with a result alone."""
    return RESIGNED.format(line.format(result))


def test_an_undisputed_result_is_one_result() -> None:
    found = outcome(
        match_of(
            ((0, 0), make_passed_game()), ((0, 1), make_resigned_game(LEFT_WINS, "Wins 2 points"))
        )
    )
    assert found.disputed == ()
    assert found.recorded == found.by_board == found.counting == FinalScore((2, 1), None)
    assert found.games[0].counting == found.games[0].by_board == Win(RIGHT, 1)
    assert found.games[1].by_board is None


@pytest.mark.parametrize(("following", "points"), [((1, 0), 1), ((2, 0), 2)])
def test_the_next_score_tells_whether_a_gammon_of_a_money_session_counts(
    following: tuple[int, int], points: int
) -> None:
    # GNU Backgammon writes the points without the Jacoby rule, and the score with it.
    text = match_of(
        ((0, 0), make_resigned_game(LEFT_WINS, "Wins 2 points")),
        (following, make_resigned_game(LEFT_WINS)),
        length=0,
    )
    found = outcome(text)
    assert (found.disputed, found.games[0].counting) == ((), Win(LEFT, points))
    assert not [
        finding
        for finding in check(read_bytes(text.encode(), "a.mat"))
        if finding.severity != "info"
    ]


@pytest.mark.parametrize("following", [(3, 0), (0, 1), (0, 2)])
def test_other_scores_after_a_gammon_of_a_money_session_are_wrong(
    following: tuple[int, int],
) -> None:
    text = match_of(
        ((0, 0), make_resigned_game(LEFT_WINS, "Wins 2 points")),
        (following, make_resigned_game(LEFT_WINS)),
        length=0,
    )
    assert "R604" in {finding.code for finding in check(read_bytes(text.encode(), "a.mat"))}


@pytest.mark.parametrize(("following", "codes"), [(1, []), (2, []), (3, ["R604"]), (4, ["R604"])])
def test_the_score_after_automatic_doubles_may_leave_them_out(
    following: int, codes: list[str]
) -> None:
    # GNU Backgammon writes the points with the doubles, and the score without them.
    head = "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:0][game:{}][ws:{}][bs:0]PW[Ann]PB[Bob]"
    text = (
        head.format(0, 0)
        + "CV[2]RE[W+2];B[31adab];W[double];B[drop])\n"
        + head.format(1, following)
        + "RE[W+1];B[31adab];W[double];B[drop])\n"
    )
    found = check(read_bytes(text.encode(), "a.sgf"))
    assert [finding.code for finding in found if finding.severity != "info"] == codes


@pytest.mark.parametrize("points", [5, 64, 65, 1_004, 4_016])
def test_impossible_points_of_a_last_game_count_as_the_board_has_them(points: int) -> None:
    found = outcome(match_of(((0, 0), make_passed_game(f"Wins {points} points and the match"))))
    (game,) = found.games
    assert (game.recorded, game.by_board, game.counting) == (
        Win(RIGHT, points),
        Win(RIGHT, 1),
        Win(RIGHT, 1),
    )
    assert game.cut == 0
    assert (found.recorded.winner, found.by_board.winner, found.counting.winner) == (
        RIGHT,
        None,
        None,
    )


def test_impossible_points_count_as_the_next_score_has_them() -> None:
    first = ((0, 0), make_resigned_game(LEFT_WINS, "Wins 1004 points"))
    found = outcome(match_of(first, ((2, 0), make_passed_game())))
    assert found.games[0].counting == Win(LEFT, 2)
    assert found.counting.after == (2, 1)


def test_impossible_points_still_win_the_match_where_any_win_does() -> None:
    found = outcome(match_of(((4, 3), make_resigned_game(LEFT_WINS, "Wins 4016 points")), length=5))
    assert found.games[0].counting == Win(LEFT, 1)
    assert found.recorded == found.by_board == found.counting == FinalScore((5, 3), LEFT)


def test_a_win_in_the_wrong_column_counts_as_the_next_score_has_it() -> None:
    wrong = PASS.format("") + LEFT_WINS.format("Wins 1 point")
    found = outcome(match_of(((0, 0), wrong), ((0, 1), make_passed_game())))
    assert found.games[0].counting == Win(RIGHT, 1)
    confirmed = outcome(match_of(((0, 0), wrong), ((1, 0), make_passed_game())))
    assert confirmed.games[0].counting == Win(LEFT, 1)
    assert confirmed.recorded.after == (1, 1)
    assert confirmed.by_board.after == (0, 2)


def test_a_last_win_in_the_wrong_column_is_of_nobody_s_match() -> None:
    wrong = PASS.format("") + LEFT_WINS.format("Wins 1 point and the match")
    found = outcome(match_of(((4, 4), wrong)))
    assert (found.recorded.winner, found.by_board.winner) == (LEFT, RIGHT)
    assert found.counting.winner is None


def test_a_mark_of_the_end_in_the_wrong_column_disputes_the_winner() -> None:
    found = outcome(
        match_of(((2, 3), make_resigned_game(LEFT_WINS, "Wins 2 points and the match")))
    )
    assert found.disputed == ("match-end-mark",)
    assert found.recorded == FinalScore((4, 3), LEFT)
    assert found.by_board == FinalScore((4, 3), None)


def test_a_score_that_does_not_follow_disputes_what_was_won_before_it() -> None:
    found = outcome(
        match_of(
            ((0, 0), make_passed_game()), ((0, 3), make_passed_game()), ((0, 4), make_passed_game())
        )
    )
    assert found.games[0].disputed == ("score-mismatch",)
    assert found.recorded == FinalScore((0, 5), RIGHT)
    assert found.by_board == FinalScore((0, 3), None)


def test_a_score_that_is_right_again_leaves_the_end_undisputed() -> None:
    games = ((0, 0), make_passed_game()), ((0, 3), make_passed_game()), ((0, 2), make_passed_game())
    found = outcome(match_of(*games))
    assert found.recorded == found.by_board == FinalScore((0, 3), None)


def test_a_length_that_the_scores_pass_is_in_doubt() -> None:
    games = [((0, points), make_passed_game()) for points in range(3)]
    found = outcome(match_of(*games, length=1))
    assert found.length is None
    assert (found.recorded.winner, found.by_board.winner) == (RIGHT, None)


def test_columns_that_change_are_followed() -> None:
    changed = match_of(((1, 0), make_passed_game("Wins 65 points")))
    changed = changed[changed.index(" Game 1") :].replace("Game 1", "Game 2")
    changed = changed.replace("Ann", "Cid").replace("Bob", "Ann").replace("Cid", "Bob")
    found = outcome(match_of(((0, 0), make_passed_game())) + changed)
    assert found.games[1].counting == Win(RIGHT, 1)
    assert found.by_board.after == found.counting.after == (1, 1)
    assert found.recorded == FinalScore((5, 1), LEFT)
