"""Whose turn it is: missing turns, and second throws in one turn."""

from __future__ import annotations

from bganalyze.replaying.facts import Fact
from bganalyze.replaying.faults import missing_turn
from bganalyze.replaying.state import Table, share_cell
from bganalyze.transcript.model import Double, Play, other_side


def check_order(table: Table, action: Play | Double) -> Fact | None:
    """Report a missing turn, unless the other side could not have moved anyway."""
    if table.is_shut_out(other_side(action.side)):
        return None
    fact = table.note("turn-order", action)
    return missing_turn(table, fact, other_side(action.side))


def refuse_second_throw(table: Table, action: Play) -> bool:
    """Report a second throw in one turn; whether it does not count, the first being played."""
    before = table.neighbour(-1)
    if not isinstance(before, Play) or not share_cell(before, action):
        return False
    table.note("second-roll", action)
    if before.steps or not action.steps:
        return True
    table.to_act = action.side
    return False
