"""Doubles and answers: who may double, when, and to which value.

After a cube fault something about the cube is uncertain: its value, its owner, or whether the offer
counts. If a later action needs one of these to differ, that is a consequence, not a second finding.
Everything else is checked as before.
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
    RulingMade,
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
"""Uncertain after an invalid offer: it may count or be ignored."""

MOST_BELIEVED = 4096
"""A larger cube value is read as a slip. Programs set their limit here."""


def cube_fault(
    table: Table,
    rule: str,
    action: Action,
    *,
    leaves: tuple[str, ...],
    excuse: str | None = None,
    **about: Any,
) -> Noted:
    """Report a cube action that breaks `rule`, or count it as a consequence; return the report.

    It is a consequence if an earlier cube fault made the property `excuse` (such as the cube's
    owner) uncertain. Afterwards the properties in `leaves` are uncertain. `about` are details for
    the message.
    """
    fault = table.cube.earlier_fault(excuse)
    if fault is not None:
        fault.add_consequence(action, rule)
    else:
        fault = table.add_fact(rule, action, **about)
        table.cube.keep_fault(fault)
    table.cube.mark_uncertain(*leaves)
    return fault


def double(table: Table, action: Double) -> None:
    """Carry out a double, a beaver or a raccoon on the table, and report its faults."""
    if action.kind != "double":
        _carry_out_beaver(table, action)
    elif table.cube.now.is_open:
        why = "the offer before it is not answered yet"
        cube_fault(table, "double-out-of-turn", action, leaves=(OFFER,), excuse=OFFER, why=why)
    else:
        _check_turn(table, action)
        _check_right(table, action)
        _carry_out_double(table, action)


def _check_turn(table: Table, action: Double) -> None:
    """Report a double that is not at the start of a turn, or comes before the first roll of the game."""
    if table.to_act is None or table.to_act == action.side:
        if table.is_at_opening:
            cube_fault(table, "opening-cube", action, leaves=AGAINST_THE_RULES)
    elif share_cell(table.nearby_action(-1), action) or table.last is None:
        why = "the roll of this turn is made already"
        cube_fault(table, "double-out-of-turn", action, leaves=AGAINST_THE_RULES, why=why)
        if table.last is not None and (table.last.play.steps or _is_roll_next(table, action)):
            table.cube.double_late(action.side)
    else:
        fault = check_order(table, action)
        if fault is not None:
            table.cube.guess_after(fault, *AGAINST_THE_RULES)


def _is_roll_next(table: Table, action: Double) -> bool:
    """Whether the double is taken and the taker rolls next, so the doubler had already rolled."""
    following = iter(table.later_actions())
    taken = next(following, None)
    is_taken = isinstance(taken, Answer) and taken.taken and taken.side != action.side
    play = next(following, None) if is_taken else None
    return isinstance(play, Play) and play.side != action.side


def _check_right(table: Table, action: Double) -> None:
    """Report a double if the game has no cube, or if this side may not double at this score."""
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
        table.add_fact("dead-cube", action, value=value)


def _carry_out_double(table: Table, action: Double) -> None:
    """Offer the cube to the other side; the written value may settle an uncertain cube value."""
    expected, written = table.cube.now.next_value, action.value
    if written is not None and written != expected:
        plausible = _is_plausible_value(written, table.cube.now.value)
        if plausible and VALUE in table.cube.uncertain:
            table.cube.set_cube(table.cube.now._replace(value=written // 2))
        excuse = VALUE if plausible else None
        about = {"value": written, "expected": expected}
        cube_fault(table, "wrong-value", action, leaves=(VALUE,), excuse=excuse, **about)
    limit = table.context.terms.cube_limit
    if limit and table.cube.now.next_value > limit > 1:
        table.add_fact("cube-limit", action, limit=limit)
    table.cube.record_double(action.side)
    table.give_turn(other_side(action.side))


def _is_plausible_value(written: int, value: int) -> bool:
    """Whether `written` may be the cube value after a double, although the replay has another.

    An earlier cube fault made `value`, the replay's cube value, uncertain: it may be off by a
    double or two.
    """
    if written < 2 or written > MOST_BELIEVED or written & (written - 1):
        return False
    return value // 2 <= written <= 8 * value


def _carry_out_beaver(table: Table, action: Double) -> None:
    """Carry out a beaver or raccoon: the doubled side turns the cube again at once, and keeps it.

    Report it if there is no offer, the rules exclude it or its value is wrong.
    """
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
    table.cube.record_beaver(action.side)
    table.give_turn(other_side(action.side))


def answer(table: Table, action: Answer) -> None:
    """Carry out a take or a pass on the table, and report its faults."""
    cube = table.cube.now
    if cube.offered_by is None:
        _answer_nothing(table, action)
    elif cube.offered_by == action.side:
        leaves, taken = (VALUE, OWNER), action.taken
        fault = cube_fault(table, "answer-without-double", action, leaves=leaves, taken=taken)
        if not taken:
            table.end.question_end(fault)
        _carry_out_answer(table, action)
    else:
        _carry_out_answer(table, action)


def _carry_out_answer(table: Table, action: Answer) -> None:
    """Carry out a take or a pass of the open offer."""
    cube = table.cube.now
    assert cube.offered_by is not None
    assert cube.keeper is not None
    table.cube.mark_certain(BEAVER)
    if action.taken:
        rolled_already = table.cube.late_doubler == other_side(cube.keeper)
        table.give_turn(cube.keeper if rolled_already else other_side(cube.keeper))
        table.cube.accept_offer()
    else:
        table.end.decide_game("pass", cube.offered_by, cube.refused)


def _answer_nothing(table: Table, action: Answer) -> None:
    """Handle a take or pass that answers no double: the double is missing, or the word hides a play."""
    before = _action_before(table)
    if isinstance(before, Unread) and before.side != action.side:
        table.cube.record_double(other_side(action.side))
        _carry_out_answer(table, action)
        return
    about = {"taken": action.taken}
    leaves = (VALUE, OWNER)
    cube_fault(table, "answer-without-double", action, leaves=leaves, excuse=ANSWER, **about)
    table.cube.mark_certain(ANSWER)
    fault = table.cube.fault
    is_turn = table.last is not None and table.to_act == action.side
    if fault is not None and (is_turn or _replaces_opening(table, action)):
        hidden_turn(table, fault, action.side)
        table.opening.note_unwritten_roll()
    table.give_turn(None)


def _replaces_opening(table: Table, action: Answer) -> bool:
    """Whether a take or pass without a double is in the place of the opening play."""
    following = next(table.later_actions(), None)
    is_others = isinstance(following, Play) and following.side != action.side
    return table.is_at_opening and is_others


def _action_before(table: Table) -> object:
    """Return the last action before the current one that is no comment and no ruling."""
    actions = table.game.actions
    earlier = (actions[index] for index in range(table.index - 1, -1, -1))
    return next((a for a in earlier if not isinstance(a, Comment | RulingMade)), None)


def close_offer(table: Table, action: Action, side: Side) -> None:
    """Close the open double before an action of `side`, which plays on: a beaver counts as taken.

    Any other double is void and reported as unanswered.
    """
    cube = table.cube.now
    table.cube.mark_certain(BEAVER)
    if cube.offered_by == cube.keeper:
        table.cube.set_cube(cube.taken())
    else:
        leaves = (VALUE, OWNER, ANSWER)
        cube_fault(
            table, "unanswered-double", action, leaves=leaves, excuse=OFFER, offer=cube.offer
        )
        table.cube.mark_certain(OFFER)
        table.cube.withdraw_offer()
    table.give_turn(side)


def possible_cubes(table: Table) -> tuple[Cube, ...]:
    """Return the cubes that may have been on the table at the end of the game, the recorded one first.

    After a cube fault, a quarter, half, twice and four times the recorded value are possible too.
    """
    cube = table.cube.now
    if table.cube.fault is None:
        return (cube,)
    less, more = max(cube.value // 2, 1), 2 * cube.value
    least = max(cube.value // 4, 1)
    values = {least, less, cube.value, more, 2 * more}
    # Under the Jacoby rule it matters whether the cube is owned, but not by whom.
    return (cube, *(Cube(value, owner) for value in sorted(values) for owner in (None, 0)))
