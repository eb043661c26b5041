"""The drawing of the board."""

import pytest
from rich.cells import cell_len

from bganalyze.app.render.board import (
    WIDTH,
    Scene,
    Stack,
    _draw_bar_cell,
    draw_board_text,
    make_scene,
    stack_checkers,
)
from bganalyze.board.ids import parse_xgid
from bganalyze.board.position import BAR, OFF, Position, points, swap_sides

LATE = Position(
    points({BAR: 1, 13: 7, 6: 4, 3: 1, OFF: 2}), points({24: 1, BAR: 2, 20: 3, 1: 8, OFF: 1})
)


def test_a_late_position() -> None:
    drawing = Scene(LATE, ("Alice", "Bob"), (1, 2), 5, cube=4, owner=1, dice=(6, 6))
    assert draw_board_text(drawing, "ascii") == [
        "O Bob  142 pips  2 of 5",
        "+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+",
        "| X                 | X |                O  | off 1",
        "| X                 |   |                O  | [4]",
        "| X                 |   |                O  |",
        "| X                 |   |                O  |",
        "| 7                 |   |                8  |",
        "|                   |   |        6 6        |",
        "|                   |   |                   |",
        "|                   |   | X                 |",
        "|                   |   | X  O              |",
        "|                   | O | X  O              |",
        "|                   | O | X  O     X     O  | off 2",
        "+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+",
        "X Alice  143 pips  1 of 5",
    ]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("own", "other", "column"),
    [(1, 2, "O O X - -"), (2, 1, "X X O - -"), (6, 1, "X X X X6 O"), (3, 9, "O O O O9 X3")],
)
def test_the_larger_side_of_a_shared_point_is_at_the_edge(
    own: int, other: int, column: str, side: int
) -> None:
    position = Position(points({6: own}), points({19: other}))
    drawing = draw_board_text(Scene(position, side=side), "ascii")
    assert [line[25:28].strip() or "-" for line in drawing[12:7:-1]] == column.split()
    if own != other:  # The other player sees the same stacks.
        turned = draw_board_text(Scene(swap_sides(position), side=1 - side), "ascii")
        seen = [line[25:28].strip() or "-" for line in turned[2:7]]
        assert seen == column.translate({ord("X"): "O", ord("O"): "X"}).split()


def test_the_left_player_is_at_the_edge_of_a_point_with_as_many_of_both() -> None:
    position = Position(points({6: 2}), points({19: 2}))
    for side, column in enumerate(("XXOO", "OOXX")):
        drawing = draw_board_text(Scene(position, side=side), "ascii")
        assert "".join(line[26] for line in drawing[12:8:-1]) == column


@pytest.mark.parametrize(
    ("owner", "row"), [(None, 7), (1, 3), (0, 11)], ids=["centered", "other's", "own"]
)
def test_the_cube_is_at_its_owner(owner: int | None, row: int) -> None:
    drawing = draw_board_text(Scene(LATE, cube=2, owner=owner))
    assert [number for number, line in enumerate(drawing) if "[2]" in line] == [row]


def test_the_crawford_game_is_marked() -> None:
    assert "Crawford game" in draw_board_text(Scene(LATE, crawford=True))[7]


@pytest.mark.parametrize("name", ["x" * 200, "日本" * 50, "a\x1b" * 50, ""])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_no_name_is_too_long(name: str, encoding: str) -> None:
    drawing = draw_board_text(Scene(LATE, (name, name), (10, 10), 25), encoding)
    assert max(map(cell_len, drawing)) <= WIDTH
    assert all(line.isprintable() for line in drawing)


def test_an_identifier_is_seen_by_the_side_on_roll() -> None:
    situation = parse_xgid("XGID=-a---BD-B---eE---c-e----B-:1:1:-1:42:3:1:0:5:10")
    drawing = make_scene(situation, ("Left", "Right"))
    assert (drawing.names, drawing.score, drawing.owner) == (("Right", "Left"), (1, 3), 1)
    assert (drawing.cube, drawing.dice, drawing.length) == (2, (4, 2), 5)


def test_on_a_shared_point_the_smaller_stack_is_above() -> None:
    scene = Scene(Position(points({6: 1}), points({19: 2})))
    assert stack_checkers(scene, 6) == (
        Stack(side=1, level=0, shown=2, checkers=2),
        Stack(side=0, level=2, shown=1, checkers=1),
    )


@pytest.mark.parametrize(("line", "cell"), [(3, " X "), (4, " 7 ")])
def test_a_bar_with_too_many_checkers_shows_their_number(line: int, cell: str) -> None:
    assert _draw_bar_cell(7, "X", line) == cell
