"""Positions to try features on: met in real games and rolled together, as a strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import strategies as st

from bganalyze.board.position import BAR, OFF, Position, points

CHECKERS = 15


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Fifteen checkers a side on points that no opponent holds: anywhere, nearly all off, or on the bar."""
    counts = _draw_checkers(draw, range(BAR + 1))
    free = [
        point
        for point in range(BAR + 1)
        if not 0 < BAR - point < BAR or not counts.get(BAR - point)
    ]
    return Position(points(counts), points(_draw_checkers(draw, free)))


def _draw_checkers(draw: st.DrawFn, places: Sequence[int]) -> dict[int, int]:
    """Put checkers on some of these places, and as many of the rest as is drawn off or on the bar."""
    on_bar = draw(st.sampled_from([0, 0, 0, 1, 2, 3, 4, 5]))
    free = draw(st.sampled_from([0, 1, 2, 3, 6, 10, CHECKERS, CHECKERS]))
    spread = min(free, CHECKERS - on_bar)
    drawn = draw(st.lists(st.sampled_from(places), min_size=spread, max_size=spread))
    return Counter([*drawn, *[BAR] * on_bar, *[OFF] * (CHECKERS - on_bar - spread)])


dice = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda pair: (max(pair), min(pair)))
