"""Match-winning chances by the score, from a table that is named wherever it is used."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

TABLE = "Kazaross-XG2"
_FILE = "kazaross-xg2.csv"
MOST_AWAY = 25
"""The table goes no further."""


def match_winning_chance(own: int, other: int, *, after_crawford: bool = False) -> float | None:
    """Return the chance of a side that needs `own` points against one that needs `other`.

    `after_crawford` says that the Crawford game is over. None where the table does not reach.

    >>> match_winning_chance(5, 5), match_winning_chance(1, 3), match_winning_chance(30, 2)
    (0.5, 0.75076, None)
    >>> match_winning_chance(2, 1, after_crawford=True)
    0.48803
    """
    if not (1 <= own <= MOST_AWAY and 1 <= other <= MOST_AWAY):
        return None
    if after_crawford and other == 1:
        return _rows()[MOST_AWAY][own - 1]
    if after_crawford and own == 1:
        return 1 - _rows()[MOST_AWAY][other - 1]
    return _rows()[own - 1][other - 1]


@cache
def _rows() -> tuple[tuple[float, ...], ...]:
    text = (files("bganalyze") / _FILE).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(tuple(map(float, line.split(","))) for line in lines)
