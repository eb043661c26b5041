"""Costs by class, end to end: a bar for each group, as long as all of them together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure

from bganalyze.plots.intervals import MOST, names
from bganalyze.plots.style import list_names, new
from bganalyze.reports.figures import COLUMNS, Section

COLOURS = ("#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#cc79a7")
"""Okabe and Ito; with the hatches they can be told apart without colour."""

HATCHES = ("", "///", "", "\\\\\\", "...", "xxx")


def draw(section: Section, total: str) -> Figure | None:
    """Draw the figures of the largest groups but for `total`, their sum; nothing if that is 0."""
    frame = section.frame
    sums = frame[frame["figure"] == total]
    if not sums["value"].sum():
        return None
    dimensions = [name for name in frame if name not in COLUMNS]
    groups = sums.nlargest(MOST, "of").sort_index()[[*dimensions, "of"]]
    made, axes = new(f"{section.title}, end to end", len(groups) + 3)
    ends = np.zeros(len(groups))
    figures = [name for name in frame["figure"].unique() if name != total]
    for figure, colour, hatch in zip(figures, COLOURS, HATCHES, strict=True):
        values = _of(frame, figure, dimensions, groups)
        axes.barh(
            range(len(groups)),
            values,
            left=ends,
            height=0.7,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            linewidth=0,
            label=figure,
        )
        ends += values
    axes.set_xlabel(total)
    list_names(axes, names(groups))
    made.legend(frameon=False, loc="outside lower center", ncols=2, fontsize=8)
    return made


def _of(
    frame: pd.DataFrame, figure: str, dimensions: list[str], groups: pd.DataFrame
) -> npt.NDArray[np.float64]:
    """The values of a figure in the order of the groups, 0 where there is none."""
    values = frame[frame["figure"] == figure]
    if dimensions:
        values = groups.merge(values, how="left", on=dimensions)
    return np.asarray(values["value"].fillna(0.0), dtype=float)
