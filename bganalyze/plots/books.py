"""The ledger as bars: points won to the right, points lost to the left, by ending."""

from __future__ import annotations

from matplotlib.figure import Figure

from bganalyze.plots.style import BLUE, DARK, ORANGE, list_names, new
from bganalyze.reports.figures import Section, groups_of

MOST = 6
"""Groups that are drawn: those with most games."""

NUMBERS = ("games won", "points won", "cut", "games lost", "points lost", "net")


def draw(section: Section, _: str) -> Figure | None:
    """Draw the entries of the largest groups; nothing if there are none."""
    frame = section.frame
    if frame.empty:
        return None
    dimensions = [name for name in frame if name not in (*NUMBERS, "ending")]
    frame = frame.assign(
        group=groups_of(frame, dimensions), games=frame["games won"] + frame["games lost"]
    )
    largest = frame[frame["ending"] == "total"].nlargest(MOST, "games")["group"]
    shown = frame[frame["group"].isin(largest) & (frame["ending"] != "total")]
    places = range(len(shown))
    made, axes = new("Ledger: points by ending", len(shown))
    axes.barh(places, shown["points won"], color=BLUE, height=0.7, label="won")
    axes.barh(
        places,
        -shown["points lost"],
        color=ORANGE,
        hatch="///",
        edgecolor="white",
        linewidth=0,
        height=0.7,
        label="lost",
    )
    axes.axvline(0, color=DARK, linewidth=0.8)
    axes.set_xlabel("points that count; net at the end of the row")
    axes.legend(frameon=False, loc="best")
    edge = max(shown["points won"].max(), shown["points lost"].max(), 1)
    for place, row in zip(places, shown.to_dict("records"), strict=True):
        axes.text(row["points won"] + 0.02 * edge, place, f"{row['net']:+,}", va="center")
    list_names(axes, [f"{row['group']}: {row['ending']}" for row in shown.to_dict("records")])
    return made
