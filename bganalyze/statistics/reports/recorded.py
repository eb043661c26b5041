"""What is recorded of rolls and doubles, in doubt or not: what notes count."""

from __future__ import annotations

import pandas as pd

from bganalyze.statistics.reports.figures import with_sums
from bganalyze.statistics.reports.seats import acting
from bganalyze.statistics.reports.sums import Base
from bganalyze.statistics.tables.frames import Tables


def recorded_turns(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return every roll with what keeps it from being counted."""
    rows = acting(tables.turns, both)
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
    return with_sums(rows, sums)


TURNS = Base(
    "turns_recorded",
    recorded_turns,
    ("turns", "in_doubt", "illegal", "unchecked", "uncounted", "opened_with_double", "timed"),
)


def recorded_offers(tables: Tables, both: pd.DataFrame) -> pd.DataFrame:
    """Return every double with what keeps it from being counted."""
    rows = acting(tables.cubes, both)
    sums = {
        "in_doubt": ~rows["verified"],
        "illegal": rows["verified"] & ~rows["legal"],
        "unanswered": rows["answer"] == "none",
    }
    return with_sums(rows, sums)


OFFERS = Base("offers_recorded", recorded_offers, ("in_doubt", "illegal", "unanswered"))
