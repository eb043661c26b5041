"""Trial replays: how far the plays that follow can be carried out from a board that may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bganalyze.board.movement import Steps, are_dice, played_straight
from bganalyze.board.plays import can_move, verdict
from bganalyze.board.position import Position
from bganalyze.replaying.facts import Boards
from bganalyze.replaying.readings import is_shut_out
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
)

_UNKNOWN = (PlayRecord.UNPLAYED, PlayRecord.UNREAD)


class Trial(NamedTuple):
    """What becomes of the actions that follow."""

    plays: int
    """How many plays are carried out before one cannot be."""
    is_whole: bool
    """Whether all of them are."""
    odd_marks: int
    """How many of these mark a hit that is none, or do not mark one where the record does."""
    boards: Boards
    """What they leave."""


class Judged(NamedTuple):
    """A play carried out on a trial board."""

    boards: Boards
    is_legal: bool
    has_odd_marks: bool


def tried(
    boards: Boards, actions: Sequence[Action], *, marks_hits: bool, side: Side | None
) -> Trial:
    """Carry out the plays among `actions` from `boards` until one is illegal or out of turn.

    `side` is on roll; None where it does not matter.
    """
    plays = odd_marks = 0
    last = _last_play(actions)
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
        if not judged.is_legal and not (
            index == last and _is_left_unplayed(action, actions[index:])
        ):
            return Trial(plays, False, odd_marks, boards)
        boards, side = judged.boards, 1 if action.side == LEFT else 0
        odd_marks += judged.has_odd_marks
        plays += 1
    return Trial(plays, True, odd_marks, boards)


def carried_out(boards: Boards, play: Play, *, marks_hits: bool) -> Judged:
    """Carry out a play as it is recorded."""
    own, other = boards if play.side == LEFT else (boards[1], boards[0])
    dice = play.dice
    if dice is None or play.how in _UNKNOWN:
        return Judged(boards, True, False)
    if not play.steps:
        return Judged(
            boards, not are_dice(dice) or not _can_move(Position(own, other), dice), False
        )
    straight = played_straight(own, other, dice, play.steps)
    if straight is not None and (straight[2] or not marks_hits):
        end, is_legal, has_odd_marks = straight[:2], True, False
    else:
        end, is_legal, has_odd_marks = _closely_judged(
            Position(own, other), dice, play.steps, marks_hits
        )
    return Judged(end if play.side == LEFT else (end[1], end[0]), is_legal, has_odd_marks)


_can_move = lru_cache(maxsize=4096)(can_move)


@lru_cache(maxsize=5_000)
def _closely_judged(
    position: Position, dice: tuple[int, int], steps: Steps, marks_hits: bool
) -> tuple[Boards, bool, bool]:
    end, judged = verdict(position, dice, steps, marks_hits)
    odd = judged.fault is None and marks_hits and bool(judged.unmarked or judged.mismarked)
    return (end.own, end.other), judged.fault is None, odd


def _last_play(actions: Sequence[Action]) -> int:
    return max((index for index, action in enumerate(actions) if type(action) is Play), default=-1)


def _is_left_unplayed(play: Play, following: Sequence[Action]) -> bool:
    """Whether the game is given up after this throw, so that it need not be played out."""
    rest = following[1:]
    is_resigned = any(isinstance(action, Result | Resignation) for action in rest)
    return not play.steps and is_resigned and not any(isinstance(a, Double | Answer) for a in rest)
