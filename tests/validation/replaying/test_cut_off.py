"""Files whose beginning is cut off."""

from __future__ import annotations

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.outcomes import outcome_of

PARTIAL = """\
  7) 62: 24/18 13/11              31: 8/5* 6/5
  8) 64: bar/21 24/18             55: 8/3(2) 6/1(2)
  9) 43: 24/20 13/10              Doubles => 2
 10)  Takes                       65: 20/9
                                  Wins 2 points

"""

LATER = """\
 Game 3
 Ann : 4                         Bob : 3
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Drops                       Wins 1 point

 Game 4
 Ann : 4                         Bob : 4
  1) 31: 8/5 6/5                  62: 24/18 13/11
"""


def errors(text: str) -> list[Finding]:
    found = check(read_bytes(text.encode(), "a.mat"))
    return [finding for finding in found if finding.severity == "error"]


def codes(text: str) -> list[str]:
    return [finding.code for finding in errors(text)]


def test_what_the_rows_before_would_tell_follows_from_their_loss() -> None:
    (cut_off,) = errors(PARTIAL + LATER)
    assert cut_off.code == "T120"
    assert "the file begins at row 7 of a game" in cut_off.message
    assert cut_off.consequences
    assert cut_off.evidence is not None
    assert {conflict.line for conflict in cut_off.evidence.by} > {1}


def test_no_score_is_compared_with_a_game_that_is_cut_off() -> None:
    assert codes((PARTIAL + LATER).replace("Ann : 4", "Ann : 0")) == ["T120"]
    later = LATER.replace("Bob : 4", "Bob : 5")
    assert codes(PARTIAL + later) == ["T120", "R604"]


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (PARTIAL + LATER, (4, 1)),
        (PARTIAL.replace("Wins 2 points", "") + LATER, None),
        (PARTIAL.replace("Wins 2", "Wins 4") + LATER, None),
        (PARTIAL, None),
    ],
)
def test_the_score_of_its_first_game_is_what_the_next_score_and_the_result_tell(
    text: str, before: tuple[int, int] | None
) -> None:
    replayed = replay(read_bytes(text.encode(), "a.mat")[0])
    assert outcome_of(replayed).before == before
    assert replayed.games[0].context.score == (before or (0, 0))


def test_an_error_on_any_board_stands_for_itself() -> None:
    assert codes(PARTIAL.replace("62: 24/18", "92: 24/18") + LATER) == ["T120", "D301"]
    assert codes(PARTIAL.replace("20/9", "20/8(9)") + LATER) == ["T120", "T101"]
    assert codes(PARTIAL.replace("6/5\n", "6/4\n", 1) + LATER) == ["T120", "P404"]


def test_the_only_game_may_be_cut_off_as_well() -> None:
    assert codes(PARTIAL) == ["T120"]


def test_what_only_the_lost_action_before_the_first_decides_follows_from_its_loss() -> None:
    assert codes("  7)  Takes                         62: 24/18 13/11\n" + LATER) == ["T120"]


def test_rows_from_the_first_are_checked_from_the_start() -> None:
    renumbered = PARTIAL.replace("  7)", "  1)").replace("  8)", "  2)").replace("  9)", "  3)")
    assert len(codes(renumbered.replace(" 10)", "  4)") + LATER)) > 1


def test_a_game_with_its_header_keeps_its_score() -> None:
    header = " Game 2\n Ann : 4                         Bob : 0\n"
    assert codes(header + PARTIAL + LATER)[-1] == "R604"


def test_no_header_is_made_up_for_a_file_that_is_cut_off() -> None:
    assert find_repairs_in_file((PARTIAL + LATER).encode(), "a.mat") == []


FIBS = """\
X: (6 6) 24-18 13-7 13-7 13-7
O: (3 1) 17-18* 17-20
X: (5 4) bar-21 21-16*
O: (6 2) bar-2 12-18
X: doubles
O: rejects
X: wins 1 point

Score is 2-1 in a 7 point match.
ann is X - bob is O
O: (6 2) 1-7 12-14
X: doubles
O: rejects
X: wins 1 point
"""


def test_plays_that_fit_no_game_from_its_start_tell_where_no_row_is_numbered() -> None:
    (cut_off,) = errors(FIBS)
    assert "the file begins in the middle of a game" in cut_off.message
    assert cut_off.consequences
    for lines in (1, 2, 3):
        assert codes(FIBS.split("\n", lines)[lines]) == ["T120"]


def test_so_they_do_where_one_line_tells_all_of_a_game() -> None:
    plays = "1 r 5-4 bar/21 21/16\n2 r 6-2 bar/2 12/18\n1 d 2 0\n"
    line = "i 1936773000 Ann Bob 7 1 2 0 0 0\n"
    (cut_off,) = errors(f"{plays}{line}2 r 6-2 1/7 12/14\n")
    assert "the file begins in the middle of a game" in cut_off.message


def test_a_single_error_does_not_where_only_the_header_is_lost() -> None:
    text = "X: (3 1) 8-5 6-5\nO: (6 2) 1-7 12-15\n" + FIBS.split("\n", 4)[4]
    assert codes(text.replace("2-1 in", "1-0 in")) == ["T120", "P404"]
    text = text.replace("12-15", "3-5 1-7")
    assert codes(text.replace("2-1 in", "1-0 in")) == ["T120", "P401"]


def test_two_errors_do_where_the_first_row_is_legal() -> None:
    rows = "X: (3 1) 8-5 6-5\nO: (6 2) 1-7 12-14\nX: (5 4) 17-12 24-20\nO: (6 2) 3-5 1-7\n"
    (cut_off,) = errors((rows + FIBS.split("\n", 4)[4]).replace("2-1 in", "1-0 in"))
    assert "the file begins in the middle of a game" in cut_off.message
    assert cut_off.consequences == 2
