"""Games replayed otherwise than recorded: with their columns exchanged, or from another start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from bganalyze.board.position import Points
from bganalyze.board.variants import VARIANTS
from bganalyze.replaying.facts import Boards, Fact
from bganalyze.replaying.faults import BOARD_FAULTS, ahead_of
from bganalyze.replaying.readings import Ahead, Hypothesis, replayed
from bganalyze.replaying.state import Table
from bganalyze.transcript.model import Action, Game, Play

# A game whose two columns are in each other's place.
#
# Every play is numbered from its own side, so such a game may replay for a while. What gives it
# away is the order: in each row the right cell comes first.

COLUMNS = "the columns of the whole game exchanged"

REMARKS = frozenset(("dead-cube", "missing-hit-mark", "ambiguous-empty", "false-hit-mark"))
"""Facts that are no faults of the game."""

MANY_EXCHANGED = 2
"""This many faults in a game call its columns into question."""


def with_columns_exchanged(table: Table, fresh: Callable[[Game], Table]) -> Table:
    """Return the game replayed with its columns exchanged, where that and only that explains it.

    The first fault as recorded stays, as the place where it shows; the rest follow from it.
    """
    if _weight(table) < MANY_EXCHANGED:
        return table
    actions = tuple(_right_first(table.game.actions))
    plays = [index for index, action in enumerate(actions) if type(action) is Play]
    ahead = ahead_of(actions, plays, table.profile.marks_hits)
    if not plays or replayed(Hypothesis(COLUMNS, table.turns[0].before), ahead, 0).faults:
        return table
    turned = fresh(table.game._replace(actions=actions))
    if _weight(turned):
        return table
    faults = (noted.fact for noted in table.facts if noted.fact.rule not in REMARKS)
    first = min(faults, key=lambda fact: fact.span)
    turned.exchange_columns(first._replace(reading=COLUMNS, consequences=_weight(table) - 1))
    return turned


def _weight(table: Table) -> int:
    """Count the faults, with those that were counted as consequences."""
    faults = (noted.fact for noted in table.facts if noted.fact.rule not in REMARKS)
    return sum(1 + (fact.consequences or 0) for fact in faults)


def _right_first(actions: tuple[Action, ...]) -> list[Action]:
    """Return the actions with the right cell of every row before the left one."""
    ordered: list[Action] = []
    for _, row in groupby(actions, key=lambda action: action.span.line):
        ordered.extend(sorted(row, key=lambda action: -(getattr(action, "side", None) or 0)))
    return ordered


EARLY = 8
"""A wrong start shows within this many plays."""

MANY_FAULTS = 3
"""This many faults in a game call its start into question."""

FEWER = 3
"""Another variant's start must leave no more than one of this many faults."""


class Start(NamedTuple):
    """A start, and how to name it."""

    name: str
    boards: Boards


def better_start(table: Table, stated: Boards) -> Start | None:
    """Return a start that fits the plays of a game, where the stated one does not.

    Another variant's start, if it leaves a third of the faults or fewer; or the stated one with one
    checker elsewhere, if that leaves none and the first fault comes early.
    """
    faults = [noted.fact for noted in table.facts if noted.fact.rule in BOARD_FAULTS]
    count = sum(1 + (fact.consequences or 0) for fact in faults)
    if table.opening.is_recorded or count < MANY_FAULTS:
        return None
    actions = table.game.actions
    plays = [index for index, action in enumerate(actions) if type(action) is Play]
    ahead = ahead_of(actions, plays, table.profile.marks_hits)
    for start in _other_variants(stated):
        if _faults(start, ahead, count // FEWER) <= count // FEWER:
            return start
    if _is_early(table, faults[0]):
        return next((start for start in _nearly(stated) if not _faults(start, ahead, 0)), None)
    return None


def _faults(start: Start, ahead: Ahead, most: int) -> int:
    return len(replayed(Hypothesis(start.name, start.boards), ahead, most).faults)


def _is_early(table: Table, fact: Fact) -> bool:
    plays = [action for action in table.game.actions if type(action) is Play]
    return any(action is fact.turn.action for action in plays[:EARLY]) if fact.turn else False


def _other_variants(stated: Boards) -> Iterator[Start]:
    for variant in VARIANTS.values():
        boards = (variant.start, variant.start)
        if boards != stated:
            yield Start(f"the start of {variant.name}", boards)


def _nearly(stated: Boards) -> Iterator[Start]:
    """Yield the stated start with one checker of one side elsewhere."""
    for side, name in enumerate(("{left}", "{right}")):
        for source, target, points in _one_off(stated[side]):
            boards = (points, stated[1]) if side == 0 else (stated[0], points)
            yield Start(f"a start with a checker of {name} on {target} instead of {source}", boards)


def _one_off(points: Points) -> Iterator[tuple[int, int, Points]]:
    for source in range(24, 0, -1):
        for target in range(24, 0, -1):
            if points[source] and target != source:
                moved = list(points)
                moved[source] -= 1
                moved[target] += 1
                yield source, target, tuple(moved)
