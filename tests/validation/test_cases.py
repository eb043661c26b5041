"""Cases to rule on: which fault is meant, what each book makes of it, and the points then."""

from __future__ import annotations

import pytest

from bganalyze.board.rule_book import RULE_BOOKS, RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.validation.cases import Case, find_case
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.places import PlaceError

ILLEGAL = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: 13/8 13/10              63: 14/5
  3) 41: 13/9 10/9               Doubles => 2
  4) Takes                       21: 13/11 6/5
  5) Resigns
                                  Wins 2 points

 Game 2
 Ann : 0                         Bob : 2
  1) 31: 8/5 6/5                 64: 24/14
"""
"""Line 6: Ann plays 5-3 instead of 5-2; line 7: Bob doubles after her next play."""

CRAWFORD = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Takes                       66: 24/18(2) 13/7(2)
  3) 43: 24/20 13/10             Resigns
      Wins 2 points

 Game 2
 Ann : 2                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Takes                       66: 24/18(2) 13/7(2)
  3) Resigns
                                  Wins 2 points

 Game 3
 Ann : 2                         Bob : 2
  1) 31: 8/5 6/5                 66: 24/18(2) 13/7(2)
"""
"""Line 13: Bob doubles in the Crawford game, and wins twice the points."""


def case_of(text: str, where: str, *names: str, noticed: str = "now") -> Case:
    """Return the case at a place, by the rule books of these names."""
    books = [RULE_BOOKS[name] for name in names or ("basic",)]
    return find_case(read_bytes(text.encode(), "a.mat"), where, books, noticed)


def standings(case: Case) -> list[Standing | None]:
    """Return the standing under each book, where it gives a ruling."""
    return [said.ruling.standing for said in case.rulings if said.ruling is not None]


@pytest.mark.parametrize(
    ("noticed", "expected"),
    [
        ("6R", [Standing.OPEN, Standing.OPEN, Standing.OPEN]),
        ("7L", [Standing.STANDS, Standing.STANDS, Standing.STANDS]),
        ("now", [Standing.STANDS, Standing.STANDS, Standing.STANDS]),
    ],
)
def test_the_moment_of_noticing_decides(noticed: str, expected: list[Standing]) -> None:
    books = "basic", "wbf", "ukbgf-2019"
    assert standings(case_of(ILLEGAL, "6L", *books, noticed=noticed)) == expected


def test_a_book_that_waits_for_the_completed_play_leaves_more_time() -> None:
    case = case_of(ILLEGAL, "1.2L", "basic", "abt-2013", noticed="6R")
    assert standings(case) == [Standing.OPEN, Standing.OPEN]
    assert "anew" in str(case.rulings[1].ruling)


def test_an_illegal_play_that_is_corrected_leaves_the_game_open() -> None:
    recorded, corrected = case_of(ILLEGAL, "6").points
    assert (recorded.points.won, recorded.points.after) == ((1, 2), (0, 2))
    assert corrected.points.won is None
    assert corrected.points.chances == pytest.approx((0.5, 0.5))


def test_a_double_in_the_crawford_game_counts_by_some_books_only() -> None:
    case = case_of(CRAWFORD, "12R", "usbgf", "dbgf-2007", "wbf")
    assert standings(case) == [Standing.OPEN, Standing.STANDS, None]
    recorded, without = case.points
    assert (recorded.points.after, without.points.after) == ((2, 2), (2, 1))


def test_a_book_without_the_fault_says_nothing() -> None:
    dead = CRAWFORD.replace("3 point", "5 point").replace("Ann : 2 ", "Ann : 4 ").replace("Wins 2 points\n\n Game 2", "Wins 4 points\n\n Game 2")  # fmt: skip
    case = case_of(dead, "12R", "usbgf", "basic")
    assert case.finding.code == "C503"
    assert all(said.finding is not None for said in case.rulings)


@pytest.mark.parametrize(
    ("where", "noticed", "said"),
    [
        ("5L", "now", "no fault to rule on; there is one at 6:"),
        ("6L", "5R", "not after the fault in line 6"),
        ("99", "now", "has no action"),
        ("6L", "moon", "is no place"),
    ],
)
def test_places_that_lead_nowhere_are_one_sentence(where: str, noticed: str, said: str) -> None:
    with pytest.raises(PlaceError, match=said):
        case_of(ILLEGAL, where, noticed=noticed)


def test_quoted_clauses_are_marked_and_assumed_ones_decide_nothing() -> None:
    books: list[RuleBook] = list(RULE_BOOKS.values())
    for text, where in ((ILLEGAL, "6L"), (CRAWFORD, "12R")):
        case = find_case(read_bytes(text.encode(), "a.mat"), where, books)
        clauses = [clause for said in case.rulings if said.ruling for clause in said.ruling.clauses]
        assert clauses
        assert {str(clause.known) for clause in clauses} <= {"read", "quoted"}
