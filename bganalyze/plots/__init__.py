"""Plots of what reports say, in one style, as PNG and SVG.

A report's plots are a line in `PLOTS`: the sections and figures that are drawn, and how. matplotlib
is imported when one is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bganalyze.reports.figures import Section


class Plot(NamedTuple):
    """One plot: which figure of which section, drawn by which module."""

    section: str
    figure: str
    drawn_by: str = "intervals"

    @property
    def name(self) -> str:
        """The name of its file.

        >>> Plot("Doubles by lead", "doubled").name
        'doubles-by-lead-doubled'
        """
        words = f"{self.section} {self.figure}".lower()
        return "-".join("".join(c if c.isalnum() else " " for c in words).split())


PLOTS: dict[str, tuple[Plot, ...]] = {
    "points": (
        Plot("Games", "points a game"),
        Plot("Games", "games won"),
        Plot("Ledger", "", "books"),
    ),
    "checker": (
        Plot("Plays", "dances"),
        Plot("Plays", "pips wasted a turn"),
        Plot("Hits and shots", "shots thrown"),
        Plot("Hits and shots", "hit when thrown"),
    ),
    "cube": (
        Plot("Doubles by lead", "doubled"),
        Plot("Answers by lead", "taken"),
        Plot("Points by owner", "points a game"),
    ),
    "openings": (Plot("Opening throws", "points a game"),),
    "dice": (Plot("Throws", "doubles"), Plot("Throws by value", "", "throws")),
    "head-to-head": (Plot("Games", "points a game"),),
    "trend": (Plot("Moving window", "points a game", "window"),),
    "findings": (Plot("By site", "errors"),),
    "errors": (
        Plot("Error rates", "gnubg (mEMG)"),
        Plot("Error rates", "xg-a (PR)"),
        Plot("By phase", "gnubg (mEMG)"),
    ),
    "cube-errors": (Plot("Costs", "all six (mEMG)", "classes"),),
    "luck": (
        Plot("Throws", "luck a throw (mEMG)"),
        Plot("Results of matches", "luck-adjusted result (% MWC a match)", "adjusted"),
    ),
    "worst": (),
    "ratings": (Plot("By errors", "overall (mEMG)"),),
}
"""The plots of each report."""


def plots(name: str, sections: list[Section]) -> Iterator[tuple[str, Figure]]:
    """Yield the plots of a report under the names of their files; none of what has no rows."""
    by_title = {section.title: section for section in sections}
    for plot in PLOTS[name]:
        draw: Callable[[Section, str], Figure | None] = import_module(
            f"bganalyze.plots.{plot.drawn_by}"
        ).draw
        drawn = draw(by_title[plot.section], plot.figure)
        if drawn is not None:
            yield f"{name}-{plot.name}", drawn
