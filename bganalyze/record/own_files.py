"""Files that bganalyze writes about matches: pages, lists of findings, baselines, statistics.

They quote plays and may be kept beside match files, but hold no match themselves.
"""

from __future__ import annotations

import re

MARK = "made by bganalyze"
"""Mark near the start of every page, picture and baseline that bganalyze makes."""

BEGINNING = 4096
"""Bytes of a file that are searched for the mark."""

OWN_FILE = "made by bganalyze: a page or a list about matches, which holds none itself"
"""Reason for not reading such a file."""

_OUTPUT = re.compile(
    rb'\s*\{\s*"version": [0-9]+,\s*"(?:findings|rule_book)":'
    rb'|\s*+(?:\[\s*+)?\{"path": "[^"\n]{0,4000}", "line": [0-9]+, "column":'
    rb'|\{"\$schema": "[^"\n]{0,200}sarif[^"\n]{0,200}", "version": "[0-9.]+", "runs": \[\{"results": \['
    rb"|path,line,column,end_column,code,name,severity,"
)
"""Start of statistics, reports and findings as JSON, SARIF and CSV."""


def is_own_file(data: bytes) -> bool:
    """Whether the content of a file shows that bganalyze made it as output.

    >>> is_own_file(b'{"baseline": "made by bganalyze", "version": 1}')
    True
    """
    return MARK.encode() in data[:BEGINNING] or _OUTPUT.match(data) is not None
