"""Invisible characters are deleted where nothing needs them."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.characters import find_invisible


@pytest.mark.parametrize("text", ["\U0001f469\u200d\U0001f4bb", " \u200b : 0    Bob : 0"])
def test_the_joiner_of_a_character_and_a_name_alone_stay(text: str) -> None:
    assert not list(find_invisible(text))
