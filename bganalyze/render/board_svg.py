"""A board as SVG: as a picture of its own, and as part of a page that has `STYLE`."""

from __future__ import annotations

from html import escape

from bganalyze.files.outputs import MARK
from bganalyze.printable import printable
from bganalyze.render.board import Scene
from bganalyze.render.board_shapes import (
    HEIGHT,
    WIDTH,
    Block,
    Disc,
    Shape,
    Wedge,
    described,
    shapes,
)
from bganalyze.render.palette import DARK, LIGHT, variables

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

_FILLED = ("frame", "field", "even", "odd", "bar", "left-count", "right-count", "cube-value")

STYLE = (
    f".board text{{font-family:{FONT};dominant-baseline:central}}"
    + "".join(f".board .{role}{{fill:var(--{role})}}" for role in _FILLED)
    + "".join(
        f".board .{side}{{fill:var(--{side});stroke:var(--edge);stroke-width:1}}"
        f".board .{side}-ring{{fill:none;stroke:var(--{side}-ring);stroke-width:{width}}}"
        for side, width in (("left", 0), ("right", 2))
    )
    + ".board .cube{fill:var(--cube);stroke:var(--edge);stroke-width:1.5}"
    ".board .cube-value,.board .left-count,.board .right-count{font-weight:700}"
    ".board .number,.board .note{fill:var(--soft)}"
    ".board .name{fill:var(--ink);font-weight:600}"
)
"""How the shapes of a board look, given the colours of a palette."""


def board_svg(scene: Scene) -> str:
    """Return a picture of a board, whole in itself, for light and dark screens.

    >>> from bganalyze.board.variants import start_position
    >>> board_svg(Scene(start_position("standard")))[:4]
    '<svg'
    """
    style = (
        f":root{{{variables(LIGHT)}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}"
        "svg{background:var(--page)}}" + STYLE
    )
    about = f"<desc>{MARK}</desc><style>{style}</style>"
    return (
        _element(
            scene, f' xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"', about
        )
        + "\n"
    )


def board_part(scene: Scene) -> str:
    """Return a board as an element of a page of HTML."""
    return _element(scene)


def _element(scene: Scene, attributes: str = "", before: str = "") -> str:
    told = escape(printable(described(scene)))
    drawn = "".join(map(_shape, shapes(scene)))
    return (
        f'<svg class="board" role="img" viewBox="0 0 {WIDTH} {HEIGHT}"{attributes} '
        f'aria-label="{told}">{before}{drawn}</svg>'
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Block(role, x, y, width, height, corner):
            size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            return f'<rect class="{role}" {size} rx="{corner:g}"/>'
        case Wedge(role, x, y, width, height):
            return f'<path class="{role}" d="M{x:g} {y:g}h{width:g}l{-width / 2:g} {height:g}z"/>'
        case Disc(role, x, y, radius):
            return f'<circle class="{role}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
    place = f'x="{shape.x:g}" y="{shape.y:g}" text-anchor="{shape.anchor}"'
    text = escape(printable(shape.text))
    return f'<text class="{shape.role}" {place} font-size="{shape.size:g}">{text}</text>'
