"""Many boards as arrays, and as bit masks that are shifted to move checkers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bganalyze.board.position import BAR, OFF, Points, Position

Array: TypeAlias = npt.NDArray[Any]

SideArray: TypeAlias = Array
"""The checkers of one side on many boards: a row of 26 counts for each board, as `pack_sides` makes."""

MOST = 255
"""Most checkers on a point; larger numbers, possible only in a set-up, are cut to fit a byte."""

ON_BOARD = np.uint32(sum(1 << point for point in range(1, BAR)))
"""The bits of the points 1 to 24."""

_BITS = np.array([1 << point for point in range(BAR + 1)], dtype=np.uint32)


@dataclass(frozen=True, slots=True)
class BoardArrays:
    """Many positions, a row for each: the checkers of the side to play and of its opponent."""

    own: SideArray
    other: SideArray

    def __len__(self) -> int:
        return len(self.own)

    def take(self, rows: Array) -> BoardArrays:
        """Return the positions of some rows, chosen by their indexes or by a Boolean array."""
        return BoardArrays(self.own[rows], self.other[rows])

    def equal(self, others: BoardArrays) -> Array:
        """Return for each row whether the two arrays have the same position in it."""
        return np.asarray(
            (self.own == others.own).all(axis=1) & (self.other == others.other).all(axis=1)
        )

    @property
    def swapped(self) -> BoardArrays:
        """The same positions with the two sides exchanged, as the opponent sees them."""
        return BoardArrays(self.other, self.own)

    def position(self, row: int) -> Position:
        """Return the position in one row."""
        return Position(tuple(self.own[row].tolist()), tuple(self.other[row].tolist()))

    def board(self, row: int) -> bytes:
        """Return the position in one row as bytes: 26 checker counts for each side.

        The counts of the side to play come first.
        """
        return bytes(self.own[row].tobytes() + self.other[row].tobytes())


def position_of(board: bytes) -> Position:
    """Return the position that `BoardArrays.board` has turned into bytes."""
    return Position(tuple(board[: BAR + 1]), tuple(board[BAR + 1 :]))


def pack_sides(sides: Iterable[Points]) -> SideArray:
    """Return one side's checkers in many positions as an array, with a row for each position.

    The columns are 0 (borne off), the points 1 to 24 as the side numbers them, and 25 (bar).

    >>> pack_sides([(0,) * 25 + (2,)]).shape
    (1, 26)
    """
    rows = list(sides)
    same = np.fromiter(map(id, rows), dtype=np.int64, count=len(rows))
    is_new = np.diff(same, prepend=0) != 0
    # One side stays unchanged while the other plays; measured, this halves the work.
    written = _pack_as_bytes(list(compress(rows, is_new.tolist())))
    distinct = np.frombuffer(written, dtype=np.uint8).reshape(-1, BAR + 1)
    return np.asarray(distinct[is_new.cumsum() - 1])


def _pack_as_bytes(sides: Sequence[Points]) -> bytes:
    """Return the checkers of many sides as 26 bytes for each side, with counts capped at 255."""
    try:
        return b"".join(map(bytes, sides))
    except ValueError:
        return b"".join(bytes(min(count, MOST) for count in side) for side in sides)


def boards_of(positions: Iterable[Position]) -> BoardArrays:
    """Return positions as arrays with a row for each.

    >>> from bganalyze.board.position import start_position
    >>> len(boards_of([start_position("standard")]))
    1
    """
    rows = list(positions)
    return BoardArrays(pack_sides(row.own for row in rows), pack_sides(row.other for row in rows))


def pack_bits(occupied: Array) -> Array:
    """Return each row of Booleans as an integer whose bit n is set if column n is True.

    >>> pack_bits(np.eye(26, dtype=bool))[:3].tolist()
    [1, 2, 4]
    """
    return np.asarray(occupied @ _BITS, dtype=np.uint32)


class BoardMasks(NamedTuple):
    """The points of boards as bits, in the numbering of the side to play."""

    checkers: Array
    """Points 1 to 24 with a checker of the side to play."""
    several: Array
    """Points with two or more of its checkers."""
    bar: Array
    """Number of its checkers on the bar."""
    blots: Array
    """Points with a single checker of the opponent."""
    blocks: Array
    """Points with two or more checkers of the opponent."""
    open: Array
    """The points 1 to 24 that are not blocked."""


def make_masks(boards: BoardArrays) -> BoardMasks:
    """Return, for each board, bit masks of own checkers, opposing blots, blocked and open points.

    Bit n of a mask is the point n of the side to play.
    """
    own, facing = boards.own.copy(), boards.other[:, ::-1].copy()
    own[:, OFF] = own[:, BAR] = 0
    facing[:, OFF] = facing[:, BAR] = 0
    blocks = pack_bits(facing > 1)
    return BoardMasks(
        checkers=pack_bits(own > 0),
        several=pack_bits(own > 1),
        bar=boards.own[:, BAR],
        blots=pack_bits(facing == 1),
        blocks=blocks,
        open=ON_BOARD & ~blocks,
    )


def count_bits(masks: Array) -> Array:
    """Return how many bits of each mask are set.

    >>> count_bits(np.array([5, 7], dtype=np.uint32)).tolist()
    [2, 3]
    """
    return np.bitwise_count(masks)


def find_entry_point(open_points: Array, die: int) -> Array:
    """Return, for each board, a mask with the point that `die` enters on, or 0 if it is blocked.

    `open_points` has a mask of the unblocked points of each board.

    >>> find_entry_point(np.array([1 << 22, 1 << 21], dtype=np.uint32), 3).tolist() == [1 << 22, 0]
    True
    """
    return open_points & np.uint32(1 << (BAR - die))
