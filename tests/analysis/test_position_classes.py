"""Classes of positions, each by a position that everybody would call so, and its nearest neighbor."""

from __future__ import annotations

import pytest

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.position_classes import (
    DEFINITIONS,
    PositionClass,
    Role,
    classify_decision,
    classify_position,
)
from bganalyze.board.ids import Situation
from bganalyze.board.position import BAR, OFF, PHASES, Position, points, swap_sides
from tests.analysis.rows import cube, make_resignation, play

HOME_BOARD = {6: 3, 5: 2, 4: 2, 3: 2}

POSITIONS = {
    PositionClass.BACK_GAME: (
        {24: 2, 22: 2, 13: 2, 6: 3, 5: 3, 4: 3},
        {8: 3, 7: 3, 6: 3, 5: 2, 4: 2, 2: 2},
    ),
    PositionClass.ACE_POINT_GAME: (
        {24: 2, 8: 2, 6: 3, 5: 3, 4: 3, 3: 2},
        {9: 2, 6: 4, 5: 3, 4: 3, 3: 3},
    ),
    PositionClass.CONTAINMENT: (
        {13: 2, 8: 3, **HOME_BOARD, 7: 1},
        {BAR: 1, 6: 3, 5: 4, 4: 3, OFF: 4},
    ),
    PositionClass.BLITZ: (
        {24: 2, 13: 3, 8: 3, 6: 4, 5: 2, 4: 1},
        {BAR: 1, 24: 1, 13: 5, 8: 3, 6: 5},
    ),
    PositionClass.PRIME: (
        {13: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 2, 20: 2},
        {24: 2, 13: 4, 8: 3, 6: 4, 3: 2},
    ),
    PositionClass.HOLDING: (
        {20: 2, 13: 3, 8: 3, 6: 4, 4: 3},
        {13: 4, 8: 4, 6: 4, 4: 3},
    ),
    PositionClass.BEAR_IN: (
        {9: 2, 8: 2, 6: 4, 5: 3, 4: 2, 3: 2},
        {23: 1, 17: 1, 8: 4, 6: 5, 4: 4},
    ),
}
"""Positions in which the side has the plan of the class, and the opponent has none."""


@pytest.mark.parametrize("kind", POSITIONS)
def test_classes(kind: PositionClass) -> None:
    """Both sides see the same class, each from its own side."""
    position = Position(*map(points, POSITIONS[kind]))
    assert classify_position(position, "contact") == (kind, Role.OWN)
    assert classify_position(swap_sides(position), "contact") == (kind, Role.OPPONENT)


@pytest.mark.parametrize(
    ("kind", "side"),
    [
        (PositionClass.PRIME_VS_PRIME, {24: 2, 8: 2, 7: 2, 6: 3, 5: 2, 4: 2, 13: 2}),
        (PositionClass.MUTUAL_HOLDING, {20: 2, 13: 4, 8: 3, 6: 4, 4: 2}),
    ],
)
def test_classes_of_both_sides(kind: PositionClass, side: dict[int, int]) -> None:
    both = points(side)
    assert classify_position(Position(both, both), "contact") == (kind, Role.BOTH)


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != "contact"])
def test_other_phases_are_classes(phase: str) -> None:
    side = points({6: 15})
    assert classify_position(Position(side, side), phase) == (PositionClass(phase), Role.BOTH)


@pytest.mark.parametrize(
    ("side", "opponent", "kind"),
    [
        # Two anchors, but not far behind.
        (
            {24: 2, 20: 2, 8: 3, 6: 4, 5: 2, 4: 2},
            {24: 2, 13: 5, 8: 3, 6: 5},
            PositionClass.OTHER,
        ),
        # A third point is the first of the holding game.
        (
            {22: 2, 8: 2, 6: 3, 5: 3, 4: 3, 3: 2},
            {9: 2, 6: 4, 5: 3, 4: 3, 3: 3},
            PositionClass.HOLDING,
        ),
        # The deuce point is low too.
        (
            {23: 2, 8: 2, 6: 3, 5: 3, 4: 3, 3: 2},
            {9: 2, 6: 4, 5: 3, 4: 3, 3: 3},
            PositionClass.ACE_POINT_GAME,
        ),
        (
            {23: 2, 13: 3, 8: 3, 6: 4, 4: 3},
            {13: 4, 8: 4, 6: 4, 4: 3},
            PositionClass.OTHER,
        ),
        # Four points against four are primes.
        (
            {24: 2, 13: 4, 7: 2, 6: 3, 5: 2, 4: 2},
            {24: 2, 13: 4, 7: 2, 6: 3, 5: 2, 4: 2},
            PositionClass.PRIME_VS_PRIME,
        ),
        # The opponent is home and bears off: it has nothing to bring past the anchor.
        (
            {BAR: 2, 20: 2, 8: 2, 6: 3, 5: 3, 4: 3},
            {6: 3, 4: 4, 3: 3, 2: 2, OFF: 3},
            PositionClass.BEAR_IN,
        ),
        (
            {20: 2, 8: 4, 6: 3, 5: 3, 4: 3},
            {6: 3, 4: 4, 3: 3, 2: 3, 1: 2},
            PositionClass.BEAR_IN,
        ),
        # Checkers on the bar have to enter first.
        (
            {BAR: 1, 20: 2, 13: 3, 8: 2, 6: 4, 4: 3},
            {13: 4, 8: 4, 6: 4, 4: 3},
            PositionClass.OTHER,
        ),
        # The straggler is two checkers on an anchor.
        (
            {13: 2, 8: 3, **HOME_BOARD, 7: 1},
            {21: 2, 6: 3, 5: 4, 4: 2, OFF: 4},
            PositionClass.HOLDING,
        ),
        # With two on the bar nine checkers attack, and with three seven; with one on the bar they are too few.
        (
            {24: 2, 13: 4, 8: 3, 6: 4, 5: 2},
            {BAR: 2, 13: 5, 8: 3, 6: 5},
            PositionClass.BLITZ,
        ),
        (
            {24: 2, 18: 2, 13: 4, 8: 1, 6: 5, 3: 1},
            {BAR: 3, 13: 4, 8: 3, 6: 5},
            PositionClass.BLITZ,
        ),
        (
            {24: 2, 13: 4, 8: 3, 6: 4, 5: 2},
            {BAR: 1, 24: 1, 13: 5, 8: 3, 6: 5},
            PositionClass.OTHER,
        ),
        # With an anchor there is nothing to attack, even with three on the bar.
        (
            {24: 2, 13: 2, 8: 3, 6: 4, 5: 2, 4: 2},
            {BAR: 3, 21: 2, 13: 3, 8: 2, 6: 5},
            PositionClass.OTHER,
        ),
        (
            {24: 2, 13: 3, 8: 3, 6: 4, 5: 2, 4: 1},
            {BAR: 1, 24: 2, 13: 5, 8: 2, 6: 5},
            PositionClass.OTHER,
        ),
        # The attack is over: the side bears off, with two checkers on the bar.
        (
            {1: 5, 2: 5, OFF: 5},
            {BAR: 2, 13: 2, 6: 3, 5: 3, 4: 3, 3: 2},
            PositionClass.BEAR_IN,
        ),
        # Two blots behind five points in a row are primed, until one is on the bar.
        (
            {21: 2, 13: 2, 7: 2, 6: 3, 5: 2, 4: 2, 3: 2},
            {24: 1, 23: 1, 13: 2, 8: 3, 6: 2, 3: 2, 2: 2, 1: 2},
            PositionClass.PRIME,
        ),
        (
            {21: 2, 13: 2, 7: 2, 6: 3, 5: 2, 4: 2, 3: 2},
            {BAR: 1, 23: 1, 13: 2, 8: 3, 6: 2, 3: 2, 2: 2, 1: 2},
            PositionClass.BLITZ,
        ),
        # Four points in a row are no prime, and nobody is behind five.
        (
            {13: 4, 7: 2, 6: 3, 5: 2, 4: 2, 20: 2},
            {24: 2, 13: 4, 8: 3, 6: 4, 3: 2},
            PositionClass.OTHER,
        ),
        # The opponent has a checker in the side's home board.
        (
            {20: 2, 13: 3, 8: 3, 6: 4, 4: 3},
            {24: 1, 13: 4, 8: 3, 6: 4, 4: 3},
            PositionClass.OTHER,
        ),
    ],
)
def test_nearest_neighbors(
    side: dict[int, int], opponent: dict[int, int], kind: PositionClass
) -> None:
    position = Position(points(side), points(opponent))
    assert classify_position(position, "contact").kind is kind


BACK = {24: 2, 20: 2, 8: 3, 6: 4, 5: 2, 4: 2}
LOW = {8: 2, 6: 3, 5: 3, 4: 3, 3: 2}
CONTAINING = {13: 2, 8: 3, **HOME_BOARD, 7: 1}
ATTACKED = {BAR: 1, 24: 1, 13: 5, 8: 3, 6: 5}
WAITING = {13: 3, 8: 3, 6: 4, 4: 3}
COMING_HOME = {13: 4, 8: 4, 6: 4, 4: 3}


@pytest.mark.parametrize(
    ("side", "within", "beyond", "neighbor"),
    [
        # 30 pips behind, and 29.
        (BACK, {13: 3, 9: 1, 8: 5, 6: 6}, {13: 3, 9: 2, 8: 4, 6: 6}, PositionClass.HOLDING),
        # The opponent comes home from its 12 point, and from its 13 point.
        ({24: 2, **LOW}, {12: 2, 6: 4, 5: 9}, {13: 2, 6: 4, 5: 9}, PositionClass.OTHER),
        # The last checker is on the 13 point, and on the 12 point.
        (CONTAINING, {13: 1, 6: 3, 5: 4, OFF: 7}, {12: 1, 6: 3, 5: 4, OFF: 7}, PositionClass.BEAR_IN),
        # The other checkers are home, and one is on the 7 point.
        (CONTAINING, {BAR: 1, 6: 4, OFF: 10}, {BAR: 1, 7: 1, 6: 3, OFF: 10}, PositionClass.OTHER),
        # One is on the 12 point.
        (CONTAINING, {BAR: 1, 6: 4, OFF: 10}, {BAR: 1, 12: 1, 6: 3, OFF: 10}, PositionClass.OTHER),
        # Two checkers, and three.
        (CONTAINING, {BAR: 2, 6: 4, OFF: 9}, {BAR: 3, 6: 4, OFF: 8}, PositionClass.BLITZ),
        # Two checkers in the home board, and only one.
        (
            POSITIONS[PositionClass.BLITZ][0],
            {BAR: 1, 19: 1, 13: 5, 8: 3, 6: 5},
            {BAR: 1, 18: 1, 13: 5, 8: 3, 6: 5},
            PositionClass.OTHER,
        ),
        # The opponent is on its 7 point, and home.
        ({20: 2, **WAITING}, {7: 1, 6: 14}, {6: 15}, PositionClass.BEAR_IN),
        # The opponent has a checker on its 18 point, and in the home board.
        ({20: 2, **WAITING}, {18: 1, 13: 3, 8: 11}, {19: 1, 13: 3, 8: 11}, PositionClass.OTHER),
    ],
)  # fmt: skip
def test_the_opponent_is_just_within_and_just_beyond_a_class(
    side: dict[int, int], within: dict[int, int], beyond: dict[int, int], neighbor: PositionClass
) -> None:
    inside, outside = (Position(points(side), points(other)) for other in (within, beyond))
    assert classify_position(inside, "contact").role is Role.OWN
    assert classify_position(inside, "contact").kind is not neighbor
    assert classify_position(outside, "contact").kind is neighbor


@pytest.mark.parametrize(
    ("within", "beyond", "opponent", "kind"),
    [
        # Ten checkers in the zone, which ends at the 12 point; a checker borne off is not in it.
        (
            {24: 2, 13: 3, 12: 1, 8: 2, 6: 4, 5: 3},
            {24: 2, 13: 4, 8: 2, 6: 4, 5: 3},
            ATTACKED,
            PositionClass.BLITZ,
        ),
        (
            {24: 2, 13: 3, 8: 3, 6: 4, 1: 3},
            {24: 2, 13: 3, 8: 3, 6: 4, 1: 2, OFF: 1},
            ATTACKED,
            PositionClass.BLITZ,
        ),
        # An anchor on the bar point, and a point farther from home.
        ({18: 2, **WAITING}, {17: 2, **WAITING}, COMING_HOME, PositionClass.HOLDING),
        # All are in the own half of the board, and one is not.
        (
            {12: 1, 8: 2, 6: 12},
            {13: 1, 8: 2, 6: 12},
            {24: 1, 13: 5, 8: 9},
            PositionClass.BEAR_IN,
        ),
    ],
)
def test_the_side_is_just_within_and_just_beyond_a_class(
    within: dict[int, int], beyond: dict[int, int], opponent: dict[int, int], kind: PositionClass
) -> None:
    inside, outside = (Position(points(side), points(opponent)) for side in (within, beyond))
    assert classify_position(inside, "contact") == (kind, Role.OWN)
    assert classify_position(outside, "contact").kind is PositionClass.OTHER


def test_answers_are_seen_by_the_side_that_answers() -> None:
    situation = Situation(Position(*map(points, POSITIONS[PositionClass.HOLDING])), on_roll=0)
    rows = [
        row._replace(situation=situation, phase="contact")
        for row in (play(0.1), cube(Kind.DOUBLE, 0.5, 0.8), cube(Kind.TAKE, 0.5, 0.8))
    ]
    roles = [classified.role for row in rows if (classified := classify_decision(row))]
    assert roles == [Role.OWN, Role.OWN, Role.OPPONENT]


@pytest.mark.parametrize(
    ("side", "score", "crawford", "named"),
    [
        (0, (3, 6), False, True),
        (1, (6, 3), False, True),
        (0, (6, 3), False, False),  # The leader has no reason to double.
        (0, (3, 6), True, False),  # Nobody can double in the Crawford game.
        (0, (6, 6), False, False),
        (0, (3, 5), False, False),
    ],
)
def test_not_doubling_after_crawford_is_a_class_of_its_own(
    side: int, score: tuple[int, int], crawford: bool, named: bool
) -> None:
    """To 7 points, who trails needs more than one point, and the leader one."""
    situation = Situation(Position(*map(points, POSITIONS[PositionClass.HOLDING])), on_roll=side)
    rows = [
        row._replace(
            situation=situation,
            phase="contact",
            side=side,
            length=7,
            left=score[0],
            right=score[1],
            crawford=crawford,
        )
        for row in (cube(Kind.NO_DOUBLE, 0.5, 0.8), play(0.1))
    ]
    after, holding = PositionClass.AFTER_CRAWFORD, PositionClass.HOLDING
    kinds = [classified.kind for row in rows if (classified := classify_decision(row))]
    assert kinds == [after if named else holding, holding]


def test_resignations_and_positions_without_a_phase_have_no_class() -> None:
    assert (
        classify_decision(make_resignation(Kind.RESIGNATION, -1.0, -0.8)._replace(phase="race"))
        is None
    )
    assert classify_decision(play(0.1)) is None


def test_every_class_is_defined() -> None:
    assert list(DEFINITIONS) == list(PositionClass)
