"""Invisible characters are deleted where nothing needs them."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.characters import find_invisible, find_wraps_between_separators


@pytest.mark.parametrize("text", ["\U0001f469\u200d\U0001f4bb", " \u200b : 0    Bob : 0"])
def test_the_joiner_of_a_character_and_a_name_alone_stay(text: str) -> None:
    assert not list(find_invisible(text))


def test_blank_lines_between_line_separators_stay() -> None:
    rows = ("\u2028 1) 31: 8/5 6/5", "\u2028\n\u2028 2) 42: 8/4 6/4", "\u2028 3) 65: 24/13\u2028")
    assert not list(find_wraps_between_separators("".join(rows)))
