"""Whether the dice are fair: a few tests of all rolls together, and the deviations they would show."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.statistics.estimates import LEVEL, POWER, p_value_of_shares
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.rolls_by_value import CHANCES, MEAN_PIPS, PIPS, ROLLS

SPREAD_OF_PIPS = float(CHANCES @ PIPS**2 - MEAN_PIPS**2) ** 0.5
"""Standard deviation of the pips of a roll."""

FEWEST_ROLLS = 180
"""Fewest rolls for these tests: five of the rarest."""

FEWEST_DANCES = 5
"""Least variance of the number of dances for a test with the normal distribution."""

FAIRNESS_SUMS = ("rolls", "doubles", "pips_rolled", "entering", "dances", "dances_expected", "dances_variance")  # fmt: skip
"""The sums that the tests need."""

NOTHING_UNUSUAL = "nothing here differs from fair dice by more than chance"

_POWER_NOTE = f"bias noticed below, above: if the dice gave less or more than this, so many rolls would show it with a chance of {100 * POWER:.0f} %; a smaller bias may stay hidden, so no test proves that dice are fair"
_LEVEL_NOTE = f"corrected: p times the number of tests (Bonferroni); below {1 - LEVEL:.2f} is unusual, which fair dice are in one of {1 / (1 - LEVEL):.0f} such tables; p of the roll furthest off allows for {len(ROLLS)} rolls. Opening rolls and rolls against a closed board are left out"


class FairnessTest(NamedTuple):
    """A test of whether all rolls are fair in one respect, such as the share of doubles."""

    measure: str
    """What is tested, with its unit: `pips a roll`, `doubles (%)`."""
    rolls: int
    actual: float
    """The value in the recorded rolls."""
    fair: float
    """The value expected of fair dice."""
    error: float
    """Standard error of `actual` with fair dice."""
    p: float
    candidates: int = 1
    """Number of values from which the one that differs most was chosen; `p` is corrected for it."""


def make_fairness_section(sums: pd.Series, rolled: npt.NDArray[np.int64]) -> Section:
    """Test whether all rolls together come from fair dice, and return a table of the tests.

    `sums` has totals such as the number of doubles. `rolled` has the number of each of the 21
    `ROLLS`.
    """
    tests = list(_test_fairness(sums, rolled))
    count = max(len(tests), 1)
    reach = [_find_smallest_deviation(test, count) for test in tests]
    corrected = [min(count * test.p, 1.0) for test in tests]
    frame = pd.DataFrame(
        {
            "measure": [test.measure for test in tests],
            "rolls": [test.rolls for test in tests],
            "actual": [test.actual for test in tests],
            "fair": [test.fair for test in tests],
            "bias noticed below": [
                test.fair - most if most < test.fair else None
                for test, most in zip(tests, reach, strict=True)
            ],
            "bias noticed above": [
                test.fair + most for test, most in zip(tests, reach, strict=True)
            ],
            "p": [test.p for test in tests],
            "corrected": corrected,
        }
    )
    unusual = frame.loc[frame["corrected"] < 1 - LEVEL, "measure"]
    if frame.empty:
        notes: tuple[str, ...] = (
            f"fewer than {FEWEST_ROLLS} rolls: too few to say anything about the dice",
        )
    else:
        verdict = f"unusual: {', '.join(unusual)}" if len(unusual) else NOTHING_UNUSUAL
        notes = (verdict, _POWER_NOTE, _LEVEL_NOTE)
    return Section("Are the dice fair?", frame, notes)


def _find_smallest_deviation(test: FairnessTest, tests: int) -> float:
    """Return the smallest deviation from fair dice that a test is likely to detect.

    `tests` is the number of tests for which p-values are corrected.
    """
    normal = NormalDist()
    tail = (1 - LEVEL) / 2 / tests / test.candidates
    return (normal.inv_cdf(1 - tail) + normal.inv_cdf(POWER)) * test.error


def _test_fairness(sums: pd.Series, rolled: npt.NDArray[np.int64]) -> Iterator[FairnessTest]:
    """Yield each test of all rolls together for which there are enough rolls.

    `sums` has totals such as the number of doubles. `rolled` has the number of each of the 21
    `ROLLS`.
    """
    rolls = int(sums["rolls"])
    if rolls < FEWEST_ROLLS:
        return
    yield _test_share("doubles (%)", int(sums["doubles"]), rolls, 1 / 6)
    error = SPREAD_OF_PIPS / rolls**0.5
    pips = float(sums["pips_rolled"]) / rolls
    p = _compute_p_value((pips - MEAN_PIPS) / error)
    yield FairnessTest("pips a roll", rolls, pips, MEAN_PIPS, error, p)
    yield _test_roll_furthest_off(rolled)
    entering, variance = float(sums["entering"]), float(sums["dances_variance"])
    if variance >= FEWEST_DANCES:
        dances, expected = float(sums["dances"]), float(sums["dances_expected"])
        yield FairnessTest(
            "dances from the bar (%)",
            int(entering),
            100 * dances / entering,
            100 * expected / entering,
            100 * variance**0.5 / entering,
            _compute_p_value((dances - expected) / variance**0.5),
        )


def _test_share(measure: str, count: int, rolls: int, fair: float) -> FairnessTest:
    """Return an exact test of whether the share `count` / `rolls` differs from the `fair` share.

    `measure` is the name of the share, such as `doubles (%)`.
    """
    (p,) = p_value_of_shares(np.array([count]), np.array([rolls]), fair)
    error = (fair * (1 - fair) / rolls) ** 0.5
    return FairnessTest(measure, rolls, 100 * count / rolls, 100 * fair, 100 * error, float(p))


def _test_roll_furthest_off(rolled: npt.NDArray[np.int64]) -> FairnessTest:
    """Return a test of the roll whose number is furthest from the expected one.

    `rolled` has the number of each of the 21 `ROLLS`.
    """
    rolls = int(rolled.sum())
    tests = [
        _test_share(f"furthest off: {high}-{low} (%)", count, rolls, chance)
        for (high, low), count, chance in zip(ROLLS, rolled.tolist(), CHANCES.tolist(), strict=True)
    ]
    furthest = min(tests, key=lambda test: test.p)
    return furthest._replace(p=min(len(ROLLS) * furthest.p, 1.0), candidates=len(ROLLS))


def _compute_p_value(distance: float) -> float:
    """Return the two-sided p-value of a `distance` from the expected value, in standard errors.

    >>> round(_compute_p_value(1.96), 3)
    0.05
    """
    return 2 * NormalDist().cdf(-abs(distance))
