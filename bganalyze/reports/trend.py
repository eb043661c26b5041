"""Trend: results over time, month by month and in a window that moves over the matches."""

from __future__ import annotations

import pandas as pd

from bganalyze.reports.figures import Figure, Section, count_note, estimated, even, rows_for
from bganalyze.reports.points import GAMES, accounts
from bganalyze.reports.question import Question
from bganalyze.statistics import ratios
from bganalyze.tables.frames import Tables

GROUPS: frozenset[str] = frozenset()

FIGURES = GAMES[:3]
MOVING = GAMES[2]
WINDOW = 30
"""How many matches the moving window holds."""

SECTIONS: dict[str, tuple[Figure, ...]] = {"By month": FIGURES, "Moving window": (MOVING,)}
"""The figures of each section."""


def report(tables: Tables, question: Question) -> list[Section]:
    """Return the results by month, and of every window of so many matches in the order of days."""
    dates = tables.matches.set_index("match")["date"]
    base = accounts(tables)
    dated = base.assign(date=dates.loc[base["match"]].to_numpy())
    rows = rows_for(dated[dated["date"].notna()], question)
    undated = int(dates.isna().sum())
    by = [name for name in question.by if name in rows and name not in ("month", "year")]
    months = estimated(rows, FIGURES, [*by, "month"])
    left = count_note(undated, "match", "without a date left out")
    return [
        Section("By month", months, (*even(months), *left)),
        Section(
            "Moving window",
            moving(rows, by),
            (f"each value is of {WINDOW} matches; neighbours share most of them",),
        ),
    ]


def moving(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the points a game of every window of `WINDOW` matches, under its last day."""
    keys = [*by, "date", "match"]
    units = (
        rows.groupby(keys, observed=True, dropna=False)[[MOVING.above, MOVING.below]]
        .sum()
        .reset_index()
    )
    units = units[units[MOVING.below] > 0]
    place = (
        units.groupby(by, observed=True, dropna=False).cumcount()
        if by
        else pd.Series(range(len(units)), index=units.index)
    )
    units = units.assign(place=place)
    windows = [units.assign(window=units["place"] + offset) for offset in range(WINDOW)]
    whole = pd.concat(windows, ignore_index=True)
    estimates = ratios(whole, [*by, "window"], MOVING.above, MOVING.below)
    full = estimates[estimates["matches"] == WINDOW].reset_index()
    days = units.rename(columns={"place": "window"})[[*by, "window", "date"]]
    values = full.merge(days, on=[*by, "window"], how="left").sort_values(
        [*by, "window"], kind="stable"
    )
    values = values.assign(figure=MOVING.name, kind=MOVING.kind, expected=float("nan"))
    values = values.assign(date=values["date"].dt.strftime("%Y-%m-%d"))
    return values[
        [
            *by,
            "date",
            "figure",
            "kind",
            "value",
            "low",
            "high",
            "count",
            "of",
            "matches",
            "expected",
        ]
    ].reset_index(drop=True)
