"""Counts in words."""

from __future__ import annotations


def number_of(number: int, word: str) -> str:
    """Return how many there are of what a regular word names.

    >>> number_of(1, "match"), number_of(1200, "match"), number_of(0, "illegal play")
    ('1 match', '1,200 matches', '0 illegal plays')
    """
    ending = "es" if word.endswith(("ch", "s", "x")) else "s"
    return f"{number:,} {word}{ending * (number != 1)}"
