"""CSV: one figure a row, under report and section, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.render.findings.csv_table import safe
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer


def render(answer: Answer, _: Setting) -> Iterator[str]:
    """Yield one table of all sections: what a section has no column for is empty there."""
    parts = [
        spelled(section.frame).assign(report=name, section=section.title)
        for name, sections in answer.reports.items()
        for section in sections
    ]
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    first = [name for name in ("report", "section") if name in whole]
    ordered = whole[[*first, *(name for name in whole if name not in first)]]
    yield str(ordered.to_csv(index=False, lineterminator="\n"))


def spelled(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose text no spreadsheet takes for a formula, nor a terminal for a command.

    >>> spelled(pd.DataFrame({"player": ["=1+1", "Ann"], "value": [-0.5, 1]})).values.tolist()
    [["'=1+1", -0.5], ['Ann', 1.0]]
    """
    words = {name: _spelled(frame[name]) for name in frame if _holds_text(frame[name])}
    return frame.assign(**words)


def _holds_text(column: pd.Series) -> bool:
    return column.dtype in ("category", "str", "object")


def _spelled(column: pd.Series) -> pd.Series:
    """Each distinct text is looked at once."""
    texts = {text: safe(text) for text in column.unique() if isinstance(text, str)}
    return column.astype(object).map(lambda value: texts.get(value, value))
