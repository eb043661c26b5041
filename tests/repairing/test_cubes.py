"""Slips with the cube: what is proposed brings the record back."""

from __future__ import annotations

import pytest

from bganalyze.board.rule_book import BASIC
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.search import find_repairable_findings
from bganalyze.repairing.work_limit import MOST, MOST_WORK_PER_FINDING
from tests.repairing.clean import MATCH
from tests.repairing.test_games import causes, make_slip, repair_text


@pytest.mark.parametrize(
    "change",
    [
        ("13/9              Doubles => 2", "13/9"),
        (" Doubles => 2                Drops", "                             Drops"),
        ("  5)  Takes                      31: 6/3* 4/3", "  5)                             31: 6/3* 4/3"),
        ("Takes", "Drops"),
        ("Drops", "Takes"),
        ("Takes", "Tkaes"),
        ("Drops", "Dorps"),
        ("Takes", "?????"),
        ("Drops", "smear"),
        ("13/9              Doubles => 2", "13/9              Doubles => 4"),
        ("13/9              Doubles => 2", "13/9              Duobles => 2"),
        ("13/9              Doubles => 2\n", "13/9              Doubles => 2\n  4)                              Doubles => 2\n"),
        ("  5)  Takes                      31", "  5)  Takes\n  5)  Takes                      31"),
        ("Takes       ", "Beavers => 4"),
    ],
)  # fmt: skip
def test_the_clean_record_is_the_first_proposal(change: tuple[str, str]) -> None:
    text = make_slip(change)
    (cause,) = causes(text)
    assert repair_text(text, cause) == MATCH


def test_text_where_a_double_is_answered_is_an_answer_and_the_search_tries_no_plays() -> None:
    data = make_slip(("Takes", "Taexk")).encode()
    draft = read_file_to_repair(data, "match.mat", BASIC)
    (cause,) = find_repairable_findings(draft)
    assert [proposal.message for proposal in cause.proposals] == ["Taexk → Takes"]
    assert not draft.effort.was_any_search_cut_short
    assert MOST - draft.effort.left < MOST_WORK_PER_FINDING / 10


def test_a_double_and_its_take_are_put_in_cells_that_are_left_empty() -> None:
    rows = (
        " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 Doubles => 2\n"
        "  2) Takes                       66: 24/18(2) 13/7(2)\n"
        "  3) Doubles => 4                Drops\n      Wins 2 points\n"
    )
    text = rows.replace("                 Doubles => 2", "").replace("Takes", "     ")
    (cause,) = causes(text)
    assert cause.finding.code == "C505"
    assert repair_text(text, cause) == rows
    assert not any(proposal.proved for proposal in cause.proposals)


def test_a_drop_that_is_a_take_early_in_a_game_begins_no_other_game() -> None:
    rows = (
        " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                  Doubles => 2\n"
        "  2)  Takes                      66: 24/18(2) 13/7(2)\n"
        "  3) 52: 13/8 13/11              43: 13/10 13/9\n"
        "  4) 41: 13/9 6/5\n"
    )
    text = rows.replace("Takes", "Drops")
    (cause, *_) = causes(text)
    assert repair_text(text, cause) == rows


@pytest.mark.parametrize(
    ("offer", "rest"),
    [
        ("  3) Doubles => 2                Takes\n", ""),
        ("  3) Doubles => 2                Takes\n", "  3)\n"),
    ],
)
def test_a_double_and_its_take_are_put_in_a_row_that_is_lost_or_empty(
    offer: str, rest: str
) -> None:
    rows = (
        " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 52: 13/8 24/22\n"
        "  2) 41: 13/9 24/23              62: 24/18 13/11\n"
        f"{offer}"
        "  4) 43: 9/5 8/5                 42: 8/4 6/4\n"
        "  5) 63: 24/15                   Doubles => 4\n"
        "  6) Drops\n"
        "                                 Wins 2 points\n"
    )
    text = rows.replace(offer, rest)
    (cause, *_) = causes(text)
    ranks = range(1, len(cause.proposals) + 1)
    assert rows in [repair_text(text, cause, rank) for rank in ranks]


@pytest.mark.parametrize(
    "rest",
    [
        "  2) 41: 13/9 24/23\n  3)                             62: 24/18 13/11\n",
        "  2) 41: 13/9 24/23              62: 24/18 13/11\n",
    ],
)
def test_a_double_of_the_right_side_and_its_take_are_put_in_where_they_are_lost(rest: str) -> None:
    offer = (
        "  2) 41: 13/9 24/23              Doubles => 2\n"
        "  3) Takes                       62: 24/18 13/11\n"
    )
    rows = (
        " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 52: 13/8 24/22\n"
        f"{offer}"
        "  4) 43: 9/5 8/5                 42: 8/4 6/4\n"
        "  5) Doubles => 4                Drops\n"
        "      Wins 2 points\n"
    )
    text = rows.replace(offer, rest)
    (cause, *_) = causes(text)
    assert cause.finding.code == "C505"
    ranks = range(1, len(cause.proposals) + 1)
    assert rows in [repair_text(text, cause, rank) for rank in ranks]


def test_whichever_side_a_lost_double_is_given_to_the_plays_behind_it_are_as_likely() -> None:
    head = " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
    rows = (
        "  1) 31: 8/5 6/5                 52: 13/8 24/22\n"
        "  2) 41: 13/9 24/23              62: 24/18 13/11\n"
        "  4) 43: 9/5 8/5                 42: 8/4 6/4\n"
        "  5) 63: 24/15                   51: 13/8 6/5\n"
    )
    result = "                                 Wins 4 points\n"
    next_game = "\n Game 2\n Ann : 0                         Bob : 4\n  1) 31: 8/5 6/5\n"
    (cause,) = causes(head + rows + result + next_game)
    assert [proposal.message for proposal in cause.proposals] == [
        'insert "Doubles => 2" (left) and "Takes" (right)',
        'insert "Doubles => 2" (right) and "Takes" (left)',
    ]
    assert all(proposal.probability > 0.4 for proposal in cause.proposals)


TAKE = "  5)  Takes                      31: 6/3* 4/3\n"
PASS = " Doubles => 2                Drops"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "proposed"),
    [
        ((PASS, " " * 29 + "Drops"), [('insert "Doubles => 2"', 91), ('delete "Drops"', 8)]),
        ((TAKE, f"{TAKE}  6)  Takes\n"), [("delete row 6: it repeats row 5", 98)]),
        ((f"{TAKE}  6) 66", f"{TAKE}  6)  Takes\n  7) 66"), [("delete row 6: it repeats row 5", 94), ('delete "Takes"', 5)]),
        ((TAKE, f"{TAKE[:33]}Takes\n{TAKE.replace('Takes', '     ')}"), [('delete "Takes"', 97)]),
    ],
    ids=["no double", "twice", "twice with a row", "taken by both"],
)  # fmt: skip
def test_an_answer_without_a_double_has_several_explanations(
    change: tuple[str, str], proposed: list[tuple[str, int]]
) -> None:
    """None is proved: a double may be lost, or the answer is one too many."""
    (cause,) = causes(make_slip(change))
    assert cause.finding.code == "C506"
    told = [(one.message, round(100 * one.probability)) for one in cause.proposals]
    assert told == proposed
    assert not any(one.proved for one in cause.proposals)
