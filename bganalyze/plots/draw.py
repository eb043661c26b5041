"""Plots drawn with matplotlib: figures with intervals, the ledger, throws, windows, luck and costs.

All are in one style, legible in print and without colour.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bganalyze.files.outputs import MARK, errors_naming, inside, put, replace_file
from bganalyze.reports.figures import COLUMNS, SHARES, Section, groups_of

WIDTH = 7.0
"""Inches: as wide as a page of text."""

ROW = 0.26
"""Inches for each row of a list."""

DARK, BLUE, ORANGE, PALE = "#222222", "#0072b2", "#d55e00", "#bbbbbb"
"""Colours that differ in brightness too (Okabe and Ito)."""

_FULL: Any = {"color": BLUE, "markersize": 5}
_HOLLOW: Any = {"color": ORANGE, "markersize": 6, "markerfacecolor": "none"}
"""Marks of what was counted, and of what it is compared with."""

LONGEST_NAME = 32

_STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": DARK,
    "grid.color": "#dddddd",
    "svg.fonttype": "path",
    "svg.hashsalt": "bganalyze",
}


def new(title: str, rows: int | None = None) -> tuple[Figure, Axes]:
    """Return a figure with its axes; as high as a list of `rows` needs, or of the usual shape."""
    height = 3.6 if rows is None else 1.1 + ROW * rows
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(title, parse_math=False)
        axes.set_axisbelow(True)
        axes.grid(axis="x" if rows is not None else "y")
    return figure, axes


def list_names(axes: Axes, names: Sequence[str]) -> None:
    """Write names down the left side, the first on top; none of them is taken for a formula."""
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels([shortened(name) for name in names], parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def shortened(name: str) -> str:
    """Return a name that fits, with nothing in it that cannot be drawn.

    >>> shortened("x" * 40)[-3:]
    'xx…'
    """
    printable = "".join(c if c.isprintable() else "·" for c in name)
    return printable if len(printable) <= LONGEST_NAME else printable[: LONGEST_NAME - 1] + "…"


def as_svg(figure: Figure) -> bytes:
    """Return a figure as SVG; the same figure gives the same bytes."""
    return _drawn(figure, format="svg", metadata={"Date": None, "Creator": MARK})


def as_png(figure: Figure) -> bytes:
    """Return a figure as PNG; the same figure gives the same bytes."""
    return _drawn(figure, format="png", dpi=200, metadata={"Software": MARK})


def save(figure: Figure, folder: Path, name: str, *, force: bool = False) -> Iterator[Path]:
    """Write a figure as PNG and SVG; yield the files. Foreign files give way only to `force`."""
    with errors_naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for kind, drawn in (("png", as_png), ("svg", as_svg)):
        path = inside(folder, name, f".{kind}")
        with errors_naming(path):
            (put if force else replace_file)(path, drawn(figure))
        yield path


def _drawn(figure: Figure, **settings: Any) -> bytes:
    buffer = io.BytesIO()
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(buffer, **settings)
    return buffer.getvalue()


# The ledger as bars: points won to the right, points lost to the left, by ending.

MOST_BOOKS = 6
"""Groups that are drawn: those with most games."""

NUMBERS = ("games won", "points won", "cut", "games lost", "points lost", "net")


def draw_ledger(section: Section, _: str) -> Figure | None:
    """Draw the entries of the largest groups; nothing if there are none."""
    frame = section.frame
    if frame.empty:
        return None
    dimensions = [name for name in frame if name not in (*NUMBERS, "ending")]
    frame = frame.assign(
        group=groups_of(frame, dimensions), games=frame["games won"] + frame["games lost"]
    )
    largest = frame[frame["ending"] == "total"].nlargest(MOST_BOOKS, "games")["group"]
    entries = frame[frame["group"].isin(largest) & (frame["ending"] != "total")]
    places = range(len(entries))
    picture, axes = new("Ledger: points by ending", len(entries))
    axes.barh(places, entries["points won"], color=BLUE, height=0.7, label="won")
    hatched: Any = {"hatch": "///", "edgecolor": "white", "linewidth": 0}
    axes.barh(places, -entries["points lost"], color=ORANGE, height=0.7, label="lost", **hatched)
    axes.axvline(0, color=DARK, linewidth=0.8)
    axes.set_xlabel("points that count; net at the end of the row")
    axes.legend(frameon=False, loc="best")
    edge = max(entries["points won"].max(), entries["points lost"].max(), 1)
    for place, row in zip(places, entries.to_dict("records"), strict=True):
        axes.text(row["points won"] + 0.02 * edge, place, f"{row['net']:+,}", va="center")
    list_names(axes, [f"{row['group']}: {row['ending']}" for row in entries.to_dict("records")])
    return picture


# A figure of many groups: a dot each, with its interval and what was to be expected.

MOST = 30
"""Groups that are drawn: those of which most was counted."""


def draw_intervals(section: Section, figure: str) -> Figure | None:
    """Draw one figure of a section; nothing if nothing was counted."""
    rows = section.frame[section.frame["figure"] == figure]
    if rows.empty:
        return None
    largest = rows["of"].astype(float).nlargest(MOST).index
    drawn = rows.loc[rows.index.isin(largest)]
    picture, axes = new(f"{section.title}: {figure}", len(drawn))
    unit = 100 if drawn["kind"].isin(SHARES).all() else 1
    places = range(len(drawn))
    axes.hlines(places, unit * drawn["low"], unit * drawn["high"], color=PALE, linewidth=3)
    axes.plot(unit * drawn["value"], places, "o", label="counted", **_FULL)
    if drawn["expected"].notna().any():
        axes.plot(unit * drawn["expected"], places, "D", label="expected", **_HOLLOW)
        axes.legend(frameon=False, loc="best")
    if (drawn["value"] < 0).any():
        axes.axvline(0, color=DARK, linewidth=0.8)
    axes.set_xlabel(_label(rows, drawn, unit))
    list_names(axes, names(drawn))
    return picture


def _label(rows: pd.DataFrame, drawn: pd.DataFrame, unit: int) -> str:
    words = "with the 95 % interval, where there is one"
    if unit != 1:
        words = f"per cent, {words}"
    elif drawn["kind"].eq("per thousand").all():
        words = f"per 1,000, {words}"
    if len(rows) == len(drawn):
        return words
    return f"{words}; the {len(drawn)} largest of {len(rows):,} groups"


def names(rows: pd.DataFrame) -> list[str]:
    """Return what groups are called, with how much was counted of each."""
    groups = groups_of(rows, _dimensions(rows))
    return [f"{group} ({count:,.0f})" for group, count in zip(groups, rows["of"], strict=True)]


def _dimensions(frame: pd.DataFrame) -> list[str]:
    """The columns that tell groups apart."""
    return [name for name in frame if name not in COLUMNS]


# How often each throw fell, against what fair dice give.


def draw_throws(section: Section, _: str) -> Figure | None:
    """Draw thrown over expected for the 21 throws, with the band that fair dice keep to."""
    frame = section.frame
    if not frame["thrown"].sum():
        return None
    expected = frame["expected"].to_numpy()
    total = expected.sum()
    reach = 200 * np.sqrt(expected * (1 - expected / total)) / expected
    places = np.arange(len(frame))
    picture, axes = new(f"Throws by value, of {total:,.0f}")
    fair = "fair dice: 19 of 20 throws lie here"
    axes.bar(places, 2 * reach, bottom=100 - reach, width=0.8, color=PALE, label=fair)
    axes.plot(places, 100 * frame["thrown"] / expected, "o", label="thrown", **_FULL)
    axes.axhline(100, color=DARK, linewidth=0.8)
    axes.set_xticks(places, frame["throw"], rotation=90)
    axes.set_ylabel("per cent of what is expected")
    axes.legend(frameon=False, loc="upper left", ncols=2)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.05 * (high - low), high + 0.15 * (high - low))
    return picture


# A figure over time, in a window that moves over the matches.

MOST_GROUPS = 1
"""Lines with their bands cover each other: the group with most matches is drawn."""


def draw_window(section: Section, figure: str) -> Figure | None:
    """Draw the window of the group that has most of them; nothing if there is none."""
    rows = section.frame
    if rows.empty:
        return None
    dimensions = _dimensions(rows.drop(columns="date"))
    title = f"{section.title}: {figure}"
    if dimensions:
        groups = pd.Series(groups_of(rows, dimensions), index=rows.index)
        largest = groups.value_counts().idxmax()
        rows = rows[groups == largest]
        title = f"{title}, {shortened(largest)}"
    days = pd.to_datetime(rows["date"]).to_numpy()
    picture, axes = new(title)
    band: Any = {"alpha": 0.2, "linewidth": 0, "label": "95 % interval by match"}
    axes.fill_between(days, rows["low"], rows["high"], color=BLUE, **band)
    last = f"the last {int(rows['matches'].max())} matches"
    axes.plot(days, rows["value"], color=BLUE, linewidth=1.5, label=last)
    axes.axhline(0, color=DARK, linewidth=0.8)
    axes.tick_params(axis="x", rotation=30)
    axes.set_ylabel(figure)
    axes.legend(frameon=False, loc="best")
    return picture


# Results beside what luck leaves of them: a mark each for many groups, and the interval.


def draw_adjusted(section: Section, figure: str) -> Figure | None:
    """Draw the adjusted result, and the first figure of the section as what it was made of."""
    frame = section.frame
    if frame.empty:
        return None
    dimensions = _dimensions(frame)
    adjusted = frame[frame["figure"] == figure].nlargest(MOST, "of").sort_index()
    results = frame[frame["figure"] == frame["figure"].iloc[0]]
    drawn = adjusted.merge(results, how="left", on=[*dimensions, "of"], suffixes=("", "_result"))
    places = range(len(drawn))
    picture, axes = new(f"{section.title}: {figure}", len(drawn))
    axes.hlines(places, drawn["low"], drawn["high"], color=PALE, linewidth=3)
    axes.plot(drawn["value"], places, "o", label="luck taken out", **_FULL)
    axes.plot(drawn["value_result"], places, "D", label="as it was", **_HOLLOW)
    axes.axvline(0, color=DARK, linewidth=0.8)
    axes.set_xlabel("with the 95 % interval by match")
    axes.legend(frameon=False, loc="best")
    list_names(axes, names(drawn[[*dimensions, "of"]]))
    return picture


# Costs by class, end to end: a bar for each group, as long as all of them together.

COLOURS = ("#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#cc79a7")
"""Okabe and Ito; with the hatches they can be told apart without colour."""

HATCHES = ("", "///", "", "\\\\\\", "...", "xxx")


def draw_classes(section: Section, total: str) -> Figure | None:
    """Draw the figures of the largest groups but for `total`, their sum; nothing if that is 0."""
    frame = section.frame
    sums = frame[frame["figure"] == total]
    if not sums["value"].sum():
        return None
    dimensions = _dimensions(frame)
    groups = sums.nlargest(MOST, "of").sort_index()[[*dimensions, "of"]]
    picture, axes = new(f"{section.title}, end to end", len(groups) + 3)
    ends = np.zeros(len(groups))
    figures = [name for name in frame["figure"].unique() if name != total]
    for figure, colour, hatch in zip(figures, COLOURS, HATCHES, strict=True):
        values = _of(frame, figure, dimensions, groups)
        bars: Any = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0}
        axes.barh(range(len(groups)), values, left=ends, height=0.7, label=figure, **bars)
        ends += values
    axes.set_xlabel(total)
    list_names(axes, names(groups))
    picture.legend(frameon=False, loc="outside lower center", ncols=2, fontsize=8)
    return picture


def _of(
    frame: pd.DataFrame, figure: str, dimensions: list[str], groups: pd.DataFrame
) -> npt.NDArray[np.float64]:
    """The values of a figure in the order of the groups, 0 where there is none."""
    values = frame[frame["figure"] == figure]
    if dimensions:
        values = groups.merge(values, how="left", on=dimensions)
    return np.asarray(values["value"].fillna(0.0), dtype=float)
