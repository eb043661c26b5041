"""Differences between two boards: the kinds of illegal plays that clubs warn of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.board.changes import find_changes
from bganalyze.board.movement import legal_plays
from bganalyze.board.position import BAR, OFF, Points, Position, points, start_position

FULL = 15


def side(checkers: dict[int, int]) -> Points:
    """Return a side of fifteen checkers; those not named are borne off."""
    return points({OFF: FULL - sum(checkers.values())} | checkers)


HOME = {6: 3, 5: 3, 4: 2}
"""A side that bears off."""

FAR = {24: 2, 13: 3}

CASES = {
    "own checker on the bar instead of off": (
        (HOME, FAR),
        ({6: 2, 5: 3, 4: 2, BAR: 1}, FAR),
        (6, 2),
        ["put-on-bar 6 25"],
    ),
    "the opponent's checker off instead of an own one": (
        (HOME, FAR),
        (HOME, {24: 1, 13: 3}),
        (6, 2),
        ["opponent-borne-off 24 0"],
    ),
    "the opponent's checker entered": (
        ({BAR: 1, 13: 2}, {BAR: 1, 6: 2}),
        ({BAR: 1, 13: 2}, {21: 1, 6: 2}),
        (4, 3),
        ["opponent-entered 25 21"],
    ),
    "a hit checker put off the board": (
        ({8: 1, 6: 1}, {20: 1, 13: 2}),
        ({5: 1, 6: 1}, {13: 2}),
        (3, 3),
        ["moved 8 5", "hit-borne-off 20 0"],
    ),
    "a hit checker that fell back on a point": (
        ({8: 1, 6: 1}, {20: 1, 13: 2}),
        ({5: 1, 4: 1}, {22: 1, 13: 2}),
        (3, 2),
        ["moved 8 5", "moved 6 4", "hit-put-back 20 22"],
    ),
    "the opponent's checkers moved": (
        ({8: 2}, {13: 3}),
        ({8: 2}, {13: 1, 10: 1, 12: 1}),
        (3, 1),
        ["opponent-moved 13 12", "opponent-moved 13 10"],
    ),
    "no move although one existed": (({8: 2}, {13: 3}), ({8: 2}, {13: 3}), (3, 1), ["no-move"]),
    "a checker put on the bar that was not hit": (
        ({8: 2}, {13: 1}),
        ({5: 1, 7: 1}, {BAR: 1}),
        (3, 1),
        ["moved 8 7", "moved 8 5", "opponent-put-on-bar 13 25"],
    ),
    "a bear-off with a checker outside home": (
        ({8: 1, 5: 2}, FAR),
        ({7: 1, 5: 1}, FAR),
        (5, 1),
        ["moved 8 7", "moved 5 0"],
    ),
    "a checker taken from the bar that could not enter": (
        ({BAR: 1, 5: 2}, {6: 2, 5: 2}),
        ({19: 1, 5: 2}, {6: 2, 5: 2}),
        (6, 5),
        ["moved 25 19", "left-under 6 None"],
    ),
    "a checker left on the bar": (
        ({BAR: 1, 13: 2}, FAR),
        ({BAR: 1, 13: 1, 7: 1}, FAR),
        (6, 2),
        ["moved 13 7", "left-on-bar 25 None"],
    ),
    "a hit checker that was tapped but not lifted": (
        ({8: 1, 6: 1}, {20: 1}),
        ({5: 1, 6: 1}, {20: 1}),
        (3, 3),
        ["moved 8 5", "left-under 20 None"],
    ),
    "a proper hit": (
        ({8: 1, 6: 1}, {20: 1}),
        ({5: 1, 4: 1}, {BAR: 1}),
        (3, 2),
        ["moved 8 5", "moved 6 4", "hit 20 25"],
    ),
    "a checker that is missing": (
        ({8: 2}, FAR),
        ({7: 1}, FAR),
        (3, 1),
        ["moved 8 7", "removed 8 None"],
    ),
}


def without_off(changed: Points) -> Points:
    """Return a side without those borne off, which a missing checker would seem to be."""
    return (0, *changed[1:])


@pytest.mark.parametrize("case", CASES)
def test_each_kind_is_told_by_its_boards(case: str) -> None:
    (own, other), (own_after, other_after), dice, expected = CASES[case]
    before, after = Position(side(own), side(other)), Position(side(own_after), side(other_after))
    if case == "a checker that is missing":
        before, after = (Position(without_off(each.own), each.other) for each in (before, after))
    found = [
        f"{change.kind} {change.source} {change.target}"
        for change in find_changes(before, after, dice)
    ]
    assert [each.removesuffix(" None None") for each in found] == expected


@given(st.data())
def test_a_legal_play_consists_of_movements_and_hits(data: st.DataObject) -> None:
    position = start_position("standard")
    die = st.integers(1, 6)
    for _ in range(data.draw(st.integers(1, 12))):
        dice = data.draw(st.tuples(die, die))
        after = data.draw(st.sampled_from(sorted(legal_plays(position, dice))))
        kinds = {change.kind for change in find_changes(position, after, dice)}
        assert kinds <= {"moved", "hit", "left-on-bar"}
        position = Position(after.other, after.own)


def test_a_checker_that_entered_was_not_hit_although_one_was_borne_off() -> None:
    before = Position(points({6: 1, 1: 1}), points({25: 1}))
    after = Position(points({6: 1, 0: 1}), points({22: 1}))
    kinds = [change.kind for change in find_changes(before, after, (2, 1))]
    assert kinds == ["moved", "opponent-entered"]
