"""Counts of the matches of a store: those with errors, copies, and unfinished ones."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bganalyze.record.players import Players
from bganalyze.statistics.store.views import connect_to_store


class StoreTotals(NamedTuple):
    """Counts of the matches of a store, as its table `matches` has them."""

    with_errors: int
    copies: int
    """Matches that another record has at least as fully."""
    unfinished: int
    """Matches to a length that have no winner, and whose result is not disputed; copies count too."""


def count_totals(folder: Path) -> StoreTotals:
    """Return how many matches of a store have errors, are copies, or are unfinished; raise MatchStoreError."""
    from bganalyze.statistics.reports.stored import SETTINGS, StoredSums  # Loads pandas.

    with connect_to_store(folder, settings=SETTINGS) as connection:
        matches = StoredSums(connection, Players()).recorded.matches
    is_open = matches["winner"].isna() & matches["disputed"].isna() & (matches["length"] != 0)
    return StoreTotals(
        *(
            int(column.sum())
            for column in (matches["errors"] > 0, matches["copy_of"].notna(), is_open)
        )
    )
