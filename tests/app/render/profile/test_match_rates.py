"""The matches of a profile one by one, in words."""

from __future__ import annotations

import datetime as dt

from bganalyze.app.render.profile.match_rates import describe_order
from bganalyze.statistics.profiles.match_rates import MatchRate


def make_match(date: dt.date | None) -> MatchRate:
    """Return a match on this day."""
    return MatchRate("a.mat", 1, date, "Bob", 3, 4, "won", (3, 1), (40, 40), (5.0, 6.0), 0.4, 0.03)


def test_matches_without_a_date_are_counted_as_the_first() -> None:
    dated, undated = make_match(dt.date(2024, 5, 2)), make_match(None)
    assert describe_order([dated, make_match(dt.date(2024, 6, 1))]) == (
        "by date (2024-05-02 to 2024-06-01)"
    )
    begin, by_file = "by date (2024-05-02 to 2024-05-02", "without a date {} first, by file name)"
    assert describe_order([undated, dated]) == f"{begin}; 1 {by_file.format('comes')}"
    assert describe_order([undated, undated, dated]) == f"{begin}; 2 {by_file.format('come')}"
    assert describe_order([undated]) == "by file name, as none has a date"
