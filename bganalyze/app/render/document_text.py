"""A document as text: tables as wide as the page, boards as drawings, graphs as rows of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, takewhile
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from bganalyze.app.render.board import WIDTH, board_text, short_name
from bganalyze.app.render.console import as_string, fit, table
from bganalyze.app.render.document import (
    FIRST,
    Block,
    Cell,
    Chapter,
    Diagram,
    Diagrams,
    Document,
    Graph,
    Grid,
    Note,
    Steps,
    titled_boards,
)
from bganalyze.app.render.setting import OutputOptions

GRAPH_WIDTH = 60
_BLOCKS = "▁▂▃▄▅▆▇█"
_ASCII = "_.-~=+*#"
_TONES = {"error": "bold red", "warning": "yellow", "info": "cyan", "": ""}


def spark(heights: Sequence[float], most: float, width: int, *, unicode: bool = True) -> str:
    """Return heights from 0 to `most` as a line of at most `width` characters.

    >>> spark([0, 50, 100], 100, 10)
    '▁▅█'
    >>> spark(range(101), 100, 5, unicode=False)
    '_-=+#'
    """
    marks = _BLOCKS if unicode else _ASCII
    if not heights or most <= 0:
        return ""
    length = min(width, len(heights))
    last, highest = len(heights) - 1, len(marks) - 1
    samples = [heights[round(last * step / max(length - 1, 1))] for step in range(length)]
    return "".join(marks[round(highest * min(height, most) / most)] for height in samples)


def render(document: Document, setting: OutputOptions) -> Iterator[str]:
    """Yield the chapters, and what stands at the end."""
    for chapter in document.chapters:
        yield from _chapter(chapter, setting)
    yield from (f"{fit(words, setting)}\n" for words in document.ending)


def render_sections(document: Document, setting: OutputOptions) -> Iterator[str]:
    """Yield the parts of all chapters one below another, and what stands at the end."""
    for chapter in document.chapters:
        for part in chapter.parts:
            yield as_string(Text(f"{part.title} ({chapter.title})", "bold"), setting)
            for block in part.blocks:
                yield from _section_block(block, setting)
            yield "\n"
    yield from (f"{fit(words, setting)}\n" for words in document.ending)


def _section_block(block: Block, setting: OutputOptions) -> Iterable[str]:
    match block:
        case Grid():
            return _plain_grid(block, setting) if block.rows else ("nothing to count\n",)
        case Diagrams():
            return ("\n", *_block(block, setting))
    return _block(block, setting)


def _chapter(chapter: Chapter, setting: OutputOptions) -> Iterator[str]:
    yield from _head(chapter, setting)
    for part in chapter.parts:
        yield "\n" + as_string(Text(fit(part.title, setting), "bold underline"), setting)
        for block in part.blocks:
            yield "\n" + "".join(_block(block, setting))
    yield "\n"


def _head(chapter: Chapter, setting: OutputOptions) -> Iterator[str]:
    if chapter.versus is not None:
        (left, right), points = chapter.versus.names, chapter.versus.points
        score = f"{fit(left, setting)}  {points[0]} : {points[1]}  {fit(right, setting)}"
        yield as_string(Text(score, "bold"), setting)
        yield f"{fit(chapter.versus.outcome, setting)}\n"
    yield from (f"{label.lower()}: {fit(fact, setting)}\n" for label, fact in chapter.facts)


def _block(block: Block, setting: OutputOptions) -> Iterable[str]:
    match block:
        case Grid():
            return _grid(block, setting)
        case Note():
            return (as_string(Text(fit(block.text, setting), _TONES[block.tone]), setting),)
        case Graph():
            return _graph(block, setting)
        case Diagrams():
            return (piece for board in block.diagrams for piece in _diagram(board, setting))
        case Steps():
            return _steps(block, setting)
    return ()


def _grid(grid: Grid, setting: OutputOptions) -> Iterator[str]:
    if grid.caption:
        yield as_string(Text(fit(grid.caption, setting), "italic"), setting)
    headings = [fit(heading, setting) for heading in grid.headings]
    rows = table(*headings, figures=len(headings) - grid.words)
    for row in grid.rows:
        rows.add_row(*(_cell(cell, setting) for cell in row))
    if grid.total:
        rows.add_row(*(_cell(cell, setting) for cell in grid.total), style="bold")
    yield as_string(rows, setting)


def _cell(cell: Cell, setting: OutputOptions) -> Text:
    text = Text(fit(cell.text, setting), _TONES[cell.tone])
    if cell.detail:
        text.append(f" ({fit(cell.detail, setting)})", "dim")
    return text


def _graph(graph: Graph, setting: OutputOptions) -> Iterator[str]:
    yield as_string(Text(fit(graph.title, setting), "italic"), setting)
    most = max((height for curve in graph.curves for _, height in curve.points), default=0)
    names = [short_name(curve.name, setting.encoding) for curve in graph.curves]
    room = max(map(cell_len, names), default=0)
    for curve, name in zip(graph.curves, names, strict=True):
        heights = [height for _, height in curve.points]
        width = max(min(GRAPH_WIDTH, setting.width - room - 14), 8)
        line = spark(heights, most, width, unicode=setting.unicode)
        padding = " " * (room - cell_len(name))
        yield f"{name}{padding}  {heights[0]:>4g} {line} {heights[-1]:g}\n"
    for mark in graph.marks:
        yield f"{fit(mark.about, setting)} (after {mark.across:g} {graph.across})\n"


def _steps(steps: Steps, setting: OutputOptions) -> Iterator[str]:
    yield as_string(Text(fit(steps.title, setting), "italic"), setting) + "\n"
    for diagram in steps.diagrams[:FIRST]:
        yield from _diagram(diagram, setting)
    if len(steps.diagrams) > FIRST:
        yield f"and {len(steps.diagrams) - FIRST:,} more, which --html and --format json show\n"


def _diagram(diagram: Diagram, setting: OutputOptions) -> Iterator[str]:
    """A board with its title above it and the facts below."""
    heading = Text(fit(diagram.title, setting), _TONES[diagram.tone] or "italic")
    yield as_string(heading, setting)
    if diagram.line:
        yield f"  {fit(diagram.line.strip(), setting)}\n"
    if setting.board and setting.width >= WIDTH:
        for words, scene in titled_boards(diagram):
            lines = board_text(scene, setting.encoding)
            yield from (f"  {line}\n" for line in (f"{words}:", *lines) if line != ":")
    for label, fact in diagram.facts:
        yield f"  {label.lower()}: {fit(fact, setting)}\n"
    yield "\n"


# Tables of plain text, as `render_sections` writes them by the hundred: measured, Rich takes fifty
# times as long for a row.

GAP = "  "
"""Between columns."""

NARROWEST = 12
"""Columns of words with less room cannot be read."""


def _plain_grid(grid: Grid, setting: OutputOptions) -> Iterator[str]:
    """A table without colors; a cell that repeats the one above it, with all before it, is blank."""
    headings, words = grid.headings, grid.words
    cells = list(_without_repeats(grid, setting))
    widths = [max(map(cell_len, column)) for column in zip(headings, *cells, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) <= setting.width:
        yield as_string(Text(_aligned(headings, widths, words), "bold"), setting)
        yield from (f"{_aligned(row, widths, words).rstrip()}\n" for row in cells)
        return
    fitting = _fitting(widths, words, setting.width)
    if grid.separable and words < fitting < len(headings):
        yield from _plain_grid(_columns(grid, range(fitting)), setting)
        rest = (*range(words), *range(fitting, len(headings)))
        yield from ("\n", *_plain_grid(_columns(grid, rest), setting))
        return
    figures = sum(len(GAP) + width for width in widths[words:])
    if setting.width - figures < words * NARROWEST:
        yield from _stacked(headings, cells, words, setting)
    else:
        yield _folded(headings, cells, words, setting)


def _fitting(widths: Sequence[int], words: int, most: int) -> int:
    """How many columns from the first on are no wider than a line, those of words and one at least."""
    ends = accumulate(len(GAP) + width for width in widths)
    return max(sum(end - len(GAP) <= most for end in ends), words + 1)


def _columns(grid: Grid, places: Sequence[int]) -> Grid:
    """Some columns of a table, without the rows that have no figure there."""
    rows = (tuple(row[place] for place in places) for row in grid.rows)
    return grid._replace(
        headings=tuple(grid.headings[place] for place in places),
        rows=tuple(row for row in rows if any(cell.text for cell in row[grid.words :])),
    )


def _without_repeats(grid: Grid, setting: OutputOptions) -> Iterator[list[str]]:
    columns = [_texts(column, setting) for column in zip(*grid.rows, strict=True)]
    above: list[str] = []
    for row in zip(*columns, strict=True):
        cells = list(row)
        same = _shared(cells[: grid.words - 1], above)
        yield [""] * same + cells[same:]
        above = cells


def _texts(column: Sequence[Cell], setting: OutputOptions) -> list[str]:
    """The cells of a column, with their details below each other."""
    texts = [fit(cell.text, setting) for cell in column]
    details = [f" ({fit(cell.detail, setting)})" if cell.detail else "" for cell in column]
    room = max(map(cell_len, details))
    return [
        f"{text}{detail}{' ' * (room - cell_len(detail))}"
        for text, detail in zip(texts, details, strict=True)
    ]


def _shared(cells: Sequence[str], above: Sequence[str]) -> int:
    """How many cells from the first on are those of the row above."""
    pairs = zip(cells, above, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _aligned(row: Sequence[str], widths: Sequence[int], words: int) -> str:
    """Words to the left, figures to the right."""
    parts = []
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        padding = " " * (width - cell_len(cell))
        parts.append(cell + padding if column < words else padding + cell)
    return GAP.join(parts)


def _folded(
    headings: Sequence[str], cells: Iterable[list[str]], words: int, setting: OutputOptions
) -> str:
    """A table too wide for the page, with its cells folded."""
    folded = table(*headings, figures=len(headings) - words)
    for row in cells:
        folded.add_row(*row)
    return as_string(folded, setting)


def _stacked(
    headings: Sequence[str], cells: Iterable[list[str]], words: int, setting: OutputOptions
) -> Iterator[str]:
    """A table too wide even to be folded: under the words of each row its figures, each named."""
    for row in cells:
        yield from (f"{GAP * level}{word}\n" for level, word in enumerate(row[:words]) if word)
        figures = zip(headings[words:], row[words:], strict=True)
        named = [f"{heading} {figure.strip()}" for heading, figure in figures if figure.strip()]
        for line in _filled(named, setting.width - len(GAP) * words):
            yield f"{GAP * words}{line}".rstrip() + "\n"


def _filled(parts: Iterable[str], width: int) -> Iterator[str]:
    """As many of the parts on each line as fit; a part that is wider has lines of its own."""
    line = ""
    for part in chain.from_iterable(wrap(part, width) for part in parts):
        longer = f"{line}{GAP}{part}" if line else part
        if line and cell_len(longer) > width:
            yield line
            longer = part
        line = longer
    yield line
