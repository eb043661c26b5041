"""Layers: a text after some replacements, and the earlier place of each of its characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

LONGEST_LINE = 200
"""Length of the longest line that is looked at closely; on longer ones patterns could take quadratic time."""

SIDELESS = "\t"
"""Indent of a result whose side no column shows."""
RIGHT_COLUMN = 34
"""Offset at which right cells begin in a text without columns of its own."""


class Replacement(NamedTuple):
    """A part of a text, from `start` to `end`, and the text in its place."""

    start: int
    end: int
    new: str


class Layer(NamedTuple):
    """A text made by replacements in another text, the one below.

    It consists of pieces: parts of the text below that are kept, and replacements.
    """

    text: str
    starts: tuple[int, ...]
    """Offset of each piece in this text."""
    starts_below: tuple[int, ...]
    """Offset of each piece in the text below, and the length of that text at the end."""
    is_kept: tuple[bool, ...]
    """Whether each piece is a part of the text below."""

    def start_below(self, offset: int) -> int:
        """Return where in the old text, before the replacements, a character of the new text was.

        For a character of a replacement, return the start of the replaced text.
        """
        piece = max(bisect_right(self.starts, offset) - 1, 0)
        within = offset - self.starts[piece] if self.is_kept[piece] else 0
        return self.starts_below[piece] + within

    def end_below(self, offset: int) -> int:
        """Return where in the old text, before the replacements, a part of the new text ended.

        `offset` is the end of the part in the new text, behind its last character.
        """
        if offset == 0:
            return 0
        piece = max(bisect_right(self.starts, offset - 1) - 1, 0)
        if not self.is_kept[piece]:
            return self.starts_below[piece + 1]
        return self.starts_below[piece] + offset - self.starts[piece]


def lines_with_starts(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each line of a text with the offset at which it starts.

    >>> list(lines_with_starts(["5 point match", "", "Game 1"]))
    [(0, '5 point match'), (14, ''), (15, 'Game 1')]
    """
    start = 0
    for line in lines:
        yield start, line
        start += len(line) + 1


def replace_parts(text: str, replacements: Iterable[Replacement]) -> Layer:
    """Replace parts of a text, given in order and without overlaps.

    Return the new text as a layer, which knows where its characters were in the old text.

    >>> layer = replace_parts("> 1) 31:", [Replacement(0, 2, ""), Replacement(4, 5, "   ")])
    >>> layer.text, layer.start_below(0), layer.start_below(3), layer.end_below(5)
    ('1)   31:', 2, 4, 5)
    """
    parts: list[str] = []
    starts: list[int] = []
    below: list[int] = []
    kept: list[bool] = []
    length = at = 0

    def add(piece: str, start_below: int, is_kept: bool) -> None:
        """Append a piece of cleaned text; `start_below` is where it begins before cleaning."""
        nonlocal length
        parts.append(piece)
        starts.append(length)
        below.append(start_below)
        kept.append(is_kept)
        length += len(piece)

    for start, end, new in replacements:
        add(text[at:start], at, True)
        add(new, start, False)
        at = end
    add(text[at:], at, True)
    return Layer("".join(parts), tuple(starts), (*below, len(text)), tuple(kept))
