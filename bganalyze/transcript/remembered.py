"""What is read from a text, kept for the next time that it stands somewhere: short texts only.

A text that nobody writes twice is not worth the room, and may be as long as a file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

_R = TypeVar("_R")

LONGEST = 200
"""No cell of a record is longer."""

_FORGET: list[Callable[[], None]] = []


def remembered(most: int) -> Callable[[Callable[[str], _R]], Callable[[str], _R]]:
    """Keep what a function returns for the `most` texts, none of them long, that it met last.

    >>> @remembered(8)
    ... def length(text):
    ...     print("counted")
    ...     return len(text)
    >>> length("ab"), length("ab")
    counted
    (2, 2)
    """

    def decorate(read: Callable[[str], _R]) -> Callable[[str], _R]:
        kept = lru_cache(most)(read)
        _FORGET.append(kept.cache_clear)

        @wraps(read)
        def reading(text: str) -> _R:
            return kept(text) if len(text) <= LONGEST else read(text)

        return reading

    return decorate


def forget() -> None:
    """Forget all that was read: what comes next costs what it costs for the first time."""
    for clear in _FORGET:
        clear()
