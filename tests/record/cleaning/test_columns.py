"""Columns of rows whose blanks are lost."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.columns import (
    _count_borne_off,
    _find_gaps,
    find_guessed_winners,
    find_lost_columns,
)

ROWS = "1) 31: 8/5 6/5 42: 8/4 6/4\n2) 65: 24/13 61: 13/7 8/7\n3) 52: 13/8 43: 8/1"


def test_second_columns_begin_at_one_place() -> None:
    assert [len(part.new) for part in find_lost_columns(ROWS)] == [20, 22, 23]


def test_a_winner_is_guessed_after_several_rows() -> None:
    assert [part.new for part in find_guessed_winners(f"{ROWS}\nWins 1 point")] == ["Wins 1 point"]


def test_each_row_of_two_rolls_has_a_gap() -> None:
    rows = ["1) 31: 8/5 6/5   42: 8/4 6/4", "2) 65: 24/13", "3) 61: 13/7 8/7 52: 13/8"]
    assert _find_gaps(rows) == ["   ", " "]


@pytest.mark.parametrize(("cell", "count"), [("66: 6/off(3) 5/off", 4), ("65: 6/off 5/4", 1)])
def test_checkers_borne_off_are_counted(cell: str, count: int) -> None:
    assert _count_borne_off(cell) == count
