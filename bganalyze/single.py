"""Single precision: the arithmetic of GNU Backgammon, so that its figures come out to the digit."""

from __future__ import annotations

from struct import Struct

_SINGLE = Struct("f")


def single(value: float) -> float:
    """Return the number of single precision nearest to `value`.

    Adding, subtracting, multiplying or dividing two such numbers and rounding the result gives
    what a machine computes that has single precision only.

    >>> single(0.1)
    0.10000000149011612
    """
    (rounded,) = _SINGLE.unpack(_SINGLE.pack(value))
    return float(rounded)
