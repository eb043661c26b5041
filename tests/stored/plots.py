"""What the plots of every report show: axes, points, bars, curves and words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.statistics.plots import FORM, PLOTS, PlotPicture, draw_plots
from bganalyze.statistics.plots.draw import draw_over_time
from bganalyze.statistics.plots.group_pages import PictureLimits
from bganalyze.statistics.reports import ANALYZED_REPORTS, REPORTS, list_summed_tables
from bganalyze.statistics.reports.answer import answer_from_analyses, answer_from_sums
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.sums import sum_in_memory
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.statistics.reports.analyzed import analyze_samples
from tests.stored.findings import SAMPLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RECORDS = ("redoubles.txt", "eleven-point.mat", "gnubg.mat", "three-point.mat")
ANALYZED = ("short-match.mat", "redoubles.mat", "galaxy.txt")
SMALL = PictureLimits(pictures=2, rows=4)
MOST_POINTS = 12
COURSES = {
    "months of one player": ("month", ("2024-03", "2024-01", "2024-02"), "share", ("Ann",)),
    "many dates of one player": (
        "date",
        tuple(f"2024-01-{day:02}" for day in range(1, 32))
        + tuple(f"2024-02-{day:02}" for day in range(1, 7)),
        "mean",
        ("Ann",),
    ),
    "dates of one player": ("date", ("2024-01-05", "2024-02-01"), "mean", ("Ann",)),
    "years of four players": ("year", (2023, 2024), "mean", ("Ann", "Bob", "Cleo", "Dario")),
}
"""The times of a figure, its kind, and the players whose values are drawn over time."""


def describe_plots() -> str:
    """Return the plots of some samples in words and numbers, as they are drawn."""
    pictures = (*_draw_all(), *_draw_courses())
    return "\n".join(line for picture, by in pictures for line in _describe(picture, by))


def _draw_all() -> Iterator[tuple[PlotPicture, str]]:
    sums = sum_in_memory(
        tabulate_files([SAMPLES / "clean" / name for name in RECORDS]), list_summed_tables()
    )
    analyzed = tabulate_analyzed(analyze_samples(ANALYZED))
    for by in ("player", "site"):
        of_records, of_analyses = (
            sorted(PLOTS.keys() & set(names)) for names in (REPORTS, ANALYZED_REPORTS)
        )
        question = Question(by=(by,))
        for answer in (
            answer_from_sums(sums, of_records, question),
            answer_from_analyses(analyzed, of_analyses, question),
        ):
            for name in answer.reports:
                yield from ((one, by) for one in draw_plots(name, answer.reports[name], SMALL))


def _draw_courses() -> Iterator[tuple[PlotPicture, str]]:
    """Yield pictures of figures over time, whose values are made up."""
    for name, (time, moments, kind, players) in COURSES.items():
        rows = [
            {"player": player, time: moment, "figure": "won", "kind": kind, "value": value,
             "low": value - 0.25, "high": value + 0.25, "count": 1, "of": 10 * at + 1,
             "matches": at + row + 1, "expected": None}
            for at, player in enumerate(players)
            for row, moment in enumerate(moments)
            for value in [(0.5 - at) / (row + 1)]
        ]  # fmt: skip
        figure = draw_over_time(Section("Course", pd.DataFrame(rows)), "won")
        assert figure is not None
        yield PlotPicture(FORM, 1, figure, ""), name


def _describe(picture: PlotPicture, by: str) -> Iterator[str]:
    figure = picture.figure
    yield f"== {picture.name} by {by}: {figure.get_label()}"
    if picture.left_out:
        yield f"left out: {picture.left_out}"
    yield from (f"text: {_shorten(text.get_text())}" for text in figure.texts)
    yield from (f"legend: {_labels(legend.get_texts())}" for legend in figure.legends)
    for axes in figure.axes:
        yield from _describe_axes(axes)


def _describe_axes(axes: Axes) -> Iterator[str]:
    yield f"-- {axes.get_title()} | {axes.get_xlabel()} | {axes.get_ylabel()}"
    yield f"from {_numbers((*axes.get_xlim(), *axes.get_ylim()))}"
    if isinstance(axes.yaxis.get_major_locator(), FixedLocator):
        yield f"rows: {_labels(axes.get_yticklabels())}"
    for artist in (*axes.lines, *axes.patches, *axes.collections, *axes.texts):
        yield from _describe_artist(artist)
    if legend := axes.get_legend():
        yield f"legend: {_labels(legend.get_texts())}"


def _describe_artist(artist: Any) -> Iterator[str]:
    kind = type(artist).__name__
    if hasattr(artist, "get_xydata"):
        yield f"{kind} {artist.get_color()} {artist.get_marker()} {artist.get_linestyle()}: {_numbers(artist.get_xydata())}"
    elif hasattr(artist, "get_bbox"):
        yield f"{kind}: {_numbers(artist.get_bbox().get_points())}"
    elif hasattr(artist, "get_segments"):
        yield f"{kind}: {_numbers([one for segment in artist.get_segments() for one in np.ravel(segment)])}"
    elif hasattr(artist, "get_offsets"):
        yield f"{kind}: {_numbers(artist.get_offsets())}"
    elif hasattr(artist, "get_text"):
        yield f"{kind}: {_shorten(artist.get_text())} at {_numbers(artist.get_position())}"


def _labels(texts: Any) -> str:
    return ", ".join(_shorten(text.get_text()) for text in texts)


def _shorten(text: str) -> str:
    return text.replace("\n", " / ")


def _numbers(values: Any) -> str:
    numbers = np.asarray(values, dtype=float).ravel()
    shown = " ".join(f"{value + 0.0:.4g}" for value in numbers[:MOST_POINTS])
    return shown + f" … {len(numbers)}" * (len(numbers) > MOST_POINTS)
