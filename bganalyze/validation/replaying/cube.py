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
    AmendableFact,
    GameState,
    share_cell,
)

AGAINST_THE_RULES = (VALUE, OWNER, OFFER)
"""Uncertain after an invalid offer: it may count or be ignored."""

MOST_BELIEVED = 4096
"""A larger cube value is read as a slip. Programs set their limit here."""


def cube_fault(
    state: GameState,
    rule: str,
    action: Action,
    *,
    leaves: tuple[str, ...],
    excuse: str | None = None,
    **about: Any,
) -> AmendableFact:
    """Report a cube action that breaks `rule`, or count it as a consequence; return the report.

    It is a consequence if an earlier cube fault made the property `excuse` (such as the cube's
    owner) uncertain. Afterwards the properties in `leaves` are uncertain. `about` are details for
    the message.
    """
    fault = state.cube.earlier_fault(excuse)
    if fault is not None:
        fault.add_consequence(action, rule)
    else:
        fault = state.add_fact(rule, action, **about)
        state.cube.keep_fault(fault)
    state.cube.mark_uncertain(*leaves)
    return fault


def double(state: GameState, action: Double) -> None:
    """Carry out a double, a beaver or a raccoon, and report its faults."""
    if action.kind != "double":
        _carry_out_beaver(state, action)
    elif state.cube.now.is_open:
        why = "the offer before it is not answered yet"
        cube_fault(state, "double-out-of-turn", action, leaves=(OFFER,), excuse=OFFER, why=why)
    else:
        _check_turn(state, action)
        _check_right(state, action)
        _carry_out_double(state, action)


def _check_turn(state: GameState, action: Double) -> None:
    """Report a double that is not at the start of a turn, or comes before the first roll of the game."""
    if state.to_act is None or state.to_act == action.side:
        if state.is_at_opening:
            cube_fault(state, "opening-cube", action, leaves=AGAINST_THE_RULES)
    elif share_cell(state.nearby_action(-1), action) or state.last is None:
        why = "the roll of this turn is made already"
        cube_fault(state, "double-out-of-turn", action, leaves=AGAINST_THE_RULES, why=why)
        if state.last is not None and (state.last.play.steps or _is_roll_next(state, action)):
            state.cube.double_late(action.side)
    else:
        fault = check_order(state, action)
        if fault is not None:
            state.cube.guess_after(fault, *AGAINST_THE_RULES)


def _is_roll_next(state: GameState, action: Double) -> bool:
    """Whether the double is taken and the taker rolls next, so the doubler had already rolled."""
    following = iter(state.later_actions())
    taken = next(following, None)
    is_taken = isinstance(taken, Answer) and taken.taken and taken.side != action.side
    play = next(following, None) if is_taken else None
    return isinstance(play, Play) and play.side != action.side


def _check_right(state: GameState, action: Double) -> None:
    """Report a double if the game has no cube, or if this side may not double at this score."""
    context, side, value = state.context, action.side, state.cube.now.value
    if not context.terms.cube_in_play:
        cube_fault(state, "no-cube-game", action, leaves=AGAINST_THE_RULES)
    elif context.crawford:
        is_known = context.crawford_known
        cube_fault(state, "crawford-double", action, leaves=AGAINST_THE_RULES, known=is_known)
    elif not state.cube.now.may_double(side):
        leaves = AGAINST_THE_RULES
        cube_fault(state, "not-owner", action, leaves=leaves, excuse=OWNER, value=value)
    elif is_dead(value, context.terms.length or 0, context.score[side]):
        state.add_fact("dead-cube", action, value=value)


def _carry_out_double(state: GameState, action: Double) -> None:
    """Offer the cube to the other side; the written value may settle an uncertain cube value."""
    expected, written = state.cube.now.next_value, action.value
    if written is not None and written != expected:
        plausible = _is_plausible_value(written, state.cube.now.value)
        if plausible and VALUE in state.cube.uncertain:
            state.cube.set_cube(state.cube.now._replace(value=written // 2))
        excuse = VALUE if plausible else None
        about = {"value": written, "expected": expected}
        cube_fault(state, "wrong-value", action, leaves=(VALUE,), excuse=excuse, **about)
    limit = state.context.terms.cube_limit
    if limit and state.cube.now.next_value > limit > 1:
        state.add_fact("cube-limit", action, limit=limit)
    state.cube.record_double(action.side)
    state.give_turn(other_side(action.side))


def _is_plausible_value(written: int, value: int) -> bool:
    """Whether `written` may be the cube value after a double, although the replay has another.

    An earlier cube fault made `value`, the replay's cube value, uncertain: it may be off by a
    double or two.
    """
    if written < 2 or written > MOST_BELIEVED or written & (written - 1):
        return False
    return value // 2 <= written <= 8 * value


def _carry_out_beaver(state: GameState, action: Double) -> None:
    """Carry out a beaver or raccoon: the doubled side turns the cube again at once, and keeps it.

    Report it if there is no offer, the rules exclude it or its value is wrong.
    """
    cube = state.cube.now
    if not cube.is_open or cube.offered_by == action.side:
        is_own = cube.is_open
        why = (
            "only the other side may turn it again" if is_own else "there is no offer to turn again"
        )
        cube_fault(state, "double-out-of-turn", action, leaves=(VALUE, OWNER), why=why)
        return
    if not state.context.terms.beavers:
        leaves, kind = (VALUE, OWNER, BEAVER), action.kind
        cube_fault(state, "beaver-not-allowed", action, leaves=leaves, excuse=BEAVER, kind=kind)
    if action.value not in (None, cube.next_value):
        about = {"value": action.value, "expected": cube.next_value}
        cube_fault(state, "wrong-value", action, leaves=(VALUE,), excuse=VALUE, **about)
    state.cube.record_beaver(action.side)
    state.give_turn(other_side(action.side))


def answer(state: GameState, action: Answer) -> None:
    """Carry out a take or a pass, and report its faults."""
    cube = state.cube.now
    if cube.offered_by is None:
        _answer_nothing(state, action)
    elif cube.offered_by == action.side:
        leaves, taken = (VALUE, OWNER), action.taken
        fault = cube_fault(state, "answer-without-double", action, leaves=leaves, taken=taken)
        if not taken:
            state.end.question_end(fault)
        _carry_out_answer(state, action)
    else:
        _carry_out_answer(state, action)


def _carry_out_answer(state: GameState, action: Answer) -> None:
    """Carry out a take or a pass of the open offer."""
    cube = state.cube.now
    assert cube.offered_by is not None
    assert cube.keeper is not None
    state.cube.mark_certain(BEAVER)
    if action.taken:
        rolled_already = state.cube.late_doubler == other_side(cube.keeper)
        state.give_turn(cube.keeper if rolled_already else other_side(cube.keeper))
        state.cube.accept_offer()
    else:
        state.end.decide_game("pass", cube.offered_by, cube.refused)


def _answer_nothing(state: GameState, action: Answer) -> None:
    """Handle a take or pass that answers no double: the double is missing, or the word hides a play."""
    before = _action_before(state)
    if isinstance(before, Unread) and before.side != action.side:
        state.cube.record_double(other_side(action.side))
        _carry_out_answer(state, action)
        return
    about = {"taken": action.taken}
    leaves = (VALUE, OWNER)
    cube_fault(state, "answer-without-double", action, leaves=leaves, excuse=ANSWER, **about)
    state.cube.mark_certain(ANSWER)
    fault = state.cube.fault
    is_turn = state.last is not None and state.to_act == action.side
    if fault is not None and (is_turn or _replaces_opening(state, action)):
        hidden_turn(state, fault, action.side)
        state.opening.note_unwritten_roll()
    state.give_turn(None)


def _replaces_opening(state: GameState, action: Answer) -> bool:
    """Whether a take or pass without a double is in the place of the opening play."""
    following = next(state.later_actions(), None)
    is_others = isinstance(following, Play) and following.side != action.side
    return state.is_at_opening and is_others


def _action_before(state: GameState) -> object:
    """Return the last action before the current one that is no comment and no ruling."""
    actions = state.game.actions
    earlier = (actions[index] for index in range(state.index - 1, -1, -1))
    return next((a for a in earlier if not isinstance(a, Comment | RulingMade)), None)


def close_offer(state: GameState, action: Action, side: Side) -> None:
    """Close the open double before an action of `side`, which plays on: a beaver counts as taken.

    Any other double is void and reported as unanswered.
    """
    cube = state.cube.now
    state.cube.mark_certain(BEAVER)
    if cube.offered_by == cube.keeper:
        state.cube.set_cube(cube.taken())
    else:
        leaves = (VALUE, OWNER, ANSWER)
        cube_fault(
            state, "unanswered-double", action, leaves=leaves, excuse=OFFER, offer=cube.offer
        )
        state.cube.mark_certain(OFFER)
        state.cube.withdraw_offer()
    state.give_turn(side)


def possible_cubes(state: GameState) -> tuple[Cube, ...]:
    """Return the cubes that may have been on the table at the end of the game, the recorded one first.

    After a cube fault, a quarter, half, twice and four times the recorded value are possible too.
    """
    cube = state.cube.now
    if state.cube.fault is None:
        return (cube,)
    less, more = max(cube.value // 2, 1), 2 * cube.value
    least = max(cube.value // 4, 1)
    values = {least, less, cube.value, more, 2 * more}
    # Under the Jacoby rule it matters whether the cube is owned, but not by whom.
    return (cube, *(Cube(value, owner) for value in sorted(values) for owner in (None, 0)))
