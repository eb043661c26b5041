"""Positions to try features on: met in real games and thrown together, as a strategy."""

from __future__ import annotations

from hypothesis import strategies as st

from bganalyze.board.position import BAR, Position, points

CHECKERS = 15


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Fifteen checkers a side on points that no opponent holds, some on the bar or off."""
    places = draw(st.lists(st.integers(0, BAR), min_size=CHECKERS, max_size=CHECKERS))
    counts = {point: places.count(point) for point in set(places)}
    free = [
        point
        for point in range(BAR + 1)
        if not 0 < BAR - point < BAR or not counts.get(BAR - point)
    ]
    other_places = draw(st.lists(st.sampled_from(free), min_size=CHECKERS, max_size=CHECKERS))
    return Position(
        points(counts), points({point: other_places.count(point) for point in set(other_places)})
    )


dice = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda pair: (max(pair), min(pair)))
