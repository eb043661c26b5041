"""The groups of a long table that are shown to people: those of which most is counted."""

from __future__ import annotations

import pandas as pd

from bganalyze.render.cells import is_of_figures
from bganalyze.reports.figures import COLUMNS

MOST_GROUPS = 20
"""More are for programs: `--format csv` and `--out` have them all."""


def leading(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the rows of the largest groups, in their order, and what is said of the others.

    A group is all rows with the same value in the first column. It is as large as the most that
    any of its figures counts.
    """
    if not is_of_figures(frame) or frame.columns[0] in COLUMNS:
        return frame, ""
    first = frame.columns[0]
    size = frame.groupby(first, observed=True, dropna=False)["of"].max()
    if len(size) <= MOST_GROUPS:
        return frame, ""
    kept = frame[first].isin(size.nlargest(MOST_GROUPS).index)
    return frame[kept], (
        f"the {MOST_GROUPS} largest of {len(size):,} groups by {first};"
        " others with --player, --min-games or --format csv"
    )
