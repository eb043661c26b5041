"""Features of boards, against a plain count over their points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.board.position import (
    BAR,
    OFF,
    PHASES,
    Points,
    Position,
    classify_phase,
    pips,
    points,
)
from bganalyze.statistics.features import structure
from bganalyze.statistics.features.boards import boards_of, pack_sides
from bganalyze.statistics.features.structure import (
    advise_by_keith,
    advise_by_trice,
    compute_keith_count,
    phases,
)
from tests.statistics.features.positions import positions

ON_BOARD = range(1, BAR)


def plain(side: Points) -> dict[str, int]:
    """Return the same figures counted point by point."""
    made_points = [side[point] > 1 for point in ON_BOARD]
    runs = "".join("x" if point else " " for point in made_points).split()
    return {
        "count_pips": pips(side),
        "count_blots": sum(side[point] == 1 for point in ON_BOARD),
        "count_points_held": sum(made_points),
        "count_home_points": sum(made_points[:6]),
        "count_anchors": sum(made_points[18:]),
        "longest_prime": max(map(len, runs), default=0),
        "rearmost_point": max((point for point in range(1, BAR + 1) if side[point]), default=0),
        "count_crossovers": sum(-(-point // 6) * count for point, count in enumerate(side)),
    }


@given(positions())
def test_a_side_counted_point_by_point(position: Position) -> None:
    side = pack_sides([position.own])
    for name, count in plain(position.own).items():
        assert int(getattr(structure, name)(side)[0]) == count, name


@pytest.mark.slow
@given(positions())
def test_contact_is_a_checker_that_has_one_still_before_it(position: Position) -> None:
    own, other = position
    own_points = [point for point in range(1, BAR + 1) if own[point]]
    other_points = [BAR - point for point in range(1, BAR + 1) if other[point]]
    has_contact = any(point > facing for point in own_points for facing in other_points)
    [phase] = phases(boards_of([position]), np.array([4]))
    assert (PHASES[phase] == "contact") == has_contact


@pytest.mark.slow
@given(positions(), st.integers(1, 5))
def test_the_phase_of_many_positions_is_that_of_each(position: Position, play: int) -> None:
    [phase] = phases(boards_of([position]), np.array([play]))
    assert PHASES[phase] == classify_phase(position, play)


def test_points_gained_are_new_ones() -> None:
    before, after = pack_sides([points({8: 3, 6: 5})]), pack_sides([points({8: 2, 6: 4, 5: 2})])
    assert structure.count_points_made(before, after).tolist() == [1]


def test_phases() -> None:
    home, away = points({6: 2, OFF: 13}), points({13: 2, OFF: 13})
    rear = points({24: 1, 6: 14})
    rows = [Position(rear, rear), Position(rear, rear), Position(away, home), Position(home, home)]
    indices = phases(boards_of(rows), pack_sides([home])[0][:4] * 0 + [3, 4, 20, 20])
    assert [PHASES[index] for index in indices] == ["opening", "contact", "race", "bear-off"]


def test_keith_counts_as_published() -> None:
    """The published example adds to pips what stacks and gaps waste."""
    assert compute_keith_count(pack_sides([points({6: 5, 5: 5, 4: 5})])).tolist() == [75]
    assert compute_keith_count(pack_sides([points({1: 3, 2: 2, 3: 4})])).tolist() == [
        19 + 4 + 1 + 1 + 3
    ]


def test_analyses_at_their_borders() -> None:
    """Sixty against: Keith raises 63 to 72; Trice's last take of 60 is at 67."""
    sixty = points({6: 5, 5: 2, 4: 5})
    assert pips(sixty) == 60
    for ahead, evaluation in (
        (67, (True, True, True)),
        (64, (True, False, True)),
        (68, (True, True, False)),
        (63, (False, False, True)),
    ):
        extra = ahead - 60
        other = list(sixty)
        other[6] -= 1
        other[6 + extra] += 1
        analyses = advise_by_trice(boards_of([Position(sixty, tuple(other))]))
        assert tuple(bool(answers[0]) for answers in analyses) == evaluation, ahead
        assert [
            bool(answers[0])
            for answers in advise_by_keith(boards_of([Position(sixty, tuple(other))]))
        ] == [
            68 - ahead <= 4,
            68 - ahead <= 3,
            68 - ahead >= 2,
        ]
