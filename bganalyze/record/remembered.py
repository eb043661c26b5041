"""What is read from a text, kept for the next time that it stands somewhere: short texts only.

A text that nobody writes twice is not worth the room, and may be as long as a file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import TypeVar

_R = TypeVar("_R")

LONGEST = 200
"""No cell of a record is longer."""

_EMPTYING: list[Callable[[], None]] = []


class TextMemory(dict[str, _R]):
    """What a function returns for the texts that it met, up to `most` of them: then it begins anew.

    It is called as the function is. Where very many texts are looked up, it is asked as a dictionary,
    which takes a third of the time; a call takes as long as one of `lru_cache`.
    """

    def __init__(self, read: Callable[[str], _R], most: int) -> None:
        update_wrapper(self, read)
        self._read, self._most = read, most
        when_forgetting(self.clear)

    __call__ = dict[str, _R].__getitem__

    def __missing__(self, text: str) -> _R:
        result = self._read(text)
        if len(text) <= LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[text] = result
        return result


def remembered(most: int) -> Callable[[Callable[[str], _R]], TextMemory[_R]]:
    """Keep what a function returns for the texts that it meets, none of them long and at most `most`.

    >>> @remembered(8)
    ... def length(text):
    ...     print("counted")
    ...     return len(text)
    >>> length("ab"), length("ab")
    counted
    (2, 2)
    """
    return partial(TextMemory, most=most)


def when_forgetting(empty: Callable[[], None]) -> None:
    """Empty a memory of another kind too when all is forgotten."""
    _EMPTYING.append(empty)


def forget() -> None:
    """Forget all that was read: what comes next costs what it costs for the first time."""
    for empty in _EMPTYING:
        empty()
