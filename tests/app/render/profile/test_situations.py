"""The PR by situations, as a profile shows it."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pandas as pd

from bganalyze.app.render.document import Grid
from bganalyze.app.render.profile.situations import tabulate_situations
from bganalyze.statistics.reports.figures import Section


def make_section(column: str, *rows: tuple[object, float, float, int], note: str = "") -> Section:
    """Return the PR by values of a column: each value, its PR, half its interval, and its decisions."""
    frame = pd.DataFrame(
        [
            {column: name, "value": pr, "low": pr - half, "high": pr + half, "of": of, "matches": 4}
            for name, pr, half, of in rows
        ]
    )
    return Section(f"By {column}", frame, (note, "more") if note else ())


def show(*sections: Section) -> list[Grid]:
    """Return the tables shown of these sections, which follow a note."""
    profile: Any = SimpleNamespace(situations=sections)
    note, *grids = tabulate_situations(profile)
    assert "a row needs 30 decisions and 3 matches" in str(note)
    assert all(isinstance(grid, Grid) for grid in grids)
    return [grid for grid in grids if isinstance(grid, Grid)]


def rows_of(grid: Grid) -> list[str]:
    return [" | ".join(cell.text for cell in row) for row in grid.rows]


def test_values_with_30_decisions_and_an_interval_have_a_row() -> None:
    (grid,) = show(
        make_section(
            "cube",
            (1.0, 5.25, 1.0, 1234),
            (2.0, 8.0, 0.5, 30),
            (4.0, 9.0, 0.5, 29),
            (8.0, 9.0, math.nan, 99),
            note="money games apart",
        )
    )
    assert grid.caption == "By cube (money games apart)"
    assert rows_of(grid) == [
        "1 | 5.2 | 4.2 to 6.2 | 1,234 | 4",
        "2 | 8.0 | 7.5 to 8.5 | 30 | 4",
    ]


def test_the_eight_values_with_the_most_decisions_keep_their_order() -> None:
    (grid,) = show(make_section("hour", *((f"at {at}", 5.0, 1.0, 30 + at) for at in range(10))))
    assert [row.split(" | ")[0] for row in rows_of(grid)] == [f"at {at}" for at in range(2, 10)]
    assert grid.caption == "By hour"


def test_scores_are_sorted_by_the_pr() -> None:
    (grid,) = show(make_section("score", ("2-2", 5.0, 1.0, 40), ("0-0", 7.0, 1.0, 30)))
    assert [row.split(" | ")[0] for row in rows_of(grid)] == ["0-0", "2-2"]
    assert grid.caption.startswith("By score (the player's score first;")


def test_a_situation_with_one_value_has_no_table() -> None:
    profile: Any = SimpleNamespace(situations=(make_section("cube", (1.0, 5.0, 1.0, 99)),))
    assert list(tabulate_situations(profile)) == []
