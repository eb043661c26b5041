"""Escaped characters of a script."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.frames import _decode_unit


@pytest.mark.parametrize(("digits", "character"), [("e9", "é"), ("d83d", "")])
def test_half_a_character_is_none(digits: str, character: str) -> None:
    assert _decode_unit(digits) == character
