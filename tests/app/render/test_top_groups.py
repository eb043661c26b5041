from __future__ import annotations

import pandas as pd

from bganalyze.app.render.answers import (
    LATEST,
    MOST_GROUPS,
    MOST_ROWS,
    _make_blocks,
    select_largest_groups,
)
from bganalyze.app.render.document import Grid, Note
from bganalyze.statistics.reports.figures import COLUMNS, Section


def figures(groups: int) -> pd.DataFrame:
    """Return a figure for each player: the n-th has n games."""
    frame = pd.DataFrame({"player": [f"p{n}" for n in range(groups)]})
    return frame.assign(**dict.fromkeys(COLUMNS, 0)).assign(of=range(groups))


def test_the_largest_groups_are_shown_in_their_order() -> None:
    shown, others = select_largest_groups(figures(MOST_GROUPS + 3))
    assert shown["player"].tolist() == [f"p{n}" for n in range(3, MOST_GROUPS + 3)]
    assert others.startswith("20 of 23 players shown, those with the most cases;")


def test_nothing_is_said_where_all_are_shown() -> None:
    frame = figures(MOST_GROUPS)
    shown, others = select_largest_groups(frame)
    assert shown is frame
    assert others == ""


def test_a_table_of_other_things_is_left_alone() -> None:
    frame = pd.DataFrame({"line": range(100)})
    shown, others = select_largest_groups(frame)
    assert shown is frame
    assert others == ""


def pairs(players: int, opponents: int) -> pd.DataFrame:
    """Return a figure for each pair, all of the same size."""
    frame = pd.DataFrame(
        [(f"p{n}", f"o{other}") for n in range(players) for other in range(opponents)],
        columns=["player", "opponent"],
    )
    return frame.assign(**dict.fromkeys(COLUMNS, 0))


def test_fewer_groups_are_shown_where_each_has_many_rows() -> None:
    shown, others = select_largest_groups(pairs(MOST_GROUPS + 1, 50))
    assert len(shown) == MOST_ROWS
    assert others.startswith("6 of 21 players shown,")


def test_smaller_groups_are_shown_where_larger_ones_do_not_fit() -> None:
    shown, others = select_largest_groups(pairs(2, MOST_ROWS))
    assert len(shown) == MOST_GROUPS
    assert others.startswith("20 of 600 groups by player and opponent shown,")


def test_of_a_long_table_without_figures_the_largest_groups_are_shown() -> None:
    books = pd.DataFrame({"player": [f"p{n // 4}" for n in range(400)], "won": range(400)})
    shown, others = select_largest_groups(books)
    assert shown["player"].unique().tolist() == [f"p{n}" for n in range(80, 100)]
    assert others.startswith("20 of 100 players shown,")


def test_of_what_moves_day_by_day_the_last_rows_are_shown() -> None:
    moving = figures(40).rename(columns={"player": "date"})
    shown, others = select_largest_groups(moving)
    assert shown["date"].tolist() == [f"p{n}" for n in range(40 - LATEST, 40)]
    assert others.startswith("the last 10 of each;")


def test_in_a_long_table_rows_of_a_single_case_are_not_shown() -> None:
    frame = figures(MOST_GROUPS + 3).assign(figure="games", kind="mean")
    blocks = tuple(_make_blocks(Section("Games", frame), ()))
    (grid, *notes) = blocks
    assert isinstance(grid, Grid)
    assert len(grid.rows) == MOST_GROUPS
    assert Note("not shown: 2 rows with a single case; --format csv shows all rows") in notes
    short = tuple(_make_blocks(Section("Games", frame.head(3)), ()))
    assert len(short) == 1
