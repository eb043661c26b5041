"""Checkers of a set-up position that are not where the game left them."""

from __future__ import annotations

import pytest

from bganalyze.board.position import BAR, points
from bganalyze.validation.replaying.set_ups import (
    _describe_misplaced_checkers,
    describe_difference,
    describe_misplaced,
)


@pytest.mark.parametrize(
    ("expected", "recorded", "words"),
    [
        ({13: 5, 8: 3}, {13: 5, 8: 3}, ""),
        ({13: 5, 8: 3}, {13: 3, 8: 5}, "two checkers on 8 belong on 13"),
        ({13: 5, 8: 3}, {13: 4, 8: 3, BAR: 1}, "one checker on the bar belongs on 13"),
        (
            {13: 5, 8: 3, 6: 2},
            {13: 4, 8: 2, 6: 4},
            "one checker on 6 belongs on 8, one checker on 6 belongs on 13",
        ),
        (
            {13: 5, 8: 3},
            {13: 4, 8: 2},
            "one checker is missing on 8, one checker is missing on 13",
        ),
        ({13: 5}, {13: 5, 1: 2}, "two checkers on 1 are too many"),
    ],
)
def test_up_to_two_misplaced_checkers_are_named(
    expected: dict[int, int], recorded: dict[int, int], words: str
) -> None:
    assert describe_misplaced(points(expected), points(recorded)) == words


def test_a_difference_names_each_point_that_differs() -> None:
    expected = points({1: 2, 24: 2}), points({6: 5})
    recorded = points({1: 1, 24: 2, BAR: 1}), points({6: 5})
    assert describe_difference(expected, recorded) == "{left} has 1 on 1, 1 on the bar"


@pytest.mark.parametrize(
    "recorded",
    [{13: 2, 8: 6}, {13: 3, 8: 2, 6: 3}, {13: 4, 8: 2, 6: 1, 5: 1, 4: 1}, {13: 4, 8: 1}, {13: 8, 8: 3}],
)  # fmt: skip
def test_more_than_two_are_not(recorded: dict[int, int]) -> None:
    assert describe_misplaced(points({13: 5, 8: 3}), points(recorded)) == ""


def test_checkers_that_are_missing_or_elsewhere_are_counted() -> None:
    missing = describe_misplaced(points({13: 5, 8: 3}), points({13: 3, 8: 3}))
    assert missing == "two checkers are missing on 13"
    elsewhere = _describe_misplaced_checkers(2, "the bar", "the 8 point")
    assert elsewhere == "two checkers on the bar belong on the 8 point"
