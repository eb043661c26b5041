"""Doubles and answers: who may turn the cube, when, and to what.

After one fault with the cube its state is in doubt: what a later action needs it to be is taken
over from there, and is no second finding.
"""

from __future__ import annotations

from typing import Any

from bganalyze.board.cube import Cube
from bganalyze.board.scoring import is_dead
from bganalyze.replaying.faults import hidden_turn
from bganalyze.replaying.order import check_order
from bganalyze.replaying.table import Table, other_side, share_cell
from bganalyze.transcript.model import Answer, Comment, Double, Side, Unread

CONSEQUENCES = frozenset(
    ("not-owner", "wrong-value", "answer-without-double", "unanswered-double", "double-out-of-turn")
)
"""Faults that an earlier fault with the cube may bring about."""


MOST_BELIEVED = 4096
"""A larger cube is a slip of the pen; programs limit it here."""


def cube_fault(table: Table, rule: str, action: Double | Answer | Any, **about: Any) -> None:
    """Note a fault with the cube, or count it as a consequence of an earlier one."""
    if table.cube_doubt is not None and rule in CONSEQUENCES:
        table.blame(table.cube_doubt)
        return
    fact = table.note(rule, action, **about)
    if table.cube_doubt is None:
        table.cube_doubt = fact


def double(table: Table, action: Double) -> None:
    """Carry out an offer of the cube, or a further turn of it."""
    if action.kind != "double":
        _beaver(table, action)
    elif table.cube.is_open:
        why = "the offer before it is not answered yet"
        cube_fault(table, "double-out-of-turn", action, why=why)
    else:
        _check_turn(table, action)
        _check_right(table, action)
        _offer(table, action)


def _check_turn(table: Table, action: Double) -> None:
    """A double comes at the start of one's turn, and not before the first throw."""
    if table.to_act is None or table.to_act == action.side:
        if not table.thrown and not table.odd_start:
            cube_fault(table, "opening-cube", action)
    elif share_cell(table.neighbour(-1), action) or table.past is None:
        why = "the throw of this turn is made already"
        cube_fault(table, "double-out-of-turn", action, why=why)
        table.late_doubler = action.side
    else:
        table.cube_doubt = check_order(table, action) or table.cube_doubt


def _check_right(table: Table, action: Double) -> None:
    """Whose cube it is, whether there is one, and whether it may be turned at this score."""
    context, side = table.context, action.side
    if not context.cube_in_play:
        cube_fault(table, "no-cube-game", action)
    elif context.crawford:
        cube_fault(table, "crawford-double", action, known=context.crawford_known)
    elif not table.cube.may_double(side):
        cube_fault(table, "not-owner", action, value=table.cube.value)
    elif is_dead(table.cube.value, context.length or 0, context.score[side]):
        table.note("dead-cube", action, value=table.cube.value)


def _offer(table: Table, action: Double) -> None:
    expected = 2 * table.cube.value
    written = action.value
    if written is not None and written != expected:
        if table.cube_doubt is not None and 2 <= written <= MOST_BELIEVED:
            table.cube = table.cube._replace(value=written // 2)
        cube_fault(table, "wrong-value", action, value=written, expected=expected)
    limit = table.context.cube_limit
    if limit and 2 * table.cube.value > limit > 1:
        table.note("cube-limit", action, limit=limit)
    table.cube = table.cube.doubled(action.side)
    table.to_act = other_side(action.side)


def _beaver(table: Table, action: Double) -> None:
    """The doubled side turns the cube again at once, and keeps it."""
    cube = table.cube
    if not cube.is_open or cube.offered_by == action.side:
        why = "there is no offer to turn again"
        cube_fault(table, "double-out-of-turn", action, why=why)
        return
    if not table.context.beavers:
        cube_fault(table, "beaver-not-allowed", action, kind=action.kind)
    if action.value not in (None, 2 * cube.offer):
        expected = 2 * cube.offer
        cube_fault(table, "wrong-value", action, value=action.value, expected=expected)
    table.cube = cube.beavered(action.side)
    table.to_act = other_side(action.side)


def answer(table: Table, action: Answer) -> None:
    """Carry out a take or a drop."""
    cube = table.cube
    if cube.offered_by is None:
        _answer_nothing(table, action)
    elif cube.offered_by == action.side:
        cube_fault(table, "answer-without-double", action, taken=action.taken)
        _accept(table, action)
    else:
        _accept(table, action)


def _accept(table: Table, action: Answer) -> None:
    """The offer is taken or dropped."""
    cube = table.cube
    assert cube.offered_by is not None
    assert cube.keeper is not None
    if action.taken:
        table.cube = cube.taken()
        thrown_already = table.late_doubler == other_side(cube.keeper)
        table.to_act = cube.keeper if thrown_already else other_side(cube.keeper)
        table.late_doubler = None
    else:
        table.end("drop", cube.offered_by, cube.refused)


def _answer_nothing(table: Table, action: Answer) -> None:
    """An answer where nothing is offered: the double is hidden, or it stands for a play."""
    before = _action_before(table)
    if isinstance(before, Unread) and before.side != action.side:
        table.cube = table.cube.doubled(other_side(action.side))
        _accept(table, action)
        return
    cube_fault(table, "answer-without-double", action, taken=action.taken)
    if table.to_act == action.side and table.past is not None and table.cube_doubt is not None:
        hidden_turn(table, table.cube_doubt, action.side)
    table.to_act = None


def _action_before(table: Table) -> object:
    """The action before this one, comments apart."""
    earlier = reversed(table.game.actions[: table.index])
    return next((action for action in earlier if not isinstance(action, Comment)), None)


def close_offer(table: Table, action: Any, side: Side) -> None:
    """Play goes on over an offer: a beaver is taken so, any other offer is void."""
    cube = table.cube
    if cube.offered_by == cube.keeper:
        table.cube = cube.taken()
    else:
        cube_fault(table, "unanswered-double", action, offer=cube.offer)
        table.cube = cube.withdrawn()
    table.to_act = side


def possible_cubes(table: Table) -> tuple[Cube, ...]:
    """Return what the cube may be at the end: after a fault also half or twice its value."""
    cube = table.cube
    if table.cube_doubt is None:
        return (cube,)
    less, more = max(cube.value // 2, 1), 2 * cube.value
    least = max(cube.value // 4, 1)
    values = {least, less, cube.value, more, 2 * more}
    return (cube, *(Cube(value, owner) for value in sorted(values) for owner in (None, 0)))
