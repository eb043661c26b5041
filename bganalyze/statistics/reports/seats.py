"""Seats: games as each of the two players sees them, and the owners of turns and doubles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.statistics.tables.schema import PLAYER, SIDES

if TYPE_CHECKING:
    from bganalyze.statistics.tables.frames import AnalyzedTables, Recorded, Tables

OF_GAMES = ("player", "opponent", "length", "year", "month", "site", "stage", "score")
"""The dimensions of a game for one side."""

_MOST_GAMES = 1 << 31
"""Limit on the games of a match, for combining match and game into one number."""


def games_by_side(tables: Tables | AnalyzedTables | Recorded) -> pd.DataFrame:
    """Return a row for each game and side, with the side's player, opponent, score and result.

    The row of the left side comes first.
    """
    games, matches = tables.games.reset_index(drop=True), tables.matches
    twice = np.repeat(np.arange(len(games)), 2)
    of_match = pd.Index(matches["match"]).get_indexer(games["match"])[twice]
    order = np.arange(2 * len(games)).reshape(2, -1).T.ravel()

    # The table is made column by column to save memory.
    def both(own: pd.Series, other: pd.Series) -> pd.Series:
        """Return a column with the values of each game as left sees it (`own`), then `other`."""
        return pd.Series(pd.concat([own, other]).array.take(order))

    shared = [name for name in games if not str(name).startswith(SIDES)]
    columns = {name: pd.Series(games[name].array.take(twice)) for name in shared}
    columns |= {
        name: pd.Series(values.array.take(of_match))
        for name, values in _list_match_dimensions(matches).items()
    }
    for name in ("score", "away"):
        left, right = games[f"left_{name}"], games[f"right_{name}"]
        columns |= {f"own_{name}": both(left, right), f"other_{name}": both(right, left)}
    left_won, right_won = games["winner"] == "left", games["winner"] == "right"
    won, lost = both(left_won, right_won), both(right_won, left_won)
    categories = games["left"].cat.categories.union(games["right"].cat.categories, sort=False)
    left, right = (games[side].cat.set_categories(categories) for side in SIDES)
    players = order_by_frequency(both(left, right))
    seat = (np.arange(len(twice)) % 2).astype(np.int8)
    columns |= {
        "side": pd.Series(pd.Categorical.from_codes(seat, SIDES)),
        "seat": pd.Series(seat),
        "player": players,
        "opponent": both(right, left).cat.set_categories(players.cat.categories),
        "site": order_by_frequency(columns["site"]),
        "score": pd.Series(_list_scores(games).array.take(order)),
        "won": won,
        "lost": lost,
        "ended": won | lost,
    }
    return pd.DataFrame(columns, copy=False)


def order_by_frequency(names: pd.Series, counts: pd.Series | None = None) -> pd.Series:
    """Return names as a category, the most frequent name first.

    `counts` has the weight of each row, by default 1.

    >>> names = pd.Series(["Cid", "Ann", "Bob", "Bob"], dtype="category")
    >>> order_by_frequency(names).cat.categories.tolist()
    ['Bob', 'Ann', 'Cid']
    """
    weights = pd.Series(1, index=names.index) if counts is None else counts
    sizes = weights.groupby(names, observed=False).sum()
    ordered = sorted(names.cat.categories, key=lambda name: (-sizes[name], str(name).casefold()))
    return names.cat.set_categories(ordered)


def _list_match_dimensions(matches: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the columns of matches that can group games: `length`, `year`, `month` and `site`."""
    date = matches["date"]
    return {
        "length": matches["length"],
        "year": date.dt.year.astype("Int16"),
        "month": date.dt.strftime("%Y-%m").astype("category"),
        "site": matches["site"],
    }


_ONE_AWAY_SUFFIXES = {"crawford": " Crawford", "post-crawford": " post-Crawford"}
"""Suffixes of scores with one point to go: the Crawford game has no cube, later games have one."""


def _list_scores(games: pd.DataFrame) -> pd.Series:
    """Return each game's score as text, first as all left sides see it, then as the right do."""
    left, right, stage = (games[name] for name in ("left_away", "right_away", "stage"))
    return _write_scores(
        pd.concat([left, right], ignore_index=True),
        pd.concat([right, left], ignore_index=True),
        pd.concat([stage, stage], ignore_index=True),
    )


def _write_scores(own: pd.Series, other: pd.Series, stage: pd.Series) -> pd.Series:
    """Return scores as text, such as `1-away 2-away Crawford`, or `none` in money play.

    `own` and `other` are the points that each side still needs.
    """
    frame = pd.DataFrame({"own": own, "other": other, "stage": stage})
    grouped = frame.groupby(list(frame), observed=True, sort=False, dropna=False).ngroup()
    scores = [tuple(row) for row in frame[~grouped.duplicated()].astype(object).to_numpy()]
    away = sorted(score for score in scores if not (pd.isna(score[0]) or pd.isna(score[1])))
    names = {
        (mine, of_opponent, at): f"{mine}-away {of_opponent}-away{_ONE_AWAY_SUFFIXES.get(at, '')}"
        for mine, of_opponent, at in away
    }
    categories = [*dict.fromkeys(names.values()), "none"]
    codes = np.array([categories.index(names.get(score, "none")) for score in scores], dtype=int)
    return pd.Series(pd.Categorical.from_codes(codes[grouped.to_numpy()], categories))


def add_acting_side(
    rows: pd.DataFrame,
    sides_of_games: pd.DataFrame,
    *,
    of_opponent: bool = False,
    columns: Sequence[str] = (),
) -> pd.DataFrame:
    """Return turns or doubles with the `seat` of the acting side, 0 for left and 1 for right.

    With `of_opponent`, the seat is that of the other side. The values of more `columns` are those
    of the seat in `sides_of_games`.
    """
    seats = rows["side"].cat.codes.to_numpy().astype(np.int64) ^ int(of_opponent)
    first = number_games(sides_of_games[::2])
    places = 2 * np.searchsorted(first, number_games(rows)) + seats
    of_games = {name: sides_of_games[name].array.take(places) for name in ("seat", *columns)}
    others = rows.drop(columns=PLAYER.name) if PLAYER.name in rows else rows
    return pd.concat([pd.DataFrame(of_games, copy=False), others.reset_index(drop=True)], axis=1)


def number_games(rows: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return for each row a number that identifies its match and game."""
    matches, games = (rows[name].to_numpy(dtype=np.int64) for name in ("match", "game"))
    return np.asarray(matches * _MOST_GAMES + games)


def compute_net_points(rows: pd.DataFrame) -> pd.Series:
    """Return the points that each row's side won, negative if it lost them."""
    # Points that the winner of the match did not need are cut.
    return rows["counting"].fillna(0).astype(float) * (rows["won"].astype(int) - rows["lost"])
