"""Slips with the cube: what is proposed brings the record back."""

from __future__ import annotations

import pytest

from tests.repair.clean import MATCH
from tests.repair.test_games import causes, mended, slipped


@pytest.mark.parametrize(
    "change",
    [
        ("13/9              Doubles => 2", "13/9"),
        (" Doubles => 2                Drops", "                             Drops"),
        ("  5)  Takes                      31: 6/3* 4/3", "  5)                             31: 6/3* 4/3"),
        ("Takes", "Drops"),
        ("Drops", "Takes"),
        ("Takes", "Tkaes"),
        ("Drops", "Dorps"),
        ("13/9              Doubles => 2", "13/9              Doubles => 4"),
        ("13/9              Doubles => 2", "13/9              Duobles => 2"),
        ("13/9              Doubles => 2\n", "13/9              Doubles => 2\n  4)                              Doubles => 2\n"),
        ("  5)  Takes                      31", "  5)  Takes\n  5)  Takes                      31"),
        ("Takes       ", "Beavers => 4"),
    ],
)  # fmt: skip
def test_the_clean_record_is_the_first_proposal(change: tuple[str, str]) -> None:
    text = slipped(change)
    (cause,) = causes(text)
    assert mended(text, cause) == MATCH
