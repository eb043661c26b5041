"""Tabs and other lines inside rows and scores."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.rows import (
    _find_wrapped_scores,
    find_lines_inside_rows,
    find_tabs,
)


def test_of_two_tabs_the_second_reaches_the_column() -> None:
    assert [len(part.new) for part in find_tabs(" 1) 31: 8/5 6/5\t\t42: 8/4 6/4\n" * 3)] == [
        1,
        8,
    ] * 3


def test_a_comment_inside_a_row_goes_behind_its_rest() -> None:
    text = " 1) 31: 8/5 6/5                 42: 8/4\nWell played, Bob.\n6/4"
    assert [part.new for part in find_lines_inside_rows(text)] == [" 6/4", ""]


@pytest.mark.parametrize(
    "score", [(" Ann : 0", "Bob : 0"), (" Ann : 0 Bob", "Smith : 0")], ids=["two", "in a name"]
)
def test_a_score_may_be_wrapped_before_or_in_a_name(score: tuple[str, str]) -> None:
    assert list(_find_wrapped_scores([" Game 1", *score, " 1) 31: 8/5 6/5"])) == [2]
