"""The variants of the game: how many checkers a side has and where they start."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.board.position import Points, Position, points


class Variant(NamedTuple):
    """A way to set up the board. Both sides start alike, each seen by its owner."""

    name: str
    start: Points
    checkers: int


def _variant(name: str, start: dict[int, int]) -> Variant:
    return Variant(name, points(start), sum(start.values()))


_ALL = (
    _variant("standard", {24: 2, 13: 5, 8: 3, 6: 5}),
    _variant("nackgammon", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    _variant("hypergammon-1", {24: 1}),
    _variant("hypergammon-2", {24: 1, 23: 1}),
    _variant("hypergammon-3", {24: 1, 23: 1, 22: 1}),
)

VARIANTS: dict[str, Variant] = {variant.name: variant for variant in _ALL}


def start_position(variant_name: str) -> Position:
    """The position a game of this variant starts from.

    >>> start_position("nackgammon").own[23]
    2
    """
    start = VARIANTS[variant_name].start
    return Position(start, start)
