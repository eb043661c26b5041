"""Tables as pandas DataFrames, put together from the rows of one file after the other."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bganalyze.checking import findings_of
from bganalyze.judging.describe import problem
from bganalyze.judging.match import JudgedMatch
from bganalyze.judging.metrics.gnubg import MARKS
from bganalyze.judging.select import SelectedDecision
from bganalyze.law import BASIC, Law
from bganalyze.players import Players
from bganalyze.replaying import MatchReplay
from bganalyze.tables import decisions
from bganalyze.tables.decisions import JUDGED_SCHEMAS, decision_rows, game_rows, match_row
from bganalyze.tables.fragments import ALL_GROUPS, SCHEMAS, Fragment, fragment
from bganalyze.tables.schema import Column, Columns, Row, Schema, by_column, clamped, examined

COMPACTED = 256
"""After so many files the rows are put into arrays, which take less room than lists."""

PLAYERS = {"matches": ("left", "right"), "games": ("left", "right")}
"""The columns that hold players."""


class Tables(NamedTuple):
    """The tables of a number of matches; `match` and `game` join them."""

    matches: pd.DataFrame
    games: pd.DataFrame
    turns: pd.DataFrame
    cubes: pd.DataFrame
    findings: pd.DataFrame


def tabulate(
    replays: Iterable[MatchReplay], law: Law = BASIC, groups: Collection[str] = ALL_GROUPS
) -> Tables:
    """Return the tables of matches that were replayed under `law`.

    `groups` names the groups of columns of `turns` that are wanted: `checker`, `shots`, `race`
    and `plays`; the data dictionary says what is in them.

    >>> import bganalyze
    >>> matches = bganalyze.read("samples/clean/one-point.mat")
    >>> tables = tabulate(bganalyze.replay(match) for match in matches)
    >>> tables.games[["match", "game", "kind", "counting"]].values.tolist()
    [[0, 1, 'resigned', 1]]
    """
    files = (examined(each, findings_of(each, law)) for each in _by_file(replays))
    return collected((fragment(each, law, groups) for each in files), groups)


def _by_file(replays: Iterable[MatchReplay]) -> Iterator[list[MatchReplay]]:
    """Yield the matches of a file together, as long as they come in their order."""
    some: list[MatchReplay] = []
    for each in replays:
        last = some[-1].match if some else each.match
        if some and not (each.match.source is last.source and each.match.number > last.number):
            yield some
            some = []
        some.append(each)
    if some:
        yield some


def collected(
    fragments: Iterable[Fragment],
    groups: Collection[str] = ALL_GROUPS,
    player: Callable[[str], str] | None = None,
) -> Tables:
    """Return the rows of files as tables, in their order.

    `player` says who a written name is: by default one for all names that differ in rating, case
    or Unicode form. A match whose content was met before is marked as a copy of the first.
    """
    growing = [Growing(tuple(schema.wanted(groups))) for schema in SCHEMAS]
    count = 0
    for each in fragments:
        for table, columns in zip(growing, each, strict=True):
            table.add(columns, count)
        count += len(each.matches["match"])
    tables = Tables(*(table.frame() for table in growing))
    name_players(tables, player or Players())
    mark_copies(tables.matches)
    return tables


class Growing:
    """A table to which rows are added."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Begin with no rows, and some of the columns of a schema."""
        self._columns = columns
        self._pending: list[Columns] = []
        self._done: list[dict[str, Any]] = []

    def add(self, columns: Columns, first_match: int) -> None:
        """Add the rows of a file whose first match has this number."""
        numbers = np.asarray(columns["match"], dtype=np.int32) + first_match
        self._pending.append({**columns, "match": numbers})
        if len(self._pending) >= COMPACTED:
            self._compact()

    def frame(self) -> pd.DataFrame:
        """Return what was added."""
        self._compact()
        whole = {column.name: _joined(column, self._done) for column in self._columns}
        self._done.clear()
        return pd.DataFrame(whole, copy=False)

    def _compact(self) -> None:
        if self._pending:
            parts = {column.name: as_array(column, self._pending) for column in self._columns}
            self._done.append(parts)
            self._pending = []


def as_array(column: Column, parts: Iterable[Mapping[str, Any]]) -> Any:
    """Return the values of a column in several files as one array of its type."""
    values = [part[column.name] for part in parts]
    if any(isinstance(each, np.ndarray) for each in values):
        whole: Any = np.concatenate([np.asarray(each) for each in values])
    else:
        whole = [value for each in values for value in each]
    if column.dtype == "category" and not column.choices:
        known = dict.fromkeys(value for value in whole if value is not None)
        return pd.Categorical(whole, categories=pd.Index(list(known), dtype=object))
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


def name_players(tables: NamedTuple, player: Callable[[str], str]) -> None:
    """Put the players in place of the written names."""
    for table, columns in PLAYERS.items():
        frame = getattr(tables, table)
        for column in columns:
            written = frame[column].cat
            persons = [player(name) for name in written.categories]
            distinct = list(dict.fromkeys(persons))
            codes = pd.Index(distinct).get_indexer(persons)
            taken = written.codes.to_numpy()
            new = np.where(taken < 0, -1, codes[taken]) if len(codes) else taken
            categories = pd.Index(distinct, dtype=object)
            frame[column] = pd.Categorical.from_codes(new, categories=categories)


def mark_copies(matches: pd.DataFrame, alike: Sequence[str] = ("content",)) -> None:
    """Mark a match as a copy of the first that has the same in these columns."""
    known = matches["content"].notna()
    first = matches[known].groupby(list(alike), sort=False, observed=True)["match"].transform("min")
    copies = first[first != matches.loc[first.index, "match"]]
    matches.loc[copies.index, "copy_of"] = copies.astype("Int32")


# Exported decisions: the rows of the table of decisions, each with its match and in words.

_OF_MATCH = ("path", "number", "date", "site", "engine", "version", "level")
_ELSEWHERE = ("match", "side")
"""Columns of the table of decisions that say nothing in a table by itself."""

SCHEMA = Schema(
    "exported decisions",
    f"{decisions.SCHEMA.about} Each has its match beside it.",
    ("path", "number", "decision", "engine", "version", "level"),
    (
        *(column for column in decisions.MATCHES.columns if column.name in _OF_MATCH),
        Column("player", "category", "Who decided."),
        Column("opponent", "category", "The other."),
        Column("length", "Int32", "Points to win; 0 for money play."),
        Column("own_score", "Int32", "Of the player, before the game."),
        Column("other_score", "Int32", "Of the opponent, before the game."),
        Column("crawford", "bool", "Whether it is the Crawford game."),
        Column("row", "str", "The row of the record, as written."),
        Column("mark", "category", "How bad it was by GNU Backgammon's marks.", tuple(MARKS)),
        *(column for column in decisions.SCHEMA.columns if column.name not in _ELSEWHERE),
    ),
)


def frame(picks: Iterable[SelectedDecision]) -> pd.DataFrame:
    """Return decisions as a table.

    >>> frame([]).columns[0]
    'path'
    """
    columns = by_column([_row(each) for each in picks], SCHEMA.columns)
    return pd.DataFrame({column.name: as_array(column, [columns]) for column in SCHEMA.columns})


def _row(each: SelectedDecision) -> Row:
    match, row, told = each.match, each.row, problem(each.row)
    names, scores = each.names, (row.left, row.right)
    return {
        **decisions.decision_row(0, each.place, row),
        **match.key._asdict(),
        "path": _text(match.path),
        "number": match.number,
        "date": match.date and dt.datetime.combine(match.date, dt.time()),
        "site": match.site,
        "player": names[row.side],
        "opponent": names[1 - row.side],
        "length": row.length,
        "own_score": scores[row.side],
        "other_score": scores[1 - row.side],
        "crawford": row.crawford,
        "row": row.row and row.row.strip(),
        "mark": (told and told.mark) or None,
    }


def _text(path: str) -> str:
    """A path as text: what cannot be decoded in it is spelled out."""
    return path.encode("utf-8", "backslashreplace").decode()


# Judged matches as pandas DataFrames, each with its row for every engine that has judged it.

EDITION = ("engine", "version", "level")
"""What judged a match. Verdicts of different ones are never put together."""


class JudgedTables(NamedTuple):
    """The tables of judged matches; `match` and `game` join them."""

    matches: pd.DataFrame
    games: pd.DataFrame
    decisions: pd.DataFrame


def tabulate_judged(
    matches: Iterable[JudgedMatch], player: Callable[[str], str] | None = None
) -> JudgedTables:
    """Return judged matches as tables, in their order.

    `player` says who a written name is, as for `collected`. A match that the same engine has judged
    before under other names, or with its columns exchanged, is marked as a copy.

    >>> len(tabulate_judged([]).decisions)
    0
    """
    growing = [Growing(schema.columns) for schema in JUDGED_SCHEMAS]
    for number, match in enumerate(matches):
        rows = ([match_row(number, match)], game_rows(number, match), decision_rows(number, match))
        for table, schema, made in zip(growing, JUDGED_SCHEMAS, rows, strict=True):
            table.add(by_column(made, schema.columns), 0)
    tables = JudgedTables(*(table.frame() for table in growing))
    name_players(tables, player or Players())
    mark_copies(tables.matches, ("content", *EDITION))
    return tables
