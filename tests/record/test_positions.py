"""Position identifiers, and the text around them."""

from __future__ import annotations

from pathlib import Path

import pytest

import bganalyze
from bganalyze.analysis.engines import Chances
from bganalyze.analysis.engines.xg_report import read_report
from bganalyze.board.position import Position, start_position
from bganalyze.record.model import Double, Match, Play, SetUp, Unread
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check

START = start_position("standard").own
BOARD = "-b----E-C---eE---c-e----B-"
BLITZ = """\
 +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Grün  137
 |                  |BAR|                  |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Rot  147

 XGID={board}:0:0:1:31:0:5:0:9:10

 Rot to move 1-3
"""


def read(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a.txt")


def test_a_roll_that_waits_for_its_play() -> None:
    report = f"XGID={BOARD}:0:0:1:21:3:6:0:7:10\n\nX:Ann Lee   O:Bob\n    1. 8/5\n"
    (match,) = read(report)
    set_up, play = match.games[0].actions
    assert match.length is not None
    assert (match.names, match.length.points) == (("Ann Lee", "Bob"), 7)
    assert isinstance(set_up, SetUp)
    assert (set_up.boards, set_up.cube_value, set_up.cube_owner) == ((START, START), 1, None)
    assert isinstance(play, Play)
    assert (play.side, play.dice) == (0, (2, 1))
    assert play.analysis is not None
    assert play.analysis.entries == (("text", "    1. 8/5"),)
    assert not {finding.severity for finding in check([match])} - {"info"}


def test_rows_of_a_game_below_a_position_are_not_dropped_silently() -> None:
    rows = "  1) 31: 8/5 6/5                   42: 8/4 6/4\n  2) 65: 24/13\n"
    (match,) = read(f"XGID={BOARD}:0:0:1:00:0:0:0:7:10\n\n{rows}      Wins 1 point\n")
    assert [(f.code, f.line) for f in check([match]) if f.severity == "error"] == [("T101", 3)]
    lost = match.games[0].actions[-1]
    assert isinstance(lost, Unread)
    assert lost.last_line == 4


def test_a_position_after_the_match_is_no_game_after_it() -> None:
    (match,) = read(f"XGID={BOARD}:0:0:1:21:3:7:0:7:10")
    assert "R605" not in {finding.code for finding in check([match])}


def test_the_board_may_stand_above() -> None:
    (match,) = read(BLITZ.format(board=BOARD))
    assert match.names == ("Rot", "Grün")
    assert [match.names for match in read(BLITZ.format(board=BOARD) * 2)] == [("Rot", "Grün")] * 2


def test_a_double_that_waits_for_its_answer() -> None:
    action = read(f"XGID={BOARD}:0:0:-1:D:0:0:3:0:10")[0].games[0].actions[1]
    assert isinstance(action, Double)
    assert action.side == 1


@pytest.mark.parametrize(
    "text",
    [
        "GNUBG ID: 4HPwATDgc/ABMA:MAFgAAAAAAAE",
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : MAFgAAAAAAAE",
        "Position ID: 4HPwATDgc/ABMA Match ID: MAFgAAAAAAAE",
        "3;0;0;0;0;O;X;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;",
    ],
)
def test_other_identifiers(text: str) -> None:
    (match,) = read(text)
    (set_up,) = match.games[0].actions
    assert match.length is not None
    assert (match.length.points, match.names) == (3, ("O", "X"))
    assert isinstance(set_up, SetUp)
    assert (set_up.boards, set_up.on_roll) == ((START, START), 0)


@pytest.mark.parametrize(
    "line",
    [
        "4HPwATDgc/ABMA",
        " 4HPwATDgc/ABMA ",
        "Position ID: 4HPwATDgc/ABMA",
        "GNU Backgammon  Position ID: 4HPwATDgc/ABMA",
        "GNUBGID 4HPwATDgc/ABMA",
    ],
)
def test_a_position_id_alone_is_of_a_money_game(line: str) -> None:
    first, second = read(f"\n{line}\nsome words\ncongratulation\n{line}\n")
    for match in (first, second):
        set_up = match.games[0].actions[0]
        assert match.length is not None
        assert (match.length.points, match.names) == (0, ("O", "X"))
        assert isinstance(set_up, SetUp)
        assert (set_up.boards, set_up.on_roll) == ((START, START), 1)
    assert not {finding.severity for finding in check([first])} - {"info"}


@pytest.mark.parametrize("word", ["congratulation", "transformation", "abcdefghijklmg"])
def test_a_word_as_long_as_a_position_id_is_none(word: str) -> None:
    with pytest.raises(bganalyze.NotATranscript):
        read(f"{word}\n4HPwATDgc/ABMA and more\n")


def test_a_position_id_beside_a_fuller_identifier_is_no_other_position() -> None:
    (match,) = read(f"4HPwATDgc/ABMA\nXGID={BOARD}:0:0:1:00:0:0:0:7:10\n4HPwATDgc/ABMA\n")
    assert match.length is not None
    assert match.length.points == 7


def test_an_ogid_has_white_on_the_left() -> None:
    (match,) = read("11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:1:0:3:0")
    set_up, play = match.games[0].actions
    assert isinstance(set_up, SetUp)
    assert (set_up.boards, set_up.on_roll) == ((START, START), 0)
    assert isinstance(play, Play)
    assert (play.side, play.dice) == (0, (1, 3))


def test_several_positions_and_a_damaged_one() -> None:
    matches = read(f"XGID={BOARD}:0:0:1:00:0:0:0:7:10\nXGID={BOARD}:x\n")
    assert [type(match.games[0].actions[0]) for match in matches] == [SetUp, Unread]


@pytest.mark.parametrize(
    ("line", "best"),
    [
        ("Best Cube action: No double / Take", "no double / take"),
        ("Best Cube action: No redouble / Take", "no redouble / take"),
        ("Best Cube action: Too good to redouble / Pass", "too good / pass"),
        ("Meilleur action du videau: Pas de redouble / Prend", "no redouble / take"),
        ("Meilleur action du videau: Pas de double / Beaver", "no double / beaver"),
        ("Beste Dopplerwürfel Aktion Nicht Redoppeln / Annehmen", "no redouble / take"),
        ("Beste Dopplerwürfel Aktion Zu gut zum redoppeln / Ablehnen", "too good / pass"),
        ("ベストキューブアクション\uff1aダブル / パス", "double / pass"),
        (" Videau:               :  Double / Rejeter     EMG", "double / pass"),
        (" キューブアクション:      :  リダブル / 受ける        EMG", "redouble / take"),
    ],
)
def test_the_best_cube_action_in_four_languages(line: str, best: str) -> None:
    (match,) = read(f"XGID={BOARD}:0:0:1:00:0:0:0:7:10\n\n{line}\n Double / Take  :  0.56\n")
    (set_up,) = match.games[0].actions
    assert isinstance(set_up, SetUp)
    assert set_up.analysis is not None
    assert dict(set_up.analysis.entries)["cube action"] == best


@pytest.mark.parametrize(
    "line",
    [
        f"XGID={BOARD}:99:1:-1:65:3:6:1:7:10",
        "7;0;0;0;0;ann;bob;0;0;0;65536;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;",
    ],
)
def test_a_cube_beyond_all_measure_is_unread(line: str) -> None:
    readable, unreadable = read(f"XGID={BOARD}:0:0:1:31:0:0:0:7:10\n\n{line}\n")
    assert [type(action) for action in readable.games[0].actions] == [SetUp, Play]
    assert [type(action) for action in unreadable.games[0].actions] == [Unread]


@pytest.mark.corpus
def test_every_real_report_names_the_best_cube_action(corpus: Path) -> None:
    for path in sorted((corpus / "xgtext").iterdir()):
        (match,) = read_file(path)
        analyses = [getattr(action, "analysis", None) for action in match.games[0].actions]
        names = [
            name for analysis in analyses if analysis is not None for name, _ in analysis.entries
        ]
        assert ("cube action" in names) != ("checkerPosition" in path.name)


@pytest.mark.corpus
def test_real_positions_in_four_languages(corpus: Path) -> None:
    for path in sorted((corpus / "xgtext").iterdir()):
        (match,) = read_file(path)
        assert match.names != ("X", "O")
        assert {finding.severity for finding in check([match])} <= {"info"}


def test_prose_above_a_position_is_kept_and_a_board_that_cannot_be_read_is_told() -> None:
    text = (
        "A position from the club match.\n"
        f"XGID={BOARD}:0:0:1:31:0:0:0:7:10\n\nzz XGID={BOARD}:0:0:1:31:0:0:0:7:10\n"
    )
    (match,) = read(text)
    assert match.tag("Comment") == "A position from the club match."
    assert [odd.span.line for odd in match.oddities] == [4]


SNOWIE_BOARD = "0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"


@pytest.mark.parametrize(
    ("head", "length", "names", "scores", "jacoby"),
    [
        ("7;1;0;0;0;Ann;Bob;0;3;2", 7, ("Ann", "Bob"), (3, 2), None),
        ("7;1;0;0;1;Ann;Bob;0;3;2", 7, ("Bob", "Ann"), (2, 3), None),
        ("0;1;0;0; 1 ;Ann;Bob;0; 12 ;x", 0, ("Bob", "Ann"), (0, 12), "On"),
        ("0;0;;;;;;;;", 0, ("", ""), (0, 0), "Off"),
        ("7;1;0;0;0;Ann;;Bob;0;3;2", 7, ("Ann;", "Bob"), (3, 2), None),
        ("7;1;0;0;0;;);Bob;0;3;2", 7, (";)", "Bob"), (3, 2), None),
    ],
)
def test_a_line_of_snowie_says_who_plays_for_what(
    head: str, length: int, names: tuple[str, str], scores: tuple[int, int], jacoby: str | None
) -> None:
    (match,) = read(f"{head};1;0;{SNOWIE_BOARD};3;1;")
    score = match.games[0].score
    assert match.length is not None
    assert score is not None
    assert (match.length.points, score.names, score.points) == (length, names, scores)
    tags = {tag.key: tag.value for tag in match.tags}
    assert tags.get("Jacoby") == jacoby


@pytest.mark.parametrize(
    "text",
    [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10",
        "XGID = -b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10",
        "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:1010",
    ],
)
def test_an_xgid_may_be_written_otherwise(text: str) -> None:
    (match,) = read_bytes(f"{text}\n".encode(), "a.txt")
    assert match.length is not None
    assert match.length.points == 7
    (play,) = match.plays()
    assert play.dice == (5, 2)


PAGE = f"""\
<!DOCTYPE html>
<html lang="ja"><head><title>BG Quiz</title></head>
<body>
<div>White to play 21</div>
<table><tr><td> 1.</td><td>3-ply</td><td>13/11 6/5</td><td>eq: -0.491</td></tr>
<tr><td></td><td><table><tr><td>Player:<br />Opponent:</td><td>25.45% (G:1.00% B:0.50%)<br />\
74.55% (G:31.00% B:2.00%)</td></tr></table></td></tr></table>
<script src="/js/board.js"></script>
<script>
const board = new Board("cw");
board.show("XGID={BOARD}:0:0:1:21:0:0:3:0:10");
</script>
</body></html>
"""


def test_the_xgid_in_a_script_of_a_page_has_the_report_above() -> None:
    (match,) = read_bytes(PAGE.encode(), "a.html")
    set_up, roll = match.games[0].actions
    assert isinstance(set_up, SetUp)
    assert isinstance(roll, Play)
    assert roll.analysis is not None
    place = PAGE.split("\n")[roll.span.line - 1][roll.span.column - 1 : roll.span.end_column - 1]
    assert place == f"XGID={BOARD}:0:0:1:21:0:0:3:0:10"
    report = read_report(Position(START, START), dict(roll.analysis.entries)["text"])
    assert [(play.equity, play.chances, level) for play, level in report.plays] == [
        (-0.491, Chances(0.2545, 0.01, 0.005, 0.31, 0.02), "3-ply")
    ]


def test_a_script_without_an_xgid_stays_and_so_may_hold_a_match() -> None:
    text = " 5 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/5   52: 13/8 24/22\n"
    (match,) = read_bytes(f"<body><script>\n{text}</script></body>".encode(), "a.html")
    assert len(list(match.plays())) == 2
