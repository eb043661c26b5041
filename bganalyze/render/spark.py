"""A graph as a line of text."""

from __future__ import annotations

from collections.abc import Sequence

_BLOCKS = "▁▂▃▄▅▆▇█"
_ASCII = "_.-~=+*#"


def spark(heights: Sequence[float], most: float, width: int, *, unicode: bool = True) -> str:
    """Return heights from 0 to `most` as a line of at most so many characters.

    >>> spark([0, 50, 100], 100, 10)
    '▁▅█'
    >>> spark(range(101), 100, 5, unicode=False)
    '_-=+#'
    """
    marks = _BLOCKS if unicode else _ASCII
    if not heights or most <= 0:
        return ""
    taken = min(width, len(heights))
    last = len(heights) - 1
    places = [round(last * step / max(taken - 1, 1)) for step in range(taken)]
    steps = len(marks) - 1
    return "".join(marks[round(steps * min(heights[place], most) / most)] for place in places)
