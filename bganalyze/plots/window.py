"""A figure over time, in a window that moves over the matches."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from bganalyze.plots.style import BLUE, DARK, new, shortened
from bganalyze.reports.figures import COLUMNS, Section, groups_of

MOST = 1
"""Lines with their bands cover each other: the group with most matches is drawn."""


def draw(section: Section, figure: str) -> Figure | None:
    """Draw the window of the group that has most of them; nothing if there is none."""
    rows = section.frame
    if rows.empty:
        return None
    dimensions = [name for name in rows if name not in (*COLUMNS, "date")]
    title = f"{section.title}: {figure}"
    if dimensions:
        groups = pd.Series(groups_of(rows, dimensions), index=rows.index)
        largest = groups.value_counts().idxmax()
        rows = rows[groups == largest]
        title = f"{title}, {shortened(largest)}"
    days = pd.to_datetime(rows["date"]).to_numpy()
    made, axes = new(title)
    axes.fill_between(
        days,
        rows["low"],
        rows["high"],
        color=BLUE,
        alpha=0.2,
        linewidth=0,
        label="95 % interval by match",
    )
    axes.plot(
        days,
        rows["value"],
        color=BLUE,
        linewidth=1.5,
        label=f"the last {int(rows['matches'].max())} matches",
    )
    axes.axhline(0, color=DARK, linewidth=0.8)
    axes.tick_params(axis="x", rotation=30)
    axes.set_ylabel(figure)
    axes.legend(frameon=False, loc="best")
    return made
