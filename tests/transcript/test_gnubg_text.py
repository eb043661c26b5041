"""GNU Backgammon's report of a match."""

from __future__ import annotations

from pathlib import Path

import pytest

import bganalyze
from bganalyze.transcript.model import Answer, Double, How, Match, Play, Result, Span, Unread

HEAD = "The score (after 1 game) is: Ann Lee 0, Bob 2 (match to 3 points), Crawford game\n"
REPORT = (
    HEAD
    + """
Match Information:
Place: Club

Move number 1:  Ann Lee to play 31

 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : MIFtACAAEAAE

* Ann Lee moves 8/5 6/5

Rolled 31:
*    1. Cubeful 2-ply    8/5 6/5                      Eq.: +0.162

Move number 2:  Bob to play 66

* Bob moves 24/18(2) 13/7*(2)

Move number 3:  Ann Lee on roll, cube decision?

* Ann Lee doubles

Move number 4:  Ann Lee doubles to 2

* Bob rejects

Ann Lee wins 1 point
"""
)


def read(text: str) -> list[Match]:
    return bganalyze.read_bytes(text.encode(), "a_002.txt")


def test_a_report() -> None:
    (match,) = read(REPORT)
    game = match.games[0]
    assert game.score is not None
    assert (match.format, match.names) == ("gnubg-text", ("Ann Lee", "Bob"))
    assert match.length is not None
    assert (game.number, game.crawford, match.length.points) == (2, True, 3)
    assert game.score.points == (0, 2)
    assert game.score.spans == (Span(1, 38, 39), Span(1, 45, 46))
    assert match.tag("Site") == "Club"
    assert [type(each) for each in game.actions] == [Play, Play, Double, Answer, Result]
    second = game.actions[1]
    assert isinstance(second, Play)
    assert (second.row, second.dice, len(second.steps)) == ("2", (6, 6), 4)
    assert second.place(3) == Span(18, 22, 30)
    assert game.actions[2] == Double(Span(22, 1, 18), "3", 0, 2)


def test_findings_point_at_the_step() -> None:
    found = bganalyze.check(read(REPORT.replace("8/5 6/5\n\nR", "8/5 6/4\n\nR")))
    places = [(each.code, each.line, each.column) for each in found if each.severity == "error"]
    assert places == [("P404", 11, 21), ("C503", 22, 1)]


def test_a_throw_that_nobody_plays_was_given_up() -> None:
    text = HEAD + "Move number 1:  Bob to play 31\n\nBob wins 1 point\n"
    play, result = read(text)[0].games[0].actions
    assert isinstance(play, Play)
    assert (play.how, play.span) == (How.UNPLAYED, Span(2, 17, 31))
    assert isinstance(result, Result)


def test_the_board_of_the_next_turn_shows_an_illegal_play() -> None:
    text = HEAD + (
        "Move number 1:  Bob to play 31\nMove number 2:  Ann Lee to play 42\n"
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : MIFtACAAEAAE\n"
    )
    play = read(text)[0].games[0].actions[0]
    assert isinstance(play, Play)
    assert play.called_illegal
    assert play.left_board is not None
    assert play.left_board.span == Span(5, 18, 43)


def test_analysis_hides_no_result() -> None:
    names = HEAD.replace("Bob", "Cube points").replace("Ann Lee", "0-ply")
    text = names + (
        "Move number 1:  Cube points to play 31\n +13-14-\nv| X |BAR|\nPip counts: O 167, X 167\n\n"
        "* Cube points moves 8/5 6/5\n\nRolled 31:\n*    1. 8/5 6/5  Eq.: +0.1\n\n"
        "0-ply wins 2 points\nCube points wins 1 point\n"
    )
    found = read(text)[0].games[0].actions
    assert [type(each) for each in found] == [Play, Result, Result]
    assert [each.span.line for each in found] == [7, 12, 13]


@pytest.mark.parametrize(
    ("line", "text"), [("* Ann Lee dances", "dances"), ("* Ann Lee moves 8/5 quickly", "quickly")]
)
def test_what_cannot_be_read(line: str, text: str) -> None:
    unread = [each for each in read(HEAD + line)[0].games[0].actions if isinstance(each, Unread)]
    assert [each.text for each in unread] == [text]


def test_games_in_one_file_are_one_match() -> None:
    first = (
        "The score (after 0 games) is: Ann Lee 0, Bob 0 (match to 3 points)\nBob wins 2 points\n"
    )
    other = "The score (after 0 games) is: Ann Lee 0, Bob 0\n"
    assert [len(match.games) for match in read(first + HEAD + other)] == [2, 1]


@pytest.mark.corpus
def test_real_reports_are_clean(corpus: Path) -> None:
    for path in sorted((corpus / "gnubg-text").iterdir()):
        assert {each.severity for each in bganalyze.check(bganalyze.read(path))} <= {"info"}
