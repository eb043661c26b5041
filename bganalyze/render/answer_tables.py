"""Tables for people: every section of the answer, as wide as the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd
from rich.cells import cell_len
from rich.text import Text

from bganalyze.printable import printable
from bganalyze.render.answer_remarks import remarks
from bganalyze.render.cells import leading_words, shown
from bganalyze.render.console import as_string, table
from bganalyze.render.document_text import diagram_pieces
from bganalyze.render.leading import leading
from bganalyze.render.section_boards import boards
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer
from bganalyze.reports.figures import Section

GAP = "  "
"""Between columns."""

NARROWEST = 12
"""Columns of words that have less room than this cannot be read."""


def render(answer: Answer, setting: Setting) -> Iterator[str]:
    """Yield every section under its heading, and at the end what was counted and left out."""
    for name, sections in answer.reports.items():
        for section in sections:
            heading = Text(f"{section.title} ({name})", "bold")
            yield as_string(heading, setting) + _section(section, setting) + "\n"
    yield from (f"{words}\n" for words in remarks(answer, setting))


def _section(section: Section, setting: Setting) -> str:
    frame, others = leading(section.frame)
    if section.boards:
        drawn = (diagram_pieces(each, setting) for each in boards(section).diagrams)
        shown = "\n" + "".join(piece for pieces in drawn for piece in pieces)
    else:
        shown = _table(frame, setting) if len(frame) else "nothing to count\n"
    notes = (others, *section.notes) if others else section.notes
    return shown + "".join(f"{printable(note, setting.encoding)}\n" for note in notes)


def _table(frame: pd.DataFrame, setting: Setting) -> str:
    """A cell that repeats the one above it, with all before it, is left blank."""
    headings, rows = shown(frame)
    words = leading_words(frame)
    cells = list(_without_repeats(rows, words - 1, setting))
    widths = [max(map(cell_len, column)) for column in zip(headings, *cells, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) > setting.width:
        numbers = sum(len(GAP) + width for width in widths[words:])
        is_narrow = setting.width - numbers < words * NARROWEST
        return (_stacked if is_narrow else _folded)(headings, cells, words, setting)
    lines = (_aligned(row, widths, words) for row in cells)
    heading = as_string(Text(_aligned(headings, widths, words), "bold"), setting)
    return heading + "".join(f"{line.rstrip()}\n" for line in lines)


def _without_repeats(
    rows: Iterable[list[str]], words: int, setting: Setting
) -> Iterator[list[str]]:
    above: list[str] = []
    for row in rows:
        cells = [printable(cell, setting.encoding) for cell in row]
        same = _shared(cells[:words], above)
        yield [""] * same + cells[same:]
        above = cells


def _aligned(row: Sequence[str], widths: Sequence[int], words: int) -> str:
    """Words to the left, numbers to the right. Rich does the same, at fifty times the cost a row."""
    filled = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
    parts = [
        cell + gap if n < words else gap + cell
        for n, (cell, gap) in enumerate(zip(row, filled, strict=True))
    ]
    return GAP.join(parts)


def _folded(
    headings: Sequence[str], cells: Iterable[list[str]], words: int, setting: Setting
) -> str:
    """A table too wide for the page, with its cells folded."""
    made = table(*headings, figures=len(headings) - words)
    for row in cells:
        made.add_row(*row)
    return as_string(made, setting)


def _stacked(
    headings: Sequence[str], cells: Iterable[list[str]], words: int, setting: Setting
) -> str:
    """A table too wide even to be folded: under the words of each row its numbers, each named."""
    lines: list[str] = []
    for row in cells:
        lines += [f"{GAP * n}{word}" for n, word in enumerate(row[:words]) if word]
        numbers = zip(headings[words:], row[words:], strict=True)
        told = [f"{heading} {number}" for heading, number in numbers if number]
        lines += (f"{GAP * words}{line}" for line in _filled(told, setting.width - 2 * words))
    return "".join(as_string(Text(line), setting) for line in lines)


def _filled(parts: Iterable[str], width: int) -> Iterator[str]:
    """As many of the parts on each line as fit."""
    line = ""
    for part in parts:
        longer = f"{line}{GAP}{part}" if line else part
        if line and cell_len(longer) > width:
            yield line
            longer = part
        line = longer
    yield line


def _shared(cells: list[str], above: list[str]) -> int:
    """How many cells from the first on are those of the row above."""
    pairs = zip(cells, above, strict=False)
    return next(
        (n for n, (cell, other) in enumerate(pairs) if cell != other), min(len(cells), len(above))
    )
