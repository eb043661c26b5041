"""The part of a long table that is shown to people: the groups of which most is counted."""

from __future__ import annotations

import pandas as pd

from bganalyze.render.cells import is_of_figures, leading_words
from bganalyze.reports.figures import COLUMNS

MOST_GROUPS = 20
"""More are for programs: `--format csv` and `--out` have them all."""

MOST_ROWS = 300
"""More rows nobody reads, and a page of many such tables is slow to open."""

FEWEST_GROUPS = 5
"""With fewer groups a table says too little: then smaller groups are shown."""

DAY = "date"
LATEST = 10
"""Of what moves day by day, as many of the last rows."""

_ELSEWHERE = "others with --player, --min-games or --format csv"


def leading(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the rows of the largest groups, in their order, and what is said of the others.

    A group is all rows that agree in the first columns: in as few of them as let some groups fit.
    It is as large as the largest of its numbers; for figures, as the most that any of them counts.
    Of what moves day by day only the last rows are shown.
    """
    names = _dimensions(frame)
    recent = _recent(frame, [name for name in names if name != DAY]) if DAY in names else frame
    days = "" if recent is frame else f"the last {LATEST} of each; "
    if not names or not _is_long(recent, names[0]):
        return recent, f"{days}{_ELSEWHERE}" if days else ""
    for depth in range(1, len(names) + 1):
        kept, groups, of = _largest(recent, names[:depth])
        if groups >= FEWEST_GROUPS:
            break
    by = ", ".join(names[:depth])
    return recent[kept], f"{days}the {groups} largest of {of:,} groups by {by}; {_ELSEWHERE}"


def _dimensions(frame: pd.DataFrame) -> list[str]:
    if is_of_figures(frame):
        return [str(name) for name in frame.columns if name not in COLUMNS]
    return list(map(str, frame.columns[: leading_words(frame)]))


def _recent(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    kept = frame.groupby(by, observed=True).tail(LATEST) if by else frame.tail(LATEST)
    return frame if len(kept) == len(frame) else kept


def _is_long(frame: pd.DataFrame, first: str) -> bool:
    many = is_of_figures(frame) and frame[first].nunique(dropna=False) > MOST_GROUPS
    return many or len(frame) > MOST_ROWS


def _largest(frame: pd.DataFrame, by: list[str]) -> tuple[pd.Series, int, int]:
    """Whether each row is of the largest groups that fit, how many these are, and of how many."""
    measure = frame["of"] if is_of_figures(frame) else _largest_number(frame)
    grouped = frame.groupby(by, observed=True, dropna=False)
    number = grouped.ngroup()
    size = measure.groupby(number).max().nlargest(MOST_GROUPS)
    rows = number.value_counts().loc[size.index].cumsum()
    kept = rows.index[rows <= MOST_ROWS]
    return number.isin(kept), len(kept), grouped.ngroups


def _largest_number(frame: pd.DataFrame) -> pd.Series:
    return frame.select_dtypes("number").max(axis=1).fillna(0)
