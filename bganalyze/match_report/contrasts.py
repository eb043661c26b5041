"""Figures of both players beside each other, as the reports over many matches declare them.

A single match has no interval: what is said of each player are the sums that a figure is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from bganalyze.reports.bases import sides
from bganalyze.reports.checker import HITS, PLAYS, left_out, plays
from bganalyze.reports.cube import ANSWERS, DOUBLES, RACES, answered, chances
from bganalyze.reports.dice import FIGURES, throws
from bganalyze.reports.figures import Figure, Kind
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


class Group(NamedTuple):
    """The figures of a section, with what there is to say about them."""

    title: str
    contrasts: tuple[Contrast, ...]
    notes: tuple[str, ...] = ()


def checker(tables: Tables) -> tuple[Group, ...]:
    """Return the figures of checker play.

    Here and below, the players of the games must be named by their seats.
    """
    base = plays(tables)
    return (
        Group("Plays", _contrasts(base, PLAYS), left_out(tables.turns)),
        Group("Hits and shots", _contrasts(base, HITS)),
    )


def cube(tables: Tables) -> tuple[Group, ...]:
    """Return the figures of doubles, of their answers, and of doubles in races."""
    both = sides(tables)
    doubles, answers = chances(tables, both), answered(tables, both)
    races = pd.concat([doubles, answers], ignore_index=True)
    return (
        Group("Doubles", _contrasts(doubles, DOUBLES)),
        Group("Answers", _contrasts(answers, ANSWERS)),
        Group(
            "Races",
            _contrasts(races, RACES),
            ("the formulas leave the score of the match out of account",),
        ),
    )


def dice(tables: Tables) -> tuple[Group, ...]:
    """Return the averages of the throws."""
    return (Group("Throws", _contrasts(throws(tables), FIGURES)),)


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
        left, right = (_value(sums.loc[side], figure) for side in SIDES)
        if left or right:
            yield Contrast(figure.name, figure.meaning, figure.kind, (left, right))


def _value(sums: pd.Series, figure: Figure) -> Value | None:
    counted, of = float(sums[figure.above]), float(sums[figure.below or figure.above])
    if not of:
        return None
    value = counted / of if figure.below else counted
    expected = float(sums[figure.expected]) / of if figure.expected else None
    return Value(value, counted, of, expected)
