"""Trials: plays carried out as recorded from a board that may be meant.

After a fault the replay tries boards to go on from (`readings.py`), and a repair tries edits. Of a
reading the faults of the plays that follow are counted, for each may leave some; a trial of an edit
ends at the first fault, or where a play is out of turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.board.plays import can_move, outcome
from bganalyze.board.position import Position
from bganalyze.replaying.facts import Boards, is_shut_out
from bganalyze.transcript.model import (
    LEFT,
    Action,
    Answer,
    Double,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Side,
    Unread,
    other_side,
)

FALSE_DANCE, UNPLAYED_DIE = "false-dance", "unplayed-die"
LEFT_UNPLAYED = (FALSE_DANCE, UNPLAYED_DIE)
"""Faults that are none in the last play of a game that is given up after the throw."""

_NOT_JUDGED = (PlayRecord.UNPLAYED, PlayRecord.UNREAD)


class Judged(NamedTuple):
    """A play carried out on a trial board."""

    boards: Boards
    fault: str | None
    """The name of what makes it illegal."""
    has_odd_marks: bool
    """Whether it marks a hit that is none, or does not mark one where the record does."""

    @property
    def is_legal(self) -> bool:
        """Whether nothing makes it illegal."""
        return self.fault is None


class Trial(NamedTuple):
    """What becomes of the actions that follow."""

    plays: int
    """How many plays are legal before one is not."""
    is_whole: bool
    """Whether all of them are."""
    odd_marks: int
    """How many of these have odd marks."""
    boards: Boards
    """What they leave."""


def carried_out(boards: Boards, play: Play, *, marks_hits: bool) -> Judged:
    """Carry out a play as it is recorded."""
    dice, side = play.dice, play.side
    if dice is None or play.how in _NOT_JUDGED:
        return Judged(boards, None, False)
    own, other = boards if side == LEFT else (boards[1], boards[0])
    if not play.steps:
        is_false = can_move(Position(own, other), dice)
        return Judged(boards, FALSE_DANCE if is_false else None, False)
    (own, other), fault, has_odd_marks = outcome(own, other, dice, play.steps, marks_hits)
    boards = (own, other) if side == LEFT else (other, own)
    return Judged(boards, None if fault is None else fault.name, has_odd_marks)


def tried(
    boards: Boards, actions: Sequence[Action], *, marks_hits: bool, side: Side | None
) -> Trial:
    """Carry out the plays among `actions` from `boards` until one is illegal or out of turn.

    `side` is on roll; None where it does not matter.
    """
    plays = odd_marks = 0
    for index, action in enumerate(actions):
        if type(action) is not Play:
            if isinstance(action, SetUp) and action.boards is not None:
                boards, side = action.boards, action.on_roll
            elif isinstance(action, Unread):
                break
            continue
        if side is not None and action.side != side and not is_shut_out(boards, side):
            return Trial(plays, False, odd_marks, boards)
        judged = carried_out(boards, action, marks_hits=marks_hits)
        if judged.fault is not None:
            following = actions[index + 1 :] if judged.fault in LEFT_UNPLAYED else ()
            is_last = not any(type(later) is Play for later in following)
            if not (is_last and is_given_up(following)):
                return Trial(plays, False, odd_marks, boards)
        boards, side = judged.boards, other_side(action.side)
        odd_marks += judged.has_odd_marks
        plays += 1
    return Trial(plays, True, odd_marks, boards)


def is_given_up(following: Sequence[Action]) -> bool:
    """Whether a result follows a play with no cube action between: it need not be played out."""
    has_result = any(isinstance(action, Result | Resignation) for action in following)
    return has_result and not any(isinstance(action, Double | Answer) for action in following)
