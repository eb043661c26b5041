"""Selection of the sums that a question is about: its players' seats in the games that count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from bganalyze.statistics.reports.figures import (
    Figure,
    Section,
    estimate_figures,
    list_summed_columns,
    make_plain_section,
    note_dominant_matches,
)
from bganalyze.statistics.reports.question import Excluded, Question, match_players, restrict_tables
from bganalyze.statistics.reports.seats import OF_GAMES, games_by_side
from bganalyze.statistics.reports.sums import BOTH, KEY, SummedTable, Sums, restore_words
from bganalyze.statistics.tables.frames import Recorded

A_LOT = 1 << 18
"""Number of seats whose groups are estimated together; each match takes up to a kilobyte."""


class ChosenSums(NamedTuple):
    """The sums over the games that a question is about. A seat is one side of one game."""

    sums: Sums
    question: Question
    matches: pd.DataFrame
    """The matches that count."""
    games: pd.DataFrame
    """Their games that count."""
    both: pd.DataFrame
    """The seats of these games, two each, as made by `games_by_side`."""
    seats: pd.DataFrame
    """The seats of the players asked for."""
    dimensions: tuple[str, ...] = OF_GAMES
    """The dimensions of the seats."""

    def list_grouping_columns(self, table: SummedTable, *others: str) -> list[str]:
        """Return the columns that form groups: those that the question asks for, and `others`.

        A column asked for is left out if neither the sides of games nor `table` have it.
        """
        asked = [name for name in self.question.by if name in (*self.dimensions, *table.dimensions)]
        return list(dict.fromkeys([*asked, *others]))

    def select_sides(self, is_wanted: pd.Series) -> ChosenSums:
        """Return the sums of only those sides of games for which `is_wanted` is True."""
        return self._replace(seats=self.seats[is_wanted])

    def sum_by_match(
        self,
        table: SummedTable,
        figures: Iterable[Figure],
        group_columns: Sequence[str],
        *others: str,
    ) -> pd.DataFrame:
        """Sum the columns that `figures` need, and the columns `others`, by group and match."""
        return self.sum_by(
            table, [*_list_columns_to_sum(table, figures), *others], [*group_columns, "match"]
        )

    def make_group_section(
        self,
        title: str,
        table: SummedTable,
        figures: Sequence[Figure],
        group_columns: Sequence[str],
        *notes: str,
    ) -> Section:
        """Return a report's table with statistics of each group, from the sums of `table`.

        `notes` are shown below it, with further notes on counts that are mostly of a single match.
        """
        parts, heavy = [], list[str]()
        for lot in self.split_groups(table, group_columns, A_LOT):
            units = lot.sum_by_match(table, figures, group_columns)
            parts.append(estimate_figures(units, figures, group_columns))
            heavy += note_dominant_matches(units, figures, group_columns)
        frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
        if len(parts) > 1:
            frame = frame.sort_values(list(group_columns), kind="stable", ignore_index=True)
        return make_plain_section(title, frame, *notes, *heavy)

    def split_groups(
        self, table: SummedTable, group_columns: Sequence[str], seats: int
    ) -> Iterator[ChosenSums]:
        """Yield the sums in parts of about `seats` sides of games, without dividing a group."""
        names = [
            name
            for name in self.list_grouping_columns(table)
            if name in group_columns and name not in table.dimensions
        ]
        names = [name for name in names if name in self.dimensions]
        if not names or len(self.seats) <= seats:
            yield self
            return
        group = self.seats.groupby(names, observed=True, sort=False, dropna=False).ngroup()
        lots = np.bincount(group).cumsum() // seats
        for lot in np.unique(lots):
            yield self.select_sides(group.isin(np.flatnonzero(lots == lot)))

    def sum_by(
        self,
        table: SummedTable,
        columns_to_sum: Sequence[str],
        key_columns: Sequence[str],
        counted_in: ChosenSums | None = None,
    ) -> pd.DataFrame:
        """Return sums of columns for each combination of the `key_columns`.

        Groups with fewer games than the question demands are left out. `counted_in`, by default
        these sums, says how many games a group has.
        """
        asked = self.list_grouping_columns(table)
        enough = (counted_in or self).find_large_groups(table, asked)
        if enough is None:
            return self.sum_all_groups(table, columns_to_sum, key_columns)
        rows = self.sum_all_groups(table, columns_to_sum, [*dict.fromkeys([*asked, *key_columns])])
        if asked:
            large = pd.MultiIndex.from_frame(enough[asked])
            rows = rows[pd.MultiIndex.from_frame(rows[asked]).isin(large)]
        elif enough.empty:
            rows = rows[:0]
        if set(asked) <= set(key_columns):
            return rows
        if not key_columns:
            return rows[list(columns_to_sum)].sum().to_frame().T
        again = rows.groupby(list(key_columns), observed=True, dropna=False)[list(columns_to_sum)]
        return again.sum().reset_index()

    def total(self, table: SummedTable, *sums: str, of_both: bool = False) -> pd.Series[int]:
        """Return the totals of the columns `sums` of a table.

        With `of_both`, the opponents' sides of the games are included.
        """
        seats = self.both if of_both else self.seats
        whole = self._replace(seats=seats).sum_all_groups(table, sums, [])
        return whole[list(sums)].sum().astype(int)

    def find_large_groups(self, table: SummedTable, asked: list[str]) -> pd.DataFrame | None:
        """Return the groups with at least as many games as the question demands.

        The columns `asked` form the groups. None means that the question demands no number of
        games.
        """
        least = self.question.min_games
        if least <= 1 or (self.question.by and not asked):
            return None
        seats, groups = self._number_groups(table, asked)
        keys = [name for name in asked if name not in groups]
        games = self.sums.count_games(table, seats, keys)
        return self._add_group_values(table, games[games["games"] >= least], groups)

    def sum_all_groups(
        self, table: SummedTable, columns_to_sum: Sequence[str], key_columns: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums of columns for each combination of the `key_columns`, small groups too."""
        seats, groups = self._number_groups(table, key_columns)
        rest = [name for name in key_columns if name not in groups]
        rows = self.sums.sum_columns(table, seats, rest, columns_to_sum)
        return self._add_group_values(table, rows, groups)[[*key_columns, *columns_to_sum]]

    def _number_groups(
        self, table: SummedTable, key_columns: Sequence[str]
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the sides of games with a group number each, and a table of the groups.

        Sides with equal values in the `key_columns` form a group. Row n of the table has the values
        of group n.
        """
        names = [
            name for name in key_columns if name in self.dimensions and name not in table.dimensions
        ]
        seats = self.seats[list(KEY)]
        if not names:
            return seats.assign(group=0), pd.DataFrame(index=[0])
        grouped = self.seats.groupby(names, observed=True, sort=False, dropna=False).ngroup()
        called = self.seats.loc[~grouped.duplicated(), names].reset_index(drop=True)
        return seats.assign(group=grouped), called

    def _add_group_values(
        self, table: SummedTable, rows: pd.DataFrame, groups: pd.DataFrame
    ) -> pd.DataFrame:
        """Return sums with the values of their groups, such as a player, in place of group numbers.

        The column `group` of `rows` has the number of a row in `groups`.
        """
        called = groups.take(rows["group"].to_numpy()).reset_index(drop=True)
        return pd.concat([called, restore_words(table, rows.reset_index(drop=True))], axis=1)


def _list_columns_to_sum(table: SummedTable, figures: Iterable[Figure]) -> list[str]:
    """Return the columns of a table of sums that some statistics need."""
    figures = list(figures)
    names = [name for name in list_summed_columns(figures) if name in table.sums]
    contests = {figure.below for figure in figures if figure.kind == "contests"}
    return [*names, *(BOTH + name for name in sorted(contests))]


_GAME_COLUMNS = (
    *("match", "game", "left", "right", "left_score", "right_score", "left_away", "right_away"),
    *("stage", "winner"),
)
"""The columns of games that `games_by_side` needs."""


def select_sums(sums: Sums, question: Question) -> tuple[ChosenSums, Excluded]:
    """Return the sums that a question is about, and counts of the matches and games left out."""
    chosen, excluded = restrict_tables(sums.recorded, question)
    by_side = games_by_side(Recorded(chosen.matches, chosen.games[list(_GAME_COLUMNS)]))
    asked = match_players(by_side, question, "player", "opponent")
    seats = by_side if asked.all() else by_side[asked]
    return ChosenSums(sums, question, chosen.matches, chosen.games, by_side, seats), excluded
