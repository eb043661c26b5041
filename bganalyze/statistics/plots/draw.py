"""Plots drawn with matplotlib: figures with intervals, the ledger, rolls, windows, luck and costs.

All have one style, which is legible in print and without color.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

# Imported before matplotlib, so that it reads no settings file.
from bganalyze.statistics.plots.defaults import default_settings  # isort: skip

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bganalyze.files.outputs import (
    make_safe_path,
    name_path_in_errors,
    replace_file,
    write_atomically,
)
from bganalyze.record.own_files import MARK
from bganalyze.statistics.reports.figures import CALLED, COLUMNS, SHARES, Section, name_groups
from bganalyze.text import cut_text

WIDTH = 7.0
"""Width of a page of text in inches."""

ROW = 0.26
"""Inches for each row of a list."""

DARK, BLUE, ORANGE, PALE = "#222222", "#0072b2", "#d55e00", "#bbbbbb"
"""Colors that differ in brightness too (Okabe and Ito)."""

GRID, PAPER = "#dddddd", "#ffffff"

BY_NIGHT = {DARK: "#e8eaed", BLUE: "#56b4e9", PALE: "#5b6570", GRID: "#38414a", PAPER: "#1c2228"}
"""Replacements of these colors on a dark page."""

_FULL: Any = {"color": BLUE, "markersize": 5}
_WITHOUT_INTERVAL: Any = {**_FULL, "markerfacecolor": "none"}
_HOLLOW: Any = {"color": ORANGE, "markersize": 6, "markerfacecolor": "none"}
"""Markers of counted values, of those without an interval, and of values for comparison."""

FEWEST = 2
"""Fewest groups that make a picture."""

LONGEST_NAME, LONGEST_GROUP, WIDEST_TITLE, WIDEST_WORDS = 32, 44, 76, 90
"""Most characters that fit."""

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


def new_figure(title: str, rows: int | None = None) -> tuple[Figure, Axes]:
    """Return an empty picture with a title, and its axes.

    The picture is high enough for `rows` names on its left side, or has the usual height.
    """
    figure = new_titled_figure(title, 3.6 if rows is None else 1.1 + ROW * rows)
    with mpl.rc_context(_STYLE):
        axes = figure.add_subplot()
        axes.set_axisbelow(True)
        axes.grid(axis="x" if rows is not None else "y")
    return figure, axes


def new_titled_figure(title: str, height: float) -> Figure:
    """Return an empty picture with a title and a `height` in inches."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        heading = "\n".join(wrap(title, WIDEST_TITLE))
        figure.suptitle(heading, x=0.01, ha="left", size=10, weight="bold", parse_math=False)
    return figure


def add_explanation(figure: Figure, text: str) -> None:
    """Write an explanation below a picture."""
    lines = "\n".join(wrap(text, WIDEST_WORDS))
    figure.supxlabel(lines, size=9, color=DARK, parse_math=False)


def add_remark(figure: Figure, remark: str) -> None:
    """Add a remark to the text below a picture, and to the picture's description in words."""
    below = " ".join(figure.get_supxlabel().split())
    add_explanation(figure, "; ".join(filter(None, (below, remark))))
    figure.set_label(f"{str(figure.get_label()).removesuffix('.')}; {remark}.")


def set_description(figure: Figure, text: str) -> Figure:
    """Describe a picture in words, for readers who cannot see it, and return the picture."""
    figure.set_label(text)
    return figure


def write_names(axes: Axes, names: Sequence[str]) -> None:
    """Write names down the left side of a picture, the first name on top."""
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels(names, parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def shorten_name(name: str, longest: int = LONGEST_NAME) -> str:
    r"""Cut a name to `longest` characters, and remove characters that cannot be drawn.

    >>> shorten_name("x" * 40)[-3:], shorten_name("A\u200cn\x1bn")
    ('xx…', 'Ann')
    """
    visible = "".join(filter(str.isprintable, name))
    return visible if len(visible) <= longest else cut_text(visible, longest - 1) + "…"


def make_group_name(parts: Sequence[str]) -> str:
    """Join `parts` to the name of a group; if it is too long, cut the longest parts.

    >>> make_group_name(["x" * 60, "Ann", "race"])
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…, Ann, race'
    """
    room = LONGEST_GROUP - 2 * (len(parts) - 1)
    fitting = (
        longest
        for longest in range(room, 1, -1)
        if sum(min(len(part), longest) for part in parts) <= room
    )
    longest = next(fitting, 1)
    return ", ".join(shorten_name(part, longest) for part in parts)


def as_svg(figure: Figure, letters: str = "path") -> bytes:
    """Return a picture as SVG. Equal pictures give equal bytes.

    Letters are drawn as paths, but stay text if `letters` is "none".
    """
    metadata = {"Date": None, "Creator": MARK}
    return _render_figure(figure, {"svg.fonttype": letters}, format="svg", metadata=metadata)


def render_page_svg(figure: Figure) -> bytes:
    """Return a picture as SVG for a web page, with other colors on a dark page."""
    # Text stays text: the browser has the letters, and the file is a third as long.
    svg = as_svg(figure, letters="none").decode()
    for color in BY_NIGHT:
        svg = svg.replace(color, f"var(--{_name_css_variable(color)})")
    day, night = (
        "".join(f"--{_name_css_variable(color)}:{shade};" for color, shade in shades.items())
        for shades in ({color: color for color in BY_NIGHT}, BY_NIGHT)
    )
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{night}}}}}"
    # color of elements without one of their own, by default black
    ink = f"fill:var(--{_name_css_variable(DARK)});"
    return svg.replace("<defs>", f"<style>:root{{{ink}{day}}}{dark}</style>\n<defs>", 1).encode()


def _name_css_variable(color: str) -> str:
    """Return the name of the CSS variable that stands for a color of the plots.

    >>> _name_css_variable("#1f77b4")
    'c1f77b4'
    """
    return f"c{color[1:]}"


def as_png(figure: Figure) -> bytes:
    """Return a picture as PNG. Equal pictures give equal bytes."""
    return _render_figure(figure, {}, format="png", dpi=200, metadata={"Software": MARK})


class Image(NamedTuple):
    """A drawn figure as a PNG or SVG file."""

    name: str
    suffix: str
    content: bytes


def render_images(figure: Figure, name: str) -> Iterator[Image]:
    """Yield a picture as a PNG and as an SVG file, both called `name`."""
    yield Image(name, ".png", as_png(figure))
    yield Image(name, ".svg", as_svg(figure))


def save_image(image: Image, folder: Path, *, force: bool = False) -> Path:
    """Write an image to a folder, and return the path of the file.

    Without `force`, only files that bganalyze made are replaced. Raises OSError if another file has
    the name, or if the image cannot be written.
    """
    with name_path_in_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    path = make_safe_path(folder, image.name, image.suffix)
    with name_path_in_errors(path):
        (write_atomically if force else replace_file)(path, image.content)
    return path


def _render_figure(figure: Figure, style: Mapping[str, Any], **settings: Any) -> bytes:
    """Return a picture as the bytes of a PNG or SVG file.

    `settings`, such as the format, are those of matplotlib's `savefig`.
    """
    buffer = io.BytesIO()
    with default_settings(), mpl.rc_context(_STYLE | style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(buffer, **settings)
    return buffer.getvalue()


# The ledger as bars by ending: points won to the right, points lost to the left.

NUMBERS = ("games won", "points won", "cut", "games lost", "points lost", "net")


def draw_ledger(section: Section, _: str) -> Figure | None:
    """Draw bars of the points that each group won and lost by each kind of ending.

    The result is None without games.
    """
    frame = section.frame
    if frame.empty:
        return None
    dimensions = [name for name in frame if name not in (*NUMBERS, "ending")]
    frame = frame.assign(group=_name_drawn_groups(frame, dimensions))
    entries = frame[frame["ending"] != "total"]
    places = range(len(entries))
    picture, axes = new_figure("Ledger: points by ending", len(entries))
    axes.barh(places, entries["points won"], color=BLUE, height=0.7, label="won")
    hatched: Any = {"hatch": "///", "edgecolor": "white", "linewidth": 0}
    axes.barh(places, -entries["points lost"], color=ORANGE, height=0.7, label="lost", **hatched)
    axes.axvline(0, color=DARK, linewidth=0.8)
    add_explanation(picture, "points that count; net at the end of the row")
    axes.legend(frameon=False, loc="best")
    axes.margins(x=0.12)
    edge = max(entries["points won"].max(), entries["points lost"].max(), 1)
    for place, row in zip(places, entries.to_dict("records"), strict=True):
        axes.text(row["points won"] + 0.02 * edge, place, f"{row['net']:+,}", va="center")
    labels = [f"{group}: {end}" for group, end in _yield_rows(entries, "group", "ending")]
    write_names(axes, labels)
    totals = frame[frame["ending"] == "total"]
    nets = [f"{group} {net:+,}" for group, net in _yield_rows(totals, "group", "net")]
    return set_description(
        picture, f"Points won and lost by how games ended; net: {', '.join(nets)}."
    )


def _yield_rows(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield each row as a tuple of its values in the named `columns`."""
    return zip(*(frame[name] for name in columns), strict=True)


# A figure of many groups: a dot for each, with its interval and expected value.


def draw_intervals(section: Section, statistic: str) -> Figure | None:
    """Draw a statistic with intervals: a row for each group, or a line over several dates.

    The result is None for fewer than two rows.
    """
    rows = section.frame[section.frame["figure"] == statistic]
    if len(rows) < FEWEST:
        return None
    if has_several_times(rows):
        return draw_over_time(section, statistic)
    drawn = rows
    title = f"{section.title}: {statistic}"
    picture, axes = new_figure(title, len(drawn))
    unit = choose_percent_factor(drawn)
    places = range(len(drawn))
    axes.hlines(places, unit * drawn["low"], unit * drawn["high"], color=PALE, linewidth=3)
    _draw_values(axes, drawn, unit, "counted")
    if drawn["expected"].notna().any():
        axes.plot(unit * drawn["expected"], places, "D", label="expected", **_HOLLOW)
        axes.legend(frameon=False, loc="best")
    if (drawn["value"] < 0).any():
        axes.axvline(0, color=DARK, linewidth=0.8)
    add_explanation(picture, _write_axis_label(drawn, unit))
    write_names(axes, name_groups_with_counts(drawn))
    return set_description(
        picture, f"{title}{', percent' * (unit != 1)}. {_describe_extremes(drawn, unit)}"
    )


def _draw_values(axes: Axes, drawn: pd.DataFrame, percent_factor: int, label: str) -> None:
    """Draw each row's value as a dot, which is hollow if the row has no interval.

    `label` is the text in the legend.
    """
    values = (percent_factor * drawn["value"]).reset_index(drop=True)
    has_interval = drawn["low"].notna().reset_index(drop=True)
    for chosen, marker in ((has_interval, _FULL), (~has_interval, _WITHOUT_INTERVAL)):
        if chosen.any():
            axes.plot(values[chosen], values.index[chosen], "o", label=label, **marker)
            label = f"{label}, without an interval"


def choose_percent_factor(rows: pd.DataFrame) -> int:
    """Return 100 if all statistics are shares, which are drawn in percent, else 1."""
    return 100 if rows["kind"].isin(SHARES).all() else 1


def _describe_extremes(drawn: pd.DataFrame, percent_factor: int = 1) -> str:
    """Return a sentence such as `12 groups, from 3.1 (Ann) to 8.4 (Bob).` on extreme values."""
    values = sorted(
        zip(drawn["value"], name_groups(drawn, list_grouping_columns(drawn)), strict=True)
    )
    (least, last), (most, first) = values[0], values[-1]
    if len(values) == 1:
        return f"{first}: {percent_factor * most:.4g}."
    return f"{len(values)} groups, from {percent_factor * least:.4g} ({last}) to {percent_factor * most:.4g} ({first})."


def _write_axis_label(drawn: pd.DataFrame, percent_factor: int) -> str:
    """Return the label of the axis of values: their unit, and a note on intervals."""
    words = "with the 95 % interval"
    if drawn["low"].isna().any():
        words += "; hollow circles have none"
    if percent_factor != 1:
        words = f"percent, {words}"
    elif drawn["kind"].eq("per thousand").all():
        words = f"per 1,000, {words}"
    return words


def name_groups_with_counts(rows: pd.DataFrame) -> list[str]:
    """Return the name of each row's group with its number of cases, such as `Ann (1,200)`."""
    groups = _name_drawn_groups(rows, list_grouping_columns(rows))
    return [f"{group} ({count:,.0f})" for group, count in zip(groups, rows["of"], strict=True)]


def _name_drawn_groups(rows: pd.DataFrame, dimensions: Sequence[str]) -> list[str]:
    """Return a name for each row's group, short enough to be drawn.

    `dimensions` are the columns that define groups.
    """
    parts = [name_groups(rows, [name]) for name in dimensions] or [name_groups(rows, [])]
    return [make_group_name(group) for group in zip(*parts, strict=True)]


def list_grouping_columns(frame: pd.DataFrame) -> list[str]:
    """Return the columns of a report's table that define groups, such as `player`."""
    return [name for name in frame if name not in (*COLUMNS, CALLED)]


# Actual rolls compared with fair dice.

PANEL = 1.7
"""Inches for the rolls of a site."""


def draw_rolls(section: Section, _: str) -> Figure | None:
    """Draw how often each roll came at each site, in percent of the expected number.

    A band shows the deviations of fair dice. The result is None without rolls.
    """
    frame = section.frame
    sites = frame["site"].unique()
    if not frame["rolled"].sum():
        return None
    picture = new_titled_figure("Rolls by value, opening rolls apart", 1.4 + PANEL * len(sites))
    with mpl.rc_context(_STYLE):
        panels = picture.subplots(len(sites), sharex=True, squeeze=False)[:, 0]
    outside = [
        _draw_rolls_of_site(site, frame[frame["site"] == site], axes)
        for site, axes in zip(sites, panels, strict=True)
    ]
    panels[-1].set_xticks(np.arange(len(frame) // frame["site"].nunique()))
    panels[-1].set_xticklabels(frame.loc[frame["site"] == sites[0], "roll"], rotation=90)
    beside_title: Any = {"loc": "lower right", "bbox_to_anchor": (1, 0.98), "borderaxespad": 0.0}
    panels[0].legend(frameon=False, ncols=2, **beside_title)
    notes = (note for note in section.notes if note.endswith("left out"))
    add_explanation(picture, "; ".join(["per cent of what is expected", *notes]))
    words = f"outside the band of 19 in 20: {'; '.join(outside)}"
    return set_description(
        picture, f"Rolls by value, percent of the expected number with fair dice; {words}."
    )


def _draw_rolls_of_site(site: str, rolls: pd.DataFrame, axes: Axes) -> str:
    """Draw how often each roll came at one site, and return words on rolls outside the band."""
    expected = rolls["expected"].to_numpy()
    total = expected.sum()
    reach = 200 * np.sqrt(expected * (1 - expected / total)) / expected
    places = np.arange(len(rolls))
    share = 100 * rolls["rolled"].to_numpy() / expected
    fair = "fair dice: 19 of 20 rolls lie here"
    axes.bar(places, 2 * reach, bottom=100 - reach, width=0.8, color=PALE, label=fair)
    axes.plot(places, share, "o", label="rolled", **_FULL)
    axes.axhline(100, color=DARK, linewidth=0.8)
    axes.set_title(
        f"{shorten_name(site)}: {total:,.0f} rolls", loc="left", size=9, parse_math=False
    )
    axes.set_axisbelow(True)
    axes.grid(axis="y")
    off = [
        f"{roll} {value:.1f}"
        for roll, value, most in zip(rolls["roll"], share, reach, strict=True)
        if abs(value - 100) > most
    ]
    return f"{shorten_name(site)} {', '.join(off) or 'none'}"


# A figure over time: by month or year, or in a moving window of matches.

TIMES = ("date", "month", "year")
"""The time columns, the finest first."""

_LINE_STYLES = ("-o", "--s", ":^")
"""Matplotlib's codes of line and markers, one for each group."""


def has_several_times(rows: pd.DataFrame) -> bool:
    """Whether the rows have more than one date, month or year."""
    return any(len(rows[name].dropna().unique()) > 1 for name in TIMES if name in rows)


def draw_over_time(section: Section, statistic: str) -> Figure | None:
    """Draw a statistic of a report over time, with a line for each group.

    The line of a single group has intervals. The result is None for a single value.
    """
    rows = section.frame[section.frame["figure"] == statistic]
    times = [name for name in TIMES if name in rows and rows[name].notna().any()]
    if not times or len(rows) < FEWEST:
        return None
    time = next((name for name in times if len(rows[name].dropna().unique()) > 1), times[0])
    rows = rows[rows[time].notna()]
    dimensions = [name for name in list_grouping_columns(rows) if name not in TIMES]
    groups = pd.Series(name_groups(rows, dimensions), index=rows.index)
    largest = rows["of"].astype(float).groupby(groups).sum().nlargest(len(_LINE_STYLES)).index
    is_alone = len(groups.unique()) == 1
    title = f"{section.title}: {statistic}" + f", {shorten_name(groups.iloc[0])}" * (
        bool(dimensions) and is_alone
    )
    picture, axes = new_figure(title)
    unit = choose_percent_factor(rows)
    ends = [
        _draw_line(
            axes, rows[groups == name], shorten_name(name), time, style, is_only_line=is_alone
        )
        for name, style in zip(largest, _LINE_STYLES, strict=False)
    ]
    if (rows["value"] < 0).any():
        axes.axhline(0, color=DARK, linewidth=0.8)
    axes.tick_params(axis="x", rotation=30)
    if time == "year":
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel(f"{statistic}{', percent' * (unit != 1)}")
    picture.legend(frameon=False, loc="outside lower center", ncols=2)
    return set_description(picture, f"{title}, over time: {'; '.join(ends)}.")


def _draw_line(
    axes: Axes,
    rows: pd.DataFrame,
    name: str,
    time_column: str,
    line_style: str,
    *,
    is_only_line: bool,
) -> str:
    """Draw the line of one group over time, and return words on its first and last value.

    `line_style` is matplotlib's code, such as `-o`. With `is_only_line`, intervals are drawn, too.
    """
    rows, unit = rows.sort_values(time_column, kind="stable"), choose_percent_factor(rows)
    when = rows[time_column].astype(str)
    places = rows[time_column].astype(float) if time_column == "year" else pd.to_datetime(when)
    color = COLORS[2 * _LINE_STYLES.index(line_style)]
    few = len(rows) <= MOST_MARKED
    if is_only_line:
        named = {"label": "95 % interval by match"} if rows["low"].notna().any() else {}
        shade: Any = {"color": color, "alpha": 0.2, **named}
        between = (places.to_numpy(), unit * rows["low"], unit * rows["high"])
        if few:
            axes.vlines(*between, **shade, linewidth=5)
        else:
            axes.fill_between(*between, **shade, linewidth=0)
        window = f"each point: the last {int(rows['matches'].max())} matches"
        name = window if time_column == "date" else f"each point: one {time_column}"
    style = line_style if few else line_style.rstrip("os^")
    if is_only_line and few and time_column != "date":
        style = line_style[-1]  # No line: it would suggest a trend where months differ by chance.
        axes.set_xticks(places.to_numpy(), when)
    axes.plot(places.to_numpy(), unit * rows["value"], style, color=color, markersize=5, label=name)
    first, last = (f"{unit * rows['value'].iloc[at]:.4g} in {when.iloc[at]}" for at in (0, -1))
    return f"{name} from {first} to {last}"


MOST_MARKED = 36
"""Most points of a line that are marked individually."""


# Results with and without luck: two marks for each group, and the interval.


def draw_luck_adjusted(section: Section, statistic: str) -> Figure | None:
    """Draw each group's luck-adjusted result beside its actual result.

    `statistic` names the luck-adjusted result. The result is None for too few groups.
    """
    frame = section.frame
    dimensions = list_grouping_columns(frame)
    adjusted = frame[frame["figure"] == statistic]
    if len(adjusted) < FEWEST:
        return None
    results = frame[frame["figure"] == frame["figure"].iloc[0]]
    drawn = adjusted.merge(results, how="left", on=[*dimensions, "of"], suffixes=("", "_result"))
    places = range(len(drawn))
    title = f"{section.title}: {statistic}"
    picture, axes = new_figure(title, len(drawn))
    axes.hlines(places, drawn["low"], drawn["high"], color=PALE, linewidth=3)
    _draw_values(axes, drawn, 1, "luck taken out")
    axes.plot(drawn["value_result"], places, "D", label="as it was", **_HOLLOW)
    axes.axvline(0, color=DARK, linewidth=0.8)
    add_explanation(picture, "with the 95 % interval by match")
    axes.legend(frameon=False, loc="best")
    write_names(axes, name_groups_with_counts(drawn[[*dimensions, "of"]]))
    return set_description(picture, f"{title}. {_describe_extremes(drawn[[*dimensions, 'value']])}")


# Costs by class, stacked: a bar for each group, as long as their sum.

COLORS = ("#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#cc79a7")
"""The colors of Okabe and Ito; the hatches distinguish bars without color."""

HATCHES = ("", "///", "", "\\\\\\", "...", "xxx")


def draw_classes(section: Section, total: str) -> Figure | None:
    """Draw a bar for each group, made of one part for each statistic in a report's table.

    The statistic called `total` is the length of the whole bar. The result is None without groups.
    """
    frame = section.frame
    sums = frame[frame["figure"] == total]
    if sums.empty:
        return None
    dimensions = list_grouping_columns(frame)
    groups = sums[[*dimensions, "of"]]
    picture, axes = new_figure(f"{section.title}, end to end", len(groups) + 3)
    ends = np.zeros(len(groups))
    figures = [name for name in frame["figure"].unique() if name != total]
    for figure, color, hatch in zip(figures, COLORS, HATCHES, strict=True):
        values = _look_up_values(frame, figure, dimensions, groups)
        bars: Any = {"color": color, "hatch": hatch, "edgecolor": "white", "linewidth": 0}
        axes.barh(range(len(groups)), values, left=ends, height=0.7, label=figure, **bars)
        ends += values
    axes.set_xlabel(total, size=9, color=DARK, parse_math=False)
    write_names(axes, name_groups_with_counts(groups))
    picture.legend(frameon=False, loc="outside lower center", ncols=2, fontsize=8)
    ends_of = groups[dimensions].assign(value=ends)
    return set_description(
        picture, f"{section.title}, {total}, by class. {_describe_extremes(ends_of)}"
    )


def _look_up_values(
    frame: pd.DataFrame, statistic: str, dimensions: list[str], groups: pd.DataFrame
) -> npt.NDArray[np.float64]:
    """Return the value of a statistic in each of the `groups` (rows), or 0 if it is missing."""
    values = frame[frame["figure"] == statistic]
    if dimensions:
        values = groups.merge(values, how="left", on=dimensions)
    return np.asarray(values["value"].fillna(0.0), dtype=float)
