"""The schema of a table: its columns, each declared once with type and meaning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import FinalScore, MatchOutcome, Win, outcome_of
from bganalyze.validation.rules.disputed_results import codes_of

# The input of tables: replayed matches with their findings.


class Examined(NamedTuple):
    """A replayed match with its findings and results."""

    replayed: MatchReplay
    findings: tuple[Finding, ...]
    outcome: MatchOutcome


def examine_matches(replays: Sequence[MatchReplay], findings: Sequence[Finding]) -> list[Examined]:
    """Return each replayed match of a file with its findings and its outcome.

    `findings` has the findings of all these matches.
    """
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
"""The values of many rows: a list or an array for each column."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    dtype: str
    """The pandas type. Values of `Int16`, `boolean`, text and categories may be missing."""
    meaning: str
    """The meaning, with the unit if there is one."""
    value: Callable[[Any], Any] | None = None
    """Function from the object of a row to the value, or from all rows to an array; by default the
    attribute with the column's name."""
    choices: tuple[str, ...] = ()
    """All values of a category, if they are known."""
    group: str = ""
    """The group of columns that are computed together, and only on demand."""
    from_games: bool = False
    """Whether the column repeats a value of the table of games; then rows of files and stores lack it."""


def _make_declarer(dtype: str) -> Callable[..., Column]:
    """Return a function that makes columns of the pandas type `dtype`, such as `Int32`."""

    def column(
        name: str,
        meaning: str,
        value: Callable[[Any], Any] | None = None,
        choices: tuple[str, ...] = (),
        group: str = "",
    ) -> Column:
        """Return a table column of the type `dtype`.

        `value` computes a row's value from its object, such as a game, or an array from all rows.
        `choices` are the words that can occur. `group` names columns made only on demand.
        """
        return Column(name, dtype, meaning, value, choices, group)

    return column


text, category = _make_declarer("str"), _make_declarer("category")
number, maybe_number, measure = (
    _make_declarer("int32"),
    _make_declarer("Int32"),
    _make_declarer("float64"),
)
flag, maybe_flag = _make_declarer("bool"), _make_declarer("boolean")


class Schema(NamedTuple):
    """A table's declaration: what its rows are about, its key and its columns."""

    name: str
    about: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def recorded(self) -> tuple[Column, ...]:
        """The columns of this table that a store keeps."""
        return tuple(column for column in self.columns if not column.from_games)

    def in_groups(self, column_groups: Collection[str]) -> Iterator[Column]:
        """Yield the stored columns, except those in a group that is not in `column_groups`."""
        return (
            column for column in self.recorded if not column.group or column.group in column_groups
        )

    def select(self, *names: str) -> tuple[Column, ...]:
        """Return the columns with these names."""
        return tuple(column for column in self.columns if column.name in names)

    def copy_columns(self, **values: Callable[[Any], Any] | None) -> tuple[Column, ...]:
        """Return copies of some columns that compute their values by new functions.

        Each keyword is the name of a column, its value the new function.
        """
        return tuple(column._replace(value=values[column.name]) for column in self.select(*values))


SIDES = ("left", "right")
"""The columns of the match file, as values of a category."""


def side_of(won: Win | FinalScore | None) -> str | None:
    """Return the name of the side that won, or None if unknown."""
    side = won.side if isinstance(won, Win) else won and won.winner
    return None if side is None else SIDES[side]


def join_rule_codes(rules: Sequence[str]) -> str | None:
    """Return the codes of rules, separated by blanks, or None without rules.

    >>> join_rule_codes(["wrong-winner", "score-mismatch"])
    'R603 R604'
    """
    return " ".join(codes_of(rules)) or None


MATCH = number("match", "The number of the match, from 0 over all files read.")
GAME = number("game", "The number of the game in its match, from 1.")
TURN = number("turn", "The number of the action in the game, from 1.")
LINE = number("line", "The line of the file.")
PLAYER = category("player", "The player of that side, as in `games`.")._replace(from_games=True)


def compute_columns(things: Sequence[Any], columns: Iterable[Column]) -> Columns:
    """Return the values of columns for each of `things`, such as games, by the column's name."""
    return {column.name: list(map(_make_getter(column), things)) for column in columns}


def compute_arrays(whole: object, columns: Iterable[Column]) -> Columns:
    """Return each column as an array, computed in one call, by the column's name.

    `whole` has the data of all rows, such as the rolls of a file.
    """
    values = ((column, _make_getter(column)(whole)) for column in columns)
    return {
        column.name: array if column.dtype == "category" else np.asarray(array, column.dtype)
        for column, array in values
    }


def _make_getter(column: Column) -> Callable[[Any], Any]:
    """Return a column's function from an object, such as a game, to a value.

    By default, the value is the object's attribute with the column's name.
    """
    return column.value or attrgetter(column.name)


def make_clamped(make: Callable[..., _A], values: Sequence[Any], dtype: str) -> _A:
    """Return `make(values, dtype=dtype)`; values too large for the type become its maximum.

    >>> make_clamped(np.asarray, [7, 1 << 40], dtype="int32").tolist()
    [7, 2147483647]
    """
    try:
        return make(values, dtype=dtype)
    except (OverflowError, TypeError):
        most = int(np.iinfo(dtype.lower()).max)
        return make([None if value is None else min(value, most) for value in values], dtype=dtype)
