"""Positions to try features on: met in real games and thrown together, as a strategy."""

from __future__ import annotations

from hypothesis import strategies as st

from bganalyze.board.position import BAR, Position, points

CHECKERS = 15


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Fifteen checkers a side on points that no opponent holds, some on the bar or off."""
    places = draw(st.lists(st.integers(0, BAR), min_size=CHECKERS, max_size=CHECKERS))
    own = {point: places.count(point) for point in set(places)}
    free = [
        point for point in range(BAR + 1) if not 0 < BAR - point < BAR or not own.get(BAR - point)
    ]
    theirs = draw(st.lists(st.sampled_from(free), min_size=CHECKERS, max_size=CHECKERS))
    return Position(points(own), points({point: theirs.count(point) for point in set(theirs)}))


dice = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda pair: (max(pair), min(pair)))
