"""Stamps of messages around a match."""

from __future__ import annotations

import pytest

from bganalyze.record.cleaning.chats import find_message_stamps


@pytest.mark.parametrize(
    ("message", "new"),
    [
        ("[3.3.26, 20:15:11] Ann: 31: 8/5 6/5\n", ""),
        ("Ann \u2014 Today at 20:15\n31: 8/5 6/5\n", ": "),
    ],
)
def test_the_stamp_of_each_message_is_found(message: str, new: str) -> None:
    assert [part.new for part in find_message_stamps(message * 4)] == [new] * 4
