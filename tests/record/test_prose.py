"""Titles and boxes around a match."""

from __future__ import annotations

import pytest

from bganalyze.record.prose import is_title, strip_box


@pytest.mark.parametrize(
    ("line", "is_a_title"), [("|  31: 8/5 6/5  |", True), ("x 31: 8/5 6/5", False)]
)
def test_a_boxed_row_is_a_title(line: str, *, is_a_title: bool) -> None:
    assert is_title(line) == is_a_title


def test_a_title_is_taken_out_of_its_box() -> None:
    assert strip_box(" |  Final   | ") == "Final"
