"""Lines of CSV, and text that is safe in a spreadsheet."""

from __future__ import annotations

import io
from collections.abc import Iterable

from bganalyze.text import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters that begin a formula in a spreadsheet."""


def format_csv_line(cells: Iterable[str]) -> str:
    r"""Return cells as one line of CSV.

    >>> format_csv_line(["a", "b,c"])
    'a,"b,c"\n'
    """
    import csv  # A check that writes text does not need it.

    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def escape_formula(text: str) -> str:
    """Return a text made safe for spreadsheets and terminals, with an apostrophe before a formula.

    >>> escape_formula("=cmd|x"), escape_formula("Ann")
    ("'=cmd|x", 'Ann')
    """
    return ("'" if text.startswith(_FORMULA) else "") + printable(text)
