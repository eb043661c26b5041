"""What a match is told to write: dances, marks of hits, money play, ratings."""

from __future__ import annotations

import pytest

from bganalyze.record.conventions import (
    _explain_dances,
    _explain_marking,
    _explain_money_play,
    _has_rating,
    read_conventions,
)
from bganalyze.record.model import Length, Source, Span


def test_a_producer_is_known_to_write_dances() -> None:
    assert read_conventions("XG", ["dances"], Source("a", "utf-8", ())).writes_dances


@pytest.mark.parametrize(("name", "has_rating"), [("Ann,1523", True), ("Ann, Jr", False)])
def test_a_number_behind_a_name_is_a_rating(name: str, *, has_rating: bool) -> None:
    assert _has_rating(name) == has_rating


def test_marks_are_counted_against_entries() -> None:
    said = _explain_marking(stars=3, entries=5, marks_hits=True)
    assert said == "marked (3 marked for 5 entering from the bar)"


def test_written_dances_are_counted_against_empty_cells() -> None:
    assert _explain_dances(2, 1) == "written out (2 times Cannot Move, 1 empty cells)"


@pytest.mark.parametrize(
    ("length", "said"),
    [(Length(Span(1, 1, 2), points=7), "length 7 as stated"), (None, "no length recorded")],
)
def test_money_play_is_explained_by_the_length(length: Length | None, said: str) -> None:
    assert _explain_money_play(money=length is None, length=length) == said
