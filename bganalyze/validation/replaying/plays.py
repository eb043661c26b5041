"""Rolls and plays: whose turn it is, which dice were rolled, and whether the play is legal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from bganalyze.board.cube import classify_loss
from bganalyze.board.plays import LEGAL, Legality, can_move, check_play
from bganalyze.board.position import OFF, Position
from bganalyze.record.conventions import WRITE_DIFFERENCES
from bganalyze.record.model import Double, Play, PlayRecord, Side, other_side
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.cube import close_offer
from bganalyze.validation.replaying.faults import (
    guess_unreadable_play,
    handle_illegal_play,
    leave_out_play,
    may_roll_be_withdrawn,
    report_ambiguous_route,
    report_missing_turn,
    report_second_roll,
    report_unrecorded_play,
    report_unrecorded_turn,
    try_later_actions,
)
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, place_text, refuses_double
from bganalyze.validation.replaying.rulings import is_roll_interrupted
from bganalyze.validation.replaying.set_ups import check_crawford, check_cube
from bganalyze.validation.replaying.state import (
    ANSWER,
    OWNER,
    VALUE,
    GameState,
    ReportedProblem,
    have_same_roll,
    share_cell,
)
from bganalyze.validation.replaying.trial import try_play

UNKNOWN_ROLL = (0, 0)
"""The roll of a turn written as unknown, `00: ????`."""


def check_roll_and_play(state: GameState, action: Play) -> Legality | None:
    """Check a roll and its play, make the play on the board, and report errors.

    Return the legality of the play, or None if the play was not checked.
    """
    side = action.side
    if state.index in state.doubt.consumed:
        state.give_turn(other_side(side))
        return None
    if state.doubt.is_stopped:
        state.give_turn(other_side(side))
        state.cube.withdraw_offer()
        return None
    if _is_roll_withdrawn(state, action):
        state.mark_as_no_roll(action)
        return None
    if _skip_if_repeated(state, action):
        return None
    if state.cube.now.is_open:
        close_offer(state, action, side)
    if state.to_act is not None and state.to_act != side:
        if report_second_roll(state, action):
            return None
        if state.to_act != side:
            report_missing_turn(state, action)
    before, noted_before = state.boards, len(state.problems)
    checked = _check_play(state, action)
    state.set_last_play(action, before, _find_first_illegal_play(state.problems[noted_before:]))
    end_if_borne_off(state, side)
    return checked


def end_if_borne_off(state: GameState, side: Side) -> None:
    """End the game as a win of `side` if all its checkers are off."""
    own = state.boards[side]
    if own[OFF] and not any(own[1:]) and state.end.kind is None:
        state.end.decide_game("borne-off", side, _count_points_lost(state, other_side(side)))


def _find_first_illegal_play(faults: Sequence[ReportedProblem]) -> ReportedProblem | None:
    """Return the first problem that is an illegal play, or None."""
    return next((fault for fault in faults if fault.problem.rule in MOVEMENT), None)


def _count_points_lost(state: GameState, loser: Side) -> int:
    """Return the points that `loser` loses by a bear-off: the cube value times 1, 2 or 3."""
    cube, size = state.cube.now, int(classify_loss(state.boards[loser]))
    if state.context.terms.jacoby and cube.owner is None:
        size = 1
    return cube.value * size


# -- repetitions and corrections ------------------------------------------------------------


def _skip_if_repeated(state: GameState, action: Play) -> bool:
    """Skip a play that only repeats the last play, and return whether the play was skipped."""
    if state.last is None:
        return False
    last, _, fault = state.last
    on_roll = state.to_act == action.side and not state.cube.now.is_open
    if last.side != action.side or on_roll:
        return _skip_if_row_repeated(state, action)
    if not have_same_roll(last, action):
        return False
    if fault is not None:
        if _join_halves(state, action, fault):
            return True
        if _is_too_late_after_double(state):
            _make_late_correction(state, action)
            return True
        # An illegal last play is undone, because this one corrects it.
        _correct_last_play(state, action, fault)
        return False
    if last.steps != action.steps or state.cube.now.is_open or _is_played_twice(state, action):
        return False
    _report_repeated_row(state, action, last)
    return True


def _is_played_twice(state: GameState, action: Play) -> bool:
    """Whether the later plays are legal only if a repeated play was really made twice."""
    played = try_play(state.boards, action, marks_hits=state.conventions.marks_hits)
    return (
        played.is_legal
        and try_later_actions(state, played.boards, action.side).is_whole
        and not try_later_actions(state, state.boards, action.side).is_whole
    )


def corrects_winning_play(state: GameState, action: Play) -> bool:
    """Whether this play corrects an illegal play by which the same side won the game."""
    end, last = state.end, state.last
    if end.kind != "borne-off" or end.result is not None or end.is_followed:
        return False
    if last is None or last.fault is None or last.play.side != action.side:
        return False
    return have_same_roll(last.play, action)


def _is_roll_withdrawn(state: GameState, action: Play) -> bool:
    """Whether this roll was taken back so that the opponent could correct an illegal play."""
    if state.last is None or state.last.fault is None or not may_roll_be_withdrawn(state, action):
        return False
    last = state.last.play
    again = next((later for later in state.later_actions() if isinstance(later, Play)), None)
    return (
        action.side != last.side
        and again is not None
        and again.side == last.side
        and have_same_roll(again, last)
    )


def _is_too_late_after_double(state: GameState) -> bool:
    """Whether a valid double after the last play makes it too late to correct that play."""
    if state.rule_book.stands_after != "roll-or-double" or not state.cube.now.is_open:
        return False
    double = next(turn.action for turn in reversed(state.turns) if isinstance(turn.action, Double))
    problems = (noted.problem for noted in reversed(state.problems))
    of_double = takewhile(lambda problem: problem.span >= double.span, problems)
    return not any(refuses_double(problem, state.rule_book) for problem in of_double)


def _join_halves(state: GameState, action: Play, report: ReportedProblem) -> bool:
    """Join this play with the last one if together they are one legal play, split within a cell.

    A cell is one side's half of a row. Then `report`, which says that the last play left a die
    unplayed, is withdrawn. Return whether the plays were joined.
    """
    if report.problem.rule != "unplayed-die" or state.last is None or action.dice is None:
        return False
    last, before = state.last.play, state.boards_before_last_play()
    position = Position(before[action.side], before[1 - action.side])
    steps = (*last.steps, *action.steps)
    after, checked = check_play(position, action.dice, steps, state.conventions.marks_hits)
    if checked.fault is not None or not share_cell(last, action):
        return False
    # It was reported that the last play left a die unplayed.
    state.retract_error(report)
    state.add_problem("second-roll", action)
    state.set_position(after, action.side)
    return True


def _correct_last_play(state: GameState, action: Play, report: ReportedProblem) -> None:
    """Undo the illegal last play, which `action` corrects, and mark it as corrected."""
    report.amend_problem(standing=Standing.CORRECTED, closed_by=place_text(action.span))
    if state.cube.now.is_open:
        state.cube.replace_error(report, VALUE, OWNER, ANSWER)
    state.undo_last_play()


def _make_late_correction(state: GameState, action: Play) -> None:
    """Make a play that corrects the last play too late, so that the last play remains an error."""
    assert state.last is not None
    before, side = state.boards_before_last_play(), action.side
    position = Position(before[side], before[other_side(side)])
    after, _ = check_play(
        position, action.dice or (0, 0), action.steps, state.conventions.marks_hits
    )
    # The error still counts, and the double that made it too late stays on offer.
    state.set_position(after, side)
    state.mark_as_no_roll(action)


def _skip_if_row_repeated(state: GameState, action: Play) -> bool:
    """Skip a play if its row is written twice, and return whether the play was skipped."""
    if not state.odd_rows or action.row is None:
        return False
    first = next(
        (
            earlier
            for earlier in reversed(state.game.actions[max(state.index - 3, 0) : state.index])
            if isinstance(earlier, Play)
            and (earlier.row, earlier.side) == (action.row, action.side)
            and (earlier.dice, earlier.steps) == (action.dice, action.steps)
            and earlier.span.line != action.span.line
        ),
        None,
    )
    if first is None or not action.steps:
        return False
    assert isinstance(first, Play)
    _report_repeated_row(state, action, first)
    return True


def _report_repeated_row(state: GameState, action: Play, first: Play) -> None:
    """Report a play that repeats the play `first`, unless the repeated row was already reported."""
    state.mark_as_no_roll(action)
    if state.replayed_line != action.span.line:
        state.add_problem("replayed-turn", action, first=place_text(first.span))


# -- the play -------------------------------------------------------------------------------


def _check_play(state: GameState, action: Play) -> Legality | None:
    """Check a play and carry it out; return its legality, or None if it cannot be checked."""
    if action.called_illegal:
        _make_play_marked_illegal(state, action)
        return None
    dice = _check_dice(state, action)
    if dice is None:
        if _is_unknown_turn(state, action):
            report_unrecorded_turn(state, action)
        else:
            _move_checkers_unchecked(state, action)
        return None
    if action.how is PlayRecord.UNREAD:
        return _make_partly_read_play(state, action)
    if not action.steps:
        return _check_roll_without_play(state, action, dice)
    position = state.seen_by(action.side)
    after, checked = check_play(position, dice, action.steps, state.conventions.marks_hits)
    if checked.fault is not None:
        handle_illegal_play(state, action, after, checked.fault)
        return checked
    if checked.unmarked or checked.mismarked or checked.remark:
        _note_spelling(state, action, checked)
    state.set_position(after, action.side)
    state.doubt.count_legal_play()
    if checked.remark == "ambiguous-route":
        report_ambiguous_route(state, action, position, after)
    return checked


def _check_dice(state: GameState, action: Play) -> tuple[int, int] | None:
    """Return a play's roll and report its errors; None if the roll is missing or impossible."""
    dice = action.dice
    if dice is None:
        if action.how is not PlayRecord.UNREAD and not state.is_shut_out(action.side):
            state.add_problem("play-without-roll", action)
        return None
    if dice == UNKNOWN_ROLL:
        if action.steps:
            state.add_problem("play-without-roll", action)
        return None
    if not (0 < dice[0] <= 6 and 0 < dice[1] <= 6):
        state.add_problem("impossible-die", action, dice=dice)
        return None
    if dice[0] == dice[1] and state.is_at_opening:
        state.add_problem("opening-double", action, dice=dice)
    return dice


def _is_unknown_turn(state: GameState, action: Play) -> bool:
    """Whether a turn has neither roll nor play (`00: ????`), and more of the game follows."""
    is_unknown = (
        action.how is PlayRecord.UNPLAYED and action.dice == UNKNOWN_ROLL and not action.steps
    )
    # The last turn need not be known.
    return is_unknown and not state.is_shut_out(action.side) and not state.is_last_turn()


def _move_checkers_unchecked(state: GameState, action: Play) -> None:
    """Move the checkers of a play without checking it."""
    if action.steps:
        position = state.seen_by(action.side)
        after, _ = check_play(position, (0, 0), action.steps, state.conventions.marks_hits)
        state.set_position(after, action.side)


def _make_play_marked_illegal(state: GameState, action: Play) -> None:
    """Make a play that the match file itself marks as illegal, and report it."""
    fault = state.add_problem("illegal-play", action, called=True)
    if action.left_board is not None:
        check_cube(state, action.left_board)
        check_crawford(state, action.left_board)
    before = state.boards
    # The board recorded after it counts more than its steps.
    if action.left_board is not None and action.left_board.boards is not None:
        state.set_boards(action.left_board.boards)
    else:
        _move_checkers_unchecked(state, action)
    if state.rule_book.after_illegal != "played":
        recorded = state.boards
        state.set_boards(before)
        leave_out_play(state, fault, recorded)


def _make_partly_read_play(state: GameState, action: Play) -> Legality | None:
    """Make a play of which only some steps could be read, and return its legality.

    Return None if the play had to be guessed.
    """
    assert action.dice is not None
    if action.steps:
        position = state.seen_by(action.side)
        after, checked = check_play(
            position, action.dice, action.steps, state.conventions.marks_hits
        )
        if checked.fault is None:
            state.set_position(after, action.side)
            return checked
    # The steps read are no legal play alone.
    guess_unreadable_play(state, action)
    return None


def _check_roll_without_play(
    state: GameState, action: Play, dice: tuple[int, int]
) -> Legality | None:
    """Check a roll without steps: a dance, a resignation, or a play that is not written.

    Return the legality of a dance or an illegal play, or None for anything else.
    """
    position = state.seen_by(action.side)
    if action.how is not PlayRecord.UNPLAYED and not can_move(position, dice):
        return LEGAL
    if _is_followed_in_cell(state, action):
        return None
    if action.how is PlayRecord.UNPLAYED and is_roll_interrupted(state):
        return None
    if state.is_last_turn() and (
        state.is_result_ahead() or action.how is not PlayRecord.CANNOT_MOVE
    ):
        has_won = (
            state.is_named_winner_later(action.side) and action.how is not PlayRecord.CANNOT_MOVE
        )
        if has_won or not state.is_result_ahead():
            state.add_problem("ambiguous-empty", action, has_won=has_won)
        return None
    if action.how is PlayRecord.UNPLAYED or (
        action.how is PlayRecord.EMPTY and state.conventions.writes_dances
    ):
        report_unrecorded_play(state, action, position)
        return None
    after, checked = check_play(position, dice, (), state.conventions.marks_hits)
    assert checked.fault is not None
    handle_illegal_play(state, action, after, checked.fault)
    return checked


def _is_followed_in_cell(state: GameState, action: Play) -> bool:
    """Whether another roll or a double follows this roll without steps in the same half-row."""
    following = state.nearby_action(1)
    if not share_cell(action, following):
        return False
    return isinstance(following, Play) or (
        isinstance(following, Double) and _may_roll_be_played_later(state, action)
    )


def _may_roll_be_played_later(state: GameState, action: Play) -> bool:
    """Whether the roll of `action`, which has no steps, may be played by the next play."""
    later = next((other for other in state.later_actions() if isinstance(other, Play)), None)
    if later is None:
        # The play may be missing at the end.
        return True
    return later.side == action.side and (later.dice is None or have_same_roll(action, later))


def _note_spelling(state: GameState, action: Play, checked: Legality) -> None:
    """Report a legal play written with a blocked route, or with wrong or missing hit marks."""
    is_open = checked.remark == "ambiguous-route"
    if checked.unmarked and state.conventions.marks_hits and not is_open:
        state.add_problem("missing-hit-mark", action, action.place(checked.unmarked[0]))
    if checked.mismarked:
        state.add_problem("false-hit-mark", action, action.place(checked.mismarked[0]))
    joins_points = state.conventions.producer in WRITE_DIFFERENCES
    if checked.remark == "blocked-route" and not joins_points:
        state.add_problem("blocked-route", action)
