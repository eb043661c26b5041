"""Values that processes exchange, and errors that nobody expected."""

from __future__ import annotations

from bganalyze.app.jobs.budget import describe_unexpected_error
from bganalyze.app.jobs.checked_json import make_decoder
from bganalyze.app.jobs.executor import apply_to_all


def test_nothing_may_be_read_where_a_value_is_optional() -> None:
    assert make_decoder(str | None)(None) is None


def test_an_unexpected_error_is_to_be_reported() -> None:
    said = describe_unexpected_error(ZeroDivisionError("division by zero")).partition(";")[0]
    error = "ZeroDivisionError('division by zero')"
    assert said == f"an internal error of bganalyze, please report it: {error}"


def test_a_function_is_applied_to_all_in_order() -> None:
    assert apply_to_all(abs, [-1, 2]) == [1, 2]
