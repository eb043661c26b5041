"""Rows of a table that a question selects."""

from __future__ import annotations

import pandas as pd
import pytest

from bganalyze.statistics.reports.figures import select_rows_of_question
from bganalyze.statistics.reports.question import Question

ROWS = pd.DataFrame(
    {
        "player": ["Ann", "Bob", "Ann", "Bob", "Ann", "Cid"],
        "opponent": ["Bob", "Ann", "Bob", "Ann", "Cid", "Ann"],
        "match": [0, 0, 0, 0, 1, 1],
        "game": [1, 1, 2, 2, 1, 1],
    }
).astype({"player": "category", "opponent": "category"})
"""Ann has three games, Bob two and Cid one."""


@pytest.mark.parametrize(
    ("by", "fewest", "players"),
    [
        (("player",), 1, {"Ann", "Bob", "Cid"}),
        (("player",), 2, {"Ann", "Bob"}),
        (("player",), 3, {"Ann"}),
        (("player",), 4, set()),
        (("player", "opponent"), 2, {"Ann", "Bob"}),
        (("opponent",), 3, {"Bob", "Cid"}),
        (("player", "year"), 3, {"Ann"}),
        (("year",), 9, {"Ann", "Bob", "Cid"}),
        ((), 3, {"Ann", "Bob", "Cid"}),
        ((), 4, set()),
    ],
)
def test_groups_of_fewer_games_are_left_out(
    by: tuple[str, ...], fewest: int, players: set[str]
) -> None:
    """Without dimensions all rows are one group; rows without a value are in no group."""
    assert (
        set(select_rows_of_question(ROWS, Question(by=by, min_games=fewest))["player"]) == players
    )


def test_games_of_one_player_against_another() -> None:
    rows = select_rows_of_question(ROWS, Question(player="ann", opponent="CID"))
    assert rows.index.tolist() == [4]
