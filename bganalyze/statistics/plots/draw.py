"""Plots drawn with matplotlib: figures with intervals, the ledger, rolls, windows, luck and costs.

All are in one style, legible in print and without color.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

# Before matplotlib, which it keeps from reading a settings file.
from bganalyze.statistics.plots.defaults import default_settings  # isort: skip

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bganalyze.files.outputs import MARK, errors_naming, inside, put, replace_file
from bganalyze.statistics.reports.figures import CALLED, COLUMNS, SHARES, Section, groups_of
from bganalyze.text import whole

WIDTH = 7.0
"""Inches: as wide as a page of text."""

ROW = 0.26
"""Inches for each row of a list."""

DARK, BLUE, ORANGE, PALE = "#222222", "#0072b2", "#d55e00", "#bbbbbb"
"""Colors that differ in brightness too (Okabe and Ito)."""

GRID, PAPER = "#dddddd", "#ffffff"

BY_NIGHT = {DARK: "#e8eaed", BLUE: "#56b4e9", PALE: "#5b6570", GRID: "#38414a", PAPER: "#1c2228"}
"""What stands for these colors where a page is dark."""

_FULL: Any = {"color": BLUE, "markersize": 5}
_HOLLOW: Any = {"color": ORANGE, "markersize": 6, "markerfacecolor": "none"}
"""Marks of what was counted, and of what it is compared with."""

FEWEST = 2
"""Groups that make a picture."""

LONGEST_NAME, LONGEST_GROUP, WIDEST_TITLE, WIDEST_WORDS = 32, 44, 76, 90
"""Characters that fit."""

_STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": DARK,
    "axes.labelcolor": DARK,
    "text.color": DARK,
    "xtick.color": DARK,
    "ytick.color": DARK,
    "grid.color": GRID,
    "svg.hashsalt": "bganalyze",
}


def new(title: str, rows: int | None = None) -> tuple[Figure, Axes]:
    """Return a figure with its axes: as high as a list of `rows` needs, or of the usual shape."""
    figure = titled(title, 3.6 if rows is None else 1.1 + ROW * rows)
    with mpl.rc_context(_STYLE):
        axes = figure.add_subplot()
        axes.set_axisbelow(True)
        axes.grid(axis="x" if rows is not None else "y")
    return figure, axes


def titled(title: str, height: float) -> Figure:
    """Return a figure of a height in inches, with nothing but its title."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        heading = "\n".join(wrap(title, WIDEST_TITLE))
        figure.suptitle(heading, x=0.01, ha="left", size=10, weight="bold", parse_math=False)
    return figure


def explain(figure: Figure, words: str) -> None:
    """Write below a figure what it shows: over its whole width, for its axes may be narrow."""
    lines = "\n".join(wrap(words, WIDEST_WORDS))
    figure.supxlabel(lines, size=9, color=DARK, parse_math=False)


def add_remark(figure: Figure, words: str) -> None:
    """Write more below a figure, and in its label."""
    below = " ".join(figure.get_supxlabel().split())
    explain(figure, "; ".join(filter(None, (below, words))))
    figure.set_label(f"{str(figure.get_label()).removesuffix('.')}; {words}.")


def described(figure: Figure, words: str) -> Figure:
    """Return a figure that says in words what it shows, as its label."""
    figure.set_label(words)
    return figure


def list_names(axes: Axes, names: Sequence[str]) -> None:
    """Write names down the left side, the first on top; none of them is taken for a formula."""
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels(names, parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def shortened(name: str, longest: int = LONGEST_NAME) -> str:
    r"""Return a name that fits, without joiners and other characters that are not drawn.

    >>> shortened("x" * 40)[-3:], shortened("A\u200cn\x1bn")
    ('xx…', 'Ann')
    """
    visible = "".join(filter(str.isprintable, name))
    return visible if len(visible) <= longest else whole(visible, longest - 1) + "…"


def group_name(parts: Sequence[str]) -> str:
    """Return what a group is called so that it fits: its longest parts are cut, not its last.

    >>> group_name(["x" * 60, "Ann", "race"])
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…, Ann, race'
    """
    room = LONGEST_GROUP - 2 * (len(parts) - 1)
    fitting = (
        longest
        for longest in range(room, 1, -1)
        if sum(min(len(part), longest) for part in parts) <= room
    )
    longest = next(fitting, 1)
    return ", ".join(shortened(part, longest) for part in parts)


def as_svg(figure: Figure, letters: str = "path") -> bytes:
    """Return a figure as SVG, its letters as paths or as text; the same figure gives the same bytes."""
    metadata = {"Date": None, "Creator": MARK}
    return _drawn(figure, {"svg.fonttype": letters}, format="svg", metadata=metadata)


def as_page_svg(figure: Figure) -> bytes:
    """Return a figure as SVG for a page: dark where the page is, in a third of the room.

    Its text stays text: a browser has more letters than the font of the plots.
    """
    svg = as_svg(figure, letters="none").decode()
    for color in BY_NIGHT:
        svg = svg.replace(color, f"var(--{_variable(color)})")
    day, night = (
        "".join(f"--{_variable(color)}:{shade};" for color, shade in shades.items())
        for shades in ({color: color for color in BY_NIGHT}, BY_NIGHT)
    )
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{night}}}}}"
    ink = f"fill:var(--{_variable(DARK)});"  # of what says nothing, which is black
    return svg.replace("<defs>", f"<style>:root{{{ink}{day}}}{dark}</style>\n<defs>", 1).encode()


def _variable(color: str) -> str:
    return f"c{color[1:]}"


def as_png(figure: Figure) -> bytes:
    """Return a figure as PNG; the same figure gives the same bytes."""
    return _drawn(figure, {}, format="png", dpi=200, metadata={"Software": MARK})


class Image(NamedTuple):
    """A drawn figure, as a file of one kind."""

    name: str
    suffix: str
    content: bytes


def images(figure: Figure, name: str) -> Iterator[Image]:
    """Yield a figure as PNG and SVG."""
    yield Image(name, ".png", as_png(figure))
    yield Image(name, ".svg", as_svg(figure))


def save(image: Image, folder: Path, *, force: bool = False) -> Path:
    """Write an image to a folder and return its file. Foreign files give way only to `force`."""
    with errors_naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
    path = inside(folder, image.name, image.suffix)
    with errors_naming(path):
        (put if force else replace_file)(path, image.content)
    return path


def _drawn(figure: Figure, style: Mapping[str, Any], **settings: Any) -> bytes:
    buffer = io.BytesIO()
    with default_settings(), mpl.rc_context(_STYLE | style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(buffer, **settings)
    return buffer.getvalue()


# The ledger as bars: points won to the right, points lost to the left, by ending.

NUMBERS = ("games won", "points won", "cut", "games lost", "points lost", "net")


def draw_ledger(section: Section, _: str) -> Figure | None:
    """Draw the entries of every group; nothing if there are none."""
    frame = section.frame
    if frame.empty:
        return None
    dimensions = [name for name in frame if name not in (*NUMBERS, "ending")]
    frame = frame.assign(group=_group_names(frame, dimensions))
    entries = frame[frame["ending"] != "total"]
    places = range(len(entries))
    picture, axes = new("Ledger: points by ending", len(entries))
    axes.barh(places, entries["points won"], color=BLUE, height=0.7, label="won")
    hatched: Any = {"hatch": "///", "edgecolor": "white", "linewidth": 0}
    axes.barh(places, -entries["points lost"], color=ORANGE, height=0.7, label="lost", **hatched)
    axes.axvline(0, color=DARK, linewidth=0.8)
    explain(picture, "points that count; net at the end of the row")
    axes.legend(frameon=False, loc="best")
    axes.margins(x=0.12)
    edge = max(entries["points won"].max(), entries["points lost"].max(), 1)
    for place, row in zip(places, entries.to_dict("records"), strict=True):
        axes.text(row["points won"] + 0.02 * edge, place, f"{row['net']:+,}", va="center")
    labels = [f"{group}: {end}" for group, end in _pairs(entries, "group", "ending")]
    list_names(axes, labels)
    totals = frame[frame["ending"] == "total"]
    nets = [f"{group} {net:+,}" for group, net in _pairs(totals, "group", "net")]
    return described(picture, f"Points won and lost by how games ended; net: {', '.join(nets)}.")


def _pairs(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    """The values of some columns, row by row."""
    return zip(*(frame[name] for name in columns), strict=True)


# A figure of many groups: a dot each, with its interval and what was to be expected.


def draw_intervals(section: Section, figure: str) -> Figure | None:
    """Draw one figure of several groups; over time, where that is what tells them apart.

    Nothing if there are no groups to compare: a single value needs no picture.
    """
    rows = section.frame[section.frame["figure"] == figure]
    if len(rows) < FEWEST:
        return None
    if has_times(rows):
        return draw_over_time(section, figure)
    drawn = rows
    title = f"{section.title}: {figure}"
    picture, axes = new(title, len(drawn))
    unit = unit_of(drawn)
    places = range(len(drawn))
    axes.hlines(places, unit * drawn["low"], unit * drawn["high"], color=PALE, linewidth=3)
    axes.plot(unit * drawn["value"], places, "o", label="counted", **_FULL)
    if drawn["expected"].notna().any():
        axes.plot(unit * drawn["expected"], places, "D", label="expected", **_HOLLOW)
        axes.legend(frameon=False, loc="best")
    if (drawn["value"] < 0).any():
        axes.axvline(0, color=DARK, linewidth=0.8)
    explain(picture, _label(drawn, unit))
    list_names(axes, names(drawn))
    return described(picture, f"{title}{', per cent' * (unit != 1)}. {_extremes(drawn, unit)}")


def unit_of(rows: pd.DataFrame) -> int:
    """Return what values are multiplied by: shares are drawn in per cent."""
    return 100 if rows["kind"].isin(SHARES).all() else 1


def _extremes(drawn: pd.DataFrame, unit: int = 1) -> str:
    """Who has the most and who the least, of the groups that are drawn."""
    values = sorted(zip(drawn["value"], groups_of(drawn, dimensions_of(drawn)), strict=True))
    (least, last), (most, first) = values[0], values[-1]
    if len(values) == 1:
        return f"{first}: {unit * most:.4g}."
    return f"{len(values)} groups, from {unit * least:.4g} ({last}) to {unit * most:.4g} ({first})."


def _label(drawn: pd.DataFrame, unit: int) -> str:
    words = "with the 95 % interval, where there is one"
    if unit != 1:
        words = f"per cent, {words}"
    elif drawn["kind"].eq("per thousand").all():
        words = f"per 1,000, {words}"
    return words


def names(rows: pd.DataFrame) -> list[str]:
    """Return the names of groups, each with its count."""
    groups = _group_names(rows, dimensions_of(rows))
    return [f"{group} ({count:,.0f})" for group, count in zip(groups, rows["of"], strict=True)]


def _group_names(rows: pd.DataFrame, dimensions: Sequence[str]) -> list[str]:
    """What the group of each row is called, short enough to be drawn."""
    parts = [groups_of(rows, [name]) for name in dimensions] or [groups_of(rows, [])]
    return [group_name(group) for group in zip(*parts, strict=True)]


def dimensions_of(frame: pd.DataFrame) -> list[str]:
    """The columns that tell groups apart."""
    return [name for name in frame if name not in (*COLUMNS, CALLED)]


# How often each roll fell, against what fair dice give.

PANEL = 1.7
"""Inches for the rolls of a site."""


def draw_rolls(section: Section, _: str) -> Figure | None:
    """Draw rolled over expected for the 21 rolls of each site, with the band that fair dice keep to."""
    frame = section.frame
    sites = frame["site"].unique()
    if not frame["rolled"].sum():
        return None
    picture = titled("Rolls by value, opening rolls apart", 1.4 + PANEL * len(sites))
    with mpl.rc_context(_STYLE):
        panels = picture.subplots(len(sites), sharex=True, squeeze=False)[:, 0]
    outside = [
        _draw_rolls_of(site, frame[frame["site"] == site], axes)
        for site, axes in zip(sites, panels, strict=True)
    ]
    panels[-1].set_xticks(np.arange(len(frame) // frame["site"].nunique()))
    panels[-1].set_xticklabels(frame.loc[frame["site"] == sites[0], "roll"], rotation=90)
    beside_title: Any = {"loc": "lower right", "bbox_to_anchor": (1, 0.98), "borderaxespad": 0.0}
    panels[0].legend(frameon=False, ncols=2, **beside_title)
    notes = (note for note in section.notes if note.endswith("left out"))
    explain(picture, "; ".join(["per cent of what is expected", *notes]))
    words = f"outside of what 19 of 20 keep to: {'; '.join(outside)}"
    return described(picture, f"Rolls by value, per cent of what fair dice give; {words}.")


def _draw_rolls_of(site: str, rolls: pd.DataFrame, axes: Axes) -> str:
    """Draw the rolls of a site; return in words which of them lie outside the band."""
    expected = rolls["expected"].to_numpy()
    total = expected.sum()
    reach = 200 * np.sqrt(expected * (1 - expected / total)) / expected
    places = np.arange(len(rolls))
    share = 100 * rolls["rolled"].to_numpy() / expected
    fair = "fair dice: 19 of 20 rolls lie here"
    axes.bar(places, 2 * reach, bottom=100 - reach, width=0.8, color=PALE, label=fair)
    axes.plot(places, share, "o", label="rolled", **_FULL)
    axes.axhline(100, color=DARK, linewidth=0.8)
    axes.set_title(f"{shortened(site)}: {total:,.0f} rolls", loc="left", size=9, parse_math=False)
    axes.set_axisbelow(True)
    axes.grid(axis="y")
    off = [
        f"{roll} {value:.1f}"
        for roll, value, most in zip(rolls["roll"], share, reach, strict=True)
        if abs(value - 100) > most
    ]
    return f"{shortened(site)} {', '.join(off) or 'none'}"


# A figure over time, by month or year, or in a window that moves over the matches.

TIMES = ("date", "month", "year")
"""The columns that say when, the finest first."""

_MARKS = ("-o", "--s", ":^")


def has_times(rows: pd.DataFrame) -> bool:
    """Return whether there is more than one time at which something was counted."""
    return any(len(rows[name].dropna().unique()) > 1 for name in TIMES if name in rows)


def draw_over_time(section: Section, figure: str) -> Figure | None:
    """Draw a figure over time: a line for each group, with its intervals if it is one.

    Nothing if it is a single point. What has no date is left out.
    """
    rows = section.frame[section.frame["figure"] == figure]
    times = [name for name in TIMES if name in rows and rows[name].notna().any()]
    if not times or len(rows) < FEWEST:
        return None
    time = next((name for name in times if len(rows[name].dropna().unique()) > 1), times[0])
    rows = rows[rows[time].notna()]
    dimensions = [name for name in dimensions_of(rows) if name not in TIMES]
    groups = pd.Series(groups_of(rows, dimensions), index=rows.index)
    largest = rows["of"].astype(float).groupby(groups).sum().nlargest(len(_MARKS)).index
    is_alone = len(groups.unique()) == 1
    title = f"{section.title}: {figure}" + f", {shortened(groups.iloc[0])}" * (
        bool(dimensions) and is_alone
    )
    picture, axes = new(title)
    unit = unit_of(rows)
    ends = [
        _draw_line(axes, rows[groups == name], shortened(name), time, mark, alone=is_alone)
        for name, mark in zip(largest, _MARKS, strict=False)
    ]
    if (rows["value"] < 0).any():
        axes.axhline(0, color=DARK, linewidth=0.8)
    axes.tick_params(axis="x", rotation=30)
    if time == "year":
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel(f"{figure}{', per cent' * (unit != 1)}")
    axes.legend(frameon=False, loc="best")
    return described(picture, f"{title}, over time: {'; '.join(ends)}.")


def _draw_line(
    axes: Axes, rows: pd.DataFrame, name: str, time: str, mark: str, *, alone: bool
) -> str:
    """Draw the line of a group, with its intervals if it is alone; return where it begins and ends."""
    rows, unit = rows.sort_values(time, kind="stable"), unit_of(rows)
    when = rows[time].astype(str)
    places = rows[time].astype(float) if time == "year" else pd.to_datetime(when)
    color = COLORS[2 * _MARKS.index(mark)]
    few = len(rows) <= MOST_MARKED
    if alone:
        shade: Any = {"color": color, "alpha": 0.2, "label": "95 % interval by match"}
        between = (places.to_numpy(), unit * rows["low"], unit * rows["high"])
        if few:
            axes.vlines(*between, **shade, linewidth=5)
        else:
            axes.fill_between(*between, **shade, linewidth=0)
        name = f"the last {int(rows['matches'].max())} matches" if time == "date" else "counted"
    style = mark if few else mark.rstrip("os^")
    axes.plot(places.to_numpy(), unit * rows["value"], style, color=color, markersize=5, label=name)
    first, last = (f"{unit * rows['value'].iloc[at]:.4g} in {when.iloc[at]}" for at in (0, -1))
    return f"{name} from {first} to {last}"


MOST_MARKED = 36
"""Points of a line that are marked each."""


# Results beside what luck leaves of them: a mark each for many groups, and the interval.


def draw_adjusted(section: Section, figure: str) -> Figure | None:
    """Draw the adjusted result, and the first figure of the section as what it was made of."""
    frame = section.frame
    dimensions = dimensions_of(frame)
    adjusted = frame[frame["figure"] == figure]
    if len(adjusted) < FEWEST:
        return None
    results = frame[frame["figure"] == frame["figure"].iloc[0]]
    drawn = adjusted.merge(results, how="left", on=[*dimensions, "of"], suffixes=("", "_result"))
    places = range(len(drawn))
    title = f"{section.title}: {figure}"
    picture, axes = new(title, len(drawn))
    axes.hlines(places, drawn["low"], drawn["high"], color=PALE, linewidth=3)
    axes.plot(drawn["value"], places, "o", label="luck taken out", **_FULL)
    axes.plot(drawn["value_result"], places, "D", label="as it was", **_HOLLOW)
    axes.axvline(0, color=DARK, linewidth=0.8)
    explain(picture, "with the 95 % interval by match")
    axes.legend(frameon=False, loc="best")
    list_names(axes, names(drawn[[*dimensions, "of"]]))
    return described(picture, f"{title}. {_extremes(drawn[[*dimensions, 'value']])}")


# Costs by class, end to end: a bar for each group, as long as all of them together.

COLORS = ("#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#cc79a7")
"""Okabe and Ito; with the hatches they can be told apart without color."""

HATCHES = ("", "///", "", "\\\\\\", "...", "xxx")


def draw_classes(section: Section, total: str) -> Figure | None:
    """Draw the figures of every group but for `total`, their sum; nothing if there are none."""
    frame = section.frame
    sums = frame[frame["figure"] == total]
    if sums.empty:
        return None
    dimensions = dimensions_of(frame)
    groups = sums[[*dimensions, "of"]]
    picture, axes = new(f"{section.title}, end to end", len(groups) + 3)
    ends = np.zeros(len(groups))
    figures = [name for name in frame["figure"].unique() if name != total]
    for figure, color, hatch in zip(figures, COLORS, HATCHES, strict=True):
        values = _of(frame, figure, dimensions, groups)
        bars: Any = {"color": color, "hatch": hatch, "edgecolor": "white", "linewidth": 0}
        axes.barh(range(len(groups)), values, left=ends, height=0.7, label=figure, **bars)
        ends += values
    explain(picture, total)
    list_names(axes, names(groups))
    picture.legend(frameon=False, loc="outside lower center", ncols=2, fontsize=8)
    ends_of = groups[dimensions].assign(value=ends)
    return described(picture, f"{section.title}, {total}, by class. {_extremes(ends_of)}")


def _of(
    frame: pd.DataFrame, figure: str, dimensions: list[str], groups: pd.DataFrame
) -> npt.NDArray[np.float64]:
    """The values of a figure in the order of the groups, 0 where there is none."""
    values = frame[frame["figure"] == figure]
    if dimensions:
        values = groups.merge(values, how="left", on=dimensions)
    return np.asarray(values["value"].fillna(0.0), dtype=float)
