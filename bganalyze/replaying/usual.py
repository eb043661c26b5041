"""The usual plays: in turn, straight, and nothing to say of them. Nine of ten are.

Carried out in one go, without asking at each for what hardly any has. Measured: a third off the
time of a replay.
"""

from __future__ import annotations

from bganalyze.board.movement import are_dice
from bganalyze.board.plays import LEGAL, can_move
from bganalyze.board.position import OFF, Points, Position
from bganalyze.board.straight import played_straight
from bganalyze.replaying.facts import Boards, Turn
from bganalyze.replaying.state import Table
from bganalyze.transcript.model import How, Play

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
    if played is None or action.how is not How.PLAYED:
        return None
    own, other, marked = played
    if own[OFF] and not any(own[1:]):
        return None
    if not marked and (marks_hits or any(True in marks for _, marks in steps)):
        return None
    return own, other


def _danced(
    how: How, own: Points, other: Points, dice: tuple[int, int]
) -> tuple[Points, Points] | None:
    """Return the checkers, as they were, if none can be moved, else None."""
    if how not in (How.EMPTY, How.CANNOT_MOVE) or not are_dice(dice):
        return None
    return None if can_move(Position(own, other), dice) else (own, other)


def _remember(table: Table, last: Play, before: Boards, boards: Boards) -> None:
    """Leave the table as it is after the last of the plays."""
    table.boards = boards
    table.last_play, table.before_last, table.fault_of_last = last, before, None
    table.second_play_done = True
    table.to_act = 1 if last.side == 0 else 0
