"""How often each throw fell, against what fair dice give."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from bganalyze.plots.style import BLUE, DARK, PALE, new
from bganalyze.reports.figures import Section


def draw(section: Section, _: str) -> Figure | None:
    """Draw thrown over expected for the 21 throws, with the band that fair dice keep to."""
    frame = section.frame
    if not frame["thrown"].sum():
        return None
    expected = frame["expected"].to_numpy()
    total = expected.sum()
    reach = 200 * np.sqrt(expected * (1 - expected / total)) / expected
    places = np.arange(len(frame))
    made, axes = new(f"Throws by value, of {total:,.0f}")
    axes.bar(
        places,
        2 * reach,
        bottom=100 - reach,
        width=0.8,
        color=PALE,
        label="fair dice: 19 of 20 throws lie here",
    )
    axes.plot(
        places, 100 * frame["thrown"] / expected, "o", color=BLUE, markersize=5, label="thrown"
    )
    axes.axhline(100, color=DARK, linewidth=0.8)
    axes.set_xticks(places, frame["throw"], rotation=90)
    axes.set_ylabel("per cent of what is expected")
    axes.legend(frameon=False, loc="upper left", ncols=2)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.05 * (high - low), high + 0.15 * (high - low))
    return made
