"""Documents as self-contained pages of HTML.

The page's security policy allows only its own style and script (by hash) and the pictures inside
it, so no text from a file can make the page load or run anything.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from bganalyze.app.render import board_picture
from bganalyze.app.render.board_picture import DARK, LIGHT, make_css_variables
from bganalyze.app.render.document import (
    Curve,
    Diagrams,
    Document,
    Graph,
    Mark,
    Picture,
    list_titled_boards,
)
from bganalyze.app.render.playback_json import playback_json
from bganalyze.record.own_files import MARK
from bganalyze.text import printable


def render_page(document: Document) -> str:
    """Return a document as a page of HTML."""
    style, script = _choose_style_and_script(any(chapter.playback for chapter in document.chapters))
    return (
        _make_environment()
        .get_template("page.html")
        .render(
            document=document,
            mark=MARK,
            policy=_make_security_policy(style, script),
            style=style,
            script=script,
            empty_board=board_picture.empty_board_svg() if _has_boards(document) else "",
        )
    )


def _choose_style_and_script(has_playback: bool) -> tuple[str, str]:
    """Return the style sheet and the script of a page.

    With `has_playback`, the page has a board on which readers step through a match.
    """
    if has_playback:
        scripts = ("unpack.js", "playback.js", "playback_analysis.js", "page.js")
        return page_style() + _read_asset("playback.css"), "".join(map(_read_asset, scripts))
    return page_style(), _read_asset("page.js")


def make_asset_hashes() -> tuple[list[str], list[str]]:
    """Return the hashes of all style sheets, and those of all scripts, for security policies."""
    # Browsers accept only those listed in a Content Security Policy.
    styles, scripts = zip(*map(_choose_style_and_script, (False, True)), strict=True)
    return list(map(_make_csp_hash, styles)), list(map(_make_csp_hash, scripts))


def _has_boards(document: Document) -> bool:
    """Whether any board is drawn in the document."""
    parts = [part for chapter in document.chapters for part in chapter.parts]
    return any(isinstance(block, Diagrams) for part in parts for block in part.blocks)


def _make_security_policy(style: str, script: str) -> str:
    """Return the Content Security Policy of a page with this style sheet and script."""
    return (
        f"default-src 'none'; style-src '{_make_csp_hash(style)}'; script-src '{_make_csp_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _make_csp_hash(text: str) -> str:
    """Return the hash of a style sheet or script for a Content Security Policy."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@cache
def _read_asset(name: str) -> str:
    """Return the text of a style sheet or a script in the folder `pages`."""
    return files(__package__).joinpath("pages", name).read_text(encoding="utf-8")


@cache
def page_style() -> str:
    """Return the style sheet of all pages."""
    by_night = (
        f"@media screen and (prefers-color-scheme:dark){{:root{{{make_css_variables(DARK)}}}}}"
    )
    colors = f":root{{color-scheme:light dark;{make_css_variables(LIGHT)}}}{by_night}"
    return "\n".join((colors, _read_asset("page.css"), board_picture.STYLE, GRAPH_STYLE))


@cache
def _make_environment() -> Environment:
    """Return the Jinja environment of the pages."""
    environment = Environment(
        loader=PackageLoader(__package__, "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_make_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        board=board_picture.board_svg_on_page,
        curves=_draw_graph_svg,
        data_of=playback_json,
        boards_of=list_titled_boards,
        kind_of=lambda block: type(block).__name__,
        sentence=_make_sentence,
        address=_make_data_url,
        dict=dict,
    )
    return environment


def _make_printable(value: Any) -> Any:
    """Return a text with unprintable characters escaped; return any other value unchanged."""
    return printable(value) if type(value) is str else value


def _make_sentence(words: str) -> str:
    """Return a note as a sentence, with a capital letter and a period.

    >>> _make_sentence("files: 3 read")
    'Files: 3 read.'
    """
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}."


def _make_data_url(picture: Picture) -> str:
    """Return a picture as a `data:` URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg).decode()}"


# Graphs as SVG elements in the colors of the page.

WIDTH, HEIGHT = 460, 236

GRAPH_STYLE = (
    ".graph text{fill:var(--soft);font-size:13px}"
    ".graph .grid{stroke:var(--line);stroke-width:1}"
    ".graph .axis{stroke:var(--soft);stroke-width:1}"
    ".graph .goal{stroke:var(--accent);stroke-width:1.5;stroke-dasharray:2 4}"
    ".graph .left,.graph .right{fill:none;stroke-width:2.5;stroke-linejoin:round}"
    ".graph .left{stroke:var(--left-line)}"
    ".graph .right{stroke:var(--right-line);stroke-dasharray:7 3}"
    ".graph .mark{fill:var(--card);stroke-width:2}"
    ".graph .mark.left{stroke:var(--left-line)}"
    ".graph .mark.right{stroke:var(--right-line);stroke-dasharray:none}"
    ".graph .mark-value{fill:var(--ink);font-weight:700;font-size:12px}"
)
"""Style of graphs, based on the colors of a palette."""

_SIDES = ("left", "right")
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, WIDTH - 14, 30, HEIGHT - 40
_LEADING_DIGITS = (1, 2, 5, 10)
"""Leading digits of the distance between two ticks."""
_MOST_TICKS_UP, _MOST_TICKS_ACROSS = 5, 8


def _draw_graph_svg(graph: Graph) -> str:
    """Return a graph as an SVG element for a page."""
    drawn = "".join(_GraphDrawing(graph).draw())
    about = escape(printable(graph.about))
    return (
        f'<svg class="graph" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'aria-label="{about}">{drawn}</svg>'
    )


def choose_axis_ticks(most: float, count: int) -> list[int]:
    """Return about `count` round numbers, from 0 to at most `most`, to label an axis.

    >>> choose_axis_ticks(167, 5), choose_axis_ticks(3, 5)
    ([0, 50, 100, 150], [0, 1, 2, 3])
    """
    rough = max(most / count, 1)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * digit for digit in _LEADING_DIGITS if power * digit >= rough)
    return list(range(0, math.floor(most) + 1, int(step)))


class _GraphDrawing:
    """A graph with the scales of its two axes."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        points = [point for curve in graph.curves for point in curve.points]
        self._across = max((across for across, _ in points), default=0) or 1
        heights = [height for _, height in points]
        self._most = max([*heights, graph.goal or 0], default=0) or 1

    def _find_x(self, across: float) -> float:
        """Return the x coordinate of a value on the horizontal axis."""
        return _LEFT + (_RIGHT - _LEFT) * across / self._across

    def _find_y(self, height: float) -> float:
        """Return the y coordinate of a value on the vertical axis."""
        return _BOTTOM - (_BOTTOM - _TOP) * height / self._most

    def draw(self) -> Iterator[str]:
        """Yield the SVG elements of the graph: axes, goal line, curves and marks."""
        yield from self._draw_axes()
        if self._graph.goal is not None:
            y = self._find_y(self._graph.goal)
            yield f'<path class="goal" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>'
        for curve in self._graph.curves:
            yield self._draw_curve(curve)
        for mark in self._graph.marks:
            yield self._draw_mark(mark)

    def _draw_axes(self) -> Iterator[str]:
        """Yield the SVG of grid lines and of the axes' numbers and names."""
        for height in choose_axis_ticks(self._most, _MOST_TICKS_UP):
            y = self._find_y(height)
            yield f'<path class="{"grid" if height else "axis"}" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>'
            yield f'<text x="{_LEFT - 8}" y="{y + 4.5:.1f}" text-anchor="end">{height}</text>'
        for across in choose_axis_ticks(self._across, _MOST_TICKS_ACROSS):
            x = self._find_x(across)
            yield f'<text x="{x:.1f}" y="{_BOTTOM + 18}" text-anchor="middle">{across}</text>'
        middle = (_LEFT + _RIGHT) / 2
        words = escape(printable(self._graph.across))
        yield f'<text x="{middle:.1f}" y="{HEIGHT - 4}" text-anchor="middle">{words}</text>'
        yield f'<text x="2" y="13">{escape(printable(self._graph.up))}</text>'

    def _draw_curve(self, curve: Curve) -> str:
        """Return a curve as an SVG line through its points."""
        places = " ".join(
            f"{self._find_x(across):.1f},{self._find_y(up):.1f}" for across, up in curve.points
        )
        return f'<polyline class="{_SIDES[curve.side]}" points="{places}"/>'

    def _draw_mark(self, mark: Mark) -> str:
        """Return the SVG of an event on a curve, such as a double."""
        x, y = self._find_x(mark.across), self._find_y(self._find_height_at_mark(mark))
        text, about = escape(printable(mark.text)), escape(printable(mark.about))
        return (
            f"<g><title>{about}</title>"
            f'<rect class="mark {_SIDES[mark.side]}" x="{x - 10:.1f}" y="{y - 10:.1f}" '
            f'width="20" height="20" rx="4"/>'
            f'<text class="mark-value" x="{x:.1f}" y="{y + 4.5:.1f}" '
            f'text-anchor="middle">{text}</text></g>'
        )

    def _find_height_at_mark(self, mark: Mark) -> float:
        """Return the value that a curve has at a marked event."""
        (points,) = (curve.points for curve in self._graph.curves if curve.side == mark.side)
        heights = [height for across, height in points if across <= mark.across]
        return heights[-1] if heights else points[0][1]
