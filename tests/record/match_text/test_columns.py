"""Where the cells of a row begin."""

from __future__ import annotations

import pytest

from bganalyze.record.match_text.columns import _find_rolls


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
