"""GNU Backgammon's report of a match."""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape
from pathlib import Path

import pytest

from bganalyze.record.gnubg_text import _show_line, find_statistics, recognizes
from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Double,
    Match,
    Play,
    PlayRecord,
    Result,
    SetUp,
    Span,
    Unread,
)
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from tests import same

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
    return read_bytes(text.encode(), "a_002.txt")


def without_places(actions: Iterable[Action]) -> list[tuple[object, ...]]:
    """Return the actions without their places in the file and without analysis."""
    return [
        (action._replace(analysis=None) if isinstance(action, Play) else action)[1:]
        for action in actions
    ]


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
    assert [type(action) for action in game.actions] == [Play, Play, Double, Answer, Result]
    second = game.actions[1]
    assert isinstance(second, Play)
    assert (second.row, second.dice, len(second.steps)) == ("2", (6, 6), 4)
    assert second.place(3) == Span(18, 22, 30)
    assert game.actions[2] == Double(Span(22, 1, 18), "3", 0, 2)


def test_findings_point_at_the_step() -> None:
    findings = check(read(REPORT.replace("8/5 6/5\n\nR", "8/5 6/4\n\nR")))
    places = [
        (finding.code, finding.line, finding.column)
        for finding in findings
        if finding.severity == "error"
    ]
    assert places == [("P404", 11, 21), ("C503", 22, 1)]


def test_a_roll_that_nobody_plays_was_given_up() -> None:
    text = HEAD + "Move number 1:  Bob to play 31\n\nBob wins 1 point\n"
    play, result = read(text)[0].games[0].actions
    assert isinstance(play, Play)
    assert (play.how, play.span) == (PlayRecord.UNPLAYED, Span(2, 17, 31))
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
    actions = read(text)[0].games[0].actions
    assert [type(action) for action in actions] == [Play, Result, Result]
    assert [action.span.line for action in actions] == [7, 12, 13]


ANNOTATED = """\
The score (after 0 games) is: Ann 0, Bob 0 (match to 3 points)

Match Information:
Ann's rating: 1600.5
Bob's rating: expert
Cleo's rating: none
Date: 02/03/20
Event: Club
Round: Final
Place: Berlin
Annotator: Me
Comments: Two
* Ann should know

lines

Move number 1:  Ann to play 31

* Ann moves 8/5 6/5

Rolled 31:
*    8/5 6/5


Annotation:
With a roll like this

Ann wins 2 points
* Ann should double next
Annotation:
Move number 7:  Ann is done

Move number 2:  Bob on roll, cube decision?

* Bob doubles

Annotation:
early
Move number 3:  Bob doubles to 2

* Ann rejects

Annotation:
Ann wins 3 points

Over
Bob wins 1 point

Game statistics for game 1

Player                                   Ann                     Bob
"""


def test_what_a_person_has_written_is_no_part_of_the_game() -> None:
    (match,) = read(ANNOTATED)
    long = (
        "With a roll like this\n\nAnn wins 2 points\n* Ann should double next\nAnnotation:\n"
        "Move number 7:  Ann is done"
    )
    assert match.games[0].actions[1:] == (
        Comment(Span(25, 1, 12), "1", long),
        Double(Span(35, 1, 14), "2", 1, 2),
        Comment(Span(37, 1, 12), "2", "early"),
        Answer(Span(41, 1, 14), "3", 0, taken=False),
        Comment(Span(43, 1, 12), "3", "Ann wins 3 points\n\nOver"),
        Result(Span(47, 1, 17), None, 1, 1),
    )
    assert not {finding.severity for finding in check([match])} - {"info"}


def test_a_comment_after_which_the_game_stops_tells_no_result() -> None:
    """GNU Backgammon leaves a line more there than after a result."""
    text = ANNOTATED.replace("Bob wins 1 point\n", "Bob wins 1 point\n\n")
    assert [type(action) for action in read(text)[0].games[0].actions][-2:] == [Answer, Comment]


def test_the_header_says_what_is_known_of_the_match() -> None:
    (match,) = read(ANNOTATED)
    assert [(tag.key, tag.value, tag.span.line) for tag in match.tags] == [
        ("Rating left", "1600.5", 4),
        ("Rating right", "expert", 5),
        ("EventDate", "02/03/20", 7),
        ("Event", "Club", 8),
        ("Round", "Final", 9),
        ("Site", "Berlin", 10),
        ("Transcriber", "Me", 11),
        ("Comment", "Two\n* Ann should know\n\nlines", 12),
    ]


def test_whose_turn_it_is_tells_names_that_begin_alike() -> None:
    text = (
        "The score (after 0 games) is: Ann 0, Ann moves 0 (match to 3 points)\n"
        "Move number 1:  Ann to play 31\n\n* Ann moves 8/5 6/5\n"
        "Move number 2:  Ann moves to play 52\n\n* Ann moves moves 24/22 13/8\n"
        "Move number 3:  Ann moves on roll, cube decision?\n\n* Ann moves doubles\n"
        "Move number 4:  Ann moves doubles to 2\n\n* Ann accepts\n"
    )
    actions = read(text)[0].games[0].actions
    assert [type(action) for action in actions] == [Play, Play, Double, Answer]
    assert [getattr(action, "side", None) for action in actions] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("line", "text"), [("* Ann Lee dances", "dances"), ("* Ann Lee moves 8/5 quickly", "quickly")]
)
def test_what_cannot_be_read(line: str, text: str) -> None:
    unread = [
        action for action in read(HEAD + line)[0].games[0].actions if isinstance(action, Unread)
    ]
    assert [action.text for action in unread] == [text]


def test_the_place_of_an_unread_action_ends_above_its_analysis() -> None:
    written = "* Nobody moves 8/5 6/5"
    text = f"{HEAD}Move number 1:  Bob to play 31\n{written}\n\nRolled 31:\n*    8/5 6/5\n"
    (unread,) = [one for one in read(text)[0].games[0].actions if isinstance(one, Unread)]
    assert (unread.text, unread.span) == (written, Span(3, 1, 1 + len(written)))


def test_games_in_one_file_are_one_match() -> None:
    first = (
        "The score (after 0 games) is: Ann Lee 0, Bob 0 (match to 3 points)\nBob wins 2 points\n"
    )
    other = "The score (after 0 games) is: Ann Lee 0, Bob 0\n"
    assert [len(match.games) for match in read(first + HEAD + other)] == [2, 1]
    assert [len(match.games) for match in read(first + first + HEAD)] == [1, 2]


@pytest.mark.slow
@pytest.mark.corpus
def test_real_reports_are_clean(corpus: Path) -> None:
    for path in sorted((corpus / "gnubg-text").iterdir()):
        assert {finding.severity for finding in check(read_file(path))} <= {"info"}


PAGE = """\
<!DOCTYPE html>
<html><head><title>The score (after 1 game) is: Ann Lee 0, Bob 2</title><style>.a { b: c }</style>
</head>
<body class="x">
<h1>Game number 2</h1>
<h2>The score (after 1 game) is: Ann Lee 0, Bob 2 (match to 3 points, Crawford game)</h2>
<p><a href="a.html">[First Game]</a></p>
<hr/><h2>Match Information</h2>
<table border="0">
<tr valign="top"><td>Ann Lee's rating</td><td>1500</td></tr>
<tr valign="top"><td>Place</td><td>Club &amp; Co</td></tr>
<tr valign="top"><td>Comment</td><td>Two<br/>
lines</td></tr>
</table>

<!-- End Match Information -->
<p><b><a name="game2.move1">Move number 1:</a></b> Ann Lee to play 31</p>

<table><tr><td><img src="x.png" alt="&nbsp;'"/></td></tr></table>

<p>Pip counts: Ann Lee 167, Bob 167<br/>
<span class="positionid">Position ID: <tt>4HPwATDgc/ABMA</tt> Match ID: <tt>MIFtACAAEAAE</tt><br/>
</span></p>

<p>&bull; Ann Lee moves 8/5 6/5</p>

<table>
<tr>
<td>&bull; </td>
<td>1</td>
<td>8/5 6/5</td>
<td>+0.162</td>
</tr></table>
<div class="commentheader">Annotation</div>
<div class="comment">I < you & more<br/>
Bob wins 3 points</div>

<!-- End Annotation -->

<p><b><a name="game2.move2">Move number 2:</a></b> Bob to play 66</p>
<p>&bull; Bob moves 24/18(2) 13/7*(2)</p>
<hr/>
<p><b><a name="game2.move3">Move number 3:</a></b> Ann Lee on roll, cube decision?</p>
<p>&bull; Ann Lee doubles</p>
<p><b><a name="game2.move4">Move number 4:</a></b> Ann Lee doubles to 2</p>
<p>&bull; Bob rejects</p>
<p class="result">Ann Lee wins 1 point</p>

<!-- Game Statistics -->

<table class="stattable">
<tr><th>Game statistics for game 2</th></tr>
<tr><th>Player</th><th>Ann Lee</th><th>Bob</th></tr></table>
</body></html>
"""


def test_a_page_says_what_the_text_says() -> None:
    (match,), (text,) = read(PAGE), read(REPORT)
    actions = match.games[0].actions
    assert [type(action) for action in actions] == [Play, Comment, Play, Double, Answer, Result]
    assert actions[1].text == "I < you & more\nBob wins 3 points"  # type: ignore[union-attr]
    played = [action for action in actions if not isinstance(action, Comment)]
    assert without_places(played) == without_places(text.games[0].actions)
    assert [(tag.key, tag.value) for tag in match.tags] == [
        ("Rating left", "1500"),
        ("Site", "Club & Co"),
        ("Comment", "Two\nlines"),
    ]
    assert match.games[0].crawford == text.games[0].crawford


def test_a_page_is_shown_by_its_text() -> None:
    (match,) = read(PAGE)
    play = match.games[0].actions[0]
    assert play.span == Span(25, 1, 24)
    assert match.source.text_at(play.span) == "• Ann Lee moves 8/5 6/5"
    (finding,) = [finding for finding in check([match]) if finding.code == "T109"]
    assert (PAGE.splitlines()[finding.line - 1][10:19], finding.column) == ("Bob moves", 22)


@pytest.mark.parametrize(
    "name",
    [
        "<script>",
        "</td><td>",
        "<b>",
        "</h2>",
        "</p>",
        "<br> 3",
        "a < b",
        "&nbsp;",
        "&lt;i>",
        "\u200b",
    ],
)
def test_a_name_like_markup_is_a_name_of_a_page(name: str) -> None:
    (match,), (usual,) = read(PAGE.replace("Ann Lee", name)), read(PAGE)
    assert match.names == (unescape(name), "Bob")
    assert same.games(match) == same.games(usual)


def test_links_of_a_page_are_no_comments_in_any_language() -> None:
    page = PAGE.replace("[First Game]", "[F\u00f8rste parti]")
    page = page.replace("4HPwATDgc/ABMA", "4Dl4ADbgOXgANg")
    (match,) = read(page)
    assert match.tag("Variation") == "Nackgammon"
    assert not any("parti" in str(action) for action in match.games[0].actions)


@pytest.mark.parametrize("name", ["*  -", "*", "* x", "\u200b", "\u200f\u200e", "\u2800", "\u3164"])
def test_a_result_of_a_name_like_a_line_of_the_analysis_is_read(name: str) -> None:
    report = REPORT.replace("Ann Lee", name).replace("Bob wins", f"{name} wins")
    usual = REPORT.replace("Bob wins", "Ann Lee wins")
    (match,) = read(report)
    assert name in match.names
    assert same.games(match) == same.games(read(usual)[0])
    assert same.games(match) == same.games(read(REPORT)[0])
    assert "T101" not in {finding.code for finding in check([match])}


def test_what_a_browser_copies_from_a_page_is_read() -> None:
    text = REPORT.replace("* ", "• ").replace("Information:", "Information").replace("e: C", "e\tC")
    ids = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   :"
    copied = text.replace(ids, "Pip counts: Ann Lee 167\nPosition ID: 4HPwATDgc/ABMA Match ID:")
    assert copied.count("•") == 5
    actions = [without_places(read(text)[0].games[0].actions) for text in (copied, REPORT)]
    assert actions[0] == actions[1]
    assert read(copied)[0].tag("Site") == "Club"


POSITION = """\
The score (after 0 games) is: Ada Quill 0, Cleo Hart 0 (match to 3 points)

Match Information:
Date: 05/17/31
Move number 3:  Ada Quill {asked}

 GNU Backgammon  Position ID: mGfwATDg8+ABJA
                 Match ID   : MAFgAAAAAAAE
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: Ada Quill
Pip counts: O 160, X 161

* Ada Quill {deed}

Rolled 11:
*    8/7(2) 6/5(2)
"""


@pytest.mark.parametrize(
    ("asked", "deed", "how"),
    [
        ("on roll, cube decision?", "moves 8/7(2) 6/5(2)", PlayRecord.PLAYED),
        ("to play 11", "moves 8/7(2) 6/5(2)", PlayRecord.PLAYED),
        ("to play 11", "cannot move", PlayRecord.UNPLAYED),
    ],
)
def test_the_report_of_one_position_begins_with_it(asked: str, deed: str, how: str) -> None:
    (match,) = read(POSITION.format(asked=asked, deed=deed))
    board, play = match.games[0].actions
    assert isinstance(board, SetUp)
    assert isinstance(play, Play)
    assert (board.row, board.cube_value, board.on_roll, play.dice, play.how) == (
        "3",
        1,
        0,
        (1, 1),
        how,
    )
    assert match.tag("Position") == "mGfwATDg8+ABJA:MAFgAAAAAAAE"
    assert not {finding.severity for finding in check([match])} - {"info"}


@pytest.mark.parametrize(
    ("asked", "deed"),
    [("on roll, cube decision?", "moves 8/7 6/5"), ("resigns 2 points", "moves 8/7 6/5")],
)
def test_a_position_before_a_roll_says_no_roll_is_missing(asked: str, deed: str) -> None:
    text = POSITION.format(asked=asked, deed=deed).replace("Rolled 11", "Rolled it")
    (match,) = read(text)
    board, *comments = match.games[0].actions
    assert isinstance(board, SetUp)
    assert [type(comment) for comment in comments] == [Comment] * (2 if "2" in asked else 1)
    assert not {finding.severity for finding in check([match])} - {"info"}


def test_a_resignation_may_share_the_line_of_its_position() -> None:
    # As GNU Backgammon writes it: nothing ends the line.
    asked = "resigns 2 points    GNU Backgammon  Position ID: mGfwATDg8+ABJA"
    head, _, rest = POSITION.partition("{asked}")
    (match,) = read(head + asked + "\n" + rest[rest.index("Match ID") : rest.index("*")])
    assert isinstance(match.games[0].actions[0], SetUp)
    assert not {finding.severity for finding in check([match])} - {"info"}


@pytest.mark.parametrize(("before", "column"), [("Ann Lee moves", 3), ('name="game2.move2"', 1)])
def test_a_damaged_byte_of_a_page_has_its_place_where_the_page_shows_it(
    before: str, column: int
) -> None:
    damaged = PAGE.encode().replace(
        before.encode(), before.encode().replace(b"Ann", b"\x81").replace(b"game", b"\x81")
    )
    (match, *_) = read_bytes(damaged, "a.html")
    (odd,) = match.oddities
    assert (odd.rule, odd.span.column) == ("undecodable-bytes", column)


def test_the_first_board_shows_the_variant() -> None:
    """The reports do not name it; two plays are too few to infer it from."""
    nackgammon = REPORT.replace("4HPwATDgc/ABMA", "4Dl4ADbgOXgANg").replace("8/5 6/5", "23/22 8/5")
    (match,) = read(nackgammon)
    assert [tag.value for tag in match.tags if tag.key == "Variation"] == ["Nackgammon"]
    assert {finding.code for finding in check([match])} == {
        finding.code for finding in check(read(REPORT))
    }
    assert not [tag for tag in read(REPORT)[0].tags if tag.key == "Variation"]


def test_the_first_board_shows_hypergammon_whose_other_checkers_count_as_borne_off() -> None:
    hypergammon = REPORT.replace("4HPwATDgc/ABMA", "AACgAgAAKgAAAA").replace("8/5 6/5", "24/20")
    assert [tag.value for tag in read(hypergammon)[0].tags if tag.key == "Variation"] == [
        "HyperGammon (3)"
    ]


@pytest.mark.parametrize(
    "line",
    ["Player                    Ann Lee            wins 2 points", " +12-7-+     X: wins 2 points"],
)
def test_a_name_that_looks_like_a_result_is_no_result(line: str) -> None:
    report = REPORT.replace("Bob", "wins 2 points") + f"\n{line}\n"
    assert not [finding for finding in check(read(report)) if finding.code == "T101"]


@pytest.mark.parametrize("row", [b"95\x90onfidence interval", b"\xbb\t\xc9\xfb:V", b"\xbb 31: 8/5"])
def test_damaged_statistics_are_no_faults_of_the_match(row: bytes) -> None:
    text = f"{REPORT}\n\nGame statistics for game 2\n\n".encode()
    without, damaged = (
        [finding for finding in check(read_bytes(data, "a.txt")) if finding.severity != "info"]
        for data in (text, text + row + b"\n")
    )
    assert damaged == without


def test_a_board_numbered_clockwise_is_no_line_of_the_game() -> None:
    above = "                 Match ID   : MIFtACAAEAAE\n"
    board = "OOO | O                |   |       X          |  20 points\n OO | O                |BAR|                  |v\n"
    assert above in REPORT
    (match,) = read_bytes(REPORT.replace(above, above + board, 1).encode(), "a.txt")
    (same,) = read_bytes(REPORT.encode(), "a.txt")
    assert [type(act) for act in match.games[0].actions] == [
        type(act) for act in same.games[0].actions
    ]


def test_a_name_like_a_decision_makes_no_line_of_a_board_part_of_the_game() -> None:
    text = REPORT.replace("Bob", "Move number 1:").replace(
        "Ann Lee wins", "Pip counts: Ann Lee 167, Move number 1: 167\n\nAnn Lee wins"
    )
    (match,) = read(text)
    assert not any(isinstance(action, Unread) for action in match.games[0].actions)


@pytest.mark.parametrize("board_end", ["", "    +-1--2--3--4--5--6-+  X: Move number 1:\n"])
def test_the_result_of_a_winner_whose_name_is_like_a_decision_is_read(board_end: str) -> None:
    text = REPORT.replace("Ann Lee", "Move number 1:")
    text = text.replace("Move number 1: wins", f"{board_end}Move number 1: wins")
    (match,) = read(text)
    assert not any(isinstance(action, Unread) for action in match.games[0].actions)
    assert isinstance(match.games[0].actions[-1], Result)


def test_the_first_board_shows_automatic_doubles() -> None:
    doubled = REPORT.replace("MIFtACAAEAAE", "MYFtACAAEAAE", 1)
    assert doubled != REPORT
    (match,) = read_bytes(doubled.encode(), "a.txt")
    assert match.games[0].cube == 2


def test_a_russian_report_has_no_blank_behind_the_points_resigned() -> None:
    report = (
        "Счёт (после 1 игры): Ann 0, Bob 1\n\n\u0425\u043e\u0434 номер: 3: Ann сдаётся, 1 очко"
        "GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n"
        "                    Match ID   : MIFtACAAEAAE\n"
    )
    (match,) = read_bytes(report.encode(), "a.txt")
    assert match.names == ("Ann", "Bob")
    assert [one.code for one in check([match]) if one.severity != "info"] == []


def test_a_score_in_prose_makes_no_report() -> None:
    assert not recognizes("The score (after lunch) was 3 to 1")


def test_statistics_are_found_below_a_score() -> None:
    text = "The score (after 0 games) is: ...\nGame statistics for game 1\n95% confidence"
    assert [text[start:end] for start, end in find_statistics(text)] == [
        "Game statistics for game 1\n95% confidence"
    ]


@pytest.mark.parametrize(
    ("line", "shown"),
    [("&bull; &nbsp; doubles", "• \xa0 doubles"), ("&nbsp;\t0.285 0.056", "0.285 0.056")],
)
def test_blanks_of_a_page_are_cut_at_its_ends_only(line: str, shown: str) -> None:
    assert _show_line(line) == shown
