"""A figure of many groups: a dot each, with its interval and what was to be expected."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from bganalyze.plots.style import BLUE, DARK, ORANGE, PALE, list_names, new
from bganalyze.reports.figures import COLUMNS, SHARES, Section, groups_of

MOST = 30
"""Groups that are drawn: those of which most was counted."""


def draw(section: Section, figure: str) -> Figure | None:
    """Draw one figure of a section; nothing if nothing was counted."""
    rows = section.frame[section.frame["figure"] == figure]
    if rows.empty:
        return None
    largest = rows["of"].astype(float).nlargest(MOST).index
    shown = rows.loc[rows.index.isin(largest)]
    made, axes = new(f"{section.title}: {figure}", len(shown))
    unit = 100 if shown["kind"].isin(SHARES).all() else 1
    places = range(len(shown))
    axes.hlines(places, unit * shown["low"], unit * shown["high"], color=PALE, linewidth=3)
    axes.plot(unit * shown["value"], places, "o", color=BLUE, markersize=5, label="counted")
    if shown["expected"].notna().any():
        axes.plot(
            unit * shown["expected"],
            places,
            "D",
            markerfacecolor="none",
            color=ORANGE,
            markersize=6,
            label="expected",
        )
        axes.legend(frameon=False, loc="best")
    if (shown["value"] < 0).any():
        axes.axvline(0, color=DARK, linewidth=0.8)
    axes.set_xlabel(_label(rows, shown, unit))
    list_names(axes, names(shown))
    return made


def _label(rows: pd.DataFrame, shown: pd.DataFrame, unit: int) -> str:
    words = "with the 95 % interval, where there is one"
    if unit != 1:
        words = f"per cent, {words}"
    elif shown["kind"].eq("per thousand").all():
        words = f"per 1,000, {words}"
    return (
        words
        if len(rows) == len(shown)
        else f"{words}; the {len(shown)} largest of {len(rows):,} groups"
    )


def names(rows: pd.DataFrame) -> list[str]:
    """Return what groups are called, with how much was counted of each."""
    dimensions = [name for name in rows if name not in COLUMNS]
    groups = groups_of(rows, dimensions)
    return [f"{group} ({count:,.0f})" for group, count in zip(groups, rows["of"], strict=True)]
