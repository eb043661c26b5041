"""Marks that mail leaves in a text: quotes, quoted-printable, and lines wrapped at a width."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bganalyze.record.cleaning.layers import Replacement, lines_with_starts

LEAST_QUOTED = 0.8
"""Least share of quoted lines, of those with any text, in a quoted text."""

_QUOTE = re.compile(r">(?:[ \t]?>)*")
_QUOTE_AND_BLANK = re.compile(r">(?:[ \t]?>)*(?: |$)")
_PRINTABLE = re.compile(r"(?:=[0-9A-F]{2})+|=[ \t]*\n")
_CERTAINLY_PRINTABLE = ("=3D", "=20\n", "=C3", "=C2", "=E2", "=A0")


def find_quotes(text: str) -> Iterator[Replacement]:
    r"""Yield the `>` before each line of a text that is quoted as a whole, removed.

    >>> list(find_quotes("> 5 point match\n>\n> Game 1"))[1]
    Replacement(start=16, end=17, new='')
    """
    if "\n>" not in text and not text.startswith(">"):
        return
    lines = text.split("\n")
    quoted = sum(line.startswith(">") for line in lines)
    if quoted < LEAST_QUOTED * sum(bool(line.strip()) for line in lines):
        return
    has_blanks = all(_QUOTE_AND_BLANK.match(line) for line in lines if _QUOTE.match(line))
    pattern = _QUOTE_AND_BLANK if has_blanks else _QUOTE
    for start, line in lines_with_starts(lines):
        mark = pattern.match(line)
        if mark is not None:
            yield Replacement(start, start + mark.end(), "")


def find_quoted_printable(text: str) -> Iterator[Replacement]:
    r"""Yield the escapes of quoted-printable mail, replaced by what they stand for.

    >>> list(find_quoted_printable("Doubles =3D> 2=20\n"))
    [Replacement(start=8, end=11, new='='), Replacement(start=14, end=17, new=' ')]
    """
    if not any(escape in text for escape in _CERTAINLY_PRINTABLE):
        return
    escapes = sum(escape.group().count("=") for escape in _PRINTABLE.finditer(text))
    if escapes < text.count("="):  # In such mail, no other sign of equality is left.
        return
    for escape in _PRINTABLE.finditer(text):
        yield Replacement(*escape.span(), _decode_escape(escape.group()))


def _decode_escape(escape: str) -> str:
    """Return the characters of an escape; a line end after `=` is none."""
    if escape.endswith("\n"):
        return ""
    data = bytes.fromhex(escape.replace("=", ""))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
