"""Rates with their uncertainty; scipy computes quantiles, intervals and tests.

Turns of a match depend on each other, and so do its games. A rate is therefore a ratio of two sums
over matches, and its interval comes from the variation between matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, nan, sqrt
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

FloatArray: TypeAlias = npt.NDArray[np.float64]

Estimates: TypeAlias = dict[str, FloatArray]
"""The columns of `estimate_ratios`, with a value for every group."""

LEVEL = 0.95
"""Coverage of every interval."""

FEWEST_UNITS = 3
"""Fewest matches for which an interval is computed."""

ROUNDING = 1e-9
"""Sum of squared residuals below which they count as zero."""


def estimate_ratios(
    units: pd.DataFrame, group_columns: Sequence[str], numerator: str, denominator: str
) -> pd.DataFrame:
    """Return the ratio of two sums for each group, with a 95 % interval.

    `units` has a row for each group and match. The interval is a jackknife over matches (Cochran,
    Sampling Techniques, 3rd ed., 6.3 and 6.17), and missing for fewer than three matches or if all
    have the same ratio.

    >>> made = pd.DataFrame({"who": "Ann", "won": [3, 1, 2], "played": [4, 4, 4]})
    >>> estimate_ratios(made, ["who"], "won", "played").round(3).values.tolist()
    [[0.5, -0.121, 1.121, 6.0, 12.0, 3.0]]
    """
    # In simulations the coverage is 95 % from some dozens of matches on, 93 % with five.
    clusters = Clusters(units, group_columns)
    estimates = pd.DataFrame(
        clusters.ratio(units[numerator], units[denominator]), index=clusters.index
    )
    return estimates[estimates["matches"] > 0]


class Clusters:
    """Groups of matches (or other units), for estimates with intervals in each group.

    A group, such as a player, has one unit or more.
    """

    def __init__(self, units: pd.DataFrame, group_columns: Sequence[str]) -> None:
        """Group the rows of `units`. Without columns, all units form one group."""
        keys = [units[name] for name in group_columns] or np.zeros(len(units), dtype=int)
        grouped = units.groupby(keys, observed=True, sort=False, dropna=False)
        self.index = grouped.size().index
        self._group = grouped.ngroup().to_numpy()

    def sum_by_group(self, values: npt.ArrayLike) -> FloatArray:
        """Return the sum of `values` in each group; `values` has one number for each unit."""
        weights = np.asarray(values, dtype=float)
        return np.bincount(self._group, weights, len(self.index)).astype(float)

    def ratio(self, numerators: npt.ArrayLike, denominators: npt.ArrayLike) -> Estimates:
        """Return the ratio of two sums in each group, with its interval.

        The arrays are `value`, `low`, `high`, both sums (`count` and `of`) and `matches`.
        """
        sums = self._sum_groups(numerators, denominators)
        differ = np.where(sums.variance > ROUNDING, sums.variance, np.nan)
        reach = sums.quantile * np.sqrt(differ) / sums.denominators
        return sums.estimates(sums.value - reach, sums.value + reach)

    def share(self, numerators: npt.ArrayLike, denominators: npt.ArrayLike) -> Estimates:
        """Return the share of cases in each group, with its interval.

        `numerators` has the cases of each unit that count, `denominators` all cases of each unit.
        The interval is by E. L. Korn and B. I. Graubard (Survey Methodology 24 (1998), 193-201).
        """
        from scipy.special import betaincinv

        sums = self._sum_groups(numerators, denominators)
        design = sums.design_effects(sums.counted * (1 - sums.value))
        successes, failures = sums.counted / design, (sums.whole - sums.counted) / design
        low = betaincinv(successes, failures + 1, (1 - LEVEL) / 2)
        high = betaincinv(successes + 1, failures, (1 + LEVEL) / 2)
        return sums.estimates(np.where(successes > 0, low, 0), np.where(failures > 0, high, 1))

    def occurrences(self, numerators: npt.ArrayLike, denominators: npt.ArrayLike) -> Estimates:
        """Return the rate of rare events in each group, with its interval.

        `numerators` has the events of each unit, `denominators` the occasions for them. The
        interval is that of a Poisson count (F. Garwood, Biometrika 28 (1936), 437-442).
        """
        from scipy.special import gammaincinv

        sums = self._sum_groups(numerators, denominators)
        design = sums.design_effects(sums.counted)
        independent = sums.counted / design
        low = gammaincinv(independent, (1 - LEVEL) / 2) * design / sums.denominators
        high = gammaincinv(independent + 1, (1 + LEVEL) / 2) * design / sums.denominators
        return sums.estimates(np.where(independent > 0, low, 0), high)

    def _sum_groups(self, numerators: npt.ArrayLike, denominators: npt.ArrayLike) -> _Sums:
        """Return each group's two sums, their ratio and the jackknife variance."""
        of = np.asarray(denominators, dtype=float)
        seen = of > 0  # Units with a denominator of 0 are left out.
        count, of = np.where(seen, np.asarray(numerators, dtype=float), 0), np.where(seen, of, 0)
        units, counted, whole = (
            self.sum_by_group(seen),
            self.sum_by_group(count),
            self.sum_by_group(of),
        )
        parts = np.where(units > 0, whole, np.nan)
        value, weight = counted / parts, of / parts[self._group]
        alone = ~seen | (weight == 1)
        residual = np.where(alone, 0, count - value[self._group] * of)
        # Each residual is enlarged by its match's leverage.
        squares = self.sum_by_group((residual / np.where(alone, 1, 1 - weight)) ** 2)
        variance = np.where(units >= FEWEST_UNITS, squares, np.nan)
        return _Sums(value, counted, whole, units, variance * (units - 1) / np.maximum(units, 1))


class _Sums(NamedTuple):
    """Sums in each group, with their ratio and its variance."""

    value: FloatArray
    """The ratio: `counted` divided by `whole`; NaN for a group without units."""
    counted: FloatArray
    """The numerator: the number of cases that count."""
    whole: FloatArray
    """The denominator: the number of cases."""
    units: FloatArray
    """Number of units, such as matches, with a positive denominator."""
    variance: FloatArray
    """The jackknife variance of `counted`; NaN with too few units."""

    @property
    def denominators(self) -> FloatArray:
        """The denominator of each group, or NaN for a group without units."""
        return np.where(self.units > 0, self.whole, np.nan)

    @property
    def quantile(self) -> FloatArray:
        """The 97.5 % quantile of Student's distribution for the number of matches of each group."""
        from scipy.special import stdtrit

        return np.asarray(stdtrit(np.maximum(self.units - 1, 1), (1 + LEVEL) / 2))

    def design_effects(self, independent_variance: FloatArray) -> FloatArray:
        """Return each group's design effect, which is at least 1.

        The design effect is the variance divided by `independent_variance`, the variance that
        independent cases would have.
        """
        from scipy.special import ndtri

        # Raised for few matches by the squared ratio of the quantiles (Korn, Graubard).
        few = (self.quantile / ndtri((1 + LEVEL) / 2)) ** 2
        divisor = np.where(independent_variance > ROUNDING, independent_variance, np.nan)
        effect = few * self.variance / divisor
        return np.where(effect > 1, effect, 1)

    def estimates(self, low: FloatArray, high: FloatArray) -> Estimates:
        """Return the value, interval, sums and number of matches of all groups, as named arrays."""
        # Groups with too few matches have no interval.
        enough = self.units >= FEWEST_UNITS
        return {
            "value": self.value,
            "low": np.where(enough, low, np.nan),
            "high": np.where(enough, high, np.nan),
            "count": self.counted,
            "of": self.whole,
            "matches": self.units,
        }


def jackknife_interval(
    units: npt.NDArray[np.float64], estimate: Callable[[npt.NDArray[np.float64]], float]
) -> tuple[float, float]:
    """Return the 95 % jackknife interval (low, high) of a function of sums.

    `units` has a row for each unit; `estimate` gets the sums of the columns (Cochran, Sampling
    Techniques, 3rd ed., 6.17). Both ends are NaN for fewer than three units, or if leaving one out
    changes nothing.

    >>> low, high = jackknife_interval(np.array([[3.0, 4], [1, 4], [2, 4]]), lambda sums: sums[0] / sums[1])
    >>> round(low, 3), round(high, 3)
    (-0.121, 1.121)
    """
    from scipy.special import stdtrit

    count = len(units)
    if count < FEWEST_UNITS:
        return float("nan"), float("nan")
    whole = units.sum(axis=0)
    others = np.array([estimate(whole - unit) for unit in units])
    error = np.sqrt((count - 1) / count * np.sum((others - others.mean()) ** 2))
    if error <= ROUNDING:
        return float("nan"), float("nan")
    reach, value = stdtrit(count - 1, (1 + LEVEL) / 2) * error, estimate(whole)
    return float(value - reach), float(value + reach)


RESAMPLES = 2000
"""Bootstrap samples."""

AT_ONCE = 100
"""Bootstrap samples that are drawn together, to limit memory."""


def bootstrap_interval(units: npt.NDArray[np.float64], seed: int = 1) -> tuple[float, float]:
    """Return the 95 % bootstrap interval (low, high) of the ratio of two sums.

    `units` has a row (numerator, denominator) for each unit. The ends are percentiles (B. Efron, R.
    Tibshirani, An Introduction to the Bootstrap, 13.3), or NaN for fewer than three units.

    >>> bootstrap_interval(np.array([[1.0, 2], [1, 2], [1, 2]]))
    (0.5, 0.5)
    """
    count = len(units)
    if count < FEWEST_UNITS:
        return float("nan"), float("nan")
    draw, ratios = np.random.default_rng(seed), list[FloatArray]()
    for _ in range(RESAMPLES // AT_ONCE):
        sums = draw.multinomial(count, np.full(count, 1 / count), AT_ONCE) @ units
        ratios.append(sums[:, 0] / np.where(sums[:, 1] > 0, sums[:, 1], np.nan))
    low, high = np.nanpercentile(np.concatenate(ratios), (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    return float(low), float(high)


def jackknife_error(units: npt.NDArray[np.float64]) -> float:
    """Return the jackknife standard error of the ratio of two sums.

    `units` has a row (numerator, denominator) for each unit.

    >>> round(jackknife_error(np.array([[3.0, 4], [1, 4], [2, 4]])), 4)
    0.1443
    """
    numerators, denominators = units.T
    whole = denominators.sum()
    ratio, weights = numerators.sum() / whole, denominators / whole
    residuals = (numerators - ratio * denominators) / np.maximum(1 - weights, ROUNDING)
    count = len(units)
    return float(np.sqrt((count - 1) / count * np.sum(residuals**2)) / whole)


def student_to_normal(freedom: float) -> float:
    """Return Student's 97.5 % quantile for these degrees of freedom, divided by the normal one.

    >>> round(student_to_normal(15), 3)
    1.087
    """
    from scipy.special import ndtri, stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2) / ndtri((1 + LEVEL) / 2))


def wilson_intervals(
    successes: npt.ArrayLike, trials: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return the low and the high ends of 95 % Wilson intervals for shares of independent trials.

    The source is E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    Ends are NaN without trials.

    >>> low, high = wilson_intervals([7, 0], [10, 0])
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.397, nan], [0.892, nan])
    """
    from scipy.special import ndtri

    n = np.asarray(trials, dtype=float)
    n = np.where(n > 0, n, np.nan)
    share, z = np.asarray(successes, dtype=float) / n, ndtri((1 + LEVEL) / 2)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return np.maximum(middle - reach, 0), np.minimum(middle + reach, 1)


def p_value_of_shares(
    counts: npt.NDArray[np.int64], trials: npt.NDArray[np.int64], share: float
) -> npt.NDArray[np.float64]:
    """Return the p-value of each exact two-sided test that the chance of success is `share`.

    `counts` has the successes of each test, `trials` its number of trials.

    >>> p_value_of_shares(np.array([10, 0]), np.array([60, 12]), 1 / 6).round(4).tolist()
    [1.0, 0.2243]
    """
    from scipy.stats import binom

    tails = np.minimum(binom.cdf(counts, trials, share), binom.sf(counts - 1, trials, share))
    return np.asarray(np.minimum(2 * tails, 1))


def p_value_of_too_many(counts: npt.ArrayLike, chances: npt.ArrayLike) -> FloatArray:
    """Return the p-value of each exact one-sided test for too many successes.

    `counts` has the successes of each test. A row of `chances` has the chance of success of each
    trial of a test, filled up with zeros.

    >>> p_value_of_too_many([2, 1], [[0.5, 0.1, 0.1], [0.5, 0, 0]]).round(3).tolist()
    [0.1, 0.5]
    """
    successes, trials = np.asarray(counts), np.asarray(chances, dtype=float)
    possible = np.arange(trials.shape[1] + 1)[:, None]
    # Chance of each number of successes in the trials so far.
    chance = np.zeros((len(possible), len(trials)))
    chance[0] = 1
    for success in trials.T:
        one_more = chance[:-1] * success
        chance *= 1 - success
        chance[1:] += one_more
    p = np.where(possible >= successes, chance, 0).sum(axis=0)
    return np.asarray(np.minimum(p, 1))


def p_value_of_chi_square(counts: npt.NDArray[np.int64], chances: npt.NDArray[np.float64]) -> float:
    """Return the p-value of Pearson's chi-square test that counted cases fit their chances.

    `counts` has the number of cases of each class, `chances` the chance of the class.

    >>> round(p_value_of_chi_square(np.array([30, 10]), np.array([0.5, 0.5])), 4)
    0.0016
    """
    from scipy.special import chdtrc  # For thousands of tests, scipy.stats takes ten times as long.

    possible = chances > 0
    expected = chances[possible] / chances[possible].sum() * counts[possible].sum()
    statistic = np.sum((counts[possible] - expected) ** 2 / expected)
    return float(chdtrc(possible.sum() - 1, statistic))


def p_value_of_serial_independence(
    pairs: npt.NDArray[np.int64], chances: npt.NDArray[np.float64]
) -> float:
    """Return the p-value of a test that successive values are independent.

    `pairs` has the number of each pair of successive values, `chances` the chance of each value (I.
    J. Good, Mathematical Proceedings of the Cambridge Philosophical Society 49 (1953), 276-284).

    >>> round(p_value_of_serial_independence(np.array([[30, 20], [20, 30]]), np.array([0.5, 0.5])), 4)
    0.0455
    """
    from scipy.stats import chi2

    both = pairs.sum() * np.outer(chances, chances)
    margins = np.outer(pairs.sum(axis=1), chances) + np.outer(chances, pairs.sum(axis=0))
    statistic = np.sum((pairs - margins + both) ** 2 / both)
    return float(chi2.sf(statistic, (len(chances) - 1) ** 2))


def p_value_of_independence(table: npt.NDArray[np.int64]) -> float:
    """Return the p-value of Fisher's exact test that two properties are independent.

    `table` counts the cases: [[neither, only the second], [only the first, both]].

    >>> p_value_of_independence(np.array([[1, 1], [1, 1]]))
    1.0
    """
    from scipy.stats import fisher_exact

    return float(fisher_exact(table).pvalue)


def correct_independent_p_values(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of independent tests, corrected by Benjamini and Hochberg.

    >>> [round(p, 3) for p in correct_independent_p_values([0.01, 0.5])]
    [0.02, 0.5]
    """
    from scipy.stats import false_discovery_control

    return [float(p) for p in false_discovery_control(p_values)] if p_values else []


def correct_dependent_p_values(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of dependent tests, corrected by Benjamini and Yekutieli.

    >>> [round(p, 3) for p in correct_dependent_p_values([0.01, 0.5])]
    [0.03, 0.75]
    """
    from scipy.stats import false_discovery_control

    return [float(p) for p in false_discovery_control(p_values, method="by")] if p_values else []


POWER = 0.8
"""Chance that a test detects an existing bias."""


def count_trials_needed(share: float, bias: float) -> int:
    """Return how many trials are needed to show that the true share is not `share`.

    The true share is `share` times (1 + `bias`). With so many trials, a two-sided test at 5 % shows
    this four times out of five.

    >>> count_trials_needed(1 / 6, 0.01)
    393384
    """
    normal = NormalDist()  # Called at import, where scipy would take 14 MB and a tenth of a second.
    other = share * (1 + bias)
    quantiles = normal.inv_cdf((1 + LEVEL) / 2) * sqrt(share * (1 - share))
    quantiles += normal.inv_cdf(POWER) * sqrt(other * (1 - other))
    return ceil((quantiles / (other - share)) ** 2)


class MeasuredFigures(NamedTuple):
    """Figures with their intervals and numbers of matches."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    matches: FloatArray


def p_value_of_differences(one: MeasuredFigures, other: MeasuredFigures) -> npt.NDArray[np.float64]:
    """Return the p-value of each statistic's difference between two independent samples.

    The two-sided test is by G. Y. Zou, A. Donner (Statistics in Medicine 27 (2008), 1693-1702) and
    B. L. Welch (Biometrika 34 (1947), 28-35). The p-value is NaN without an interval.

    >>> ann = MeasuredFigures(np.array([0.6]), np.array([0.5]), np.array([0.7]), np.array([40.0]))
    >>> bob = MeasuredFigures(np.array([0.5]), np.array([0.4]), np.array([0.6]), np.array([40.0]))
    >>> p_value_of_differences(ann, bob).round(3)
    array([0.157])
    """
    from scipy.special import stdtr

    errors, others = (
        _compute_one_sided_error(one, other.value),
        _compute_one_sided_error(other, one.value),
    )
    variance = errors**2 + others**2
    parts = errors**4 / np.maximum(one.matches - 1, 1) + others**4 / np.maximum(
        other.matches - 1, 1
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.abs(one.value - other.value) / np.sqrt(variance)
        return np.asarray(2 * stdtr(variance**2 / parts, -distance))


def p_value_against_zero(value: float, low: float, high: float, matches: float) -> float:
    """Return the p-value of the test that the true value is 0.

    `low` and `high` are the ends of the value's 95 % interval.

    >>> [round(p_value_against_zero(*measured, 100), 3) for measured in ((1.0, 0.0, 2.0), (2.0, 1.0, 3.0))]
    [0.05, 0.0]
    """
    own = MeasuredFigures(*(np.array([number]) for number in (value, low, high, matches)))
    zero = np.zeros(1)
    return float(p_value_of_differences(own, MeasuredFigures(zero, zero, zero, own.matches))[0])


def p_value_of_sum(values: Iterable[float], units: int) -> float:
    """Return the p-value of Student's test that the expected sum of some values is 0.

    `values` has the values of independent units, of which there are `units`; zeros may be left out.
    The p-value is NaN for fewer than three units, or if all values are equal.

    >>> [round(p_value_of_sum(values, 4), 3) for values in ([1.0, 2.0, 1.0, 2.0], [1.0, -0.5])]
    [0.014, 0.718]
    """
    from scipy.special import stdtr

    known = np.array(list(values), dtype=float)
    total = float(known.sum())
    squares = float((known**2).sum()) - total**2 / max(units, 1)
    if units < FEWEST_UNITS or squares < ROUNDING:
        return nan
    error = sqrt(units / (units - 1) * squares)
    return float(2 * stdtr(units - 1, -abs(total) / error))


def interval_widening(matches: int) -> float:
    """Return the factor by which an interval is wider for `matches` matches than for very many.

    >>> round(interval_widening(4), 3), round(interval_widening(1000), 3)
    (1.624, 1.001)
    """
    return student_to_normal(max(matches - 1, 1))


def p_values_of_excess(excess: npt.ArrayLike, variance: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the p-values of Mantel and Haenszel's two-sided tests of event counts.

    `excess` has the number of events minus the expected number for each test, `variance` its
    variance (Journal of the National Cancer Institute 22 (1959), 719-748).

    >>> p_values_of_excess([5, 0], [4, 0]).round(4).tolist()
    [0.0244, 1.0]
    """
    from scipy.special import ndtr

    distance = np.maximum(np.abs(np.asarray(excess, dtype=float)) - 0.5, 0)
    spread = np.sqrt(np.asarray(variance, dtype=float))
    return np.asarray(2 * ndtr(-distance / np.where(spread > 0, spread, np.inf)))


def _compute_one_sided_error(figures: MeasuredFigures, compared_values: FloatArray) -> FloatArray:
    """Return the standard error of each figure, computed from one half of its interval.

    The half is the one on the side of the compared value.
    """
    from scipy.special import stdtrit

    reach = np.where(
        compared_values > figures.value, figures.high - figures.value, figures.value - figures.low
    )
    return np.asarray(reach / stdtrit(np.maximum(figures.matches - 1, 1), (1 + LEVEL) / 2))
