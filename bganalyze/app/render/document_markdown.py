"""A document as Markdown: a heading for each part, tables, and boards as blocks of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bganalyze.app.render.board import board_text, short_name
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
from bganalyze.app.render.document_text import GRAPH_WIDTH, spark
from bganalyze.app.render.setting import OutputOptions
from bganalyze.text import printable

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|&~$])")


def escaped(text: str) -> str:
    r"""Return text in which nothing is markup.

    >>> escaped("<b>|x|")
    '\\<b\\>\\|x\\|'
    """
    return _MARKS.sub(r"\\\1", printable(text))


def render(document: Document, _: OutputOptions) -> Iterator[str]:
    """Yield the chapters, and what stands at the end."""
    for chapter in document.chapters:
        yield from _chapter(chapter)
    yield "".join(f"- {escaped(words)}\n" for words in document.ending)


def render_sections(document: Document, _: OutputOptions) -> Iterator[str]:
    """Yield the parts of all chapters one below another, and what stands at the end."""
    for chapter in document.chapters:
        yield f"## {escaped(chapter.title)}\n\n"
        for part in chapter.parts:
            yield f"### {escaped(part.title)}\n\n"
            for block in part.blocks:
                yield from _section_block(block)
    yield "".join(f"- {escaped(words)}\n" for words in document.ending)


def _section_block(block: Block) -> Iterable[str]:
    """A block as in a chapter, but a table without its caption, and boards with room below."""
    pieces = _table(block) if isinstance(block, Grid) else _block(block)
    return (*pieces, "\n") if isinstance(block, Grid | Diagrams) else pieces


def _chapter(chapter: Chapter) -> Iterator[str]:
    if chapter.versus is not None:
        (left, right), points = chapter.versus.names, chapter.versus.points
        yield f"# {escaped(left)} {points[0]} : {points[1]} {escaped(right)}\n\n"
        yield f"{escaped(chapter.versus.outcome)}\n\n"
    yield _facts(chapter.facts)
    for part in chapter.parts:
        yield f"## {escaped(part.title)}\n\n"
        for block in part.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterable[str]:
    match block:
        case Grid():
            return _grid(block)
        case Note():
            return (f"{escaped(block.text)}\n\n",)
        case Graph():
            return _graph(block)
        case Diagrams():
            return (piece for board in block.diagrams for piece in _diagram(board))
        case Steps():
            return _steps(block)
    return ()


def _grid(grid: Grid) -> Iterator[str]:
    if grid.caption:
        yield f"### {escaped(grid.caption)}\n\n"
    yield from _table(grid)
    yield "\n"


def _table(grid: Grid) -> Iterator[str]:
    figures = len(grid.headings) - grid.words
    yield _row(map(escaped, grid.headings))
    yield _row(["---"] * grid.words + ["---:"] * figures)
    yield from (_row(map(_cell, row)) for row in grid.rows)
    if grid.total:
        yield _row(f"**{_cell(cell)}**" for cell in grid.total)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: Cell) -> str:
    return escaped(f"{cell.text} ({cell.detail})" if cell.detail else cell.text)


def _graph(graph: Graph) -> Iterator[str]:
    yield f"### {escaped(graph.title)}\n\n{escaped(graph.about)}\n\n```text\n"
    most = max((height for curve in graph.curves for _, height in curve.points), default=0)
    for curve in graph.curves:
        line = spark([height for _, height in curve.points], most, GRAPH_WIDTH)
        yield f"{line} {short_name(curve.name)}\n"
    yield "```\n\n"


def _steps(steps: Steps) -> Iterator[str]:
    yield f"{escaped(steps.title)}\n\n"
    for diagram in steps.diagrams[:FIRST]:
        yield from _diagram(diagram)
    if len(steps.diagrams) > FIRST:
        yield f"And {len(steps.diagrams) - FIRST:,} more, which --html and --format json show.\n\n"


def _diagram(diagram: Diagram) -> Iterator[str]:
    """A board with its title above it and the facts below."""
    yield f"### {escaped(diagram.title)}\n\n"
    for words, scene in titled_boards(diagram):
        drawn = "".join(f"{line}\n" for line in board_text(scene))
        yield f"{words}:\n\n" if words else ""
        yield f"```text\n{drawn}```\n\n"
    if diagram.line.strip():
        yield f"- Line: {escaped(diagram.line.strip())}\n"
    yield _facts(diagram.facts)


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    return "".join(f"- {label}: {escaped(fact)}\n" for label, fact in facts) + "\n"
