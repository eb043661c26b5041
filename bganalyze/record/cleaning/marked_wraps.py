"""Lines that were marked, as in a diff or a quoted mail, and then wrapped: their rests have no mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from bganalyze.record.cleaning.layers import LONGEST_LINE, Replacement, yield_lines_with_starts
from bganalyze.record.cleaning.rows import (
    CELL,
    WINS,
    begins_part_of_row,
    breaks_phrase,
    find_usual_column,
    first_word_fits,
    join_lines,
)
from bganalyze.record.cleaning.signs import LOSES

FEWEST_MARKED = 4
"""Least number of marked lines that show a mark."""

_MARK = r"(?:[^\w\s;\[(]{1,3}|[A-Za-z]{1,4}[>|])"
_MARKED_ROW = re.compile(
    rf"^(?P<mark>{_MARK}(?: ?{_MARK}){{0,3}})[ \t]{{0,9}}[0-9]{{1,3}}[.)][ \t]{{1,60}}[1-6]{{2}}:",
    re.MULTILINE,
)
_ROW = re.compile(r"[ \t]*[0-9]{1,3}[.)](?:[ \t]|$)")
_ROW_AT_MARK = re.compile(r"[^\n]{0,12}?(?<![0-9])[0-9]{1,3}[.)](?:[ \t]|$)")
_FRAMED_ROW = re.compile(
    r"^(?P<frame>[|\u2502\u2503\u2551])[ \t]{1,9}[0-9]{1,3}[.)][ \t]{1,60}[1-6]{2}:", re.MULTILINE
)
_DIFF_SIGN = "+"
_DIFF_ROW = re.compile(r"^\+[ \t]{0,9}[0-9]{1,3}[.)][ \t]", re.MULTILINE)
_HEAD_OF_DIFF = re.compile(r"(?:diff |index |new file |--- |\+\+\+ |@@ )")
_HUNK = re.compile(r"^@@ -[0-9,]{1,20} \+[0-9,]{1,20} @@", re.MULTILINE)

IsMarked = Callable[[str, str], bool]
"""Whether a line, given below the line above, begins with a mark."""


def find_wraps_in_frame(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join wrapped lines, in a text between vertical bars.

    >>> text = "| Game 1   |\n| 1) 31: 8/5 |\n| 2) 42: 8/4\n6/4 |\n| 3) 65: 24/13 |"
    >>> list(find_wraps_in_frame(text))
    [Replacement(start=40, end=41, new=' ')]
    """
    row = _FRAMED_ROW.search(text)
    if row is None:
        return
    frame = row["frame"]
    wraps: list[Replacement] = []
    count = 0
    is_open = False
    for start, line in yield_lines_with_starts(text.split("\n")):
        bare = line.rstrip()
        if is_open and bare.startswith(frame) and bare != frame:
            return
        if is_open:
            wraps.append(Replacement(start - 1, start, " "))
        is_closed = bare.endswith(frame) and (is_open or bare != frame)
        is_open = (is_open or bare.startswith(frame)) and not is_closed
        count += is_closed
    if count >= FEWEST_MARKED and not is_open:
        yield from wraps


def find_wraps_between_marks(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join lines without a mark, such as `+`, to the marked lines above.

    >>> text = "+5 point match\n+Game 1\n+ 1) 31: 8/5 6/5   42: 8/4\n6/4\n+ 2) 42: 8/4 6/4"
    >>> list(find_wraps_between_marks(text))
    [Replacement(start=49, end=50, new=' ')]
    """
    row = _MARKED_ROW.search(text)
    if row is None:
        return
    mark = row["mark"]
    lines = text.split("\n")
    rests = _find_continuing_lines(lines, lambda _, line: line.startswith(mark))
    if not rests and mark == _DIFF_SIGN:
        rests = _find_continuing_lines(lines, _make_diff_test(max(map(len, lines))))
    if rests:
        marked = [line[len(mark) :] for at, line in enumerate(lines) if at not in rests]
        yield from join_lines(lines, rests, find_usual_column(marked) + len(mark))


def _make_diff_test(width: int) -> IsMarked:
    """Return a function that tells whether a line begins with a diff's mark: `+` or a blank.

    Below a line of `width` characters, a blank may belong to a wrapped row instead.
    """

    def is_marked(above: str, line: str) -> bool:
        if line.startswith(" ") and len(above) == width and CELL.match(line):
            return WINS.match(line) is not None and LOSES.search(above) is None
        return line.startswith((_DIFF_SIGN, " "))

    return is_marked


def _find_continuing_lines(lines: Sequence[str], is_marked: IsMarked) -> frozenset[int]:
    """Return the indexes of the unmarked lines if each can continue the line above, else none."""
    width = max(len(line.rstrip()) for line in lines)
    rests = set[int]()
    count = 0
    above = ""
    for at, line in enumerate(lines):
        is_below_marked = above.strip() != "" and count > 0
        if line.strip() and is_marked(above, line):
            count += 1
        elif line.strip() and is_below_marked:
            if not may_continue_line(above, line, width):
                return frozenset()
            rests.add(at)
        above = line
    return frozenset(rests if count >= FEWEST_MARKED else ())


def may_continue_line(above: str, line: str, width: int) -> bool:
    """Whether `line` can be the rest of the line `above`, in a text wrapped at `width` characters.

    >>> may_continue_line("> It was", "played well", 14), may_continue_line("> It was", "Well", 14)
    (True, False)
    """
    if len(line) > LONGEST_LINE or len(above) > LONGEST_LINE or _ROW.match(line):
        return False
    if begins_part_of_row(line) or breaks_phrase(above, line):
        return True
    # Any other line continues only prose, and only if its first word was too long for the line above.
    is_row_above = _ROW_AT_MARK.match(above) or begins_part_of_row(above)
    return not is_row_above and not first_word_fits(above, line, width)


def find_diff_marks(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove a diff's head, and the `+` or the blank before each line.

    >>> next(find_diff_marks(" 5 point match\n Game 1\n+ 1) 31: 8/5 6/5\n  2) 42: 8/4 6/4"))
    Replacement(start=0, end=1, new='')
    """
    if _DIFF_ROW.search(text) is None:
        return
    has_head = _HUNK.search(text) is not None
    found: list[Replacement] = []
    is_behind = False
    for start, line in yield_lines_with_starts(text.split("\n")):
        if has_head and (_HEAD_OF_DIFF.match(line) or line.startswith(("-", "\\"))):
            found.append(Replacement(start, min(start + len(line) + 1, len(text)), ""))
        elif line.startswith((_DIFF_SIGN, " ")):
            if is_behind:
                return  # A line without a mark is between others.
            found.append(Replacement(start, start + 1, ""))
        elif line.strip():
            is_behind = len(found) > 0
    yield from found
