"""Precision of a rate, against the figures of 3,500 games."""

from __future__ import annotations

import math

from bganalyze.statistics.precision import (
    describe_precision,
    estimate_decisions_needed,
    estimate_margin,
)


def test_four_times_the_decisions_halve_the_margin() -> None:
    assert estimate_decisions_needed(2.0, 1000) == 4000
    assert estimate_decisions_needed(2.0, 1000, wanted=2.0) == 1000


def test_a_few_matches_that_agree_are_not_sure() -> None:
    """The strongest players' losses have a standard deviation of 14 in PR."""
    margin = estimate_margin(5.0, 5.0, 100)
    assert margin
    assert math.isclose(margin, 1.96 * 14 / 10)


def test_a_rate_without_an_interval_has_no_margin() -> None:
    assert estimate_margin(math.nan, math.nan, 30) is None
    assert describe_precision(math.nan, math.nan, 30, 5) == ""


def test_the_width_for_a_few_matches_does_not_ask_for_more_decisions() -> None:
    """Student's quantile for four matches is 3.18, for very many 1.96."""
    many, few = (describe_precision(2.0, 8.0, 1000, matches) for matches in (100_000, 4))
    assert many == "after 1,000 decisions ± 3.0; ± 1 needs about 9,000 decisions"
    assert (
        few
        == "after 1,000 decisions ± 3.0; ± 1 needs about 3,500 decisions and more than these few matches"
    )
