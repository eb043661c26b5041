"""Games that lack all turns of one side: a lost column counts as one error."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.record.model import Action, Answer, Double, Play, Side, Unread, other_side
from bganalyze.validation.replaying.faults import BOARD_FAULTS
from bganalyze.validation.replaying.state import GameState

COLUMN_LOST = ("all turns of {left} left out", "all turns of {right} left out")

FEWEST_TURNS = 3
"""Minimum turns of one side that show that the other side's column is lost."""

DEPENDING_ON_OTHER_SIDE = BOARD_FAULTS | {
    *("turn-order", "replayed-turn", "opening-double", "hit-not-executed", "larger-die"),
    *("false-hit-mark", "blocked-route", "ambiguous-route", "false-dance"),
    *("answer-without-double", "unanswered-double", "double-out-of-turn", "opening-cube"),
    *("not-owner", "wrong-value"),
}
"""Problems that depend on the missing turns."""


def find_missing_side(actions: Sequence[Action]) -> Side | None:
    """Return the side without any turn if the other side has several turns, or else None."""
    sides = [action.side for action in actions if isinstance(action, Play | Double | Answer)]
    if len(sides) < FEWEST_TURNS or len(set(sides)) > 1:
        return None
    side = other_side(sides[0])
    # Unreadable text may be a turn of the missing side.
    may_be_there = any(type(action) is Unread and action.side != sides[0] for action in actions)
    return None if may_be_there else side


def merge_lost_column(state: GameState) -> bool:
    """Merge the errors of missing turns into one if all turns of one side are missing.

    Return whether all turns of one side are missing.
    """
    side = find_missing_side(state.game.actions)
    first = next((noted for noted in state.problems if noted.problem.rule == "turn-order"), None)
    if side is None or first is None:
        return False
    first.amend_problem(reading=COLUMN_LOST[side])
    for noted in list(state.problems):
        if noted is not first and noted.problem.rule in DEPENDING_ON_OTHER_SIDE:
            state.count_as_consequence(first, noted)
    return True
