"""Selection of the sums that a question is about: its players' seats in the games that count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from bganalyze.statistics.reports.figures import (
    Figure,
    Section,
    as_section,
    estimate_figures,
    list_summed_columns,
    one_match_notes,
)
from bganalyze.statistics.reports.question import Excluded, Question, is_seat, restrict_tables
from bganalyze.statistics.reports.seats import OF_GAMES, games_by_side
from bganalyze.statistics.reports.sums import BOTH, KEY, SummedRows, Sums, name_dimensions
from bganalyze.statistics.tables.frames import Recorded

A_LOT = 1 << 18
"""Number of seats whose groups are estimated together; each match takes up to a kilobyte."""


class ChosenSums(NamedTuple):
    """The sums that a question is about; a seat is one side of one game."""

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

    def grouping_columns(self, base: SummedRows, *others: str) -> list[str]:
        """Return the columns to group figures by: the question's dimensions, then `others`.

        A dimension is left out if it is neither one of games nor one of the rows to sum (`base`).
        """
        asked = [name for name in self.question.by if name in (*self.dimensions, *base.dimensions)]
        return list(dict.fromkeys([*asked, *others]))

    def of(self, which: pd.Series) -> ChosenSums:
        """Return the same selection with only the seats (sides of games) where `which` is True."""
        return self._replace(seats=self.seats[which])

    def units(
        self, base: SummedRows, figures: Iterable[Figure], by: Sequence[str], *others: str
    ) -> pd.DataFrame:
        """Return the sums that the figures need, in a row for each group and match.

        `by` names the columns that form groups; `others` are further columns of `base` to sum.
        """
        return self.counts(base, [*_list_columns_to_sum(base, figures), *others], [*by, "match"])

    def section_by_group(
        self,
        title: str,
        base: SummedRows,
        figures: Sequence[Figure],
        by: Sequence[str],
        *notes: str,
    ) -> Section:
        """Return a section of a report with the figures of each group, summed from the rows of `base`.

        `by` names the columns that form groups, `notes` are sentences shown below the table. A note
        is added for each figure that rests mostly on a single match.
        """
        parts, heavy = [], list[str]()
        for lot in self.lots(base, by, A_LOT):
            units = lot.units(base, figures, by)
            parts.append(estimate_figures(units, figures, by))
            heavy += one_match_notes(units, figures, by)
        frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
        if len(parts) > 1:
            frame = frame.sort_values(list(by), kind="stable", ignore_index=True)
        return as_section(title, frame, *notes, *heavy)

    def lots(self, base: SummedRows, by: Sequence[str], seats: int) -> Iterator[ChosenSums]:
        """Yield these sums in parts, so that less is in memory at once.

        A part has about `seats` seats (a seat is one side of one game). The seats of a group, formed
        by the columns `by`, stay together.
        """
        names = [
            name
            for name in self.grouping_columns(base)
            if name in by and name not in base.dimensions
        ]
        names = [name for name in names if name in self.dimensions]
        if not names or len(self.seats) <= seats:
            yield self
            return
        group = self.seats.groupby(names, observed=True, sort=False, dropna=False).ngroup()
        lots = np.bincount(group).cumsum() // seats
        for lot in np.unique(lots):
            yield self.of(group.isin(np.flatnonzero(lots == lot)))

    def counts(
        self,
        base: SummedRows,
        sums: Sequence[str],
        keys: Sequence[str],
        among: ChosenSums | None = None,
    ) -> pd.DataFrame:
        """Return sums over the rows `base` of the selection, for each combination of `keys`.

        `sums` names the columns to sum; keys are dimensions, and maybe `match`. Groups with fewer
        games than the question asks for are left out. Their games are counted in `among`, by
        default in this selection.
        """
        asked = self.grouping_columns(base)
        enough = (among or self).large_groups(base, asked)
        if enough is None:
            return self.summed_by(base, sums, keys)
        rows = self.summed_by(base, sums, [*dict.fromkeys([*asked, *keys])])
        if asked:
            large = pd.MultiIndex.from_frame(enough[asked])
            rows = rows[pd.MultiIndex.from_frame(rows[asked]).isin(large)]
        elif enough.empty:
            rows = rows[:0]
        if set(asked) <= set(keys):
            return rows
        if not keys:
            return rows[list(sums)].sum().to_frame().T
        again = rows.groupby(list(keys), observed=True, dropna=False)[list(sums)]
        return again.sum().reset_index()

    def total(self, base: SummedRows, *sums: str, of_both: bool = False) -> pd.Series[int]:
        """Return the totals of the columns `sums` over the rows `base` of the selection.

        They include groups with fewer games than the question asks for. With `of_both`, they also
        include the opponents' sides of the games.
        """
        seats = self.both if of_both else self.seats
        whole = self._replace(seats=seats).summed_by(base, sums, [])
        return whole[list(sums)].sum().astype(int)

    def large_groups(self, base: SummedRows, asked: list[str]) -> pd.DataFrame | None:
        """Return the groups with as many games as the question demands, or None if it demands none.

        Games count if they have rows of `base`. The columns are `asked`, the dimensions that form
        groups, and `games`.
        """
        least = self.question.min_games
        if least <= 1 or (self.question.by and not asked):
            return None
        seats, groups = self._group_seats(base, asked)
        keys = [name for name in asked if name not in groups]
        games = self.sums.games(base, seats, keys)
        return self._restore_words(base, games[games["games"] >= least], groups)

    def summed_by(self, base: SummedRows, sums: Sequence[str], keys: Sequence[str]) -> pd.DataFrame:
        """Return sums over the rows that `base` declares, for each combination of values of `keys`.

        `sums` names the columns to sum. Only the sides that the question is about are summed.
        Values stored as numbers, such as phases, are returned as words.
        """
        seats, groups = self._group_seats(base, keys)
        rest = [name for name in keys if name not in groups]
        rows = self.sums.summed(base, seats, rest, sums)
        return self._restore_words(base, rows, groups)[[*keys, *sums]]

    def _group_seats(
        self, base: SummedRows, keys: Sequence[str]
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return a table of the selected sides of games with their group number, and one of groups.

        Groups are formed by the columns among `keys` that belong to games, not to the rows of
        `base`. The second table has their values for each group number.
        """
        names = [name for name in keys if name in self.dimensions and name not in base.dimensions]
        seats = self.seats[list(KEY)]
        if not names:
            return seats.assign(group=0), pd.DataFrame(index=[0])
        grouped = self.seats.groupby(names, observed=True, sort=False, dropna=False).ngroup()
        called = self.seats.loc[~grouped.duplicated(), names].reset_index(drop=True)
        return seats.assign(group=grouped), called

    def _restore_words(
        self, base: SummedRows, rows: pd.DataFrame, groups: pd.DataFrame
    ) -> pd.DataFrame:
        """Return sums with words in place of stored numbers, and with the values that form each group.

        `groups` has those values, in a row for each group number.
        """
        called = groups.take(rows["group"].to_numpy()).reset_index(drop=True)
        return pd.concat([called, name_dimensions(base, rows.reset_index(drop=True))], axis=1)


def _list_columns_to_sum(base: SummedRows, figures: Iterable[Figure]) -> list[str]:
    """Return the columns of the rows `base` that must be summed to compute some figures.

    A figure of kind `contests` (one side wins what the other loses) also needs the sum over both
    sides.
    """
    figures = list(figures)
    names = [name for name in list_summed_columns(figures) if name in base.sums]
    contests = {figure.below for figure in figures if figure.kind == "contests"}
    return [*names, *(BOTH + name for name in sorted(contests))]


_GAME_COLUMNS = (
    *("match", "game", "left", "right", "left_score", "right_score", "left_away", "right_away"),
    *("stage", "winner"),
)
"""The columns of games that `games_by_side` needs."""


def select_sums(sums: Sums, question: Question) -> tuple[ChosenSums, Excluded]:
    """Return the sums of the games and players that a question is about.

    The second value counts the matches and games that the question leaves out.
    """
    chosen, excluded = restrict_tables(sums.recorded, question)
    by_side = games_by_side(Recorded(chosen.matches, chosen.games[list(_GAME_COLUMNS)]))
    asked = is_seat(by_side, question, "player", "opponent")
    seats = by_side if asked.all() else by_side[asked]
    return ChosenSums(sums, question, chosen.matches, chosen.games, by_side, seats), excluded
