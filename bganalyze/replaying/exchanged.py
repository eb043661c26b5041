"""A game whose two columns are in each other's place.

Every play is numbered from its own side, so such a game may replay for a while; what gives it away
is the order: in each row the right cell comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from bganalyze.replaying.faults import ahead_of
from bganalyze.replaying.readings import Candidate, replayed
from bganalyze.replaying.state import Table
from bganalyze.transcript.model import Action, Game, Play

COLUMNS = "the columns of the whole game exchanged"

REMARKS = frozenset(("dead-cube", "missing-hit-mark", "ambiguous-empty", "false-hit-mark"))
"""Facts that are no faults of the game."""

MANY = 2
"""So many faults in a game call its columns into question."""


def with_columns_exchanged(table: Table, fresh: Callable[[Game], Table]) -> Table:
    """Return the game replayed with its columns exchanged, where that and only that explains it.

    The first fault as recorded stays, as the place where it shows; the rest follow from it.
    """
    if _weight(table) < MANY:
        return table
    actions = tuple(_right_first(table.game.actions))
    plays = [index for index, action in enumerate(actions) if type(action) is Play]
    ahead = ahead_of(actions, plays, table.profile.marks_hits)
    if not plays or replayed(Candidate(COLUMNS, table.turns[0].before), ahead, 0).faults:
        return table
    turned = fresh(table.game._replace(actions=actions))
    if _weight(turned):
        return table
    faults = (fact for fact in table.facts if fact.rule not in REMARKS)
    first = min(faults, key=lambda fact: fact.span)
    turned.facts.append(first._replace(reading=COLUMNS, consequences=_weight(table) - 1))
    turned.amended = turned.exchanged = True
    return turned


def _weight(table: Table) -> int:
    """How many faults there are, with those that were counted as consequences."""
    faults = (fact for fact in table.facts if fact.rule not in REMARKS)
    return sum(1 + (fact.consequences or 0) for fact in faults)


def _right_first(actions: tuple[Action, ...]) -> list[Action]:
    """The actions with the right cell of every row before the left one."""
    ordered: list[Action] = []
    for _, row in groupby(actions, key=lambda action: action.span.line):
        ordered.extend(sorted(row, key=lambda action: -(getattr(action, "side", None) or 0)))
    return ordered
