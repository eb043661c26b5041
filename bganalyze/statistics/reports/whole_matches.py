"""Whole matches: the games of one match that several files hold are joined into one match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bganalyze.statistics.anonymity import PATH as HIDDEN
from bganalyze.statistics.reports.making_norms import strip_game_number
from bganalyze.statistics.reports.sums import KeptSums
from bganalyze.statistics.tables.continuations import mark_continuations
from bganalyze.statistics.tables.frames import EDITION, AnalyzedTables, Recorded
from bganalyze.statistics.tables.schema import SIDES

PATH = "path"
"""The column that joined tables of games have, too: the file of the game."""

_SUMMED = (
    *("comments", "analyses", "games", "repeats", "copied", "errors", "warnings"),
    "recorded_rolls",
)
"""Columns of matches that are sums over games."""

_WINNERS = ("winner", "recorded_winner", "board_winner")
_AT_END = ("after", "recorded", "by_board")
"""Suffixes of columns with the points after the last game."""

Row = Mapping[str, Any]
Numbers = dict[int, int]
"""A number for each match of a table."""


class _Joining(NamedTuple):
    """Which files hold parts of the same match, and how to renumber their matches and games."""

    whole: Numbers
    """For each part, the first part of the same match."""
    added: Numbers
    """For each part, the number to add to its game numbers: that of the games in earlier parts."""

    @property
    def is_needed(self) -> bool:
        """Whether any match is in several files."""
        return any(match != first for match, first in self.whole.items())

    def renumber(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return rows with the match and game numbers of the joined matches, sorted by them."""
        match, game = (rows[name].to_numpy(dtype=np.int64) for name in ("match", "game"))
        first, earlier = (
            rows["match"].map(numbers).to_numpy(dtype=np.int64)
            for numbers in (self.whole, self.added)
        )
        moved = rows.assign(
            match=first.astype(rows["match"].dtype),
            game=np.where(game > 0, game + earlier, game).astype(rows["game"].dtype),
        )
        # Game 0 means the match as a whole.
        return moved.iloc[np.lexsort((match, moved["game"], moved["match"]))].reset_index(drop=True)


def join_files_of_matches(tables: AnalyzedTables) -> AnalyzedTables:
    """Join the files that hold parts of one match to a single analyzed match.

    A file continues an earlier one if their names differ only by the number of the game (`a.txt`,
    `a_002.txt`), or if the scores fit. The table of games gets a column with each game's file.
    """
    matches = _add_scores(tables.matches, tables.games)
    paths = tables.games["match"].map(matches.set_index("match")[PATH].astype(object))
    games = tables.games.assign(**{PATH: paths.astype("category")})
    joining = _find_joining(matches, games)
    if not joining.is_needed:
        return tables._replace(games=games)
    decisions = joining.renumber(tables.decisions)
    return AnalyzedTables(
        _keep_first_files(tables.matches, joining),
        joining.renumber(games),
        decisions.assign(decision=decisions.groupby("match").cumcount() + 1),
    )


def leave_out_copies(tables: AnalyzedTables, recorded: pd.DataFrame) -> AnalyzedTables:
    """Return analyzed matches without those that repeat another analyzed match.

    `recorded` has the matches as read from the same files; its column `copy_of` marks copies.
    """
    keys = list(zip(recorded[PATH].astype(object), recorded["number"], strict=True))
    by_number = dict(zip(recorded["match"], keys, strict=True))
    originals = {
        key: by_number.get(original)
        for key, original in zip(keys, recorded["copy_of"], strict=True)
        if not pd.isna(original)
    }
    own = list(zip(tables.matches[PATH].astype(object), tables.matches["number"], strict=True))
    analyzed = set(own)
    is_copy = [originals.get(key) in analyzed for key in own]
    if not any(is_copy):
        return tables
    left_out = tables.matches.loc[is_copy, "match"]
    matches, games, decisions = (
        rows[~rows["match"].isin(left_out)].reset_index(drop=True) for rows in tables
    )
    # The analyses do not know the errors of a record, so they may have chosen the other one.
    counts = matches["copy_of"].isin(left_out)
    kept = matches.assign(copy_of=matches["copy_of"].mask(counts))
    return AnalyzedTables(kept, games, decisions)


def hide_paths(tables: AnalyzedTables) -> AnalyzedTables:
    """Replace the path of every file in the tables by the placeholder `HIDDEN`."""
    matches, games = tables.matches, tables.games
    return tables._replace(
        matches=matches.assign(**{PATH: HIDDEN}), games=games.assign(**{PATH: HIDDEN})
    )


def count_continuing_files(matches: pd.DataFrame, games: pd.DataFrame) -> int:
    """Count the files that continue another file's match and have not been joined with it."""
    if PATH in games:  # `join_files_of_matches` has joined them.
        return 0
    return len(
        _find_continued_matches(matches if "continues" in matches else _add_scores(matches, games))
    )


def count_files(tables: AnalyzedTables) -> int:
    """Return the number of files in tables made by `join_files_of_matches`."""
    return int(tables.games.groupby("match")[PATH].nunique().sum())


def join_files_of_sums(sums: KeptSums) -> KeptSums:
    """Join the files that hold parts of one match to a single match, in sums of matches."""
    matches, games = sums.recorded
    joining = _find_joining(matches, games)
    if not joining.is_needed:
        return sums
    frames = {name: joining.renumber(frame) for name, frame in sums.frames.items()}
    whole = _count_games_once(_sum_files(matches, joining), games, joining)
    return KeptSums(Recorded(whole, joining.renumber(games)), frames)


def _count_games_once(whole: pd.DataFrame, games: pd.DataFrame, joining: _Joining) -> pd.DataFrame:
    """Correct the number of games of each joined match: a game in two of its files counts once.

    `games` are those of all files; the column `counted_elsewhere` marks the copies.
    """
    files = Counter(joining.whole.values())
    copied = Counter(
        first
        for first in map(joining.whole.__getitem__, games.loc[games["counted_elsewhere"], "match"])
        if files[first] > 1
    )
    repeated = whole["match"].map(copied).fillna(0).astype(whole["games"].dtype)
    return whole.assign(games=whole["games"] - repeated)


def _add_scores(matches: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Add to analyzed matches the scores before the first and after the last game.

    The column `continues` gets the number of the match in another file that a match continues.
    """
    points = games["points"].astype("Float64")
    after = {
        f"{side}_after": games[f"{side}_score"].astype("Float64")
        + points.where((games["winner"] == side).fillna(False), 0)
        for side in SIDES
    }
    ordered = games.assign(**after)
    first, last = (
        ordered.drop_duplicates("match", keep=keep).set_index("match").reindex(matches["match"])
        for keep in ("first", "last")
    )
    is_swapped = first["left"].astype(object) != last["left"].astype(object)
    columns = {f"{side}_before": first[f"{side}_score"].to_numpy() for side in SIDES}
    for side, other in (SIDES, SIDES[::-1]):
        own, swapped = last[f"{side}_after"], last[f"{other}_after"]
        columns[f"{side}_after"] = own.where(~is_swapped, swapped).to_numpy()
    whole = matches.assign(**columns, winner=None, continues=pd.array([pd.NA] * len(matches)))
    mark_continuations(whole, games)
    return whole


def _find_joining(matches: pd.DataFrame, games: pd.DataFrame) -> _Joining:
    """Find out which files hold parts of the same match, and how to renumber them."""
    earlier = _find_continued_matches(matches)
    last_games = games.groupby("match")["game"].max().to_dict()
    first_games = games.groupby("match")["game"].min().to_dict()
    whole: Numbers = {}
    added: Numbers = {}
    for match in sorted(
        map(int, matches["match"]), key=lambda match: _count_earlier_files(match, earlier)
    ):
        before = earlier.get(match)
        whole[match] = match if before is None else whole[before]
        ended = 0 if before is None else last_games.get(before, 0) + added[before]
        added[match] = ended if first_games.get(match, 1) <= ended else 0
    return _Joining(whole, added)


def _find_continued_matches(matches: pd.DataFrame) -> Numbers:
    """Map each match that continues a match in another file to that earlier match.

    For example, `{3: 2}` means that match 3 continues match 2.
    """
    counted = matches[matches["copy_of"].isna()]
    paths, later = counted[PATH].astype(object), counted["continues"]
    is_named_alike = paths.map(strip_game_number, na_action="ignore").duplicated(keep=False)
    is_neighbor = later.notna() | counted["match"].isin(later.dropna())
    is_named = paths.notna() & (paths != HIDDEN)
    found = counted[(is_named_alike & is_named) | is_neighbor]
    rows = {int(row["match"]): row for row in map(dict, found.to_dict("records"))}
    earlier = dict(_find_earlier_by_name(rows))
    return earlier | dict(_find_earlier_by_score(rows, earlier))


def _count_earlier_files(match: int, earlier: Numbers) -> int:
    """Count the files of the same match that come before the file of `match`.

    `earlier` maps each match number to that of the match which it continues.

    >>> _count_earlier_files(3, {3: 2, 2: 1})
    2
    """
    depth = 0
    while match in earlier:
        match, depth = earlier[match], depth + 1
    return depth


def _find_earlier_by_name(rows: Mapping[int, Row]) -> Iterator[tuple[int, int]]:
    """Yield pairs (match, earlier match) whose file names differ only by the number of the game.

    Players and scores must fit, too. The keys of `rows` are match numbers.
    """
    named: dict[tuple[object, ...], list[Row]] = {}
    for row in rows.values():
        if not pd.isna(row[PATH]) and row[PATH] != HIDDEN:
            edition = (str(row.get(name)) for name in EDITION)
            key = (strip_game_number(str(row[PATH])), row["number"], str(row["length"]), *edition)
            named.setdefault(key, []).append(row)
    for files in named.values():
        files.sort(key=lambda row: str(row[PATH]))
        for before, row in pairwise(files):
            if _continues(before, row):
                yield int(row["match"]), int(before["match"])


def _find_earlier_by_score(rows: Mapping[int, Row], by_name: Numbers) -> Iterator[tuple[int, int]]:
    """Yield pairs (match, earlier match) if the match begins with the earlier one's final score.

    Matches already paired by the names of their files, in `by_name`, are left out.
    """
    taken = {*by_name.values()}
    for match, row in rows.items():
        if match in by_name or pd.isna(row["continues"]):
            continue
        before = int(row["continues"])
        if before in rows and before not in taken and _begins_later(rows[before], row):
            yield match, before


def _begins_later(earlier: Row, later: Row) -> bool:
    """Whether `later` begins with more points of both players together than `earlier`."""
    return sum(_find_points_of_players(later, "before").values()) > sum(
        _find_points_of_players(earlier, "before").values()
    )


def _continues(earlier: Row, later: Row) -> bool:
    """Whether the file `later` continues the match in the file `earlier`.

    The players must be the same, the later file must begin with more points, and no player may have
    lost points.
    """
    ended = _find_points_of_players(earlier, "after") or _find_points_of_players(earlier, "before")
    begun = _find_points_of_players(later, "before")
    fits = set(ended) == set(begun) and all(begun[name] >= ended[name] for name in ended)
    return fits and _begins_later(earlier, later)


def _find_points_of_players(row: Row, when: str) -> dict[str, int]:
    """Return each player's points at the start or end of a file, or {} if they are unknown.

    `when` is "before" or "after".
    """
    points = {str(row[side]): row[f"{side}_{when}"] for side in SIDES}
    return (
        {} if any(map(pd.isna, points.values())) else {name: int(of) for name, of in points.items()}
    )


def _keep_first_files(matches: pd.DataFrame, joining: _Joining) -> pd.DataFrame:
    """Leave out the rows of files that continue another file's match."""
    return matches[matches["match"].map(joining.whole) == matches["match"]].reset_index(drop=True)


def _sum_files(matches: pd.DataFrame, joining: _Joining) -> pd.DataFrame:
    """Return a row for each whole match: sums over its files, and the result of the last file."""
    first = matches["match"].map(joining.whole)
    summed = [name for name in _SUMMED if name in matches]
    sums = matches[summed].groupby(first.to_numpy()).sum()
    order = matches["match"].map({match: rank for rank, match in enumerate(joining.added)})
    last = matches.assign(whole=first).iloc[np.argsort(order.to_numpy(), kind="stable")]
    last = last.drop_duplicates("whole", keep="last").set_index("whole")
    whole = _keep_first_files(matches, joining)
    last = last.loc[whole["match"]].set_axis(whole.index)
    is_swapped = whole["left"].astype(object) != last["left"].astype(object)
    results = {name: _swap_sides(last[name], is_swapped) for name in _WINNERS if name in last}
    for when in _AT_END:
        for side, other in (SIDES, SIDES[::-1]):
            own, swapped = last[f"{side}_{when}"], last[f"{other}_{when}"]
            results[f"{side}_{when}"] = own.where(~is_swapped, swapped)
    totals = {name: sums[name].reindex(whole["match"]).to_numpy() for name in summed}
    typed = {name: pd.Series(values).astype(matches[name].dtype) for name, values in totals.items()}
    return whole.assign(**results, **typed)


def _swap_sides(winners: pd.Series, is_swapped: pd.Series) -> pd.Series:
    """Return winners (`left` or `right`), swapped in the rows in which `is_swapped` is True.

    >>> _swap_sides(pd.Series(["left", "right"]), pd.Series([True, False])).tolist()
    ['right', 'right']
    """
    swapped = winners.astype(object).map(dict(zip(SIDES, SIDES[::-1], strict=True)))
    kept = winners.astype(object).where(~is_swapped, swapped)
    return pd.Series(pd.Categorical(kept, categories=list(SIDES)), winners.index)
