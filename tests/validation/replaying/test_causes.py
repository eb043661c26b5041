"""One cause, one finding; and each cause its own."""

from __future__ import annotations

import pytest

from bganalyze.board.rule_book import BASIC
from tests.conftest import check_text

WINS_RIGHT = f"{' ' * 42}Wins {{}}"


def make_resigned_game(left: int, right: int, *ends: str) -> str:
    """Return a game that the right side gives up, as `ends` say, and the beginning of the next at a score."""
    end = "\n".join(ends)
    return f"""
         5 point match

         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2) 64: 24/14                    {end}

         Game 2
         Ann : {left}                         Bob : {right}
          1) 31: 8/5 6/5                 65: 24/13
        """


CASES = {
    "a second slip long after the first": (
        """
         3 point match

         Game 1
         Ann : 0                                     Bob : 0
          1)                                         51: 13/8 24/23
          2) 43: 24/20 13/10                         55: 6/1 6/1 8/3 8/3
          3) 44: bar/21 6/2 6/2 20/16                42: bar/21 24/22
          4) 31: 10/7 8/6                            42: 13/9 22/20
          5) 51: bar/20 21/20                        31: 9/6 21/20
          6) 65: 13/7 13/8                           21: 6/4 4/3
          7) 52: 8/3 6/4                             42: 20/15 16/14
          8) 55: 20/15 20/15 15/10 15/10             33: 14/11 11/8 8/5 8/5
          9) 22: 7/5 5/3 8/6 6/4                     21: bar/24 13/11
         10)  Doubles => 2                            Drops
         11)  Wins 1 point
        """,
        [("P404", 8), ("P401", 11)],
    ),
    "a double after the roll, taken": (
        """
          1) 31: 8/5 6/5                 65: 24/13  Doubles => 2
          2)  Takes
          3) 42: 8/4 6/4                 61: 13/7 8/7
        """,
        [("C502", 5)],
    ),
    "a double after a dance, taken": (
        """
          1) 31: 8/5 6/5                 64: 24/14
          2) 52: 13/11* 13/8             66: Cannot Move  Doubles => 2
          3)  Takes
          4) 42: 8/4 6/4                 61: bar/24 13/7
        """,
        [("C502", 6)],
    ),
    "a double after the roll, which is played after the take": (
        """
          1) 31: 8/5 6/5                 42: Doubles => 2
          2)  Takes                      42: 8/4 6/4
          3) 64: 24/14                   31: 24/23 13/10
        """,
        [("C502", 5)],
    ),
    "a dance that was not forced, with a double in its cell": (
        """
          1) 31: 8/5 6/5                 42: Cannot Move  Doubles => 2
          2)  Takes                      53: 8/3 6/3
          3) 64: 24/14                   31: 24/23 13/10
        """,
        [("P411", 5), ("C502", 5)],
    ),
    "a pass by the doubler: who won is open": (
        """
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2)  Doubles => 2
          3)  Drops                       Wins 1 point
        """,
        [("C506", 7)],
    ),
    "a pass by the doubler: so is whether the game ended": (
        """
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2)  Doubles => 2
          3)  Drops                      31: 24/23 13/10
          4) 64: 24/14
        """,
        [("C506", 7)],
    ),
    "a beaver and a raccoon in a match": (
        """
          1) 31: 8/5 6/5                  Doubles => 2
          2)  Beavers => 4                Raccoons => 8
          3)  Takes                      65: 24/13
        """,
        [("C508", 6)],
    ),
    "a roll written before each of its two steps": (
        """
          1) 31: 8/5 6/5                 42: 8/4 42: 6/4
          2) 64: 24/14                   31: 24/23 13/10
        """,
        [("D305", 5)],
    ),
    "two offers unanswered are two errors": (
        """
          1) 31: 8/5 6/5                  Doubles => 2
          2) 42: 8/4 6/4                 61: 13/7 8/7
          3) 21: 6/4 24/23                Doubles => 2
          4) 21: 24/23 6/4               65: 13/7 13/8
        """,
        [("C507", 6), ("C507", 8)],
    ),
    "a value that no state of the cube explains": (
        """
          1) 31: 8/5 6/5                  Doubles => 3
          2)  Takes                      65: 24/13
          3)  Doubles => 5                Takes
          4) 42: 8/4 6/4                 61: 13/7 8/7
        """,
        [("C505", 5), ("C505", 7)],
    ),
    "a cube owned by the other side, whatever its value": (
        """
          1) 31: 8/5 6/5                  Doubles => 8
          2)  Takes                      65: 24/13
          3) 42: 8/4 6/4                  Doubles => 4
          4)  Takes                      61: 13/7 8/7
        """,
        [("C505", 5), ("C501", 7)],
    ),
    "a dance spelled out that is none, at the end of the record": (
        """
          1) 31: 8/5 6/5                 65: 24/13
          2) 42: Cannot Move
        """,
        [("P411", 6)],
    ),
    "steps under a roll that was not made": (
        """
          1) 31: 8/5 6/5                 00: 24/13
          2) 42: 8/4 6/4
        """,
        [("D304", 5)],
    ),
    "a missing game": (
        """
         5 point match

         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                  Doubles => 2
          2)  Drops                       Wins 1 point

         Game 3
         Ann : 2                         Bob : 1
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("T104", 8)],
    ),
    "an illegal play in the turn after text behind an action": (
        """
          1) 31: 8/5 6/5 o/ps            42: 8/4 6/4
          2) 61: 24/18 13/12             61: 13/7 8/7
          3) 31: 24/23 13/10             31: 8/5 6/5
        """,
        [("T101", 5), ("P402", 6)],
    ),
    "an illegal play in the turn after text before an action": (
        """
          1) oops 31: 8/5 6/5            42: 8/4 6/4
          2) 61: 24/18 13/12             61: 13/7 8/7
          3) 31: 24/23 13/10             31: 8/5 6/5
        """,
        [("T101", 5), ("P402", 6)],
    ),
    "a take hidden by unreadable text": (
        """
          1) 31: 8/5 6/5                  Doubles => 2
          2)  Tazes                      65: 24/13
          3) 42: 8/4 6/4                 61: 13/7 8/7
        """,
        [("T101", 6)],
    ),
    "a double hidden by unreadable text": (
        """
          1) 31: 8/5 6/5                  Dubles => 2
          2)  Takes                      65: 24/13
          3) 42: 8/4 6/4                 61: 13/7 8/7
        """,
        [("T101", 5)],
    ),
    "a recorded board that shows what an illegal play really was": (
        """
          1) 31: 8/5 6/5                 65: 24/13
          2) 42: 8/4 6/3                 61: 13/7 8/7
        ; Set Pos=-b----EBB---eE---a-cbb--A-/0
          3) 31: 24/23 13/10             42: 8/4 6/4
        """,
        [("P404", 6)],
    ),
    "columns exchanged between games: the score follows by the names": (
        """
         5 point match

         Game 1
         Ann : 0                         Bob : 0
          1) 31: 8/5 6/5                  Doubles => 2
          2)  Drops                       Wins 1 point

         Game 2
         Bob : 1                         Ann : 0
          1) 31: 8/5 6/5                 65: 24/13
        """,
        [("T114", 9)],
    ),
    "a resignation written as a win of the loser": (
        make_resigned_game(1, 0, "Resigns", WINS_RIGHT.format("1 point")),
        [("R603", 7)],
    ),
    "points other than those resigned, in the result only": (
        make_resigned_game(2, 0, "Losses 2 points", "              Wins 1 point"),
        [("R602", 7)],
    ),
    "a resignation for nothing": (
        """
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2) 64: 24/14                    Resigns
              Wins 0 points
        """,
        [("R602", 7)],
    ),
    "a resignation named by its size": (
        """
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2) 64: 24/14                    Resigns gammon
              Wins 1 point
        """,
        [("R602", 7)],
    ),
    "a resignation whose points the next score does not show": (
        make_resigned_game(3, 0, "Resigns single"),
        [("R606", 6), ("R604", 9)],
    ),
    "a second result that contradicts the first": (
        make_resigned_game(
            0, 2, "Resigns", "              Wins 1 point", WINS_RIGHT.format("2 points")
        ),
        [("T106", 8)],
    ),
    "a result written twice": (
        """
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2) 64: 24/14                    Resigns
              Wins 1 point
              Wins 1 point
        """,
        [("R615", 8)],
    ),
    "the Crawford game, marked in a record that starts late": (
        """
         5 point match

         Game 1
         Ann : 4                         Bob : 0
        ; Crawford game
          1) 31: 8/5 6/5                  Doubles => 2
          2)  Drops                       Wins 1 point
        """,
        [("C503", 6)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_findings(name: str) -> None:
    text, expected = CASES[name]
    codes = [(f.code, f.line) for f in check_text(text) if f.severity != "info"]
    assert codes == expected


PLAYED_OUT = """
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2) 64: 24/15                   31: 24/23 8/5
          3) 31: {}                64: 24/18 13/9
          4) 42: 13/9 13/11              21: 22/20 6/5
        """
"""An illegal play of left's, and later a checker of right's where none is."""


@pytest.mark.parametrize("later", ["8/5 6/5  ", "15/14 6/3"])
def test_a_play_left_out_hides_only_what_follows_from_it(later: str) -> None:
    skipping = BASIC._replace(after_illegal="skip")
    findings = [f for f in check_text(PLAYED_OUT.format(later), skipping) if f.severity != "info"]
    assert [(f.code, f.line) for f in findings] == [("P404", 6), ("P401", 8)]
    assert (findings[0].consequences or 0) == later.startswith("15")


BAR_IGNORED = """
          1) 31: 8/5 6/5                 62: 24/18 13/11
          2) 61: 13/7* 8/7               64: 18/14 13/7
          3) 43: 24/20 24/21             62: 21/15 15/13
        """
"""Right seems to play a checker that was hit, which it enters in truth: a later play uses it."""


def test_no_hit_is_blamed_where_the_next_play_is_rather_miswritten() -> None:
    [error] = (found for found in check_text(BAR_IGNORED) if found.severity == "error")
    assert (error.code, error.line, error.reading) == ("P401", 6, "bar/21 13/7 instead")


OPENING = """
          1) {}                       61: 13/7* 8/7
          2) 63: bar/16                  52: 13/8 24/22
          3) 31: 8/5 6/5                 41: 24/23 13/9
        """


@pytest.mark.parametrize("cell", ["Takes", "Drops"])
def test_an_answer_may_stand_for_the_first_play_which_is_no_double(cell: str) -> None:
    [error] = (found for found in check_text(OPENING.format(cell)) if found.severity == "error")
    assert (error.code, error.line) == ("C506", 5)
    assert str(error.reading).endswith("24/18 supplied")
    rows = f"""
          1) {cell}                       33: 8/5 8/5 6/3 6/3
          2) 63: 24/15                   52: 13/8 24/22
        """
    found = [error for error in check_text(rows) if error.severity == "error"]
    assert [error.code for error in found] == ["C506"]
    reading = str(found[0].reading)
    assert reading == "None" or reading[0] != reading[1]


def test_nothing_is_checked_where_a_game_is_given_up() -> None:
    stopping = BASIC._replace(after_illegal="stop")
    findings = [
        f for f in check_text(PLAYED_OUT.format("8/5 6/5  "), stopping) if f.severity != "info"
    ]
    assert [(f.code, f.line) for f in findings] == [("P404", 6)]


def test_a_beaver_by_the_doubler_is_told_from_one_without_an_offer() -> None:
    doubled = """
          1) 31: 8/5 6/5                 65: 24/13
          2)  Doubles => 2
          3)  Beavers => 4
        """
    messages = [f.message for f in check_text(doubled) if f.code == "C502"]
    assert [message.partition(": ")[2] for message in messages] == [
        "only the other side may turn it again"
    ]


def test_a_score_that_is_not_known_is_not_named() -> None:
    rows = """
          1) 31: 8/5 6/5                 42: 8/4 6/4
          2) 64: 24/14                    Resigns
        """
    assert [f.message for f in check_text(rows)] == ["the record ends before the match is decided"]
    following = """
         Game 2
         Ann : 4                         Bob : 0
          1) 31: 8/5 6/5                 65: 24/13
        """
    (mismatch,) = (f for f in check_text(rows + following) if f.code == "R604")
    assert mismatch.message == (
        "the score is written 4-0, which does not follow from the game before"
    )


def test_a_marked_crawford_game_makes_the_double_an_error() -> None:
    text, _ = CASES["the Crawford game, marked in a record that starts late"]
    (double,) = (f for f in check_text(text) if f.code == "C503")
    assert double.severity == "error"


def test_a_corrected_play_keeps_no_reading() -> None:
    rows = """
          1) 31: 8/5 6/4
          1) 31: 8/5 8/6
          1) 31: 8/5 6/5                 65: 24/13
        """
    first = check_text(rows)[0]
    assert (first.standing, first.reading, first.consequences) == ("corrected", None, None)


def test_a_nackgammon_game_is_known_by_its_plays() -> None:
    rows = """
          1) 43: 23/20 24/20              21: 23/21 24/23
          2) 52: 23/21 13/8               32: 23/21 13/10
          3) 61: 24/23 13/7               65: 24/13
          4) 31: 8/5 6/5                  42: 8/4 6/4
        """
    findings = [f for f in check_text(rows) if f.severity != "info"]
    assert [f.code for f in findings][:1] == ["U206"]


@pytest.mark.parametrize(
    ("rows", "variant"),
    [
        ("  1) 43: 23/19 24/21              32: 23/18\n", "hypergammon-2"),
        ("  1) 64: 24/18 22/18              21: 22/20 23/22\n", "hypergammon-3"),
        (
            "  1) 43: 23/20 13/9               21: 23/21 8/7\n  2) 52: 13/8 24/22\n",
            "nackgammon",
        ),
    ],
)
def test_few_plays_show_a_variant_if_all_of_them_are_legal_in_it(rows: str, variant: str) -> None:
    (finding,) = (f for f in check_text(rows) if f.severity != "info")
    assert (finding.code, finding.message.endswith(variant)) == ("U206", True)


def test_a_single_illegal_play_shows_no_variant() -> None:
    for rows in ("  1) 43: 23/19 24/21", "  1) 43: 23/20 13/9               21: 13/11 6/5"):
        assert "U206" not in [finding.code for finding in check_text(rows)]
