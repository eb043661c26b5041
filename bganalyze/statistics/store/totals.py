"""Counts of the matches of a store (errors, copies, missing results), and the files of these matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.record.players import Players
from bganalyze.statistics.store.views import connect_to_store

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class MatchesOfKind(NamedTuple):
    """The matches of one kind, such as those with errors."""

    size: int = 0
    places: tuple[str, ...] = ()
    """The files of the first of them, in the order of the store."""


class StoreTotals(NamedTuple):
    """The matches of a store, as its table `matches` has them; copies count too."""

    matches: int
    games: int
    with_errors: MatchesOfKind
    money: MatchesOfKind
    """Sessions of money play whose last game is over."""
    incomplete: MatchesOfKind
    """Matches whose file lacks the beginning, the end or the length, and sessions of money play
    whose last game is not over."""
    disputed: MatchesOfKind
    """Matches that only lack a winner because match file and board disagree on it."""
    copies: MatchesOfKind
    """Matches that another record has at least as fully; each place names that record too."""


_SIZE = "SELECT count(*), coalesce(sum(games), 0)::BIGINT FROM matches"

_KINDS = """WITH open_money AS (
    SELECT match FROM games WHERE match IN (SELECT match FROM matches WHERE length = 0)
    QUALIFY row_number() OVER (PARTITION BY match ORDER BY game DESC) = 1 AND winner IS NULL
), sorted AS (
    SELECT match, path || CASE WHEN number > 1 THEN ', match ' || number ELSE '' END AS place,
        unnest([
            CASE WHEN errors > 0 THEN 'with_errors' END,
            CASE WHEN complete THEN NULL
                WHEN match IN (FROM open_money) THEN 'incomplete'
                WHEN games > 0 AND length = 0 THEN 'money'
                WHEN games > 0 AND length > 0 AND left_before = 0 AND right_before = 0
                    AND recorded_winner IS DISTINCT FROM board_winner THEN 'disputed'
                ELSE 'incomplete' END
        ]) AS kind
    FROM matches
), numbered AS (
    SELECT kind, place, count(*) OVER (PARTITION BY kind) AS size,
        row_number() OVER (
            PARTITION BY kind ORDER BY match IN (SELECT unnest(?::BIGINT[])) DESC, match
        ) AS nth
    FROM sorted WHERE kind IS NOT NULL
)
SELECT kind, size, place FROM numbered WHERE nth <= ? ORDER BY kind, nth"""

_PLACES = """SELECT match, path || CASE WHEN number > 1 THEN ', match ' || number ELSE '' END
FROM matches WHERE match IN (SELECT unnest(?::BIGINT[]))"""


_MATCHES_OF_FILES = "SELECT match FROM matches WHERE path IN (SELECT unnest(?::VARCHAR[]))"


def count_totals(folder: Path, most_names: int, first_paths: Sequence[str] = ()) -> StoreTotals:
    """Return how many matches of each kind a store has, such as matches with errors.

    Of each kind, at most `most_names` matches are named, beginning with those in `first_paths`.
    Raises MatchStoreError if the store cannot be read.
    """
    from bganalyze.statistics.reports.stored import SETTINGS, StoredSums  # Loads pandas.

    with connect_to_store(
        folder, duckdb_settings=SETTINGS, tables=("matches", "games")
    ) as connection:
        ((matches, games),) = connection.execute(_SIZE).fetchall()
        rows_of_files = connection.execute(_MATCHES_OF_FILES, [list(first_paths)]).fetchall()
        first = {match for (match,) in rows_of_files}
        rows = connection.execute(_KINDS, [sorted(first), most_names]).fetchall()
        kinds = {
            kind: MatchesOfKind(some[0][1], tuple(place for *_, place in some))
            for kind, group in groupby(rows, key=itemgetter(0))
            if (some := list(group))
        }
        found = StoredSums(connection, Players()).list_copies()
        copies = MatchesOfKind(
            len(found), _name_copies(connection, _sort_copies(found, first)[:most_names])
        )
    names = ("with_errors", "money", "incomplete", "disputed")
    return StoreTotals(
        matches, games, **{name: kinds.get(name, MatchesOfKind()) for name in names}, copies=copies
    )


def _sort_copies(copies: Mapping[int, int], first: Collection[int]) -> list[tuple[int, int]]:
    """Return pairs of match numbers: a copy and the match that is counted instead.

    `copies` has the counted match of each copy. The copies in `first` come first.

    >>> _sort_copies({2: 1, 5: 1, 3: 1}, {5})
    [(5, 1), (2, 1), (3, 1)]
    """
    return sorted(copies.items(), key=lambda pair: (pair[0] not in first, pair))


def _name_copies(
    connection: DuckDBPyConnection, copies: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Return a phrase for each copy with the file that counts instead, such as "b.mat, of a.mat".

    `copies` are pairs of match numbers: the copy, and the counted match.
    """
    numbers = sorted({number for pair in copies for number in pair})
    if not numbers:
        return ()
    places = dict(connection.execute(_PLACES, [numbers]).fetchall())
    return tuple(f"{places[copy]}, of {places[original]}" for copy, original in copies)
