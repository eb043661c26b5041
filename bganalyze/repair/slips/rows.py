"""Slips of layout: rows, cells and columns that stand in each other's place, or twice."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bganalyze.repair.evidence import Evidence, following_side
from bganalyze.repair.rows import RowText, Sheet, turns_of
from bganalyze.repair.suggestion import Suggestion
from bganalyze.repair.trial import tried
from bganalyze.transcript.model import Play, Side

ROWS_BACK = 5
"""A slip of layout shows within so many rows."""

ROWS_AT_END = 2
"""Where columns are exchanged, up to so many rows at the end of the game may stand right."""

ROW_TWICE = math.log(1.0)
CELLS_EXCHANGED, DICE_EXCHANGED = math.log(0.5), math.log(0.5)
OTHER_COLUMN = math.log(0.05)
"""A cell beside an empty one stands in the wrong column."""
ROWS_EXCHANGED = math.log(0.3)
COLUMNS_EXCHANGED = math.log(0.5)
HALF_ROW = math.log(0.5)
ROW_AT_END = 1.0
"""What an exchange of columns loses for each row at the end of the game that stands right."""
ODD_MARK = 2.0
"""What a layout loses for each hit that is then marked wrongly."""

_THROW = re.compile(r"[0-9]{2}(?=:)")


class Rearranged(NamedTuple):
    """Rows that the record may have meant."""

    kind: str
    message: str
    rows: Sequence[RowText]
    at: int
    """The index of the first row that is another."""
    likelihood: float


def doubled_row(evidence: Evidence) -> Iterator[Suggestion]:
    """A row, or the only turn in it, stands again in the next.

    `5) 31: 8/5 6/5` and `6) 31: 8/5 6/5` was one row.
    """
    for sheet, at in _near(evidence):
        row = sheet.rows[at]
        for near in sheet.rows[at + 1 : at + 2] + sheet.rows[max(at - 1, 0) : at]:
            if any(row.cells) and all(
                cell in ("", other) for cell, other in zip(row.cells, near.cells, strict=True)
            ):
                message = f"{_named(row)} repeats {_named(near)}"
                rows = sheet.renumbered([*sheet.rows[:at], *sheet.rows[at + 1 :]])
                yield from _tried(evidence, Rearranged("row twice", message, rows, at, ROW_TWICE))


def exchanged_cells(evidence: Evidence) -> Iterator[Suggestion]:
    """The two cells of a row stand in each other's column.

    `5) 62: 24/18 13/11   31: 8/5 6/5` was `5) 31: 8/5 6/5   62: 24/18 13/11`.
    """
    for sheet, at in _near(evidence):
        row = sheet.rows[at]
        message = f"the cells of {_named(row)} exchanged"
        likelihood = CELLS_EXCHANGED if all(row.cells) else OTHER_COLUMN
        rows = _with_rows(sheet, at, row.exchanged())
        yield from _tried(evidence, Rearranged("cells", message, rows, at, likelihood))


def exchanged_dice(evidence: Evidence) -> Iterator[Suggestion]:
    """The throws of the two cells of a row stand in each other's.

    `5) 62: 8/5 6/5   31: 24/18 13/11` was `5) 31: 8/5 6/5   62: 24/18 13/11`.
    """
    for sheet, at in _near(evidence):
        row = sheet.rows[at]
        left, right = (_THROW.match(cell) for cell in row.cells)
        if left is None or right is None or left.group() == right.group():
            continue
        mended = row._replace(
            left=right.group() + row.left[left.end() :],
            right=left.group() + row.right[right.end() :],
        )
        message = f"the throws of {_named(row)} exchanged"
        rows = _with_rows(sheet, at, mended)
        yield from _tried(evidence, Rearranged("dice", message, rows, at, DICE_EXCHANGED))


def exchanged_rows(evidence: Evidence) -> Iterator[Suggestion]:
    """Two neighbouring rows stand in each other's place, with their numbers or without."""
    for sheet, at in _near(evidence):
        if at + 1 >= len(sheet.rows):
            continue
        row, below = sheet.rows[at : at + 2]
        if row.number is None or below.number is None:
            continue
        first, second = sorted((row, below), key=lambda either: either.number or 0)
        mended = (
            row._replace(label=first.label, left=below.left, right=below.right),
            below._replace(label=second.label, left=row.left, right=row.right),
        )
        message = f"{_named(row)} and {_named(below)} exchanged"
        rows = _with_rows(sheet, at, *mended)
        yield from _tried(evidence, Rearranged("rows", message, rows, at, ROWS_EXCHANGED))


def half_row(evidence: Evidence) -> Iterator[Suggestion]:
    """The right cell of a row stands on a row of its own, in whichever column."""
    for sheet, at in _near(evidence):
        if at + 1 >= len(sheet.rows):
            continue
        row, below = sheet.rows[at : at + 2]
        texts = [text for text in below.cells if text]
        if row.right or len(texts) != 1 or below.number is None:
            continue
        mended = row._replace(right=texts[0])
        rows = sheet.renumbered([*sheet.rows[:at], mended, *sheet.rows[at + 2 :]])
        message = f"{_named(below)} belongs into {_named(row)}"
        yield from _tried(evidence, Rearranged("half row", message, rows, at, HALF_ROW))


def exchanged_columns(evidence: Evidence) -> Iterator[Suggestion]:
    """The columns are exchanged, from a row on or in the whole game, to its end or nearly."""
    for sheet, at in _near(evidence, whole_game=True):
        message = f"the columns exchanged from {_named(sheet.rows[at])} on"
        for right_at_end in range(ROWS_AT_END + 1):
            end = len(sheet.rows) - right_at_end
            if end - at < 2:
                continue
            exchanged = [row.exchanged() for row in sheet.rows[at:end]]
            likelihood = COLUMNS_EXCHANGED - ROW_AT_END * right_at_end
            rows = [*sheet.rows[:at], *exchanged, *sheet.rows[end:]]
            yield from _tried(evidence, Rearranged("columns", message, rows, at, likelihood))


def _near(evidence: Evidence, *, whole_game: bool = False) -> Iterator[tuple[Sheet, int]]:
    """Yield the rows at which a slip of layout may have been made, nearest to the fault first."""
    sheet = evidence.sheet
    at_fault = None if sheet is None else sheet.at(evidence.finding.line)
    if sheet is None or at_fault is None:
        return
    nearest = range(at_fault, max(at_fault - ROWS_BACK, 0) - 1, -1)
    for at in nearest:
        yield sheet, at
    if whole_game and 0 not in nearest:
        yield sheet, 0


def _tried(evidence: Evidence, layout: Rearranged) -> Iterator[Suggestion]:
    """Yield a layout as a suggestion if the plays can be carried out in it."""
    sheet = evidence.sheet
    assert sheet is not None
    row = sheet.rows[layout.at]
    assert row.line is not None
    index = next(
        (index for index, action in enumerate(evidence.actions) if action.span.line >= row.line),
        None,
    )
    if index is None:
        return
    trial = tried(
        evidence.boards[index],
        turns_of(layout.rows[layout.at :]),
        marks_hits=evidence.marks_hits,
        side=_on_roll(evidence, index),
    )
    if evidence.mends(trial, index):
        yield Suggestion(
            layout.kind,
            layout.message,
            sheet.edits(layout.rows),
            row.line,
            row.label,
            None,
            layout.likelihood - ODD_MARK * trial.odd_marks,
            trial.is_whole,
        )


def _on_roll(evidence: Evidence, index: int) -> Side | None:
    """Return whose turn it is before an action; None at the start."""
    plays = (action for action in reversed(evidence.actions[:index]) if isinstance(action, Play))
    return next((following_side(play) for play in plays), None)


def _with_rows(sheet: Sheet, at: int, *rows: RowText) -> list[RowText]:
    """Return the rows of a sheet with others from an index on."""
    return [*sheet.rows[:at], *rows, *sheet.rows[at + len(rows) :]]


def _named(row: RowText) -> str:
    return f"line {row.line}" if row.label is None else f"row {row.label}"
