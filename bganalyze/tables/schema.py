"""What a table is: its columns, each declared once with its type and its meaning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from bganalyze.findings import Finding
from bganalyze.replaying import MatchReplay

# What tables are made of: a match that was replayed, and what was found in it.


class Examined(NamedTuple):
    """A match that was replayed, and the findings about it."""

    replayed: MatchReplay
    findings: tuple[Finding, ...]


def examined(replays: Sequence[MatchReplay], found: Sequence[Finding]) -> list[Examined]:
    """Return the matches of one file, each with its own of all findings about them."""
    return [
        Examined(each, tuple(one for one in found if one.match == each.match.number))
        for each in replays
    ]


_A = TypeVar("_A")

Row: TypeAlias = dict[str, Any]
"""The values of a row by the names of their columns; None where there is none."""

Columns: TypeAlias = dict[str, Any]
"""The values of many rows: for each column a list or an array."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    dtype: str
    """As pandas names it; `Int16` and `boolean` may be missing, as may text and categories."""
    meaning: str
    """With the unit, where it has one."""
    choices: tuple[str, ...] = ()
    """All that a category may be, where that is known."""
    group: str = ""
    """The group of columns that are computed together, and only if they are asked for."""


class Schema(NamedTuple):
    """A table: a row for each what, found by its key."""

    name: str
    about: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def wanted(self, groups: Collection[str]) -> Iterator[Column]:
        """Yield the columns that there are if these groups are asked for."""
        return (column for column in self.columns if not column.group or column.group in groups)


SIDES = ("left", "right")
"""The columns of the record, as values of a category."""

MATCH = Column("match", "int32", "The match: counted from 0 over all files read.")
GAME = Column("game", "int32", "The game in its match, counted from 1.")
TURN = Column("turn", "int32", "The place among the actions of the game, counted from 1.")
LINE = Column("line", "int32", "The line of the file.")


def by_column(rows: Sequence[Row], columns: Iterable[Column]) -> Columns:
    """Return rows as columns."""
    return {column.name: [row[column.name] for row in rows] for column in columns}


def clamped(make: Callable[..., _A], values: Sequence[Any], dtype: str) -> _A:
    """Return what `make` makes of numbers, cut to what their column holds where they do not fit.

    A cube doubled forty times is no cube, but a record may have it.

    >>> clamped(np.asarray, [7, 1 << 40], dtype="int32").tolist()
    [7, 2147483647]
    """
    try:
        return make(values, dtype=dtype)
    except (OverflowError, TypeError):
        most = int(np.iinfo(dtype.lower()).max)
        return make([None if value is None else min(value, most) for value in values], dtype=dtype)
