"""Rows of a game in match text: a number and two cells each, rearranged as text.

A repair of the layout is a new list of rows. This module finds the lines that change, and the
columns in which cells are written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise, takewhile, zip_longest
from typing import NamedTuple

from bganalyze.record.match_text.cells import parse_cell, place_items
from bganalyze.record.match_text.columns import cut_row, find_right_column
from bganalyze.record.model import LEFT, RIGHT, Action, Game, ReaderNote, Side, parse_number
from bganalyze.validation.findings import Edit

USUAL_LEFT, USUAL_RIGHT = 5, 33
"""Offsets of the cells in a game that does not show them."""

NARROWEST_GAP = 2
"""Blanks between the cells of a row if the left one is too long for its column."""

REMEMBERED_ROWS = 8_192

_cut = lru_cache(REMEMBERED_ROWS)(cut_row)
"""Split a line into its cells. Cached, because every error of a game splits all its rows."""

_HEAD = re.compile(r"([ \t]*)([0-9]+)([).]?)")


class Row(NamedTuple):
    """A row of a game: its number as written and the texts of its cells (or empty strings)."""

    line: int | None
    """Line number in the file; None for a row to be inserted."""
    label: str | None
    left: str
    right: str

    @property
    def cells(self) -> tuple[str, str]:
        """The texts of both cells."""
        return self.left, self.right

    @property
    def number(self) -> int | None:
        """The row number, or None if it cannot be read."""
        return (
            parse_number(self.label) if self.label is not None and self.label.isdecimal() else None
        )

    def with_cell(self, side: Side, text: str) -> Row:
        """Return the row with `text` in the cell of `side`."""
        return self._replace(left=text) if side == LEFT else self._replace(right=text)

    def swap_cells(self) -> Row:
        """Return the row with its cells swapped."""
        return Row(self.line, self.label, self.right, self.left)


class Sheet(NamedTuple):
    """The rows of a game in a file of match text, each with a left and a right cell."""

    lines: Sequence[str]
    """Lines of the file."""
    rows: tuple[Row, ...]
    column: int | None
    """Offset of the right cells in the file, as its reader finds it."""
    left_at: int
    """Offset of most left cells of the game, from 0."""
    right_at: int
    """Offset of most right cells of the game, from 0."""

    def find_row(self, line: int) -> int | None:
        """Return the index of the last row on the line `line` or above it, or None."""
        above = [index for index, row in enumerate(self.rows) if (row.line or 0) <= line]
        return above[-1] if above else None

    def edits(self, rows: Iterable[Row]) -> tuple[Edit, ...]:
        """Return the edits that replace the game's rows by `rows`.

        Rows that the file already has must keep their order.
        """
        as_read = {row.line: row for row in self.rows}
        edits: list[Edit] = []
        below = self.rows[0].line or 1
        for row in rows:
            if row.line is None:
                edits.append(Edit(below, None, self.format_row(row)))
                continue
            if row != as_read.pop(row.line):
                edits.append(Edit(row.line, self._find_line(row), self.format_row(row)))
            below = row.line + 1
        edits += (Edit(line, self.lines[line - 1], None) for line in as_read if line is not None)
        return tuple(sorted(edits, key=lambda edit: (edit.line, edit.old is not None)))

    def find_change(self, rows: Iterable[Row]) -> tuple[int, str | None]:
        """Return the line and the row number of the first new or changed row.

        An inserted row has the line of the row below it. If nothing changes, the row number is
        None.
        """
        as_read = {row.line: row for row in self.rows}
        below = self.rows[0].line or 1
        for row in rows:
            if row != as_read.get(row.line):
                return (below if row.line is None else row.line), row.label
            below = (row.line or 0) + 1
        return below, None

    def renumber(self, rows: Iterable[Row]) -> list[Row]:
        """Return rows with new numbers, after rows were inserted or deleted."""
        numbers = [(row.line, row.number) for row in self.rows if row.number is not None]
        steps = {(one, two): after - before for (one, before), (two, after) in pairwise(numbers)}
        ordered: list[Row] = []
        last: Row | None = None
        for row in rows:
            if row.number is None or last is None or last.number is None:
                renamed = row
            else:
                # Rows that were neighbors before keep the difference of their numbers.
                step = steps.get((last.line, row.line), 1)
                renamed = row._replace(label=str(last.number + step))
            ordered.append(renamed)
            last = renamed if renamed.number is not None else last
        return ordered

    def follows_missing_row(self, index: int) -> bool:
        """Whether a row's number is two higher than that of the row above."""
        if index == 0:
            return False
        before, here = self.rows[index - 1].number, self.rows[index].number
        return before is not None and here == before + 2

    def find_first_number(self) -> int | None:
        """Return the index of the first row with a number, or None."""
        return next((at for at, row in enumerate(self.rows) if row.number is not None), None)

    def rows_with_numbers(self, first: int) -> list[Row]:
        """Return the rows from index `first` up to the next row without a number."""
        return list(takewhile(lambda row: row.number is not None, self.rows[first:]))

    def replace_cells(self, index: int, cells: Sequence[str]) -> list[Row]:
        """Return all rows of the game, with the cells from row `index` on replaced by `cells`.

        `cells` are texts for the left and the right cell in turn.
        """
        numbered = self.rows_with_numbers(index)
        filled = len(cells) - next((n for n, cell in enumerate(reversed(cells)) if cell), 0)
        pairs = zip_longest(cells[:filled:2], cells[1:filled:2], fillvalue="")
        template = Row(None, numbered[-1].label, "", "")
        rows = [
            (row or template)._replace(left=left, right=right)
            for row, (left, right) in zip_longest(numbered[: (filled + 1) // 2], pairs)
        ]
        return self.renumber([*self.rows[:index], *rows, *self.rows[index + len(numbered) :]])

    def format_row(self, row: Row) -> str:
        """Return a row as a line of the file; an unchanged cell keeps its column."""
        line = self._find_line(row)
        was = _cut(line, self.column)
        left_at = was.left_at if row.left == was.left else self.left_at
        right_at = was.right_at if row.right == was.right else self.right_at
        text = _append_cell(self._write_row_number(row), left_at, 1, row.left)
        text = _append_cell(text, right_at, NARROWEST_GAP, row.right)
        return text.ljust(len(line)) if line.endswith(" ") else text

    def _write_row_number(self, row: Row) -> str:
        """Return the row's number as the file writes it, such as `12)`."""
        if row.label is None:
            return ""
        heads = (_HEAD.match(self._find_line(other)) for other in (row, *self.rows))
        head = next((head for head in heads if head is not None), None)
        if head is None:
            return f"{row.label:>3})"
        blanks, number, sign = head.groups()
        return row.label.rjust(len(blanks + number)) + sign

    def _find_line(self, row: Row) -> str:
        """Return the line from which a row was read, or "" for a new row."""
        return "" if row.line is None else self.lines[row.line - 1]


def split_into_rows(lines: Sequence[str], game: Game) -> Sheet | None:
    r"""Return the rows of a game of match text, each cut into two cells, or None without rows.

    >>> from bganalyze.record.reader import read_bytes
    >>> lines = [" 1 point match", " Game 1", " A : 0  B : 0", "  1) 31: 8/5 6/5     62: 24/18 13/11"]
    >>> [match] = read_bytes("\n".join(lines).encode(), "a.mat")
    >>> sheet = split_into_rows(lines, match.games[0])
    >>> sheet.edits([row.swap_cells() for row in sheet.rows])[0].new
    '  1) 62: 24/18 13/11  31: 8/5 6/5'
    """
    column = find_right_column(lines)
    last = max((action.span.line for action in game.actions), default=0)
    in_cells = {a.span.line for a in game.actions if getattr(a, "side", None) is not None}
    rows: list[Row] = []
    starts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for number in range(game.span.line, last + 1):
        label, left, left_at, right, right_at, *_ = _cut(lines[number - 1], column)
        if label is None and number not in in_cells:
            continue
        rows.append(Row(number, label, left, right))
        starts[LEFT][left_at] += left[:2].isdecimal()
        starts[RIGHT][right_at] += right[:2].isdecimal()
    if not rows:
        return None
    left_at = _find_commonest_column(starts[LEFT], USUAL_LEFT)
    return Sheet(
        lines,
        tuple(rows),
        column,
        left_at,
        _find_commonest_column(starts[RIGHT], column or USUAL_RIGHT),
    )


def read_actions(rows: Iterable[Row]) -> Iterator[Action]:
    """Yield the actions recorded in rows of match text.

    >>> [play.dice for play in read_actions([Row(1, "1", "31: 8/5 6/5", "62: 24/18 13/11")])]
    [(3, 1), (6, 2)]
    """
    return chain.from_iterable(_read_cells(row.left, row.right) for row in rows)


@lru_cache(maxsize=REMEMBERED_ROWS)
def _read_cells(left: str, right: str) -> tuple[Action, ...]:
    """Return the actions in the two cells of a row."""
    sides: tuple[tuple[Side, str], ...] = ((LEFT, left), (RIGHT, right))
    return tuple(
        action
        for side, text in sides
        for action in place_items(parse_cell(text), 0, 1, None, side)
        if not isinstance(action, ReaderNote)
    )


def _append_cell(text: str, column: int, least_gap: int, cell: str) -> str:
    """Append a cell to the text of a row at `column`, or behind a longer text.

    At least `least_gap` blanks separate them.

    >>> _append_cell("ab", 4, 1, "c"), _append_cell("abcd", 4, 1, "e")
    ('ab  c', 'abcd e')
    """
    if not cell:
        return text
    return text.ljust(max(column, len(text) + least_gap if text else 0)) + cell


def _find_commonest_column(counts_of_columns: Counter[int], usual: int) -> int:
    """Return the column where most cells with a roll start, or `usual` without such cells.

    `counts_of_columns` has the number of these cells for each column.
    """
    [(column, count)] = counts_of_columns.most_common(1) or [(usual, 0)]
    return column if count else usual
