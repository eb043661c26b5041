"""Figures of both players beside each other, as the reports over many matches declare them.

A single match has no interval: what is said of each player are the sums that a figure is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from bganalyze.match_report.seats import Seated
from bganalyze.reports.checker import HITS, PLAYS, left_out, plays
from bganalyze.reports.cube import ANSWERS, DOUBLES, RACES, answered, chances
from bganalyze.reports.dice import FIGURES, against_closed_board, counted_throws
from bganalyze.reports.figures import Figure, Kind, sides
from bganalyze.tables.frames import Tables
from bganalyze.tables.schema import SIDES


class Value(NamedTuple):
    """What was counted of one player."""

    value: float
    counted: float
    of: float
    expected: float | None


class Contrast(NamedTuple):
    """A figure of both players; None where there was nothing to count it of."""

    figure: str
    meaning: str
    kind: Kind
    values: tuple[Value | None, Value | None]


class FigureGroup(NamedTuple):
    """The figures of a section, with what there is to say about them."""

    title: str
    contrasts: tuple[Contrast, ...]
    notes: tuple[str, ...] = ()


def checker(tables: Tables) -> tuple[FigureGroup, ...]:
    """Return the figures of checker play.

    Here and below, the players of the games must be named by their seats.
    """
    base = plays(tables)
    return (
        FigureGroup("Plays", _contrasts(base, PLAYS), left_out(tables.turns)),
        FigureGroup("Hits and shots", _contrasts(base, HITS)),
    )


def cube(tables: Tables) -> tuple[FigureGroup, ...]:
    """Return the figures of doubles, of their answers, and of doubles in races."""
    both = sides(tables)
    doubles, answers = chances(tables, both), answered(tables, both)
    races = pd.concat([doubles, answers], ignore_index=True)
    return (
        FigureGroup("Doubles", _contrasts(doubles, DOUBLES)),
        FigureGroup("Answers", _contrasts(answers, ANSWERS)),
        FigureGroup(
            "Races",
            _contrasts(races, RACES),
            ("the formulas leave the score of the match out of account",),
        ),
    )


def dice(tables: Tables) -> tuple[FigureGroup, ...]:
    """Return the averages of the throws."""
    return (FigureGroup("Throws", _contrasts(counted_throws(tables), FIGURES)),)


def _contrasts(base: pd.DataFrame, figures: Sequence[Figure]) -> tuple[Contrast, ...]:
    """The figures in their order; those that neither player has are left out."""
    return tuple(_compared(_sums(base, figures), figures))


def _sums(base: pd.DataFrame, figures: Sequence[Figure]) -> pd.DataFrame:
    """The sums of all columns that figures are made of, a row for each player."""
    named = {name for each in figures for name in (each.above, each.below, each.expected) if name}
    columns = [base[name].astype(float) for name in sorted(named)]
    frame = pd.concat(columns, axis=1)
    summed = frame.groupby(base["player"].astype(object)).sum()
    return summed.reindex(list(SIDES), fill_value=0.0)


def _compared(sums: pd.DataFrame, figures: Sequence[Figure]) -> Iterator[Contrast]:
    for figure in figures:
        left, right = (_value_of(sums.loc[side], figure) for side in SIDES)
        if left or right:
            yield Contrast(figure.name, figure.meaning, figure.kind, (left, right))


def _value_of(sums: pd.Series, figure: Figure) -> Value | None:
    counted, of = float(sums[figure.above]), float(sums[figure.below or figure.above])
    if not of:
        return None
    value = counted / of if figure.below else counted
    expected = float(sums[figure.expected]) / of if figure.expected else None
    return Value(value, counted, of, expected)


# The dice: how often each face and each throw fell, and how often was to be expected.

FACES = range(1, 7)
IN_ORDER = tuple((high, low) for high in FACES for low in range(1, high + 1))


class RollCount(NamedTuple):
    """How often a face or a throw fell to each player, and was to be expected."""

    name: str
    counts: tuple[int, int]
    expected: tuple[float, float]


class Throws(NamedTuple):
    """The throws of a match; those that open a game are apart, for they are no doubles.

    Throws against a closed board are left out: nothing can be played, and many are never thrown.
    """

    throws: tuple[int, int]
    faces: tuple[RollCount, ...]
    """The two dice of every throw."""
    values: tuple[RollCount, ...]
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
        values=tuple(_roll_count(own, *throw) for throw in IN_ORDER),
        openings=(int((opening & (seats == 0)).sum()), int((opening & (seats == 1)).sum())),
    )


def _face(own: list[pd.DataFrame], face: int) -> RollCount:
    fallen = [int((rows[["high", "low"]] == face).sum().sum()) for rows in own]
    return RollCount(str(face), (fallen[0], fallen[1]), (len(own[0]) / 3, len(own[1]) / 3))


def _roll_count(own: list[pd.DataFrame], high: int, low: int) -> RollCount:
    chance = (1 if high == low else 2) / 36
    fallen = [int(((rows["high"] == high) & (rows["low"] == low)).sum()) for rows in own]
    expected = (chance * len(own[0]), chance * len(own[1]))
    return RollCount(f"{high}-{low}", (fallen[0], fallen[1]), expected)
