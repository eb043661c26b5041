"""Sums: the counts of reports, summed by match, game and seat, for any later question.

A report is made of sums and a question. Its sums are declared as bases: the rows to count, with
their own dimensions in addition to those of the game. Sums take a hundredth of the rows they are
made of.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import union_categoricals

from bganalyze.statistics.reports.seats import games_by_side, number_games
from bganalyze.statistics.tables.fragments import SCHEMAS, TableFragment
from bganalyze.statistics.tables.frames import (
    GrowingTable,
    Recorded,
    Tables,
    join_as_written,
    settle_tables,
)
from bganalyze.statistics.tables.schema import Columns

KEY = ("match", "game", "seat")
"""The key of every row of sums: one side of a game, the left one (0) or the right one (1)."""


class SummedRows(NamedTuple):
    """Declaration of rows that reports count and sum: their table, dimensions and summed columns."""

    name: str
    rows: Callable[[Tables, pd.DataFrame], pd.DataFrame]
    """Function from tables, and the `games_by_side` of their games, to rows with `KEY`, dimensions and
    sums."""
    sums: tuple[str, ...]
    """The columns that are summed."""
    dimensions: Mapping[str, Sequence[str] | type] = {}
    """Dimensions of its rows in addition to those of the game, with all values of each; or with its
    type, for a number or any text."""
    groups: tuple[str, ...] = ()
    """The groups of columns of turns that it needs."""


class Sums(Protocol):
    """The sums of many matches, in memory or in a store."""

    @property
    def recorded(self) -> Recorded:
        """The tables of all matches and of all games."""

    def summed(
        self, base: SummedRows, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums over the rows of `base`, for each group of sides and combination of keys.

        `seats` lists the sides of games to sum, with match, game, seat and the number of their
        `group`. Keys are `match` and dimensions of the rows; the result is sorted by them. A column
        of `sums` with the prefix `BOTH` is summed only over games with both sides in one group.
        """

    def games(self, base: SummedRows, seats: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
        """Return how many games have rows that a base declares, for each group and combination of keys.

        The arguments are those of `summed`.
        """


class SelectedSums(NamedTuple):
    """The sums of a selection of matches."""

    sums: Sums
    matches: Collection[int]

    @property
    def recorded(self) -> Recorded:
        """The matches of this selection and their games, a table each."""
        recorded = self.sums.recorded
        return recorded._replace(
            matches=_select_matches(recorded.matches, self.matches),
            games=_select_matches(recorded.games, self.matches),
        )

    def summed(
        self, base: SummedRows, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums as `Sums.summed` does, of only the matches in this selection."""
        return self.sums.summed(base, _select_matches(seats, self.matches), keys, sums)

    def games(self, base: SummedRows, seats: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
        """Return numbers of games as `Sums.games` does, of only the matches in this selection."""
        return self.sums.games(base, _select_matches(seats, self.matches), keys)


def _select_matches(rows: pd.DataFrame, matches: Collection[int]) -> pd.DataFrame:
    """Return the rows whose column `match` is among these numbers."""
    return rows[rows["match"].isin(list(matches))].reset_index(drop=True)


BOTH = "both sides of "
"""Prefix of columns summed over games with both sides in a group."""


def sums_of(tables: Tables, bases: Iterable[SummedRows]) -> dict[str, pd.DataFrame]:
    """Return the sums over the rows that each base declares, as tables by the name of the base.

    They depend neither on players nor on dates, so spellings of names, copies of matches and
    ambiguous dates can be resolved later.
    """
    by_side = games_by_side(tables)
    rows = cache(lambda counted: counted(tables, by_side))
    return {base.name: _sum_rows(base, rows(base.rows)) for base in bases}


def _sum_rows(base: SummedRows, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the sums that a base declares, for each match, game, seat and value of its dimensions.

    `rows` are the rows to sum. A dimension with a list of words is stored as the number of the word
    in it.
    """
    keys = {name: rows[name].astype(kind) for name, kind in _KEY_TYPES.items()}
    keys |= {name: _store_dimension(rows[name], kind) for name, kind in base.dimensions.items()}
    numbers = make_number_table(
        {name: rows[name].to_numpy(np.float64, na_value=np.nan) for name in base.sums}
    )
    whole = pd.concat([pd.DataFrame(keys, copy=False), numbers.set_axis(rows.index)], axis=1)
    return whole.groupby(list(keys), observed=True, dropna=False).sum().reset_index()


_KEY_TYPES = dict(zip(KEY, (np.int32, np.int32, np.int8), strict=True))


def make_number_table(columns: Mapping[str, npt.NDArray[np.float64]]) -> pd.DataFrame:
    """Return a table with these columns, stored as a single array.

    Summing few rows of it takes half the time.
    """
    block = np.array(list(columns.values())).reshape(len(columns), -1)
    return pd.DataFrame(block.T, columns=list(columns), copy=False)


def _store_dimension(values: pd.Series, kind: Sequence[str] | type) -> pd.Series:
    """Return a column of a dimension as sums store it: a word as its index in a list of words.

    `kind` is that list, or a type; text becomes a category, and numbers stay as they are.
    """
    if isinstance(kind, type):
        return values.astype(_category_of_words(values)) if kind is str else values
    return pd.Series(pd.Categorical(values, categories=kind).codes, index=values.index)


def _category_of_words(values: pd.Series) -> pd.CategoricalDtype:
    """Return the pandas type of a column of words: a category with its words in order, even if empty."""
    return pd.CategoricalDtype(pd.Index(sorted(values.dropna().unique()), dtype=object))


def name_dimensions(base: SummedRows, frame: pd.DataFrame) -> pd.DataFrame:
    """Return sums with words, such as `contact`, in place of the numbers by which they are stored.

    `base` declares the sums, and the words of each of its dimensions.
    """
    words = {
        name: pd.Categorical.from_codes(frame[name].to_numpy(), kind)
        for name, kind in base.dimensions.items()
        if name in frame and not isinstance(kind, type)
    }
    return frame.assign(**words)


# Sums in memory.

AT_ONCE = 2048
"""Matches summed at once, which limits the memory needed."""


class KeptSums(NamedTuple):
    """Sums kept in memory."""

    recorded: Recorded
    frames: Mapping[str, pd.DataFrame]
    """The sums of each base."""

    def summed(
        self, base: SummedRows, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums from memory, grouped as `Sums.summed` describes."""
        by, columns = ["group", *keys], list(sums)
        parts = [
            _add_both_sides(rows, by, columns)
            .groupby(by, observed=True, dropna=False)[columns]
            .sum()
            for rows in self._seats_in_lots(base, seats)
        ]
        if len(parts) == 1:
            return parts[0].reset_index()
        whole = pd.concat(parts).reset_index()
        return whole.groupby(by, observed=True, dropna=False)[columns].sum().reset_index()

    def games(self, base: SummedRows, seats: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
        """Return numbers of games from memory, grouped as `Sums.games` describes."""
        by = ["group", *keys]
        parts = [
            rows[[*by, "match", "game"]]
            .drop_duplicates()
            .groupby(by, observed=True, dropna=False)
            .size()
            for rows in self._seats_in_lots(base, seats)
        ]
        whole = pd.concat(parts).rename("games").reset_index()
        return whole.groupby(by, observed=True, dropna=False)["games"].sum().reset_index()

    def _seats_in_lots(self, base: SummedRows, seats: pd.DataFrame) -> Iterator[pd.DataFrame]:
        """Yield the sums of these sides of games with their column `group`, some matches at a time.

        At least one table is yielded, if only an empty one.
        """
        frame, numbers = self.frames[base.name], _seat_numbers(seats)
        groups = seats["group"].to_numpy()
        last = int(frame["match"].iloc[-1]) if len(frame) else 0
        ends = frame["match"].searchsorted(np.arange(0, last + AT_ONCE + 1, AT_ONCE))
        for start, end in pairwise(ends):
            rows = frame.iloc[start:end]
            places = _seat_numbers(rows)
            nearest = np.minimum(numbers.searchsorted(places), max(len(numbers) - 1, 0))
            there = numbers[nearest] == places if len(numbers) else np.zeros(len(rows), dtype=bool)
            yield rows[there].assign(group=groups[nearest[there]])


def _seat_numbers(rows: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return, for each row, a number that is the same for rows of the same match, game and seat."""
    return np.asarray(2 * number_games(rows) + rows["seat"].to_numpy(dtype=np.int64))


def _add_both_sides(rows: pd.DataFrame, by: Sequence[str], sums: Sequence[str]) -> pd.DataFrame:
    """Return rows with copies of some columns; they are 0 unless both sides are in one group.

    The copies are the names in `sums` that begin with the prefix `BOTH`. The columns `by` form
    groups.
    """
    doubled = [name for name in sums if name.startswith(BOTH)]
    if not doubled:
        return rows
    has_both = rows.duplicated([*dict.fromkeys([*by, "match", "game"])], keep=False)
    return rows.assign(
        **{name: rows[name.removeprefix(BOTH)].where(has_both, 0) for name in doubled}
    )


def sum_tables(tables: Tables, bases: Iterable[SummedRows]) -> KeptSums:
    """Return the sums that each base declares over its rows of some tables, kept in memory."""
    return KeptSums(Recorded(tables.matches, tables.games), sums_of(tables, bases))


class TransferredSums(NamedTuple):
    """The sums of some matches, in a form that processes can send to each other."""

    recorded: list[tuple[Columns, Columns]]
    """The rows of matches and of their games, as in fragments."""
    frames: Mapping[str, pd.DataFrame]
    """The sums of each base, with the matches of the lot numbered from 0."""


def sum_lot(lot: Sequence[TableFragment], bases: Sequence[SummedRows]) -> TransferredSums:
    """Return the sums of some matches in a form that one process can send to another.

    `lot` has the rows of these matches by file; each base declares columns to sum.
    """
    groups = frozenset(group for base in bases for group in base.groups)
    sums = sums_of(join_as_written(lot, groups), bases)
    frames = {name: _narrow_numbers(frame) for name, frame in sums.items()}
    return TransferredSums([(rows.matches, rows.games) for rows in lot], frames)


def join_lots(
    lots: Iterable[TransferredSums], bases: Sequence[SummedRows], player: Callable[[str], str]
) -> KeptSums:
    """Return the sums of all matches from the sums of some at a time (`lots`), as processes make them.

    `bases` declare the sums; `player` returns the player's name for a name as written in a file.
    """
    matches, games = (GrowingTable(schema.columns) for schema in SCHEMAS[:2])
    parts: dict[str, list[pd.DataFrame]] = {base.name: [] for base in bases}
    count = 0
    for lot in lots:
        for name, frame in lot.frames.items():
            numbers = frame["match"].astype(np.int32) + count
            parts[name].append(frame.assign(match=numbers))
        for rows, rows_of_games in lot.recorded:
            matches.add(rows, count)
            games.add(rows_of_games, count)
            count += len(rows["match"])
    if not count:
        parts = {name: [frame] for name, frame in sum_lot([], bases).frames.items()}
    recorded = Recorded(matches.frame(), games.frame())
    settle_tables(recorded, player)
    frames = {base.name: join_parts(base, parts.pop(base.name)) for base in bases}
    return KeptSums(recorded, frames)


def _narrow_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return sums in the smallest number types; most are small whole numbers."""
    numbers = frame.select_dtypes("number")
    narrow = {name: pd.to_numeric(numbers[name], downcast="integer") for name in numbers}
    return frame.assign(**narrow)


def join_parts(base: SummedRows, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of different matches, in several tables, as one table.

    `base` declares the sums. The matches must be numbered differently in each part.
    """
    texts = [name for name, kind in base.dimensions.items() if kind is str and name in parts[0]]
    words = {name: union_categoricals([part[name].array for part in parts]) for name in texts}
    return pd.concat([part.drop(columns=texts) for part in parts], ignore_index=True).assign(
        **words
    )
