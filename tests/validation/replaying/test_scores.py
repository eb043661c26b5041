"""A wrong score, name or length: the likeliest single cause is the one finding."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from tests.conftest import check_text

CLEAN = Path(__file__).parents[3] / "samples" / "clean"

Score = tuple[int, int]


def record(length: int, *games: tuple[str, Score, str, int]) -> str:
    """Return a match of games given up: the names, the score, the winner and the points.

    The score line of the first is line 4; every further game takes six lines.
    """
    lines = [f" {length} point match", ""]
    for number, ((left, right), score, winner, points) in enumerate(games, 1):
        wins = f"Wins {points} point{'s' if points > 1 else ''}"
        lines += [
            f" Game {number}",
            f" {left} : {score[0]}".ljust(34) + f"{right} : {score[1]}",
            "  1) 31: 8/5 6/5                  42: 8/4 6/4",
            "  2) 61: 13/7 8/7                 31: 6/5 24/21",
            f"{'':6}{wins}" if winner == "L" else f"{'':34}{wins}",
            "",
        ]
    return "\n".join(lines)


AB, BA, AC = "AB", "BA", "AC"

CASES = {
    "nothing": (record(7, (AB, (0, 0), "L", 1), (AB, (1, 0), "R", 2), (AB, (1, 2), "L", 1)), []),
    "a score too high, which reaches the length": (
        record(3, (AB, (0, 0), "R", 1), (AB, (0, 3), "L", 2)),
        [("R604", 10)],
    ),
    "the same, and carried on to the end": (
        record(5, (AB, (0, 0), "R", 1), (AB, (0, 3), "R", 2), (AB, (0, 5), "R", 1)),
        [("R604", 10)],
    ),
    "the first score line": (
        record(7, (AB, (0, 1), "R", 1), (AB, (0, 1), "L", 2)),
        [("R604", 4)],
    ),
    "the first score line, too high by two": (
        record(7, (AB, (2, 0), "R", 2), (AB, (0, 2), "L", 2), (AB, (2, 2), "L", 1)),
        [("R604", 4)],
    ),
    "a score in the middle": (
        record(7, (AB, (0, 0), "R", 1), (AB, (0, 2), "L", 2), (AB, (2, 1), "L", 1)),
        [("R604", 10)],
    ),
    "names in each other's place once": (
        record(7, (AB, (0, 0), "R", 1), (BA, (0, 1), "L", 2), (AB, (2, 1), "L", 1)),
        [("T114", 10)],
    ),
    "the same at 1-1": (
        record(
            7,
            (AB, (0, 0), "R", 1),
            (AB, (0, 1), "L", 1),
            (BA, (1, 1), "R", 2),
            (AB, (1, 3), "L", 1),
        ),
        [("T114", 16)],
    ),
    "a name mistyped once": (
        record(7, (AB, (0, 0), "R", 1), (AC, (0, 1), "L", 2), (AB, (2, 1), "L", 1)),
        [("T114", 10)],
    ),
    "columns exchanged from a game on": (
        record(7, (AB, (0, 0), "R", 1), (BA, (1, 0), "L", 2), (BA, (3, 0), "L", 1)),
        [("T114", 10)],
    ),
    "a length typed too low": (
        record(
            3,
            (AB, (0, 0), "R", 2),
            (AB, (0, 2), "L", 2),
            (AB, (2, 2), "L", 2),
            (AB, (4, 2), "L", 1),
        ),
        [("R605", 1)],
    ),
    "a length typed too low, the match decided in the next game": (
        record(3, (AB, (0, 0), "R", 2), (AB, (0, 2), "R", 2), (AB, (0, 4), "R", 1)),
        [("R605", 1)],
    ),
    "one game more than the match has": (
        record(3, (AB, (0, 0), "R", 1), (AB, (0, 1), "R", 2), (AB, (0, 3), "R", 1)),
        [("R605", 15)],
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=list(CASES))
def test_the_likeliest_cause_is_the_finding(text: str, expected: list[tuple[str, int]]) -> None:
    findings = [
        (finding.code, finding.line) for finding in check_text(text) if finding.severity != "info"
    ]
    assert findings == expected


READINGS = {
    "a pass written as a take": (
        """
          1) 31: 8/5 6/5                  42: 8/4 6/4
          2)  Doubles => 2                 Takes
              Wins 1 point
        """,
        ("R602", "the take a pass"),
    ),
    "a second pass written as a take": (
        """
          1) 31: 8/5 6/5                  42: 8/4 6/4
          2)  Doubles => 2                 Takes
          3) 64: 24/14                     Doubles => 4
          4)  Takes
                                           Wins 2 points
        """,
        ("R602", "the take a pass"),
    ),
    "a double and its take lost": (
        """
          1) 31: 8/5 6/5                  42: 8/4 6/4
          2) 61: 13/7 8/7                 31: 6/5 24/21
              Wins 4 points
        """,
        ("R602", "a double and its take supplied"),
    ),
    "points of no cube": (
        """
          1) 31: 8/5 6/5                  42: 8/4 6/4
          2) 61: 13/7 8/7                 31: 6/5 24/21
              Wins 7 points
        """,
        ("R602", None),
    ),
}


@pytest.mark.parametrize(("rows", "expected"), READINGS.values(), ids=list(READINGS))
def test_wrong_points_name_a_slip_with_the_cube(
    rows: str, expected: tuple[str, str | None]
) -> None:
    text = " 25 point match\n Game 1\n Ann : 0                         Bob : 0\n"
    findings = check_text(text + rows.replace("\n        ", "\n").lstrip("\n"))
    assert [
        (finding.code, finding.reading) for finding in findings if finding.severity == "error"
    ] == [expected]


AFTER_BEARING_OFF = """\
; [Position "Ann has one checker off; Bob has two on 6 and two on 2"]
 9 point match
 Game 1
 Ann : 0                         Bob : 0
; Set Pos=--B---B-----------gg------/0
  1) 31: 7/4 6/5                   61: 6/off 2/1
"""


@pytest.mark.parametrize(
    ("end", "codes"),
    [
        (" " * 35 + "Wins 1 point\n", []),
        (" " * 35 + "Wins 2 points\n", ["R602"]),
        (" " * 35 + "Wins 3 points\n", ["R602"]),
        ("  2)  Resigns gammon               Wins 2 points\n", []),
    ],
)
def test_no_gammon_is_lost_with_a_checker_off(end: str, codes: list[str]) -> None:
    findings = check_text(AFTER_BEARING_OFF + end)
    assert [finding.code for finding in findings if finding.severity == "error"] == codes


def eleven_points(change: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return code and message of findings above info in a changed sample."""
    text = change((CLEAN / "eleven-point.mat").read_text(encoding="utf-8"))
    findings = check(read_bytes(text.encode(), "a.mat"))
    return [(finding.code, finding.message) for finding in findings if finding.severity != "info"]


def with_scores_one_higher(text: str) -> str:
    first, second, *further = re.split(r"(?m)(?=^ Game )", text)[1:]
    higher = (
        re.sub(r"Fenn : ([0-9]+)", lambda score: f"Fenn : {int(score[1]) + 1}", game)
        for game in further
    )
    return " 11 point match\n\n" + "".join((first, second, *higher))


def test_a_wrong_score_that_is_carried_on_ends_no_match() -> None:
    assert [code for code, _ in eleven_points(with_scores_one_higher)] == ["R604"]


def test_a_game_that_stands_twice_is_told_once() -> None:
    def double_rows(text: str) -> str:
        head, first, second, *further = re.split(r"(?m)(?=^ Game )", text)
        return "".join((head, first, second, second, *further))

    assert [code for code, _ in eleven_points(double_rows)] == ["T104"]


def test_a_mistyped_number_of_a_game_is_told_once() -> None:
    message = "game 3 is between games 1 and 3: its number is wrong"
    assert eleven_points(lambda text: text.replace(" Game 2\n", " Game 3\n")) == [("T104", message)]


def test_a_lost_result_is_named_where_the_score_goes_on() -> None:
    message = "the score is written 0-2, but the game before it, at 0-0, has no result"
    findings = eleven_points(lambda text: re.sub(r"(?m)^ +Wins 2 points?\s*\n", "", text, count=1))
    assert findings == [("R604", message)]
