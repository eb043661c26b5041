"""The style of all plots: legible in print and without colour."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bganalyze.files.outputs import MARK, inside, named, put, replace_file

WIDTH = 7.0
"""Inches: as wide as a page of text."""

ROW = 0.26
"""Inches for each row of a list."""

DARK, BLUE, ORANGE, PALE = "#222222", "#0072b2", "#d55e00", "#bbbbbb"
"""Colours that differ in brightness too (Okabe and Ito)."""

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
    shown = "".join(c if c.isprintable() else "·" for c in name)
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"


def as_svg(figure: Figure) -> bytes:
    """Return a figure as SVG; the same figure gives the same bytes."""
    return _drawn(figure, format="svg", metadata={"Date": None, "Creator": MARK})


def as_png(figure: Figure) -> bytes:
    """Return a figure as PNG; the same figure gives the same bytes."""
    return _drawn(figure, format="png", dpi=200, metadata={"Software": MARK})


def save(figure: Figure, folder: Path, name: str, *, force: bool = False) -> Iterator[Path]:
    """Write a figure as PNG and SVG; yield the files. Foreign files give way only to `force`."""
    with named(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for kind, drawn in (("png", as_png), ("svg", as_svg)):
        path = inside(folder, name, f".{kind}")
        with named(path):
            (put if force else replace_file)(path, drawn(figure))
        yield path


def _drawn(figure: Figure, **settings: Any) -> bytes:
    drawn = io.BytesIO()
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(drawn, **settings)
    return drawn.getvalue()
