"""Results beside what luck leaves of them: a mark each for many groups, and the interval."""

from __future__ import annotations

from matplotlib.figure import Figure

from bganalyze.plots.intervals import MOST, names
from bganalyze.plots.style import BLUE, DARK, ORANGE, PALE, list_names, new
from bganalyze.reports.figures import COLUMNS, Section


def draw(section: Section, figure: str) -> Figure | None:
    """Draw the adjusted result, and the first figure of the section as what it was made of."""
    frame = section.frame
    if frame.empty:
        return None
    dimensions = [name for name in frame if name not in COLUMNS]
    adjusted = frame[frame["figure"] == figure].nlargest(MOST, "of").sort_index()
    results = frame[frame["figure"] == frame["figure"].iloc[0]]
    shown = adjusted.merge(results, how="left", on=[*dimensions, "of"], suffixes=("", "_result"))
    places = range(len(shown))
    made, axes = new(f"{section.title}: {figure}", len(shown))
    axes.hlines(places, shown["low"], shown["high"], color=PALE, linewidth=3)
    axes.plot(shown["value"], places, "o", color=BLUE, markersize=5, label="luck taken out")
    axes.plot(
        shown["value_result"],
        places,
        "D",
        markerfacecolor="none",
        color=ORANGE,
        markersize=6,
        label="as it was",
    )
    axes.axvline(0, color=DARK, linewidth=0.8)
    axes.set_xlabel("with the 95 % interval by match")
    axes.legend(frameon=False, loc="best")
    list_names(axes, names(shown[[*dimensions, "of"]]))
    return made
