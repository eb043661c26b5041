"""The sentences of published rule texts, each held by a test of its name, on records of a few lines."""

from __future__ import annotations

import pytest

from bganalyze.board.cube import classify_loss
from bganalyze.board.position import points
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity

HEAD = "bganalyze match\nlength: {length} points\nleft: Ann\nright: Bob\n\ngame 1\nscore 0-0\n"
SET_UP = "board L {left} R {right} cube 1 turn L"


def codes_of(*lines: str, length: int = 5) -> set[str]:
    """Return the codes of the errors in a game of these lines, without those of the set-up."""
    record = HEAD.format(length=length) + "\n".join((*lines, ""))
    found = check(read_bytes(record.encode(), "a.bgm"))
    return {each.code for each in found if is_error(each)}


def is_error(finding: Finding) -> bool:
    """Whether a finding is an error, but not one of the set-up."""
    return finding.severity is Severity.ERROR and not finding.is_of_set_up


def codes_from(left: str, right: str, play: str) -> set[str]:
    """Return the codes of the errors of a play by Ann from a board."""
    return codes_of(SET_UP.format(left=left, right=right), f"L {play}")


ROLLS = ("21 13/11 6/5", "21 13/11 6/5", "21 13/11 6/5", "21 13/11 6/5", "21 13/10", "21 13/10")
"""Legal plays after the opening of a game, by the sides in turn."""

FAR = "6(5) 5(5) 4(5)"
"""Checkers of the opponent that are in nobody's way."""


# The opening.


def test_equal_numbers_at_the_opening_are_rolled_again() -> None:
    assert "D302" in codes_of("L 33 8/5(2) 6/3(2)")
    assert "D302" not in codes_of("L 31 8/5 6/5", "R 33 8/5(2) 6/3(2)")


def test_the_players_roll_in_turn() -> None:
    assert codes_of("L 31 8/5 6/5", "L 62 24/18 13/11") == {"T105"}


# Movement. A point of Bob is 25 less its number on Ann's side.


def test_one_or_two_checkers_may_be_moved_by_the_numbers_rolled() -> None:
    assert not codes_of("L 53 13/8 6/3")
    assert not codes_of("L 53 13/5")
    assert codes_of("L 53 13/7 6/3")


def test_each_movement_of_one_checker_ends_on_an_open_point() -> None:
    assert codes_from("24 6(14)", "5(2) 3(2) 8(11)", "42 24/18")
    assert not codes_from("24 6(14)", "5(2) 8(13)", "42 24/18")


def test_the_order_of_the_two_numbers_is_free() -> None:
    assert not codes_of("L 53 13/10/5")
    assert not codes_of("L 53 13/8/5")


def test_a_checker_always_moves_forward() -> None:
    assert codes_of("L 31 5/8 6/5")


def test_a_checker_may_move_to_a_point_without_two_opposing_checkers_only() -> None:
    assert codes_of("L 51 24/23 6/1")
    assert not codes_of("L 51 24/23 13/8")


def test_doubles_are_played_four_times() -> None:
    opening = "L 31 8/5 6/5"
    assert not codes_of(opening, "R 33 8/5(2) 6/3(2)")
    assert codes_of(opening, "R 33 8/5(2)")
    assert codes_of(opening, "R 33 13/10(3) 8/5(2)")


def test_both_numbers_are_played_if_possible() -> None:
    assert codes_of("L 31 8/5")


def test_if_only_one_number_can_be_played_it_is_played() -> None:
    assert codes_from("24 1(14)", "7(2) 5(2) 8(11)", "42 dance")
    assert not codes_from("24 1(14)", "7(2) 5(2) 8(11)", "42 24/22")


def test_if_either_number_can_be_played_but_not_both_the_higher_is_played() -> None:
    assert codes_from("24 1(14)", "7(2) 8(13)", "42 24/22")
    assert not codes_from("24 1(14)", "7(2) 8(13)", "42 24/20")


def test_if_neither_number_can_be_played_the_turn_is_lost() -> None:
    assert not codes_from("bar 6(14)", "6(2) 5(2) 4(2) 3(2) 2(2) 1(2) 8(3)", "64 dance")


# Hitting and entering.


def test_a_blot_that_is_hit_goes_to_the_bar_and_enters_first() -> None:
    opened = ("L 62 24/18 13/11", "R 61 13/7* 8/7")
    assert not codes_of(*opened, "L 21 bar/23 24/23")
    assert codes_of(*opened, "L 21 13/11 6/5")


def test_a_checker_enters_by_a_number_rolled_on_an_open_point() -> None:
    opened = ("L 62 24/18 13/11", "R 61 13/7* 8/7")
    assert codes_of(*opened, "L 61 bar/19 24/23")
    assert codes_of(*opened, "L 21 bar/22 24/23")


def test_nothing_else_is_moved_until_all_checkers_are_off_the_bar() -> None:
    assert codes_from("bar(2) 6(13)", FAR, "31 bar/22 6/5")
    assert not codes_from("bar(2) 6(13)", FAR, "31 bar/22 bar/24")


def test_what_can_enter_enters_and_the_rest_of_the_turn_is_lost() -> None:
    closed = "6(2) 5(2) 4(2) 2(2) 1(2) 8(5)"
    assert not codes_from("bar(2) 6(13)", closed, "63 bar/22")
    assert codes_from("bar(2) 6(13)", closed, "63 dance")


def test_after_the_last_checker_has_entered_the_other_number_is_played() -> None:
    assert codes_from("bar 6(14)", FAR, "31 bar/22")
    assert not codes_from("bar 6(14)", FAR, "31 bar/22 6/5")


# Bearing off.


def test_checkers_are_borne_off_only_when_all_are_home() -> None:
    assert codes_from("7 6(14)", FAR, "61 6/off 6/5")
    assert not codes_from("6(15)", FAR, "61 6/off 6/5")


def test_a_higher_number_bears_off_from_the_highest_point_only_if_no_checker_is_higher() -> None:
    assert not codes_from("4(2) 1(2)", FAR, "52 4/off 4/2")
    assert codes_from("6 4(2) 1(2)", FAR, "51 4/off 1/off")


def test_without_a_checker_on_the_point_a_checker_from_a_higher_point_is_moved() -> None:
    assert not codes_from("6(2) 1(2)", FAR, "32 6/3 6/4")
    assert codes_from("6(2) 1(2)", FAR, "32 1/off(2)")


def test_nobody_has_to_bear_off_who_can_move_a_checker() -> None:
    assert not codes_from("6(2) 4 1(2)", FAR, "41 6/2 6/5")


# The cube and the score.


def test_a_loser_without_a_checker_off_loses_a_gammon_or_with_one_on_the_bar_a_backgammon() -> None:
    assert classify_loss(points({6: 14, 0: 1})) == 1
    assert classify_loss(points({6: 15})) == 2
    assert classify_loss(points({25: 1, 6: 14})) == 3
    assert classify_loss(points({19: 1, 6: 14})) == 3


def test_a_double_comes_before_the_roll_and_its_refusal_ends_the_game_at_the_old_stake() -> None:
    assert not codes_of("L 31 8/5 6/5", "R double 2", "L pass", "R wins 1")
    assert codes_of("L 31 8/5 6/5", "R double 2", "L pass", "R wins 2")


def test_only_the_owner_of_the_cube_redoubles() -> None:
    opened = ("L 31 8/5 6/5", "R double 2", "L take", "R 62 24/18 13/11")
    assert not codes_of(*opened, "L double 4", "R take")
    assert codes_of(*opened, "L 21 13/11 6/5", "R double 4", "L take")


@pytest.mark.parametrize("value", [2, 4])
def test_a_double_doubles_the_stake(value: int) -> None:
    found = codes_of("L 31 8/5 6/5", f"R double {value}", "L take")
    assert bool(found) == (value == 4)


def test_there_is_no_limit_to_redoubles() -> None:
    lines = ["L 31 8/5 6/5", "R double 2", "L take", "R 62 24/18 13/11"]
    for doubling, value in enumerate((4, 8, 16, 32, 64, 128)):
        side, other = "LR" if doubling % 2 == 0 else "RL"
        lines += [f"{side} double {value}", f"{other} take", f"{side} {ROLLS[doubling]}"]
    assert not codes_of(*lines, length=500)
