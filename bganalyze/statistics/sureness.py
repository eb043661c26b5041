"""How sure a difference is, in words that every report, page and profile uses."""

from __future__ import annotations

import math
from collections.abc import Iterable

SURE, FAIRLY_SURE, SHOWN = 0.01, 0.03, 0.05
"""Limits of corrected p-values; of the differences stated, at most about this share is due to chance."""

BARELY_SHOWN = "barely shown"
"""The words for a difference that is shown, but by little more than chance would show."""

MAY_BE_CHANCE = "may be chance"
"""The words for a difference that was tested, but not shown."""

NOT_TESTED = "not tested"
"""The words for a difference without a test, or with too little data for one."""

NOT_SHOWN = (MAY_BE_CHANCE, NOT_TESTED)
"""The words for all differences that no test shows."""

DEFINITION = (
    f"sure: chance alone would show it less than {100 * SURE:.0f} time in 100; fairly sure: less than"
    f" {100 * FAIRLY_SURE:.0f}; {BARELY_SHOWN}: less than {100 * SHOWN:.0f}; {MAY_BE_CHANCE}: tested, but chance shows it more often; {NOT_TESTED}: no test"
)
"""These words in a sentence, for the top of a page."""


def describe_sureness(corrected: float | None) -> str:
    """Describe in words how sure it is that a difference is not due to chance.

    `corrected` is the difference's corrected p-value, or None without a test.

    >>> [describe_sureness(p_value) for p_value in (0.001, 0.02, 0.04, 0.6, None)]
    ['sure', 'fairly sure', 'barely shown', 'may be chance', 'not tested']
    """
    if corrected is None or math.isnan(corrected):
        return NOT_TESTED
    words = ((SURE, "sure"), (FAIRLY_SURE, "fairly sure"), (SHOWN, BARELY_SHOWN))
    return next((word for limit, word in words if corrected < limit), MAY_BE_CHANCE)


def describe_differences(names: Iterable[str], corrected: Iterable[float | None]) -> list[str]:
    """Describe each difference and how sure it is, such as `higher, sure`.

    `names` has a word for each difference, which is left out if the difference may be chance.
    `corrected` has the corrected p-values.

    >>> describe_differences(["higher", "lower", "lower"], [0.001, 0.3, math.nan])
    ['higher, sure', 'may be chance', 'not tested']
    """
    words = map(describe_sureness, corrected)
    return [
        word if word in NOT_SHOWN else f"{name}, {word}"
        for name, word in zip(names, words, strict=True)
    ]
