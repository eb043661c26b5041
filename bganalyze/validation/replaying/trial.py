"""Trials: plays carried out as recorded from a board that may be meant.

After a fault the replay tries boards to go on from (`readings.py`), and a repair tries edits. Of a
reading the faults of the plays that follow are counted, for each may leave some; a trial of an edit
ends at the first fault, or where a play is out of turn.
"""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.board.movement import can_move
from bganalyze.board.plays import make_play
from bganalyze.record.model import (
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
from bganalyze.validation.replaying.facts import Boards, is_shut_out

FALSE_DANCE, UNPLAYED_DIE = "false-dance", "unplayed-die"
LEFT_UNPLAYED = (FALSE_DANCE, UNPLAYED_DIE)
"""Faults that are none in the last play of a game that is given up after the roll."""

NOT_CHECKED = (PlayRecord.UNPLAYED, PlayRecord.UNREAD)
"""Plays of which nothing tells how they were made."""

Sides = tuple[list[int], list[int]]
"""Left's and right's checkers, on which one play after the other is carried out."""


class PlayChecked(NamedTuple):
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
    """What they leave, with the illegal one."""


def carried_out(boards: Boards, play: Play, *, marks_hits: bool) -> PlayChecked:
    """Carry out a play as it is recorded."""
    sides = on_lists(boards)
    fault, has_odd_marks = carry_out(sides, play, marks_hits=marks_hits)
    return PlayChecked(boards_on(sides), fault, has_odd_marks)


def on_lists(boards: Boards) -> Sides:
    """Return the checkers of both sides, to be moved."""
    return list(boards[0]), list(boards[1])


def boards_on(sides: Sides) -> Boards:
    """Return the checkers of both sides as they are now."""
    return tuple(sides[0]), tuple(sides[1])


def carry_out(sides: Sides, play: Play, *, marks_hits: bool) -> tuple[str | None, bool]:
    """Move the checkers by a play as it is recorded.

    Return the name of what makes it illegal, and whether its marks are odd, as `PlayChecked` has them.
    """
    dice, side = play.dice, play.side
    if dice is None or play.how in NOT_CHECKED:
        return None, False
    own, other = sides[side], sides[1 - side]
    if not play.steps:
        return FALSE_DANCE if can_move((own, other), dice) else None, False
    fault, has_odd_marks = make_play(own, other, dice, play.steps, marks_hits)
    return None if fault is None else fault.name, has_odd_marks


def tried(
    boards: Boards, actions: Iterable[Action], *, marks_hits: bool, side: Side | None
) -> Trial:
    """Carry out the plays among `actions` from `boards` until one is illegal or out of turn.

    `side` is on roll; None where it does not matter.
    """
    plays = odd_marks = 0
    sides = on_lists(boards)
    later = iter(actions)
    while (action := next(later, None)) is not None:
        if type(action) is not Play:
            if isinstance(action, SetUp) and action.boards is not None:
                sides, side = on_lists(action.boards), action.on_roll
            elif isinstance(action, Unread):
                break
            continue
        if side is not None and action.side != side and not is_shut_out(sides, side):
            return Trial(plays, False, odd_marks, boards_on(sides))
        fault, has_odd_marks = carry_out(sides, action, marks_hits=marks_hits)
        if fault is not None:
            following = tuple(later) if fault in LEFT_UNPLAYED else ()
            if not (following and _is_left_so(following)):
                return Trial(plays, False, odd_marks, boards_on(sides))
            later = iter(following)
        side = other_side(action.side)
        odd_marks += has_odd_marks
        plays += 1
    return Trial(plays, True, odd_marks, boards_on(sides))


def _is_left_so(following: Sequence[Action]) -> bool:
    """Whether nothing is played behind a play, and the game is given up there."""
    return not any(type(later) is Play for later in following) and is_given_up(following)


def is_given_up(following: Sequence[Action]) -> bool:
    """Whether a result follows a play with no cube action between: it need not be played out."""
    has_result = any(isinstance(action, Result | Resignation) for action in following)
    return has_result and not any(isinstance(action, Double | Answer) for action in following)
