"""Sums: what reports count, summed to match, game and seat, whatever question will be asked of it.

A report is made of sums and of a question. Its sums are declared as bases: what is counted, and by which
dimensions of its own besides those of the game. They are a hundredth of the rows that they are made of.
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

from bganalyze.statistics.reports.seats import numbered, sides
from bganalyze.statistics.tables.fragments import SCHEMAS, Fragment
from bganalyze.statistics.tables.frames import Growing, Recorded, Tables, joined, settle
from bganalyze.statistics.tables.schema import Columns

KEY = ("match", "game", "seat")
"""What every row of sums is about: one side of a game, the left one (0) or the right one (1)."""


class Base(NamedTuple):
    """What some sections of a report count."""

    name: str
    rows: Callable[[Tables, pd.DataFrame], pd.DataFrame]
    """From tables, and the `sides` of their games, to rows with `KEY`, dimensions and sums."""
    sums: tuple[str, ...]
    """The columns that are summed."""
    dimensions: Mapping[str, Sequence[str] | type] = {}
    """What tells its rows apart besides the game, and all that each may be; or its type, where that is
    a number or any text."""
    groups: tuple[str, ...] = ()
    """The groups of columns of turns that it needs."""


class Sums(Protocol):
    """The sums of many matches, wherever they are."""

    @property
    def recorded(self) -> Recorded:
        """The matches and the games."""

    def summed(
        self, base: Base, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums of a base over some seats: a row for each `group` of seats and each of the keys.

        `seats` has `KEY` and a `group`, a number. Keys are `match` and dimensions of the base; their
        order is that of the rows. With `BOTH` in front a column is summed over those games alone of
        which both seats are in one group.
        """

    def games(self, base: Base, seats: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
        """Return how many games there are in which a base has anything, as `games`, for the same."""


class SomeSums(NamedTuple):
    """The sums of some matches among others."""

    sums: Sums
    matches: Collection[int]

    @property
    def recorded(self) -> Recorded:
        """The matches and their games."""
        recorded = self.sums.recorded
        return recorded._replace(
            matches=_of_matches(recorded.matches, self.matches),
            games=_of_matches(recorded.games, self.matches),
        )

    def summed(
        self, base: Base, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums of a base, as `Sums` says."""
        return self.sums.summed(base, _of_matches(seats, self.matches), keys, sums)

    def games(self, base: Base, seats: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
        """Return how many games there are, as `Sums` says."""
        return self.sums.games(base, _of_matches(seats, self.matches), keys)


def _of_matches(rows: pd.DataFrame, matches: Collection[int]) -> pd.DataFrame:
    return rows[rows["match"].isin(list(matches))].reset_index(drop=True)


BOTH = "both sides of "
"""Stands before what is summed over games that count for both of their sides."""


def sums_of(tables: Tables, bases: Iterable[Base]) -> dict[str, pd.DataFrame]:
    """Return the sums of some matches: of each base a frame, by its name.

    Neither who plays nor when makes a difference: names, copies and dates may be settled later.
    """
    both = sides(tables)
    rows = cache(lambda counted: counted(tables, both))
    return {base.name: _reduced(base, rows(base.rows)) for base in bases}


def _reduced(base: Base, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of a base put together, with its dimensions as numbers where all that they may be is known."""
    dimensions = {name: _plain(rows[name], kind) for name, kind in base.dimensions.items()}
    narrow = rows[[*KEY, *base.sums]].assign(**dimensions)
    keys = [*KEY, *dimensions]
    whole = narrow.groupby(keys, observed=True, dropna=False)[list(base.sums)].sum().reset_index()
    types = {"match": np.int32, "game": np.int32, "seat": np.int8}
    return whole.astype({**types, **dict.fromkeys(base.sums, np.float64)})


def _plain(values: pd.Series, kind: Sequence[str] | type) -> pd.Series:
    """A dimension as it is kept."""
    if isinstance(kind, type):
        return values.astype(_words(values)) if kind is str else values
    return pd.Series(pd.Categorical(values, categories=kind).codes, index=values.index)


def _words(values: pd.Series) -> pd.CategoricalDtype:
    """The words of a column as a category; of objects, as an empty one is."""
    return pd.CategoricalDtype(pd.Index(sorted(values.dropna().unique()), dtype=object))


def named(base: Base, frame: pd.DataFrame) -> pd.DataFrame:
    """Return sums with the dimensions of their base in words."""
    words = {
        name: pd.Categorical.from_codes(frame[name].to_numpy(), kind)
        for name, kind in base.dimensions.items()
        if name in frame and not isinstance(kind, type)
    }
    return frame.assign(**words)


# Sums in memory.

AT_ONCE = 2048
"""So many matches are summed at once: what that takes for a moment is then never much."""


class KeptSums(NamedTuple):
    """Sums that are kept in memory."""

    recorded: Recorded
    frames: Mapping[str, pd.DataFrame]
    """The sums of each base."""

    def summed(
        self, base: Base, seats: pd.DataFrame, keys: Sequence[str], sums: Sequence[str]
    ) -> pd.DataFrame:
        """Return sums of a base, as `Sums` says."""
        by, columns = ["group", *keys], list(sums)
        parts = [
            _with_both_sides(rows, by, columns)
            .groupby(by, observed=True, dropna=False)[columns]
            .sum()
            for rows in self._seated(base, seats)
        ]
        if len(parts) == 1:
            return parts[0].reset_index()
        whole = pd.concat(parts).reset_index()
        return whole.groupby(by, observed=True, dropna=False)[columns].sum().reset_index()

    def games(self, base: Base, seats: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
        """Return how many games there are, as `Sums` says."""
        by = ["group", *keys]
        parts = [
            rows[[*by, "match", "game"]]
            .drop_duplicates()
            .groupby(by, observed=True, dropna=False)
            .size()
            for rows in self._seated(base, seats)
        ]
        whole = pd.concat(parts).rename("games").reset_index()
        return whole.groupby(by, observed=True, dropna=False)["games"].sum().reset_index()

    def _seated(self, base: Base, seats: pd.DataFrame) -> Iterator[pd.DataFrame]:
        """Yield the sums of these seats with their groups, some matches at once; one frame at least."""
        frame, numbers = self.frames[base.name], _places(seats)
        groups = seats["group"].to_numpy()
        last = int(frame["match"].iloc[-1]) if len(frame) else 0
        ends = frame["match"].searchsorted(np.arange(0, last + AT_ONCE + 1, AT_ONCE))
        for start, end in pairwise(ends):
            rows = frame.iloc[start:end]
            places = _places(rows)
            nearest = np.minimum(numbers.searchsorted(places), max(len(numbers) - 1, 0))
            there = numbers[nearest] == places if len(numbers) else np.zeros(len(rows), dtype=bool)
            yield rows[there].assign(group=groups[nearest[there]])


def _places(rows: pd.DataFrame) -> npt.NDArray[np.int64]:
    """One number of the match, the game and the seat of each row."""
    return np.asarray(2 * numbered(rows) + rows["seat"].to_numpy(dtype=np.int64))


def _with_both_sides(rows: pd.DataFrame, by: Sequence[str], sums: Sequence[str]) -> pd.DataFrame:
    """Add what is summed of games that are in a group for both of their sides."""
    doubled = [name for name in sums if name.startswith(BOTH)]
    if not doubled:
        return rows
    both = rows.duplicated([*dict.fromkeys([*by, "match", "game"])], keep=False)
    return rows.assign(**{name: rows[name.removeprefix(BOTH)].where(both, 0) for name in doubled})


def kept(tables: Tables, bases: Iterable[Base]) -> KeptSums:
    """Return the sums of tables."""
    return KeptSums(Recorded(tables.matches, tables.games), sums_of(tables, bases))


class LotSums(NamedTuple):
    """The sums of a lot of matches, in a form that processes can send to each other."""

    recorded: list[tuple[Columns, Columns]]
    """The rows of matches and of their games, as fragments have them."""
    frames: Mapping[str, pd.DataFrame]
    """The sums of each base, whose matches are counted from 0 through the lot."""


def summed(lot: Sequence[Fragment], bases: Sequence[Base]) -> LotSums:
    """Return the sums of a lot of matches."""
    groups = frozenset(group for base in bases for group in base.groups)
    sums = sums_of(joined(lot, groups), bases)
    frames = {name: _narrow(frame) for name, frame in sums.items()}
    return LotSums([(rows.matches, rows.games) for rows in lot], frames)


def gathered(
    lots: Iterable[LotSums], bases: Sequence[Base], player: Callable[[str], str]
) -> KeptSums:
    """Return the sums of several lots as those of all their matches.

    `player` says who a written name is, as for `collected`.
    """
    matches, games = (Growing(schema.columns) for schema in SCHEMAS[:2])
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
        parts = {name: [frame] for name, frame in summed([], bases).frames.items()}
    recorded = Recorded(matches.frame(), games.frame())
    settle(recorded, player)
    frames = {base.name: together(base, parts.pop(base.name)) for base in bases}
    return KeptSums(recorded, frames)


def _narrow(frame: pd.DataFrame) -> pd.DataFrame:
    """Sums in no more bytes than they need: most are small whole numbers."""
    numbers = frame.select_dtypes("number")
    narrow = {name: pd.to_numeric(numbers[name], downcast="integer") for name in numbers}
    return frame.assign(**narrow)


def together(base: Base, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return parts of the sums of a base as one frame."""
    texts = [name for name, kind in base.dimensions.items() if kind is str and name in parts[0]]
    words = {name: union_categoricals([part[name].array for part in parts]) for name in texts}
    return pd.concat([part.drop(columns=texts) for part in parts], ignore_index=True).assign(
        **words
    )
