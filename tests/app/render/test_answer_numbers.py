"""Numbers and names in the tables of an answer."""

from __future__ import annotations

from typing import Any

import pytest

from bganalyze.app.render.answers import (
    format_count_of,
    format_group,
    format_number,
    format_p_value,
    format_statistic,
    format_value,
)


@pytest.mark.parametrize(
    ("figure", "kind", "value", "said"),
    [("PR (xg-b)", "rate", 5.3333, "5.3"), ("games won", "share", 0.5, "50.0 %")],
)
def test_a_figure_has_the_digits_of_its_kind(
    figure: str, kind: str, value: float, said: str
) -> None:
    assert format_statistic({"figure": figure, "kind": kind}, value) == said


def test_a_chance_counts_its_occasions_alone() -> None:
    assert format_count_of("chance", 0.7, 2) == "2"


def test_a_rounded_zero_has_no_sign() -> None:
    assert format_number(-1e-5, share=False) == "0.000"
    assert format_p_value(1.0) == "1.000"


@pytest.mark.parametrize("format_cell", [format_value, format_group])
@pytest.mark.parametrize(("value", "said"), [(None, ""), ("Ann", "Ann")])
def test_a_missing_value_is_an_empty_cell(format_cell: Any, value: str | None, said: str) -> None:
    assert format_cell(value) == said
