"""Cut the rows of match text into their two cells.

Programs start the right column anywhere from 32 to 41, and a long left cell leaves only one blank.
The evidence, strongest first: a second roll; a word of the cube or a result; the column where right
cells of this file start; a gap of two blanks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from bganalyze.record.grammar import grammar
from bganalyze.record.text_caches import cache_by_text, register_cache

GAP_FROM = 15
"""A gap left of this offset is inside the left cell (GNU Backgammon cuts here too)."""

_POINTS = re.compile(r"(?:[0-9]{1,9}[ \t]+)?points?\b", re.IGNORECASE)
"""Words before which a gap separates no cells: `Wins 1    point`."""

ROWS_THAT_SETTLE = 8
"""Number of rows with equal starts of their right cells that prove the column."""

USUAL_LENGTH = 200
"""Length of the longest row of two plays. Longer lines are not searched by patterns that would take
quadratic time."""

LONGEST_LABEL = 9
"""Number of digits of the longest row number."""

REMEMBERED_LABELS = REMEMBERED_ROWS = 4_096
"""Cache sizes. Half of the rows without two plays (doubles, answers, results) repeat."""


@cache
def _get_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of a rule or token in the grammar of match text."""
    return grammar("mat").pattern(name)


class CutRow(NamedTuple):
    """A row cut into its number (`label`), two cells and remark; offsets (`…_at`) are from 0."""

    label: str | None
    left: str
    left_at: int
    right: str
    right_at: int
    label_at: int = 0
    remark: str = ""
    """Text after the cells, from `;` or `#` on."""
    remark_at: int = 0


NO_LABEL = (-1, "", 0)


@cache_by_text(REMEMBERED_LABELS)
def parse_row_number(row_start: str) -> tuple[int, str, int]:
    """Return a row's number as int and as written, and the offset after it.

    `row_start` is the text of the row before its first roll. If the number has an unusual form, the
    result is `NO_LABEL`.

    >>> parse_row_number("  7) "), parse_row_number(" 07) ")
    ((7, '7', 4), (-1, '', 0))
    """
    label, _, gap = row_start.lstrip(" ").partition(")")
    is_number = label.isascii() and label.isdecimal() and len(label) <= LONGEST_LABEL
    if not (is_number and gap) or gap.strip(" ") or label != str(int(label)):
        return NO_LABEL
    return int(label), label, len(row_start) - len(gap)


def find_right_column(rows: Iterable[str]) -> int | None:
    """Return the offset at which the right cells of most rows start, or None if unknown.

    >>> find_right_column(["  1) 31: 8/5 6/5                 42: 8/4 6/4"])
    33
    """
    starts = Counter[int]()
    for row in rows:
        match = _get_pattern("two_rolls").search(row) if len(row) <= USUAL_LENGTH else None
        if match is not None:
            start = match.start("right_roll")
            starts[start] += 1
            if starts[start] == ROWS_THAT_SETTLE:
                return start
    return starts.most_common(1)[0][0] if starts else None


def split_rows(line: str, right_column: int | None) -> tuple[CutRow, ...]:
    """Split a line into its rows. A damaged line may hold two rows.

    `right_column` is the usual offset of right cells.

    >>> [row.left for row in split_rows(" 24) 43: 21/18 18/14      24)  Losses 2 point", 33)]
    ['43: 21/18 18/14', 'Losses 2 point']
    """
    return (
        _usual_rows(line, right_column)
        if len(line) <= USUAL_LENGTH
        else _split_rows_and_comment(line, right_column)
    )


def _split_rows_and_comment(line: str, right_column: int | None) -> tuple[CutRow, ...]:
    """Split a line into its rows; a comment at the end becomes the `remark` of the last row.

    `right_column` is the usual offset of right cells.

    >>> [(row.right, row.remark) for row in _split_rows_and_comment("1) 31: 8/5 6/5   Doubles ; bold", 17)]
    [('Doubles', '; bold')]
    """
    match = (
        _get_pattern("CELL_REMARK").search(_mask_boards(line))
        if ";" in line or "#" in line
        else None
    )
    if match is not None:
        offset = match.start()
        *before, last = _split_rows_and_comment(line[:offset], right_column)
        return (*before, last._replace(remark=line[offset:], remark_at=offset))
    inner = _get_pattern("inner_row").search(line) if may_hold_second_row(line) else None
    if inner is None:
        return (cut_row(line, right_column),)
    offset = inner.start("label")
    rest = cut_row(line[offset:], None)
    moved = rest._replace(
        left_at=rest.left_at + offset,
        right_at=rest.right_at + offset,
        label_at=rest.label_at + offset,
    )
    return cut_row(line[:offset], right_column), moved


def may_hold_second_row(line: str) -> bool:
    """Whether a line has text before a row number, so that it may hold a second row.

    >>> may_hold_second_row(" 24) 43: 21/18 18/14")
    False
    >>> may_hold_second_row("43: 21/18 18/14      24)  Losses 2 point")
    True
    """
    # Lines that cannot hold a second row are not searched for it: that saves 1 % of a check.
    before, _, after_label = line.partition(")")
    return ")" in after_label or len(before.split()) > 1


_usual_rows = lru_cache(REMEMBERED_ROWS)(_split_rows_and_comment)
register_cache(_usual_rows.cache_clear)


def cut_row(line: str, right_column: int | None) -> CutRow:
    r"""Split a row into its number, its left cell and its right cell.

    `right_column` is the usual offset of right cells.

    >>> cut_row(" 24) 33: 20/17 23/20 23/20 17/14 51: 25/24 6/1", 33).right
    '51: 25/24 6/1'
    """
    line = line.rstrip()
    label = _get_pattern("row_start").match(line)
    start = label.end() if label else 0
    masked = _mask_boards(line)
    offset = _find_right_start(masked, start, right_column)
    left, left_at = _trim_cell(line, start, offset)
    right, right_at = _trim_cell(line, offset, len(line))
    if label is None:
        return CutRow(None, left, left_at, right, right_at)
    return CutRow(label.group(1), left, left_at, right, right_at, label.start(1))


def _mask_boards(line: str) -> str:
    """Return a line in which `x` replaces each character of a board in Snowie's format."""
    return _get_pattern("SNOWIE_BOARD").sub(_replace_by_x, line) if "(" in line else line


def _replace_by_x(match: re.Match[str]) -> str:
    """Return an `x` for each character of a regex match."""
    return "x" * len(match.group())


def _trim_cell(line: str, start: int, end: int) -> tuple[str, int]:
    """Return `line[start:end]` without blanks around it, and the offset at which it starts.

    >>> _trim_cell("  8/5  ", 0, 7)
    ('8/5', 2)
    """
    text = line[start:end]
    bare = text.lstrip()
    return bare.rstrip(), start + len(text) - len(bare)


def _find_right_start(line: str, label_end: int, right_column: int | None) -> int:
    """Return the offset at which the right cell of a row starts.

    The row number ends at the offset `label_end`. `right_column` is the usual offset of right
    cells.
    """
    tabbed = _get_pattern("tabbed_left").match(line, label_end) if "\t" in line else None
    if tabbed is not None:
        return tabbed.end()
    rolls = _find_rolls(line, label_end)
    first = _skip_blanks(line, label_end)
    if len(rolls) >= 2 and rolls[0] < max(first + 1, GAP_FROM):
        return _find_nearest_start(rolls[1:], right_column)
    if rolls and rolls[-1] > first and rolls[-1] >= GAP_FROM:
        return _find_nearest_start(rolls, right_column)
    if first >= find_earliest_right_start(right_column, label_end):
        return first
    return _find_start_without_roll(line, first, right_column)


def _find_rolls(line: str, start: int) -> list[int]:
    """Return the offset of each roll in a line from `start` on; a roll written twice counts once.

    >>> _find_rolls(" 1) 31: 8/5 6/5   42: 8/4 6/4", 3), _find_rolls("31: 31: 8/5", 0)
    ([4, 18], [0])
    """
    rolls: list[int] = []
    end, last = 0, ""
    for roll in _get_pattern("CELL_ROLL").finditer(line, start):
        if roll.group() != last or len(line[end : roll.start()]) > 1:
            rolls.append(roll.start())
        end, last = roll.end(), roll.group()
    return rolls


def _skip_blanks(line: str, start: int) -> int:
    """Return the offset of the first character that is no blank, from `start` on."""
    return len(line) - len(line[start:].lstrip(" \t"))


def find_earliest_right_start(right_column: int | None, label_end: int) -> int:
    """Return the lowest offset at which the right cell of a row may start.

    The row number ends at the offset `label_end`. `right_column` is the usual offset of right
    cells.
    """
    return label_end + GAP_FROM if right_column is None else max(right_column - 8, label_end + 8)


def _find_nearest_start(starts: list[int], right_column: int | None) -> int:
    """Return the offset in `starts` nearest to `right_column`, or the first if that is None.

    >>> _find_nearest_start([4, 18, 30], 20), _find_nearest_start([4, 18, 30], None)
    (18, 4)
    """
    if right_column is None or len(starts) == 1:
        return starts[0]
    return min(starts, key=lambda start: abs(start - right_column))


def _find_start_without_roll(line: str, left_start: int, right_column: int | None) -> int:
    """Return the offset of a right cell without a roll, such as `Takes`, or the line's length.

    The left cell starts at `left_start`. `right_column` is the usual offset of right cells.
    """
    offset = find_text_in_column(line, left_start, right_column)
    if offset is not None:
        return offset
    word = _get_pattern("CELL_WORD").search(line, left_start + 1)
    if word and not _belongs_to_left(line, left_start, word.start()):
        return word.start()
    gaps = _get_pattern("_GAP").finditer(line, max(GAP_FROM, left_start))
    ends = (gap.end() for gap in gaps if not _POINTS.match(line, gap.end()))
    return next(ends, len(line))


def find_text_in_column(line: str, left_start: int, right_column: int | None) -> int | None:
    """Return the offset of text that starts at `right_column` or one character later, else None.

    The left cell starts at `left_start`, before that text.

    >>> find_text_in_column("31: 8/5   Takes", 0, 10), find_text_in_column("31: 8/5   Takes", 0, 8)
    (10, None)
    """
    if right_column is not None:
        for offset in (right_column, right_column + 1):
            if (
                left_start < offset < len(line)
                and line[offset - 1] in " \t"
                and line[offset] not in " \t"
                and not _POINTS.match(line, offset)
            ):
                return offset
    return None


def _belongs_to_left(line: str, left_start: int, word_start: int) -> bool:
    """Whether the word at `word_start` of a row is in the left cell, which starts at `left_start`."""
    return word_start < GAP_FROM and not line[left_start:word_start].strip().endswith("point")
