from __future__ import annotations

import pandas as pd

from bganalyze.render.leading import MOST_GROUPS, leading
from bganalyze.reports.figures import COLUMNS


def figures(groups: int) -> pd.DataFrame:
    """One figure a player: the n-th has n games."""
    frame = pd.DataFrame({"player": [f"p{n}" for n in range(groups)]})
    return frame.assign(**dict.fromkeys(COLUMNS, 0)).assign(of=range(groups))


def test_the_largest_groups_are_shown_in_their_order() -> None:
    shown, others = leading(figures(MOST_GROUPS + 3))
    assert shown["player"].tolist() == [f"p{n}" for n in range(3, MOST_GROUPS + 3)]
    assert others.startswith("the 20 largest of 23 groups by player;")


def test_nothing_is_said_where_all_are_shown() -> None:
    frame = figures(MOST_GROUPS)
    shown, others = leading(frame)
    assert shown is frame
    assert others == ""


def test_a_table_of_other_things_is_left_alone() -> None:
    frame = pd.DataFrame({"line": range(100)})
    shown, others = leading(frame)
    assert shown is frame
    assert others == ""
