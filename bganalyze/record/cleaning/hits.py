"""Hits and repeated steps in other spellings, such as `24/14x` and `8/5 x2`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bganalyze.record.cleaning.layers import Replacement

NUMBERED_ROW = re.compile(r"^[ \t]*[0-9]{1,3}[.)](?P<cells>[^\n;]*)", re.MULTILINE)
POINT = r"(?:[0-9]{1,2}|bar|off)"
_JOINED = re.compile(rf"(?<=/)(?:[0-9]{{1,2}}|off)(?P<gap>\*)(?={POINT}/)", re.IGNORECASE)
_HIT_AND_STEP = re.compile(rf"\*(?={POINT}/)", re.IGNORECASE)
_HIT_WITH_X = re.compile(
    r"(?<=/)[0-9]{1,2}(?P<sign>x)(?=(?:\([2-4]\))?(?:[/ \t]|$))",
    re.MULTILINE,
)
_TIMES = re.compile(r"[ ]?x(?<=[0-9f* ]x)(?P<times>[2-4])(?!\S)")
_X_BEFORE_NUMBER = re.compile(r"x[2-4](?<=[0-9f* ]x.)(?!\S)")
_X_BEHIND_POINT = re.compile("x(?<=[0-9]x)")


def find_in_cells(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    r"""Yield the matches of `pattern` in numbered rows, behind the row numbers.

    >>> [found.start() for found in find_in_cells(re.compile("31"), "Ann 31\n 1) 31: 8/5 6/5")]
    [11]
    """
    for row in NUMBERED_ROW.finditer(text):
        yield from pattern.finditer(text, row.start("cells"), row.end())


def find_joined_steps(text: str) -> Iterator[Replacement]:
    """Yield replacements that insert a blank between a hit and the next step (`24/20*13/10`).

    >>> list(find_joined_steps(" 2) 43: 24/20*13/10"))
    [Replacement(start=13, end=14, new='* ')]
    """
    if _HIT_AND_STEP.search(text) is None:
        return
    for step in find_in_cells(_JOINED, text):
        yield Replacement(*step.span("gap"), "* ")


def find_hits_with_x(text: str) -> Iterator[Replacement]:
    """Yield replacements of `x` by `*` where it marks a hit, in numbered rows.

    >>> list(find_hits_with_x(" 2) 64: 24/14x"))
    [Replacement(start=13, end=14, new='*')]
    """
    if _X_BEHIND_POINT.search(text) is None:
        return
    for step in find_in_cells(_HIT_WITH_X, text):
        yield Replacement(*step.span("sign"), "*")


def find_times(text: str) -> Iterator[Replacement]:
    """Yield replacements of `x2` to `x4` after a step by `(2)` to `(4)`, in numbered rows.

    >>> next(find_times(" 2) 33: 8/5 x2 6/3 x2"))
    Replacement(start=11, end=14, new='(2)')
    """
    if _X_BEFORE_NUMBER.search(text) is None:
        return
    for times in find_in_cells(_TIMES, text):
        yield Replacement(*times.span(), f"({times['times']})")
