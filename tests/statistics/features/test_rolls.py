"""Shots, entering and choices against the legal plays themselves, roll by roll."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from bganalyze.board.movement import legal_plays
from bganalyze.board.position import BAR, Position, points
from bganalyze.statistics.features.boards import boards_of, pack_sides
from bganalyze.statistics.features.chances import (
    ROLLS,
    WAYS,
    compute_entering_chances,
    count_shots,
    find_hitting_rolls,
    is_forced,
)
from tests.statistics.features.positions import dice, positions

START = points({24: 2, 13: 5, 8: 3, 6: 5})


def hits_by_playing(position: Position, roll: tuple[int, int]) -> bool:
    return any(end.other[BAR] > position.other[BAR] for end in legal_plays(position, roll))


@pytest.mark.slow
@settings(max_examples=50)
@given(positions())
def test_a_roll_hits_if_a_legal_play_of_it_does(position: Position) -> None:
    values = find_hitting_rolls(boards_of([position]))[0].tolist()
    assert values == [hits_by_playing(position, roll) for roll in ROLLS]


def shots_at(own: dict[int, int], other: dict[int, int]) -> int:
    return int(
        count_shots(find_hitting_rolls(boards_of([Position(points(own), points(other))])))[0]
    )


def test_shots_that_every_book_gives() -> None:
    """A blot six away with nothing between is hit by 17, one away by 11, twelve away by 3."""
    for distance, count in ((1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (12, 3)):
        assert shots_at({24: 2}, {BAR - (24 - distance): 1}) == count, distance


def test_a_combination_needs_an_open_point_between() -> None:
    blocks = {BAR - point: 2 for point in (14, 15, 16, 17, 18)}
    assert shots_at({20: 2}, {BAR - 12: 1} | blocks) == 0
    del blocks[BAR - 18]
    assert shots_at({20: 2}, {BAR - 12: 1} | blocks) == 2


def test_the_hit_that_the_rules_forbid_is_no_shot() -> None:
    """6-1: after 10/9* there is no six, but 10/4 8/7 plays both dice, and must be played."""
    position = Position(points({10: 1, 8: 1}), points({BAR - 9: 1, BAR - 3: 2, BAR - 2: 2}))
    hits_with = dict(zip(ROLLS, find_hitting_rolls(boards_of([position]))[0].tolist(), strict=True))
    assert not hits_with[6, 1]
    assert hits_with == {roll: hits_by_playing(position, roll) for roll in ROLLS}


@pytest.mark.slow
@given(positions())
def test_chances_of_entering_are_those_of_the_rolls(position: Position) -> None:
    chances = compute_entering_chances(boards_of([position]))
    counts = {"dances": 0, "enters_some": 0, "stops": 0}
    for roll, ways in zip(ROLLS, WAYS.tolist(), strict=True):
        counts[outcome(position, roll)] = counts.get(outcome(position, roll), 0) + ways
    for name in ("dances", "enters_some", "stops"):
        assert round(36 * float(getattr(chances, name)[0])) == counts[name], name


def outcome(position: Position, roll: tuple[int, int]) -> str:
    """Return what happens to checkers on the bar with a roll, found by playing it."""
    if not position.own[BAR]:
        return "none there"
    end, steps = next(iter(legal_plays(position, roll).items()))
    if not steps:
        return "dances"
    if end.own[BAR]:
        return "enters_some"
    dice_left = len(steps) < (4 if roll[0] == roll[1] else 2)
    return "stops" if dice_left and len(steps) == position.own[BAR] else "enters all"


@pytest.mark.slow
@given(positions(), dice)
def test_a_roll_is_forced_that_has_one_result(position: Position, roll: tuple[int, int]) -> None:
    forced = is_forced(boards_of([position]), np.array([roll[0]]), np.array([roll[1]]))
    assert bool(forced[0]) == (len(legal_plays(position, roll)) == 1)


def test_no_boards_have_no_shots() -> None:
    assert find_hitting_rolls(boards_of([])).shape == (0, len(ROLLS))
    assert pack_sides([START]).tolist() == [list(START)]


def test_several_on_the_bar() -> None:
    """Two points are closed. Of two 16 of 36 rolls enter one alone; of three or four no roll but a
    double enters all; five never enter at once. Both dice are blocked 4 times."""
    closed = points({6: 2, 5: 2, 13: 11})
    enters = {}
    for count in range(1, 6):
        position = Position(points({BAR: count, 6: 15 - count}), closed)
        chances = compute_entering_chances(boards_of([position]))
        assert round(36 * float(chances.dances[0])) == 4
        enters[count] = round(36 * float(chances.enters_some[0]))
    assert enters == {1: 0, 2: 16, 3: 28, 4: 28, 5: 32}


def test_more_checkers_than_a_byte_holds_are_cut() -> None:
    board = boards_of([Position(points({6: 300, 5: 1}), points({1: 256}))])
    assert (board.own[0, 6], board.own[0, 5], board.other[0, 1]) == (255, 1, 255)
