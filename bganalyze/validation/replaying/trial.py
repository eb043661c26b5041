"""Trials: recorded plays carried out from a board that the record may have meant.

After an error the replay tries boards to go on from (`board_guesses.py`), and a repair tries edits. A
reading counts the errors of all plays that follow, because even a good reading may leave some. A
trial of an edit stops at the first error or the first play out of turn.
"""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.board.movement import can_move
from bganalyze.board.plays import make_play
from bganalyze.record.model import (
    Action,
    Answer,
    CheckersPutBack,
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
from bganalyze.validation.replaying.replayed import Boards, is_shut_out

FALSE_DANCE, UNPLAYED_DIE = "false-dance", "unplayed-die"
LEFT_UNPLAYED = (FALSE_DANCE, UNPLAYED_DIE)
"""Errors that do not count in the last play of a game that is given up after the roll."""

NOT_CHECKED = (PlayRecord.UNPLAYED, PlayRecord.UNREAD)
"""Kinds of plays whose steps are not recorded."""

Sides = tuple[list[int], list[int]]
"""Left's and right's checkers, changed in place play after play."""


class PlayChecked(NamedTuple):
    """A recorded play that was made on trial boards."""

    boards: Boards
    fault: str | None
    """The rule that it breaks; None if it is legal."""
    has_odd_marks: bool
    """Whether it marks a hit that does not happen, or leaves one unmarked in a record that marks
    hits."""

    @property
    def is_legal(self) -> bool:
        """Whether the play breaks no rule."""
        return self.fault is None


class TrialResult(NamedTuple):
    """The result of carrying out later actions from a guessed board."""

    plays: int
    """Number of legal plays before the first illegal one."""
    is_whole: bool
    """Whether all plays are legal and in turn."""
    odd_marks: int
    """Number of legal plays with wrong hit marks."""
    boards: Boards
    """The boards after the legal plays and the first illegal one."""


def try_play(boards: Boards, play: Play, *, marks_hits: bool) -> PlayChecked:
    """Make a recorded play on `boards`, and return the boards after it and any broken rule."""
    sides = boards_to_lists(boards)
    fault, has_odd_marks = play_on_lists(sides, play, marks_hits=marks_hits)
    return PlayChecked(lists_to_boards(sides), fault, has_odd_marks)


def boards_to_lists(boards: Boards) -> Sides:
    """Return both sides' checkers as lists, in which plays can be made."""
    return list(boards[0]), list(boards[1])


def lists_to_boards(sides: Sides) -> Boards:
    """Return the boards for two lists of checkers, left's and right's."""
    return tuple(sides[0]), tuple(sides[1])


def play_on_lists(sides: Sides, play: Play, *, marks_hits: bool) -> tuple[str | None, bool]:
    """Make a recorded play on `sides`, the lists of both sides' checkers, which it changes.

    Return the name of the broken rule, or None, and whether hit marks are wrong.
    """
    dice, side = play.dice, play.side
    if dice is None or play.how in NOT_CHECKED:
        return None, False
    own, other = sides[side], sides[1 - side]
    if not play.steps:
        return FALSE_DANCE if can_move((own, other), dice) else None, False
    fault, has_odd_marks = make_play(own, other, dice, play.steps, marks_hits)
    return None if fault is None else fault.name, has_odd_marks


def try_actions(
    boards: Boards, actions: Iterable[Action], *, marks_hits: bool, side: Side | None
) -> TrialResult:
    """Make the plays in `actions` on `boards`, and return how many are legal.

    The trial ends at the first illegal play or unreadable text. `side` is on roll; None allows
    either side.
    """
    plays = odd_marks = 0
    sides = boards_to_lists(boards)
    later = iter(actions)
    while (action := next(later, None)) is not None:
        if type(action) is not Play:
            if isinstance(action, SetUp) and action.boards is not None:
                sides, side = boards_to_lists(action.boards), action.on_roll
            elif isinstance(action, Unread | CheckersPutBack):
                break
            continue
        if side is not None and action.side != side and not is_shut_out(sides, side):
            return TrialResult(plays, False, odd_marks, lists_to_boards(sides))
        fault, has_odd_marks = play_on_lists(sides, action, marks_hits=marks_hits)
        if fault is not None:
            following = tuple(later) if fault in LEFT_UNPLAYED else ()
            if not (following and _is_game_given_up_next(following)):
                return TrialResult(plays, False, odd_marks, lists_to_boards(sides))
            later = iter(following)
        side = other_side(action.side)
        odd_marks += has_odd_marks
        plays += 1
    return TrialResult(plays, True, odd_marks, lists_to_boards(sides))


def _is_game_given_up_next(following: Sequence[Action]) -> bool:
    """Whether the game ends by a result or a resignation before another play or cube action."""
    return not any(type(later) is Play for later in following) and may_game_be_given_up(following)


def may_game_be_given_up(following: Sequence[Action]) -> bool:
    """Whether the actions in `following` contain a result or resignation, but no cube action."""
    has_result = any(isinstance(action, Result | Resignation) for action in following)
    return has_result and not any(isinstance(action, Double | Answer) for action in following)
