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


def drop_overlaps(replacements: Iterable[Replacement]) -> Iterator[Replacement]:
    """Yield replacements sorted by start, leaving out those that overlap one yielded before.

    Of several with the same start, only the longest is yielded.

    >>> [part.new for part in drop_overlaps([Replacement(1, 2, "b"), Replacement(0, 2, "a")])]
    ['a']
    """
    end = 0
    for replacement in sorted(replacements, key=lambda one: (one.start, -one.end)):
        if replacement.start >= end:
            yield replacement
            end = replacement.end


class Layer(NamedTuple):
    """A text made from an old text by replacing parts, with the old offset of each part.

    It consists of pieces: parts of the old text that are kept, and replacements.
    """

    text: str
    starts: tuple[int, ...]
    """Offset of each piece in this text."""
    old_starts: tuple[int, ...]
    """Offset of each piece in the old text, and the length of the old text at the end."""
    is_kept: tuple[bool, ...]
    """Whether each piece is a part of the old text."""

    def find_old_start(self, offset: int) -> int:
        """Return the offset in the old text of the character at `offset` in the new text.

        For a character of a replacement, this is where the replaced text starts.
        """
        piece = max(bisect_right(self.starts, offset) - 1, 0)
        within = offset - self.starts[piece] if self.is_kept[piece] else 0
        return self.old_starts[piece] + within

    def find_old_end(self, offset: int) -> int:
        """Return the offset in the old text of the end of a part that now ends at `offset`.

        If the part ends in a replacement, this is where the replaced text ends.
        """
        if offset == 0:
            return 0
        piece = max(bisect_right(self.starts, offset - 1) - 1, 0)
        if not self.is_kept[piece]:
            return self.old_starts[piece + 1]
        return self.old_starts[piece] + offset - self.starts[piece]


def yield_lines_with_starts(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each line of a text with the offset at which it starts.

    >>> list(yield_lines_with_starts(["5 point match", "", "Game 1"]))
    [(0, '5 point match'), (14, ''), (15, 'Game 1')]
    """
    start = 0
    for line in lines:
        yield start, line
        start += len(line) + 1


def replace_parts(text: str, replacements: Iterable[Replacement]) -> Layer:
    """Return a text after `replacements`, with the old offset of each of its parts.

    The replacements must be in order and must not overlap.
    """
    parts: list[str] = []
    starts: list[int] = []
    old_starts: list[int] = []
    kept: list[bool] = []
    length = at = 0

    def add(piece: str, old_start: int, is_kept: bool) -> None:
        """Append a piece of cleaned text that began at `old_start` before cleaning."""
        nonlocal length
        parts.append(piece)
        starts.append(length)
        old_starts.append(old_start)
        kept.append(is_kept)
        length += len(piece)

    for start, end, new in replacements:
        add(text[at:start], at, True)
        add(new, start, False)
        at = end
    add(text[at:], at, True)
    return Layer("".join(parts), tuple(starts), (*old_starts, len(text)), tuple(kept))
