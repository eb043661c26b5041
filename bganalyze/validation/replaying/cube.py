"""Doubles and answers: who may turn the cube, when, and to what.

After a fault with the cube something about it is unsure: its value, its owner, or whether the offer
stands. What a later action needs that to be is taken over from there and is no second finding;
everything else is checked as before.
"""

from __future__ import annotations

from typing import Any

from bganalyze.board.cube import Cube, is_dead
from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Double,
    Play,
    Side,
    Unread,
    other_side,
)
from bganalyze.validation.replaying.faults import check_order, hidden_turn
from bganalyze.validation.replaying.state import (
    ANSWER,
    BEAVER,
    OFFER,
    OWNER,
    VALUE,
    Noted,
    Table,
    share_cell,
)

AGAINST_THE_RULES = (VALUE, OWNER, OFFER)
"""Unsure after an offer that should not have been made: it may stand or be passed over."""

MOST_BELIEVED = 4096
"""A larger cube is taken for a slip of the pen; programs set their limit here."""


def cube_fault(
    table: Table,
    rule: str,
    action: Action,
    *,
    leaves: tuple[str, ...],
    excuse: str | None = None,
    **about: Any,
) -> Noted:
    """Note a fault with the cube, or count it as a consequence where `excuse` is unsure already.

    `leaves` is what is unsure from here on. Return the fault, or the one it is counted on.
    """
    fault = table.cube.fault_behind(excuse)
    if fault is not None:
        fault.blame(action, rule)
    else:
        fault = table.note(rule, action, **about)
        table.cube.keep(fault)
    table.cube.guess(*leaves)
    return fault


def double(table: Table, action: Double) -> None:
    """Carry out an offer of the cube, or a further turn of it."""
    if action.kind != "double":
        _beaver(table, action)
    elif table.cube.now.is_open:
        why = "the offer before it is not answered yet"
        cube_fault(table, "double-out-of-turn", action, leaves=(OFFER,), excuse=OFFER, why=why)
    else:
        _check_turn(table, action)
        _check_right(table, action)
        _offer(table, action)


def _check_turn(table: Table, action: Double) -> None:
    """Check that a double comes at the start of a turn, and not before the first roll."""
    if table.to_act is None or table.to_act == action.side:
        if table.is_at_opening:
            cube_fault(table, "opening-cube", action, leaves=AGAINST_THE_RULES)
    elif share_cell(table.neighbor(-1), action) or table.last is None:
        why = "the roll of this turn is made already"
        cube_fault(table, "double-out-of-turn", action, leaves=AGAINST_THE_RULES, why=why)
        if table.last is not None and (table.last.play.steps or _is_roll_next(table, action)):
            table.cube.double_late(action.side)
    else:
        fault = check_order(table, action)
        if fault is not None:
            table.cube.guess_after(fault, *AGAINST_THE_RULES)


def _is_roll_next(table: Table, action: Double) -> bool:
    """Whether the side that takes a double rolls next."""
    following = iter(table.following())
    taken = next(following, None)
    is_taken = isinstance(taken, Answer) and taken.taken and taken.side != action.side
    play = next(following, None) if is_taken else None
    return isinstance(play, Play) and play.side != action.side


def _check_right(table: Table, action: Double) -> None:
    """Check that there is a cube, that it may be turned at this score, and by this side."""
    context, side, value = table.context, action.side, table.cube.now.value
    if not context.terms.cube_in_play:
        cube_fault(table, "no-cube-game", action, leaves=AGAINST_THE_RULES)
    elif context.crawford:
        is_known = context.crawford_known
        cube_fault(table, "crawford-double", action, leaves=AGAINST_THE_RULES, known=is_known)
    elif not table.cube.now.may_double(side):
        leaves = AGAINST_THE_RULES
        cube_fault(table, "not-owner", action, leaves=leaves, excuse=OWNER, value=value)
    elif is_dead(value, context.terms.length or 0, context.score[side]):
        table.note("dead-cube", action, value=value)


def _offer(table: Table, action: Double) -> None:
    """Turn the cube; the written value may settle what was unsure."""
    expected, written = table.cube.now.next_value, action.value
    if written is not None and written != expected:
        plausible = _is_plausible(written, table.cube.now.value)
        if plausible and VALUE in table.cube.unsure:
            table.cube.put(table.cube.now._replace(value=written // 2))
        excuse = VALUE if plausible else None
        about = {"value": written, "expected": expected}
        cube_fault(table, "wrong-value", action, leaves=(VALUE,), excuse=excuse, **about)
    limit = table.context.terms.cube_limit
    if limit and table.cube.now.next_value > limit > 1:
        table.note("cube-limit", action, limit=limit)
    table.cube.offer(action.side)
    table.give_turn(other_side(action.side))


def _is_plausible(written: int, value: int) -> bool:
    """Whether a cube that was misread by a turn or two may be doubled to `written`."""
    if written < 2 or written > MOST_BELIEVED or written & (written - 1):
        return False
    return value // 2 <= written <= 8 * value


def _beaver(table: Table, action: Double) -> None:
    """Carry out a beaver: the doubled side turns the cube again at once, and keeps it."""
    cube = table.cube.now
    if not cube.is_open or cube.offered_by == action.side:
        is_own = cube.is_open
        why = (
            "only the other side may turn it again" if is_own else "there is no offer to turn again"
        )
        cube_fault(table, "double-out-of-turn", action, leaves=(VALUE, OWNER), why=why)
        return
    if not table.context.terms.beavers:
        leaves, kind = (VALUE, OWNER, BEAVER), action.kind
        cube_fault(table, "beaver-not-allowed", action, leaves=leaves, excuse=BEAVER, kind=kind)
    if action.value not in (None, cube.next_value):
        about = {"value": action.value, "expected": cube.next_value}
        cube_fault(table, "wrong-value", action, leaves=(VALUE,), excuse=VALUE, **about)
    table.cube.beaver(action.side)
    table.give_turn(other_side(action.side))


def answer(table: Table, action: Answer) -> None:
    """Carry out a take or a pass."""
    cube = table.cube.now
    if cube.offered_by is None:
        _answer_nothing(table, action)
    elif cube.offered_by == action.side:
        leaves, taken = (VALUE, OWNER), action.taken
        fault = cube_fault(table, "answer-without-double", action, leaves=leaves, taken=taken)
        if not taken:
            table.end.question(fault)
        _accept(table, action)
    else:
        _accept(table, action)


def _accept(table: Table, action: Answer) -> None:
    """Take or drop the offer."""
    cube = table.cube.now
    assert cube.offered_by is not None
    assert cube.keeper is not None
    table.cube.settle(BEAVER)
    if action.taken:
        rolled_already = table.cube.late_doubler == other_side(cube.keeper)
        table.give_turn(cube.keeper if rolled_already else other_side(cube.keeper))
        table.cube.take()
    else:
        table.end.decide("pass", cube.offered_by, cube.refused)


def _answer_nothing(table: Table, action: Answer) -> None:
    """Check an answer without an offer: the double is hidden, or the answer stands for a play."""
    before = _action_before(table)
    if isinstance(before, Unread) and before.side != action.side:
        table.cube.offer(other_side(action.side))
        _accept(table, action)
        return
    about = {"taken": action.taken}
    leaves = (VALUE, OWNER)
    cube_fault(table, "answer-without-double", action, leaves=leaves, excuse=ANSWER, **about)
    table.cube.settle(ANSWER)
    fault = table.cube.fault
    is_turn = table.last is not None and table.to_act == action.side
    if fault is not None and (is_turn or _stands_for_opening(table, action)):
        hidden_turn(table, fault, action.side)
        table.opening.pass_over()
    table.give_turn(None)


def _stands_for_opening(table: Table, action: Answer) -> bool:
    """Whether an answer stands before the first play of a game, which the other side makes then."""
    following = next(table.following(), None)
    is_others = isinstance(following, Play) and following.side != action.side
    return table.is_at_opening and is_others


def _action_before(table: Table) -> object:
    """Return the action before this one, comments apart."""
    actions = table.game.actions
    earlier = (actions[index] for index in range(table.index - 1, -1, -1))
    return next((action for action in earlier if not isinstance(action, Comment)), None)


def close_offer(table: Table, action: Action, side: Side) -> None:
    """Close an offer that is played over: a beaver is taken that way, any other offer is void."""
    cube = table.cube.now
    table.cube.settle(BEAVER)
    if cube.offered_by == cube.keeper:
        table.cube.put(cube.taken())
    else:
        leaves = (VALUE, OWNER, ANSWER)
        cube_fault(
            table, "unanswered-double", action, leaves=leaves, excuse=OFFER, offer=cube.offer
        )
        table.cube.settle(OFFER)
        table.cube.withdraw()
    table.give_turn(side)


def possible_cubes(table: Table) -> tuple[Cube, ...]:
    """Return what the cube may be at the end: after a fault also half or twice its value."""
    cube = table.cube.now
    if table.cube.fault is None:
        return (cube,)
    less, more = max(cube.value // 2, 1), 2 * cube.value
    least = max(cube.value // 4, 1)
    values = {least, less, cube.value, more, 2 * more}
    # With the Jacoby rule it matters whether somebody owns the cube, but not who.
    return (cube, *(Cube(value, owner) for value in sorted(values) for owner in (None, 0)))
