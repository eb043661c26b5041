"""Dashes that stand for colons in a score, and marks of lists."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.spellings import (
    _has_dash_beside_points,
    find_markdown_marks,
    find_score_dashes,
)


def test_a_dash_between_points_and_a_name_parts_the_players() -> None:
    text = "Game 1\nAnn 0 - Bob 0\n 1) 31: 8/5 6/5"
    assert [part.new for part in find_score_dashes(text)] == [" : ", "    ", " : "]


@pytest.mark.parametrize(
    ("line", "is_beside"), [("Ann - 0", True), ("Ann 0 - Bob", True), ("Ann - Bob", False)]
)
def test_a_dash_on_either_side_of_points_is_beside_them(line: str, *, is_beside: bool) -> None:
    assert _has_dash_beside_points(line) == is_beside


def test_the_mark_of_a_list_is_one_of_markdown() -> None:
    text = "**5 point match**\n- 1) 31: 8/5"
    assert [part.start for part in find_markdown_marks(text)] == [0, 15, 18]
