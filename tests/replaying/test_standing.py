"""The player-error rule, row by row of its table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bganalyze.law import BASIC, USBGF, WBF, Law
from tests.conftest import checked

ROWS_BEGIN = 5
"""The line of the first row under the usual header."""


def summary(text: str, law: Law = BASIC) -> list[tuple[str, int, str | None, str | None]]:
    """Code, line, standing and closing place of everything above info."""
    return [
        (f.code, f.line, f.standing and f.standing.value, f.closed_by)
        for f in checked(text, law)
        if f.severity != "info"
    ]


MOVEMENT_CASES = {
    "stands: the other side throws": (
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
    "open: a double is no throw": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
        """,
        [("P404", 5, "open", "end-of-record")],
    ),
    "open: neither a take nor a drop is a throw": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          2)  Drops
                                          Wins 1 point
        """,
        [("P404", 5, "open", "end-of-record")],
    ),
    "stands: the throw after a double and its take": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          2)  Takes                      65: 24/13
        """,
        [("P404", 5, "stands", "6:34")],
    ),
    "open: a resignation is no throw": (
        """
          1) 31: 8/5 6/4                  Resigns
              Wins 1 point
        """,
        [("P404", 5, "open", "end-of-record")],
    ),
    "stands: the first throw of the next game": (
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
    "stands: a play whose throw is not recorded": (
        """
          1) 31: 8/5 6/4                 24/18 13/8
        """,
        [("P404", 5, "stands", "5:34"), ("D304", 5, None, None)],
    ),
    "stands: a play whose throw cannot be read": (
        """
          1) 31: 8/5 6/4                 6x: 24/13
        """,
        [("P404", 5, "stands", "5:38"), ("T101", 5, None, None)],
    ),
    "open: a result reached by a drop stands, whatever is played after it": (
        """
          1) 31: 8/5 6/4                  Doubles => 2
          2)  Drops
          3) 31: 8/5 6/5                 65: 24/13
        """,
        [("P404", 5, "open", "end-of-record"), ("T106", 7, None, None)],
    ),
    "corrected: the same throw again in the next row": (
        """
          1) 31: 8/5 6/4
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("P404", 5, "corrected", "6:6")],
    ),
    "corrected: the same throw again in the same cell": (
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
    "too late: the other side has thrown": (
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


def test_shut_out_side_is_not_missed_and_the_next_throw_closes() -> None:
    # Right's home board, points 1 to 6, is closed; left has one checker on the bar.
    board = "aBBBBBB" + "-" * 5 + "C" + "-" * 13
    rows = (
        "  1)                             31: 12/9 12/10\n"
        "  2)                             64: 12/6 9/5\n"
    )
    found = from_position(board, rows)
    assert found == [("P404", 7, "stands", "8:34")]


def test_illegal_last_play_of_the_record_that_wins_is_contestable() -> None:
    board = "-A" + "-" * 22 + "c" + "-"
    found = from_position(board, "  1)                             31: 1/off\n")
    assert [code for code, *_ in found] == []
    board = "--A---A" + "-" * 17 + "c" + "-"
    found = from_position(board, "  1)                             31: 6/off 2/off\n")
    assert found == [
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


def test_a_hit_that_was_not_executed_is_the_hitting_play_s_error() -> None:
    rows = """
          1) 62: 24/18 13/11             64: 24/20 13/7*
          2) 42: 18/14 13/11             61: 8/7 13/7
          3) 31: 14/10                   52: 13/8 13/11
        """
    assert summary(rows) == [("P412", 5, "stands", "6:6")]


def test_a_double_closes_an_error_where_the_law_says_so() -> None:
    rows = """
          1) 31: 8/5 6/4                  Doubles => 2
        """
    law = replace(BASIC, stands_after="throw-or-double")
    assert summary(rows, law) == [("P404", 5, "stands", "5:35")]


def test_a_double_that_is_not_allowed_closes_nothing() -> None:
    text = """
         5 point match

         Game 1
         Ann : 4                         Bob : 0
        ; Crawford game
          1) 31: 8/5 6/4                  Doubles => 2
        """
    law = replace(BASIC, stands_after="throw-or-double")
    found = summary(text, law)
    assert ("P404", 6, "open", "end-of-record") in found
    assert [code for code, *_ in found] == ["P404", "C503"]


@pytest.mark.parametrize("law", [WBF, USBGF])
def test_tournament_laws_close_with_the_throw_too(law: Law) -> None:
    rows = """
          1) 31: 8/5 6/4                 65: 24/13
        """
    assert summary(rows, law) == [("P404", 5, "stands", "5:34")]
