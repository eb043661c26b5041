"""Snowie's one-line position, as it stands inside `Illegal play (…)`.

Forty fields, each followed by a semicolon. The board is seen by the player on roll, who is named in
field 5; the turn flag in field 4 is not to be trusted, the names are.
"""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.board.ids import MOST_DOUBLINGS
from bganalyze.board.position import Points

FIELDS = 40
MOST_CHECKERS = 15
MOST_CUBE = 1 << MOST_DOUBLINGS


class SnowiePosition(NamedTuple):
    """What the line says, from the side of the player on roll."""

    on_roll: str
    opponent: str
    own: Points
    other: Points
    cube_value: int
    cube_owner: int
    """1 the player on roll, -1 the opponent, 0 nobody."""
    dice: tuple[int, int]
    crawford: bool


def parse_snowie(line: str) -> SnowiePosition | None:
    """Return the position in `line`, or None where it is no Snowie position.

    >>> start = "0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
    >>> parse_snowie(f"7;0;0;0;0;ann;bob;0;0;0;1;0;{start};3;1;").on_roll
    'ann'
    >>> parse_snowie("7;0;0") is None
    True
    """
    fields = line.strip().rstrip(";").split(";")
    if len(fields) != FIELDS:
        return None
    try:
        board = [int(field) for field in fields[12:38]]
        value, owner, first, second = (int(fields[index]) for index in (10, 11, 38, 39))
    except ValueError:
        return None
    own, other = _sides(board)
    if max(sum(own), sum(other)) > MOST_CHECKERS or value > MOST_CUBE:
        return None
    crawford = fields[7].strip() == "1"
    return SnowiePosition(fields[5], fields[6], own, other, value, owner, (first, second), crawford)


def _sides(board: list[int]) -> tuple[Points, Points]:
    """Split the signed board, index 0 the opponent's bar, into two boards with the rest borne off.

    A side's missing checkers are taken to be borne off.
    """
    own = [0] + [max(count, 0) for count in board[1:25]] + [max(board[25], 0)]
    other = [0] + [max(-board[25 - point], 0) for point in range(1, 25)] + [abs(min(board[0], 0))]
    for side in (own, other):
        side[0] = max(MOST_CHECKERS - sum(side), 0)
    return tuple(own), tuple(other)
