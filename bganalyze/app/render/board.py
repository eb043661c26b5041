"""Boards as text, with the side that decides at the bottom and points numbered from its side.

○ Bob  167 pips  score 1
┌─13─14─15─16─17─18─┬───┬─19─20─21─22─23─24─┐
│ ●              ○  │   │ ○              ●  │
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.ids import Situation, gnubg_id, ogid, xgid
from bganalyze.board.plays import legal_plays, notation
from bganalyze.board.position import BAR, OFF, Position, pips, swap_sides
from bganalyze.record.model import (
    SIDE_NAMES,
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    GameReplayed,
    Match,
    Play,
    PointsGiven,
    Resignation,
    Result,
    SetUp,
)
from bganalyze.text import cut_text, number_of, printable
from bganalyze.validation.replaying.places import has_no_action, side_of, situation_before
from bganalyze.validation.replaying.replayed import Turn

WIDTH = 56
"""Greatest width of a drawing, in characters."""

MOST_STACKED = 5
"""Checkers drawn on a point at most; the last becomes a number if there are more."""
_NAME_WIDTH = 20

_OUTER_TOP, _INNER_TOP = range(13, 19), range(19, 25)
_OUTER_BOTTOM, _INNER_BOTTOM = range(12, 6, -1), range(6, 0, -1)


class Scene(NamedTuple):
    """A position with everything drawn around it. Pairs start with the side that decides."""

    position: Position
    names: tuple[str, str] = ("on roll", "opponent")
    score: tuple[int, int] | None = None
    length: int | None = None
    """0 for a money game, None if unknown."""
    crawford: bool = False
    cube: int = 1
    owner: int | None = None
    """0 the side that decides, 1 the other."""
    dice: tuple[int, int] | None = None
    side: int = 0
    """The column of the side that decides: 0 left, 1 right."""
    marked: frozenset[int] = frozenset()
    """Points to mark, numbered from the side that decides."""
    is_answer: bool = False
    """Whether the side that decides must answer a double."""
    arrows: tuple[tuple[int, int], ...] = ()
    """Movements to draw on pictures: from a point to another, numbered from the side that decides."""


def mark_differences(scene: Scene, expected: Position) -> Scene:
    """Return the scene with a mark on each point that differs from `expected`."""
    shown = scene.position
    different = (
        point
        for point in range(1, BAR)
        if shown.own[point] != expected.own[point]
        or shown.other[BAR - point] != expected.other[BAR - point]
    )
    return scene._replace(marked=frozenset(different))


class Stack(NamedTuple):
    """Checkers of a side on a point, as drawings show them."""

    side: int
    """0 the side that decides, 1 the other."""
    level: int
    """Number of checkers drawn below these."""
    shown: int
    """Number of checkers drawn. The last one bears the number of all if there are more."""
    checkers: int


def stack_checkers(scene: Scene, point: int) -> tuple[Stack, Stack]:
    """Return both sides' checkers on a point as two stacks, first the one at the board's edge.

    One of them is empty, unless an illegal play left both sides on the point.

    >>> from bganalyze.board.position import start_position
    >>> stack_checkers(Scene(start_position("standard")), 6)[0]
    Stack(side=0, level=0, shown=5, checkers=5)
    """
    counts = scene.position.own[point], scene.position.other[BAR - point]
    edge = max((0, 1), key=lambda side: (counts[side], side == scene.side))
    on_top = min(counts[1 - edge], max(MOST_STACKED - counts[edge], 1))
    at_edge = min(counts[edge], MOST_STACKED - on_top)
    return (
        Stack(edge, 0, at_edge, counts[edge]),
        Stack(1 - edge, at_edge, on_top, counts[1 - edge]),
    )


def make_scene(situation: Situation, names: tuple[str, str], flipped: bool = False) -> Scene:
    """Return a position with dice, cube and score, to be drawn for the side that decides.

    `names` are those of the left and the right player. With `flipped`, their colors are swapped.
    """
    decider = situation.on_roll ^ situation.offered
    owner = situation.cube_owner
    position = situation.position
    return Scene(
        position=swap_sides(position) if situation.offered else position,
        names=(names[decider], names[1 - decider]),
        score=(situation.scores[decider], situation.scores[1 - decider]),
        length=situation.length,
        crawford=situation.crawford,
        cube=situation.cube_value,
        owner=None if owner is None else owner ^ decider,
        dice=situation.dice,
        side=decider ^ flipped,
        is_answer=situation.offered,
    )


class _Marks(NamedTuple):
    """The characters for drawing a board as text, such as `X` for a checker."""

    own: str
    other: str
    side: str
    line: str
    top: tuple[str, str, str, str]
    """The corners and the two ends of the bar, from left to right."""
    bottom: tuple[str, str, str, str]


_UNICODE = _Marks("●", "○", "│", "─", ("┌", "┬", "┬", "┐"), ("└", "┴", "┴", "┘"))
_ASCII = _Marks("X", "O", "|", "-", ("+", "+", "+", "+"), ("+", "+", "+", "+"))


def draw_board_text(scene: Scene, encoding: str = "utf-8") -> list[str]:
    r"""Return the lines of a drawing of the board.

    >>> from bganalyze.board.position import start_position
    >>> print(*draw_board_text(Scene(start_position("standard"), dice=(4, 2)), "ascii"), sep="\n")
    O opponent  167 pips
    +-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+
    | X           O     |   | O              X  |
    | X           O     |   | O              X  |
    | X           O     |   | O                 |
    | X                 |   | O                 |
    | X                 |   | O                 |
    |                   |   |        4 2        | [1]
    | O                 |   | X                 |
    | O                 |   | X                 |
    | O           X     |   | X                 |
    | O           X     |   | X              O  |
    | O           X     |   | X              O  |
    +-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+
    X on roll  167 pips
    """
    marks = _UNICODE if "utf" in encoding.lower() else _ASCII
    roller, opponent = scene.names
    scene = scene._replace(names=(shorten_name(roller, encoding), shorten_name(opponent, encoding)))
    return [line.rstrip() for line in _draw_board_lines(scene, marks)]


def shorten_name(name: str, encoding: str = "utf-8") -> str:
    """Return a player's name, cut so that it fits beside a drawn board."""
    name = printable(name, encoding)
    if cell_len(name) <= _NAME_WIDTH:
        return name
    return cut_text(name, len(set_cell_size(name, _NAME_WIDTH - 3).rstrip())).rstrip() + "..."


def _draw_board_lines(scene: Scene, marks: _Marks) -> Iterator[str]:
    """Yield the lines of a board drawn as text."""
    yield _draw_player_line(scene, 1, marks.other)
    yield _draw_edge(marks, marks.top, _OUTER_TOP, _INNER_TOP, scene.marked)
    for row in range(MOST_STACKED):
        yield _draw_checker_row(
            scene, marks, row, (_OUTER_TOP, _INNER_TOP), 0
        ) + _make_text_beside_row(scene, 1, row)
    yield _draw_middle_line(scene, marks)
    for row in reversed(range(MOST_STACKED)):
        yield _draw_checker_row(
            scene, marks, row, (_OUTER_BOTTOM, _INNER_BOTTOM), 1
        ) + _make_text_beside_row(scene, 0, row)
    yield _draw_edge(marks, marks.bottom, _OUTER_BOTTOM, _INNER_BOTTOM, scene.marked)
    yield _draw_player_line(scene, 0, marks.own)


def _draw_player_line(scene: Scene, side: int, mark: str) -> str:
    """Return the line of a player beside the board, such as `X Ann 167 pips 3 of 7`.

    `mark` is the character for the player's checkers.
    """
    return "  ".join((f"{mark} {scene.names[side]}", *describe_pips_and_score(scene, side)))


def describe_pips_and_score(scene: Scene, side: int) -> list[str]:
    """Return a side's pip count and score, such as ["167 pips", "3 of 7"]."""
    words = [number_of(pips(scene.position[side]), "pip")]
    if scene.score is not None:
        points = scene.score[side]
        words.append(f"{points} of {scene.length}" if scene.length else f"score {points}")
    return words


def _draw_edge(
    marks: _Marks,
    corners: Sequence[str],
    left_points: Sequence[int],
    right_points: Sequence[int],
    marked: Collection[int] = (),
) -> str:
    """Return the top or bottom line of a board, with the numbers of its points.

    `corners` are the characters at its ends and beside the bar. Points in `marked` get an
    exclamation mark.
    """
    left, right = (
        _join_point_numbers(points, marks.line, marked) + marks.line
        for points in (left_points, right_points)
    )
    return corners[0] + left + corners[1] + 3 * marks.line + corners[2] + right + corners[3]


def _join_point_numbers(points: Sequence[int], fill: str, marked: Collection[int] = ()) -> str:
    """Return the numbers of points, each after `fill`; a number in `marked` follows `!`.

    >>> _join_point_numbers([13, 14], "-"), _join_point_numbers([6], "-", marked=[6])
    ('-13-14', '-!6')
    """
    numbers = (f"!{point}" if point in marked else str(point) for point in points)
    return "".join(number.rjust(3, fill) for number in numbers)


def _draw_checker_row(
    scene: Scene,
    marks: _Marks,
    line_from_edge: int,
    halves: tuple[Sequence[int], Sequence[int]],
    side_on_bar: int,
) -> str:
    """Return one line of a drawn board, with the checkers on points and bar.

    `line_from_edge` is the line's distance from the board's edge, 0 for the nearest. `halves` are
    the points left and right of the bar.
    """
    outer, inner = (
        "".join(_draw_point_row(scene, point, marks, line_from_edge) for point in half) + " "
        for half in halves
    )
    bar = _draw_bar_cell(
        scene.position[side_on_bar][BAR], (marks.own, marks.other)[side_on_bar], line_from_edge
    )
    return marks.side + outer + marks.side + bar + marks.side + inner + marks.side


def _draw_point_row(scene: Scene, point: int, marks: _Marks, line_from_edge: int) -> str:
    """Return three characters that show a point in one line of a drawn board.

    `line_from_edge` is the line's distance from the board's edge, 0 for the nearest. If a stack has
    more checkers than fit, its last line shows their number.
    """
    at_edge, on_top = stack_checkers(scene, point)
    stack = at_edge if line_from_edge < at_edge.shown else on_top
    mark = (marks.own, marks.other)[stack.side]
    if line_from_edge >= stack.level + stack.shown:
        return "   "
    if stack.checkers == stack.shown or line_from_edge < stack.level + stack.shown - 1:
        return f" {mark} "
    return f"{mark}{stack.checkers}".rjust(3) if on_top.checkers else f"{stack.checkers:^3}"


def _draw_bar_cell(count: int, mark: str, line_from_edge: int) -> str:
    """Return three characters that show the bar in one line of a drawn board.

    The bar holds `count` checkers, each drawn as the character `mark`. `line_from_edge` is the
    line's distance from the board's edge, 0 for the nearest.

    >>> _draw_bar_cell(2, "X", 1), _draw_bar_cell(2, "X", 3)
    (' X ', '   ')
    """
    if count > MOST_STACKED and line_from_edge == MOST_STACKED - 1:
        return f"{count:^3}"
    return f" {mark} " if line_from_edge < count else "   "


def _draw_middle_line(scene: Scene, marks: _Marks) -> str:
    """Return the middle line of a board, with the dice and a centered cube."""
    dice = " ".join(map(str, scene.dice)) if scene.dice else ""
    crawford = "Crawford game" if scene.crawford else ""
    halves = marks.side.join(("", f"{crawford:^19}", "   ", f"{dice:^19}", ""))
    return f"{halves} [{scene.cube}]" if scene.owner is None else halves


def _make_text_beside_row(scene: Scene, side: int, line_from_edge: int) -> str:
    """Return the text beside a line of the board: a side's cube, or its checkers borne off.

    `line_from_edge` is the line's distance from the board's edge, 0 for the nearest.
    """
    if line_from_edge == 0 and scene.position[side][OFF]:
        return f" off {scene.position[side][OFF]}"
    return f" [{scene.cube}]" if line_from_edge == 1 and scene.owner == side else ""


# One position of a match: the board, its identifiers and the legal plays.

LONGEST = 400
"""Characters shown of a line at most; lines of Smart Game Format contain analyses."""


def position_text(
    turn: Turn, match: Match, most_plays: int, setting: OutputOptions
) -> Iterator[str]:
    """Yield the board before a turn, with at most `most_plays` legal plays."""
    situation = situation_before(turn)
    names = _find_names_in_game(turn, match)
    number = turn.action.span.line
    for line in (
        _make_position_heading(turn, match, names),
        *match.source.lines[number - 1 : number],
    ):
        yield printable(line.rstrip().replace("\t", " ")[:LONGEST], setting.encoding) + "\n"
    yield "".join(
        f"{line}\n" for line in draw_board_text(make_scene(situation, names), setting.encoding)
    )
    yield f"{xgid(situation)}\nGNUbg ID {gnubg_id(situation)}\nOGID={ogid(situation)}\n"
    if situation.dice is not None:
        yield from _list_legal_plays(turn, situation.dice, most_plays)


def position_scene(turn: Turn, match: Match) -> Scene:
    """Return the board before a turn, ready to be drawn."""
    return make_scene(situation_before(turn), _find_names_in_game(turn, match))


def _find_names_in_game(turn: Turn, match: Match) -> tuple[str, str]:
    """Return the left and the right player's name in the game of a turn."""
    number = turn.context.game
    games = match.games[number - 1 : number]  # A match may have none.
    return games[0].names_or(match.names) if games else match.names


def _make_position_heading(turn: Turn, match: Match, names: tuple[str, str]) -> str:
    """Return a heading such as `a.mat:8:6: game 1, row 2, left: Ann to play 6-4`."""
    action, side = turn.action, side_of(turn)
    place = f"{match.source.path}:{action.span.line}:{action.span.column}"
    if isinstance(action, Comment):
        return f"{place}: {describe_moment(turn, match)}"
    row = "" if action.row is None else f"row {action.row.strip()}, "
    where = f"game {turn.context.game}, {row}{SIDE_NAMES[side]}"
    return f"{place}: {where}: {_describe_next_action(turn, names[side])}"


def describe_moment(turn: Turn, match: Match) -> str:
    """Return words on when the board before a turn is seen, such as `the end of game 3`."""
    game = turn.context.game
    if not has_no_action(turn):
        kind = "a comment" if isinstance(turn.action, Comment) else "an action"
        return f"game {game}: before {kind} in line {turn.action.span.line}"
    if not match.games:
        return "the start of a match without games"
    played = any(not isinstance(action, Comment) for action in match.games[game - 1].actions)
    return f"the end of game {game}" if played else f"the start of game {game}, which has no action"


def _describe_next_action(turn: Turn, name: str) -> str:
    """Return the next action of the player `name` in words, such as `Ann to play 3-1`."""
    match turn.action:
        case SetUp():
            return "the set-up"
        case Result():
            return "the game is over"
        case PointsGiven() | GameReplayed() | CheckersPutBack():
            return "a director's ruling"
        case action:
            return f"{name} {_describe_action_of_side(action)}"


def _describe_action_of_side(action: Action) -> str:
    """Return the next action of a side in words, such as `about to double`."""
    match action:
        case Play(dice=dice) if dice is not None:
            return f"to play {dice[0]}-{dice[1]}"
        case Double():
            return "about to double"
        case Answer():
            return "to answer the double"
        case Resignation():
            return "about to resign"
        case _:
            return "to act"


def _list_legal_plays(turn: Turn, dice: tuple[int, int], most: int) -> Iterator[str]:
    """Yield the number of legal plays, then at most `most` of them, one on each line.

    Plays of the rearmost checkers come first.
    """
    legal = legal_plays(turn.position(side_of(turn)), dice).values()
    plays = sorted((steps for steps in legal if steps), key=lambda steps: [s.path for s in steps])
    yield f"{len(plays)} legal play{'s' * (len(plays) != 1)}\n"
    for steps in islice(reversed(plays), most):
        yield f"  {notation(steps)}\n"
    if len(plays) > most:
        yield f"  and {len(plays) - most} more\n"


# Narrow drawings: two fit side by side on a terminal of 80 columns.

NARROW = 39
"""Width of a narrow drawing, in characters."""


def draw_narrow_board(scene: Scene, encoding: str = "utf-8") -> list[str]:
    r"""Return the lines of a board drawn with a narrow bar.

    >>> from bganalyze.board.position import start_position
    >>> lines = draw_narrow_board(Scene(start_position("standard"), dice=(4, 2)), "ascii")
    >>> print(*lines[:3], lines[7], sep="\n")
    O opponent  167 pips
    +-13-14-15-16-17-18+-19-20-21-22-23-24+
    | X           O    | O              X |
    |       [1]        |       4 2        |
    """
    marks = _UNICODE if "utf" in encoding.lower() else _ASCII
    halves = (_OUTER_TOP, _INNER_TOP), (_OUTER_BOTTOM, _INNER_BOTTOM)
    lines = [_draw_narrow_player_line(scene, 1, marks.other, encoding)]
    lines.append(_draw_narrow_edge(marks, marks.top, halves[0]))
    lines += [_draw_narrow_row(scene, marks, row, halves[0], 0) for row in range(MOST_STACKED)]
    dice = " ".join(map(str, scene.dice)) if scene.dice else ""
    cube = f"[{scene.cube}]" if scene.owner is None else ""
    lines.append(f"{marks.side}{cube:^18}{marks.side}{dice:^18}{marks.side}")
    lines += [
        _draw_narrow_row(scene, marks, row, halves[1], 1) for row in reversed(range(MOST_STACKED))
    ]
    lines.append(_draw_narrow_edge(marks, marks.bottom, halves[1]))
    lines.append(_draw_narrow_player_line(scene, 0, marks.own, encoding))
    return lines


def _draw_narrow_row(
    scene: Scene,
    marks: _Marks,
    line_from_edge: int,
    halves: tuple[Sequence[int], Sequence[int]],
    side_on_bar: int,
) -> str:
    """Return one line of a board with a narrow bar, with the checkers on points and bar.

    `line_from_edge` is the line's distance from the board's edge, 0 for the nearest. `halves` are
    the points left and right of the bar.
    """
    outer, inner = (
        "".join(_draw_point_row(scene, point, marks, line_from_edge) for point in half)
        for half in halves
    )
    on_bar = line_from_edge < scene.position[side_on_bar][BAR]
    bar = (marks.own, marks.other)[side_on_bar] if on_bar else marks.side
    return marks.side + outer + bar + inner + marks.side


def _draw_narrow_edge(
    marks: _Marks, corners: Sequence[str], halves: tuple[Sequence[int], Sequence[int]]
) -> str:
    """Return an edge of a narrow board, such as `+-13-14-15-16-17-18+-19-20-21-22-23-24+`."""
    outer, inner = (_join_point_numbers(half, marks.line) for half in halves)
    return corners[0] + outer + corners[1] + inner + corners[3]


def _draw_narrow_player_line(scene: Scene, side: int, mark: str, encoding: str) -> str:
    """Return a player's line of a narrow board, such as `X Ann 167 pips 3 of 7 [2]`.

    `[2]` is the cube. `mark` is the character for the player's checkers.
    """
    words = describe_pips_and_score(scene, side)
    off = scene.position[side][OFF]
    words += [f"off {off}"] if off else []
    words += [f"[{scene.cube}]"] if scene.owner == side else []
    suffix = "  ".join(("", *words))
    name = shorten_name(scene.names[side], encoding)
    name_width = max(NARROW - len(mark) - 1 - len(suffix), 1)
    name = name if cell_len(name) <= name_width else set_cell_size(name, name_width).rstrip()
    return f"{mark} {name}{suffix}"
