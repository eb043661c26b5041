"""Precision of a rate, against the figures of 3,500 games."""

from __future__ import annotations

import math

from bganalyze.statistics.precision import (
    MOST_MATCHES,
    describe_precision,
    estimate_decisions_from_interval,
    estimate_decisions_needed,
    estimate_margin,
)


def test_four_times_the_decisions_halve_the_margin() -> None:
    assert estimate_decisions_needed(2.0, 1000) == 4000
    assert estimate_decisions_needed(2.0, 1000, wanted_margin=2.0) == 1000


def test_a_few_matches_that_agree_are_not_sure() -> None:
    """The strongest players' losses have a standard deviation of 14 in PR."""
    margin = estimate_margin(5.0, 5.0, 100)
    assert margin
    assert math.isclose(margin, 1.96 * 14 / 10)


def test_a_rate_without_an_interval_has_no_margin() -> None:
    assert estimate_margin(5.0, math.nan, 30) is None
    assert describe_precision((5.0, math.nan, math.nan), 30, 5) == ""


def test_the_width_for_a_few_matches_does_not_ask_for_more_decisions() -> None:
    """Student's quantile for four matches is 3.18, for very many 1.96."""
    many, few = (describe_precision((5.0, 2.0, 8.0), 1000, matches) for matches in (100, 4))
    assert many == "after 1,000 decisions ± 3.0; ± 1 needs about 8,800 decisions"
    assert (
        few
        == "after 1,000 decisions ± 3.0; ± 1 needs about 3,500 decisions and more than these few matches"
    )


def test_an_interval_that_was_cut_at_0_is_as_wide_as_before() -> None:
    """A rate of 3 with ± 5 needs 25 times the decisions, whether its interval begins at -2 or at 0."""
    assert estimate_margin(3.0, 8.0, 1000) == 5.0
    cut, whole = (describe_precision((3.0, low, 8.0), 1000, 400) for low in (0.0, -2.0))
    assert (
        cut
        == whole
        == ("after 1,000 decisions it may be as high as 8.0; too few to say how many ± 1 needs")
    )


def test_no_more_matches_are_asked_for_than_anybody_has() -> None:
    """± 3 in 100 matches needs 900 matches, ± 4 needs 1,600."""
    decisions = 100 * 60
    needed = estimate_decisions_from_interval(8.0, 11.0, decisions, 100)
    assert needed
    assert 0.9 * 9 * decisions < needed < MOST_MATCHES * 60
    assert estimate_decisions_from_interval(8.0, 12.0, decisions, 100) is None


def test_a_small_margin_needs_fewer_decisions() -> None:
    assert estimate_decisions_needed(margin=0.5, decisions=10000) == 2500


def test_what_is_already_precise_asks_for_no_decisions() -> None:
    exact = describe_precision((4.9, 4.5, 5.3), decisions=12000, matches=500)
    few = describe_precision((5.8, 4.5, 7.1), decisions=1409, matches=5)
    assert exact == "after 12,000 decisions ± 0.4"
    assert few == "after 1,409 decisions ± 1.3; ± 1 needs more than these few matches"


def test_an_interval_cut_at_0_tells_no_decisions() -> None:
    needed = estimate_decisions_from_interval(rate=22.2, upper_end=112.7, decisions=78, matches=12)
    assert needed is None
