"""Swapped sides: plays of a game in the wrong columns, while its result and the scores are right."""

from __future__ import annotations

import pytest

from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.proof import SIDES_EXPLAIN_ANY
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.findings import Proposal

SWAP = "swap the sides of the plays of game 1"
MOVE = "move Wins 1 point to the column of Bob"
SHIFT = f"{MOVE}, and shift all later scores alike"

WON_BY_ANN = (
    "  1)                              31: 8/5 6/5\n"
    "  2) 42: 8/4 6/4                  61: 13/7 8/7\n"
    "  3)  Doubles => 2                 Drops\n"
    "      Wins 1 point\n"
)
SAME_OF_BOB = (
    "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
    "  2) 61: 13/7 8/7                  Doubles => 2\n"
    "  3)  Drops\n"
    "      Wins 1 point\n"
)
"""The same game with its plays in the other columns; the win is written for Ann as before."""

LATER_WIN_OF_BOB = (
    "  1) 31: 8/5 6/5                   Doubles => 2\n"
    "  2)  Drops                        Wins 1 point\n"
)


def make_match(length: int, *games: tuple[str, str]) -> bytes:
    """Return a match of games, each with the score above it (`1-0`) and its rows."""
    text = f" {length} point match\n"
    for number, (score, rows) in enumerate(games, start=1):
        left, right = score.split("-")
        text += f"\n Game {number}\n Ann : {left}                         Bob : {right}\n{rows}"
    return text.encode()


def proposals_for(data: bytes) -> tuple[Proposal, ...]:
    (cause,) = find_repairs_in_file(data, "match.mat")
    assert cause.finding.code == "R603"
    return cause.proposals


@pytest.mark.slow
def test_the_plays_change_sides_and_the_result_stays() -> None:
    clean, slipped = (
        make_match(5, ("0-0", rows), ("1-0", LATER_WIN_OF_BOB))
        for rows in (WON_BY_ANN, SAME_OF_BOB)
    )
    assert find_repairs_in_file(clean, "match.mat") == []
    first, second, *_ = proposals_for(slipped)
    assert (first.message, second.message) == (SWAP, SHIFT)
    repaired = edit_bytes(slipped, first.edits)
    assert repaired.split() == clean.split()
    assert find_repairs_in_file(repaired, "match.mat") == []


def test_a_result_beside_a_play_gets_a_row_of_its_own() -> None:
    """Each has one checker left. Ann bears off hers, but the win is written for Bob in the same row."""
    board = f'; [Position "one checker each on 1"]\n; Set Pos=-A{"-" * 22}a-/0\n'
    rows = f"{board}  1) 31: 1/off                     Wins 1 point\n"
    slipped = make_match(5, ("0-0", rows), ("0-1", LATER_WIN_OF_BOB))
    swapped = next(one for one in proposals_for(slipped) if one.message == SWAP)
    repaired = edit_bytes(slipped, swapped.edits)
    assert find_repairs_in_file(repaired, "match.mat") == []
    rows = repaired.decode().splitlines()
    at = next(at for at, row in enumerate(rows) if "1/off" in row)
    assert [row.split() for row in rows[at : at + 2]] == [
        ["1)", "31:", "1/off"],
        ["Wins", "1", "point"],
    ]


@pytest.mark.slow
def test_swapped_sides_are_never_proved_and_the_reason_is_told() -> None:
    first, *_ = proposals_for(make_match(5, ("0-0", SAME_OF_BOB), ("1-0", LATER_WIN_OF_BOB)))
    assert (first.proved, first.doubt) == (False, SIDES_EXPLAIN_ANY)
    assert 0.5 < first.probability < 0.7


@pytest.mark.slow
def test_scores_are_not_shifted_where_the_match_would_be_over_too_early() -> None:
    resigned = f"  1) 31: 8/5 6/5                  65: 24/13\n{'Wins 1 point':>46}\n"
    slipped = make_match(2, ("0-0", SAME_OF_BOB), ("1-0", resigned), ("1-1", resigned))
    messages = [proposal.message for proposal in proposals_for(slipped)]
    assert messages[0] == SWAP
    assert SHIFT not in messages


@pytest.mark.slow
def test_a_last_win_in_the_wrong_column_may_be_that_or_swapped_sides() -> None:
    """No later score says for whom the game counted."""
    first, second, *_ = proposals_for(make_match(5, ("0-0", SAME_OF_BOB)))
    assert (first.message, second.message) == (MOVE, SWAP)
    assert not first.proved


@pytest.mark.slow
def test_the_sides_stay_where_the_next_score_fits_the_plays() -> None:
    proposals = proposals_for(make_match(5, ("0-0", SAME_OF_BOB), ("0-1", LATER_WIN_OF_BOB)))
    messages = [proposal.message for proposal in proposals]
    assert messages[0] == MOVE
    assert SWAP not in messages
