"""Games in which all turns of one side are missing: its column is lost, and that is one error."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.record.model import Action, Answer, Double, Play, Side, Unread, other_side
from bganalyze.validation.replaying.faults import BOARD_FAULTS
from bganalyze.validation.replaying.state import Table

COLUMN_LOST = ("all turns of {left} left out", "all turns of {right} left out")

FEWEST_TURNS = 3
"""So many turns, and none of the other side, are of a game of which a column is lost."""

TOLD_BY_OTHER_SIDE = BOARD_FAULTS | {
    *("turn-order", "replayed-turn", "opening-double", "hit-not-executed", "larger-die"),
    *("false-hit-mark", "blocked-route", "ambiguous-route", "false-dance"),
    *("answer-without-double", "unanswered-double", "double-out-of-turn", "opening-cube"),
    *("not-owner", "wrong-value"),
}
"""Facts that the turns between those of one side decide."""


def side_left_out(actions: Sequence[Action]) -> Side | None:
    """Return the side of which a game has no turn, though it has several of the other one.

    A text that cannot be read may be a turn of that side.
    """
    sides = [action.side for action in actions if isinstance(action, Play | Double | Answer)]
    if len(sides) < FEWEST_TURNS or len(set(sides)) > 1:
        return None
    side = other_side(sides[0])
    may_be_there = any(type(action) is Unread and action.side != sides[0] for action in actions)
    return None if may_be_there else side


def put_down_to_lost_column(table: Table) -> bool:
    """Count on the first missing turn what the missing ones would tell, where a side has none.

    Return whether it is so.
    """
    side = side_left_out(table.game.actions)
    first = next((noted for noted in table.facts if noted.fact.rule == "turn-order"), None)
    if side is None or first is None:
        return False
    first.amend(reading=COLUMN_LOST[side])
    for noted in list(table.facts):
        if noted is not first and noted.fact.rule in TOLD_BY_OTHER_SIDE:
            table.count_on(first, noted)
    return True
