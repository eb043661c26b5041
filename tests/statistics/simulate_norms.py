"""Simulate how often the intervals of norms hold the true value, with players of known rates.

`python -m tests.statistics.simulate_norms [RUNS]` prints the coverage of the intervals of pooled rates, and of
percentiles. Players' true rates are lognormal around 8 with a standard deviation of 3. A decision is
wrong with a chance of a quarter, or of a fifteenth of rare kinds; the loss of a wrong one is exponential.
A player's matches differ in difficulty by a fifth.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.stats import lognorm

from bganalyze.statistics.estimates import bootstrap_interval, jackknife_error
from bganalyze.statistics.norms import FACTOR
from bganalyze.statistics.reports.making_norms import PERCENTS, estimate_percentile_intervals

MEAN, DEVIATION, DIFFICULTY = 8.0, 3.0, 0.2
SHAPE = np.sqrt(np.log(1 + (DEVIATION / MEAN) ** 2))
SCALE = MEAN / np.sqrt(1 + (DEVIATION / MEAN) ** 2)

Numbers = npt.NDArray[np.float64]


def draw_matches(
    draw: np.random.Generator, rates: Numbers, decisions: int, wrong: float
) -> Numbers:
    """Draw one match for each rate: the loss, and the number of decisions."""
    counts = draw.poisson(decisions, len(rates)) + 1
    true = rates / FACTOR * draw.gamma(1 / DIFFICULTY**2, DIFFICULTY**2, len(rates))
    errors = draw.binomial(counts, wrong)
    lost = draw.gamma(np.maximum(errors, 1e-9), true / wrong)
    return np.column_stack([np.where(errors > 0, lost, 0.0), counts]).astype(float)


def covers_rate(draw: np.random.Generator, matches: int, decisions: int, wrong: float) -> bool:
    """Whether the interval of a pooled rate holds the true one."""
    rates = draw.lognormal(np.log(SCALE), SHAPE, matches)
    low, high = bootstrap_interval(
        draw_matches(draw, rates, decisions, wrong), int(draw.integers(10**9))
    )
    return FACTOR * low <= MEAN <= FACTOR * high


def find_covered_percentiles(draw: np.random.Generator, players: int, matches: int) -> list[bool]:
    """Whether the interval of each percentile holds the true one."""
    measured, errors = [], []
    for rate in draw.lognormal(np.log(SCALE), SHAPE, players):
        own = draw_matches(draw, np.full(matches, rate), 70, 0.25)
        measured.append(FACTOR * own[:, 0].sum() / own[:, 1].sum())
        errors.append(FACTOR * jackknife_error(own))
    true = lognorm.ppf(np.array(PERCENTS) / 100, SHAPE, scale=SCALE)
    ends = estimate_percentile_intervals(
        np.array(measured), np.array(errors), PERCENTS, int(draw.integers(10**9))
    )
    return [low <= value <= high for value, (low, high) in zip(true, ends, strict=True)]


def simulate(runs: int) -> Iterator[str]:
    """Yield a line for each case with the coverage in percent."""
    draw = np.random.default_rng(2024)
    for matches, decisions, wrong in (
        *((100, 50, 0.25), (300, 50, 0.25), (1100, 50, 0.25)),
        *((300, 1, 0.25), (1100, 1, 0.25), (300, 4, 1 / 15), (1100, 4, 1 / 15)),
    ):
        held = [covers_rate(draw, matches, decisions, wrong) for _ in range(runs)]
        yield f"rate of {matches} matches, {decisions} decisions, {wrong:.2f} wrong: {100 * np.mean(held):.1f} %"
    for players, matches in ((30, 10), (60, 10), (200, 10)):
        held = [find_covered_percentiles(draw, players, matches) for _ in range(runs)]
        shown = ", ".join(
            f"{percent} %: {100 * share:.1f}"
            for percent, share in zip(PERCENTS, np.mean(held, axis=0), strict=True)
        )
        yield f"percentiles of {players} players with {matches} matches: {shown}"


if __name__ == "__main__":
    for line in simulate(int(sys.argv[1]) if len(sys.argv) > 1 else 400):
        print(line, flush=True)
