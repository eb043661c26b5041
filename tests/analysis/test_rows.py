"""Values of a database are read up to their limits, and refused beyond them."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

import pytest

from bganalyze.analysis.rows import WrongRowError, read_row
from bganalyze.record.json_records import MOST


class Row(NamedTuple):
    """A row with a field of each kind that is read."""

    text: str = ""
    number: int = 0
    equity: float = 0.0
    flag: bool = False
    day: dt.date | None = None
    owner: int | None = None
    cube: int = 1
    dice: str | None = None
    place: str = "1:1"
    phase: str | None = None


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("text", ["", 10_000 * "a"]),
        ("number", [0, 1, MOST]),
        ("equity", [-MOST, -0.5, 0, MOST]),
        ("day", [None, dt.date(2024, 2, 29)]),
        ("owner", [None, 0, 1]),
        ("cube", [1, 2, MOST]),
        ("dice", [None, "11", "66"]),
        ("place", ["0:0", "999999999:999999999"]),
        ("phase", [None, "contact"]),
    ],
)
def test_values_within_the_limits_are_kept(field: str, values: list[Any]) -> None:
    for value in values:
        row = Row()._replace(**{field: value})
        assert read_row(Row, row) == row


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("text", [None, 1, b"a", 10_001 * "a"]),
        ("number", [None, -1, MOST + 1, 1.0, True, "1"]),
        ("equity", [None, -MOST - 1, MOST + 1, float("nan"), True, "1"]),
        ("flag", [None, -1, 2, "1", 1.0]),
        ("day", [0, "today", "0001-01-01"]),
        ("owner", [-1, 2, True, "1"]),
        ("cube", [None, -1, 0, MOST + 1, "2"]),
        ("dice", ["", "1", "01", "17", "111", 11]),
        ("place", [None, "", "1", "1:", ":1", "1:1:1", "1000000000:1", "1:1000000000"]),
        ("phase", ["", "start", 1]),
    ],
)
def test_values_beyond_the_limits_are_refused_by_their_name(field: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(WrongRowError, match=f"^its {field} is "):
            read_row(Row, Row()._replace(**{field: value}))


def test_a_flag_is_stored_as_a_number() -> None:
    assert [read_row(Row, Row()._replace(flag=value)).flag for value in (0, 1)] == [False, True]


def test_a_day_may_be_text() -> None:
    assert read_row(Row, Row()._replace(day="2024-02-29")).day == dt.date(2024, 2, 29)  # type: ignore[arg-type]


def test_the_first_forty_characters_of_a_wrong_value_are_named() -> None:
    with pytest.raises(WrongRowError) as raised:
        read_row(Row, Row()._replace(place=50 * "x"))
    assert str(raised.value) == f"its place is '{39 * 'x'}"
