"""Tables as pandas DataFrames: of match files, of analyzed matches, and of exported decisions."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import Problem, describe_problem
from bganalyze.analysis.gnubg_statistics import MARKS
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.position_classes import ClassifiedPosition, classify_decision
from bganalyze.analysis.select import SelectedDecision
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import MEMBER_MARK
from bganalyze.record.dates import YEAR_FIRST, find_possible_days
from bganalyze.record.players import Players, call_name_function
from bganalyze.statistics.tables import decisions
from bganalyze.statistics.tables.continuations import mark_continuations
from bganalyze.statistics.tables.copies import (
    Copies,
    find_copies_among,
    make_sequence_reader,
    mark_copies,
)
from bganalyze.statistics.tables.decisions import ANALYZED_SCHEMAS, tabulate_analyzed_match
from bganalyze.statistics.tables.fragments import ALL_GROUPS, SCHEMAS, TableFragment, make_fragment
from bganalyze.statistics.tables.matches import FOLDER
from bganalyze.statistics.tables.schema import (
    PLAYER,
    SIDES,
    Column,
    Columns,
    Schema,
    category,
    compute_columns,
    examine_matches,
    flag,
    make_clamped,
    maybe_number,
)
from bganalyze.text import escape_surrogates
from bganalyze.validation.checking import findings_of
from bganalyze.validation.replaying import MatchReplay

COMPACTED = 256
"""Number of files after which rows are packed into arrays, which take less memory than lists."""


class Tables(NamedTuple):
    """The tables of some matches; `match` and `game` join them."""

    matches: pd.DataFrame
    games: pd.DataFrame
    turns: pd.DataFrame
    cubes: pd.DataFrame
    findings: pd.DataFrame


class Recorded(NamedTuple):
    """Only the tables of matches and of their games."""

    matches: pd.DataFrame
    games: pd.DataFrame


def tabulate(
    replays: Iterable[MatchReplay],
    rule_book: RuleBook = BASIC,
    column_groups: Collection[str] = ALL_GROUPS,
) -> Tables:
    """Return replayed matches as tables of matches, games, turns, doubles and findings.

    `rule_book` must be the rule book of the replay.

    >>> from bganalyze.record.reader import read
    >>> from bganalyze.validation.replaying import replay
    >>> tables = tabulate(map(replay, read("samples/clean/one-point.mat")))
    >>> tables.games[["match", "game", "kind", "counting"]].values.tolist()
    [[0, 1, 'resigned', 1]]
    """
    files = (
        examine_matches(matches, findings_of(matches, rule_book))
        for matches in _group_by_file(replays)
    )
    return join_fragments(
        (make_fragment(matches, rule_book, column_groups) for matches in files), column_groups
    )


def _group_by_file(replays: Iterable[MatchReplay]) -> Iterator[list[MatchReplay]]:
    """Yield the matches of each file as a list. Matches of one file must follow each other."""
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


def join_fragments(
    fragments: Iterable[TableFragment],
    column_groups: Collection[str] = ALL_GROUPS,
    player_of_name: Callable[[str], str] | None = None,
) -> Tables:
    """Join the table rows of several files to one set of tables, and mark copies of matches.

    `player_of_name` returns the player of a written name; by default, names that differ only in
    rating, case or Unicode form are one player.
    """
    tables = join_as_written(fragments, column_groups)
    resolve_tables(tables, player_of_name or Players())
    _add_players(tables)
    return tables


def _add_players(tables: Tables) -> None:
    """Add a column with the player who acts to the tables of turns and doubles."""
    games = tables.games
    names = games["left"].cat.categories.union(games["right"].cat.categories, sort=False)
    codes = np.stack([games[side].cat.set_categories(names).cat.codes for side in SIDES], axis=1)
    places = pd.MultiIndex.from_frame(games[["match", "game"]])
    for rows in (tables.turns, tables.cubes):
        of_game = places.get_indexer(pd.MultiIndex.from_frame(rows[["match", "game"]]))
        acting = codes[of_game, rows["side"].cat.codes] if len(rows) else codes[:0, 0]
        values = pd.Categorical.from_codes(acting, categories=names)
        rows.insert(rows.columns.get_loc("side") + 1, PLAYER.name, values)


def resolve_tables(
    tables: Tables | Recorded, player_of_name: Callable[[str], str], copies: Copies | None = None
) -> None:
    """Replace names by players, mark copies and continued matches, and decide ambiguous dates.

    The tables are changed in place. `copies` are the matches recorded twice, if already known.
    """
    matches, games = tables.matches, tables.games
    name_players(tables, player_of_name)
    mark_copies(
        matches, games, copies or find_copies_among(matches, games, make_sequence_reader(matches))
    )
    decide_dates(matches)
    mark_continuations(matches, games)


def join_as_written(
    fragments: Iterable[TableFragment], column_groups: Collection[str] = ALL_GROUPS
) -> Tables:
    """Join the table rows of several files without changes: with written names, unmarked copies."""
    growing = [GrowingTable(tuple(schema.in_groups(column_groups))) for schema in SCHEMAS]
    count = 0
    for rows in fragments:
        for table, columns in zip(growing, rows, strict=True):
            table.add(columns, count)
        count += len(rows.matches["match"])
    return Tables(*(table.frame() for table in growing))


class GrowingTable:
    """A table to which rows are added."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Begin without rows, with some of the columns of a schema."""
        self._columns = columns
        self._pending: list[Columns] = []
        self._compacted: list[dict[str, Any]] = []

    def add(self, columns: Columns, first_match: int) -> None:
        """Add the rows of a file and number their matches from `first_match`."""
        numbers = np.asarray(columns["match"], dtype=np.int32) + first_match
        self._pending.append({**columns, "match": numbers})
        if len(self._pending) >= COMPACTED:
            self._pack_pending()

    def frame(self) -> pd.DataFrame:
        """Return all rows added so far as a DataFrame."""
        self._pack_pending()
        whole = {column.name: _join_arrays(column, self._compacted) for column in self._columns}
        self._compacted.clear()
        return pd.DataFrame(whole, copy=False)

    def _pack_pending(self) -> None:
        """Convert the rows added last from lists to arrays, which need less memory."""
        if self._pending:
            parts = {column.name: as_array(column, self._pending) for column in self._columns}
            self._compacted.append(parts)
            self._pending = []


def as_array(column: Column, parts: Iterable[Mapping[str, Any]]) -> Any:
    """Return a column of several tables as one array of the column's type.

    Each table in `parts` is a dictionary of columns.
    """
    values = [part[column.name] for part in parts]
    if any(isinstance(part, np.ndarray) for part in values):
        whole: Any = np.concatenate([np.asarray(part) for part in values])
    else:
        whole = [value for part in values for value in part]
    if column.dtype == "category" and not column.choices:
        words = dict.fromkeys(value for value in whole if value is not None)
        return pd.Categorical(whole, categories=pd.Index(list(words), dtype=object))
    if not column.choices:
        return make_clamped(pd.array, whole, column.dtype)
    if isinstance(whole, np.ndarray):
        codes = whole.astype(np.int8)
        return pd.Categorical.from_codes(codes, categories=list(column.choices))
    return pd.Categorical(whole, categories=list(column.choices))


def _join_arrays(column: Column, parts: Sequence[Mapping[str, Any]]) -> Any:
    """Join the arrays that several tables (`parts`) have for a column into one array."""
    arrays = [part[column.name] for part in parts]
    if not arrays:
        return as_array(column, [])
    if len(arrays) == 1:
        return arrays[0]
    if column.dtype == "category":
        return pd.api.types.union_categoricals(arrays)
    return pd.concat([pd.Series(array) for array in arrays], ignore_index=True)


def name_players(
    tables: Tables | Recorded | AnalyzedTables, player_of_name: Callable[[str], str]
) -> None:
    """Replace the names written in match files by the names of players, in place."""
    for frame, column in product((tables.matches, tables.games), ("left", "right")):
        players = {
            name: call_name_function(player_of_name, name) for name in frame[column].cat.categories
        }
        distinct = pd.Index(list(dict.fromkeys(players.values())), dtype=object)
        frame[column] = pd.Categorical(frame[column].map(players), categories=distinct)


def decide_dates(matches: pd.DataFrame) -> None:
    """Decide, in place, ambiguous dates such as 04/01/2023 by other files' dates.

    Files of the same folder and format decide if their dates all fit only one order of day and
    month.
    """
    in_doubt = matches["date"].isna() & matches["date_written"].notna() & matches["path"].notna()
    if not in_doubt.any():
        return
    columns = (matches[name] for name in ("path", "format", "date_written", "date"))
    orders: dict[tuple[str, str], set[str]] = {}
    for path, known_as, written, date in zip(*columns, strict=True):
        days = {} if pd.isna(written) or pd.isna(path) else find_possible_days(written)
        if set(days) - {YEAR_FIRST}:
            place = _find_folder(path), known_as
            fitting = {order for order, day in days.items() if pd.isna(date) or day == date}
            orders[place] = orders.get(place, fitting) & fitting
    for row, match in matches[in_doubt].iterrows():
        days = find_possible_days(match["date_written"])
        settled = {days[order] for order in orders[_find_folder(match["path"]), match["format"]]}
        if len(settled) == 1:
            matches.loc[row, ["date", "date_from"]] = settled.pop(), FOLDER


def _find_folder(path: str) -> str:
    """Return the folder of a file or, for a file in an archive, the archive.

    >>> _find_folder("club/a.mat"), _find_folder("club.zip!a.mat")
    ('club', 'club.zip')
    """
    return path.rpartition(MEMBER_MARK)[0] or os.path.dirname(path)


# Exported decisions: rows of the table of decisions, each with its match and in words.

_OMITTED_COLUMNS = ("match", "side")
"""Columns of the table of decisions that have no meaning in a separate table."""


class _Exported(NamedTuple):
    """A row of the table of exported decisions: a decision with its match."""

    analyzed: AnalyzedMatch
    """The match of the decision."""
    names: tuple[str, str]
    """The left and the right player."""
    decision: int
    row: AnalyzedDecision
    problem: Problem | None
    classified: ClassifiedPosition | None


SCHEMA = Schema(
    "exported decisions",
    f"{decisions.SCHEMA.about} Each row also describes the match.",
    ("path", "number", "decision", "engine", "version", "level"),
    (
        *decisions.MATCHES.copy_columns(path=lambda d: escape_surrogates(d.analyzed.path)),
        *decisions.MATCHES.select("number", "site", "date", "engine", "version", "level"),
        category("player", "The player who decided.", lambda d: d.names[d.row.side]),
        category("opponent", "The other player.", lambda d: d.names[1 - d.row.side]),
        maybe_number("length", "Points to win; 0 for money play.", lambda d: d.row.length),
        maybe_number(
            "own_score",
            "The player's score before the game.",
            lambda d: (d.row.left, d.row.right)[d.row.side],
        ),
        maybe_number(
            "other_score",
            "The opponent's score before the game.",
            lambda d: (d.row.right, d.row.left)[d.row.side],
        ),
        flag("crawford", "Whether it is the Crawford game.", lambda d: d.row.crawford),
        category(
            "mark",
            "GNU Backgammon's mark of the error.",
            lambda d: (d.problem and d.problem.mark) or None,
            tuple(MARKS),
        ),
        *(column for column in decisions.SCHEMA.columns if column.name not in _OMITTED_COLUMNS),
    ),
)


def tabulate_decisions(selected: Iterable[SelectedDecision]) -> pd.DataFrame:
    """Return selected decisions of analyzed matches as a table, one row for each decision."""
    exported = [
        _Exported(
            *(pick.match, pick.names, pick.place, pick.row),
            describe_problem(pick.row),
            classify_decision(pick.row),
        )
        for pick in selected
    ]
    columns = compute_columns(exported, SCHEMA.columns)
    return pd.DataFrame({column.name: as_array(column, [columns]) for column in SCHEMA.columns})


# Analyzed matches as pandas DataFrames, with a row for each engine that analyzed a match.

EDITION = ("engine", "version", "level")
"""The columns that identify an engine. Analyses of different engines are never combined."""


class AnalyzedTables(NamedTuple):
    """The tables of analyzed matches; `match` and `game` join them."""

    matches: pd.DataFrame
    games: pd.DataFrame
    decisions: pd.DataFrame


def list_paths(rows: pd.DataFrame, tables: AnalyzedTables) -> list[str]:
    """Return the path of the match file of each of the `rows`, which are from one of the `tables`."""
    matches, games = tables.matches, tables.games
    # A whole match may be in several files, one for each game.
    if "path" not in games or "game" not in rows:
        paths = matches.set_index("match")["path"].loc[rows["match"]]
    else:
        by_game = games.set_index(["match", "game"])["path"]
        paths = by_game.loc[pd.MultiIndex.from_frame(rows[["match", "game"]])]
    return list(map(str, paths))


def tabulate_analyzed(
    matches: Iterable[AnalyzedMatch], player_of_name: Callable[[str], str] | None = None
) -> AnalyzedTables:
    """Return analyzed matches as tables.

    A match that an engine has analyzed twice is marked as a copy, and a game as counted elsewhere.

    >>> len(tabulate_analyzed([]).decisions)
    0
    """
    growing = [GrowingTable(schema.columns) for schema in ANALYZED_SCHEMAS]
    for number, match in enumerate(matches):
        for table, columns in zip(growing, tabulate_analyzed_match(number, match), strict=True):
            table.add(columns, 0)
    tables = AnalyzedTables(*(table.frame() for table in growing))
    name_players(tables, player_of_name or Players())
    games = _count_rolls_of_games(tables)
    for _, of_edition in tables.matches.groupby(list(EDITION), observed=True, dropna=False):
        copies = find_copies_among(of_edition, games, make_sequence_reader(of_edition))
        mark_copies(tables.matches, tables.games, copies)
    return tables


def _count_rolls_of_games(tables: AnalyzedTables) -> pd.DataFrame:
    """Return a table with the number of rolls and the winner of each game."""
    keys, decisions = ["match", "game"], tables.decisions
    is_roll = (decisions["kind"] == Kind.PLAY) & decisions["dice"].notna()
    counts = is_roll.groupby([decisions[key] for key in keys]).sum()
    games = tables.games[[*keys, "winner"]]
    rolls = counts.reindex(pd.MultiIndex.from_frame(games[keys]), fill_value=0)
    return games.assign(rolls=rolls.to_numpy())
