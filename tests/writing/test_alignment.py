"""Common subsequences of two sequences, compared with the textbook's table of lengths."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from bganalyze.writing import alignment
from bganalyze.writing.alignment import find_common_places


def length_in_common(one: list[int], two: list[int]) -> int:
    row = [0] * (len(two) + 1)
    for item in one:
        above = row.copy()
        for place, other in enumerate(two):
            row[place + 1] = (
                above[place] + 1 if item == other else max(row[place], above[place + 1])
            )
    return row[-1]


def are_in_order(pairs: list[tuple[int, int]]) -> bool:
    return all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))


def test_as_many_items_as_can_be_are_in_common() -> None:
    draw = random.Random(1)
    for _ in range(300):
        one, two = ([draw.randrange(4) for _ in range(draw.randrange(12))] for _ in range(2))
        pairs = list(find_common_places(one, two))
        assert len(pairs) == length_in_common(one, two)
        assert are_in_order(pairs)
        assert all(one[first] == two[second] for first, second in pairs)


@pytest.mark.parametrize("window", [8, 20, 50])
def test_longer_sequences_are_compared_by_windows(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignment, "WINDOW", window)
    draw = random.Random(2)
    one = [draw.randrange(100) for _ in range(400)]
    two = [item for place, item in enumerate(one) if place % 5]
    pairs = list(find_common_places(one, two))
    assert len(pairs) >= 0.9 * len(two)
    assert are_in_order(pairs)
    assert all(one[first] == two[second] for first, second in pairs)


@pytest.mark.slow
def test_long_sequences_of_nothing_in_common() -> None:
    assert list(find_common_places(range(100_000), range(100_000, 200_000))) == []
    assert len(list(find_common_places([1] * 100_000, [1] * 99_000))) == 99_000
