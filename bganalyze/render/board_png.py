"""A board as PNG, drawn by matplotlib from the same shapes as the SVG, by daylight."""

from __future__ import annotations

import io
import warnings
from typing import Any

from bganalyze.files.outputs import MARK
from bganalyze.printable import printable
from bganalyze.render.board import Scene
from bganalyze.render.board_shapes import HEIGHT, WIDTH, Block, Disc, Shape, Wedge, shapes
from bganalyze.render.palette import LIGHT

DOTS = 2
"""Pixels for each unit of the drawing."""

_INCH = 72
_STROKES = {
    "left": ("edge", 1.0),
    "right": ("edge", 1.0),
    "cube": ("edge", 1.5),
    "right-ring": ("right-ring", 2.0),
}
"""The colour and width of the outlines of those shapes that have one."""
_HOLLOW = ("left-ring", "right-ring")
_WRITTEN = {"number": "soft", "note": "soft", "name": "ink"}
_BOLD = ("name", "cube-value", "left-count", "right-count")
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def board_png(scene: Scene) -> bytes:
    """Return a picture of a board.

    Characters that the font lacks are drawn as boxes, without a warning.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / _INCH, HEIGHT / _INCH), dpi=_INCH * DOTS)
    FigureCanvasAgg(figure)
    figure.patch.set_facecolor(LIGHT["page"])
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.set_axis_off()
    for shape in shapes(scene):
        _draw(shape, axes)
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing", category=UserWarning)
        figure.savefig(picture, format="png", metadata={"Software": MARK})
    return picture.getvalue()


def _draw(shape: Shape, axes: Any) -> None:
    from matplotlib import patches

    look = _look(shape.role)
    match shape:
        case Block(_, x, y, width, height, corner):
            box = f"round,pad=0,rounding_size={corner}"
            axes.add_patch(patches.FancyBboxPatch((x, y), width, height, boxstyle=box, **look))
        case Wedge(_, x, y, width, height):
            corners = [(x, y), (x + width, y), (x + width / 2, y + height)]
            axes.add_patch(patches.Polygon(corners, **look))
        case Disc(_, x, y, radius):
            axes.add_patch(patches.Circle((x, y), radius, **look))
        case _:
            colour = LIGHT[_WRITTEN.get(shape.role, shape.role)]
            axes.text(
                shape.x,
                shape.y,
                printable(shape.text),
                color=colour,
                fontsize=shape.size * 0.95,
                fontweight="bold" if shape.role in _BOLD else "normal",
                horizontalalignment=_ANCHORS[shape.anchor],
                verticalalignment="center_baseline",
                parse_math=False,
            )


def _look(role: str) -> dict[str, Any]:
    colour, width = _STROKES.get(role, ("edge", 0.0))
    fill = "none" if role in _HOLLOW else LIGHT[_WRITTEN.get(role, role)]
    return {"facecolor": fill, "edgecolor": LIGHT[colour] if width else "none", "linewidth": width}
