"""The phase of a position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bganalyze.board.position import BAR, Position
from bganalyze.features.boards import HOME, Array, Boards, boards_of
from bganalyze.features.structure import rearmost

PHASES = ("opening", "contact", "race", "bear-off")
"""The first three plays of each side; checkers that have still to pass each other; those that have
not; and of these, all of both sides' checkers at home."""

RACE = PHASES.index("race")
"""From this phase on there is no contact any more."""

OPENING_PLAYS = 3


def phases(boards: Boards, plays: Array) -> Array:
    """Return the index into `PHASES`; `plays` says the how-many-th play of its side each is.

    >>> from bganalyze.board.variants import start_position
    >>> from bganalyze.features.boards import boards_of
    >>> start = boards_of([start_position("standard")] * 2)
    >>> [PHASES[index] for index in phases(start, np.array([3, 4]))]
    ['opening', 'contact']
    """
    own, other = rearmost(boards.own), rearmost(boards.other)
    contact = own.astype(np.int16) + other > BAR
    passed = np.where(np.maximum(own, other) <= HOME, PHASES.index("bear-off"), RACE)
    met = np.where(plays <= OPENING_PLAYS, PHASES.index("opening"), PHASES.index("contact"))
    return np.where(contact, met, passed).astype(np.int8)


def phases_of(positions: Sequence[Position], plays: Sequence[int]) -> list[str]:
    """Return the phase of each position by its name; `plays` as in `phases`.

    >>> from bganalyze.board.variants import VARIANTS
    >>> start = VARIANTS["standard"].start
    >>> phases_of([Position(start, start)], [1])
    ['opening']
    """
    if not positions:
        return []
    return [PHASES[index] for index in phases(boards_of(positions), np.array(plays))]
