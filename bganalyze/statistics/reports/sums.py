"""Sums: the counts of reports, summed by match, game and seat, for any later question.

A report is made of sums and a question. Its sums are declared as summed_tables: the rows to count, with
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

from bganalyze.statistics.anonymity import blank_personal_columns
from bganalyze.statistics.reports.seats import games_by_side, number_games
from bganalyze.statistics.tables.fragments import SCHEMAS, TableFragment
from bganalyze.statistics.tables.frames import (
    GrowingTable,
    Recorded,
    Tables,
    join_as_written,
    resolve_tables,
)
from bganalyze.statistics.tables.schema import Columns

KEY = ("match", "game", "seat")
"""The key of every row of sums: one side of a game, the left one (0) or the right one (1)."""


class SummedTable(NamedTuple):
    """Declaration of a table whose rows reports count and sum, such as plays or doubles."""

    name: str
    rows: Callable[[Tables, pd.DataFrame], pd.DataFrame]
    """Function that makes the rows, with the columns `KEY`, dimensions and sums, from the tables of
    matches and from their games as `games_by_side` returns them."""
    sums: tuple[str, ...]
    """The columns that are summed."""
    dimensions: Mapping[str, Sequence[str] | type] = {}
    """Columns by which the sums are kept apart, in addition to those of the game. Each has a list
    of all its words; or a type, if it has numbers or arbitrary text."""
    groups: tuple[str, ...] = ()
    """The groups of columns of the table of turns from which the rows are made."""


class Sums(Protocol):
    """The sums of table columns over many matches, in memory or in a store."""

    @property
    def recorded(self) -> Recorded:
        """The table of all matches and the table of all games."""

    def sum_columns(
        self,
        table: SummedTable,
        grouped_sides: pd.DataFrame,
        key_columns: Sequence[str],
        columns_to_sum: Sequence[str],
    ) -> pd.DataFrame:
        """Return sums of columns for each group in `grouped_sides` and each value of `key_columns`.

        A column with the prefix `BOTH` is summed only over games with both sides in the group.
        """

    def count_games(
        self, table: SummedTable, grouped_sides: pd.DataFrame, key_columns: Sequence[str]
    ) -> pd.DataFrame:
        """Count the games for each group in `grouped_sides` and each value of `key_columns`."""


class SelectedSums(NamedTuple):
    """The sums of table columns over selected matches."""

    sums: Sums
    """The sums of all matches."""
    matches: Collection[int]
    """The numbers of the selected matches."""

    @property
    def recorded(self) -> Recorded:
        """The table of the selected matches and the table of their games."""
        recorded = self.sums.recorded
        return recorded._replace(
            matches=_select_matches(recorded.matches, self.matches),
            games=_select_matches(recorded.games, self.matches),
        )

    def sum_columns(
        self,
        table: SummedTable,
        grouped_sides: pd.DataFrame,
        key_columns: Sequence[str],
        columns_to_sum: Sequence[str],
    ) -> pd.DataFrame:
        """Return sums of columns over the selected matches, by group and by the `key_columns`."""
        chosen = _select_matches(grouped_sides, self.matches)
        return self.sums.sum_columns(table, chosen, key_columns, columns_to_sum)

    def count_games(
        self, table: SummedTable, grouped_sides: pd.DataFrame, key_columns: Sequence[str]
    ) -> pd.DataFrame:
        """Return the number of games in the selected matches, by group and by the `key_columns`."""
        chosen = _select_matches(grouped_sides, self.matches)
        return self.sums.count_games(table, chosen, key_columns)


def _select_matches(rows: pd.DataFrame, matches: Collection[int]) -> pd.DataFrame:
    """Return the rows whose match number is among `matches`."""
    return rows[rows["match"].isin(list(matches))].reset_index(drop=True)


BOTH = "both sides of "
"""Prefix of columns summed over games with both sides in a group."""


def sum_each_table(tables: Tables, summed_tables: Iterable[SummedTable]) -> dict[str, pd.DataFrame]:
    """Sum each of the `summed_tables` by match, game and side."""
    # No sum depends on names or dates, so these can be resolved later.
    by_side = games_by_side(tables)
    rows = cache(lambda counted: counted(tables, by_side))
    return {table.name: _sum_rows(table, rows(table.rows)) for table in summed_tables}


def _sum_rows(table: SummedTable, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of a table by match, game, side and the table's own dimensions."""
    keys = {name: rows[name].astype(kind) for name, kind in _KEY_TYPES.items()}
    keys |= {name: _store_dimension(rows[name], kind) for name, kind in table.dimensions.items()}
    numbers = make_number_table(
        {name: rows[name].to_numpy(np.float64, na_value=np.nan) for name in table.sums}
    )
    whole = pd.concat([pd.DataFrame(keys, copy=False), numbers.set_axis(rows.index)], axis=1)
    return whole.groupby(list(keys), observed=True, dropna=False).sum().reset_index()


_KEY_TYPES = dict(zip(KEY, (np.int32, np.int32, np.int8), strict=True))


def make_number_table(columns: Mapping[str, npt.NDArray[np.float64]]) -> pd.DataFrame:
    """Return columns of numbers as a data frame that can be summed fast."""
    block = np.array(list(columns.values())).reshape(len(columns), -1)
    return pd.DataFrame(block.T, columns=list(columns), copy=False)


def _store_dimension(values: pd.Series, kind: Sequence[str] | type) -> pd.Series:
    """Convert a column that groups sums to the form in which it is stored.

    If `kind` is a list of words, each word becomes its index in the list. `str` makes a category.
    """
    if isinstance(kind, type):
        return values.astype(_make_category(values)) if kind is str else values
    return pd.Series(pd.Categorical(values, categories=kind).codes, index=values.index)


def _make_category(values: pd.Series) -> pd.CategoricalDtype:
    """Return a category type with the words of a column in alphabetical order."""
    return pd.CategoricalDtype(pd.Index(sorted(values.dropna().unique()), dtype=object))


def restore_words(table: SummedTable, frame: pd.DataFrame) -> pd.DataFrame:
    """Return stored sums with words, such as `contact`, in place of the indexes of words."""
    words = {
        name: pd.Categorical.from_codes(frame[name].to_numpy(), kind)
        for name, kind in table.dimensions.items()
        if name in frame and not isinstance(kind, type)
    }
    return frame.assign(**words)


# Sums in memory.

AT_ONCE = 2048
"""Matches summed at once, which limits the memory needed."""


class KeptSums(NamedTuple):
    """The sums of table columns over some matches, in memory."""

    recorded: Recorded
    frames: Mapping[str, pd.DataFrame]
    """The sums of each table."""

    def sum_columns(
        self,
        table: SummedTable,
        grouped_sides: pd.DataFrame,
        key_columns: Sequence[str],
        columns_to_sum: Sequence[str],
    ) -> pd.DataFrame:
        """Return sums of columns for each group in `grouped_sides` and each value of `key_columns`.

        A column with the prefix `BOTH` is summed only over games with both sides in the group.
        """
        by, columns = ["group", *key_columns], list(columns_to_sum)
        parts = [
            _add_columns_of_both_sides(rows, by, columns)
            .groupby(by, observed=True, dropna=False)[columns]
            .sum()
            for rows in self._select_rows_in_parts(table, grouped_sides)
        ]
        if len(parts) == 1:
            return parts[0].reset_index()
        whole = pd.concat(parts).reset_index()
        return whole.groupby(by, observed=True, dropna=False)[columns].sum().reset_index()

    def count_games(
        self, table: SummedTable, grouped_sides: pd.DataFrame, key_columns: Sequence[str]
    ) -> pd.DataFrame:
        """Count the games for each group in `grouped_sides` and each value of `key_columns`."""
        by = ["group", *key_columns]
        parts = [
            rows[[*by, "match", "game"]]
            .drop_duplicates()
            .groupby(by, observed=True, dropna=False)
            .size()
            for rows in self._select_rows_in_parts(table, grouped_sides)
        ]
        whole = pd.concat(parts).rename("games").reset_index()
        return whole.groupby(by, observed=True, dropna=False)["games"].sum().reset_index()

    def _select_rows_in_parts(
        self, table: SummedTable, grouped_sides: pd.DataFrame
    ) -> Iterator[pd.DataFrame]:
        """Yield the rows of `table` for the sides in `grouped_sides`, a few matches at a time.

        A column `group` has the group number of each row's side.
        """
        frame, numbers = self.frames[table.name], _number_sides(grouped_sides)
        groups = grouped_sides["group"].to_numpy()
        last = int(frame["match"].iloc[-1]) if len(frame) else 0
        ends = frame["match"].searchsorted(np.arange(0, last + AT_ONCE + 1, AT_ONCE))
        for start, end in pairwise(ends):
            rows = frame.iloc[start:end]
            places = _number_sides(rows)
            nearest = np.minimum(numbers.searchsorted(places), max(len(numbers) - 1, 0))
            there = numbers[nearest] == places if len(numbers) else np.zeros(len(rows), dtype=bool)
            yield rows[there].assign(group=groups[nearest[there]])


def _number_sides(rows: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return for each row a number that identifies its match, game and side."""
    return np.asarray(2 * number_games(rows) + rows["seat"].to_numpy(dtype=np.int64))


def _add_columns_of_both_sides(
    rows: pd.DataFrame, group_columns: Sequence[str], columns_to_sum: Sequence[str]
) -> pd.DataFrame:
    """Add the columns in `columns_to_sum` that begin with `BOTH` ("both sides of ").

    For example, `both sides of points` is `points` in games with both sides in one group, else 0.

    >>> rows = pd.DataFrame({"match": [1, 1, 1], "game": [1, 1, 2], "points": [2, 2, 1]})
    >>> _add_columns_of_both_sides(rows, [], ["both sides of points"])["both sides of points"].tolist()
    [2, 2, 0]
    """
    doubled = [name for name in columns_to_sum if name.startswith(BOTH)]
    if not doubled:
        return rows
    has_both = rows.duplicated([*dict.fromkeys([*group_columns, "match", "game"])], keep=False)
    return rows.assign(
        **{name: rows[name.removeprefix(BOTH)].where(has_both, 0) for name in doubled}
    )


def sum_in_memory(tables: Tables, summed_tables: Iterable[SummedTable]) -> KeptSums:
    """Sum each of the `summed_tables` over the matches of `tables`, and keep the sums in memory."""
    return KeptSums(Recorded(tables.matches, tables.games), sum_each_table(tables, summed_tables))


class TransferredSums(NamedTuple):
    """The sums of some matches and the rows of these matches, in a form that processes can send to each other."""

    recorded: list[tuple[Columns, Columns]]
    """The rows of matches and of their games, as in fragments."""
    frames: Mapping[str, pd.DataFrame]
    """The sums of each table, with the matches numbered from 0."""


def anonymize_sums(sums: TransferredSums) -> TransferredSums:
    """Return sums of matches without personal data other than the players' names."""
    return sums._replace(
        recorded=[(blank_personal_columns(rows), games) for rows, games in sums.recorded]
    )


def sum_files(
    files: Sequence[TableFragment], summed_tables: Sequence[SummedTable]
) -> TransferredSums:
    """Return sums over the matches of some files, with the rows of these matches and games.

    `join_sums` joins the results of several calls.
    """
    groups = frozenset(group for table in summed_tables for group in table.groups)
    sums = sum_each_table(join_as_written(files, groups), summed_tables)
    frames = {name: _narrow_numbers(frame) for name, frame in sums.items()}
    return TransferredSums([(rows.matches, rows.games) for rows in files], frames)


def join_sums(
    parts_of_matches: Iterable[TransferredSums],
    summed_tables: Sequence[SummedTable],
    player_of_name: Callable[[str], str],
) -> KeptSums:
    """Join the sums of several parts of the matches, made by `sum_files`, to sums of all matches.

    `player_of_name` maps each written name to a player.
    """
    matches, games = (GrowingTable(schema.columns) for schema in SCHEMAS[:2])
    parts: dict[str, list[pd.DataFrame]] = {table.name: [] for table in summed_tables}
    count = 0
    for part in parts_of_matches:
        for name, frame in part.frames.items():
            numbers = frame["match"].astype(np.int32) + count
            parts[name].append(frame.assign(match=numbers))
        for rows, rows_of_games in part.recorded:
            matches.add(rows, count)
            games.add(rows_of_games, count)
            count += len(rows["match"])
    if not count:
        parts = {name: [frame] for name, frame in sum_files([], summed_tables).frames.items()}
    recorded = Recorded(matches.frame(), games.frame())
    resolve_tables(recorded, player_of_name)
    frames = {table.name: concatenate_sums(table, parts.pop(table.name)) for table in summed_tables}
    return KeptSums(recorded, frames)


def _narrow_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert whole numbers in sums to the smallest integer type that can hold them."""
    numbers = frame.select_dtypes("number")
    narrow = {name: pd.to_numeric(numbers[name], downcast="integer") for name in numbers}
    return frame.assign(**narrow)


def concatenate_sums(table: SummedTable, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of several groups of matches as one data frame.

    Columns of text, as `table` declares them, keep the words of all parts.
    """
    texts = [name for name, kind in table.dimensions.items() if kind is str and name in parts[0]]
    words = {name: union_categoricals([part[name].array for part in parts]) for name in texts}
    return pd.concat([part.drop(columns=texts) for part in parts], ignore_index=True).assign(
        **words
    )
