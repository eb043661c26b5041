"""Counts of the matches of a store: all, those with errors, copies, and unfinished ones."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bganalyze.record.players import Players
from bganalyze.statistics.store.views import connect_to_store


class StoreTotals(NamedTuple):
    """Counts of the matches of a store, as its table `matches` has them."""

    matches: int
    with_errors: int
    unfinished: int
    """Matches to a length that have no winner, and whose result is not disputed; copies count too."""
    copies: int
    """Matches that another record has at least as fully."""


_COUNTS = """SELECT count(*), count(*) FILTER (errors > 0),
count(*) FILTER (winner IS NULL AND disputed IS NULL AND length <> 0) FROM matches"""


def count_totals(folder: Path) -> StoreTotals:
    """Return how many matches a store has, and how many of them have errors, are unfinished, or are copies.

    Only the rows of matches are read. Raise MatchStoreError.
    """
    from bganalyze.statistics.reports.stored import SETTINGS, StoredSums  # Loads pandas.

    with connect_to_store(folder, settings=SETTINGS, tables=("matches",)) as connection:
        ((matches, with_errors, unfinished),) = connection.execute(_COUNTS).fetchall()
        copies = StoredSums(connection, Players()).count_copies()
    return StoreTotals(matches, with_errors, unfinished, copies)
