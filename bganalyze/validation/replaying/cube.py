"""Doubles and answers: who may double, when, and to which value.

After a cube error something about the cube is uncertain: its value, its owner, or whether the offer
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
from bganalyze.validation.replaying.faults import guess_unreadable_turn, report_missing_turn
from bganalyze.validation.replaying.state import (
    ANSWER,
    BEAVER,
    OFFER,
    OWNER,
    VALUE,
    GameState,
    ReportedProblem,
    share_cell,
)

AGAINST_THE_RULES = (VALUE, OWNER, OFFER)
"""Uncertain after an invalid offer: it may count or be ignored."""

MOST_BELIEVED = 4096
"""A larger cube value is read as a slip. Programs set their limit here."""


def report_cube_error(
    state: GameState,
    rule: str,
    action: Action,
    *,
    uncertain_after: tuple[str, ...],
    excused_by: str | None = None,
    **about: Any,
) -> ReportedProblem:
    """Report that a cube action breaks `rule`, and return the problem reported.

    If an earlier error made the property `excused_by` of the cube uncertain, the action counts as a
    consequence of that error, which is returned. `uncertain_after` are the properties that are
    uncertain from now on. `about` are details for the message.
    """
    fault = state.cube.find_error_behind(excused_by)
    if fault is not None:
        fault.add_consequence(action, rule)
    else:
        fault = state.add_problem(rule, action, **about)
        state.cube.keep_first_error(fault)
    state.cube.mark_uncertain(*uncertain_after)
    return fault


def check_double(state: GameState, action: Double) -> None:
    """Carry out a double, a beaver or a raccoon, and report its errors."""
    if action.kind != "double":
        _carry_out_beaver(state, action)
    elif state.cube.now.is_open:
        why = "the offer before it is not answered yet"
        report_cube_error(
            state, "double-out-of-turn", action, uncertain_after=(OFFER,), excused_by=OFFER, why=why
        )
    else:
        _check_time_of_double(state, action)
        _check_right_to_double(state, action)
        _carry_out_double(state, action)


def _check_time_of_double(state: GameState, action: Double) -> None:
    """Report a double after the turn's roll, before the first roll, or out of turn."""
    if state.to_act is None or state.to_act == action.side:
        if state.is_at_opening:
            report_cube_error(state, "opening-cube", action, uncertain_after=AGAINST_THE_RULES)
    elif share_cell(state.nearby_action(-1), action) or state.last is None:
        why = "the roll of this turn is made already"
        report_cube_error(
            state, "double-out-of-turn", action, uncertain_after=AGAINST_THE_RULES, why=why
        )
        if state.last is not None and (
            state.last.play.steps or _is_double_after_roll(state, action)
        ):
            state.cube.record_late_double(action.side)
    # The other side's turn is missing before the double.
    else:
        fault = report_missing_turn(state, action)
        if fault is not None:
            state.cube.replace_error(fault, *AGAINST_THE_RULES)


def _is_double_after_roll(state: GameState, action: Double) -> bool:
    """Whether a side doubled after its own roll instead of before the roll."""
    following = iter(state.later_actions())
    taken = next(following, None)
    is_taken = isinstance(taken, Answer) and taken.taken and taken.side != action.side
    play = next(following, None) if is_taken else None
    # After a double before the roll, the doubling side would play next.
    return isinstance(play, Play) and play.side != action.side


def _check_right_to_double(state: GameState, action: Double) -> None:
    """Report a double without a cube, by a side that may not double, or with a dead cube."""
    context, side, value = state.context, action.side, state.cube.now.value
    if not context.terms.cube_in_play:
        report_cube_error(state, "no-cube-game", action, uncertain_after=AGAINST_THE_RULES)
    elif context.crawford:
        report_cube_error(
            state,
            "crawford-double",
            action,
            uncertain_after=AGAINST_THE_RULES,
            known=context.crawford_known,
            score=context.score,
        )
    elif not state.cube.now.may_double(side):
        uncertain_after = AGAINST_THE_RULES
        report_cube_error(
            state,
            "not-owner",
            action,
            uncertain_after=uncertain_after,
            excused_by=OWNER,
            value=value,
        )
    elif is_dead(value, context.terms.length or 0, context.score[side]):
        state.add_problem("dead-cube", action, value=value)


def _carry_out_double(state: GameState, action: Double) -> None:
    """Offer the cube to the other side, and report a wrong cube value."""
    expected, written = state.cube.now.next_value, action.value
    if written is not None and written != expected:
        plausible = _is_plausible_value(written, state.cube.now.value)
        # If the replay's value is uncertain after an earlier error, the written one replaces it.
        if plausible and VALUE in state.cube.uncertain:
            state.cube.set_cube(state.cube.now._replace(value=written // 2))
        excused_by = VALUE if plausible else None
        about = {"value": written, "expected": expected}
        report_cube_error(
            state, "wrong-value", action, uncertain_after=(VALUE,), excused_by=excused_by, **about
        )
    limit = state.context.terms.cube_limit
    if limit and state.cube.now.next_value > limit > 1:
        state.add_problem("cube-limit", action, limit=limit)
    state.cube.record_double(action.side)
    state.give_turn(other_side(action.side))


def _is_plausible_value(written: int, value: int) -> bool:
    """Whether a double to `written` is plausible although the replay expects the cube at `value`.

    Plausible are powers of two from half of `value` to eight times it.

    >>> [_is_plausible_value(written, 2) for written in (1, 2, 8, 16, 32)]
    [False, True, True, True, False]
    """
    # A cube value is a power of two.
    if written < 2 or written > MOST_BELIEVED or written & (written - 1):
        return False
    return value // 2 <= written <= 8 * value


def _carry_out_beaver(state: GameState, action: Double) -> None:
    """Carry out a beaver or raccoon (an immediate redouble), and report its errors."""
    cube = state.cube.now
    if not cube.is_open or cube.offered_by == action.side:
        is_own = cube.is_open
        why = (
            "only the other side may turn it again" if is_own else "there is no offer to turn again"
        )
        report_cube_error(
            state, "double-out-of-turn", action, uncertain_after=(VALUE, OWNER), why=why
        )
        return
    if not state.context.terms.beavers:
        uncertain_after, kind = (VALUE, OWNER, BEAVER), action.kind
        report_cube_error(
            state,
            "beaver-not-allowed",
            action,
            uncertain_after=uncertain_after,
            excused_by=BEAVER,
            kind=kind,
        )
    if action.value not in (None, cube.next_value):
        about = {"value": action.value, "expected": cube.next_value}
        report_cube_error(
            state, "wrong-value", action, uncertain_after=(VALUE,), excused_by=VALUE, **about
        )
    state.cube.record_beaver(action.side)
    state.give_turn(other_side(action.side))


def check_answer(state: GameState, action: Answer) -> None:
    """Carry out a take or a pass, and report its errors."""
    cube = state.cube.now
    if cube.offered_by is None:
        _handle_answer_without_double(state, action)
    elif cube.offered_by == action.side:
        uncertain_after, taken = (VALUE, OWNER), action.taken
        fault = report_cube_error(
            state, "answer-without-double", action, uncertain_after=uncertain_after, taken=taken
        )
        if not taken:
            state.end.question_end(fault)
        _carry_out_answer(state, action)
    else:
        _carry_out_answer(state, action)


def _carry_out_answer(state: GameState, action: Answer) -> None:
    """Carry out a take or a pass that answers the open double."""
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


def _handle_answer_without_double(state: GameState, action: Answer) -> None:
    """Report a take or a pass that no double precedes."""
    before = _find_action_before(state)
    # Unreadable text right before the answer may be the double.
    if isinstance(before, Unread) and before.side != action.side:
        state.cube.record_double(other_side(action.side))
        _carry_out_answer(state, action)
        return
    about = {"taken": action.taken}
    uncertain_after = (VALUE, OWNER)
    report_cube_error(
        state,
        "answer-without-double",
        action,
        uncertain_after=uncertain_after,
        excused_by=ANSWER,
        **about,
    )
    state.cube.mark_certain(ANSWER)
    fault = state.cube.fault
    is_turn = state.last is not None and state.to_act == action.side
    if fault is not None and (is_turn or _replaces_opening(state, action)):
        # If the side should have rolled here, a play is guessed in place of the answer.
        guess_unreadable_turn(state, fault, action.side)
        state.opening.note_unwritten_roll()
    state.give_turn(None)


def _replaces_opening(state: GameState, action: Answer) -> bool:
    """Whether an answer without a double is written in place of the opening roll and play."""
    # Nobody has rolled before, and the other side plays next.
    following = next(state.later_actions(), None)
    is_others = isinstance(following, Play) and following.side != action.side
    return state.is_at_opening and is_others


def _find_action_before(state: GameState) -> object:
    """Return the action before the current one, skipping comments and rulings, or None."""
    actions = state.game.actions
    earlier = (actions[index] for index in range(state.index - 1, -1, -1))
    return next((a for a in earlier if not isinstance(a, Comment | RulingMade)), None)


def close_offer(state: GameState, action: Action, side: Side) -> None:
    """End an unanswered double when an action of `side` follows, and report the missing answer."""
    cube = state.cube.now
    state.cube.mark_certain(BEAVER)
    if cube.offered_by == cube.keeper:
        state.cube.set_cube(cube.taken())
    else:
        uncertain_after = (VALUE, OWNER, ANSWER)
        report_cube_error(
            state,
            "unanswered-double",
            action,
            uncertain_after=uncertain_after,
            excused_by=OFFER,
            offer=cube.offer,
        )
        state.cube.mark_certain(OFFER)
        # Only a beaver counts as taken.
        state.cube.withdraw_offer()
    state.give_turn(side)


def possible_cubes(state: GameState) -> tuple[Cube, ...]:
    """Return the cubes (value and owner) possible when the game ends, the replayed one first."""
    cube = state.cube.now
    if state.cube.fault is None:
        return (cube,)
    less, more = max(cube.value // 2, 1), 2 * cube.value
    least = max(cube.value // 4, 1)
    values = {least, less, cube.value, more, 2 * more}
    # Under the Jacoby rule it matters whether the cube is owned, but not by whom.
    return (cube, *(Cube(value, owner) for value in sorted(values) for owner in (None, 0)))
