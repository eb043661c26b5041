"""The words on the cube habits of opponents beside the player's."""

from __future__ import annotations

import pytest

from bganalyze.statistics.reports.cube_habits import (
    DOUBLING,
    NOT_SURE,
    TAKING,
    compare_with_opponents,
)


@pytest.mark.parametrize(
    ("called", "theirs", "words"),
    [
        (
            "too late",
            "too late",
            "double too late as well: 65 percentage points (49 to 81) against the player's 55",
        ),
        (
            "too early",
            "too late",
            "double too late: 65 percentage points (49 to 81) against the player's 55",
        ),
        (
            "too late",
            NOT_SURE,
            "have no certain habit: 65 percentage points (49 to 81) against the player's 55",
        ),
    ],
)
def test_opponents_double_too_late(called: str, theirs: str, words: str) -> None:
    row = {"called": theirs, "value": 64.8, "low": 48.8, "high": 80.8}
    said = compare_with_opponents(DOUBLING, called, 55.3, row)
    assert said == (
        f"the opponents in the same matches {words}; the difference between them is not tested"
    )


def test_opponents_take_too_much() -> None:
    row = {"called": "takes too much", "value": 21.1, "low": 16.4, "high": 25.7}
    said = compare_with_opponents(TAKING, "takes too much", 11.0, row)
    assert said.startswith("the opponents in the same matches take too much as well: 21 ")
