"""Where the cells of a row begin."""

from __future__ import annotations

import pytest

from bganalyze.record.match_text.columns import (
    _find_rolls,
    cut_row,
    find_earliest_right_start,
    parse_row_number,
)


@pytest.mark.parametrize(
    ("line", "rolls"),
    [
        (" 31: 8/5 6/5   42: 8/4 6/4", ["31: 8/5", "42: 8/4"]),
        (" 31: 31: 8/5 6/5", ["31: 31:"]),
        (" 31:  31: 8/5 6/5", ["31:  31:", "31: 8/5"]),
        (" 31: 8/5 6/5   31: 24/21", ["31: 8/5", "31: 24/"]),
        (" 31: 42: 8/4 6/4", ["31: 42:", "42: 8/4"]),
    ],
)
def test_a_roll_that_is_written_twice_in_a_row_counts_once(line: str, rolls: list[str]) -> None:
    found = [line[start:] for start in _find_rolls(line, 0)]
    assert [text[: len(roll)] for text, roll in zip(found, rolls, strict=True)] == rolls


def test_a_plain_row_number_needs_a_blank_behind_it() -> None:
    assert parse_row_number("  7)") == (-1, "", 0)


def test_a_row_without_a_left_cell_has_a_right_one() -> None:
    row = cut_row("  2)                             Doubles => 2", 33)
    assert (row.left, row.right, row.right_at) == ("", "Doubles => 2", 33)
    assert cut_row("  2)\t\tDoubles => 2", None).right == "Doubles => 2"


@pytest.mark.parametrize(("column", "earliest"), [(40, 32), (None, 18)])
def test_the_right_cell_begins_near_the_column_if_it_is_known(
    column: int | None, earliest: int
) -> None:
    assert find_earliest_right_start(column, 3) == earliest
