"""Boards as pictures: shapes and colors, drawn as SVG or PNG.

The side on roll is at the bottom, as in text. Colors belong to the columns of the match file, so a
player keeps one color through a match. Checkers of the right column have a ring, for readers who
cannot distinguish the colors.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Literal, NamedTuple, TypeAlias

from bganalyze.app.render.board import (
    MOST_STACKED,
    Scene,
    Stack,
    describe_pips_and_score,
    shorten_name,
    stack_checkers,
)
from bganalyze.board.position import BAR, OFF
from bganalyze.record.own_files import MARK
from bganalyze.text import printable

WIDTH, HEIGHT = 606, 516

Role: TypeAlias = Literal[
    "frame",
    "field",
    "even",
    "odd",
    "bar",
    "left",
    "right",
    "left-ring",
    "right-ring",
    "left-count",
    "right-count",
    "cube",
    "cube-value",
    "number",
    "name",
    "note",
    "marked",
    "movement",
]
"""The role of a shape, which palettes and styles translate into a look."""

Anchor: TypeAlias = Literal["start", "middle", "end"]


class Block(NamedTuple):
    """A rectangle with rounded corners."""

    role: Role
    x: float
    y: float
    width: float
    height: float
    corner: float = 0


class Wedge(NamedTuple):
    """A triangle, by the left end of its base, its width and its height."""

    role: Role
    x: float
    y: float
    width: float
    height: float
    """Negative if the tip points up."""


class Disc(NamedTuple):
    """A circle."""

    role: Role
    x: float
    y: float
    radius: float


class Words(NamedTuple):
    """A line of text, centered on `y`."""

    role: Role
    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "middle"


class Arrow(NamedTuple):
    """An arrow, by the corners of its outline."""

    role: Role
    corners: tuple[tuple[float, float], ...]


Shape: TypeAlias = Block | Wedge | Disc | Words | Arrow

STEP = 40
"""The width of a point."""
_RADIUS = 18.5
_LEFT, _TOP = 12, 56
_RIGHT, _BOTTOM = _LEFT + 13 * STEP, _TOP + 404
_MIDDLE = (_TOP + _BOTTOM) / 2
_BAR_LEFT = _LEFT + 6 * STEP
_TRAY = _RIGHT + 10 + 32
_DIE = 32
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Places of the pips of each face, across and down from the middle of the die."""


def draw_board_shapes(scene: Scene) -> Iterator[Shape]:
    """Yield the shapes of a board in the order in which they are drawn."""
    yield from _draw_empty_board()
    yield from _draw_pieces(scene)


def _draw_empty_board() -> Iterator[Shape]:
    """Yield the shapes of the empty board."""
    yield Block("frame", _LEFT - 6, _TOP - 6, 13 * STEP + 12, _BOTTOM - _TOP + 12, 8)
    yield Block("field", _LEFT, _TOP, 13 * STEP, _BOTTOM - _TOP)
    yield from _draw_points()
    yield Block("bar", _BAR_LEFT, _TOP, STEP, _BOTTOM - _TOP)


def _draw_pieces(scene: Scene) -> Iterator[Shape]:
    """Yield the shapes of checkers, dice, cube and captions."""
    for side in (1, 0):
        yield from _draw_caption(scene, side)
        yield from _draw_borne_off(scene, side)
    yield from _draw_checkers(scene)
    yield from _draw_marks(scene)
    yield from _draw_arrows(scene)
    yield from _draw_dice(scene)
    yield from _draw_cube(scene)
    if scene.crawford:
        yield Words("note", _LEFT + 3 * STEP, _MIDDLE, "Crawford game", 18)


def _draw_points() -> Iterator[Shape]:
    """Yield the triangles of the points, and their numbers."""
    height = STEP * MOST_STACKED - 14
    for point in range(1, 25):
        role: Role = "odd" if point % 2 else "even"
        x = _find_middle_x(point) - STEP / 2
        y, up = (_BOTTOM, -1) if point <= 12 else (_TOP, 1)
        yield Wedge(role, x, y, STEP, up * height)
        yield Words("number", x + STEP / 2, _find_number_y(point), str(point), 15)


def _find_number_y(point: int) -> float:
    """Return the y coordinate at which the number of a point is written."""
    return _BOTTOM + 17 if point <= 12 else _TOP - 17


def _draw_marks(scene: Scene) -> Iterator[Shape]:
    """Yield a ring around the number of each marked point."""
    for point in sorted(scene.marked):
        yield Disc("marked", _find_middle_x(point), _find_number_y(point), 13)


def _draw_arrows(scene: Scene) -> Iterator[Shape]:
    """Yield an arrow for each checker movement of the side that decides."""
    for number, (source, target) in enumerate(scene.arrows):
        start, end = _locate_arrow_end(source, number), _locate_arrow_end(target, number)
        yield Arrow("movement", tuple(_draw_arrow_outline(start, end)))


def _locate_arrow_end(point: int, arrow_index: int) -> tuple[float, float]:
    """Return the x and y coordinates of an arrow's end on a point of the board.

    `arrow_index` shifts the end a little, so that several arrows at one point stay apart.
    """
    aside = 9 * (arrow_index % 3 - 1)
    if point == OFF:
        return _TRAY, _BOTTOM - 40 + aside
    height = _TOP + 96 if point > 12 else _BOTTOM - 96
    return _find_middle_x(point) + aside, height + aside


_SHAFT, _HEAD, _HEAD_LENGTH = 3.0, 10.0, 20.0
"""Half the width of an arrow's shaft and head, and the length of the head."""


def _draw_arrow_outline(
    start: tuple[float, float], end: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    """Yield the corners of the outline of an arrow from `start` to `end`."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down) or 1.0
    along = across / length, down / length
    neck = max(length - _HEAD_LENGTH, 0.0)
    for forward, aside in (
        (0.0, _SHAFT), (neck, _SHAFT), (neck, _HEAD), (length, 0.0),
        (neck, -_HEAD), (neck, -_SHAFT), (0.0, -_SHAFT),
    ):  # fmt: skip
        yield (
            start[0] + along[0] * forward - along[1] * aside,
            start[1] + along[1] * forward + along[0] * aside,
        )


def _find_middle_x(point: int) -> float:
    """Return the x coordinate of the middle of a point or of the bar."""
    if point == BAR:
        return _BAR_LEFT + STEP / 2
    from_right = min(point, BAR - point)
    beyond_bar = from_right > 6
    return _RIGHT - STEP * (from_right + beyond_bar) + STEP / 2


def _draw_caption(scene: Scene, side: int) -> Iterator[Shape]:
    """Yield the caption of a side: a disc in its color, its name, pips and score."""
    y = 15 if side else HEIGHT - 15
    yield from _draw_checker(scene, side, _LEFT + 4, y, 9)
    yield Words("name", _LEFT + 22, y, shorten_name(scene.names[side]), 20, "start")
    yield Words("note", _RIGHT, y, " · ".join(describe_pips_and_score(scene, side)), 17, "end")


def _draw_checker(scene: Scene, side: int, x: float, y: float, radius: float) -> Iterator[Shape]:
    """Yield the shapes of one checker: a disc around (`x`, `y`) and its ring."""
    color, ring, _ = _choose_checker_colors(scene, side)
    yield Disc(color, x, y, radius)
    yield Disc(ring, x, y, 0.62 * radius)


def _choose_checker_colors(scene: Scene, side: int) -> tuple[Role, Role, Role]:
    """Return the names of a side's colors: for checkers, for their rings, and for numbers."""
    if scene.side ^ side:
        return "right", "right-ring", "right-count"
    return "left", "left-ring", "left-count"


def _draw_checkers(scene: Scene) -> Iterator[Shape]:
    """Yield the checkers of both sides on the points and on the bar."""
    for point in range(1, BAR):
        for stack in stack_checkers(scene, point):
            yield from _draw_stack(scene, stack, point, point <= 12)
    for side in (1, 0):
        count = scene.position[side][BAR]
        stack = Stack(side, 0, min(count, MOST_STACKED), count)
        yield from _draw_stack(scene, stack, BAR, side == 1)


def _draw_stack(scene: Scene, stack: Stack, point: int, at_bottom: bool) -> Iterator[Shape]:
    """Yield the checkers of one side on a point, with a number if they are too many to draw."""
    x = _find_middle_x(point)
    start, up = (_BOTTOM - STEP / 2 + 1, -1) if at_bottom else (_TOP + STEP / 2 - 1, 1)
    heights = [start + up * (STEP - 2) * (stack.level + number) for number in range(stack.shown)]
    for y in heights:
        yield from _draw_checker(scene, stack.side, x, y, _RADIUS)
    if stack.checkers > stack.shown:
        count_role = _choose_checker_colors(scene, stack.side)[2]
        yield Words(count_role, x, heights[-1], str(stack.checkers), 20)


def _draw_borne_off(scene: Scene, side: int) -> Iterator[Shape]:
    """Yield the checkers that a side has borne off, and their number."""
    count = scene.position[side][OFF]
    if not count:
        return
    start, up = (_TOP, 1) if side else (_BOTTOM, -1)
    for level in range(min(count, 15)):
        y = start + up * 6 * level - (0 if side else 5)
        yield Block(_choose_checker_colors(scene, side)[0], _TRAY - 16, y, 32, 5, 2)
    yield Words("note", _TRAY, start + up * (6 * min(count, 15) + 10), f"{count} off", 15)


def _draw_dice(scene: Scene) -> Iterator[Shape]:
    """Yield the dice, if there are any, with their spots."""
    color, _, spot = _choose_checker_colors(scene, 0)
    for place, face in zip((-1, 1), scene.dice or (), strict=False):
        x = _RIGHT - 3 * STEP + place * 22
        yield Block(color, x - _DIE / 2, _MIDDLE - _DIE / 2, _DIE, _DIE, 6)
        for across, down in _PIPS[face]:
            yield Disc(spot, x + 9 * across, _MIDDLE + 9 * down, 3)


def _draw_cube(scene: Scene) -> Iterator[Shape]:
    """Yield the cube, beside its owner or in the middle."""
    y = _MIDDLE if scene.owner is None else (_BOTTOM - 136 if scene.owner == 0 else _TOP + 136)
    text = str(scene.cube)
    yield Block("cube", _TRAY - 19, y - 19, 38, 38, 6)
    yield Words("cube-value", _TRAY, y, text, 20 if len(text) < 3 else 14)


def describe_board(scene: Scene) -> str:
    """Return the board in words, for readers who cannot see it."""
    roll = f" with {scene.dice[0]}-{scene.dice[1]}" if scene.dice else ""
    task = "to answer a double" if scene.is_answer else f"on roll{roll}"
    names = decider, opponent = shorten_name(scene.names[0]), shorten_name(scene.names[1])
    has, opponent_has = ("have" if name == "you" else "has" for name in names)
    owner = "in the middle" if scene.owner is None else f"with {names[scene.owner]}"
    return (
        f"{decider}, {task}, {has} {_describe_checkers(scene, 0)}. {opponent} {opponent_has} {_describe_checkers(scene, 1)}."
        f" The cube is {owner} at {scene.cube}."
    )


def _describe_checkers(scene: Scene, side: int) -> str:
    """Return the checkers of a side in words, such as `2 on 6, 13 off; 12 pips`."""
    counts = scene.position[side]
    names = {BAR: "the bar", **{point: str(point) for point in range(1, BAR)}}
    on = [f"{counts[point]} on {names[point]}" for point in range(BAR, OFF, -1) if counts[point]]
    off = [f"{counts[OFF]} off"] if counts[OFF] else []
    return f"{', '.join([*on, *off])}; {', '.join(describe_pips_and_score(scene, side))}"


# All colors, on light and on dark screens.
#
# The sides have the blue and the orange of Okabe and Ito's palette, which color-blind readers can
# distinguish. They also differ in lightness, for prints in black and white.

_COLORS = {
    "page": ("#fbfaf7", "#14181c"),
    "card": ("#ffffff", "#1c2228"),
    "ink": ("#1d2329", "#e8eaed"),
    "soft": ("#59636e", "#a4adb6"),
    "line": ("#d9d5cb", "#38414a"),
    "accent": ("#8a4b08", "#f0b46a"),
    "left": ("#0b4f8a", "#2f82c4"),
    "right": ("#f2b134", "#f2b134"),
    "left-line": ("#0b5fa5", "#62b0ee"),
    "right-line": ("#b06f00", "#f2b134"),
    "left-ring": ("#3d7db5", "#a5d0f2"),
    "right-ring": ("#8a5a00", "#8a5a00"),
    "left-count": ("#ffffff", "#ffffff"),
    "right-count": ("#1d1402", "#1d1402"),
    "edge": ("#10202d", "#05090c"),
    "frame": ("#5b4a3a", "#3d3229"),
    "field": ("#efe7d6", "#2b2620"),
    "even": ("#d3c3a3", "#5d5140"),
    "odd": ("#b59f7b", "#463c2f"),
    "bar": ("#7a6651", "#241e18"),
    "arrow": ("#0f6b50", "#3ddba6"),
    "tried": ("#9c2a75", "#ff9bd2"),
    "cube": ("#ffffff", "#e8eaed"),
    "cube-value": ("#1d2329", "#14181c"),
    "error": ("#b3261e", "#ff8a80"),
    "warning": ("#7d5700", "#f5c46b"),
    "info": ("#0b5fa5", "#8cc8ff"),
}
"""Each color on light and on dark screens."""

LIGHT = {role: light for role, (light, _) in _COLORS.items()}
DARK = {role: dark for role, (_, dark) in _COLORS.items()}


def make_css_variables(palette: Mapping[str, str]) -> str:
    """Return the colors of a palette as definitions of CSS variables.

    >>> make_css_variables({"ink": "#000000"})
    '--ink:#000000;'
    """
    return "".join(f"--{name}:{color};" for name, color in palette.items())


# Boards as PNG, drawn by matplotlib from the shapes of the SVG, in light colors.

DOTS = 2
"""Pixels per unit of the drawing."""

_INCH = 72
_STROKES = {
    "left": ("edge", 1.0),
    "right": ("edge", 1.0),
    "cube": ("edge", 1.5),
    "right-ring": ("right-ring", 2.0),
    "marked": ("error", 2.0),
}
"""Color and width of outlines; other shapes have none."""
_HOLLOW = ("left-ring", "right-ring", "marked")
_WRITTEN = {"number": "soft", "note": "soft", "name": "ink", "movement": "arrow"}
_BOLD = ("name", "cube-value", "left-count", "right-count")
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def board_png(scene: Scene) -> bytes:
    """Return a board as a PNG."""
    from bganalyze.statistics.plots.defaults import default_settings

    # Characters missing from the font are drawn as boxes.
    with default_settings():
        return _draw_png(scene)


def _draw_png(scene: Scene) -> bytes:
    """Return a board as a PNG, drawn with matplotlib's current settings."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / _INCH, HEIGHT / _INCH), dpi=_INCH * DOTS)
    FigureCanvasAgg(figure)
    figure.patch.set_facecolor(LIGHT["page"])
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.set_axis_off()
    for shape in draw_board_shapes(scene):
        _draw_shape(shape, axes)
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing", category=UserWarning)
        figure.savefig(picture, format="png", metadata={"Software": MARK})
    return picture.getvalue()


def _draw_shape(shape: Shape, axes: Any) -> None:
    """Draw a shape on matplotlib's `axes`."""
    from matplotlib import patches

    look = _choose_patch_style(shape.role)
    match shape:
        case Block(_, x, y, width, height, corner):
            box = f"round,pad=0,rounding_size={corner}"
            axes.add_patch(patches.FancyBboxPatch((x, y), width, height, boxstyle=box, **look))
        case Wedge(_, x, y, width, height):
            triangle = [(x, y), (x + width, y), (x + width / 2, y + height)]
            axes.add_patch(patches.Polygon(triangle, **look))
        case Disc(_, x, y, radius):
            axes.add_patch(patches.Circle((x, y), radius, **look))
        case Arrow(_, corners):
            axes.add_patch(patches.Polygon(corners, **look))
        case _:
            color = LIGHT[_WRITTEN.get(shape.role, shape.role)]
            axes.text(
                shape.x,
                shape.y,
                printable(shape.text),
                color=color,
                fontsize=shape.size * 0.95,
                fontweight="bold" if shape.role in _BOLD else "normal",
                horizontalalignment=_ANCHORS[shape.anchor],
                verticalalignment="center_baseline",
                parse_math=False,
            )


def _choose_patch_style(role: str) -> dict[str, Any]:
    """Return a shape's fill color, edge color and line width, by matplotlib's names for them.

    `role` is what the shape shows, such as `left` (a checker of the left player).
    """
    color, width = _STROKES.get(role, ("edge", 0.0))
    fill = "none" if role in _HOLLOW else LIGHT[_WRITTEN.get(role, role)]
    return {"facecolor": fill, "edgecolor": LIGHT[color] if width else "none", "linewidth": width}


# Boards as SVG: as separate pictures, and as parts of a page that has `STYLE`.

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
    ".board .movement{fill:var(--arrow);stroke:var(--card);stroke-width:1}"
    ".board .marked{fill:none;stroke:var(--error);stroke-width:2}"
)
"""Style of boards, based on the colors of a palette."""


def board_svg(scene: Scene) -> str:
    """Return a board as SVG with its own styles, for light and dark screens."""
    # In a page of HTML, this style must change nothing but boards.
    style = (
        f"svg.board{{{make_css_variables(LIGHT)}}}"
        f"@media (prefers-color-scheme:dark){{svg.board{{{make_css_variables(DARK)}background:var(--page)}}}}"
        + STYLE
    )
    about = f"<desc>{MARK}</desc><style>{style}</style>"
    size = f' xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
    return (
        _wrap_in_svg_element(
            scene, about + "".join(map(_write_shape_as_svg, draw_board_shapes(scene))), size
        )
        + "\n"
    )


def empty_board_svg() -> str:
    """Return a hidden SVG of the empty board, which all boards of a page refer to."""
    return (
        '<svg class="spoken" aria-hidden="true"><g id="empty-board" class="board">'
        f"{''.join(map(_write_shape_as_svg, _draw_empty_board()))}</g></svg>"
    )


def board_svg_on_page(scene: Scene) -> str:
    """Return a board as SVG for a page that contains `empty_board_svg()`."""
    return _wrap_in_svg_element(
        scene, '<use href="#empty-board"/>' + "".join(map(_write_shape_as_svg, _draw_pieces(scene)))
    )


def _wrap_in_svg_element(scene: Scene, drawn: str, attributes: str = "") -> str:
    """Return the whole SVG of a board, with a label for screen readers.

    `drawn` is the SVG of the board's shapes.
    """
    label = escape(printable(describe_board(scene)))
    return (
        f'<svg class="board" role="img" viewBox="0 0 {WIDTH} {HEIGHT}"{attributes} '
        f'aria-label="{label}">{drawn}</svg>'
    )


def _write_shape_as_svg(shape: Shape) -> str:
    """Return the SVG of a shape."""
    match shape:
        case Block(role, x, y, width, height, corner):
            size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            return f'<rect class="{role}" {size} rx="{corner:g}"/>'
        case Wedge(role, x, y, width, height):
            return f'<path class="{role}" d="M{x:g} {y:g}h{width:g}l{-width / 2:g} {height:g}z"/>'
        case Disc(role, x, y, radius):
            return f'<circle class="{role}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
        case Arrow(role, corners):
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
            return f'<polygon class="{role}" points="{points}"/>'
    place = f'x="{shape.x:g}" y="{shape.y:g}" text-anchor="{shape.anchor}"'
    text = escape(printable(shape.text))
    return f'<text class="{shape.role}" {place} font-size="{shape.size:g}">{text}</text>'
