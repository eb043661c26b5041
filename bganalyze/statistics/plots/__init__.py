"""Plots of reports, in one style, as PNG and SVG.

A report's plots are an entry of `PLOTS`: the sections and figures to draw, and the drawing
functions. matplotlib is imported when a plot is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pkgutil import resolve_name
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bganalyze.statistics.plots.group_pages import PictureLimits
    from bganalyze.statistics.reports.figures import Section


class Plot(NamedTuple):
    """A plot of one statistic in a table of a report."""

    section: str
    """The title of the table."""
    figure: str
    """The name of the statistic; empty if the whole table is drawn."""
    drawn_by: str = "draw_intervals"
    """The name of the function in `draw` that draws it."""

    @property
    def name(self) -> str:
        """The plot's file name without extension.

        >>> Plot("Doubles by lead", "doubled").name
        'doubles-by-lead-doubled'
        """
        words = f"{self.section} {self.figure}".lower()
        return "-".join("".join(c if c.isalnum() else " " for c in words).split())


PLOTS: dict[str, tuple[Plot, ...]] = {
    "points": (
        Plot("Games", "points a game"),
        Plot("Games", "games won"),
        Plot("Ledger", "", "draw_ledger"),
    ),
    "checker": (
        Plot("Plays", "dances"),
        Plot("Plays", "pips wasted a turn"),
        Plot("Hits and shots", "shots rolled"),
        Plot("Hits and shots", "hit when rolled"),
    ),
    "cube": (
        Plot("Doubles by lead", "doubled"),
        Plot("Answers by lead", "taken"),
        Plot("Points by owner", "points a game"),
    ),
    "openings": (Plot("Opening rolls", "points a game"),),
    "dice": (Plot("Rolls", "doubles"), Plot("Rolls by value", "", "draw_rolls")),
    "head-to-head": (Plot("Games", "points a game"),),
    "trend": (Plot("Moving window", "points a game", "draw_over_time"),),
    "findings": (Plot("By site", "errors"),),
    "conformance": (Plot("Findings", "errors"),),
    "errors": (
        Plot("Error rates", "gnubg (mEMG)"),
        Plot("Error rates", "PR (xg-b)"),
        Plot("By phase", "gnubg (mEMG)"),
    ),
    "cube-errors": (Plot("Costs", "all six (mEMG)", "draw_classes"),),
    "luck": (
        Plot("Rolls", "luck a roll (mEMG)"),
        Plot("Results of matches", "luck-adjusted result (% MWC a match)", "draw_luck_adjusted"),
    ),
    "ratings": (Plot("By errors", "overall (mEMG)"),),
}
"""The plots of each report that has plots."""

FORM = Plot("Form", "", "draw_over_time")
"""The plot of an overview."""


class PlotPicture(NamedTuple):
    """One picture of a plot."""

    plot: Plot
    place: int
    """Number among the pictures of the plot, from 1."""
    figure: Figure
    left_out: str
    """Note on the groups that are drawn, if there are too many; else empty."""

    @property
    def name(self) -> str:
        """The picture's file name without extension, such as `doubles-by-lead-doubled-2`."""
        return self.plot.name + f"-{self.place}" * (self.place > 1)


def draw_plots(
    name: str, sections: Iterable[Section], limits: PictureLimits | None = None
) -> Iterator[PlotPicture]:
    """Yield the pictures of all plots of the report called `name`.

    `limits` says how many pictures a plot may have. A table with fewer than two rows has no plot.
    """
    of_report = PLOTS.get(name, ())
    titles = {plot.section for plot in of_report}
    by_title = {section.title: section for section in sections if section.title in titles}
    for plot in of_report:
        if plot.section in by_title:
            yield from draw_pictures(plot, by_title[plot.section], limits)


def draw_pictures(
    plot: Plot, section: Section, limits: PictureLimits | None = None
) -> Iterator[PlotPicture]:
    """Yield the pictures of one plot, drawn from a report's table.

    `limits` has the largest number of pictures, and of rows in each.
    """
    from bganalyze.statistics.plots.defaults import default_settings
    from bganalyze.statistics.plots.draw import add_remark
    from bganalyze.statistics.plots.group_pages import IN_FILES, divide_into_pictures

    drawing: Callable[[Section, str], Figure | None] = resolve_name(
        f"bganalyze.statistics.plots.draw:{plot.drawn_by}"
    )
    place = 0
    for part, left_out in divide_into_pictures(
        plot.drawn_by, section, plot.figure, limits or IN_FILES
    ):
        with default_settings():
            figure = drawing(part, plot.figure)
            if figure is not None and left_out:
                add_remark(figure, left_out)
        if figure is None:
            continue
        place += 1
        yield PlotPicture(plot, place, figure, left_out)
