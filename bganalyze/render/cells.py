"""The cells of a report's tables as text: shares in per cent, intervals, counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from bganalyze.reports.figures import COLUMNS, SHARES, UNKNOWN
from bganalyze.statistics import FEWEST_UNITS

SHOWN = ("figure", "value", "95 % interval", "counted", "matches", "expected")
"""How the columns of figures are shown; the dimensions stand before them."""


SMALLEST = 0.001
"""Smaller chances are not told apart."""

CHANCES = ("p", "corrected")
"""Columns of tests."""


def is_of_figures(frame: pd.DataFrame) -> bool:
    """Whether a table holds figures with their intervals, and not just numbers."""
    return set(COLUMNS) <= set(frame.columns)


def leading_words(frame: pd.DataFrame) -> int:
    """Return how many of the first columns hold words; one at least, which names its row.

    >>> leading_words(pd.DataFrame({"player": ["Ann"], "place": ["first"], "games": [3]}))
    2
    """
    if is_of_figures(frame):
        return len(frame.columns) - len(COLUMNS) + 1
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes]
    return max(numeric.index(True) if True in numeric else len(numeric), 1)


def shown(frame: pd.DataFrame) -> tuple[list[str], Iterator[list[str]]]:
    """Return the headings and the rows of a table, as people read them."""
    if not is_of_figures(frame):
        names = list(map(str, frame.columns))
        written = [chance if name in CHANCES else plain for name in names]
        return names, (
            [write(value) for write, value in zip(written, row, strict=True)]
            for row in frame.itertuples(index=False)
        )
    dimensions = [str(name) for name in frame.columns if name not in COLUMNS]
    return [*dimensions, *SHOWN], _figures(frame, dimensions)


def _figures(frame: pd.DataFrame, dimensions: list[str]) -> Iterator[list[str]]:
    for row in frame.astype(dict.fromkeys(dimensions, object)).to_dict("records"):
        share = row["kind"] in SHARES
        yield [
            *(plain(row[name]) or UNKNOWN for name in dimensions),
            str(row["figure"]),
            number(row["value"], share),
            _interval(row, share),
            _counted(row, share),
            plain(row["matches"]),
            number(row["expected"], share),
        ]


def _interval(row: dict[str, Any], share: bool) -> str:
    if row["kind"] == "count":
        return ""
    if math.isnan(row["low"]):
        return f"under {FEWEST_UNITS} matches" if row["matches"] < FEWEST_UNITS else "none"
    return f"{number(row['low'], share)} to {number(row['high'], share)}"


def _counted(row: dict[str, Any], share: bool) -> str:
    """What was counted: 3 of 4 games won, but -2 points in 4 games."""
    if row["kind"] == "count" or math.isnan(row["of"]):
        return ""
    among = "of" if share else "in"
    return f"{number(row['count'], share=False)} {among} {number(row['of'], share=False)}"


def number(value: float, share: bool) -> str:
    """Return a figure: shares in per cent, whole numbers whole, others with three digits.

    >>> number(0.1234, True), number(1.81333, False), number(3860.0, False), number(-1e-5, False)
    ('12.3 %', '1.813', '3,860', '0.000')
    """
    if value is None or math.isnan(value):
        return ""
    if share:
        return f"{100 * value:z.1f} %"
    return f"{value:,.0f}" if value == round(value) else f"{value:z,.3f}"


def chance(value: float) -> str:
    """Return a p-value, of which none is nought.

    >>> chance(0.0214), chance(2e-7), chance(1.0)
    ('0.021', 'below 0.001', '1.000')
    """
    return f"{value:.3f}" if value >= SMALLEST else f"below {SMALLEST}"


def plain(value: object) -> str:
    """Return a value that is no figure; nothing for what is missing."""
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(float(value), share=False)
    return str(value)
