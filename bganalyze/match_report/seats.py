"""Who sits where: the tables of one match by its two players, as they sat in its first game."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from bganalyze.players import have_changed_columns
from bganalyze.tables.frames import Tables
from bganalyze.tables.schema import SIDES


class Seated(NamedTuple):
    """The tables of one match, in which `left` is always the same player.

    A side of a game, turn or double is the seat of its player, and so is the player's name.
    """

    tables: Tables
    names: tuple[str, str]
    changed: frozenset[int]
    """The games in which the players sit in each other's column of the record."""


def seated(tables: Tables, number: int) -> Seated:
    """Return the tables of the match of that number in the tables of its file."""
    of_match = Tables(*(frame[frame["match"] == number] for frame in tables))
    match = of_match.matches.iloc[0]
    names = (str(match["left"]), str(match["right"]))
    games = of_match.games
    changed = frozenset(
        game
        for game, *now in zip(games["game"], games["left"], games["right"], strict=True)
        if have_changed_columns(names, now)
    )
    by_seat = of_match._replace(
        matches=_named_by_seat(of_match.matches),
        games=_named_by_seat(_exchanged(games, changed)),
        turns=_exchanged(of_match.turns, changed),
        cubes=_exchanged(of_match.cubes, changed),
    )
    return Seated(by_seat, names, changed)


def seat(side: object) -> int | None:
    """Return the seat, 0 or 1, of a side as tables name it; None where there is none."""
    return None if pd.isna(side) else SIDES.index(str(side))


def cells(row: Mapping[Hashable, Any], fields: Collection[str]) -> dict[str, Any]:
    """Return those cells of a row that are among the fields of a structure, None where empty."""
    return {name: None if pd.isna(row[name]) else row[name] for name in fields if name in row}


def _named_by_seat(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(**{side: pd.Categorical([side] * len(frame), SIDES) for side in SIDES})


def _exchanged(frame: pd.DataFrame, changed: Collection[int]) -> pd.DataFrame:
    """The rows with left and right exchanged in some games: in values, and between columns."""
    rows = frame["game"].isin(changed)
    if not rows.any():
        return frame
    exchanged = frame.copy()
    for name, values in frame.items():
        if tuple(getattr(values.dtype, "categories", ())) == SIDES:
            codes = values.cat.codes
            codes = codes.where(~rows | (codes < 0), 1 - codes)
            exchanged[name] = pd.Categorical.from_codes(codes, SIDES)
    for name in ("score", "away"):
        columns = [f"{side}_{name}" for side in SIDES]
        if set(columns) <= set(frame):
            exchanged.loc[rows, columns] = frame.loc[rows, columns[::-1]].to_numpy()
    return exchanged
