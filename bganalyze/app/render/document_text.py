"""Documents as text: tables that fit the page, boards as drawings, graphs as rows of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, takewhile
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from bganalyze.app.render.board import WIDTH, draw_board_text, shorten_name
from bganalyze.app.render.console import fit_line, make_table, render_to_string
from bganalyze.app.render.document import (
    FIRST,
    Block,
    Cell,
    Chapter,
    Diagram,
    Diagrams,
    DiagramSteps,
    Document,
    Graph,
    Grid,
    Heading,
    Lines,
    Note,
    Tone,
    list_titled_boards,
)
from bganalyze.app.render.output_options import OutputOptions

GRAPH_WIDTH = 60
_BLOCKS = "▁▂▃▄▅▆▇█"
_ASCII = "_.-~=+*#"
_TONES = {"error": "bold red", "warning": "yellow", "info": "cyan", "": ""}


def draw_sparkline(
    heights: Sequence[float], most: float, width: int, *, unicode: bool = True
) -> str:
    """Draw a curve through `heights` as a line of at most `width` block characters.

    The height `most` is a full block. Without `unicode`, ASCII characters are used.

    >>> draw_sparkline([0, 50, 100], 100, 10)
    '▁▅█'
    """
    marks = _BLOCKS if unicode else _ASCII
    if not heights or most <= 0:
        return ""
    length = min(width, len(heights))
    last, highest = len(heights) - 1, len(marks) - 1
    samples = [heights[round(last * step / max(length - 1, 1))] for step in range(length)]
    return "".join(marks[round(highest * min(height, most) / most)] for height in samples)


def render(document: Document, setting: OutputOptions) -> Iterator[str]:
    """Yield a document as text: its chapters, then the closing notes."""
    for chapter in document.chapters:
        yield from _render_chapter(chapter, setting)
    yield from (f"{fit_line(words, setting)}\n" for words in document.ending)


def render_sections(document: Document, setting: OutputOptions) -> Iterator[str]:
    """Yield reports over many matches as text.

    Closing notes follow the tables of the reports.
    """
    for chapter in document.chapters:
        for part in chapter.parts:
            yield render_to_string(Text(f"{part.title} ({chapter.title})", "bold"), setting)
            for block in part.blocks:
                yield from _render_section_block(block, setting)
            yield "\n"
    yield from (f"{fit_line(words, setting)}\n" for words in document.ending)


def _render_section_block(block: Block, setting: OutputOptions) -> Iterable[str]:
    """Return a block (such as a table or note) as text, without colors and caption."""
    match block:
        case Grid():
            return _render_plain_grid(block, setting) if block.rows else ("no cases to count\n",)
        case Diagrams():
            return ("\n", *_render_block(block, setting))
    return _render_block(block, setting)


def _render_chapter(chapter: Chapter, setting: OutputOptions) -> Iterator[str]:
    """Yield a chapter as text: its heading, then its sections under their titles."""
    yield from _render_heading(chapter, setting)
    for part in (*chapter.opening, *chapter.parts):
        yield "\n" + render_to_string(
            Text(fit_line(part.title, setting), "bold underline"), setting
        )
        rendered = ("".join(_render_block(block, setting)) for block in part.blocks)
        yield from (f"\n{text}" for text in rendered if text)
    yield "\n"


def _render_heading(chapter: Chapter, setting: OutputOptions) -> Iterator[str]:
    """Yield the heading of a chapter: players, score, outcome, and lines of `label: text`."""
    if chapter.versus is not None:
        left, right = (fit_line(name, setting) for name in chapter.versus.names)
        score = f"{left}  {fit_line(chapter.versus.score, setting)}  {right}"
        yield render_to_string(Text(score, "bold"), setting)
        yield f"{fit_line(chapter.versus.outcome, setting)}\n"
    yield from (f"{label.lower()}: {fit_line(fact, setting)}\n" for label, fact in chapter.facts)


def _render_block(block: Block, setting: OutputOptions) -> Iterable[str]:
    """Return a block (table, note, graph or boards) as text."""
    match block:
        case Grid():
            return _render_grid(block, setting)
        case Heading():
            return (render_to_string(Text(fit_line(block.text, setting), "bold"), setting),)
        case Note():
            return (_render_line(block.text, setting, block.tone),)
        case Lines():
            return (_render_line(line, setting) for line in block.lines)
        case Graph():
            return _render_graph(block, setting)
        case Diagrams():
            return (piece for board in block.diagrams for piece in _render_diagram(board, setting))
        case DiagramSteps():
            return _render_steps(block, setting)
    return ()


def _render_line(text: str, setting: OutputOptions, tone: Tone = "") -> str:
    """Return a text as a line of output, in the color of its `tone`."""
    return render_to_string(Text(fit_line(text, setting), _TONES[tone]), setting)


def _render_grid(grid: Grid, setting: OutputOptions) -> Iterator[str]:
    """Yield a table as text under its caption."""
    if grid.caption:
        yield render_to_string(Text(fit_line(grid.caption, setting), "italic"), setting)
    headings = [fit_line(heading, setting) for heading in grid.headings]
    rows = make_table(*headings, figures=len(headings) - grid.words)
    for row in grid.rows:
        rows.add_row(*(_render_cell(cell, setting) for cell in row))
    if grid.total:
        rows.add_row(*(_render_cell(cell, setting) for cell in grid.total), style="bold")
    yield render_to_string(rows, setting)


def _render_cell(cell: Cell, setting: OutputOptions) -> Text:
    """Return a table cell as styled text, with its small print in parentheses."""
    text = Text(fit_line(cell.text, setting), _TONES[cell.tone])
    if cell.detail:
        text.append(f" ({fit_line(cell.detail, setting)})", "dim")
    return text


def _render_graph(graph: Graph, setting: OutputOptions) -> Iterator[str]:
    """Yield a graph as text: its title, its curves, and its marked events in words."""
    yield render_to_string(Text(fit_line(graph.title, setting), "italic"), setting)
    most = max((height for curve in graph.curves for _, height in curve.points), default=0)
    names = [shorten_name(curve.name, setting.encoding) for curve in graph.curves]
    name_width = max(map(cell_len, names), default=0)
    for curve, name in zip(graph.curves, names, strict=True):
        heights = [height for _, height in curve.points]
        width = max(min(GRAPH_WIDTH, setting.width - name_width - 14), 8)
        line = draw_sparkline(heights, most, width, unicode=setting.unicode)
        padding = " " * (name_width - cell_len(name))
        yield f"{name}{padding}  {heights[0]:>4g} {line} {heights[-1]:g}\n"
    for mark in graph.marks:
        yield f"{fit_line(mark.about, setting)} (after {mark.across:g} {graph.across})\n"


def _render_steps(steps: DiagramSteps, setting: OutputOptions) -> Iterator[str]:
    """Yield the first boards of a series as text, and the number of the others."""
    yield render_to_string(Text(fit_line(steps.title, setting), "italic"), setting) + "\n"
    for diagram in steps.diagrams[:FIRST]:
        yield from _render_diagram(diagram, setting)
    if len(steps.diagrams) > FIRST:
        yield f"and {len(steps.diagrams) - FIRST:,} more: see --html or --format json\n"


def _render_diagram(diagram: Diagram, setting: OutputOptions) -> Iterator[str]:
    """Yield a board as text, with its title and the facts about it."""
    heading = Text(fit_line(diagram.title, setting), _TONES[diagram.tone] or "italic")
    yield render_to_string(heading, setting)
    if diagram.line:
        yield f"  {fit_line(diagram.line.strip(), setting)}\n"
    if setting.board and setting.width >= WIDTH:
        for words, scene in list_titled_boards(diagram):
            lines = draw_board_text(scene, setting.encoding)
            yield from (f"  {line}\n" for line in (f"{words}:", *lines) if line != ":")
    for label, fact in diagram.facts:
        yield f"  {label.lower()}: {fit_line(fact, setting)}\n"
    yield "\n"


# Tables of plain text for `render_sections`, which writes them by the hundred. Measured: Rich takes
# 50 times as long per row.

GAP = "  "
"""Space between columns."""

NARROWEST = 12
"""Narrowest readable column of words, in characters."""


def _render_plain_grid(grid: Grid, setting: OutputOptions) -> Iterator[str]:
    """Yield a table without colors, fit to the width of the page.

    Words that repeat the row above are left out. A table that is too wide is split in two, or its
    cells are folded or listed.
    """
    headings, words = grid.headings, grid.words
    cells = list(_blank_repeats(grid, setting))
    widths = [max(map(cell_len, column)) for column in zip(headings, *cells, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) <= setting.width:
        yield render_to_string(Text(_align_row(headings, widths, words), "bold"), setting)
        yield from (f"{_align_row(row, widths, words).rstrip()}\n" for row in cells)
        return
    fitting = _count_fitting(widths, words, setting.width)
    if grid.separable and words < fitting < len(headings):
        yield from _render_plain_grid(_select_columns(grid, range(fitting)), setting)
        rest = (*range(words), *range(fitting, len(headings)))
        yield from ("\n", *_render_plain_grid(_select_columns(grid, rest), setting))
        return
    figures = sum(len(GAP) + width for width in widths[words:])
    if setting.width - figures < words * NARROWEST:
        yield from _stack_table(headings, cells, words, setting)
    else:
        yield _fold_table(headings, cells, words, setting)


def _count_fitting(widths: Sequence[int], word_columns: int, max_width: int) -> int:
    """Return how many columns at the start of a table fit into `max_width` characters.

    The first `word_columns` columns and one of numbers always count as fitting.

    >>> _count_fitting([3, 3, 3], word_columns=1, max_width=9)
    2
    """
    ends = accumulate(len(GAP) + width for width in widths)
    return max(sum(end - len(GAP) <= max_width for end in ends), word_columns + 1)


def _select_columns(grid: Grid, places: Sequence[int]) -> Grid:
    """Return a table with only the columns at the indexes `places`.

    A row that has no numbers in these columns is left out.
    """
    rows = (tuple(row[place] for place in places) for row in grid.rows)
    return grid._replace(
        headings=tuple(grid.headings[place] for place in places),
        rows=tuple(row for row in rows if any(cell.text for cell in row[grid.words :])),
    )


def _blank_repeats(grid: Grid, setting: OutputOptions) -> Iterator[list[str]]:
    """Yield the rows of a table, without words that repeat the row above."""
    columns = [_pad_column(column, setting) for column in zip(*grid.rows, strict=True)]
    above: list[str] = []
    for row in zip(*columns, strict=True):
        cells = list(row)
        same = _count_cells_as_above(cells[: grid.words - 1], above)
        yield [""] * same + cells[same:]
        above = cells


def _pad_column(column: Sequence[Cell], setting: OutputOptions) -> list[str]:
    """Return a column's cells as texts that align at the right."""
    texts = [fit_line(cell.text, setting) for cell in column]
    details = [f" ({fit_line(cell.detail, setting)})" if cell.detail else "" for cell in column]
    detail_width = max(map(cell_len, details))
    return [
        f"{text}{detail}{' ' * (detail_width - cell_len(detail))}"
        for text, detail in zip(texts, details, strict=True)
    ]


def _count_cells_as_above(cells: Sequence[str], row_above: Sequence[str]) -> int:
    """Return how many cells at the start of a row are equal to those of the row above.

    >>> _count_cells_as_above(["Ann", "2024", "5"], ["Ann", "2023", "5"])
    1
    """
    pairs = zip(cells, row_above, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _align_row(row: Sequence[str], widths: Sequence[int], word_columns: int) -> str:
    """Return the cells of a row as a line of text, padded to the `widths` of the columns.

    The first `word_columns` cells are aligned left, the others right.

    >>> _align_row(["Ann", "5"], [5, 3], word_columns=1)
    'Ann      5'
    """
    parts = []
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        padding = " " * (width - cell_len(cell))
        parts.append(cell + padding if column < word_columns else padding + cell)
    return GAP.join(parts)


def _fold_table(
    headings: Sequence[str], cells: Iterable[list[str]], word_columns: int, setting: OutputOptions
) -> str:
    """Return a table that is too wide for the page as text, with its cells folded."""
    folded = make_table(*headings, figures=len(headings) - word_columns)
    for row in cells:
        folded.add_row(*row)
    return render_to_string(folded, setting)


def _stack_table(
    headings: Sequence[str], cells: Iterable[list[str]], word_columns: int, setting: OutputOptions
) -> Iterator[str]:
    """Yield a table that is too wide for the page as lines without columns.

    Each row becomes its words, a line each, then pairs of a heading and a number.
    """
    for row in cells:
        yield from (
            f"{GAP * level}{word}\n" for level, word in enumerate(row[:word_columns]) if word
        )
        figures = zip(headings[word_columns:], row[word_columns:], strict=True)
        named = [f"{heading} {figure.strip()}" for heading, figure in figures if figure.strip()]
        for line in _fill_lines(named, setting.width - len(GAP) * word_columns):
            yield f"{GAP * word_columns}{line}".rstrip() + "\n"


def _fill_lines(parts: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines of at most `width` characters, each with as many parts as fit.

    >>> list(_fill_lines(["one", "two", "three"], 10))
    ['one  two', 'three']
    """
    line = ""
    for part in chain.from_iterable(wrap(part, width) for part in parts):
        longer = f"{line}{GAP}{part}" if line else part
        if line and cell_len(longer) > width:
            yield line
            longer = part
        line = longer
    yield line
