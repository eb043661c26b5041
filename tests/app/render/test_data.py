"""Cells of tables that are written as data."""

from __future__ import annotations

import pandas as pd

from bganalyze.app.render.data import _convert_option, escape_formulas


def test_numbers_are_no_formulas() -> None:
    table = pd.DataFrame({"player": ["=1+1", "Ann"], "value": [-0.5, 1]})
    assert escape_formulas(table).to_numpy().tolist() == [["'=1+1", -0.5], ["Ann", 1.0]]


def test_an_option_without_a_value_stays() -> None:
    assert _convert_option(None) is None
