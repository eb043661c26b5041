"""The project's own text: what the README says of it, and what is damaged."""

from __future__ import annotations

import pytest

import bganalyze
from bganalyze.board.position import Step, start_position
from bganalyze.record import bgm
from bganalyze.record.bgm import _read_dice
from bganalyze.record.model import (
    REMARK,
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    GameReplayed,
    Match,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    SetUp,
    Source,
    Span,
    Unread,
)
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.refresh_docs import read_marked

START = start_position("standard").own
BOARD = "board L 24(2) 13(5) 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5)"


def read(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a.bgm")


def actions(lines: str) -> tuple[Action, ...]:
    (match,) = read(f"bganalyze match 1\ngame 1\nscore 0-0\n{lines}\n")
    return match.games[0].actions


def moved(source: int, target: int) -> Step:
    return Step((source, target), (False,))


def play(action: Action) -> Play:
    assert isinstance(action, Play)
    return action


def test_the_example_of_the_documentation() -> None:
    (match,) = read(read_marked("bgm").removeprefix("```\n").removesuffix("```\n"))
    codes = [(finding.code, finding.standing) for finding in check([match])]
    assert codes == [("P404", "corrected"), ("R608", None)]
    assert (match.names, match.tag("Event")) == (("Ann Lee", "Bob"), "Club night")


PLACE = Span(4, 1, 2)
RULINGS = {
    "ruling: 1 point to R": PointsGiven(PLACE, None, 1, 1),
    "Ruling: 2 points to ann lee (WBGT 4.2.4)": PointsGiven(PLACE, None, 0, 2, "WBGT 4.2.4"),
    "ruling: 2 points to left ((x))": PointsGiven(PLACE, None, 0, 2, "(x)"),
    "ruling: game replayed (wrong length)": GameReplayed(PLACE, None, "wrong length"),
    "ruling: checker put back L 4/5": CheckersPutBack(PLACE, None, (moved(4, 5),)),
    "RULING: Checkers put back R off/bar(2), 3/4": CheckersPutBack(
        PLACE, None, (), (moved(0, 25), moved(0, 25), moved(3, 4))
    ),
    "ruling: checkers put back left 4/5 right bar/20": CheckersPutBack(
        PLACE, None, (moved(4, 5),), (moved(25, 20),)
    ),
}


@pytest.mark.parametrize(("line", "ruling"), RULINGS.items())
def test_rulings(line: str, ruling: Action) -> None:
    text = f"bganalyze match 1\nleft: Ann Lee\ngame 1\n{line}\n"
    (match,) = read(text)
    (action,) = match.games[0].actions
    assert action._replace(span=PLACE) == ruling
    assert action.span == Span(4, 1, len(line) + 1)
    again = write([replay(match)], "bgm").data
    (back,) = read(again.decode())
    assert write([replay(back)], "bgm").data == again
    assert back.games[0].actions[0]._replace(span=PLACE) == ruling


@pytest.mark.parametrize(
    "line",
    [
        "ruling: 1 point to Cleo",
        "ruling: one point to L",
        "ruling: checker put back 4/5",
        "ruling: checker put back L 4-5",
        "ruling: checker put back L 4/27",
        "ruling: game over",
        "ruling:",
    ],
)
def test_an_unknown_ruling_is_no_ruling(line: str) -> None:
    (action,) = actions(line)
    assert isinstance(action, Unread)
    (match,) = read(f"bganalyze match 1\n{line}\ngame 1\nL 31 8/5 6/5\n")
    kinds = [type(action) for action in match.games[0].actions]
    assert kinds == ([Unread, Play] if "Cleo" in line else [Play])
    assert (match.tag("ruling") is None) == ("Cleo" in line)


def test_a_ruling_with_two_players_of_one_name_needs_the_side() -> None:
    text = "bganalyze match 1\nleft: Ann\nright: Ann\ngame 1\nruling: 1 point to {}\nL 31 8/5 6/5\n"
    (named,), (sided,) = (read(text.format(word)) for word in ("Ann", "R"))
    assert isinstance(named.games[0].actions[0], Unread)
    assert isinstance(sided.games[0].actions[0], PointsGiven)


def test_how_rulings_are_written_is_said() -> None:
    head = "bganalyze match 1\nlength: 5\ngame 1\nscore 0-0\nL 31 8/5 6/5\n"
    (message,) = (f.message for f in check(read(f"{head}ruling: x\n")) if f.code == "T101")
    assert message.endswith(
        "; a ruling gives points (1 point to R), has the game replayed, or checkers put back (L 4/5)"
    )


def test_a_ruling_in_the_header_moves_to_the_first_game() -> None:
    (match,) = read("bganalyze match 1\nruling: 1 point to R\ngame 1\nscore 0-1\nL 31 8/5 6/5\n")
    assert [type(action) for action in match.games[0].actions] == [PointsGiven, Play]
    assert match.tags == ()


def test_a_ruling_without_a_game_is_unreadable() -> None:
    text = "bganalyze match 1\nruling: 1 point to R\n"
    (match,) = bgm.read(text, Source("a.bgm", "utf-8", text.split("\n")))
    assert [odd.rule for odd in match.oddities] == ["unreadable-text"]


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("L 31 8/5 6/5", PlayRecord.PLAYED),
        ("L 31: 8/5 6/5", PlayRecord.PLAYED),
        ("L 31", PlayRecord.EMPTY),
        ("L 31 dance", PlayRecord.CANNOT_MOVE),
        ("L 31 ?", PlayRecord.UNPLAYED),
        ("L 31 8/5 unread", PlayRecord.UNREAD),
        ("L -- 8/5", PlayRecord.PLAYED),
    ],
)
def test_plays(line: str, how: PlayRecord) -> None:
    (action,) = actions(line)
    assert play(action).how is how
    assert play(action).dice == (None if "--" in line else (3, 1))


def test_places() -> None:
    (action,) = actions("  7. R 66 bar/19*(2)  13/7")
    assert play(action).span == Span(4, 8, 27)
    assert [play(action).place(step) for step in (0, 2)] == [Span(4, 11, 21), Span(4, 23, 27)]
    assert (action.row, play(action).side) == ("7", 1)


def test_cells_and_actions_of_one_row() -> None:
    actions_read = actions("1. L 31 8/5 6/5 ; double 2 | R take")
    assert [type(action) for action in actions_read] == [Play, Double, Answer]
    assert {action.row for action in actions_read} == {"1"}


def test_bars_and_semicolons_in_quotation_marks_divide_nothing() -> None:
    actions_read = actions('1. L "a | b ; c" | R 31 8/5 6/5')
    assert [type(action) for action in actions_read] == [Unread, Play]
    assert actions_read[1].span == Span(4, 22, 32)


@pytest.mark.parametrize("text", ["L 31 8/5 6/5;double 2|R take", "L 31 8/5 6/5; double 2 |R take"])
def test_no_blank_need_stand_before_what_divides(text: str) -> None:
    assert [type(action) for action in actions(text)] == [Play, Double, Answer]


def test_where_a_bar_is_missing_the_next_turn_adds_no_steps() -> None:
    turn, unread = actions("L 31 8/5 6/5 R 42 8/4 6/4")
    assert (play(turn).how, len(play(turn).steps)) == (PlayRecord.UNREAD, 2)
    assert unread == Unread(Span(4, 14, 26), None, 0, "R 42 8/4 6/4")


def test_a_cell_that_was_met_before_stands_in_its_own_place() -> None:
    actions_read = actions(f"3. L 31 8/5* 6/5 | R 31 illegal leaves {BOARD}\n  L 31 8/5* 6/5")
    assert [action.span for action in (actions_read[0], actions_read[2])] == [
        Span(4, 6, 17),
        Span(5, 5, 16),
    ]
    assert [action.row for action in actions_read] == ["3", "3", None]
    left = play(actions_read[1]).left_board
    assert left is not None
    assert (left.span, left.row) == (actions_read[1].span, "3")


def test_a_side_of_which_nothing_is_told_cannot_be_read() -> None:
    assert actions("L 31 8/5 6/5\nR")[1] == Unread(Span(5, 1, 2), None, None, "R")


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("L raccoon 8", Double(Span(4, 3, 12), None, 0, 8, "raccoon")),
        ("R pass", Answer(Span(4, 3, 7), None, 1, taken=False)),
        ("L resigns", Resignation(Span(4, 3, 10), None, 0)),
        ("L resigns 2 declined", Resignation(Span(4, 3, 21), None, 0, 2, declined=True)),
        ("L resigns gammon 4", Resignation(Span(4, 3, 19), None, 0, 4, size=2)),
        ("L resigns match 3", Resignation(Span(4, 3, 18), None, 0, 3, "resigned-match")),
        ("L loses on time", Resignation(Span(4, 3, 16), None, 0, manner="time")),
        ("L forfeits", Resignation(Span(4, 3, 11), None, 0, manner="forfeit")),
        ("R wins 4 match", Result(Span(4, 3, 15), None, 1, 4, match=True)),
        ("; a remark", Comment(Span(4, 1, 11), None, "a remark")),
        ('"6?4"', Unread(Span(4, 1, 6), None, None, "6?4")),
        ("cube 4 R", SetUp(Span(4, 1, 9), None, None, 4, 1)),
        ("turn L crawford yes", SetUp(Span(4, 1, 20), None, None, on_roll=0, crawford=True)),
    ],
)
def test_other_actions(line: str, action: Action) -> None:
    assert actions(line) == (action,)


def test_boards() -> None:
    (set_up,) = actions(BOARD)
    assert isinstance(set_up, SetUp)
    assert set_up.boards == (START, START)
    (bar,) = actions("board L bar 6 off(1) R 5")
    assert isinstance(bar, SetUp)
    assert bar.boards is not None
    assert [side[0] for side in bar.boards] == [1, 14]
    assert bar.boards[0][25] == 1


def test_a_play_of_which_only_the_board_is_known() -> None:
    (action,) = actions(f"L 31 illegal leaves {BOARD}")
    assert play(action).called_illegal
    assert play(action).left_board is not None
    assert [
        finding.code for finding in check(read(f"bganalyze match\nlength: 3\nL 31 leaves {BOARD}"))
    ]


def test_the_correction_of_a_set_up() -> None:
    misplaced = BOARD.replace("24(2) 13(5)", "23(2) 13(5)", 1)
    text = f"bganalyze match\nlength: 3\ngame 1\nscore 0-0\n{misplaced}\nL 31 8/5 6/5\n{BOARD}\n"
    codes = [(finding.code, finding.standing) for finding in check(read(text))]
    assert ("U201", "corrected") in codes


def test_the_header_and_the_conventions() -> None:
    (match,) = read(
        "bganalyze match\nproducer: Backgammon Galaxy\nconventions: resignations, capped\n"
        'length: money\ntag "a:b" "c\\"d"\nleft: A\nright: B\ngame 3\nscore 2-1\ncube: 2\n'
        "crawford: no\n"
    )
    assert match.length is not None
    assert (match.length.points, match.tag("a:b"), match.names) == (0, 'c"d', ("A", "B"))
    assert match.conventions[:6] == ("Backgammon Galaxy", False, False, True, True, False)
    game = match.games[0]
    assert (game.number, game.cube, game.crawford) == (3, 2, False)
    assert game.score is not None
    assert game.score.spans == (Span(9, 7, 8), Span(9, 9, 10))


def test_analysis_belongs_to_the_action_before_it() -> None:
    (action,) = actions('L 31 8/5 6/5\n@{"program": "X", "entries": [["A", "1"]]}')
    assert play(action).analysis is not None
    assert play(action).analysis.entries == (("A", "1"),)
    assert isinstance(actions("L 31\n@{")[1], Unread)


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("L 31 8/5 6?4", ["6?4"]),
        ("L castles", ["castles"]),
        ("L wins", ["wins"]),
        ("L 311 8/5", ["311 8/5"]),
        ("odd: text", ["odd: text"]),
        ("board L 24(2)", ["board L 24(2)"]),
        ("board L " + "1" * 5_000, ["board L " + "1" * 5_000]),
        ("L -- resigns 1", ["resigns 1"]),
        ("L 31 one two 8/5 three", ["one two", "three"]),
        ("L 31 8/5\tone  two", ["one  two"]),
        ("L one; duoble", ["one", "duoble"]),
        ("1. L one two | R 31 three four", ["one two", "three four"]),
    ],
)
def test_what_cannot_be_read_stands_in_its_place(line: str, texts: list[str]) -> None:
    actions_read = actions(f"{line}\nR 31 8/5 6/5")
    assert [action.text for action in actions_read if isinstance(action, Unread)] == texts
    assert isinstance(actions_read[-1], Play)


@pytest.mark.parametrize(
    ("words", "steps", "how"),
    [("2/off 0/0", 1, "played"), ("0/0", 0, "cannot-move"), ("0/0(3) 2/off", 1, "played")],
)
def test_a_die_that_no_checker_is_left_for_is_no_step(words: str, steps: int, how: str) -> None:
    (match,) = read_bytes(f"bganalyze match\ngame 1\nL 21 {words}\n".encode(), "a.bgm")
    (play,) = match.games[0].actions
    assert isinstance(play, Play)
    assert (len(play.steps), play.how) == (steps, how)


WHOLE = "bganalyze match\nleft: Ann Lee\nright: Bob\nlength: 3\n\ngame 1\nscore 1-0\nL 31 8/5 6/5\nR double 2\nL take\n"


@pytest.mark.parametrize(
    ("usual", "other"),
    [
        ("L 31", "l 31"),
        ("L 31", "L: 31"),
        ("L 31", "l:31"),
        ("L 31", "L 3-1"),
        ("L 31", "L: 3-1:"),
        ("L 31", "left 31"),
        ("L 31", "LEFT: 3-1:"),
        ("R double 2\nL take", "Right doubles 2\nleft takes"),
        ("R double 2\nL take", "r Double 2\nl: TAKE"),
        ("R double 2\nL take", "1. r double 2 | l: take"),
        ("left: Ann Lee\nright: Bob", "L: Ann Lee\nR: Bob"),
        ("left: Ann Lee\nright: Bob", "l: Ann Lee\nr: Bob"),
        ("left: Ann Lee\nright: Bob", "Left Ann Lee\nright Bob"),
        ("length: 3", "length: 3 points"),
        ("length: 3", "length 3"),
        ("length: 3", "match to 3"),
        ("length: 3", "First to 3 points"),
        ("length: 3", "3-point match"),
        ("length: 3", "Length: 3 point"),
        ("game 1\nscore 1-0", "game 1:\nscore: 1:0"),
    ],
)
def test_what_is_understood_as_well(usual: str, other: str) -> None:
    matches = [
        read_bytes(text.encode(), "a.bgm")[0] for text in (WHOLE, WHOLE.replace(usual, other))
    ]
    assert [match.names for match in matches] == [("Ann Lee", "Bob")] * 2
    assert {match.length.points for match in matches if match.length} == {3}
    assert [match.tags for match in matches] == [()] * 2
    scores = {
        (game.number, game.score.points) for match in matches for game in match.games if game.score
    }
    assert scores == {(1, (1, 0))}
    first, second = ([action[2:5] for action in match.games[0].actions] for match in matches)
    assert first == second


@pytest.mark.parametrize("key", ["l", "R", "left 5", "length of a turn", "Left hand"])
def test_an_entry_is_no_player_and_no_length(key: str) -> None:
    text = WHOLE.replace("length: 3", f'length: 3\ntag "{key}" "6 o\'clock"')
    (match,) = read_bytes(text.encode(), "a.bgm")
    assert match.tag(key) == "6 o'clock"
    (match_again,) = read_bytes(write([replay(match)], "bgm").data, "b.bgm")
    assert (match_again.tag(key), match_again.names) == ("6 o'clock", match.names)


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("L 31 8/5 6/5 ; nice", "nice"),
        ("l 3-1 8/5 6/5; a lucky roll, as so often", "a lucky roll, as so often"),
        ("1. L 31 8/5 6/5 ; double 2 ; too early", "too early"),
    ],
)
def test_a_remark_may_stand_behind_an_action(line: str, remark: str) -> None:
    (match,) = read_bytes(f"bganalyze match\nlength: 5\ngame 1\n{line}\n".encode(), "a.bgm")
    comment = match.games[0].actions[-1]
    assert isinstance(comment, Comment)
    assert comment.text == remark
    assert match.source.text_at(comment.span) == remark
    assert "T101" not in {finding.code for finding in check([match])}


def test_comments_above_the_first_line_belong_to_the_first_match() -> None:
    (match,) = read_bytes(f"; my notes\n;\n; on this\n{WHOLE}".encode(), "a.bgm")
    assert [(tag.key, tag.value) for tag in match.tags] == [
        (REMARK, "my notes"),
        (REMARK, ""),
        (REMARK, "on this"),
    ]
    assert [
        len(read_bytes(f"; x\n{text}".encode(), "a"))
        for text in ("Event: x\n" + WHOLE, "; y\n" + WHOLE)
    ] == [2, 1]


@pytest.mark.parametrize(
    ("line", "likely"),
    [
        ("R duoble", "double"),
        ("R cube 2", "double 2"),
        ("R 66 fan", "dance"),
        ("R dance 61", "61 dance"),
        ("R 42 8-4 6-4", "8/4 6/4"),
        ("R 42 8/4 6\u22154", "6/4"),
        ("R 42 8/4 6/4.", "6/4"),
        ("R (4 2) 8/4 6/4", "42 8/4 6/4"),
        ("R 42 8/4 L 31 8/5 6/5", "| L 31 8/5 6/5"),
        ("R 42 8/4 # well", "; well"),
        ("R 42 8/4 6/4 ; duoble", "double"),
        ("R resigns 2 points", "resigns 2"),
        ("42 8/4 6/4", "L 42 8/4 6/4"),
        ("Bob: 42 8/4 6/4", "L 42 8/4 6/4"),
        ("2) R 42 8/4 6/4", "2. R 42 8/4 6/4"),
        ("r42 8/4 6/4", "R 42 8/4 6/4"),
        ("double", "L double"),
        ("R 42 one two", None),
        ("R 42 " + "x" * 200, None),
        ("what a game", None),
    ],
)
def test_one_slip_is_one_finding_and_says_what_was_likely_meant(
    line: str, likely: str | None
) -> None:
    text = f"bganalyze match\nlength: 5\ngame 1\nL 31 8/5 6/5\n{line}\n"
    findings = check(read_bytes(text.encode(), "a.bgm"))
    (finding,) = (each for each in findings if each.severity != "info")
    assert finding.code == "T101"
    assert finding.message.partition("; is ")[2] == ("" if likely is None else f"{likely!r} meant?")
    if likely is not None:
        repaired = (
            text.replace(finding.message.split("'")[1], likely)
            if "…" not in finding.message
            else ""
        )
        assert "T101" not in {
            finding.code for finding in check(read_bytes(repaired.encode(), "a.bgm"))
        }


def test_a_file_without_its_first_line_is_told_what_it_lacks() -> None:
    with pytest.raises(bganalyze.NotATranscript, match="begins with the line 'bganalyze match'"):
        read_bytes(WHOLE.partition("\n")[2].encode(), "a.bgm")


def test_a_missing_length_is_named_as_this_text_states_it() -> None:
    findings = check(read_bytes(WHOLE.replace("length: 3\n", "").encode(), "a.bgm"))
    assert "'length: 5'" in next(finding.message for finding in findings if finding.code == "T117")


@pytest.mark.parametrize(
    "line", ["# note", "// note", "note", "31 8/5 6/5", "a note on this match"]
)
def test_a_line_above_the_first_match_makes_no_match(line: str) -> None:
    (match,) = read(f"{line}\n{WHOLE}")
    kept = [tag.value for tag in match.tags] + [odd.text for odd in match.oddities]
    assert kept == [line.lstrip("#/ ")]
    assert len(match.games) == 1


@pytest.mark.parametrize("line", ["mtch to 3", "left Ann 8/5", '@{"seconds": 1}', "castles"])
def test_a_line_of_the_header_that_means_nothing_makes_no_game(line: str) -> None:
    (match,) = read(WHOLE.replace("length: 3", f"length: 3\n{line}"))
    assert (len(match.games), match.length is not None) == (1, True)
    assert [(odd.span.line, odd.text) for odd in match.oddities] == [(5, line)]
    assert ("T101", 5) in [(finding.code, finding.line) for finding in check([match])]


@pytest.mark.parametrize(
    "line",
    [
        "left taks",
        "left: taks",
        "right thinks for two minutes",
        "left Cleo",
        "Right 8/5",
        "right: double",
    ],
)
def test_a_line_of_a_seat_below_rows_names_nobody(line: str) -> None:
    (match,) = read(f"{WHOLE}{line}\ngame 2\n")
    assert match.games[0].actions[-1] == Unread(Span(11, 1, len(line) + 1), None, None, line)
    assert match.names == ("Ann Lee", "Bob")


@pytest.mark.parametrize(
    ("line", "other"),
    [("length: 3", "length: 5"), ("left: Ann Lee", "left: Cleo"), ("producer: x", "producer: y")],
)
def test_of_two_lines_that_differ_the_last_counts_and_the_other_is_told(
    line: str, other: str
) -> None:
    text = f"bganalyze match\n{line}\n{{}}\ngame 1\nL 31 8/5 6/5\n"
    assert [
        [odd.text for odd in read(text.format(last))[0].oddities] for last in (line, other)
    ] == [
        [],
        [line],
    ]


def test_of_two_scores_that_differ_the_last_counts_and_the_other_is_told() -> None:
    (match,) = read(WHOLE.replace("score 1-0", "score 1-0\nscore 2-0"))
    assert match.games[0].actions[0] == Unread(Span(7, 1, 10), None, None, "score 1-0")


def test_prose_below_rows_is_a_comment() -> None:
    (match,) = read(f"{WHOLE}He was late for the next game.\n")
    assert match.games[0].actions[-1] == Comment(
        Span(11, 1, 31), None, "He was late for the next game."
    )


@pytest.mark.parametrize("name", ["66", "Takes", "Double", "31 8 5"])
def test_a_player_may_be_called_as_an_action(name: str) -> None:
    (match,) = read(WHOLE.replace("Ann Lee", name))
    assert match.names == (name, "Bob")


@pytest.mark.parametrize(
    ("line", "usual"),
    [
        ("R redoubles to 4", "R double 4"),
        ("R dbl", "R double"),
        ("R doubles => 2", "R double 2"),
        ("R accepts", "R take"),
        ("R 66 no move", "R 66 dance"),
        ("R 66 cannot move", "R 66 dance"),
        ("R wins 2 points", "R wins 2"),
        ("R wins 2 points and the match", "R wins 2 match"),
    ],
)
def test_other_words_say_the_same(line: str, usual: str) -> None:
    (_, one), (_, other) = (
        [
            action._replace(span=Span(1, 1, 1))
            for action in read_bytes(
                f"bganalyze match\ngame 1\nL 31 8/5 6/5\n{text}\n".encode(), "a.bgm"
            )[0]
            .games[0]
            .actions
        ]
        for text in (line, usual)
    )
    assert one == other


def test_a_score_may_say_that_this_is_the_crawford_game() -> None:
    text = "bganalyze match\nlength: 5\ngame 1\nscore 4-2 (Crawford)\nL 31 8/5 6/5\n"
    (match,) = read_bytes(text.encode(), "a.bgm")
    assert match.games[0].crawford is True


@pytest.mark.parametrize("text", ["31", "3-1"])
def test_dice_may_have_a_hyphen(text: str) -> None:
    assert _read_dice(text) == (3, 1)


def test_a_quotation_mark_in_a_text_has_a_backslash() -> None:
    assert bgm.unquote(r'"say \"hi\""') == 'say "hi"'
