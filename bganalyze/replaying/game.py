"""Replaying a game: its actions in order, each carried out as recorded."""

from __future__ import annotations

from bganalyze.board.plays import Verdict
from bganalyze.replaying.cube import OWNER, VALUE, answer, double
from bganalyze.replaying.facts import Turn
from bganalyze.replaying.faults import hidden_turn
from bganalyze.replaying.plays import play
from bganalyze.replaying.set_ups import recorded_board
from bganalyze.replaying.state import Table, share_cell
from bganalyze.replaying.usual import usual_plays
from bganalyze.transcript.model import (
    Action,
    Answer,
    Comment,
    Double,
    Play,
    Resignation,
    Result,
    SetUp,
    Unread,
    other_side,
)


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
