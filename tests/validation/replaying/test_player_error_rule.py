"""The player-error rule, row by row of its table."""

from __future__ import annotations

import pytest

from bganalyze.board.rule_book import BASIC, USBGF, WBF, RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.conftest import check_text

ROWS_BEGIN = 5
"""The line of the first row under the usual header."""


def summary(
    text: str, rule_book: RuleBook = BASIC
) -> list[tuple[str, int, str | None, str | None]]:
    """Code, line, standing and closing place of everything above info."""
    return [
        (f.code, f.line, f.standing and f.standing.value, f.closed_by)
        for f in check_text(text, rule_book)
        if f.severity != "info"
    ]


MOVEMENT_CASES = {
    "stands: the other side rolls": (
        """
          1) 31: 8/5 6/4                 65: 24/13
        """,
        [("P404", 5, "stands", "5:34")],
    ),
    "open: nothing follows": (
        """
          1) 31: 8/5 6/4
        """,
        [("P404", 5, "open", "end-of-record")],
    ),
    "open: a double is no roll": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
        """,
        [("P404", 5, "open", "end-of-record")],
    ),
    "open: neither a take nor a pass is a roll": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          2)  Drops
                                          Wins 1 point
        """,
        [("P404", 5, "open", "end-of-record")],
    ),
    "stands: the roll after a double and its take": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          2)  Takes                      65: 24/13
        """,
        [("P404", 5, "stands", "6:34")],
    ),
    "open: a resignation is no roll": (
        """
          1) 31: 8/5 6/4                  Resigns
              Wins 1 point
        """,
        [("P404", 5, "open", "end-of-record")],
    ),
    "stands: the first roll of the next game": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          2)  Drops
                                          Wins 1 point

         Game 2
         Ann : 0                         Bob : 1
          1) 31: 8/5 6/5
        """,
        [("P404", 5, "stands", "11:6")],
    ),
    "stands: a play whose roll is not recorded": (
        """
          1) 31: 8/5 6/4                 24/18 13/8
        """,
        [("P404", 5, "stands", "5:34"), ("D304", 5, None, None)],
    ),
    "stands: a play whose roll cannot be read": (
        """
          1) 31: 8/5 6/4                 6x: 24/13
        """,
        [("P404", 5, "stands", "5:38"), ("T101", 5, None, None)],
    ),
    "open: a result reached by a pass stands, whatever is played after it": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          2)  Drops
          3) 31: 8/5 6/5                 65: 24/13
        """,
        [("P404", 5, "open", "end-of-record"), ("T106", 7, None, None)],
    ),
    "corrected: the same roll again in the next row": (
        """
          1) 31: 8/5 6/4
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("P404", 5, "corrected", "6:6")],
    ),
    "corrected: the same roll again in the same cell": (
        """
          1) 31: 8/5 6/4 31: 8/5 6/5     65: 24/13
        """,
        [("P404", 5, "corrected", "5:18")],
    ),
    "corrected: the dice in the other order": (
        """
          1) 31: 8/5 6/4
          1) 13: 8/5 6/5                 65: 24/13
        """,
        [("P404", 5, "corrected", "6:6")],
    ),
    "corrected: after a double that was not answered yet": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          1) 31: 8/5 6/5                  Doubles => 2
          2)  Takes                      65: 24/13
        """,
        [("P404", 5, "corrected", "6:6")],
    ),
    "an illegal correction is an error of its own": (
        """
          1) 31: 8/5 6/4
          1) 31: 8/5 8/6                 65: 24/13
        """,
        [("P404", 5, "corrected", "6:6"), ("P404", 6, "stands", "6:34")],
    ),
    "too late: the other side has rolled": (
        """
          1) 31: 8/5 6/4                 65: 24/13
          2) 31: 8/5 6/4                 65: 13/7 13/8
        """,
        [("P404", 5, "stands", "5:34"), ("P404", 6, "stands", "6:34")],
    ),
    "a turn recorded twice is no correction": (
        """
          1) 31: 8/5 6/5
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("T118", 6, None, None)],
    ),
    "errors in a row stand or fall each by itself": (
        """
          1) 31: 8/5 6/4                 65: 24/14
          2) 42: 8/4                     61: 13/7 8/6
        """,
        [
            ("P404", 5, "stands", "5:34"),
            ("P404", 5, "stands", "6:6"),
            ("P409", 6, "stands", "6:34"),
            ("P404", 6, "open", "end-of-record"),
        ],
    ),
    "one of two errors in a row corrected": (
        """
          1) 31: 8/5 6/4
          1) 31: 8/5 6/5                 65: 24/14
          2) 42: 8/4 6/4
        """,
        [("P404", 5, "corrected", "6:6"), ("P404", 6, "stands", "7:6")],
    ),
    "a dance that is none": (
        """
          1) 31: 8/5 6/5                 65:
          2) 42: 8/4 6/4
        """,
        [("P411", 5, "stands", "6:6")],
    ),
    "a play that the record calls illegal": (
        """
          1) 31: 8/5 6/5                 65: 24/14 ILLEGAL?
          2) 42: 8/4 6/4
        """,
        [("P499", 5, "stands", "6:6")],
    ),
}


@pytest.mark.parametrize("name", MOVEMENT_CASES)
def test_movement(name: str) -> None:
    text, expected = MOVEMENT_CASES[name]
    assert summary(text) == expected


SET_UP_CASES = {
    "open: nobody has played": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
        """,
        [("U201", 5, "open", "end-of-record")],
    ),
    "open: only one side has played": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
          1) 31: 8/5 6/5
        """,
        [("U201", 5, "open", "end-of-record")],
    ),
    "open: a double is no play": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
          1) 31: 8/5 6/5                  Doubles => 2
        """,
        [("U201", 5, "open", "end-of-record")],
    ),
    "stands: the second play is made": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("U201", 5, "stands", "6:34")],
    ),
    "corrected before the first play": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
        ; Set Pos=-b----E-C---eE---c-e----B-/0
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("U201", 5, "corrected", "6:1")],
    ),
    "corrected before the second play, the first one played again": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
          1) 31: 8/5 6/5
        ; Set Pos=-b----E-C---eE---c-e----B-/0
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("U201", 5, "corrected", "7:1")],
    ),
    "corrected before the second play, the first one kept": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
          1) 31: 8/5 6/5
        ; Set Pos=-b----E-C---eE---b-db---B-/0
          1)                             65: 24/13
        """,
        [("U201", 5, "corrected", "7:1")],
    ),
    "a wrong correction is an error of its own": (
        """
        ; Set Pos=-b----E-C---eD---c-e---AB-/0
        ; Set Pos=-b----E-C---eE---c-d---aB-/0
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("U201", 5, "corrected", "6:1"), ("U201", 6, "stands", "7:34")],
    ),
    "too few checkers": (
        """
        ; Set Pos=-b----E-C---eD---c-e----B-/0
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("U202", 5, "stands", "6:34")],
    ),
}


@pytest.mark.parametrize("name", SET_UP_CASES)
def test_set_up(name: str) -> None:
    text, expected = SET_UP_CASES[name]
    assert summary(text) == expected


POSITION = """\
; [Position "from a set-up"]
 5 point match

 Game 1
 Ann : 0                         Bob : 0
; Set Pos={board}/0
"""


def from_position(board: str, rows: str) -> list[tuple[str, int, str | None, str | None]]:
    return summary(POSITION.format(board=board) + rows)


def test_shut_out_side_is_not_missed_and_the_next_roll_closes() -> None:
    # Right's home board, points 1 to 6, is closed; left has one checker on the bar.
    board = "aBBBBBB" + "-" * 5 + "C" + "-" * 13
    rows = (
        "  1)                             31: 12/9 12/10\n"
        "  2)                             64: 12/6 9/5\n"
    )
    findings = from_position(board, rows)
    assert findings == [("P404", 7, "stands", "8:34")]


def test_illegal_last_play_of_the_record_that_wins_is_contestable() -> None:
    board = "-A" + "-" * 22 + "c" + "-"
    findings = from_position(board, "  1)                             31: 1/off\n")
    assert [code for code, *_ in findings] == []
    board = "--A---A" + "-" * 17 + "c" + "-"
    findings = from_position(board, "  1)                             31: 6/off 2/off\n")
    assert findings == [
        ("R614", 7, None, None),
        ("P404", 7, "open", "end-of-record"),
    ]


def test_a_won_game_followed_by_another_is_not_contestable() -> None:
    board = "--A---A" + "-" * 17 + "c" + "-"
    rows = (
        "  1)                             31: 6/off 2/off\n"
        "                                  Wins 1 point\n\n"
        " Game 2\n"
        " Ann : 0                         Bob : 1\n"
        "  1) 31: 8/5 6/5\n"
    )
    assert from_position(board, rows) == [("P404", 7, "stands", "12:6")]


WINS_ILLEGALLY = "  1)                             31: 6/off 2/off\n"
"""Right has checkers on its 6 point and its 2 point only, and a 3 bears off neither."""


@pytest.mark.parametrize(
    ("rows", "findings"),
    [
        (
            "  2)                             31: 6/3 2/1\n",
            [("P404", 7, "corrected", "8:34")],
        ),
        (
            (
                "  2)                             13: 6/3 2/1\n"
                "  3) 31: 1/off 1/off             64: 3/off 1/off\n"
                "                                  Wins 1 point\n"
            ),
            [("P404", 7, "corrected", "8:34")],
        ),
        (
            "  2)                             31: 6/3 1/off\n",
            [("P404", 7, "corrected", "8:34"), ("P401", 8, "open", "end-of-record")],
        ),
        (
            "  2)                             64: 6/off 2/off\n",
            [("P404", 7, "stands", "8:34"), ("T105", 8, None, None)],
        ),
        (
            (
                "                                  Wins 1 point\n"
                "  2)                             31: 6/3 2/1\n"
            ),
            [("P404", 7, "stands", "9:34"), ("T106", 9, None, None)],
        ),
    ],
)
def test_an_illegal_play_that_wins_may_be_corrected(
    rows: str, findings: list[tuple[str, int, str | None, str | None]]
) -> None:
    board = "--A---A" + "-" * 17 + "c" + "-"
    assert from_position(board, WINS_ILLEGALLY + rows) == findings


def test_an_illegal_play_that_wins_may_be_corrected_in_other_formats() -> None:
    board = "board L 1(3) R 6 2 turn R"
    text = f"bganalyze match\nlength: 5\nPosition: late\n\ngame 1\n{board}\nR 31 6/off 2/off\nR 31 6/3 2/1\n"
    read = read_bytes(text.encode(), "a.bgm")
    for known_as in ("bgm", "mat", "sgf", "json"):
        data = write([replay(match) for match in read], known_as).data
        matches = read_bytes(data, "again")
        findings = [finding for finding in check(matches) if finding.severity != "info"]
        assert [(f.code, f.standing) for f in findings] == [("P404", "corrected")]


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ("L take\nR 63 24/15\nL double\nR take", ["P404"]),
        ("L take\nR 63 24/15\nL 31 8/5 6/5\nR double 4\nL take", ["P404"]),
        ("L pass\nR wins 1", ["P404"]),
        ("R 63 24/15", ["P404"]),
        ("L take\nR 63 24/15\nL take", ["P404", "C506"]),
    ],
)
def test_an_answer_to_a_double_that_a_correction_made_void_is_no_fault(
    answer: str, codes: list[str]
) -> None:
    text = (
        "bganalyze match\nlength: 5\n\ngame 1\nL 31 8/5 6/5\nR 52 13/8 24/22\n"
        f"L 42 8/4 6/3\nR double\nL 42 8/4 6/4\n{answer}\n"
    )
    findings = check(read_bytes(text.encode(), "a.bgm"))
    assert [finding.code for finding in findings if finding.severity != "info"] == codes


LATE = """\
bganalyze match
length: 5

game 1
{start}L 31 8/5 6/5
R 52 13/8 24/22
L 42 8/4 6/3
R double
L 42 8/4 6/4
L take
R 63 24/15
"""


def late(start: str, rule_book: RuleBook) -> list[tuple[str, str | None, str | None]]:
    findings = check(read_bytes(LATE.format(start=start).encode(), "a.bgm"), rule_book)
    return [(f.code, f.standing, f.closed_by) for f in findings if f.severity != "info"]


def test_a_correction_after_the_double_that_closes_the_error_comes_too_late() -> None:
    rule_book = BASIC._replace(stands_after="roll-or-double")
    assert late("score 0-0\n", rule_book) == [("P404", "stands", "9:3")]
    assert late("score 0-0\n", BASIC) == [("P404", "corrected", "10:3")]


def test_a_double_that_is_not_allowed_does_not_make_a_correction_late() -> None:
    rule_book = BASIC._replace(stands_after="roll-or-double")
    findings = late("score 4-0\ncrawford: yes\n", rule_book)
    assert findings == [("P404", "corrected", "11:3"), ("C503", None, None)]


def test_a_hit_that_was_not_executed_is_the_hitting_play_s_error() -> None:
    rows = """
          1) 62: 24/18 13/11             64: 24/20 13/7*
          2) 42: 18/14 13/11             61: 8/7 13/7
          3) 31: 14/10                   52: 13/8 13/11
        """
    assert summary(rows) == [("P412", 5, "stands", "6:6")]


@pytest.mark.parametrize(
    "later",
    [
        pytest.param(("61: 13/7* 8/7", "52: bar/23 13/8"), id="hit-again"),
        pytest.param(("61: 8/2 3/2", "32: 18/16 13/10"), id="moved-later"),
    ],
)
def test_a_hit_checker_may_be_left_on_the_board_for_longer(later: tuple[str, str]) -> None:
    again, moved = later
    rows = f"""
          1) 62: 24/18 13/11             64: 13/7*/3
          2) 31: 8/5 6/5                 {again}
          3) {moved}
        """
    assert summary(rows) == [("P412", 5, "stands", "6:6")]


def test_a_turn_played_twice_is_no_copy_where_only_both_fit() -> None:
    rows = """
          1) 31: 8/5 6/5                 21: 13/11 6/5
          2)                             21: 13/11 6/5
          3) 42: 8/4 6/4                 63: 11/5 11/8
        """
    assert summary(rows) == [("T105", 6, None, None)]


def test_a_checker_that_enters_later_was_on_the_bar() -> None:
    rows = """
          1) 62: 24/18 13/11             64: 13/7*/3
          2) 31: 8/5 6/5                 61: 8/2 3/2
          3) 52: bar/23 13/8
        """
    assert summary(rows) == [("P406", 6, "stands", "6:34")]


def test_a_double_closes_an_error_where_the_rule_book_says_so() -> None:
    rows = """
          1) 31: 8/5 6/4                  Doubles => 2
        """
    rule_book = BASIC._replace(stands_after="roll-or-double")
    assert summary(rows, rule_book) == [("P404", 5, "stands", "5:35")]


def test_a_double_that_is_not_allowed_closes_nothing() -> None:
    text = """
         5 point match

         Game 1
         Ann : 4                         Bob : 0
        ; Crawford game
          1) 31: 8/5 6/4                  Doubles => 2
        """
    rule_book = BASIC._replace(stands_after="roll-or-double")
    findings = summary(text, rule_book)
    assert ("P404", 6, "open", "end-of-record") in findings
    assert [code for code, *_ in findings] == ["P404", "C503"]


@pytest.mark.parametrize("rule_book", [WBF, USBGF])
def test_tournament_rule_books_close_with_the_roll_too(rule_book: RuleBook) -> None:
    rows = """
          1) 31: 8/5 6/4                 65: 24/13
        """
    assert summary(rows, rule_book) == [("P404", 5, "stands", "5:34")]
