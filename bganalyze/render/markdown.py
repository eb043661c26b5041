"""The marks of Markdown, and text of which nothing is taken for one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bganalyze.printable import printable

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|&~$])")


def table_row(cells: Iterable[str]) -> str:
    """Return a row of a table; its cells must be escaped."""
    return f"| {' | '.join(cells)} |\n"


def escaped(text: str) -> str:
    r"""Text of which nothing is taken for a mark.

    >>> escaped("<b>|x|")
    '\\<b\\>\\|x\\|'
    """
    return _MARKS.sub(r"\\\1", printable(text))
