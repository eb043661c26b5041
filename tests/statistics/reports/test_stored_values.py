"""Values read from a store: rows that no program of ours can have written are refused."""

from __future__ import annotations

import pandas as pd
import pytest

from bganalyze.statistics.reports.stored import (
    DamagedSumsError,
    _make_column,
    _require_sensible,
)
from bganalyze.statistics.reports.sums import SummedTable
from bganalyze.statistics.tables.schema import Column

pa = pytest.importorskip("pyarrow")

BASE = SummedTable(
    "doubles", lambda tables, seats: seats, ("n",), {"phase": ("a", "b"), "pips": float}
)


@pytest.mark.parametrize(
    ("column", "value", "is_sensible"),
    [
        ("phase", -1, True),
        ("phase", 1, True),
        ("phase", 2, False),
        ("phase", -2, False),
        ("n", 1e15, True),
        ("n", 2e15, False),
        ("n", float("nan"), False),
        ("pips", float("nan"), True),
        ("pips", -2e15, False),
    ],
)
def test_a_number_out_of_range_is_refused(column: str, value: float, *, is_sensible: bool) -> None:
    rows = pa.table({column: [0, value]})
    if is_sensible:
        _require_sensible(BASE, rows)
        return
    with pytest.raises(DamagedSumsError, match=rf"doubles\.{column}"):
        _require_sensible(BASE, rows)


def test_a_missing_word_stays_missing() -> None:
    column = Column("event", "category", "The event.")
    made = _make_column(column, pa.chunked_array([["b", None, "a", "b"]]))
    assert made.isna().tolist() == [False, True, False, False]
    assert made.dropna().tolist() == ["b", "a", "b"]
    assert isinstance(made.dtype, pd.CategoricalDtype)
