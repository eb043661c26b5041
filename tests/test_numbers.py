"""Numbers that no match has, in every place of a text where there is a number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import pytest

from bganalyze.record.dates import date_of_match
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.tables.frames import tabulate
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests.fuzzing.binary import DOCUMENT, use

TOO_LONG = 10**5_000
"""A number with more digits than Python reads or writes."""

VALUES: tuple[Any, ...] = (
    *(-1, 0, 1_000, 999_999_999, 2**31, 2**63, 10**30, TOO_LONG),
    *(float("nan"), float("inf"), 1e300, "text", "", None, True, [], {}),
)

VALUES_A_PLACE = 2

MAT = """\
; [Player 1 "Ann"]
; [Player 2 "Bob"]
; [Player 1 Elo "<1600>.00/<10>"]
; [EventDate "<2023>.<05>.<06>"]
; [CubeLimit "<64>"]
; [ClockReserve "<720>"]

 <5> point match

 Game <1>
 Ann : <0>                         Bob : <0>
  <1>)                             <3>1: 8/5 6/5
  2)  Doubles => <2>                Takes
  3) 64: 24/14                   52: 13/8 24/22
      Wins <2> points
 Game 2
 Ann : <2>                         Bob : 0
  1)                             31: <8>/5 6/5
"""

BGM = """\
bganalyze match <1>
length: <5>
left: Ann
right: Bob
EventDate: <2023>-05-06
game <1>
score <0>-<0>
cube: <1>
board L 6(<5>) 8(3) 13(5) 24(2) R 6(5) 8(3) 13(5) 24(2)
L <31> 8/5 6/5
@{"seconds": <2>}
R double <2>
L take
R resigns <1>
L wins <2>
"""

SGF = """\
(;FF[<4>]GM[6]AP[GNU Backgammon:1.07]MI[length:<3>][game:<0>][ws:<0>][bs:<0>]PW[A]PB[B]DT[<2023>-01-02]
RU[Crawford]WR[<1600>.5 (exp 10)]RE[W+<2>]CV[<1>];W[<31>hefe]A[<0>][hefe E ver 3 0.55 0.17 0.01 0.12 0.01 0.<20> 2C 0 1 0.0 1]
LU[0.<15>];B[double]DA[E ver 3 2C 1 0.0 1 <0>.5 0.1 0.01 0.1 0.01 0.0 0.55 0.5 0.1 0.01 0.1 0.01 0.0 0.53];W[drop])
"""  # fmt: skip


def in_text(template: str) -> Iterator[bytes]:
    """Yield a record with values, in turn, in the place of each number in angle brackets."""
    pieces = template.replace("<", ">").split(">")
    values = cycle("9" * 5_000 if value == TOO_LONG else str(value) for value in VALUES)
    for place in range(1, len(pieces), 2):
        for value in islice(values, VALUES_A_PLACE):
            yield "".join((*pieces[:place], value, *pieces[place + 1 :])).encode()


RECORDS = {"mat": MAT, "bgm": BGM, "sgf": SGF}


@pytest.mark.slow
@pytest.mark.parametrize("known_as", list(RECORDS))
def test_no_number_ends_a_command(known_as: str) -> None:
    used = [use(data) for data in in_text(RECORDS[known_as])]
    assert any(used)


def read(text: str) -> Match:
    (match,) = read_bytes(text.encode(), "a.mat")
    return match


@pytest.mark.parametrize("year", ["0000", "0001", "1799", "2200", "9839"])
def test_a_date_of_another_age_is_named_and_ignored(year: str) -> None:
    match = read(
        f'; [EventDate "{year}.01.02"]\n 5 point match\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n'
    )
    (finding,) = [finding for finding in check([match]) if finding.code == "T116"]
    assert finding.message == f"no match was played on {year}.01.02: the date is ignored"
    assert (finding.line, date_of_match(match).day) == (1, None)
    assert tabulate([replay(match)]).matches["date"].isna().all()


def test_usual_dates_and_lengths_are_no_finding() -> None:
    for date in ("1931.01.02", "16/09/2023", "20231231", "17 May 2031", ""):
        match = read(
            f'; [EventDate "{date}"]\n 25 point match\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n'
        )
        assert "T116" not in {finding.code for finding in check([match])}


def test_a_match_to_a_million_points_is_named() -> None:
    match = read(" 1000000 point match\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n")
    messages = [finding.message for finding in check([match])]
    assert "no match is played to 1000000 points" in messages


def test_a_score_beyond_the_length_can_be_analyzed() -> None:
    text = write([replay(read_bytes(json.dumps(DOCUMENT).encode(), "a.gva")[0])], "bgm")
    changed = text.data.replace(b"score 0-0", b"score 7-0")
    assert changed != text.data
    assert use(changed)
