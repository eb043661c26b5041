"""Slips within one cell: the roll, the steps."""

from __future__ import annotations

import pytest

from bganalyze.board.movement import ROLLS
from bganalyze.board.plays import after, legal_plays, notation
from bganalyze.board.position import Position, Step, start_position
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.repairing.slips.cells import _count_pips_of_step, _has_joined_step
from bganalyze.repairing.suggestion import _name_other_rolls, show_turn_text
from tests.repairing.clean import MATCH
from tests.repairing.transcripts import ROWS, cells, messages, record, repair_bytes, row, with_rows

CLEAN = record(*ROWS)
LEFT, RIGHT = cells(ROWS[3])


@pytest.mark.parametrize(
    "steps",
    [
        "bar/24 13/18",
        "bar/24 81/13",
        "bar/24 18/31",
        "bar/24",
        "bar/24 18/13 18/13",
    ],
)
def test_steps_are_put_right_that_were_written_another_way(steps: str) -> None:
    data = with_rows(3, row(f"51: {steps}", RIGHT))
    assert messages(data)[0] == f"51: {steps} → {LEFT}"
    assert repair_bytes(data)[0] == CLEAN


def test_points_counted_from_the_other_side_are_counted_from_the_right_one() -> None:
    data = with_rows(3, row(LEFT, "65: 5/11 12/17"))
    assert repair_bytes(data)[0] == CLEAN


def test_steps_are_not_taken_for_joined_where_the_record_joins_none() -> None:
    data = with_rows(3, row(LEFT, "62: 20/14 13/8"))
    assert messages(data)[0] == f"62: 20/14 13/8 → {RIGHT}"


@pytest.mark.slow
def test_the_roll_of_a_dance_may_be_misread() -> None:
    rows = (
        "31: 24/23 8/5               63: 8/5 8/2*",
        "66:                         42: 6/4 6/2",
        "21: bar/22                  43: 5/1* 4/1",
    )
    slipped = record(rows[0], rows[1].replace("66", "65"), rows[2])
    assert "65: → 66: dance" in messages(slipped)
    assert record(*rows) in repair_bytes(slipped)


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["65:", "6x#"])
def test_rolls_of_a_dance_are_one_proposal_of_which_the_likeliest_is_named_and_none_proved(
    cell: str,
) -> None:
    [cause] = find_repairs_in_file(MATCH.replace("  6) 66:", f"  6) {cell}").encode(), "a.mat")
    first, *others = cause.proposals
    assert first.message == f"{cell} → 63: dance (3-3 or 6-6 would do as well)"
    assert first.other_rolls == (("6-6", "3-3"),)
    assert first.probability > 0.85
    assert not first.proved
    assert all("bar/" in proposal.message for proposal in others)


def test_rolls_are_one_proposal_only_where_their_dice_are_the_steps() -> None:
    data = record(row("31: 8/5 6/5", "97: 13/5"), row("41: 13/9 24/23"))
    assert messages(data)[0] == "97: 13/5 → 62: 13/5 (2-2 or 5-3 would do as well)"
    data = record(row("31: 8/5 6/5", "97: 24/18 13/10"), row("41: 13/9 24/23"))
    assert messages(data)[0] == "97: 24/18 13/10 → 63: 24/18 13/10"


def test_no_doublet_is_rolled_first() -> None:
    data = record(row("9x 24/20", "63: 24/15"), row("41: 13/9 24/23"))
    assert messages(data)[0] == "9x 24/20 → 31: 24/20"


def test_a_play_is_not_joined_where_the_record_joins_none() -> None:
    rows = (row("31: 8/5 6/5", "62: 24/18 13/11"), row("41: 24/23 13/9", "52: 13/11 13/8"))
    games = [
        f" Game {number}\n Ann : {number - 1}                          Bob : 0\n"
        f"  1) {rows[0]}\n  2) {rows[1]}\n      Wins 1 point\n"
        for number in range(1, 9)
    ]
    clean = " 11 point match\n" + "".join(games)
    proposed = messages(clean.replace("13/11 13/8", "13/6 13/8", 1).encode())
    joined, apart = "52: 13/6 13/8 → 52: 13/6", "52: 13/6 13/8 → 52: 13/11 13/8"
    assert proposed.index(apart) < proposed.index(joined)


def test_a_play_is_written_with_the_signs_of_its_format() -> None:
    lines = (
        "Score is 0-0 in a 3 point match.",
        "Ann is X - Bob is O",
        "X: (6 5) 1-7 7-12",
        "O: (4 1) 6-5 13-9",
    )
    lines += ("X: (6 6) 1-7 12-18 12-18 12-18", "O: (3 1) 8-7* 8-5", "X: (5 4) bar-4 4-9*")
    data = "".join(f"{line}\n" for line in lines).encode()
    assert repair_bytes(data.replace(b"8-7* 8-5", b"8-7* 8-4", 1), "a.fibs")[0] == data


def test_other_plays_of_the_roll_that_fit_are_named_without_odds_of_their_own() -> None:
    data = record("31: 8/5 6/5                 66: 13/7 13/7 7/1 12/6")
    [cause] = find_repairs_in_file(data, "a.mat")
    plays = [one for one in cause.proposals if one.kind == "play"]
    assert [bool(one.other_plays) for one in plays] == [True] + [False] * (len(plays) - 1)
    start, steps = start_position("standard"), (Step((8, 5), (False,)), Step((6, 5), (False,)))
    position = Position(start.own, after(after(start, steps[0]), steps[1]).own)
    legal = {notation(play) for play in legal_plays(position, (6, 6)).values()}
    assert set(plays[0].other_plays) < legal
    assert len(plays) + len(plays[0].other_plays) == len(legal)


def test_a_proved_play_has_no_others_beside_it() -> None:
    [cause] = find_repairs_in_file(with_rows(3, row("51: bar/24 13/18", RIGHT)), "a.mat")
    assert [one.other_plays for one in cause.proposals if one.proved] == [()]


@pytest.mark.parametrize(("cell", "dice"), [("41: 5/off", (4, 1)), ("62: bar/23 24-16", (6, 2))])
def test_a_step_of_both_dice_may_leave_the_board(cell: str, dice: tuple[int, int]) -> None:
    assert _has_joined_step(cell, dice)


@pytest.mark.parametrize("step", ["bar/20", "bar/5"])
def test_entering_counts_pips_from_either_side(step: str) -> None:
    assert _count_pips_of_step(step) == 5


def test_nearly_all_other_rolls_are_named_by_their_exception() -> None:
    others = [dice for dice in ROLLS if dice not in ((3, 6), (1, 2))]
    assert _name_other_rolls((3, 6), others) == "any other roll except 2-1"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("22:", "22: dance"),
        ("22: 6/4(2)", "22: 6/4(2)"),
        ("22: Cannot Move", "22: Cannot Move"),
    ],
)
def test_a_roll_alone_is_named_as_a_dance(text: str, named: str) -> None:
    assert show_turn_text(text) == named
