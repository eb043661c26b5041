"""Lines that are like words of a record."""

from __future__ import annotations

import pytest

from bganalyze.record.intended_words import is_like_ruling


@pytest.mark.parametrize(
    ("line", "is_like"), [("Ruling: one point to Bob", True), ("ruling out", False)]
)
def test_a_ruling_has_a_colon(line: str, *, is_like: bool) -> None:
    assert is_like_ruling(line) == is_like
