"""Estimate plays from the board alone, and slips from the plays of a game."""

from __future__ import annotations

from math import exp

import pytest

from bganalyze.board.ids import Situation
from bganalyze.board.movement import legal_plays
from bganalyze.board.position import start_position
from bganalyze.repairing.prior import rate_plays_by_appearance
from tests.repairing.transcripts import messages

START = start_position("standard")

HEAD = " 5 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"


@pytest.mark.parametrize("dice", [(3, 1), (6, 1), (4, 2)])
def test_the_plays_of_a_roll_share_one_probability(dice: tuple[int, int]) -> None:
    (plays,) = rate_plays_by_appearance([Situation(START, 0, dice)])
    assert plays.keys() == legal_plays(START, dice).keys()
    assert sum(map(exp, plays.values())) == pytest.approx(1)


@pytest.mark.parametrize(("dice", "point"), [((3, 1), 5), ((6, 1), 7), ((4, 2), 4)])
def test_the_point_that_everyone_makes_is_the_likeliest_play(
    dice: tuple[int, int], point: int
) -> None:
    (plays,) = rate_plays_by_appearance([Situation(START, 0, dice)])
    assert max(plays, key=plays.__getitem__).own[point] == 2


def test_of_the_plays_that_fit_where_none_is_written_the_usual_one_is_proposed_first() -> None:
    rows = (
        "  1) 31:                         42: 24/22 13/9",
        "  2) 52: 13/8 13/11              63: 22/16 9/6",
    )
    data = (HEAD + "\n".join(rows) + "\n").encode()
    assert messages(data)[0] == "31: → 31: 8/5 6/5"
