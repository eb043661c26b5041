"""Where a play breaks a rule, and which hits it marks."""

from __future__ import annotations

import pytest

from bganalyze.board.changes import _pair_points
from bganalyze.board.cube import Cube, is_crawford
from bganalyze.board.equities import match_winning_chance
from bganalyze.board.movement import _find_bear_off_points, legal_plays
from bganalyze.board.play_faults import Leg, find_misplaced_marks, yield_dice_for_leg
from bganalyze.board.plays import _can_dice_cover
from bganalyze.board.position import BAR, OFF, Position, Step, is_possible, points, start_position

PLAIN, MARKED = Step((8, 5), (False,)), Step((8, 5), (True,))


def test_a_larger_die_may_bear_off() -> None:
    leg = Leg(step=0, source=5, target=OFF)
    assert list(yield_dice_for_leg(leg, (6, 1))) == [(6,), (1, 6)]
    assert _find_bear_off_points(points({4: 2, 1: 1}), 6, highest=3) == []


def test_a_checker_without_a_landing_is_paired_with_none() -> None:
    assert _pair_points([13], [], (6, 1)) == [(13, None)]


def test_one_checker_may_use_one_die() -> None:
    assert _can_dice_cover((3, 1), [8], [4])


@pytest.mark.parametrize(
    ("after", "steps", "misplaced"),
    [
        (Position(points({5: 2}), points({BAR: 1})), [PLAIN, MARKED], ((), ())),
        (Position(points({8: 1, 5: 1}), points({20: 1})), [MARKED], ((), (0,))),
    ],
)
def test_a_hit_is_marked_once_and_only_if_there_is_one(
    after: Position, steps: list[Step], misplaced: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    before = Position(points({8: 2}), points({20: 1}))
    assert find_misplaced_marks(before, after, steps) == misplaced


def test_no_side_has_sixteen_checkers() -> None:
    assert not is_possible(Position(points({8: 16}), points({1: 1})))


def test_dice_of_zero_let_hypergammon_stay() -> None:
    assert list(legal_plays(start_position("hypergammon-1"), (0, 0)).values()) == [()]


def test_a_match_of_one_point_has_no_crawford_game() -> None:
    assert not is_crawford(1, (0, 0), False)


def test_a_redouble_is_of_twice_the_value() -> None:
    assert Cube(2).doubled(0).next_value == 8


def test_after_crawford_the_chances_are_others() -> None:
    assert match_winning_chance(2, 1, after_crawford=True) == 0.48803
