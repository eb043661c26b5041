"""Cutting a row into its two cells.

Producers start the right column anywhere from 32 to 41, and a long left cell leaves one blank only.
The evidence, strongest first: a second roll, a word of the cube or of a result, the column where
the right cells of this file start, and a gap of two blanks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from bganalyze.record.grammar import grammar
from bganalyze.record.remembered import remembered, when_forgetting

GAP_FROM = 15
"""A gap further left than this lies inside the left cell (GNU Backgammon cuts here too)."""

ROWS_THAT_SETTLE = 8
"""So many rows whose right cells start in the same place show where the column is."""

USUAL_LENGTH = 200
"""Longer lines are no rows of two plays, and patterns that would search them twice over leave them
alone."""

LONGEST_LABEL = 9
"""No match has a row with a longer number."""

REMEMBERED_LABELS = REMEMBERED_ROWS = 4_096
"""Rows of a double, its answer or a result: half of the rows without two plays were met before."""


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return grammar("mat").pattern(name)


class CutRow(NamedTuple):
    """A row cut in two; the columns are 0-based offsets of the cells in the line."""

    label: str | None
    left: str
    left_at: int
    right: str
    right_at: int
    label_at: int = 0
    remark: str = ""
    """What stands behind the cells, from `;` or `#` on."""
    remark_at: int = 0


NO_LABEL = (-1, "", 0)


@remembered(REMEMBERED_LABELS)
def plain_label(head: str) -> tuple[int, str, int]:
    """Return the number of a row that stands alone before a cell, how it is written, and its end.

    Nearly every row begins so, and all matches with the same few hundred texts. Measured: to look it
    up takes a tenth less of the time that rows take than to write the number that is expected.

    >>> plain_label("  7) "), plain_label("  7)"), plain_label(" 07) ")
    ((7, '7', 4), (-1, '', 0), (-1, '', 0))
    """
    label, _, gap = head.lstrip(" ").partition(")")
    is_number = label.isascii() and label.isdecimal() and len(label) <= LONGEST_LABEL
    if not (is_number and gap) or gap.strip(" ") or label != str(int(label)):
        return NO_LABEL
    return int(label), label, len(head) - len(gap)


def right_column(rows: Iterable[str]) -> int | None:
    """Return the offset at which the right cells of `rows` start, or None where no row tells.

    >>> right_column(["  1) 31: 8/5 6/5                 42: 8/4 6/4"])
    33
    """
    starts = Counter[int]()
    for row in rows:
        match = _pattern("two_rolls").search(row) if len(row) <= USUAL_LENGTH else None
        if match is not None:
            start = match.start("right_roll")
            starts[start] += 1
            if starts[start] == ROWS_THAT_SETTLE:
                return start
    return starts.most_common(1)[0][0] if starts else None


def rows_of(line: str, column: int | None) -> tuple[CutRow, ...]:
    """Return the rows that `line` holds: nearly always one, but a row may stand inside a cell.

    >>> [row.left for row in rows_of(" 24) 43: 21/18 18/14      24)  Losses 2 point", 33)]
    ['43: 21/18 18/14', 'Losses 2 point']
    """
    return _usual_rows(line, column) if len(line) <= USUAL_LENGTH else _rows(line, column)


def _rows(line: str, column: int | None) -> tuple[CutRow, ...]:
    match = (
        _pattern("CELL_REMARK").search(_without_boards(line))
        if ";" in line or "#" in line
        else None
    )
    if match is not None:
        at = match.start()
        *before, last = _rows(line[:at], column)
        return (*before, last._replace(remark=line[at:], remark_at=at))
    inner = _pattern("inner_row").search(line) if may_hold_row(line) else None
    if inner is None:
        return (cut(line, column),)
    at = inner.start("label")
    rest = cut(line[at:], None)
    moved = rest._replace(
        left_at=rest.left_at + at, right_at=rest.right_at + at, label_at=rest.label_at + at
    )
    return cut(line[:at], column), moved


def may_hold_row(line: str) -> bool:
    """Whether anything stands before a label: else no pattern looks for it, which saves 1 % of a check.

    >>> may_hold_row(" 24) 43: 21/18 18/14"), may_hold_row("43: 21/18 18/14      24)  Losses 2 point")
    (False, True)
    """
    before, _, behind = line.partition(")")
    return ")" in behind or len(before.split()) > 1


_usual_rows = lru_cache(REMEMBERED_ROWS)(_rows)
when_forgetting(_usual_rows.cache_clear)


def cut(line: str, column: int | None) -> CutRow:
    r"""Cut `line` into label, left and right cell; `column` is where right cells usually start.

    >>> cut(" 24) 33: 20/17 23/20 23/20 17/14 51: 25/24 6/1", 33).right
    '51: 25/24 6/1'
    >>> cut("  2)                             Doubles => 2", 33)[3:5]
    ('Doubles => 2', 33)
    >>> cut("  2)\t\tDoubles => 2", None).right
    'Doubles => 2'
    """
    line = line.rstrip()
    label = _pattern("row_start").match(line)
    start = label.end() if label else 0
    masked = _without_boards(line)
    at = _right_start(masked, start, column)
    left, left_at = _trimmed(line, start, at)
    right, right_at = _trimmed(line, at, len(line))
    if label is None:
        return CutRow(None, left, left_at, right, right_at)
    return CutRow(label.group(1), left, left_at, right, right_at, label.start(1))


def _without_boards(line: str) -> str:
    """Return a line in which no sign of a board is taken for anything else."""
    return _pattern("SNOWIE_BOARD").sub(_blot_out, line) if "(" in line else line


def _blot_out(match: re.Match[str]) -> str:
    return "x" * len(match.group())


def _trimmed(line: str, start: int, end: int) -> tuple[str, int]:
    text = line[start:end]
    bare = text.lstrip()
    return bare.rstrip(), start + len(text) - len(bare)


def _right_start(line: str, start: int, column: int | None) -> int:
    """Return the offset from which the text belongs to the right cell."""
    tabbed = _pattern("tabbed_left").match(line, start) if "\t" in line else None
    if tabbed is not None:
        return tabbed.end()
    rolls = _rolls(line, start)
    first = _first_text(line, start)
    if len(rolls) >= 2 and rolls[0] < max(first + 1, GAP_FROM):
        return _nearest(rolls[1:], column)
    if rolls and rolls[-1] > first and rolls[-1] >= GAP_FROM:
        return _nearest(rolls, column)
    if first >= far_right(column, start):
        return first
    return _start_without_roll(line, first, column)


def _rolls(line: str, start: int) -> list[int]:
    """Return where rolls begin; one that is written twice running begins no other cell."""
    rolls: list[int] = []
    end, last = 0, ""
    for roll in _pattern("CELL_ROLL").finditer(line, start):
        if roll.group() != last or len(line[end : roll.start()]) > 1:
            rolls.append(roll.start())
        end, last = roll.end(), roll.group()
    return rolls


def _first_text(line: str, start: int) -> int:
    return len(line) - len(line[start:].lstrip(" \t"))


def far_right(column: int | None, start: int) -> int:
    """Return the offset at which or behind which text has an empty left cell before it.

    `start` is where the row's number ends.
    """
    return start + GAP_FROM if column is None else max(column - 8, start + 8)


def _nearest(starts: list[int], column: int | None) -> int:
    if column is None or len(starts) == 1:
        return starts[0]
    return min(starts, key=lambda start: abs(start - column))


def _start_without_roll(line: str, first: int, column: int | None) -> int:
    """Cut a row whose right cell, if any, starts with no readable roll."""
    at = start_in_column(line, first, column)
    if at is not None:
        return at
    word = _pattern("CELL_WORD").search(line, first + 1)
    if word and not _belongs_to_left(line, first, word.start()):
        return word.start()
    gap = _pattern("_GAP").search(line, max(GAP_FROM, first))
    return gap.end() if gap else len(line)


def start_in_column(line: str, first: int, column: int | None) -> int | None:
    """Return where text starts in the right column, behind what starts at `first`."""
    if column is not None:
        for at in (column, column + 1):
            if first < at < len(line) and line[at - 1] in " \t" and line[at] not in " \t":
                return at
    return None


def _belongs_to_left(line: str, first: int, word: int) -> bool:
    """`Losses 1 point   Wins 1 point`: the second word starts a cell only after a gap."""
    return word < GAP_FROM and not line[first:word].strip().endswith("point")
