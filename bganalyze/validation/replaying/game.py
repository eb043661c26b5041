"""Replaying a game: its actions in order, each carried out as recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import islice

from bganalyze.board.movement import Dice, are_dice, try_plain_play_in_place
from bganalyze.board.plays import Legality, can_move
from bganalyze.board.position import OFF, Step
from bganalyze.record.model import (
    LEFT,
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    GameReplayed,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    SetUp,
    Side,
    Unread,
    other_side,
)
from bganalyze.validation.replaying.boundaries import next_actions, plays_fit
from bganalyze.validation.replaying.cube import answer, double
from bganalyze.validation.replaying.facts import Boards, boards_after
from bganalyze.validation.replaying.faults import hidden_turn
from bganalyze.validation.replaying.plays import corrects_win, end_if_borne_off, play
from bganalyze.validation.replaying.rulings import carry_out_ruling
from bganalyze.validation.replaying.set_ups import recorded_board
from bganalyze.validation.replaying.state import OWNER, VALUE, Noted, Table, share_cell

PASS_IS_TAKE = "the pass a take"
GOES_ON = "the game not over yet"

_TURNS = (Play, Double, Answer)
_NOT_MOVED = (PlayRecord.EMPTY, PlayRecord.CANNOT_MOVE)


# Usual plays are carried out in one go, without the tests that hardly any play needs: that saves a
# third of the time of a replay.


def _carry_out_usual_plays(table: Table) -> None:
    """Carry out the next ordinary plays in one fast loop, up to the first that needs a full check."""
    side = _side_of_usual_play(table)
    if side is None:
        return
    marks_hits = table.conventions.marks_hits
    following = islice(table.game.actions, table.index, None)
    plays, boards = usual_plays(table.boards, following, side, marks_hits=marks_hits)
    if plays:
        table.add_usual(plays, boards)
        end_if_borne_off(table, plays[-1].side)


def _side_of_usual_play(table: Table) -> Side | None:
    """Return the side whose next action may be an ordinary play, or None.

    The game must not be over, no double open, and the board certain.
    """
    if table.end.kind is not None or table.cube.now.is_open or table.facts or table.odd_rows:
        return None
    if table.last is not None:
        is_usual = table.opening.is_rolled and table.to_act != table.last.play.side
        return table.to_act if is_usual else None
    first = table.game.actions[table.index]
    if table.index or type(first) is not Play or first.dice is None:
        return None
    die, other_die = first.dice
    return first.side if die != other_die else None


def usual_plays(
    boards: Boards, actions: Iterable[Action], side: Side, *, marks_hits: bool
) -> tuple[list[Play], Boards]:
    """Return the plays at the start of `actions` that need no full check, and the boards after them.

    They are legal, in turn and plainly written, and the last may win the game. `side` is on roll,
    and `marks_hits` says whether the file marks hits.
    """
    plays: list[Play] = []
    sides = list(boards[0]), list(boards[1])
    is_played = PlayRecord.PLAYED  # Looking up the member takes as long as moving a checker.
    to_play: int = side
    own, other = sides if side == LEFT else sides[::-1]
    for action in actions:
        if type(action) is not Play:
            break
        # Unpacking a slice takes three quarters of the time.
        mover, dice, steps, _, how, called_illegal = action[2:8]
        if mover != to_play or dice is None or called_illegal:
            break
        if steps:
            marked = try_plain_play_in_place(own, other, dice, steps) if how is is_played else None
            if not marked and (marked is None or not _may_be_unmarked(steps, marks_hits)):
                return plays, reduce(boards_after, plays, boards)  # Some steps may already be made.
        elif not _is_danced(how, own, other, dice):
            break
        plays.append(action)
        if own[OFF] and not any(own[1:]):
            break
        own, other, to_play = other, own, 1 - to_play
    left, right = sides
    return plays, (tuple(left), tuple(right))


def _may_be_unmarked(steps: Sequence[Step], marks_hits: bool) -> bool:
    """Whether a play may hit without marks: neither the match file nor this play marks hits."""
    return not marks_hits and not any(True in marks for _, marks in steps)


def _is_danced(how: PlayRecord, own: Sequence[int], other: Sequence[int], dice: Dice) -> bool:
    """Whether a roll without steps really has no legal play.

    `how` says how the play is recorded; `own` and `other` are both sides' checkers, seen by the
    mover.
    """
    return how in _NOT_MOVED and are_dice(dice) and not can_move((own, other), dice)


def replay_game(table: Table) -> None:
    """Carry out every action of the game on `table`."""
    actions = table.game.actions
    while table.index < len(actions):
        if type(actions[table.index]) is Play:
            _carry_out_usual_plays(table)
        if table.index < len(actions):
            action = table.begin_turn()
            table.finish_turn(action, _carry_out(table, action))


def _carry_out(table: Table, action: Action) -> Legality | None:
    """Carry out one action; return the legality of a play, or None."""
    if type(action) is Play and (table.end.kind is None or corrects_win(table, action)):
        return play(table, action)
    if table.end.kind is not None and isinstance(action, _TURNS):
        _handle_after_end(table, action)
        return None if table.end.kind is not None else _carry_out(table, action)
    _carry_out_other(table, action)
    return None


def _carry_out_other(table: Table, action: Action) -> None:
    """Carry out an action that is no play."""
    match action:
        case Double():
            double(table, action)
        case Answer():
            answer(table, action)
        case Result():
            _record_result(table, action)
        case Comment() | Resignation(declined=True):
            table.keep_aside(action)
        case Unread():
            _report_unread(table, action)
        case SetUp():
            recorded_board(table, action)
        case Resignation():
            table.keep_aside(action)
            table.end.record_resignation(action)
        case CheckersPutBack() | GameReplayed() | PointsGiven():
            carry_out_ruling(table, action)


def _record_result(table: Table, action: Result) -> None:
    """Record the result of the game; report it if it is the second one."""
    first = table.end.result
    if first is None:
        table.end.record_result(action)
    elif not table.end.other_result:
        table.end.record_second_result(action)
        if (action.side, action.points) != (first.side, first.points):
            table.add_fact("action-after-end", action, ended="result")
        elif not table.end.is_passed:
            table.add_fact("repeated-result", action)


def _handle_after_end(table: Table, action: Play | Double | Answer) -> None:
    """Handle an action after the game was decided: report only the first such action."""
    end = table.end
    if not end.is_passed:
        end.note_action_after_end()
        _report_after_end(table, action)
    if end.kind not in (None, "borne-off"):
        table.mark_not_closing(action)


def _report_after_end(table: Table, action: Play | Double | Answer) -> None:
    """Report an action after the game was decided."""
    end = table.end
    if isinstance(action, Play) and table.repeats_last_play(action):
        table.add_fact("ghost-row", action)
        table.mark_not_closing(action)
    elif (cause := table.doubt.cause or end.doubt) is not None:
        cause.add_consequence(action, "action-after-end")
    else:
        fault = table.add_fact("action-after-end", action, ended=end.kind)
        end.question_end(fault)
        _reopen_if_continued(table, fault)


def _reopen_if_continued(table: Table, fault: Noted) -> None:
    """Go on with a game that seemed to be over if the plays after its end are legal on the board.

    A pass is then read as a take. `fault` is the report of the first action after the end.
    """
    kind, tail = table.end.kind, next_actions(table.game.actions, table.index)
    if kind in ("borne-off", "replayed") or not plays_fit(
        tail, table.boards, marks_hits=table.conventions.marks_hits
    ):
        return
    if kind == "pass":
        table.cube.accept_offer()
    fault.amend_fact(reading=PASS_IS_TAKE if kind == "pass" else GOES_ON)
    table.end.overrule_end()
    table.give_turn(None)


def _report_unread(table: Table, action: Unread) -> None:
    """Report unreadable text. The text may hide a turn, so no turn beside it is reported as missing."""
    fact = table.add_fact("unreadable-text", action, text=action.text, last_line=action.last_line)
    in_cell = share_cell(table.nearby_action(-1), action) or share_cell(
        action, table.nearby_action(1)
    )
    if table.end.kind is not None or in_cell:
        return
    if table.cube.now.is_open:
        table.cube.guess_after(fact, VALUE, OWNER)
        table.cube.withdraw_offer()
        table.give_turn(None)
    elif action.side is None:
        table.give_turn(None)
    else:
        hidden_turn(table, fact, action.side)
        table.give_turn(other_side(action.side))
