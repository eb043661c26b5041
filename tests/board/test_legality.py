"""The legality on a written play: legal or not, and by which rule; marks; routes."""

from __future__ import annotations

import pytest

from bganalyze.board.plays import BrokenRule, Dice, Legality, check_play
from bganalyze.board.position import BAR, OFF, Points, Position, Step, points, start_position

START = start_position("standard")
NOBODY = points({})


def side(text: str) -> Points:
    """Return the checkers of a side, written `24x2 13x5 bar`."""
    words = (word.partition("x") for word in text.split())
    return points({point(name): int(count or 1) for name, _, count in words})


def facing(text: str) -> Points:
    """Opposing checkers on points as the side to play numbers them; `bar` is their own."""
    return points({BAR - place or BAR: count for place, count in enumerate(side(text)) if count})


def point(name: str) -> int:
    return int({"bar": BAR, "off": OFF}.get(name, name))


def steps(text: str) -> tuple[Step, ...]:
    """Steps, written `bar/21*/15 6/off`."""
    return tuple(_step(word.split("/")) for word in text.split())


def _step(names: list[str]) -> Step:
    path = tuple(point(name.rstrip("*")) for name in names)
    return Step(path, tuple(name.endswith("*") for name in names[1:]))


def check_text(own: str, other: str, dice: Dice, text: str, marks: bool = True) -> Legality:
    return check_play(Position(side(own), facing(other)), dice, steps(text), marks)[1]


def find_end(own: str, other: str, dice: Dice, text: str, marks: bool = True) -> Position:
    return check_play(Position(side(own), facing(other)), dice, steps(text), marks)[0]


LEGAL = [
    ("24x2 13x5 8x3 6x5", "1x2 12x5 17x3 19x5", (3, 1), "8/5 6/5"),
    ("24x2 13x5 8x3 6x5", "1x2 12x5 17x3 19x5", (3, 1), "6/5 8/5"),
    ("24x2 13x5 8x3 6x5", "1x2 12x5 17x3 19x5", (6, 5), "24/13"),
    ("24x2 13x5 8x3 6x5", "1x2 12x5 17x3 19x5", (6, 5), "24/18/13"),
    ("24x2 13x5 8x3 6x5", "1x2 12x5 17x3 19x5", (4, 4), "24/16 13/9 13/9"),
    ("bar 24 13x5", "1x2", (4, 1), "24/20 25/24"),
    ("bar 13", "", (4, 1), "bar/20"),
    ("bar 13", "21x2", (4, 1), "bar/20"),
    ("bar 13", "21 24x2", (4, 1), "bar/21*/20"),
    ("bar 13", "24x2 21x2", (4, 1), ""),
    ("6x2 5x2", "", (6, 5), "5/off 6/off"),
    ("7 3", "", (3, 1), "3/off 7/6"),
    ("4 2", "", (6, 5), "4/off 2/off"),
    ("9 4", "", (6, 5), "9/off"),
    ("9 3", "4x2", (6, 5), "9/off"),
    ("6 4", "", (5, 1), "6/off"),
    ("2", "", (6, 1), "2/off"),
    ("2", "1", (6, 1), "2/off"),
    ("10", "3x2", (6, 1), "10/4"),
    ("offx15", "", (6, 1), ""),
]


@pytest.mark.parametrize(("own", "other", "dice", "text"), LEGAL)
def test_legal_plays_are_without_fault(own: str, other: str, dice: Dice, text: str) -> None:
    result = check_text(own, other, dice, text)
    assert (result.fault, result.remark) == (None, "")


FAULTS = [
    # Precedence is that of the catalog: each list holds a fault and what it wins over.
    ("13x5", "", (6, 1), "24/18 13/12", BrokenRule("empty-point", 0, 24)),
    ("13x5 8", "", (6, 1), "8/2 8/7", BrokenRule("empty-point", 1, 8)),
    ("13x5", "", (6, 1), "bar/24 13/7", BrokenRule("empty-point", 0, BAR)),
    ("13x5", "7x2", (6, 1), "24/18 13/7", BrokenRule("empty-point", 0, 24)),
    ("13x5", "7x2", (6, 1), "13/7 13/12", BrokenRule("blocked-point", 0, 7)),
    ("13x5", "7x2 12x2", (6, 1), "13/6", BrokenRule("blocked-point", 0, 12)),
    ("13x5", "7x2 12", (6, 1), "13/7/6", BrokenRule("blocked-point", 0, 7)),
    ("13x5", "9x2", (4, 4), "13/5 13/9", BrokenRule("blocked-point", 0, 9)),
    ("5x2 2", "1x2 4x2", (4, 1), "5/off", BrokenRule("blocked-point", 0, 4)),
    ("13x5", "7x2", (5, 1), "13/7", BrokenRule("blocked-point", 0, 7)),
    ("13x5 8", "14x2", (6, 1), "13/14 8/2", BrokenRule("blocked-point", 0, 14)),
    ("13x5 8", "", (5, 1), "8/13 8/7", BrokenRule("empty-point", 1, 8)),
    ("13x5 8x2", "", (5, 1), "8/13 8/7", BrokenRule("wrong-direction", 0, 13)),
    ("13x5 8x2", "", (5, 1), "8/8 13/8", BrokenRule("wrong-direction", 0, 8)),
    ("bar 13x5 8", "", (5, 1), "13/18 8/7", BrokenRule("wrong-direction", 0, 18)),
    ("bar 13x5", "", (5, 1), "13/8 13/12", BrokenRule("bar-first", 0, BAR)),
    ("barx2 13x5", "", (5, 1), "bar/24 13/8", BrokenRule("bar-first", 1, BAR)),
    ("barx2 13x5", "", (5, 1), "bar/19", BrokenRule("bar-first", 0, BAR)),
    ("barx2 13x5", "", (5, 1), "bar/24/19", BrokenRule("bar-first", 0, BAR)),
    ("bar 6 4", "", (6, 4), "6/off 4/off", BrokenRule("bar-first", 0, BAR)),
    ("8 6x3", "", (6, 1), "6/off 8/7", BrokenRule("early-bear-off", 0, 7)),
    ("8 6x3 3", "", (6, 3), "6/off 3/off", BrokenRule("early-bear-off", 0, 8)),
    ("6x2 5 2", "", (6, 4), "6/off 2/off", BrokenRule("bear-off-die", 1, 6, 4)),
    ("6 5", "", (6, 3), "5/off 5/2", BrokenRule("empty-point", 1, 5)),
    ("6 5x2", "", (6, 3), "5/off 5/2", BrokenRule("bear-off-die", 0, 6, 6)),
    ("6 5x2", "", (4, 3), "5/off", BrokenRule("bear-off-die", 0, 6, 4)),
    ("13 3", "", (6, 5), "3/1 13/8", BrokenRule("die-not-rolled", 0, None, 2)),
    ("6x3", "", (2, 1), "6/off", BrokenRule("die-not-rolled", 0, None, 6)),
    ("6x3 2", "", (4, 1), "2/off 6/off", BrokenRule("bear-off-die", 0, 6, 4)),
    ("13x5 8x3 6x5", "", (4, 2), "8/4 6/4 13/11", BrokenRule("too-many-steps", 2, None, 2)),
    ("13x5 8x3 6x5", "", (4, 2), "13/7 8/6", BrokenRule("too-many-steps", 1, None, 2)),
    ("13x5 8x3 6x5", "", (4, 2), "8/3 6/3", BrokenRule("die-not-rolled", 0, None, 5)),
    ("13x5 8x3 6x5", "", (4, 2), "13/9 13/9 6/2 6/2", BrokenRule("die-not-rolled", 1, None, 4)),
    ("13x5 8x3 6x5", "", (4, 2), "8/4 8/4", BrokenRule("die-not-rolled", 1, None, 4)),
    (
        "13x5 8x3 6x5",
        "",
        (3, 3),
        "13/10 13/10 8/5 8/5 6/3",
        BrokenRule("too-many-steps", 4, None, 3),
    ),
    ("13x5 8x3", "", (4, 2), "", BrokenRule("false-dance")),
    ("13x5 8x3", "", (4, 2), "13/9", BrokenRule("unplayed-die", die=2)),
    ("13x5 8x3", "", (4, 2), "13/11", BrokenRule("unplayed-die", die=4)),
    ("13x5 8x3", "", (2, 2), "13/11 13/11 8/6", BrokenRule("unplayed-die", die=2)),
    ("24 10", "18x2 9x2 19x2 5x2", (6, 1), "24/23", BrokenRule("unplayed-die", die=6)),
    ("bar 13x5", "", (4, 2), "bar/21", BrokenRule("unplayed-die", die=2)),
    ("10", "3x2", (6, 1), "10/9", BrokenRule("larger-die", 0, die=6)),
]


@pytest.mark.parametrize(("own", "other", "dice", "text", "fault"), FAULTS)
def test_each_fault_is_told_by_its_name(
    own: str, other: str, dice: Dice, text: str, fault: BrokenRule
) -> None:
    assert check_text(own, other, dice, text).fault == fault


def test_a_checker_brought_home_may_be_borne_off() -> None:
    assert check_text("8 4x2", "", (4, 4), "8/4 4/off 4/off").fault == BrokenRule(
        "unplayed-die", die=4
    )
    assert check_text("6 4x2 3", "", (4, 2), "6/4 4/off").fault is None
    assert check_text("8 6 4", "", (4, 2), "6/4 4/off").fault == BrokenRule("early-bear-off", 1, 8)


def test_an_illegal_play_leaves_what_its_steps_do() -> None:
    assert find_end("13x2 8", "7x2 3", (6, 5), "13/7 8/3*") == Position(
        side("13 7 3"), facing("7x2 bar")
    )


def test_a_step_without_a_checker_is_left_out() -> None:
    assert find_end("13x2", "", (6, 5), "24/18 13/8").own == side("13 8")


def test_two_sides_on_a_point_do_not_stop_the_rule_book() -> None:
    shared = Position(side("13x2 7x2"), facing("7x3"))
    assert check_play(shared, (6, 5), steps("13/8 7/1"))[1].fault is None
    assert check_play(shared, (6, 5), steps("13/7 13/8"))[1].fault == BrokenRule(
        "blocked-point", 0, 7
    )


@pytest.mark.parametrize("dice", [(0, 0), (7, 1), (1, 9), (0, 6)])
def test_dice_that_are_none_leave_the_rules_of_the_board(dice: Dice) -> None:
    assert check_play(START, dice, steps("13/6"))[1].fault is None
    assert check_play(START, dice, ())[1].fault is None
    assert check_play(START, dice, steps("13/6"))[0].own[6] == 6
    assert check_play(START, dice, steps("23/22"))[1].fault == BrokenRule("empty-point", 0, 23)
    assert check_play(START, dice, steps("13/12"))[1].fault == BrokenRule("blocked-point", 0, 12)
    assert check_play(START, dice, steps("8/9"))[1].fault == BrokenRule("wrong-direction", 0, 9)
    on_bar = Position(side("bar 6"), NOBODY)
    assert check_play(on_bar, dice, steps("6/5"))[1].fault == BrokenRule("bar-first", 0, BAR)


def test_marks_are_compared_with_what_was_hit() -> None:
    assert check_text("13 8", "7 3", (6, 5), "13/7* 8/3*")[1:3] == ((), ())
    assert check_text("13 8", "7 3", (6, 5), "13/7 8/3")[1:3] == ((0, 1), ())
    assert check_text("13 8", "", (6, 5), "13/7* 8/3")[1:3] == ((), (0,))


def test_a_mark_may_be_at_either_arrival() -> None:
    for text in ("8/5* 6/5", "8/5 6/5*", "6/5* 8/5"):
        assert check_text("8x3 6x5", "5", (3, 1), text)[1:3] == ((), ())
    assert check_text("8x3 6x5", "5", (3, 1), "8/5 6/5")[1:3] == ((0,), ())


def test_a_mark_does_not_speak_for_a_hit_that_another_step_makes() -> None:
    """Only 24/23 hits; the mark at 25/21, which comes past that point, is for nothing."""
    result = check_text("25 24 13x3", "23", (4, 1), "25/21* 24/23")
    assert (result.fault, result.unmarked, result.mismarked) == (None, (1,), (0,))


def test_marks_of_an_illegal_play_are_compared_too() -> None:
    result = check_text("13 8", "6", (5, 1), "13/6 8/7*")
    assert (result.fault, result.unmarked, result.mismarked) == (
        BrokenRule("die-not-rolled", 0, None, 7),
        (0,),
        (1,),
    )


def test_a_point_without_a_mark_is_one_at_which_nothing_was_hit() -> None:
    """13/6 with a blot on 7 and none on 12: in a record that marks hits, by way of 12."""
    assert find_end("13x2", "7", (6, 1), "13/6") == Position(side("13 6"), facing("7"))
    assert check_text("13x2", "7", (6, 1), "13/6") == Legality(None, (), (), "")


def test_without_marks_the_route_is_ambiguous_and_taken_to_hit_nothing() -> None:
    recorded = "13x2", "7", (6, 1), "13/6", False
    assert find_end(*recorded) == Position(side("13 6"), facing("7"))
    assert check_text(*recorded) == Legality(None, (), (), "ambiguous-route")


def test_a_named_midpoint_is_the_route() -> None:
    recorded = "13x2", "7", (6, 1), "13/7*/6", False
    assert find_end(*recorded) == Position(side("13 6"), facing("bar"))
    assert check_text(*recorded) == Legality(None, (), (), "")


@pytest.mark.parametrize("marks", [True, False])
def test_the_only_open_route_hits_whether_it_is_marked_or_not(marks: bool) -> None:
    recorded = "13x2", "7 12x2", (6, 1), "13/6", marks
    assert find_end(*recorded) == Position(side("13 6"), facing("bar 12x2"))
    assert check_text(*recorded) == Legality(None, (0,), (), "")


@pytest.mark.parametrize("marks", [True, False])
def test_two_routes_that_both_hit_are_ambiguous(marks: bool) -> None:
    recorded = "13x2", "7 12", (6, 1), "13/6", marks
    result = check_text(*recorded)
    assert (result.fault, result.remark) == (None, "ambiguous-route")
    assert find_end(*recorded).other == facing("bar 12")


def test_a_mark_at_the_end_says_that_something_was_hit_under_way() -> None:
    """13/6 with a blot on 7 and none on 12 or 6: by way of 7, in any record."""
    for marks in (True, False):
        recorded = "13x2", "7", (6, 1), "13/6*", marks
        assert find_end(*recorded) == Position(side("13 6"), facing("bar"))
        assert check_text(*recorded) == Legality(None, (), (), "")


def test_a_mark_at_the_end_is_that_of_a_hit_there() -> None:
    recorded = "13x2", "7 6", (6, 1), "13/6*"
    assert find_end(*recorded) == Position(side("13 6"), facing("bar 7"))
    assert check_text(*recorded) == Legality(None, (), (), "")


def test_a_mark_does_not_say_which_of_two_was_hit_under_way() -> None:
    result = check_text("13x2", "7 12", (6, 1), "13/6*")
    assert (result.unmarked, result.mismarked, result.remark) == ((), (), "ambiguous-route")


def test_a_mark_where_nothing_can_be_hit_is_none() -> None:
    assert check_text("13x2", "", (6, 1), "13/6*")[1:3] == ((), (0,))


def test_a_double_has_one_route() -> None:
    recorded = "24x2", "20", (4, 4), "24/12 24/20"
    result = check_text(*recorded)
    assert find_end(*recorded).other == facing("bar")
    assert (result.fault, result.remark, result.unmarked) == (None, "", (1,))


def test_a_legal_result_may_be_spelled_by_a_route_that_is_blocked() -> None:
    for text in ("13/7/6", "13/7 7/6", "7/6 13/7"):
        result = check_text("13x2", "7x2", (6, 1), text)
        assert find_end("13x2", "7x2", (6, 1), text).own == side("13 6")
        assert (result.fault, result.remark) == (None, "blocked-route")


def test_a_legal_result_may_be_spelled_by_dice_that_were_not_rolled() -> None:
    result = check_text("13x2", "", (6, 1), "13/10 10/6")
    assert (result.fault, result.remark) == (None, "blocked-route")


def test_a_blocked_route_that_spares_a_blot_is_illegal() -> None:
    """Only 12 is open, and a checker that goes there hits."""
    result = check_text("13x2", "7x2 12", (6, 1), "13/7 7/6")
    assert result.fault == BrokenRule("blocked-point", 0, 7)
