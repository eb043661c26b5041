"""Who sits where: the two players of a match, as they sat in its first game."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from bganalyze.tables.frames import Tables
from bganalyze.tables.schema import SIDES


class Seated(NamedTuple):
    """The tables of one match, with the players of its games named by their seats."""

    tables: Tables
    names: tuple[str, str]
    changed: frozenset[int]
    """The games in which the players sit in each other's column."""

    def seat(self, game: int, side: str) -> int:
        """Return the seat, 0 or 1, of a side of a game."""
        return SIDES.index(side) ^ (game in self.changed)


def seated(tables: Tables, number: int) -> Seated:
    """Return the tables of the match of that number in the tables of its file."""
    own = Tables(*(frame[frame["match"] == number] for frame in tables))
    match = own.matches.iloc[0]
    names = (str(match["left"]), str(match["right"]))
    changed = _changed(own.games, names)
    left = own.games["game"].isin(changed).astype(int)
    games = own.games.assign(
        left=pd.Categorical.from_codes(left, SIDES),
        right=pd.Categorical.from_codes(1 - left, SIDES),
    )
    return Seated(own._replace(games=games), names, changed)


def _changed(games: pd.DataFrame, names: tuple[str, str]) -> frozenset[int]:
    if names[0] == names[1]:
        return frozenset()
    left, right = games["left"].astype(object), games["right"].astype(object)
    return frozenset(games.loc[(left == names[1]) & (right == names[0]), "game"].tolist())
