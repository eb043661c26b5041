"""Caches for results of reading short texts.

Longer texts rarely repeat, and may be as long as a file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import TypeVar

_R = TypeVar("_R")

LONGEST = 200
"""Length of the longest text cached; no cell of a match file is longer."""

_CLEARERS: list[Callable[[], None]] = []
"""Functions that clear the registered caches."""


class TextMemory(dict[str, _R]):
    """Cache of a function of a text, emptied when it holds `most` results.

    It is called like the function; a call takes as long as with `lru_cache`. Indexing it as a
    dictionary takes a third of the time.
    """

    def __init__(self, read: Callable[[str], _R], most: int) -> None:
        update_wrapper(self, read)
        self._read, self._most = read, most
        register_cache(self.clear)

    __call__ = dict[str, _R].__getitem__

    def __missing__(self, text: str) -> _R:
        result = self._read(text)
        if len(text) <= LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[text] = result
        return result


def cache_by_text(most: int) -> Callable[[Callable[[str], _R]], TextMemory[_R]]:
    """Return a decorator that caches the results of a function for at most `most` short texts.

    >>> @cache_by_text(8)
    ... def length(text):
    ...     print("counted")
    ...     return len(text)
    >>> length("ab"), length("ab")
    counted
    (2, 2)
    """
    return partial(TextMemory, most=most)


def register_cache(clear_cache: Callable[[], None]) -> None:
    """Register the function that empties a cache, so that `clear_all_caches` calls it."""
    _CLEARERS.append(clear_cache)


def clear_all_caches() -> None:
    """Empty all registered caches, to free memory."""
    for empty in _CLEARERS:
        empty()
