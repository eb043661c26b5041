"""What the end of a game may be worth, given what is known of its board and cube."""

from __future__ import annotations

from bganalyze.board.cube import Cube
from bganalyze.board.scoring import capped, class_of_loss
from bganalyze.replaying.cube import possible_cubes
from bganalyze.replaying.state import Table
from bganalyze.transcript.model import Side, other_side

SIZES = (1, 2, 3)

MOST_CAPPED = 200
"""No match is so long that a winner could need more."""


def in_doubt(table: Table) -> bool:
    """Whether the board at the end may not be the one that was played on."""
    return table.doubt is not None or table.amended or table.unread


def allowed_points(table: Table, winner: Side) -> frozenset[int]:
    """Return the points that may be written for a win of `winner`.

    In full, or as they count: no more than the winner needs, or than the length of the match.
    """
    full = {points for cube in possible_cubes(table) for points in _worth(table, winner, cube)}
    length, score = table.context.length, table.context.score[winner]
    if length is None or table.exchanged:
        return frozenset(full) | _below(full)
    if length == 0:
        return frozenset(full)
    as_they_count = {capped(points, length, score) for points in full if score < length}
    by_length = {min(points, length) for points in full}
    return frozenset(full | as_they_count | by_length | _all_that_is_left(table, winner))


def resigned_points(table: Table) -> int | None:
    """Return the points that the resignation names, itself or by its size; None where it does not.

    A gammon may count as a single game under the Jacoby rule, and a size says nothing where the
    cube is in doubt.
    """
    said = table.resignation
    if said is None or said.size is None:
        return said.points if said else None
    may_be_jacoby = table.context.jacoby is not False and table.cube.owner is None
    if table.cube_doubt is not None or (may_be_jacoby and said.size > 1):
        return None
    return said.size * table.cube.value


def _below(full: set[int]) -> frozenset[int]:
    """Where the length is unknown the last points may have been capped by it."""
    return frozenset(range(1, min(max(full, default=0), MOST_CAPPED)))


def _worth(table: Table, winner: Side, cube: Cube) -> set[int]:
    """Points that the end is worth at one state of the cube."""
    if table.over == "drop":
        return {cube.refused or cube.value}
    loser = table.boards[other_side(winner)]
    if table.over != "borne-off" or in_doubt(table):
        sizes = set(SIZES)
    else:
        sizes = {int(class_of_loss(loser))}
    if cube.owner is None and table.context.jacoby is not False:
        sizes = {1} if table.context.jacoby else sizes | {1}
    return {cube.value * size for size in sizes}


def _all_that_is_left(table: Table, winner: Side) -> set[int]:
    """A resignation may be written as all that the winner needs, or as the whole length."""
    length = table.context.length
    if table.over in ("borne-off", "drop") or not length:
        return set()
    return {length, max(length - table.context.score[winner], 0)}


def possible_sizes(loser: tuple[int, ...], winner: tuple[int, ...]) -> range:
    """Return the classes that a game may still be lost by: at least, and at most.

    A side with a checker off can lose no gammon. Without contact, and with no checker on the bar
    or in the winner's home board, it can lose no backgammon.

    >>> home = (0,) * 6 + (15,) + (0,) * 19
    >>> list(possible_sizes(home, home))
    [1, 2]
    """
    if loser[0]:
        return range(1, 2)
    rearmost = max((point for point in range(26) if loser[point]), default=0)
    theirs = max((point for point in range(26) if winner[point]), default=0)
    contact = rearmost + theirs > 25
    return range(1, 4) if contact or rearmost >= 19 else range(1, 3)
