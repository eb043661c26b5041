"""Numbers of a record."""

from __future__ import annotations

import pytest

from bganalyze.record.model import parse_number


@pytest.mark.parametrize(("digits", "number"), [("17", 17), ("1" * 5_000, 999_999_999)])
def test_a_number_of_too_many_digits_is_the_largest(digits: str, number: int) -> None:
    assert parse_number(digits) == number
