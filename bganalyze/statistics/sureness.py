"""How sure a difference is, in three words that every report, page and profile uses."""

from __future__ import annotations

from collections.abc import Iterable

SURE, FAIRLY_SURE = 0.01, 0.05
"""Limits of corrected p-values; of the differences stated, at most about this share is due to chance."""

MAY_BE_CHANCE = "may be chance"
"""The word for a difference that no test shows, or that was not tested."""

DEFINITION = (
    f"sure: about {100 * SURE:.0f} in 100 is chance; fairly sure: about {100 * FAIRLY_SURE:.0f} in 100;"
    f" {MAY_BE_CHANCE}: the rest, tested or not"
)
"""The three words in a sentence, for the top of a page."""


def sureness_in_words(corrected: float | None) -> str:
    """Return, in words, the certainty that a difference is not due to chance.

    `corrected` is the p-value, corrected for the number of differences tested; None or NaN if no test
    was possible.

    >>> sureness_in_words(0.001), sureness_in_words(0.02), sureness_in_words(0.6), sureness_in_words(None)
    ('sure', 'fairly sure', 'may be chance', 'may be chance')
    """
    if corrected is None or not corrected < FAIRLY_SURE:
        return MAY_BE_CHANCE
    return "sure" if corrected < SURE else "fairly sure"


def describe_differences(names: Iterable[str], corrected: Iterable[float]) -> list[str]:
    """Return for each difference its name and how sure it is, such as `higher, sure`, or `may be chance`.

    >>> describe_differences(["higher", "lower"], [0.001, 0.3])
    ['higher, sure', 'may be chance']
    """
    words = map(sureness_in_words, corrected)
    return [
        word if word == MAY_BE_CHANCE else f"{name}, {word}"
        for name, word in zip(names, words, strict=True)
    ]
