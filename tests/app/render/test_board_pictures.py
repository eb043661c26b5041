"""The board as SVG and PNG."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bganalyze.app.render.board import Scene, make_scene
from bganalyze.app.render.board_picture import (
    DARK,
    HEIGHT,
    LIGHT,
    STYLE,
    WIDTH,
    Arrow,
    Block,
    Disc,
    Wedge,
    board_png,
    board_svg,
    describe_board,
    draw_board_shapes,
)
from bganalyze.board.ids import parse_xgid
from bganalyze.board.position import BAR, OFF, Position, points, start_position
from bganalyze.record.own_files import MARK
from tests.nasty import NAMES

LATE = Position(
    points({BAR: 1, 13: 7, 6: 4, 3: 1, OFF: 2}), points({24: 1, BAR: 2, 20: 3, 1: 8, OFF: 1})
)
DRAWN = Scene(LATE, ("Alice", "Bob"), (1, 2), 5, cube=4, owner=1, dice=(6, 6))

sides = st.lists(st.integers(1, 25), max_size=15).map(
    lambda on: points({point: on.count(point) for point in {*on}} | {OFF: 15 - len(on)})
)
scenes = st.builds(
    Scene,
    position=st.builds(Position, sides, sides),
    names=st.tuples(st.text(), st.text()),
    cube=st.sampled_from([1, 2, 64, 1024]),
    owner=st.sampled_from([None, 0, 1]),
    dice=st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
    side=st.integers(0, 1),
    marked=st.frozensets(st.integers(1, 24)),
    arrows=st.lists(st.tuples(st.integers(1, 25), st.integers(0, 24)), max_size=4).map(tuple),
)


def root(text: str) -> ET.Element:
    return ET.fromstring(text)


def texts(scene: Scene) -> list[str]:
    return [element.text or "" for element in root(board_svg(scene)).iterfind(".//{*}text")]


def checkers(scene: Scene, role: str) -> int:
    """Return the number of checkers of a color drawn on the points and on the bar."""
    return sum(
        isinstance(s, Disc) and s.role == role and s.radius > 15 for s in draw_board_shapes(scene)
    )


def test_the_start_has_fifteen_checkers_a_side() -> None:
    start = Scene(start_position("standard"))
    assert (checkers(start, "left"), checkers(start, "right")) == (15, 15)


def test_of_more_than_five_the_last_bears_the_number() -> None:
    assert checkers(DRAWN, "left") == 1 + 5 + 4 + 1
    assert {"7", "8"} <= set(texts(DRAWN))
    roles = [shape.role for shape in draw_board_shapes(DRAWN)]
    assert (roles.count("left-count"), roles.count("right-count")) == (1 + 2 * 6, 1)


@pytest.mark.slow
@settings(max_examples=50)
@given(scenes)
def test_no_checker_covers_another(scene: Scene) -> None:
    shown = [s for s in draw_board_shapes(scene) if isinstance(s, Disc) and s.radius > 15]
    centers = [(disc.x, disc.y) for disc in shown if not disc.role.endswith("ring")]
    assert len({*centers}) == len(centers)


def test_the_side_on_roll_sits_at_the_bottom_in_the_color_of_its_column() -> None:
    for side, role in enumerate(("left", "right")):
        drawing = Scene(start_position("standard"), side=side)
        at_bottom = [
            s for s in draw_board_shapes(drawing) if isinstance(s, Disc) and s.y > HEIGHT / 2
        ]
        six = [s for s in at_bottom if s.x == 312 and s.radius > 15]
        assert {s.role for s in six} == {role}


def test_captions_and_cube() -> None:
    labels = texts(DRAWN)
    assert {"Alice", "Bob", "143 pips · 1 of 5", "142 pips · 2 of 5", "4"} <= set(labels)
    assert {"1 off", "2 off"} <= set(labels)
    assert set(map(str, range(1, 25))) <= set(labels)


@pytest.mark.parametrize(("owner", "above"), [(None, None), (0, False), (1, True)])
def test_the_cube_is_at_its_owner(owner: int | None, above: bool | None) -> None:
    (cube,) = (s for s in draw_board_shapes(Scene(LATE, owner=owner)) if s.role == "cube")
    assert isinstance(cube, Block)
    middle = cube.y + cube.height / 2
    assert (middle < HEIGHT / 2 if above is not None else None) == above


def test_what_it_shows_is_told_in_words() -> None:
    assert describe_board(DRAWN) == (
        "Alice, on roll with 6-6, has 1 on the bar, 7 on 13, 4 on 6, 1 on 3, 2 off; 143 pips, "
        "1 of 5. Bob has 2 on the bar, 1 on 24, 3 on 20, 8 on 1, 1 off; 142 pips, 2 of 5. "
        "The cube is with Bob at 4."
    )
    assert root(board_svg(DRAWN)).get("aria-label") == describe_board(DRAWN)


@pytest.mark.slow
@settings(max_examples=50)
@given(scenes)
def test_every_board_is_drawn_inside_the_picture(scene: Scene) -> None:
    root(board_svg(scene))
    for shape in draw_board_shapes(scene):
        if isinstance(shape, Block | Wedge):
            ends = sorted((shape.y, shape.y + shape.height))
            assert 0 <= shape.x <= shape.x + shape.width <= WIDTH
            assert 0 <= ends[0] <= ends[1] <= HEIGHT
        else:
            places = shape.corners if isinstance(shape, Arrow) else [(shape.x, shape.y)]
            assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)


def test_an_arrow_leads_from_point_to_point() -> None:
    scene = Scene(start_position("standard"), arrows=((8, 5), (6, 5)))
    arrows = [shape for shape in draw_board_shapes(scene) if isinstance(shape, Arrow)]
    tips = [arrow.corners[3] for arrow in arrows]
    tails = [(arrow.corners[0][0] + arrow.corners[-1][0]) / 2 for arrow in arrows]
    assert all(tail < tip for tail, (tip, _) in zip(tails, tips, strict=True))
    assert tips[0] != tips[1]
    assert board_svg(scene).count("<polygon") == 2


@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_a_picture(name: str) -> None:
    scene = Scene(LATE, (name, name))
    assert not [e for e in root(board_svg(scene)).iter() if e.tag.endswith("script")]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_drawn_whatever_the_name(name: str) -> None:
    assert board_png(Scene(LATE, (name, name))).startswith(b"\x89PNG")


def test_every_color_is_there_by_day_and_by_night() -> None:
    roles = set(re.findall(r"var\(--([a-z-]+)\)", board_svg(DRAWN)))
    assert roles <= set(LIGHT)
    assert set(LIGHT) == set(DARK)
    drawn = {shape.role for shape in draw_board_shapes(DRAWN._replace(crawford=True))}
    assert all(f".board .{role}{{" in STYLE or f".{role}," in STYLE for role in drawn)


def luminance(color: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(color: str, background: str) -> float:
    light, dark = sorted((luminance(color), luminance(background)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_sides_stand_out(palette: dict[str, str]) -> None:
    for ink in ("ink", "soft", "accent", "error", "warning", "info", "left-line"):
        for ground in ("page", "card"):
            assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)
    assert contrast(palette["right-line"], palette["card"]) >= 3
    assert contrast(palette["left-count"], palette["left"]) >= 3
    assert contrast(palette["right-count"], palette["right"]) >= 4.5
    assert contrast(palette["left"], palette["right"]) >= 2


@pytest.mark.slow
def test_both_pictures_say_who_made_them() -> None:
    assert MARK in board_svg(DRAWN)[:1000]
    assert MARK.encode() in board_png(DRAWN)[:1000]


def test_the_png_has_two_pixels_a_unit() -> None:
    head = board_png(DRAWN)[16:24]
    size = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")
    assert size == (2 * WIDTH, 2 * HEIGHT)


def test_the_side_that_answers_a_double_is_at_the_bottom_in_words_too() -> None:
    offered = parse_xgid("XGID=-B-B-aC-A---cC-b---ebbCA--:0:0:-1:D:0:0:0:3:10")
    words = describe_board(make_scene(offered, ("you", "Bob")))
    assert words.startswith("you, to answer a double, have 1 on 23, ")
    assert " Bob has " in words


def test_few_checkers_are_told_in_words() -> None:
    late = Position(points({6: 2, 0: 13}), points({25: 1, 0: 14}))
    said = describe_board(Scene(late, ("Ann", "Bob"), dice=(3, 1)))
    assert said.startswith("Ann, on roll with 3-1, has 2 on 6, 13 off; 12 pips. Bob has 1 on")
