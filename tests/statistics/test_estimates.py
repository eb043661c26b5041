"""Intervals that cover what they should, and tests that reject as often as they should."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.statistics.estimates import (
    Clusters,
    Estimates,
    correct_independent_p_values,
    count_trials_needed,
    estimate_ratios,
    wilson_intervals,
)
from tests.benchmarks.cover_of_intervals import COUNTS, MATCHES, SHARES, cover

ROOT = Path(__file__).parent.parent.parent

SHARE = 0.3
TIMES = 4000


def simulate_samples(random: np.random.Generator, matches: int, times: int) -> pd.DataFrame:
    """Many samples of matches of different lengths, whose turns depend on each other."""
    turns = random.integers(5, 60, matches * times)
    tendency = random.beta(6, 14, matches * times)
    sample = np.repeat(np.arange(times), matches)
    return pd.DataFrame(
        {"sample": sample, "hits": random.binomial(turns, tendency), "turns": turns}
    )


def cover_of_ratios(samples: pd.DataFrame, truth: float) -> float:
    intervals = estimate_ratios(samples, ["sample"], "hits", "turns")
    return float(((intervals["low"] <= truth) & (truth <= intervals["high"])).mean())


@pytest.mark.parametrize("matches", [5, 12, 60])
def test_intervals_reach_their_nominal_cover(matches: int) -> None:
    """In 95 % of many simulated collections the interval holds the truth; with five matches, in 93 %."""
    samples = simulate_samples(np.random.default_rng(7), matches, TIMES)
    assert (0.93 if matches > 5 else 0.92) <= cover_of_ratios(samples, SHARE) <= 0.97


def test_intervals_cover_when_matches_are_resampled() -> None:
    """The ratio of a population of matches lies in the intervals of samples drawn from it."""
    random = np.random.default_rng(11)
    population = simulate_samples(random, 400, 1)
    truth = population["hits"].sum() / population["turns"].sum()
    sampled = population.iloc[random.integers(0, 400, 40 * TIMES)]
    assert (
        0.935 <= cover_of_ratios(sampled.assign(sample=np.arange(40 * TIMES) // 40), truth) <= 0.97
    )


@pytest.mark.slow
@pytest.mark.corpus
def test_intervals_cover_when_real_matches_are_resampled(corpus: Path) -> None:
    """Dances of the turns on the bar in real files: thirty matches drawn again and again."""
    paths = sorted((corpus / "mat").iterdir())[::3]
    turns = tabulate_files(list(map(str, paths)), groups=["checker"]).turns
    barred = turns[(turns["on_bar"] > 0) & (turns["closed"] < 6)]
    units = barred.groupby("match").agg(hits=("danced", "sum"), turns=("danced", "size"))
    truth = units["hits"].sum() / units["turns"].sum()
    random = np.random.default_rng(17)
    sampled = units.iloc[random.integers(0, len(units), 30 * TIMES)]
    assert (
        0.93 <= cover_of_ratios(sampled.assign(sample=np.arange(30 * TIMES) // 30), truth) <= 0.97
    )


@cache
def read_documented() -> dict[str, dict[int, float]]:
    """Return the coverage of intervals that docs/reports.md states, by population and number of matches."""
    text = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    rows = (line.strip("| ").split(" | ") for line in text.splitlines())
    return {
        label: dict(zip(MATCHES, map(float, covers), strict=True))
        for label, *covers in rows
        if len(covers) == len(MATCHES) and covers[0].startswith((".", "1."))
    }


@pytest.mark.slow
@pytest.mark.parametrize("matches", MATCHES)
@pytest.mark.parametrize("label", COUNTS)
def test_intervals_of_rare_counts_hold_as_often_as_documented(label: str, matches: int) -> None:
    found = cover(*COUNTS[label], "occurrences", matches)
    assert found == pytest.approx(read_documented()[label][matches], abs=0.002)


@pytest.mark.slow
@pytest.mark.parametrize("matches", MATCHES)
@pytest.mark.parametrize("label", SHARES)
def test_intervals_of_shares_hold_as_often_as_documented(label: str, matches: int) -> None:
    found = cover(*SHARES[label], "share", matches)
    assert found == pytest.approx(read_documented()[label][matches], abs=0.002)


def of_units(kind: str, above: list[float], below: list[float]) -> dict[str, float]:
    clusters = Clusters(pd.DataFrame({"above": above}), [])
    estimates: Estimates = getattr(clusters, kind)(above, below)
    return {name: float(values[0]) for name, values in estimates.items()}


@pytest.mark.slow
def test_what_was_never_counted_has_an_upper_limit() -> None:
    """With no case in 400 rolls, the rate is below 3.69 in 400, by Poisson's distribution."""
    none = of_units("occurrences", [0, 0, 0], [100, 100, 200])
    assert (none["low"], none["high"]) == pytest.approx(
        (0, scipy.stats.chi2.ppf(0.975, 2) / 2 / 400)
    )
    never = of_units("share", [0, 0, 0], [100, 100, 200])
    exact = scipy.stats.binomtest(0, 400).proportion_ci(0.95, method="exact")
    assert (never["low"], never["high"]) == pytest.approx((0, exact.high))
    always = of_units("share", [10, 20, 10], [10, 20, 10])
    exact = scipy.stats.binomtest(40, 40).proportion_ci(0.95, method="exact")
    assert (always["low"], always["high"]) == pytest.approx((exact.low, 1))


def test_matches_that_are_alike_have_the_limits_of_independent_things() -> None:
    alike = of_units("occurrences", [2] * 10, [100] * 10)
    limits = scipy.stats.chi2.ppf(0.025, 40) / 2 / 1000, scipy.stats.chi2.ppf(0.975, 42) / 2 / 1000
    assert (alike["low"], alike["high"]) == pytest.approx(limits)
    alike = of_units("share", [2] * 10, [100] * 10)
    exact = scipy.stats.binomtest(20, 1000).proportion_ci(0.95, method="exact")
    assert (alike["low"], alike["high"]) == pytest.approx((exact.low, exact.high))


def test_two_matches_are_too_few_for_any_interval() -> None:
    for kind in ("share", "occurrences"):
        assert np.isnan(of_units(kind, [0, 1], [10, 10])["high"])


def test_intervals_that_ignore_matches_would_not_cover() -> None:
    """Clustering is needed: intervals of independent turns are too short."""
    random = np.random.default_rng(13)
    sums = simulate_samples(random, 60, 300).groupby("sample").sum()
    low, high = wilson_intervals(sums["hits"], sums["turns"])
    assert np.mean((low <= SHARE) & (high >= SHARE)) < 0.9


def test_a_ratio_by_hand() -> None:
    """3 of 4, 1 of 4 and 2 of 4: a half; residuals 1, -1 and 0, each raised by a weight of 1/3."""
    results = pd.DataFrame({"won": [3, 1, 2], "played": [4, 4, 4]})
    (row,) = estimate_ratios(results, [], "won", "played").to_dict("records")
    error = np.sqrt(2 / 3 * (1.5**2 + 1.5**2)) / 12
    assert row["value"] == 0.5
    assert row["high"] - row["value"] == pytest.approx(4.302653 * error, rel=1e-6)
    assert (row["count"], row["of"], row["matches"]) == (6, 12, 3)


def test_too_few_matches_have_no_interval() -> None:
    results = pd.DataFrame({"who": ["a", "a", "b"], "won": [3, 1, 2], "played": [4, 4, 0]})
    (row,) = estimate_ratios(results, ["who"], "won", "played").reset_index().to_dict("records")
    assert (row["who"], row["value"], row["matches"]) == ("a", 0.5, 2)
    assert np.isnan(row["low"])


def test_matches_that_agree_have_no_interval() -> None:
    results = pd.DataFrame({"won": [2, 2, 2, 2], "played": [4, 4, 4, 4]})
    assert np.isnan(estimate_ratios(results, [], "won", "played")["low"].iloc[0])


def test_nothing_gives_nothing() -> None:
    assert estimate_ratios(pd.DataFrame({"a": [], "b": [], "c": []}), ["a"], "b", "c").empty
    assert correct_independent_p_values([]) == []
    assert all(map(np.isnan, wilson_intervals(0, 0)))


def test_wilson_is_that_of_scipy() -> None:
    for count, of in ((0, 1), (1, 1), (7, 10), (0, 300), (123, 456)):
        interval = scipy.stats.binomtest(count, of).proportion_ci(0.95, method="wilson")
        assert wilson_intervals(count, of) == pytest.approx(
            (interval.low, interval.high), abs=1e-12
        )


def test_wilson_covers() -> None:
    random = np.random.default_rng(5)
    low, high = wilson_intervals(random.binomial(50, SHARE, 1000), 50)
    assert 0.93 <= np.mean((low <= SHARE) & (high >= SHARE)) <= 0.98


def test_as_many_trials_as_are_needed_find_the_bias() -> None:
    """With the planned number of rolls, four of five samples show a bias that a test can afford."""
    random = np.random.default_rng(3)
    trials = count_trials_needed(1 / 6, 0.2)
    counts = random.binomial(trials, 1.2 / 6, 4000)
    error = np.sqrt(trials * 1 / 6 * 5 / 6)
    assert np.mean(np.abs(counts - trials / 6) > 1.96 * error) == pytest.approx(0.8, abs=0.03)


def test_limits_of_a_rare_count_that_one_match_holds_by_hand() -> None:
    """4, 0, 0 and 0 in 100 each: residuals 3, -1, -1 and -1, raised by 4/3; three quarters of 64/3 are 16.

    That is 4 times the variance of 4 things which come one by one, and for so few matches it counts
    for more, as Student's quantile is larger than the normal one.
    """
    found = of_units("occurrences", [4, 0, 0, 0], [100] * 4)
    design = 4 * (scipy.stats.t.ppf(0.975, 3) / scipy.stats.norm.ppf(0.975)) ** 2
    low = scipy.stats.chi2.ppf(0.025, 2 * 4 / design) / 2 * design / 400
    high = scipy.stats.chi2.ppf(0.975, 2 * (4 / design + 1)) / 2 * design / 400
    assert (found["low"], found["high"]) == pytest.approx((low, high))
    assert 0 <= low < 0.001
    assert 0.04 < high < 0.15


def test_limits_of_a_share_that_differs_from_match_to_match_by_hand() -> None:
    """8, 2, 2 and 0 of 10: a variance of 48, and 8.4 if the 40 did not depend on each other."""
    found = of_units("share", [8, 2, 2, 0], [10] * 4)
    design = 48 / 8.4 * (scipy.stats.t.ppf(0.975, 3) / scipy.stats.norm.ppf(0.975)) ** 2
    successes, failures = 12 / design, 28 / design
    low, high = (
        scipy.stats.beta.ppf(0.025, successes, failures + 1),
        scipy.stats.beta.ppf(0.975, successes + 1, failures),
    )
    assert (found["low"], found["high"]) == pytest.approx((low, high))
    assert low < 0.3 < high < 1


@pytest.mark.parametrize("kind", ["occurrences", "share"])
def test_intervals_of_a_hundred_matches_are_neither_too_short_nor_too_long(kind: str) -> None:
    """The cover says only that they are long enough; their length is bounded by that of the plain ratio."""
    random = np.random.default_rng(19)
    hits, turns = random.poisson(6, 100).astype(float), np.full(100, 30.0)
    exact, plain = (
        of_units(kind, list(hits), list(turns)),
        of_units("ratio", list(hits), list(turns)),
    )
    lengths = [found["high"] - found["low"] for found in (exact, plain)]
    assert 0.95 <= lengths[0] / lengths[1] <= 1.25
