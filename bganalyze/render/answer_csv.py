"""CSV: one figure a row, under report and section, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.render.csv_table import safe
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer


def render(answer: Answer, _: Setting) -> Iterator[str]:
    """Yield one table of all sections: what a section has no column for is empty there."""
    parts = [
        section.frame.astype(object).assign(report=name, section=section.title)
        for name, sections in answer.reports.items()
        for section in sections
    ]
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    first = [name for name in ("report", "section") if name in whole]
    ordered = whole[[*first, *(name for name in whole if name not in first)]]
    yield as_csv(ordered)


def as_csv(frame: pd.DataFrame) -> str:
    r"""Return a table as CSV in which no text is taken for a formula.

    >>> as_csv(pd.DataFrame({"player": ["=1+1"], "value": [-0.5]}))
    "player,value\n'=1+1,-0.5\n"
    """
    return str(frame.map(_cell).to_csv(index=False, lineterminator="\n"))


def _cell(value: object) -> object:
    return safe(value) if isinstance(value, str) else value
