"""The board and what a step mechanically does to it."""

from __future__ import annotations

import pytest

from bganalyze.board.position import (
    BAR,
    OFF,
    VARIANTS,
    Position,
    Step,
    after,
    checkers,
    pips,
    points,
    start_position,
    swap_sides,
)

NOBODY = points({})


def test_a_step_moves_one_checker() -> None:
    position = after(start_position("standard"), Step((13, 7), (False,)))
    assert (position.own[13], position.own[7]) == (4, 1)


def test_a_blot_is_hit_on_every_landing_that_the_path_names() -> None:
    blots = points({4: 1, 10: 1})
    position = after(Position(points({BAR: 1}), blots), Step((25, 21, 15), (True, True)))
    assert position == Position(points({15: 1}), points({BAR: 2}))


def test_nothing_is_hit_on_points_that_the_path_does_not_name() -> None:
    position = after(Position(points({25: 1}), points({4: 1})), Step((25, 15), (False,)))
    assert position.other == points({4: 1})


def test_landing_on_several_opposing_checkers_merely_lands() -> None:
    position = after(Position(points({8: 1}), points({20: 2})), Step((8, 5), (False,)))
    assert position == Position(points({5: 1}), points({20: 2}))


def test_a_source_without_a_checker_changes_nothing() -> None:
    start = start_position("standard")
    assert after(start, Step((23, 20), (False,))) == start


@pytest.mark.parametrize("landing", [OFF, BAR])
def test_nothing_is_hit_off_the_board(landing: int) -> None:
    other = points({OFF: 1, BAR: 1})
    assert after(Position(points({3: 1}), other), Step((3, landing), (False,))).other == other


def test_no_step_between_two_points_raises() -> None:
    start = start_position("standard")
    for source in range(26):
        for target in range(26):
            moved = after(start, Step((source, target), (False,)))
            assert sum(moved.own) == sum(moved.other) == 15


def test_swapping_twice_is_nothing() -> None:
    position = Position(points({5: 2}), NOBODY)
    assert swap_sides(position) == Position(NOBODY, points({5: 2}))
    assert swap_sides(swap_sides(position)) == position


def test_checkers_off_do_not_count() -> None:
    side = points({BAR: 1, 3: 2, OFF: 12})
    assert (checkers(side), pips(side)) == (3, 31)


@pytest.mark.parametrize(
    ("name", "count", "pip_count"),
    [
        ("standard", 15, 167),
        ("nackgammon", 15, 194),
        ("hypergammon-1", 1, 24),
        ("hypergammon-2", 2, 47),
        ("hypergammon-3", 3, 69),
    ],
)
def test_every_variant_starts_as_it_should(name: str, count: int, pip_count: int) -> None:
    start = start_position(name)
    assert start.own == start.other == VARIANTS[name].start
    assert checkers(start.own) == VARIANTS[name].checkers == count
    assert pips(start.own) == pip_count
