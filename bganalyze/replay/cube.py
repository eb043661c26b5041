"""Doubles and answers: who may turn the cube, when, and to what."""

from __future__ import annotations

from collections.abc import Callable

from bganalyze.board.cube import Cube
from bganalyze.board.scoring import is_dead
from bganalyze.replay.plays import check_order
from bganalyze.replay.table import Table, other_side, share_cell
from bganalyze.transcript.model import Answer, Double, Side


def double(table: Table, action: Double) -> None:
    """Carry out an offer of the cube, or a further turn of it."""
    if action.kind != "double":
        _beaver(table, action)
    elif table.cube.is_open:
        table.note("double-out-of-turn", action, why="the offer before it is not answered yet")
    else:
        _check_turn(table, action)
        _check_right(table, action)
        _offer(table, action)


def _check_turn(table: Table, action: Double) -> None:
    """A double comes at the start of one's turn, and not before the first throw."""
    if table.to_act is None or table.to_act == action.side:
        if not table.thrown and not table.odd_start:
            table.note("opening-cube", action)
    elif share_cell(table.neighbour(-1), action) or table.past is None:
        table.note("double-out-of-turn", action, why="the throw of this turn is made already")
    else:
        check_order(table, action)


def _check_right(table: Table, action: Double) -> None:
    """Whose cube it is, whether there is one, and whether it may be turned at this score."""
    context, side = table.context, action.side
    if not context.cube_in_play:
        table.note("no-cube-game", action)
    elif context.crawford:
        table.note("crawford-double", action, known=context.crawford_known)
    elif not table.cube.may_double(side):
        if not _adopt(table, action, lambda cube: cube.may_double(side)):
            table.note("not-owner", action, value=table.cube.value)
    elif is_dead(table.cube.value, context.length or 0, context.score[side]):
        table.note("dead-cube", action, value=table.cube.value)


def _adopt(table: Table, action: Double, fits: Callable[[Cube], bool]) -> bool:
    """Switch to another state of the cube that an earlier fault left possible."""
    for cube in table.other_cubes:
        if fits(cube) and action.value in (None, 2 * cube.value):
            table.cube = cube
            return True
    return False


def _offer(table: Table, action: Double) -> None:
    """Turn the cube; one cause of a wrong value is reported once."""
    expected = 2 * table.cube.value
    if action.value not in (None, expected) and not _adopt(
        table, action, lambda cube: cube.may_double(action.side)
    ):
        assert action.value is not None
        table.note("wrong-value", action, value=action.value, expected=expected)
        _keep_written_value(table, action.side, action.value)
    _check_limit(table, action)
    table.cube = table.cube.doubled(action.side)
    table.to_act = other_side(action.side)


def _keep_written_value(table: Table, side: Side, value: int) -> None:
    """The cube may stand at the value written, taken or dropped."""
    table.other_cubes.append(Cube(value, other_side(side)))
    table.other_cubes.append(Cube(max(value // 2, 1), table.cube.owner))


def _check_limit(table: Table, action: Double) -> None:
    limit = table.context.cube_limit
    if limit and 2 * table.cube.value > limit > 1:
        table.note("cube-limit", action, limit=limit)


def _beaver(table: Table, action: Double) -> None:
    """The doubled side turns the cube again at once, and keeps it."""
    cube = table.cube
    if not cube.is_open or cube.offered_by == action.side:
        table.note("double-out-of-turn", action, why="there is no offer to turn again")
        return
    if not table.context.beavers:
        table.note("beaver-not-allowed", action, kind=action.kind)
    if action.value not in (None, 2 * cube.offer):
        table.note("wrong-value", action, value=action.value, expected=2 * cube.offer)
    table.cube = cube.beavered(action.side)
    table.to_act = other_side(action.side)


def answer(table: Table, action: Answer) -> None:
    """Carry out a take or a drop."""
    cube = table.cube
    if cube.offered_by is None or cube.offered_by == action.side:
        table.note("answer-without-double", action, taken=action.taken)
        if cube.offered_by is None:
            table.other_cubes.append(Cube(2 * cube.value, action.side))
            table.to_act = None
    elif action.taken:
        keeper = cube.keeper
        table.cube = cube.taken()
        table.to_act = other_side(keeper if keeper is not None else action.side)
    else:
        table.end("drop", cube.offered_by, cube.refused)
