"""Marks that mail leaves in a text: quotes, quoted-printable, and lines wrapped at a width."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bganalyze.record.cleaning.layers import Replacement, yield_lines_with_starts

LEAST_QUOTED = 0.8
"""Least share of quoted lines, of those with any text, in a quoted text without rows."""

_BAR_ENDS = 0.5
"""Largest share of lines that end with `|`, if it is a quote mark: in tables and boards most do."""


class _Mark(NamedTuple):
    """A sign that mail programs put before quoted lines, and patterns of such lines."""

    sign: str
    marks: re.Pattern[str]
    """The marks before a line, of several quotes within each other too."""
    marks_and_blank: re.Pattern[str]
    """The marks with the blank behind them, or alone on a line."""
    row: re.Pattern[str]
    """A quoted line that is a row of a match."""


def _make_quote_patterns(sign: str) -> _Mark:
    """Return the patterns for lines quoted by a sign such as `>`."""
    marks = rf"{re.escape(sign)}(?:[ \t]?{re.escape(sign)})*"
    return _Mark(
        sign,
        re.compile(marks),
        re.compile(rf"{marks}(?: |$)"),
        re.compile(rf"{marks}[ \t]*[0-9]{{1,3}}[.)].{{0,60}}[1-6]{{2}}:"),
    )


_MARKS = (_make_quote_patterns(">"), _make_quote_patterns("|"))
_PRINTABLE = re.compile(r"=[0-9A-F]{2}(?:(?:=\n)?=[0-9A-F]{2})*|=[ \t]*\n")
_CERTAINLY_PRINTABLE = re.compile("=(?:3D|20\n|C3|C2|E2|EF|A0)|(?<=[^\n]{72})=\n")
"""Escapes of usual characters, or the end of a line that was cut at 76 characters."""


def find_quotes(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove marks, such as `>`, before quoted lines of a mail.

    >>> next(find_quotes("> 5 point match\n>\n> Game 1"))
    Replacement(start=0, end=2, new='')
    """
    lines = text.split("\n")
    mark = next((mark for mark in _MARKS if _is_quote_mark(mark, lines)), None)
    if mark is None:
        return
    quoted = (line for line in lines if line.startswith(mark.sign))
    has_blanks = all(map(mark.marks_and_blank.match, quoted))
    pattern = mark.marks_and_blank if has_blanks else mark.marks
    for start, line in yield_lines_with_starts(lines):
        found = pattern.match(line)
        if found is not None:
            yield Replacement(start, start + found.end(), "")


def _is_quote_mark(mark: _Mark, lines: Sequence[str]) -> bool:
    """Whether the lines that begin with a mark's sign are quoted mail, and not a table."""
    quoted = [line for line in lines if line.startswith(mark.sign)]
    has_rows = any(map(mark.row.match, quoted))
    if mark.sign == "|":
        ends = sum(line.rstrip().endswith("|") for line in quoted if len(line) > 2)
        return has_rows and ends <= _BAR_ENDS * len(quoted)
    return has_rows or len(quoted) >= LEAST_QUOTED * sum(bool(line.strip()) for line in lines)


def find_quoted_printable(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of a quoted-printable mail's escapes, such as `=3D`, by characters.

    >>> list(find_quoted_printable("Doubles =3D> 2=20\n"))
    [Replacement(start=8, end=11, new='='), Replacement(start=14, end=17, new=' ')]
    """
    if not _PRINTABLE.match(text, text.find("=")) or not _CERTAINLY_PRINTABLE.search(text):
        return
    escapes = sum(escape.group().count("=") for escape in _PRINTABLE.finditer(text))
    if escapes < text.count("="):  # In such mail, no other sign of equality is left.
        return
    for escape in _PRINTABLE.finditer(text):
        yield Replacement(*escape.span(), _decode_escape(escape.group()))


def _decode_escape(escape: str) -> str:
    r"""Return the characters of a quoted-printable escape, or "" for `=` at the end of a line.

    >>> _decode_escape("=3D"), _decode_escape("=\n")
    ('=', '')
    """
    if escape.endswith("\n"):
        return ""
    data = bytes.fromhex(escape.replace("=\n", "").replace("=", ""))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
