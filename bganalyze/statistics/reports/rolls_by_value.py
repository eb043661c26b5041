"""Rolls by value: the 21 rolls with their chances, and how often each was rolled."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
CHANCES = np.array([(1 if high == low else 2) / 36 for high, low in ROLLS])
OPENING_CHANCES = np.where([high == low for high, low in ROLLS], 0, 1 / 15)

PIPS = np.array([(high + low) * (2 if high == low else 1) for high, low in ROLLS])
"""Pips of each roll, with doubles played four times."""

MEAN_PIPS = float(CHANCES @ PIPS)

USES = ("usual", "opening", "other")
"""Uses of a roll in the tests; `other` are doubles that open a game, and rolls against a closed
board."""


class RollCounts(NamedTuple):
    """Number of times that each of the 21 `ROLLS` was rolled, and that it came after another roll."""

    usual: npt.NDArray[np.int64]
    """Number of times each roll was rolled, without opening rolls."""
    opening: npt.NDArray[np.int64]
    """Number of times each roll was the first of a game."""
    pairs: npt.NDArray[np.int64]
    """Number of times each roll (column) came after each roll (row)."""


def count_rolls_in(rows: pd.DataFrame) -> RollCounts:
    """Return how often each roll was rolled, with opening rolls counted separately.

    `rows` is a table with the columns of `extract_roll_columns`.
    """
    return count_rolls(*extract_roll_columns(rows))


RollColumns: TypeAlias = tuple[npt.NDArray[np.int64], ...]


def extract_roll_columns(rows: pd.DataFrame) -> RollColumns:
    """Return the columns `use`, `roll`, `before` and `counted` of a table of rolls as arrays.

    `use` is an index of `USES`, `roll` an index of `ROLLS`, `before` the previous roll or -1.
    """
    uses = pd.Categorical(rows["use"], categories=USES).codes
    before = rows["before"] if "before" in rows else pd.Series(-1, index=rows.index)
    columns = (uses, rows["roll"], before, rows["counted"])
    return tuple(np.asarray(column).astype(np.int64) for column in columns)


def count_rolls(
    uses: npt.NDArray[np.int64],
    rolls: npt.NDArray[np.int64],
    before: npt.NDArray[np.int64],
    counted: npt.NDArray[np.int64],
) -> RollCounts:
    """Count the usual rolls and the opening rolls by value, and the pairs of successive rolls.

    `uses` has indexes of `USES`, `rolls` indexes of `ROLLS`, `before` the index of the previous
    roll or -1, and `counted` the number of such rolls.
    """
    kinds = len(ROLLS)

    def counts(which: npt.NDArray[np.bool_], of: npt.NDArray[np.int64], kinds: int) -> Any:
        """Return how often each number below `kinds` is in the rows `which` of the array `of`."""
        return np.bincount(of[which], counted[which], kinds).astype(np.int64)

    usual, opening = uses == 0, uses == 1
    pairs = counts(usual & (before >= 0), before * kinds + rolls, kinds * kinds)
    return RollCounts(
        counts(usual, rolls, kinds), counts(opening, rolls, kinds), pairs.reshape(kinds, kinds)
    )
