"""Rows in unusual signs are spelled as usual."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.usual_signs import spell_as_usual


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        (" 1 ) 3,1 : 8 / 5", " 1) 31: 8/5"),
        ("\uff11\uff09 31: 8/5", "1) 31: 8/5"),
        ("Move 1: 3x1 8 to 5, 6 to 5; 4x2 8 to 4", "1) 31: 8/5 6/5   42: 8/4"),
    ],
)
def test_a_row_is_spelled_as_usual(text: str, usual: str) -> None:
    assert spell_as_usual(text) == usual
