"""What reports count: games, throws and doubles as one of the two players sees them.

A base is a frame with a row for each thing and side. It has the `match`, the dimensions of a
question, and columns to be summed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from bganalyze.tables.schema import SIDES

if TYPE_CHECKING:
    from bganalyze.tables.frames import Tables
    from bganalyze.tables.judged_frames import JudgedTables

OF_GAMES = ("player", "opponent", "length", "year", "month", "site", "score")
"""The dimensions that a game has for a side."""

_MOST_GAMES = 1 << 31
"""A match has fewer: what makes one number of match and game."""


def sides(tables: Tables | JudgedTables) -> pd.DataFrame:
    """Return two rows for each game, one for each side, the left one first."""
    games = tables.games.reset_index(drop=True)
    of_match = _of_matches(tables.matches).loc[games["match"]].reset_index(drop=True)
    both = [_side(games, of_match, own, other) for own, other in (SIDES, SIDES[::-1])]
    whole = pd.concat(both).sort_index(kind="stable").reset_index(drop=True)
    return whole.assign(side=pd.Categorical.from_codes(np.arange(len(whole)) % 2, SIDES))


def _of_matches(matches: pd.DataFrame) -> pd.DataFrame:
    date = matches["date"]
    return pd.DataFrame(
        {
            "length": matches["length"].to_numpy(),
            "year": date.dt.year.astype("Int16").to_numpy(),
            "month": date.dt.strftime("%Y-%m").astype("category").to_numpy(),
            "site": matches["site"].to_numpy(),
        },
        index=matches["match"],
    )


def _side(games: pd.DataFrame, of_match: pd.DataFrame, own: str, other: str) -> pd.DataFrame:
    players = _players(games)
    shared = games[[name for name in games if not str(name).startswith(SIDES)]]
    return pd.concat([shared, of_match], axis=1).assign(
        player=games[own].cat.set_categories(players),
        opponent=games[other].cat.set_categories(players),
        own_score=games[f"{own}_score"],
        other_score=games[f"{other}_score"],
        own_away=games[f"{own}_away"],
        other_away=games[f"{other}_away"],
        score=_score(games[f"{own}_away"], games[f"{other}_away"]),
        won=games["winner"] == own,
        lost=games["winner"] == other,
    )


def _players(games: pd.DataFrame) -> pd.Index:
    return games["left"].cat.categories.union(games["right"].cat.categories, sort=False)


def _score(own: pd.Series, other: pd.Series) -> pd.Series:
    """The score as points still needed: `3-away 5-away`; `none` in money play."""
    pairs = pd.DataFrame({"own": own, "other": other}).drop_duplicates().dropna()
    names = {
        (mine, theirs): f"{mine}-away {theirs}-away"
        for mine, theirs in sorted(map(tuple, pairs.to_numpy().tolist()))
    }
    found = [names.get(pair, "none") for pair in zip(own, other, strict=True)]
    return pd.Series(pd.Categorical(found, categories=[*names.values(), "none"]))


def acting(
    rows: pd.DataFrame,
    both: pd.DataFrame,
    *,
    theirs: bool = False,
    columns: Sequence[str] = (),
) -> pd.DataFrame:
    """Return turns or doubles with what `sides` says of their games for the side that acts.

    `theirs`: for its opponent; `columns`: of games, besides the dimensions.
    """
    keys = both["match"].to_numpy(dtype=np.int64)[::2] * _MOST_GAMES + both["game"].to_numpy()[::2]
    wanted = rows["match"].to_numpy(dtype=np.int64) * _MOST_GAMES + rows["game"].to_numpy()
    side = rows["side"].cat.codes.to_numpy().astype(np.int64) ^ int(theirs)
    found = 2 * np.searchsorted(keys, wanted) + side
    dimensions = both[[*OF_GAMES, *columns]].take(found).reset_index(drop=True)
    return pd.concat([dimensions, rows.reset_index(drop=True)], axis=1)
