"""Rolls and plays: in whose turn, with which dice, and whether the play is legal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from bganalyze.board.cube import class_of_loss
from bganalyze.board.plays import LEGAL, Legality, can_move, check_play
from bganalyze.board.position import OFF, Position
from bganalyze.record.model import Double, Play, PlayRecord, Side, other_side
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.cube import close_offer
from bganalyze.validation.replaying.faults import (
    ambiguous_route,
    best_hidden_play,
    check_order,
    illegal_play,
    leave_out,
    play_not_recorded,
    refuse_second_roll,
    try_rest,
)
from bganalyze.validation.replaying.set_ups import check_crawford, check_cube
from bganalyze.validation.replaying.standing import MOVEMENT, place_of, refuses_double
from bganalyze.validation.replaying.state import (
    ANSWER,
    OWNER,
    VALUE,
    Noted,
    Table,
    have_same_roll,
    share_cell,
)
from bganalyze.validation.replaying.trial import carried_out


def play(table: Table, action: Play) -> Legality | None:
    """Carry out a roll and what was done with it; return the legality on the play, if any."""
    side = action.side
    if table.index in table.doubt.consumed:
        table.give_turn(other_side(side))
        return None
    if table.doubt.is_stopped:
        table.give_turn(other_side(side))
        table.cube.withdraw()
        return None
    if _pass_over_repetition(table, action):
        return None
    if table.cube.now.is_open:
        close_offer(table, action, side)
    if table.to_act is not None and table.to_act != side:
        if refuse_second_roll(table, action):
            return None
        if table.to_act != side:
            check_order(table, action)
    before, noted_before = table.boards, len(table.facts)
    checked = _check(table, action)
    table.remember(action, before, _error_of_movement(table.facts[noted_before:]))
    end_if_borne_off(table, side)
    return checked


def end_if_borne_off(table: Table, side: Side) -> None:
    """End the game if all checkers of `side` are off."""
    own = table.boards[side]
    if own[OFF] and not any(own[1:]) and table.end.kind is None:
        table.end.decide("borne-off", side, _value_of_loss(table, other_side(side)))


def _error_of_movement(noted: Sequence[Noted]) -> Noted | None:
    return next((fault for fault in noted if fault.fact.rule in MOVEMENT), None)


def _value_of_loss(table: Table, loser: Side) -> int:
    """Return the points of a loss by bear-off: the cube times its class."""
    cube, size = table.cube.now, int(class_of_loss(table.boards[loser]))
    if table.context.terms.jacoby and cube.owner is None:
        size = 1
    return cube.value * size


# -- repetitions and corrections ------------------------------------------------------------


def _pass_over_repetition(table: Table, action: Play) -> bool:
    """Pass over a turn that the record repeats; return whether it does.

    One that corrects the turn before it is made ready to be carried out instead.
    """
    if table.last is None:
        return False
    last, _, fault = table.last
    on_roll = table.to_act == action.side and not table.cube.now.is_open
    if last.side != action.side or on_roll:
        return _pass_over_repeated_row(table, action)
    if not have_same_roll(last, action):
        return False
    if fault is not None:
        if _carry_out_rest(table, action, fault):
            return True
        if _is_closed_by_double(table):
            _correct_late(table, action)
            return True
        _correct(table, action, fault)
        return False
    if last.steps != action.steps or table.cube.now.is_open or _is_played_twice(table, action):
        return False
    _note_repetition(table, action, last)
    return True


def _is_played_twice(table: Table, action: Play) -> bool:
    """Whether what follows fits only if a turn written like the one before was played as well."""
    played = carried_out(table.boards, action, marks_hits=table.profile.marks_hits)
    return (
        played.is_legal
        and try_rest(table, played.boards, action.side).is_whole
        and not try_rest(table, table.boards, action.side).is_whole
    )


def corrects_win(table: Table, action: Play) -> bool:
    """Whether an illegal play that won the game is corrected in time by this one."""
    end, last = table.end, table.last
    if end.kind != "borne-off" or end.result is not None or end.is_passed:
        return False
    if last is None or last.fault is None or last.play.side != action.side:
        return False
    return have_same_roll(last.play, action)


def _is_closed_by_double(table: Table) -> bool:
    """Whether the rule book in use lets no play be corrected after the double that is offered now."""
    if table.rule_book.stands_after != "roll-or-double" or not table.cube.now.is_open:
        return False
    double = next(turn.action for turn in reversed(table.turns) if isinstance(turn.action, Double))
    facts = (noted.fact for noted in reversed(table.facts))
    of_double = takewhile(lambda fact: fact.span >= double.span, facts)
    return not any(refuses_double(fact, table.rule_book) for fact in of_double)


def _carry_out_rest(table: Table, action: Play, fault: Noted) -> bool:
    """Make one play of two halves in a cell, each written with the roll."""
    if fault.fact.rule != "unplayed-die" or table.last is None or action.dice is None:
        return False
    last, before = table.last.play, table.before_last()
    position = Position(before[action.side], before[1 - action.side])
    steps = (*last.steps, *action.steps)
    after, checked = check_play(position, action.dice, steps, table.profile.marks_hits)
    if checked.fault is not None or not share_cell(last, action):
        return False
    table.retract(fault)
    table.note("second-roll", action)
    table.put_seen(after, action.side)
    return True


def _correct(table: Table, action: Play, fault: Noted) -> None:
    """Mark an illegal play as corrected in time by this one, of the same roll, and undo it."""
    fault.amend(standing=Standing.CORRECTED, closed_by=place_of(action.span))
    if table.cube.now.is_open:
        table.cube.guess_after(fault, VALUE, OWNER, ANSWER)
    table.take_back()


def _correct_late(table: Table, action: Play) -> None:
    """Put on the board what a correction leaves that comes too late: the error stands all the same.

    The double that closed it stays offered; the roll closes nothing.
    """
    assert table.last is not None
    before, side = table.before_last(), action.side
    position = Position(before[side], before[other_side(side)])
    after, _ = check_play(position, action.dice or (0, 0), action.steps, table.profile.marks_hits)
    table.put_seen(after, side)
    table.discount(action)


def _pass_over_repeated_row(table: Table, action: Play) -> bool:
    """Pass over a repeated row: same number, same rolls, same plays."""
    if not table.odd_rows or action.row is None:
        return False
    first = next(
        (
            earlier
            for earlier in reversed(table.game.actions[max(table.index - 3, 0) : table.index])
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
    _note_repetition(table, action, first)
    return True


def _note_repetition(table: Table, action: Play, first: Play) -> None:
    """Report a repeated row once, though it has two cells."""
    table.discount(action)
    if table.replayed_line != action.span.line:
        table.note("replayed-turn", action, first=place_of(first.span))


# -- the play -------------------------------------------------------------------------------


def _check(table: Table, action: Play) -> Legality | None:
    """Check a play and carry it out."""
    if action.called_illegal:
        _called_illegal(table, action)
        return None
    dice = _dice(table, action)
    if dice is None:
        _carry_out_blindly(table, action)
        return None
    if action.how is PlayRecord.UNREAD:
        return _half_read(table, action)
    if not action.steps:
        return _no_steps(table, action, dice)
    position = table.seen_by(action.side)
    after, checked = check_play(position, dice, action.steps, table.profile.marks_hits)
    if checked.fault is not None:
        illegal_play(table, action, after, checked.fault)
        return checked
    if checked.unmarked or checked.mismarked or checked.remark:
        _note_spelling(table, action, checked)
    table.put_seen(after, action.side)
    table.doubt.count_legal()
    if checked.remark == "ambiguous-route":
        ambiguous_route(table, action, position, after)
    return checked


def _dice(table: Table, action: Play) -> tuple[int, int] | None:
    """Return the roll if it can be played with; report one that cannot be."""
    dice = action.dice
    if dice is None:
        if action.how is not PlayRecord.UNREAD and not table.is_shut_out(action.side):
            table.note("play-without-roll", action)
        return None
    if dice == (0, 0):
        if action.steps:
            table.note("play-without-roll", action)
        return None
    if not (0 < dice[0] <= 6 and 0 < dice[1] <= 6):
        table.note("impossible-die", action, dice=dice)
        return None
    if dice[0] == dice[1] and table.is_at_opening:
        table.note("opening-double", action, dice=dice)
    return dice


def _carry_out_blindly(table: Table, action: Play) -> None:
    """Move the checkers of a play that cannot be checked, its roll being unknown."""
    if action.steps:
        position = table.seen_by(action.side)
        after, _ = check_play(position, (0, 0), action.steps, table.profile.marks_hits)
        table.put_seen(after, action.side)


def _called_illegal(table: Table, action: Play) -> None:
    """Carry out a play that the record calls illegal, to the recorded board if there is one."""
    fault = table.note("illegal-play", action, called=True)
    if action.left_board is not None:
        check_cube(table, action.left_board)
        check_crawford(table, action.left_board)
    before = table.boards
    if action.left_board is not None and action.left_board.boards is not None:
        table.put(action.left_board.boards)
    else:
        _carry_out_blindly(table, action)
    if table.rule_book.after_illegal != "played":
        recorded = table.boards
        table.put(before)
        leave_out(table, fault, recorded)


def _half_read(table: Table, action: Play) -> Legality | None:
    """Carry out a half-read play as far as it goes, or any play of its roll."""
    assert action.dice is not None
    if action.steps:
        position = table.seen_by(action.side)
        after, checked = check_play(position, action.dice, action.steps, table.profile.marks_hits)
        if checked.fault is None:
            table.put_seen(after, action.side)
            return checked
    best_hidden_play(table, action)
    return None


def _no_steps(table: Table, action: Play, dice: tuple[int, int]) -> Legality | None:
    """Check a roll without a play: a dance, a resignation, or a play that was not logged."""
    position = table.seen_by(action.side)
    if action.how is not PlayRecord.UNPLAYED and not can_move(position, dice):
        return LEGAL
    if _goes_on_in_cell(table, action):
        return None
    if table.is_last_turn() and (table.has_result() or action.how is not PlayRecord.CANNOT_MOVE):
        if not table.has_result():
            table.note("ambiguous-empty", action)
        return None
    if action.how is PlayRecord.UNPLAYED or (
        action.how is PlayRecord.EMPTY and table.profile.writes_dances
    ):
        play_not_recorded(table, action, position)
        return None
    after, checked = check_play(position, dice, (), table.profile.marks_hits)
    assert checked.fault is not None
    illegal_play(table, action, after, checked.fault)
    return checked


def _goes_on_in_cell(table: Table, action: Play) -> bool:
    """Whether a second roll stands where the play should, or a double after which it may be made."""
    following = table.neighbor(1)
    if not share_cell(action, following):
        return False
    return isinstance(following, Play) or (
        isinstance(following, Double) and _may_be_played_later(table, action)
    )


def _may_be_played_later(table: Table, action: Play) -> bool:
    """Whether the next play of the game is one of this roll by the same side, or there is none."""
    later = next((other for other in table.following() if isinstance(other, Play)), None)
    if later is None:
        return True
    return later.side == action.side and (later.dice is None or have_same_roll(action, later))


def _note_spelling(table: Table, action: Play, checked: Legality) -> None:
    """Report what is odd about the spelling of a legal play."""
    is_open = checked.remark == "ambiguous-route"
    if checked.unmarked and table.profile.marks_hits and not is_open:
        table.note("missing-hit-mark", action, action.place(checked.unmarked[0]))
    if checked.mismarked:
        table.note("false-hit-mark", action, action.place(checked.mismarked[0]))
    if checked.remark == "blocked-route":
        table.note("blocked-route", action)
