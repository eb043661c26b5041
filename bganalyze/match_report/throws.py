"""The dice: how often each face and each throw fell, and how often was to be expected."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from bganalyze.match_report.seats import Seated
from bganalyze.reports.dice import against_closed_board

FACES = range(1, 7)
IN_ORDER = tuple((high, low) for high in FACES for low in range(1, high + 1))


class Fallen(NamedTuple):
    """How often a face or a throw fell to each player, and was to be expected."""

    name: str
    counts: tuple[int, int]
    expected: tuple[float, float]


class Throws(NamedTuple):
    """The throws of a match; those that open a game are apart, for they are no doubles.

    Throws against a closed board are left out: nothing can be played, and many are never thrown.
    """

    throws: tuple[int, int]
    faces: tuple[Fallen, ...]
    """The two dice of every throw."""
    values: tuple[Fallen, ...]
    """The 21 throws."""
    openings: tuple[int, int]


def throws(seated: Seated) -> Throws:
    """Return the throws that count, by face and by value."""
    turns = seated.tables.turns
    pairs = zip(turns["game"], turns["side"], strict=True)
    seats = pd.Series([seated.seat(game, side) for game, side in pairs], turns.index, dtype=int)
    counted = turns[turns["counts"] & ~turns["opening"] & ~against_closed_board(turns)]
    own = [counted[seats[counted.index] == seat] for seat in (0, 1)]
    opening = turns["counts"] & turns["opening"]
    return Throws(
        throws=(len(own[0]), len(own[1])),
        faces=tuple(_face(own, face) for face in FACES),
        values=tuple(_value(own, *throw) for throw in IN_ORDER),
        openings=(int((opening & (seats == 0)).sum()), int((opening & (seats == 1)).sum())),
    )


def _face(own: list[pd.DataFrame], face: int) -> Fallen:
    fallen = [int((rows[["high", "low"]] == face).sum().sum()) for rows in own]
    return Fallen(str(face), (fallen[0], fallen[1]), (len(own[0]) / 3, len(own[1]) / 3))


def _value(own: list[pd.DataFrame], high: int, low: int) -> Fallen:
    chance = (1 if high == low else 2) / 36
    fallen = [int(((rows["high"] == high) & (rows["low"] == low)).sum()) for rows in own]
    expected = (chance * len(own[0]), chance * len(own[1]))
    return Fallen(f"{high}-{low}", (fallen[0], fallen[1]), expected)
