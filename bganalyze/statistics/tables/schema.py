"""What a table is: its columns, each declared once with its type and its meaning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import FinalScore, MatchOutcome, Win, outcome_of
from bganalyze.validation.rules.disputed import codes_of

# What tables are made of: a match that was replayed, and what was found in it.


class Examined(NamedTuple):
    """A match that was replayed, the findings about it, and what is known of its results."""

    replayed: MatchReplay
    findings: tuple[Finding, ...]
    outcome: MatchOutcome


def examined(replays: Sequence[MatchReplay], findings: Sequence[Finding]) -> list[Examined]:
    """Return the matches of one file, each with the findings about it."""
    return [
        Examined(
            replayed,
            tuple(finding for finding in findings if finding.match == replayed.match.number),
            outcome_of(replayed),
        )
        for replayed in replays
    ]


_A = TypeVar("_A")

Columns: TypeAlias = dict[str, Any]
"""The values of many rows: for each column a list or an array."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    dtype: str
    """As pandas names it; `Int16` and `boolean` may be missing, as may text and categories."""
    meaning: str
    """With the unit, where it has one."""
    value: Callable[[Any], Any] | None = None
    """Of the thing that a row is about, or of all rows at once where they are computed as arrays; by
    default the attribute of the column's name."""
    choices: tuple[str, ...] = ()
    """All that a category may be, where that is known."""
    group: str = ""
    """The group of columns that are computed together, and only if they are asked for."""


def _of_type(dtype: str) -> Callable[..., Column]:
    """Return what declares columns of a type: name, meaning, value, choices and group."""

    def column(
        name: str,
        meaning: str,
        value: Callable[[Any], Any] | None = None,
        choices: tuple[str, ...] = (),
        group: str = "",
    ) -> Column:
        return Column(name, dtype, meaning, value, choices, group)

    return column


text, category = _of_type("str"), _of_type("category")
number, maybe_number, measure = _of_type("int32"), _of_type("Int32"), _of_type("float64")
flag, maybe_flag = _of_type("bool"), _of_type("boolean")


class Schema(NamedTuple):
    """A table: what each of its rows is about, the key that finds it, and the columns."""

    name: str
    about: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def in_groups(self, groups: Collection[str]) -> Iterator[Column]:
        """Yield the columns of these groups, and those that belong to none."""
        return (column for column in self.columns if not column.group or column.group in groups)

    def select(self, *names: str) -> tuple[Column, ...]:
        """Return some columns by their names."""
        return tuple(column for column in self.columns if column.name in names)

    def shared(self, **values: Callable[[Any], Any] | None) -> tuple[Column, ...]:
        """Return some columns by their names, with their values in another table."""
        return tuple(column._replace(value=values[column.name]) for column in self.select(*values))


SIDES = ("left", "right")
"""The columns of the record, as values of a category."""


def side_of(won: Win | FinalScore | None) -> str | None:
    """Return who has won, as tables name the sides; None if nobody has, or nothing tells."""
    side = won.side if isinstance(won, Win) else won and won.winner
    return None if side is None else SIDES[side]


def disputing_codes(rules: Sequence[str]) -> str | None:
    """Return the codes of the rules that dispute a result in a line; None if none does.

    >>> disputing_codes(["wrong-winner", "score-mismatch"])
    'R603 R604'
    """
    return " ".join(codes_of(rules)) or None


MATCH = number("match", "The match: counted from 0 over all files read.")
GAME = number("game", "The game in its match, counted from 1.")
TURN = number("turn", "The place among the actions of the game, counted from 1.")
LINE = number("line", "The line of the file.")


def by_column(things: Sequence[Any], columns: Iterable[Column]) -> Columns:
    """Return the rows of things as columns; None where a value is missing."""
    return {column.name: list(map(_value(column), things)) for column in columns}


def as_arrays(whole: object, columns: Iterable[Column]) -> Columns:
    """Return columns that are computed for all rows at once; categories as their codes or words."""
    values = ((column, _value(column)(whole)) for column in columns)
    return {
        column.name: array if column.dtype == "category" else np.asarray(array, column.dtype)
        for column, array in values
    }


def _value(column: Column) -> Callable[[Any], Any]:
    return column.value or attrgetter(column.name)


def clamped(make: Callable[..., _A], values: Sequence[Any], dtype: str) -> _A:
    """Return what `make` makes of numbers, cut to what their column can hold.

    A cube doubled forty times is no cube, but a record may have it.

    >>> clamped(np.asarray, [7, 1 << 40], dtype="int32").tolist()
    [7, 2147483647]
    """
    try:
        return make(values, dtype=dtype)
    except (OverflowError, TypeError):
        most = int(np.iinfo(dtype.lower()).max)
        return make([None if value is None else min(value, most) for value in values], dtype=dtype)
