"""Figures of both players beside each other, as the reports over many matches declare them.

A single match has no interval: what stands beside each value are the sums that it is made of.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from bganalyze.statistics.reports.checker import HITS, PLAYS, left_out, plays
from bganalyze.statistics.reports.cube import ANSWERS, DOUBLES, RACE_NOTES, RACES, answered, chances
from bganalyze.statistics.reports.dice import FIGURES, by_value, roll_counts
from bganalyze.statistics.reports.figures import Figure, Kind, estimated, whole
from bganalyze.statistics.reports.recorded import TURNS, recorded_turns
from bganalyze.statistics.tables.frames import Tables
from bganalyze.statistics.tables.schema import SIDES


class Value(NamedTuple):
    """What was counted of one player."""

    value: float
    """The figure itself."""
    counted: float
    """What was counted."""
    of: float
    """The number of cases it was counted in."""
    expected: float | None
    """The value that was to be expected; None where none was."""


class Contrast(NamedTuple):
    """A figure of both players."""

    figure: str
    """The name of the figure."""
    meaning: str
    """The figure in a sentence."""
    kind: Kind
    """How the figure is computed, as in `docs/reports.md`."""
    values: tuple[Value | None, Value | None]
    """The figure of each player; None where there was nothing to count."""


class FigureGroup(NamedTuple):
    """The figures of a section, with what there is to say about them."""

    title: str
    """The subject of the figures."""
    contrasts: tuple[Contrast, ...]
    """The figures."""
    notes: tuple[str, ...] = ()
    """Sentences on what they leave out."""


def checker(tables: Tables, both: pd.DataFrame) -> tuple[FigureGroup, ...]:
    """Return the figures of checker play.

    Here and below, the tables are those of one match by the seats of its players, and `both` is
    what `sides` of the reports says of its games.
    """
    of_plays, hits = _contrasts(plays(tables, both), PLAYS, HITS)
    notes = left_out(recorded_turns(tables, both)[list(TURNS.sums)].sum())
    return (FigureGroup("Plays", of_plays, notes), FigureGroup("Hits and shots", hits))


def cube(tables: Tables, both: pd.DataFrame) -> tuple[FigureGroup, ...]:
    """Return the figures of doubles, of their answers, and of doubles in races."""
    base = pd.concat([chances(tables, both), answered(tables, both)], ignore_index=True)
    doubles, answers, races = _contrasts(base, DOUBLES, ANSWERS, RACES)
    return (
        FigureGroup("Doubles", doubles),
        FigureGroup("Answers", answers),
        FigureGroup("Races", races, RACE_NOTES),
    )


def dice(rolls: pd.DataFrame) -> tuple[FigureGroup, ...]:
    """Return the averages of the rolls that count."""
    (averages,) = _contrasts(rolls, FIGURES)
    return (FigureGroup("Rolls", averages),)


def _contrasts(base: pd.DataFrame, *groups: Sequence[Figure]) -> Iterator[tuple[Contrast, ...]]:
    """The figures of each group in their order; those that neither player has are left out."""
    figures = [figure for group in groups for figure in group]
    values = {}
    of_seats = base.assign(player=pd.Categorical.from_codes(base["seat"], SIDES))
    for row in estimated(of_seats, figures, ["player"]).to_dict("records"):
        expected = None if pd.isna(row["expected"]) else row["expected"]
        value = Value(row["value"], whole(row["count"]), row["of"], expected)
        values[row["figure"], row["player"]] = value
    for group in groups:
        pairs = ((figure, [values.get((figure.name, side)) for side in SIDES]) for figure in group)
        yield tuple(
            Contrast(figure.name, figure.meaning, figure.kind, (left, right))
            for figure, (left, right) in pairs
            if left or right
        )


# The dice: how often each face and each roll fell, and how often was to be expected.


class RollCount(NamedTuple):
    """How often a face or a roll fell to each player, and was to be expected."""

    name: str
    """The face or the roll."""
    counts: tuple[int, int]
    """How often each player rolled it."""
    expected: tuple[float, float]
    """How often each player was to be expected to roll it."""


class Rolls(NamedTuple):
    """The rolls of a match; those that open a game are apart, for they are no doubles.

    Rolls against a closed board are left out: nothing can be played, and many are never rolled.
    """

    rolls: tuple[int, int]
    """Rolls of each player that count."""
    faces: tuple[RollCount, ...]
    """The two dice of every roll."""
    values: tuple[RollCount, ...]
    """The 21 rolls."""
    openings: tuple[int, int]
    """Opening rolls of each player."""


def rolled(rolls: pd.DataFrame) -> Rolls:
    """Return the rolls that count, by face and by value."""
    left, right = (rolls[rolls["seat"] == seat] for seat in range(len(SIDES)))
    return Rolls(
        rolls=(int(left["rolls"].sum()), int(right["rolls"].sum())),
        faces=tuple(_faces(left, right)),
        values=tuple(_values(left, right)),
        openings=(int(left["opening"].sum()), int(right["opening"].sum())),
    )


def _values(left: pd.DataFrame, right: pd.DataFrame) -> Iterator[RollCount]:
    rows = zip(*(_by_value(rolls) for rolls in (left, right)), strict=True)
    for own, other in rows:
        counts, expected = (own["rolled"], other["rolled"]), (own["expected"], other["expected"])
        yield RollCount(own["roll"], counts, expected)


def _by_value(rolls: pd.DataFrame) -> list[dict[Hashable, Any]]:
    rows: list[dict[Hashable, Any]] = by_value(roll_counts(rolls)).to_dict("records")
    return rows


def _faces(left: pd.DataFrame, right: pd.DataFrame) -> Iterator[RollCount]:
    dice = [rolls.loc[rolls["rolls"] > 0, ["high", "low"]] for rolls in (left, right)]
    for face in range(1, 7):
        counts = [int((fallen == face).sum().sum()) for fallen in dice]
        expected = (len(dice[0]) / 3, len(dice[1]) / 3)
        yield RollCount(str(face), (counts[0], counts[1]), expected)
