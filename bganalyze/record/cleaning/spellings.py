"""Cells in other spellings: steps with hyphens or without a blank between them, a roll written twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from bganalyze.record.cleaning.layers import Replacement

_ROW = re.compile(r"^[ \t]*[0-9]{1,3}[.)](?P<cells>[^\n;]*)", re.MULTILINE)
_POINT = r"(?:[0-9]{1,2}|bar|off)"
_STEP = rf"{_POINT}[-/]{_POINT}\*?(?:\([2-4]\))?"
_STEPS = re.compile(rf"(?<!\S)[1-6]{{2}}:(?P<steps>(?:[ \t]+{_STEP}(?!\S))+)", re.IGNORECASE)
_JOINED = re.compile(rf"(?<=/)(?:[0-9]{{1,2}}|off)(?P<gap>\*)(?={_POINT}/)", re.IGNORECASE)
_TWICE = re.compile(
    r"(?:(?<![ \t])(?P<gap>[ \t]{8,})|^[ \t]*)(?P<again>(?P<roll>[1-6]{2}:)[ \t])(?P=roll)[ \t]*(?=[0-9b])",
    re.IGNORECASE,
)


def find_hyphens(text: str) -> Iterator[Replacement]:
    """Yield the hyphens of the steps behind a roll in numbered rows, replaced by `/`.

    >>> list(find_hyphens(" 2) 33: 8-5 8-5 6-3* 6-3"))[0]
    Replacement(start=9, end=10, new='/')
    """
    if "-" not in text:
        return
    for row in _ROW.finditer(text):
        if "-" in row["cells"]:
            for play in _STEPS.finditer(text, row.start("cells"), row.end()):
                for at in range(*play.span("steps")):
                    if text[at] == "-":
                        yield Replacement(at, at + 1, "/")


def find_joined_steps(text: str) -> Iterator[Replacement]:
    """Yield the hit marks right before the next step of a row, replaced by the mark and a blank.

    >>> list(find_joined_steps(" 2) 43: 24/20*13/10"))
    [Replacement(start=13, end=14, new='* ')]
    """
    if "*" not in text:
        return
    for row in _ROW.finditer(text):
        if "*" in row["cells"]:
            for step in _JOINED.finditer(text, row.start("cells"), row.end()):
                yield Replacement(*step.span("gap"), "* ")


def find_repeated_rolls(text: str) -> Iterator[Replacement]:
    """Yield the first of two equal rolls before one play, removed.

    A left cell may hold an unplayed roll right before the same roll of the other side. There the
    first of the two is removed only if a third roll follows.


    >>> list(find_repeated_rolls(" 1)                41: 41: 24/23"))
    [Replacement(start=19, end=23, new='')]
    """
    if not any(after == f" {before[-2:]}" for before, after in pairwise(text.split(":"))):
        return
    for row in _ROW.finditer(text):
        cells = row["cells"]
        twice = _TWICE.search(cells)
        if twice is not None and (twice["gap"] or cells.count(":") > 2):
            start = row.start("cells") + twice.start("again")
            yield Replacement(start, start + len(twice["again"]), "")
