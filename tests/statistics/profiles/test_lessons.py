"""Lessons of a kind and class, and what the best play does."""

from __future__ import annotations

import pytest

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.board.position import Position, points
from bganalyze.statistics.profiles.lesson_fit import BestPlay, describe_best_play, fits_lesson
from bganalyze.statistics.profiles.lessons import choose_subject, describe_plan, find_cube_lesson

ENTERING = Position(points({25: 1, 22: 1, 8: 3, 6: 5, 4: 1}), points({6: 5}))
ANCHOR = Position(points({20: 2, 13: 2, 8: 3}), points({6: 5}))


def test_a_best_play_enters_elsewhere_and_makes_points() -> None:
    best = describe_best_play("bar/22 6/4", ENTERING, "bar/23 8/6")
    assert (best.enters, best.points, best.hits) == (True, (4, 22), False)


@pytest.mark.parametrize(("played", "hits"), [("8/3*(2)", False), ("8/2", True)])
def test_a_best_play_hits_if_the_one_played_did_not(played: str, *, hits: bool) -> None:
    assert describe_best_play("8/3*", ENTERING, played).hits == hits


@pytest.mark.parametrize(
    ("best", "played", "anchor"),
    [
        ("20/14", "13/7", "leave the anchor"),
        ("8/2", "20/14", "keep the anchor"),
        ("13/7", "8/2", ""),
    ],
)
def test_a_best_play_leaves_or_keeps_the_anchor(best: str, played: str, anchor: str) -> None:
    assert describe_best_play(best, ANCHOR, played).anchor == anchor


@pytest.mark.parametrize(("best", "clears"), [("20/14", True), ("8/2", False)])
def test_a_best_play_clears_the_rear(best: str, *, clears: bool) -> None:
    assert describe_best_play(best, ANCHOR, "13/7").clears_rear == clears


def test_clearing_the_rear_fits_a_back_game_and_no_race() -> None:
    clears = BestPlay(clears_rear=True)
    assert fits_lesson(PositionClass.BACK_GAME, Role.OPPONENT, clears)
    assert not fits_lesson(PositionClass.BACK_GAME, Role.OPPONENT, BestPlay())
    assert not fits_lesson(PositionClass.RACE, Role.BOTH, clears)


def test_lessons_on_the_cube_name_their_class_and_share() -> None:
    assert describe_plan(PositionClass.OTHER, Role.BOTH) == "no named class"
    assert find_cube_lesson(DecisionKind.DOUBLE, 0.25) == (
        "when a double is too early, and (25 % of the cost) when a position is too good to double"
    )
    assert choose_subject(DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT) == (
        "which doubles to pass, under attack (blitz): checkers on the bar, points closed, and gammons"
    )
