"""Text and tables of Rich as strings, in color if the options ask for it."""

from __future__ import annotations

import io
from functools import lru_cache

from rich.cells import cell_len
from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Column, Table
from rich.text import Text

from bganalyze.app.render.output_options import OutputOptions
from bganalyze.text import printable
from bganalyze.validation.findings import Severity

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
"""Style of each severity."""

_LEAST = 56
"""Narrowest table. Broken words are worse than lines folded by the terminal."""


def render_to_string(renderable: RenderableType, setting: OutputOptions) -> str:
    """Return a text or table as lines of text, drawn by Rich."""
    width = max(setting.width, _LEAST)
    if isinstance(renderable, Table):
        free = width - _sum_gap_widths(renderable) - sum(map(_find_least_width, renderable.columns))
        if free < 0:
            return _stack_rows(renderable)
        _narrow_columns(renderable, free)
    console = make_console(setting.color, width)
    with console.capture() as captured:
        console.print(renderable, soft_wrap=isinstance(renderable, Text))
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _sum_gap_widths(grid: Table) -> int:
    """Return the total width of the gaps between a table's columns, in characters."""
    return (grid.padding[1] + grid.padding[3]) * (len(grid.columns) - 1)


def _narrow_columns(grid: Table, free: int) -> None:
    """Narrow the columns of a table that is too wide for its page.

    `free` is the width that remains if every column has its least width.
    """
    missing = [_find_full_width(column) - _find_least_width(column) for column in grid.columns]
    if sum(missing) <= free:
        return
    for column, wanted in zip(grid.columns, missing, strict=True):
        column.width = _find_least_width(column) + wanted * free // sum(missing)


def _find_least_width(column: Column) -> int:
    """Return the least possible width of a column, in characters.

    This is the width of its longest word or, if it is never wrapped, of its longest line.
    """
    if column.no_wrap:
        return _find_full_width(column)
    return max(
        (cell_len(word) for text in _list_column_texts(column) for word in text.split()), default=0
    )


def _find_full_width(column: Column) -> int:
    """Return the width of the longest line of a column."""
    return max(
        (cell_len(line) for text in _list_column_texts(column) for line in text.splitlines()),
        default=0,
    )


def _list_column_texts(column: Column) -> list[str]:
    """Return a column's heading and cells as plain text."""
    return [str(cell) for cell in (column.header, *column.cells)]


def _stack_rows(grid: Table) -> str:
    """Return a table as text in which each cell has its own line, `heading text`."""
    headings, *rows = zip(*map(_list_column_texts, grid.columns), strict=True)
    room = max(map(cell_len, headings))
    stacks = (
        "".join(
            f"{heading}{' ' * (room - cell_len(heading))}  {' '.join(text.split())}".rstrip() + "\n"
            for heading, text in zip(headings, row, strict=True)
        )
        for row in rows
    )
    return "\n".join(stacks)


def fit_line(text: str, setting: OutputOptions) -> str:
    """Return a text as a single line without tabs and control characters."""
    return printable(text.replace("\t", " "), setting.encoding)


def make_table(*headings: str, figures: int = 0) -> Table:
    """Return an empty table for text output.

    The last `figures` columns are for numbers.
    """
    empty = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column, heading in enumerate(headings):
        is_figure = column >= len(headings) - figures
        justify: JustifyMethod = "right" if is_figure else "left"
        empty.add_column(heading, justify=justify, overflow="fold", no_wrap=is_figure)
    return empty


@lru_cache(maxsize=4)
def make_console(color: bool, width: int) -> Console:
    """Return a Rich console that collects its output in memory."""
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
