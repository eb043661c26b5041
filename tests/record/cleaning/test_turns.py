"""Turns that are told in words or have a name."""

from __future__ import annotations

from bganalyze.record.cleaning.turns import find_named_turns, find_told_turns


def test_told_turns_become_cells() -> None:
    turns = "Ann rolls 3-1 and plays 8/5 6/5\nBob rolls 6-5 and plays 24/13\n" * 2
    assert [part.new for part in find_told_turns(turns)][:3] == [": ", "31", ":"]


def test_turns_of_two_names_become_rows_below_a_score() -> None:
    turns = "1) Ann: 31: 8/5 6/5\nBob: 42: 8/4 6/4\n2) Ann: 65: 24/13\nBob: 61: 13/7 8/7"
    assert [part.new.split() for part in find_named_turns(turns)] == [
        ["Ann", ":", "0", "Bob", ":", "0", "1)"],
        *([], ["2)"], []),
    ]
