"""CSV: one finding a row, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from bganalyze.jobs.checking import Checked
from bganalyze.printable import printable
from bganalyze.render.findings.records import KEYS, record
from bganalyze.render.setting import Setting

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def render(results: Iterable[Checked], setting: Setting) -> Iterator[str]:
    """Yield a header and a row for each finding."""
    yield _row(KEYS)
    for checked in results:
        for finding in checked.findings:
            yield _row(map(_cell, record(finding, setting.law).values()))


def _row(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _cell(value: object) -> str:
    """Text that no spreadsheet takes for a formula; nothing for null; a list joined."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "; ".join(map(_cell, value))
    if isinstance(value, int):
        return str(value)
    return safe(str(value))


def safe(text: str) -> str:
    """Return text that no spreadsheet takes for a formula, and no terminal for a command.

    >>> safe("=cmd|x"), safe("Ann")
    ("'=cmd|x", 'Ann')
    """
    return ("'" if text.startswith(_FORMULA) else "") + printable(text)
