"""Documents as Markdown: headings, tables, and boards as blocks of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bganalyze.app.render.board import draw_board_text, shorten_name
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
    list_titled_boards,
)
from bganalyze.app.render.document_text import GRAPH_WIDTH, draw_sparkline
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.text import printable

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|&~$])")


def escape_markdown(text: str) -> str:
    r"""Return text with every Markdown character escaped.

    >>> escape_markdown("<b>|x|")
    '\\<b\\>\\|x\\|'
    """
    return _MARKS.sub(r"\\\1", printable(text))


def render(document: Document, _: OutputOptions) -> Iterator[str]:
    """Yield a document as Markdown: its chapters, then the closing notes."""
    for chapter in document.chapters:
        yield from _render_chapter(chapter)
    yield "".join(f"- {escape_markdown(words)}\n" for words in document.ending)


def render_sections(document: Document, _: OutputOptions) -> Iterator[str]:
    """Yield reports over many matches as Markdown.

    Closing notes follow the tables of the reports.
    """
    for chapter in document.chapters:
        yield f"## {escape_markdown(chapter.title)}\n\n"
        for part in chapter.parts:
            yield f"### {escape_markdown(part.title)}\n\n"
            for block in part.blocks:
                yield from _render_section_block(block)
    yield "".join(f"- {escape_markdown(words)}\n" for words in document.ending)


def _render_section_block(block: Block) -> Iterable[str]:
    """Return a block (such as a table or note) as Markdown, without the block's caption."""
    pieces = _render_table(block) if isinstance(block, Grid) else _render_block(block)
    return (*pieces, "\n") if isinstance(block, Grid | Diagrams) else pieces


def _render_chapter(chapter: Chapter) -> Iterator[str]:
    """Yield a chapter as Markdown: players and score, labeled facts, then its sections."""
    if chapter.versus is not None:
        left, right = map(escape_markdown, chapter.versus.names)
        yield f"# {left} {chapter.versus.score} {right}\n\n"
        yield f"{escape_markdown(chapter.versus.outcome)}\n\n"
    yield _render_facts(chapter.facts)
    for part in (*chapter.opening, *chapter.parts):
        yield f"## {escape_markdown(part.title)}\n\n"
        for block in part.blocks:
            yield from _render_block(block)


def _render_block(block: Block) -> Iterable[str]:
    """Return a block (table, note, graph or boards) as Markdown."""
    match block:
        case Grid():
            return _render_grid(block)
        case Heading():
            return (f"### {escape_markdown(block.text)}\n\n",)
        case Note():
            return (f"{escape_markdown(block.text)}\n\n",)
        case Lines():
            return (*(f"- {escape_markdown(line)}\n" for line in block.lines), "\n")
        case Graph():
            return _render_graph(block)
        case Diagrams():
            return (piece for board in block.diagrams for piece in _render_diagram(board))
        case DiagramSteps():
            return _render_steps(block)
    return ()


def _render_grid(grid: Grid) -> Iterator[str]:
    """Yield a table as Markdown, under its caption if it has one."""
    if grid.caption:
        yield f"### {escape_markdown(grid.caption)}\n\n"
    yield from _render_table(grid)
    yield "\n"


def _render_table(grid: Grid) -> Iterator[str]:
    """Yield the Markdown rows of a table."""
    figures = len(grid.headings) - grid.words
    yield _render_row(map(escape_markdown, grid.headings))
    yield _render_row(["---"] * grid.words + ["---:"] * figures)
    yield from (_render_row(map(_render_cell, row)) for row in grid.rows)
    if grid.total:
        texts = map(_render_cell, grid.total)
        yield _render_row(f"**{text}**" if text else "" for text in texts)


def _render_row(cells: Iterable[str]) -> str:
    """Return cells as a row of a Markdown table."""
    return f"| {' | '.join(cells)} |\n"


def _render_cell(cell: Cell) -> str:
    """Return a table cell as Markdown, with its small print in parentheses."""
    return escape_markdown(f"{cell.text} ({cell.detail})" if cell.detail else cell.text)


def _render_graph(graph: Graph) -> Iterator[str]:
    """Yield a graph as Markdown: its title, its meaning, and its curves.

    Each curve is a line of block characters, such as `▁▅█`.
    """
    yield f"### {escape_markdown(graph.title)}\n\n{escape_markdown(graph.about)}\n\n```text\n"
    most = max((height for curve in graph.curves for _, height in curve.points), default=0)
    for curve in graph.curves:
        line = draw_sparkline([height for _, height in curve.points], most, GRAPH_WIDTH)
        yield f"{line} {shorten_name(curve.name)}\n"
    yield "```\n\n"


def _render_steps(steps: DiagramSteps) -> Iterator[str]:
    """Yield the first boards of a series as Markdown, and the number of the others."""
    yield f"{escape_markdown(steps.title)}\n\n"
    for diagram in steps.diagrams[:FIRST]:
        yield from _render_diagram(diagram)
    if len(steps.diagrams) > FIRST:
        yield f"And {len(steps.diagrams) - FIRST:,} more: see --html or --format json.\n\n"


def _render_diagram(diagram: Diagram) -> Iterator[str]:
    """Yield a board as Markdown, with its title and labeled facts."""
    yield f"### {escape_markdown(diagram.title)}\n\n"
    for words, scene in list_titled_boards(diagram):
        drawn = "".join(f"{line}\n" for line in draw_board_text(scene))
        yield f"{words}:\n\n" if words else ""
        yield f"```text\n{drawn}```\n\n"
    if diagram.line.strip():
        yield f"- Line: {escape_markdown(diagram.line.strip())}\n"
    yield _render_facts(diagram.facts)


def _render_facts(facts: Iterable[tuple[str, str]]) -> str:
    r"""Return pairs of a label and a text as a Markdown list.

    >>> _render_facts([("Event", "Cup"), ("Round", "2")])
    '- Event: Cup\n- Round: 2\n\n'
    """
    return "".join(f"- {label}: {escape_markdown(fact)}\n" for label, fact in facts) + "\n"
