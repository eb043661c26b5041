"""Marks, numbers and doubled blanks that all lines of a text have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from bganalyze.record.cleaning.layers import Replacement, replace_parts, yield_lines_with_starts

SHORTEST_WRAPPED = 40
"""Fewest characters of a line whose rest may have been wrapped into the next line."""

_BLANKS = ("", " ", "\t")
"""The signs that may be behind the number of a line."""

FEWEST_LINES = 4
"""Least number of lines that show what all lines begin with."""

_FIRST_MARK = re.compile(r"\n*+(?:[^\w\s;\[(]|[A-Za-z]{1,4}[>|])")
_MARK = r"(?:[^\w\s;\[(]{1,3}|[A-Za-z]{1,4}[>|])"
_MARKS = re.compile(rf"(?P<outer>{_MARK})(?: ?{_MARK}){{0,3}}")
_NUMBER = re.compile(r"[ \t]*(?P<number>[0-9]{1,6})(?:[:|]|(?=\t)|(?= {1,2})|$)")
_FIRST_NUMBER = re.compile(r"[ \t]*1(?:[:|\t ]|$)", re.MULTILINE)
_PAIRS_OF_BLANKS = re.compile(r"(?<! )(?:  )+(?! )")
_LINE_END_AND_BLANKS = re.compile(r"(?P<before>(?<! ) *+)(?P<end>\n)(?P<after> *+)")
ROW_WITH_ROLL = re.compile(
    r"[ \t]*[0-9]{1,3}[.)][^\n]*[1-6]{2}(?::[ \t]*|[ \t]+)(?:bar|[0-9]{1,2})/", re.IGNORECASE
)
"""A numbered row that begins with a roll and a step."""
_QUOTED_ROW = re.compile(rf"(?: ?[>|]){{0,9}}{ROW_WITH_ROLL.pattern}", re.IGNORECASE)
"""A row that may have been quoted before it was marked."""


def find_line_marks(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove a mark, such as `+`, with which every line begins.

    >>> next(find_line_marks("+5 point match\n+Game 1\n+ 1) 31: 8/5\n+ 2) 42:"))
    Replacement(start=0, end=1, new='')
    """
    if _FIRST_MARK.match(text) is None:
        return
    lines = text.split("\n")
    marked = [line for line in lines if line.strip()]
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(min(marked), max(marked), strict=False))
    mark = _MARKS.match("".join(sign for sign, _ in pairs))
    if mark is None or len(marked) < FEWEST_LINES:
        return
    start = _skip_blank_after_mark(marked, mark.end())
    if not any(_QUOTED_ROW.match(line, start) for line in marked):
        return
    outer = mark["outer"]
    ends_too = all(line.rstrip().endswith(outer) for line in marked)
    for at, line in yield_lines_with_starts(lines):
        if line.strip():
            yield Replacement(at, at + min(start, len(line)), "")
        end = len(line.rstrip())
        if ends_too and end - len(outer) >= start:
            inner = len(line[: end - len(outer)].rstrip())
            yield Replacement(at + max(inner, start), at + len(line), "")


def _skip_blank_after_mark(lines: Sequence[str], mark_end: int) -> int:
    """Return `mark_end`, or one more if every line has a blank after its mark.

    >>> _skip_blank_after_mark(["> a", "> b"], 1), _skip_blank_after_mark([">a", "> b"], 1)
    (2, 1)
    """
    has_blanks = all(line[mark_end : mark_end + 1] in ("", " ", "\t") for line in lines)
    return mark_end + 1 if has_blanks else mark_end


def find_line_numbers(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove line numbers added by an editor.

    >>> next(find_line_numbers("1: 5 point match\n2: Game 1\n3:  1) 31: 8/5\n4:"))
    Replacement(start=0, end=3, new='')
    """
    if _FIRST_NUMBER.match(text) is None:
        return
    from bganalyze.record.cleaning.marked_wraps import (
        may_continue_line,  # Few texts begin with a number that may be that of a line.
    )

    lines = text.rstrip().split("\n")
    ends = list(_find_ends_of_numbers(lines))
    is_rest = [end is None for end in ends]
    if is_rest.count(False) < max(FEWEST_LINES, len(lines) / 2):
        return
    width = max(map(len, lines))
    for above, line, has_no_number in zip(["", *lines], lines, is_rest, strict=False):
        if (
            has_no_number
            and len(above) < SHORTEST_WRAPPED
            and not may_continue_line(above, line, width)
        ):
            return
    for (at, line), end in zip(yield_lines_with_starts(lines), ends, strict=True):
        if end is not None:
            yield Replacement(at, at + min(end + 1, len(line)), "")


def _find_ends_of_numbers(lines: Iterable[str]) -> Iterator[int | None]:
    """Yield for each line the offset at which its line number ends, or None without a number.

    >>> list(_find_ends_of_numbers(["1 Game 1", "Ann : 0", "2 Game 2"]))
    [1, None, 1]
    """
    due = 1  # The next line number: they count up from 1.
    for line in lines:
        number = _NUMBER.match(line)
        is_due = number is not None and int(number["number"]) == due
        if number is None or not is_due or line[number.end() : number.end() + 1] not in _BLANKS:
            yield None
        else:
            yield number.end()
            due += 1


def find_wraps_between_doubled_blanks(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join wrapped lines, in a text that doubles every blank.

    >>> list(find_wraps_between_doubled_blanks("5  point \nmatch\n\nGame  1"))
    [Replacement(start=9, end=10, new=' ')]
    """
    first = text.find(" ")
    if text[first : first + 2] != "  " or "  point" not in text:
        return
    ends = list(_LINE_END_AND_BLANKS.finditer(text))
    # At a wrap, the line end replaces one of two blanks, so that an odd number is left.
    joins = [
        Replacement(*end.span("end"), " ")
        for end in ends
        if (len(end["before"]) + len(end["after"])) % 2
    ]
    if joins and " " not in replace_parts(text, joins).text.replace("  ", ""):
        yield from joins


def find_doubled_blanks(text: str) -> Iterator[Replacement]:
    """Yield replacements of two blanks by one, in a text that doubles every blank.

    >>> list(find_doubled_blanks("5  point  match"))
    [Replacement(start=1, end=3, new=' '), Replacement(start=8, end=10, new=' ')]
    """
    first = text.find(" ")
    if text[first : first + 2] != "  " or " " in text.replace("  ", ""):
        return
    if "  point" not in text:
        return
    for run in _PAIRS_OF_BLANKS.finditer(text):
        yield Replacement(*run.span(), " " * (len(run.group()) // 2))
