"""Rates with their uncertainty. scipy gives the quantiles, intervals and tests.

Turns of a match depend on each other, and so do its games. What is counted over them is therefore
a ratio of two sums over matches, and its interval comes from how much the matches differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

LEVEL = 0.95
"""The cover of every interval."""

FEWEST_UNITS = 3
"""With fewer matches nothing can be said about how much they differ."""


def ratios(units: pd.DataFrame, by: Sequence[str], above: str, below: str) -> pd.DataFrame:
    """Return for each group the ratio of two sums, with its interval clustered by unit.

    `units` has a row for each group and unit (a match). The columns of the answer: `value`,
    `low`, `high`, `count` and `of` (the two sums) and `matches` (units that have any of the
    latter). No interval is given for fewer than three units, nor where all of them agree.

    The variance is that of the ratio estimator, G/(G-1) times the sum of the squared residuals
    over the squared denominator, and the quantile Student's with G-1 degrees of freedom (Cochran,
    Sampling Techniques, 3rd ed., 6.3).

    >>> made = pd.DataFrame({"who": "Ann", "won": [3, 1, 2], "played": [4, 4, 4]})
    >>> ratios(made, ["who"], "won", "played").round(3).values.tolist()
    [[0.5, -0.121, 1.121, 6.0, 12.0, 3.0]]
    """
    seen = units[units[below] > 0]
    y, x = seen[above].astype(float), seen[below].astype(float)
    parts = seen[list(by)].assign(y=y, x=x, yy=y * y, xy=x * y, xx=x * x, matches=1)
    sums = _summed(parts, by)
    value = sums["y"] / sums["x"]
    spread = sums["yy"] - 2 * value * sums["xy"] + value**2 * sums["xx"]
    return _with_interval(sums, value, spread)


def _summed(parts: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    if not by:
        return parts.sum().to_frame().T.astype({"matches": int})
    return parts.groupby(list(by), observed=True, sort=False, dropna=False).sum()


def _with_interval(sums: pd.DataFrame, value: pd.Series, spread: pd.Series) -> pd.DataFrame:
    from scipy.stats import t

    units = sums["matches"].to_numpy()
    enough = (units >= FEWEST_UNITS) & (spread.to_numpy() > 1e-12)
    freedom = np.where(enough, units - 1, 1)
    error = np.sqrt(np.where(enough, spread, np.nan) * units / freedom) / sums["x"]
    reach = t.ppf((1 + LEVEL) / 2, freedom) * error
    return pd.DataFrame(
        {
            "value": value,
            "low": value - reach,
            "high": value + reach,
            "count": sums["y"],
            "of": sums["x"],
            "matches": units,
        }
    )


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return the Wilson interval of a share of independent trials; nothing known for none.

    >>> [round(end, 3) for end in wilson(7, 10)]
    [0.397, 0.892]
    """
    from scipy.stats import binomtest

    if of == 0:
        return float("nan"), float("nan")
    found = binomtest(count, of).proportion_ci(LEVEL, method="wilson")
    return float(found.low), float(found.high)


def corrected(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Benjamini and Yekutieli: tests that depend).

    >>> [round(p, 3) for p in corrected([0.01, 0.5])]
    [0.03, 0.75]
    """
    from scipy.stats import false_discovery_control

    return [float(p) for p in false_discovery_control(p_values, method="by")] if p_values else []


def trials_needed(share: float, bias: float, power: float = 0.8) -> int:
    """Return how many trials show a share that is off by `bias` (0.01: one part in a hundred).

    The usual normal approximation, two-sided at the level of the intervals.

    >>> trials_needed(1 / 6, 0.01)
    393384
    """
    from scipy.stats import norm

    other = share * (1 + bias)
    quantiles = norm.ppf((1 + LEVEL) / 2) * np.sqrt(share * (1 - share))
    quantiles += norm.ppf(power) * np.sqrt(other * (1 - other))
    return int(np.ceil((quantiles / (other - share)) ** 2))
