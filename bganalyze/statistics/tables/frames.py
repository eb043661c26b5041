"""Tables as pandas DataFrames: of files, of analyzed matches, and of decisions to export."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.describe import Problem, problem
from bganalyze.analysis.gnubg_statistics import MARKS
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.select import SelectedDecision
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import MEMBER_MARK
from bganalyze.record.dates import YEAR_FIRST, possible_days
from bganalyze.record.players import Players
from bganalyze.statistics.tables import decisions
from bganalyze.statistics.tables.decisions import ANALYZED_SCHEMAS, analyzed_columns
from bganalyze.statistics.tables.fragments import ALL_GROUPS, SCHEMAS, Fragment, fragment
from bganalyze.statistics.tables.matches import FOLDER
from bganalyze.statistics.tables.schema import (
    Column,
    Columns,
    Schema,
    by_column,
    category,
    clamped,
    examined,
    flag,
    maybe_number,
    text,
)
from bganalyze.text import storable
from bganalyze.validation.checking import findings_of
from bganalyze.validation.replaying import MatchReplay

COMPACTED = 256
"""After so many files the rows are put into arrays, which take less room than lists."""


class Tables(NamedTuple):
    """The tables of a number of matches; `match` and `game` join them."""

    matches: pd.DataFrame
    games: pd.DataFrame
    turns: pd.DataFrame
    cubes: pd.DataFrame
    findings: pd.DataFrame


class Recorded(NamedTuple):
    """The tables of matches and of their games alone."""

    matches: pd.DataFrame
    games: pd.DataFrame


def tabulate(
    replays: Iterable[MatchReplay],
    rule_book: RuleBook = BASIC,
    groups: Collection[str] = ALL_GROUPS,
) -> Tables:
    """Return the tables of matches that were replayed under `rule_book`.

    `groups` names the groups of columns of `turns` that are wanted: `checker`, `shots`, `race`
    and `plays`; the data dictionary says what is in them.

    >>> from bganalyze.record.reader import read
    >>> from bganalyze.validation.replaying import replay
    >>> tables = tabulate(map(replay, read("samples/clean/one-point.mat")))
    >>> tables.games[["match", "game", "kind", "counting"]].values.tolist()
    [[0, 1, 'resigned', 1]]
    """
    files = (examined(matches, findings_of(matches, rule_book)) for matches in _by_file(replays))
    return collected((fragment(matches, rule_book, groups) for matches in files), groups)


def _by_file(replays: Iterable[MatchReplay]) -> Iterator[list[MatchReplay]]:
    """Yield the matches of a file together, as long as they come in their order."""
    of_file: list[MatchReplay] = []
    for replayed in replays:
        match = replayed.match
        last = of_file[-1].match if of_file else match
        if of_file and not (match.source is last.source and match.number > last.number):
            yield of_file
            of_file = []
        of_file.append(replayed)
    if of_file:
        yield of_file


def collected(
    fragments: Iterable[Fragment],
    groups: Collection[str] = ALL_GROUPS,
    player: Callable[[str], str] | None = None,
) -> Tables:
    """Return the rows of files as tables, in their order.

    `player` maps a written name to its player; by default names that differ only in rating, case or
    Unicode form are one. A match whose content was met before is marked as a copy of the first.
    """
    tables = joined(fragments, groups)
    settle(tables, player or Players())
    return tables


def settle(tables: Tables | Recorded, player: Callable[[str], str]) -> None:
    """Put the players in place of the written names, mark copies, and settle dates in doubt."""
    name_players(tables, player)
    mark_copies(tables.matches)
    settle_dates(tables.matches)


def joined(fragments: Iterable[Fragment], groups: Collection[str] = ALL_GROUPS) -> Tables:
    """Return the rows of files as tables, with names as written, and each match by itself."""
    growing = [Growing(tuple(schema.in_groups(groups))) for schema in SCHEMAS]
    count = 0
    for rows in fragments:
        for table, columns in zip(growing, rows, strict=True):
            table.add(columns, count)
        count += len(rows.matches["match"])
    return Tables(*(table.frame() for table in growing))


class Growing:
    """A table to which rows are added."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Begin with no rows, and some of the columns of a schema."""
        self._columns = columns
        self._pending: list[Columns] = []
        self._compacted: list[dict[str, Any]] = []

    def add(self, columns: Columns, first_match: int) -> None:
        """Add the rows of a file whose first match has this number."""
        numbers = np.asarray(columns["match"], dtype=np.int32) + first_match
        self._pending.append({**columns, "match": numbers})
        if len(self._pending) >= COMPACTED:
            self._compact()

    def frame(self) -> pd.DataFrame:
        """Return what was added."""
        self._compact()
        whole = {column.name: _joined(column, self._compacted) for column in self._columns}
        self._compacted.clear()
        return pd.DataFrame(whole, copy=False)

    def _compact(self) -> None:
        if self._pending:
            parts = {column.name: as_array(column, self._pending) for column in self._columns}
            self._compacted.append(parts)
            self._pending = []


def as_array(column: Column, parts: Iterable[Mapping[str, Any]]) -> Any:
    """Return the values of a column in several files as one array of its type."""
    values = [part[column.name] for part in parts]
    if any(isinstance(part, np.ndarray) for part in values):
        whole: Any = np.concatenate([np.asarray(part) for part in values])
    else:
        whole = [value for part in values for value in part]
    if column.dtype == "category" and not column.choices:
        words = dict.fromkeys(value for value in whole if value is not None)
        return pd.Categorical(whole, categories=pd.Index(list(words), dtype=object))
    if not column.choices:
        return clamped(pd.array, whole, column.dtype)
    if isinstance(whole, np.ndarray):
        codes = whole.astype(np.int8)
        return pd.Categorical.from_codes(codes, categories=list(column.choices))
    return pd.Categorical(whole, categories=list(column.choices))


def _joined(column: Column, parts: Sequence[Mapping[str, Any]]) -> pd.Series[Any]:
    arrays = [part[column.name] for part in parts]
    if not arrays:
        return pd.Series(as_array(column, []))
    if column.dtype == "category":
        return pd.Series(pd.api.types.union_categoricals(arrays))
    return pd.concat([pd.Series(array) for array in arrays], ignore_index=True)


def name_players(tables: Tables | Recorded | AnalyzedTables, player: Callable[[str], str]) -> None:
    """Put the players in place of the written names."""
    for frame, column in product((tables.matches, tables.games), ("left", "right")):
        players = {name: player(name) for name in frame[column].cat.categories}
        distinct = pd.Index(list(dict.fromkeys(players.values())), dtype=object)
        frame[column] = pd.Categorical(frame[column].map(players), categories=distinct)


def mark_copies(matches: pd.DataFrame, alike: Sequence[str] = ("content",)) -> None:
    """Mark a match as a copy of the first that has the same in these columns."""
    recorded = matches["content"].notna()
    first = (
        matches[recorded].groupby(list(alike), sort=False, observed=True)["match"].transform("min")
    )
    copies = first[first != matches.loc[first.index, "match"]]
    matches.loc[copies.index, "copy_of"] = copies.astype("Int32")


def settle_dates(matches: pd.DataFrame) -> None:
    """Date the matches whose date may be read with the day or the month first, such as 04/01/2023.

    The other records of the same format in the same folder or archive decide, if at least one of
    them shows the order and none shows the other.
    """
    in_doubt = matches["date"].isna() & matches["date_written"].notna() & matches["path"].notna()
    if not in_doubt.any():
        return
    columns = (matches[name] for name in ("path", "format", "date_written", "date"))
    orders: dict[tuple[str, str], set[str]] = {}
    for path, known_as, written, date in zip(*columns, strict=True):
        days = {} if pd.isna(written) or pd.isna(path) else possible_days(written)
        if set(days) - {YEAR_FIRST}:
            place = _folder(path), known_as
            fitting = {order for order, day in days.items() if pd.isna(date) or day == date}
            orders[place] = orders.get(place, fitting) & fitting
    for row, match in matches[in_doubt].iterrows():
        days = possible_days(match["date_written"])
        settled = {days[order] for order in orders[_folder(match["path"]), match["format"]]}
        if len(settled) == 1:
            matches.loc[row, ["date", "date_from"]] = settled.pop(), FOLDER


def _folder(path: str) -> str:
    """The archive that a file is in, or else its folder."""
    return path.rpartition(MEMBER_MARK)[0] or os.path.dirname(path)


# Exported decisions: the rows of the table of decisions, each with its match and in words.

_ELSEWHERE = ("match", "side")
"""Columns of the table of decisions that say nothing in a table by itself."""


class _Exported(NamedTuple):
    """A decision as its table has it, with its match."""

    analyzed: AnalyzedMatch
    names: tuple[str, str]
    decision: int
    row: AnalyzedDecision
    problem: Problem | None


SCHEMA = Schema(
    "exported decisions",
    f"{decisions.SCHEMA.about} Each has its match beside it.",
    ("path", "number", "decision", "engine", "version", "level"),
    (
        *decisions.MATCHES.shared(path=lambda d: storable(d.analyzed.path)),
        *decisions.MATCHES.select("number", "site", "date", "engine", "version", "level"),
        category("player", "Who decided.", lambda d: d.names[d.row.side]),
        category("opponent", "The other.", lambda d: d.names[1 - d.row.side]),
        maybe_number("length", "Points to win; 0 for money play.", lambda d: d.row.length),
        maybe_number(
            "own_score",
            "Of the player, before the game.",
            lambda d: (d.row.left, d.row.right)[d.row.side],
        ),
        maybe_number(
            "other_score",
            "Of the opponent, before the game.",
            lambda d: (d.row.right, d.row.left)[d.row.side],
        ),
        flag("crawford", "Whether it is the Crawford game.", lambda d: d.row.crawford),
        text(
            "row", "The row of the record, as written.", lambda d: d.row.row and d.row.row.strip()
        ),
        category(
            "mark",
            "How bad it was by GNU Backgammon's marks.",
            lambda d: (d.problem and d.problem.mark) or None,
            tuple(MARKS),
        ),
        *(column for column in decisions.SCHEMA.columns if column.name not in _ELSEWHERE),
    ),
)


def frame(selected: Iterable[SelectedDecision]) -> pd.DataFrame:
    """Return decisions as a table.

    >>> frame([]).columns[0]
    'path'
    """
    exported = [
        _Exported(pick.match, pick.names, pick.place, pick.row, problem(pick.row))
        for pick in selected
    ]
    columns = by_column(exported, SCHEMA.columns)
    return pd.DataFrame({column.name: as_array(column, [columns]) for column in SCHEMA.columns})


# Analyzed matches as pandas DataFrames, each with its row for every engine that has analyzed it.

EDITION = ("engine", "version", "level")
"""What analyzed a match. Analyses of different ones are never put together."""


class AnalyzedTables(NamedTuple):
    """The tables of analyzed matches; `match` and `game` join them."""

    matches: pd.DataFrame
    games: pd.DataFrame
    decisions: pd.DataFrame


def tabulate_analyzed(
    matches: Iterable[AnalyzedMatch], player: Callable[[str], str] | None = None
) -> AnalyzedTables:
    """Return analyzed matches as tables, in their order.

    `player` maps a written name to its player, as in `collected`. A match that the same engine has
    analyzed before under other names, or with its columns exchanged, is marked as a copy.

    >>> len(tabulate_analyzed([]).decisions)
    0
    """
    growing = [Growing(schema.columns) for schema in ANALYZED_SCHEMAS]
    for number, match in enumerate(matches):
        for table, columns in zip(growing, analyzed_columns(number, match), strict=True):
            table.add(columns, 0)
    tables = AnalyzedTables(*(table.frame() for table in growing))
    name_players(tables, player or Players())
    mark_copies(tables.matches, ("content", "length", *EDITION))
    return tables
