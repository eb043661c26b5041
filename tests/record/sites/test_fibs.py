"""FIBS: the moves of an old match, and saved sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.record.model import (
    Answer,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Span,
    Unread,
)
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from tests.record.sites.texts import FIBS_BOARD, FIBS_LOG

OLD = """\
Score is 0-0 in a 3 point match.
ann is X - bob is O
X: (3 1) 8-5 6-5
O: (6 2) 1-7 12-14
X: doubles
O: accepts
X: (6 6) can't move
O: (5 5) 12-17 12-17 17-22* 17-22
X: wants to resign. bob will win 2 points.
O: rejects
X: (6 4) bar-21
X: wants to resign. bob will win 2 points.
O: accepts
O: wins 2 points

Score is 2-0 in a 3 point match.
bob is X - ann is O
X: (4 2) 8-4 6-4
"""


def read(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a.txt")


def kinds(game: Game) -> list[type]:
    return [type(action) for action in game.actions]


def test_old_moves() -> None:
    (match,) = read(OLD)
    first, second = match.games
    assert (match.format, match.names) == ("fibs", ("ann", "bob"))
    assert match.length is not None
    assert (match.length.points, match.length.span) == (3, Span(1, 19, 20))
    offer = [Play, Play, Double, Answer, Play, Play]
    assert kinds(first) == [*offer, Resignation, Play, Resignation, Result]
    assert [action.declined for action in first.actions if isinstance(action, Resignation)] == [
        True,
        False,
    ]
    dance = first.actions[4]
    assert isinstance(dance, Play)
    assert dance.how is PlayRecord.CANNOT_MOVE
    assert second.score is not None
    assert second.score.names == ("ann", "bob")


def test_numbers_that_go_up_are_the_other_sides() -> None:
    play = read(OLD)[0].games[0].actions[1]
    assert isinstance(play, Play)
    assert [step.path for step in play.steps] == [(24, 18), (13, 11)]
    assert play.place(1) == Span(4, 14, 19)


def test_x_and_o_may_change_places_and_scores_stand_crosswise() -> None:
    second = read(OLD)[0].games[1]
    assert second.score is not None
    assert second.score.points == (0, 2)
    assert getattr(second.actions[0], "side", None) == 1
    swapped = read(OLD.replace("Score is 2-0", "Score is 0-2"))[0].games[1]
    assert swapped.score is not None
    assert swapped.score.points == (0, 2)


def test_findings_point_at_the_step() -> None:
    findings = check(read(OLD.replace("8-5 6-5", "8-5 6-4")))
    fault = next(finding for finding in findings if finding.code == "P404")
    assert (fault.line, fault.column, fault.end_column) == (3, 14, 17)


def test_damaged_lines_stand_in_their_place() -> None:
    (match,) = read(OLD.replace("X: doubles", "X: dances").replace("8-5 6-5", "8-5 6?5"))
    texts = [action.text for action in match.games[0].actions if isinstance(action, Unread)]
    assert texts == ["6?5", "X: dances"]


def test_a_session() -> None:
    (match,) = read(FIBS_LOG)
    first, second = match.games
    assert (match.format, match.names) == ("fibs-log", ("ann", "bob"))
    assert kinds(first) == [Play, Play, Double, Answer, Result]
    assert kinds(second) == [Resignation, Play, Play, Play, Resignation, Result]
    assert second.score is not None
    assert second.score.points == (1, 0)
    opening = first.actions[0]
    assert isinstance(opening, Play)
    assert (opening.side, opening.dice, opening.place(1)) == (0, (3, 1), Span(9, 15, 18))
    last = second.actions[3]
    assert isinstance(last, Play)
    assert (last.how, last.dice) == (PlayRecord.UNPLAYED, (6, 6))


def test_a_line_of_commas_before_a_session_tells_nothing() -> None:
    (match,) = read(f",\n{FIBS_LOG}")
    assert match.games[0].actions[0].span.line == 10


NO_BOARDS = """\
bob and ann start a 3 point match.
bob rolled 3, ann rolled 1
bob makes the first move.
bob moves 8-5 6-5 .
ann doubles.
bob gives up. ann wins 1 point.
score in 3 point match: ann-1 bob-0
Starting a new game with ann.
ann rolls 6 and 2.
ann moves 1-7 12-14 .
"""


def scores(match: Match) -> list[tuple[int, int] | None]:
    return [game.score.points if game.score else None for game in match.games]


def test_lines_tell_names_and_scores_where_no_board_does() -> None:
    (match,) = read(NO_BOARDS)
    assert (match.names, scores(match)) == (("bob", "ann"), [(0, 0), (0, 1)])
    assert [getattr(action, "side", None) for action in match.games[1].actions] == [1]


def test_the_score_of_a_match_that_is_resumed_is_not_known() -> None:
    resumed = NO_BOARDS.replace("start a 3 point", "are resuming their 3-point")
    (match,) = read(resumed)
    assert (match.names, scores(match)) == (("bob", "ann"), [None, (0, 1)])


def test_who_starts_again_plays_another_match() -> None:
    assert [scores(match) for match in read(NO_BOARDS * 2)] == [[(0, 0), (0, 1)]] * 2


def test_the_score_of_others_is_not_that_of_the_match() -> None:
    (match,) = read(NO_BOARDS.replace("match: ann-1 bob-0", "match: cleo-1 dario-0"))
    assert scores(match) == [(0, 0), None]
    scores_of_others = (
        "score in 3 point match: cleo-1 dario-0\ncleo and emil start a 1 point match.\nStarting"
    )
    assert scores(read(NO_BOARDS.replace("Starting", scores_of_others))[0]) == [(0, 0), (0, 1)]


def test_ones_own_plays_are_on_the_boards_only() -> None:
    start = FIBS_BOARD.format(scores="0:0", turn=1, dice="0:0:0:0").replace("ann", "You")
    played = start.replace(":5:0:3:", ":4:0:2:", 1).replace("-2:0:0:0:0:4", "-2:0:0:0:2:4", 1)
    (match,) = read(f"{start}\nYou roll 3 and 1.\n{played}\nbob rolls 6 and 5.\nbob moves 1-12 .\n")
    own_play, other_play = match.games[0].actions
    assert isinstance(own_play, Play)
    assert (own_play.side, [step.path for step in own_play.steps]) == (0, [(8, 5), (6, 5)])
    assert isinstance(other_play, Play)
    assert [step.path for step in other_play.steps] == [(24, 13)]


def test_a_session_that_begins_in_a_game() -> None:
    board = FIBS_BOARD.format(scores="1:2", turn=1, dice="0:0:0:0").replace("-5:5", "-4:5")
    (match,) = read(board.replace("0:0:0:0:2:0:0:0", "0:1:0:0:2:0:0:0") + "\nbob rolls 6 and 1.\n")
    set_up = match.games[0].actions[0]
    assert isinstance(set_up, SetUp)
    assert set_up.boards is not None
    assert set_up.boards[1][0] == 1
    assert match.games[0].score is not None
    assert match.games[0].score.points == (1, 2)


def test_a_name_may_hold_points_and_commas() -> None:
    text = FIBS_LOG.replace("ann", "a.n,n").replace("a.n,nounce", "announce")
    (match,) = read_bytes(text.encode(), "a.log")
    assert match.names == ("a.n,n", "bob")
    first = match.games[0].actions[0]
    assert isinstance(first, Play)
    assert (first.side, first.dice) == (0, (3, 1))


def test_nobody_plays_with_himself_and_it_ends_well() -> None:
    text = NO_BOARDS.replace("ann", "bob")
    assert read(text * 2)


@pytest.mark.corpus
def test_a_real_session_is_clean(corpus: Path) -> None:
    (path,) = (corpus / "fibs-log").iterdir()
    (match,) = read_file(path)
    assert [len(game.actions) > 40 for game in match.games] == [True, True]
    assert check([match]) == []
