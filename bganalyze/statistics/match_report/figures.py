"""Figures of both players side by side, by the definitions of the reports over many matches.

A single match has no interval, so each value is given with the two sums it is made of.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from bganalyze.statistics.estimates import p_value_of_too_many
from bganalyze.statistics.reports.checker import (
    HITS,
    PLAYS,
    list_plays_of_both_sides,
    note_left_out_rolls,
)
from bganalyze.statistics.reports.cube import (
    ANSWERS,
    DOUBLES,
    RACE_NOTES,
    RACES,
    list_chances_to_double,
    select_answered_doubles,
)
from bganalyze.statistics.reports.dice import CERTAIN, FIGURES, count_by_value
from bganalyze.statistics.reports.figures import Figure, Kind, as_int_if_whole, estimate_figures
from bganalyze.statistics.reports.recorded_rolls import TURNS, select_recorded_turns
from bganalyze.statistics.reports.rolls_by_value import count_rolls_in
from bganalyze.statistics.tables.frames import Tables
from bganalyze.statistics.tables.schema import SIDES


class Value(NamedTuple):
    """A figure of one player."""

    value: float
    """The value of the figure."""
    counted: float
    """The number counted (the numerator)."""
    of: float
    """The number of cases (the denominator)."""
    expected: float | None
    """The expected value, or None without one."""


class FigurePair(NamedTuple):
    """A figure of both players."""

    figure: str
    """The name of the figure."""
    meaning: str
    """The figure in a sentence."""
    kind: Kind
    """The kind of computation, as in `docs/reports.md`."""
    values: tuple[Value | None, Value | None]
    """The figure of each player; None without any case."""


class FigureGroup(NamedTuple):
    """The figures of a section, with remarks."""

    title: str
    """The subject of the figures."""
    contrasts: tuple[FigurePair, ...]
    """The figures."""
    notes: tuple[str, ...] = ()
    """Sentences on cases that the figures leave out."""


def compute_checker_figures(
    tables: Tables, sides_of_games: pd.DataFrame
) -> tuple[FigureGroup, ...]:
    """Return both players' statistics on plays, hits and shots in one match.

    In `tables`, a player must have the same side in all games.
    """
    of_plays, hits = _compare_players(list_plays_of_both_sides(tables, sides_of_games), PLAYS, HITS)
    notes = note_left_out_rolls(
        select_recorded_turns(tables, sides_of_games)[list(TURNS.sums)].sum()
    )
    return (FigureGroup("Plays", of_plays, notes), FigureGroup("Hits and shots", hits))


def compute_cube_figures(tables: Tables, sides_of_games: pd.DataFrame) -> tuple[FigureGroup, ...]:
    """Return both players' statistics on doubles and answers in one match.

    In `tables`, a player must have the same side in all games.
    """
    base = pd.concat(
        [
            list_chances_to_double(tables, sides_of_games),
            select_answered_doubles(tables, sides_of_games),
        ],
        ignore_index=True,
    )
    doubles, answers, races = _compare_players(base, DOUBLES, ANSWERS, RACES)
    return (
        FigureGroup("Doubles", doubles),
        FigureGroup("Answers", answers),
        FigureGroup("Races", races, RACE_NOTES),
    )


def compute_dice_figures(rolls: pd.DataFrame) -> tuple[FigureGroup, ...]:
    """Return both players' averages over their rolls, such as pips and doubles (like 3-3).

    `rolls` is a table from `tabulate_counted_rolls`.
    """
    (averages,) = _compare_players(rolls, FIGURES)
    notes = (INVENTED_DANCES,) if _has_invented_dances(rolls) else ()
    return (FigureGroup("Rolls", averages, notes),)


INVENTED_DANCES = (
    "far more dances are 6-6 than dice give: whoever recorded them filled in a roll, which says"
    " nothing about the dice"
)
"""Note on a match in which 6-6 was written for dances."""


def _has_invented_dances(rolls: pd.DataFrame) -> bool:
    """Whether so many dances are 6-6 that the transcriber must have invented them."""
    # A dance is a roll with which no checker enters.
    chances = rolls["chance_66"].dropna().to_numpy()
    # An exact one-sided test: fair dice would hardly ever give as many.
    return float(p_value_of_too_many([rolls["dances_66"].sum()], chances[None])[0]) < CERTAIN


def _compare_players(
    rows: pd.DataFrame, *groups: Sequence[Figure]
) -> Iterator[tuple[FigurePair, ...]]:
    """Yield for each of the `groups` of statistics the values of both players in `rows`.

    Statistics without a value are left out.
    """
    figures = [figure for group in groups for figure in group]
    values = {}
    of_seats = rows.assign(player=pd.Categorical.from_codes(rows["seat"], SIDES))
    for row in estimate_figures(of_seats, figures, ["player"]).to_dict("records"):
        expected = None if pd.isna(row["expected"]) else row["expected"]
        value = Value(row["value"], as_int_if_whole(row["count"]), row["of"], expected)
        values[row["figure"], row["player"]] = value
    for group in groups:
        pairs = ((figure, [values.get((figure.name, side)) for side in SIDES]) for figure in group)
        yield tuple(
            FigurePair(figure.name, figure.meaning, figure.kind, (left, right))
            for figure, (left, right) in pairs
            if left or right
        )


# The dice: actual and expected frequency of each face and each roll.


class RollCount(NamedTuple):
    """Actual and expected number of a face or roll for each player."""

    name: str
    """The face or the roll."""
    counts: tuple[int, int]
    """The number of times each player rolled it."""
    expected: tuple[float, float]
    """The number of times each player was expected to roll it."""


class Rolls(NamedTuple):
    """The rolls of a match, with opening rolls apart, because these are never doubles.

    Rolls against a closed board are left out: they cannot be played, and many are not rolled at
    all.
    """

    rolls: tuple[int, int]
    """Rolls of each player that count."""
    faces: tuple[RollCount, ...]
    """Counts of the six faces, over both dice of every roll."""
    values: tuple[RollCount, ...]
    """Counts of the 21 rolls."""
    openings: tuple[int, int]
    """Opening rolls of each player."""


def count_rolls_and_faces(rolls: pd.DataFrame) -> Rolls:
    """Count how often each player rolled each roll and each face of a die, with expected counts.

    `rolls` is a table from `tabulate_counted_rolls`.
    """
    left, right = (rolls[rolls["seat"] == seat] for seat in range(len(SIDES)))
    return Rolls(
        rolls=(int(left["rolls"].sum()), int(right["rolls"].sum())),
        faces=tuple(_count_faces(left, right)),
        values=tuple(_count_rolls(left, right)),
        openings=(int(left["opening"].sum()), int(right["opening"].sum())),
    )


def _count_rolls(left: pd.DataFrame, right: pd.DataFrame) -> Iterator[RollCount]:
    """Yield how often each player rolled each roll, with the expected counts.

    `left` and `right` are the players' rolls.
    """
    rows = zip(*(_count_by_roll(rolls) for rolls in (left, right)), strict=True)
    for own, other in rows:
        counts, expected = (own["rolled"], other["rolled"]), (own["expected"], other["expected"])
        yield RollCount(own["roll"], counts, expected)


def _count_by_roll(rolls: pd.DataFrame) -> list[dict[Hashable, Any]]:
    """Return for each of the 21 rolls how often it was rolled and how often it was expected."""
    rows: list[dict[Hashable, Any]] = count_by_value(count_rolls_in(rolls)).to_dict("records")
    return rows


def _count_faces(left: pd.DataFrame, right: pd.DataFrame) -> Iterator[RollCount]:
    """Yield how often each player rolled each face of a die, with the expected counts.

    `left` and `right` are the players' rolls.
    """
    dice = [rolls.loc[rolls["rolls"] > 0, ["high", "low"]] for rolls in (left, right)]
    for face in range(1, 7):
        counts = [int((fallen == face).sum().sum()) for fallen in dice]
        expected = (len(dice[0]) / 3, len(dice[1]) / 3)
        yield RollCount(str(face), (counts[0], counts[1]), expected)
