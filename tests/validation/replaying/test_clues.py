"""Evidence for one reading or the other of an error that contradicts its own record."""

from __future__ import annotations

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Severity
from bganalyze.validation.rules.words import describe_evidence
from tests.repairing.transcripts import record, row

LOST = """ 5 point match
 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Drops                        Wins {points}
 Game 2
 Ann : 0                         Bob : {first}
  1) 52: 13/8 13/11                 Doubles => 2
  2)  Drops                        Wins 1 point
 Game 3
 Ann : 0                         Bob : {second}
  1) 52: 13/8 13/11                43: 13/10 13/9
"""


def find_evidence(data: bytes, code: str) -> list[tuple[int, str]]:
    """Return the evidence for one reading of the only error of a code, with its lines."""
    findings = check(read_bytes(data, "a.mat"))
    [error] = [one for one in findings if one.code == code and one.severity is Severity.ERROR]
    assert error.evidence is not None
    return [(one.line, one.what) for one in error.evidence.by if one.code is None]


def make_lost_game(first: int, second: int, points: str = "1 point") -> bytes:
    """Three games with these scores of the second and of the third."""
    return LOST.format(first=first, second=second, points=points).encode()


def test_the_result_before_a_score_and_the_next_score_speak_for_another() -> None:
    assert find_evidence(make_lost_game(first=3, second=2), "R604") == [
        (5, "Wins 1 point (with this result the score is 0-1)"),
        (11, "Ann : 0 Bob : 2 (the next score, 0-2, goes on from 0-1)"),
    ]


def test_the_next_score_may_carry_a_wrong_score_on() -> None:
    assert find_evidence(make_lost_game(first=3, second=4), "R604")[1:] == [
        (11, "Ann : 0 Bob : 4 (the next score, 0-4, goes on from 0-3)"),
    ]


@pytest.mark.parametrize(("points", "code"), [("3 points", "R602"), ("65 points", "T116")])
def test_the_end_of_a_game_and_the_next_score_speak_against_a_result(
    points: str, code: str
) -> None:
    assert find_evidence(make_lost_game(first=1, second=2, points=points), code) == [
        (5, "Drops (Bob has won 1 point by the board and the cube here)"),
        (7, "Ann : 0 Bob : 1 (the next score, 0-1, gives Bob 1 point)"),
    ]


@pytest.mark.parametrize(("cell", "code"), [("37: 24/21 13/6", "D301"), ("24/21 13/6", "D304")])
def test_the_steps_speak_for_the_dice(cell: str, code: str) -> None:
    data = record(row("31: 8/5 6/5", cell), row("31: 24/23 13/10"))
    assert find_evidence(data, code) == [(5, f"{cell} (its steps move by 3, 7)")]


def test_what_follows_an_answer_speaks_for_its_double() -> None:
    data = record(row("31: 8/5 6/5", "Takes"), row("61: 13/7 8/7"), row("  Wins 1 point"))
    assert find_evidence(data, "C506") == [
        (6, "61: 13/7 8/7 (the game goes on, so no double was passed)"),
        (7, "Wins 1 point (an odd number of points: no double was taken, or one was passed)"),
    ]


def test_a_later_double_speaks_for_the_cube_before() -> None:
    data = record(
        row("31: 8/5 6/5", "Doubles => 2"),
        row("61: 13/7 8/7", "64: 24/14"),
        row("Doubles => 4", "Drops"),
    )
    assert (7, "Doubles => 4 (then the cube was at 2 before)") in find_evidence(data, "C507")


def test_an_answer_speaks_for_a_double_that_cannot_be_read() -> None:
    data = record(row("31: 8/5 6/5", "Doubexls => 2"), row("Takes", "61: 13/7 8/7"))
    assert find_evidence(data, "T101") == [(6, "Takes (an answer, so a double comes before it)")]


def test_the_game_before_speaks_for_a_header() -> None:
    header = " Game 2\n Ann : 0                         Bob : 1\n"
    data = make_lost_game(first=1, second=2).replace(header.encode(), b"")
    assert find_evidence(data, "T120") == [(5, "Wins 1 point (the game before ends here)")]


def test_people_are_told_as_well() -> None:
    [error] = [
        one
        for one in check(read_bytes(make_lost_game(first=3, second=2), "a.mat"))
        if one.severity is Severity.ERROR
    ]
    [(label, words)] = describe_evidence(error)
    assert label == "the record also says"
    assert words.startswith("line 5, Wins 1 point (with this result the score is 0-1); line 11,")
