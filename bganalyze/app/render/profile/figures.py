"""Figures of reports as tables of a profile."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from bganalyze.app.render.answers import format_statistic
from bganalyze.app.render.document import Cell
from bganalyze.statistics.estimates import FEWEST_UNITS
from bganalyze.statistics.profiles import find_section
from bganalyze.statistics.reports.answer import ReportAnswer

HEADINGS = ("", "value", "95 % interval", "of")
"""Headings of a table of figures."""


def find_rows(
    answer: ReportAnswer, report: str, section: str, figures: Sequence[str]
) -> list[dict[str, object]]:
    """Return the rows of the statistics called `figures` in a table of a report.

    `section` is the title of the table. Only rows of the main engine are returned.
    """
    frame = select_main_engine(find_section(answer, report, section))
    chosen = frame[frame["figure"].isin(figures)]
    return to_rows(chosen)


def select_main_engine(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table that belong to the engine with the most cases."""
    if "engine" not in frame or frame.empty:
        return frame
    cases = frame["of"].astype(float).groupby(frame["engine"].astype(str)).max()
    return frame[frame["engine"].astype(str) == cases.idxmax()]


def to_rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    """Return each row of a table as a dictionary from column to value."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def make_statistic_cells(row: dict[str, object]) -> tuple[Cell, ...]:
    """Return the table cells of a statistic: name, value, interval, and cases."""
    value, low, high, of = (float(str(row[name])) for name in ("value", "low", "high", "of"))
    ends = format_statistic(row, low).removesuffix(" %"), format_statistic(row, high)
    interval = "" if math.isnan(low) or of < FEWEST_UNITS else " to ".join(ends)
    cases = "" if row["kind"] == "count" or math.isnan(of) else f"{of:,.0f}"
    return tuple(map(Cell, (str(row["figure"]), format_statistic(row, value), interval, cases)))
