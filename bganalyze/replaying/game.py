"""Replaying a game: its actions in order, each carried out as recorded."""

from __future__ import annotations

from bganalyze.board.movement import are_dice, played_straight
from bganalyze.board.plays import LEGAL, Verdict, can_move
from bganalyze.board.position import OFF, Points, Position
from bganalyze.replaying.cube import OWNER, VALUE, answer, double
from bganalyze.replaying.facts import Boards, Turn
from bganalyze.replaying.faults import hidden_turn
from bganalyze.replaying.plays import play
from bganalyze.replaying.set_ups import recorded_board
from bganalyze.replaying.state import Table, share_cell
from bganalyze.transcript.model import (
    Action,
    Answer,
    Comment,
    Double,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Unread,
    other_side,
)

# The usual plays: in turn, straight, and nothing to say of them. Nine of ten are.
#
# Carried out in one go, without asking at each for what hardly any has. Measured: a third off the
# time of a replay.

_made = tuple.__new__
"""Nearly all turns are made here, as the tuples they are. Measured: 2 % of a check."""


def usual_plays(table: Table) -> list[Turn]:
    """Carry out the plays that come next, up to the first action that needs a closer look."""
    last, side = table.last_play, table.to_act
    if last is None or side == last.side or not _is_usual(table):
        return []
    turns: list[Turn] = []
    before = boards = table.boards
    actions = table.game.actions
    for index in range(len(table.turns), len(actions)):
        action = actions[index]
        if type(action) is not Play or action.side != side:
            break
        own, other = boards if side == 0 else (boards[1], boards[0])
        after = _played(action, own, other, marks_hits=table.profile.marks_hits)
        if after is None:
            break
        before, boards = boards, after if side == 0 else (after[1], after[0])
        turns.append(_made(Turn, (table.context, action, before, boards, table.cube, LEGAL, True)))
        last, side = action, 1 if side == 0 else 0
    if turns:
        _remember(table, last, before, boards)
    return turns


def _is_usual(table: Table) -> bool:
    """Whether the game has gone as usual: begun, not ended, no cube offered, nothing odd."""
    usual_so_far = table.thrown and table.over is None and table.cube.offered_by is None
    return usual_so_far and not (table.facts or table.odd_rows)


def _played(
    action: Play, own: Points, other: Points, *, marks_hits: bool
) -> tuple[Points, Points] | None:
    """Return the checkers of both sides after a usual play or dance, or None."""
    dice, steps = action.dice, action.steps
    if dice is None or action.called_illegal:
        return None
    if not steps:
        return _danced(action.how, own, other, dice)
    played = played_straight(own, other, dice, steps)
    if played is None or action.how is not PlayRecord.PLAYED:
        return None
    own, other, marked = played
    if own[OFF] and not any(own[1:]):
        return None
    if not marked and (marks_hits or any(True in marks for _, marks in steps)):
        return None
    return own, other


def _danced(
    how: PlayRecord, own: Points, other: Points, dice: tuple[int, int]
) -> tuple[Points, Points] | None:
    """Return the checkers, as they were, if none can be moved, else None."""
    if how not in (PlayRecord.EMPTY, PlayRecord.CANNOT_MOVE) or not are_dice(dice):
        return None
    return None if can_move(Position(own, other), dice) else (own, other)


def _remember(table: Table, last: Play, before: Boards, boards: Boards) -> None:
    """Leave the table as it is after the last of the plays."""
    table.boards = boards
    table.last_play, table.before_last, table.fault_of_last = last, before, None
    table.second_play_done = True
    table.to_act = 1 if last.side == 0 else 0


def replay_game(table: Table) -> None:
    """Carry out every action of the game on `table`."""
    while len(table.turns) < len(table.game.actions):
        table.turns += usual_plays(table) or [_turn(table)]


def _turn(table: Table) -> Turn:
    """Carry out the next action, whatever it is."""
    table.index = len(table.turns)
    action, table.start = table.game.actions[table.index], (table.boards, table.cube)
    judged = _carry_out(table, action)
    before, cube = table.start
    return Turn(table.context, action, before, table.boards, cube, judged, table.doubt is None)


def _carry_out(table: Table, action: Action) -> Verdict | None:
    """Carry out one action; return the verdict on a play."""
    if type(action) is Play and table.over is None:
        return play(table, action)
    match action:
        case Comment():
            pass
        case Unread():
            _unread(table, action)
        case SetUp():
            recorded_board(table, action)
        case Result():
            _result(table, action)
        case _ if table.over is not None:
            _after_the_end(table, action)
        case Double():
            double(table, action)
        case Answer():
            answer(table, action)
        case Resignation():
            _resign(table, action)
    return None


def _resign(table: Table, action: Resignation) -> None:
    """A game given up; what it costs is what the record says. Declined, the game goes on."""
    if action.declined:
        return
    table.resignation = action
    table.end(action.manner, other_side(action.side), None)


def _result(table: Table, action: Result) -> None:
    """A result; where nothing decided the game before it, the other side has given up."""
    if table.result is not None:
        _second_result(table, action, table.result)
        return
    table.result = action
    if table.over is None:
        table.is_implied = True
        table.end("resigned", action.side, None)


def _second_result(table: Table, action: Result, first: Result) -> None:
    """A result after the first: the same once more, or another, which the next score may follow."""
    if (action.side, action.points) != (first.side, first.points) and table.other_result is None:
        table.other_result = action
        table.note("action-after-end", action, ended="result")


def _after_the_end(table: Table, action: Play | Double | Answer | Resignation) -> None:
    """An action after the game was decided; reported once a game."""
    if isinstance(action, Resignation):
        if not action.declined:
            table.resignation = action
        return
    if table.over != "borne-off":
        table.not_thrown.add(action.span)
    if table.acted_after_end:
        return
    table.acted_after_end = True
    if isinstance(action, Play) and table.repeats_last_play(action):
        table.note("ghost-row", action)
        table.not_thrown.add(action.span)
    elif (cause := table.doubt or table.end_doubt) is not None:
        table.blame(cause)
    else:
        table.end_doubt = table.note("action-after-end", action, ended=table.over)


def _unread(table: Table, action: Unread) -> None:
    """Unreadable text may hide a turn: nothing is reported missing because of it."""
    fact = table.note("unreadable-text", action, text=action.text, last_line=action.last_line)
    table.unread = True
    in_cell = share_cell(table.neighbour(-1), action) or share_cell(action, table.neighbour(1))
    if table.over is not None or in_cell:
        return
    if action.side is None or table.cube.is_open:
        table.to_act = None
        if table.cube.is_open:
            table.cube_doubt = fact
            table.unsure.update((VALUE, OWNER))
            table.cube = table.cube.withdrawn()
        return
    hidden_turn(table, fact, action.side)
    table.to_act = other_side(action.side)
