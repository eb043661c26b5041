"""How sure a difference is, in words that every report, page and profile uses."""

from __future__ import annotations

import math
from collections.abc import Iterable

SURE, FAIRLY_SURE = 0.01, 0.05
"""Limits of corrected p-values; of the differences stated, at most about this share is due to chance."""

MAY_BE_CHANCE = "may be chance"
"""The words for a difference that was tested, but not shown."""

NOT_TESTED = "not tested"
"""The words for a difference without a test, or with too little data for one."""

NOT_SHOWN = (MAY_BE_CHANCE, NOT_TESTED)
"""The words for all differences that no test shows."""

DEFINITION = (
    f"sure: chance alone would show it less than {100 * SURE:.0f} time in 100; fairly sure: less than"
    f" {100 * FAIRLY_SURE:.0f}; {MAY_BE_CHANCE}: tested, but chance shows it more often; {NOT_TESTED}: no test"
)
"""These words in a sentence, for the top of a page."""


def describe_sureness(corrected: float | None) -> str:
    """Return in words how sure it is that a difference is not due to chance.

    `corrected` is its p-value, corrected for the number of tests, or None or NaN without a
    test.

    >>> describe_sureness(0.001), describe_sureness(0.02), describe_sureness(0.6), describe_sureness(None)
    ('sure', 'fairly sure', 'may be chance', 'not tested')
    """
    if corrected is None or math.isnan(corrected):
        return NOT_TESTED
    if corrected >= FAIRLY_SURE:
        return MAY_BE_CHANCE
    return "sure" if corrected < SURE else "fairly sure"


def describe_differences(names: Iterable[str], corrected: Iterable[float]) -> list[str]:
    """Return each difference with how sure it is, such as `higher, sure`.

    >>> describe_differences(["higher", "lower", "lower"], [0.001, 0.3, math.nan])
    ['higher, sure', 'may be chance', 'not tested']
    """
    words = map(describe_sureness, corrected)
    return [
        word if word in NOT_SHOWN else f"{name}, {word}"
        for name, word in zip(names, words, strict=True)
    ]
