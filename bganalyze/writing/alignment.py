"""Alignment: the longest common subsequence of two sequences, in time linear in their length.

The rows of the table of lengths are kept as bits of integers (Hyyrö, "Bit-parallel LCS-length
computation revisited", 2004), one window of the sequences at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

WINDOW = 2_000
"""Items of each sequence compared at once; more than a game has actions."""


def find_common_places(
    one: Sequence[Hashable], two: Sequence[Hashable]
) -> Iterator[tuple[int, int]]:
    """Yield the index pairs of equal items in a longest common subsequence of two sequences.

    If a sequence is longer than `WINDOW`, a few pairs may be missing.

    >>> list(find_common_places("abcd", "xbd"))
    [(1, 1), (3, 2)]
    """
    start_one = start_two = 0
    while start_one < len(one) and start_two < len(two):
        ends = start_one + WINDOW, start_two + WINDOW
        halves = ends[0] - WINDOW // 2, ends[1] - WINDOW // 2
        is_last = ends[0] >= len(one) and ends[1] >= len(two)
        pairs = _align_window(one[start_one : ends[0]], two[start_two : ends[1]])
        following = halves
        for place_one, place_two in pairs:
            pair = place_one + start_one, place_two + start_two
            if not is_last and (pair[0] >= halves[0] or pair[1] >= halves[1]):
                following = pair
                break
            yield pair
        if is_last:
            return
        start_one, start_two = following


def _align_window(one: Sequence[Hashable], two: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the index pairs of equal items in a longest common subsequence of short sequences."""
    places = defaultdict[Hashable, int](int)
    for place, item in enumerate(one):
        places[item] |= 1 << place
    row, mask = (1 << len(one)) - 1, (1 << len(one)) - 1
    rows: list[int] = []
    for item in two:
        # Each zero bit marks a place where the common subsequence grows by one item.
        both = row & places.get(item, 0)
        row = ((row + both) | (row - both)) & mask
        rows.append(row)
    pairs: list[tuple[int, int]] = []
    column, line = len(one), len(two)
    while column and line:
        bit = 1 << (column - 1)
        if rows[line - 1] & bit:
            column -= 1
            continue
        line -= 1
        if line == 0 or rows[line - 1] & bit:
            column -= 1
            pairs.append((column, line))
    return pairs[::-1]
