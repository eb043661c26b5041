"""All recorded rolls and doubles, with the reasons why figures leave some out."""

from __future__ import annotations

import pandas as pd

from bganalyze.statistics.reports.figures import add_number_columns
from bganalyze.statistics.reports.seats import add_acting_side
from bganalyze.statistics.reports.sums import KEY, SummedTable
from bganalyze.statistics.tables.frames import Tables


def select_recorded_turns(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return every turn with columns of 0 and 1 for reasons to leave it out, such as `illegal`."""
    rows = add_acting_side(tables.turns, sides_of_games)
    verified, legality = rows["verified"], rows["legality"]
    sums = {
        "turns": rows["turn"] > 0,
        "in_doubt": ~verified,
        "illegal": verified & legality.isin(["illegal", "corrected"]),
        "unchecked": verified & (legality == "unchecked"),
        "uncounted": ~rows["counts"],
        "opened_with_double": rows["opening"] & (rows["high"] == rows["low"]),
        "timed": rows["seconds"].notna(),
    }
    return add_number_columns(rows[list(KEY)], sums)


TURNS = SummedTable(
    "turns_recorded",
    select_recorded_turns,
    ("turns", "in_doubt", "illegal", "unchecked", "uncounted", "opened_with_double", "timed"),
)


def select_recorded_offers(tables: Tables, sides_of_games: pd.DataFrame) -> pd.DataFrame:
    """Return every double with columns of 0 and 1 for reasons to leave it out, such as `illegal`."""
    rows = add_acting_side(tables.cubes, sides_of_games)
    sums = {
        "in_doubt": ~rows["verified"],
        "illegal": rows["verified"] & ~rows["legal"],
        "unanswered": rows["answer"] == "none",
    }
    return add_number_columns(rows[list(KEY)], sums)


OFFERS = SummedTable(
    "offers_recorded", select_recorded_offers, ("in_doubt", "illegal", "unanswered")
)
