"""Cube habits counted on paper, and the words on those of opponents beside the player's."""

from __future__ import annotations

import math

import pytest

from bganalyze.analysis.decisions import Kind
from bganalyze.record.players import Players
from bganalyze.statistics.reports.cube_habits import (
    DOUBLING,
    TAKING,
    compare_with_opponents,
    yield_cube_habits_sections,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.sureness import MAY_BE_CHANCE
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import cube
from tests.statistics.match_report.analyzed import MATCH, analyze_text


@pytest.mark.parametrize(
    ("called", "theirs", "words"),
    [
        (
            "too late, sure",
            "too late, fairly sure",
            "double too late as well, fairly sure: 64.8 percentage points (48.8 to 80.8) against the player's 55.3",
        ),
        (
            "too early, sure",
            "too late, sure",
            "double too late, sure: 64.8 percentage points (48.8 to 80.8) against the player's 55.3",
        ),
        (
            "too late, sure",
            MAY_BE_CHANCE,
            "have no habit that is fairly sure: 64.8 percentage points (48.8 to 80.8) against the player's 55.3",
        ),
    ],
)
def test_opponents_double_too_late(called: str, theirs: str, words: str) -> None:
    row = {"called": theirs, "value": 64.8, "low": 48.8, "high": 80.8}
    said = compare_with_opponents(DOUBLING, called, 55.3, row)
    assert said == (
        f"the opponents in the same matches {words} (the difference between them: not tested)"
    )


def test_opponents_take_too_much() -> None:
    row = {"called": "takes too much, sure", "value": 21.1, "low": 16.4, "high": 25.7}
    said = compare_with_opponents(TAKING, "takes too much, fairly sure", 11.0, row)
    assert said.startswith("the opponents in the same matches take too much as well, sure: 21.1 ")


def test_errors_are_compared_where_they_cost_the_same() -> None:
    """The example of docs/profile.md: 20 points at a cost of 0.05, -16.7 at 0.1, together 6.25.

    The two rates beside the balance are 31.25 and 25 %, so that they differ by it.

    The weights of Mantel and Haenszel are 10 x 5 / 15 and 6 x 3 / 9.
    """
    rows = (
        *4 * (cube(Kind.NO_DOUBLE, 0.5, 0.55),),
        *6 * (cube(Kind.DOUBLE, 0.5, 0.55),),
        *1 * (cube(Kind.DOUBLE, 0.5, 0.45),),
        *4 * (cube(Kind.NO_DOUBLE, 0.5, 0.45),),
        *1 * (cube(Kind.NO_DOUBLE, 0.5, 0.6),),
        *5 * (cube(Kind.DOUBLE, 0.5, 0.6),),
        *1 * (cube(Kind.DOUBLE, 0.5, 0.4),),
        *2 * (cube(Kind.NO_DOUBLE, 0.5, 0.4),),
    )
    _, analyzed = analyze_text(MATCH)
    tables = tabulate_analyzed([analyzed._replace(rows=rows)], Players())
    section = next(yield_cube_habits_sections.report(tables, Question(by=(), player="Ann")))
    values = section.frame.set_index("figure")["value"]
    assert math.isclose(values["missed doubles, any loss"], 5 / 16)
    assert math.isclose(values["early doubles, any loss"], 2 / 13)
    assert math.isclose(
        values["missed doubles, at equal cost"], (10 * 0.4 / 3 + 2 / 6) / (10 / 3 + 2)
    )
    assert math.isclose(
        values["early doubles, at equal cost"], (10 * 0.2 / 3 + 2 / 3) / (10 / 3 + 2)
    )
    assert math.isclose(values[DOUBLING.figure], 6.25)
    compared = section.frame.set_index("figure")["of"]
    assert [compared[figure] for figure in (*DOUBLING.compared_errors, DOUBLING.figure)] == [
        *(16, 8),
        24,
    ]
