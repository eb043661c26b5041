"""Text for people: tables as wide as the page, boards as drawings, graphs as lines of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from rich.cells import cell_len
from rich.text import Text

from bganalyze.render.board import WIDTH, board_text, short_name
from bganalyze.render.console import as_string, table
from bganalyze.render.document import (
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
)
from bganalyze.render.setting import OutputOptions
from bganalyze.text import printable

# A graph as a line of text.

_BLOCKS = "▁▂▃▄▅▆▇█"
_ASCII = "_.-~=+*#"


def spark(heights: Sequence[float], most: float, width: int, *, unicode: bool = True) -> str:
    """Return heights from 0 to `most` as a line of at most so many characters.

    >>> spark([0, 50, 100], 100, 10)
    '▁▅█'
    >>> spark(range(101), 100, 5, unicode=False)
    '_-=+#'
    """
    marks = _BLOCKS if unicode else _ASCII
    if not heights or most <= 0:
        return ""
    taken = min(width, len(heights))
    last = len(heights) - 1
    places = [round(last * step / max(taken - 1, 1)) for step in range(taken)]
    steps = len(marks) - 1
    return "".join(marks[round(steps * min(heights[place], most) / most)] for place in places)


GRAPH_WIDTH = 60
_TONES = {"error": "bold red", "warning": "yellow", "info": "cyan", "": ""}


def render(document: Document, setting: OutputOptions) -> Iterator[str]:
    """Yield the chapters, and what stands at the end."""
    for chapter in document.chapters:
        yield from _chapter(chapter, setting)
    yield from (f"{_shown(words, setting)}\n" for words in document.ending)


def _chapter(chapter: Chapter, setting: OutputOptions) -> Iterator[str]:
    yield from _head(chapter, setting)
    for part in chapter.parts:
        yield "\n" + as_string(Text(_shown(part.title, setting), "bold underline"), setting)
        for block in part.blocks:
            yield "\n" + "".join(_block(block, setting))
    yield "\n"


def _head(chapter: Chapter, setting: OutputOptions) -> Iterator[str]:
    shown = partial(_shown, setting=setting)
    if chapter.versus is None:
        yield as_string(Text(shown(chapter.title), "bold"), setting)
    else:
        (left, right), (own, other) = chapter.versus.names, chapter.versus.points
        yield as_string(Text(f"{shown(left)}  {own} : {other}  {shown(right)}", "bold"), setting)
        yield f"{shown(chapter.versus.outcome)}\n"
    yield from (f"{label.lower()}: {shown(named)}\n" for label, named in chapter.facts)


def _block(block: Block, setting: OutputOptions) -> Iterable[str]:
    match block:
        case Grid():
            return _grid(block, setting)
        case Note():
            said = Text(_shown(block.text, setting), _TONES[block.tone])
            return (as_string(said, setting),)
        case Graph():
            return _graph(block, setting)
        case Diagrams():
            return (piece for each in block.diagrams for piece in diagram_text(each, setting))
        case Steps():
            return _steps(block, setting)
    return ()


def _grid(grid: Grid, setting: OutputOptions) -> Iterator[str]:
    shown = partial(_shown, setting=setting)
    if grid.caption:
        yield as_string(Text(shown(grid.caption), "italic"), setting)
    headings = [shown(each) for each in grid.headings]
    made = table(*headings, figures=len(headings) - grid.words)
    for row in grid.rows:
        made.add_row(*(_cell(cell, setting) for cell in row))
    if grid.total:
        made.add_row(*(_cell(cell, setting) for cell in grid.total), style="bold")
    yield as_string(made, setting)


def _cell(cell: Cell, setting: OutputOptions) -> Text:
    text = Text(_shown(cell.text, setting), _TONES[cell.tone])
    if cell.detail:
        text.append(f" ({_shown(cell.detail, setting)})", "dim")
    return text


def _graph(graph: Graph, setting: OutputOptions) -> Iterator[str]:
    yield as_string(Text(_shown(graph.title, setting), "italic"), setting)
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
        yield f"{_shown(mark.about, setting)} (after {mark.across:g} {graph.across})\n"


def _steps(steps: Steps, setting: OutputOptions) -> Iterator[str]:
    yield as_string(Text(_shown(steps.title, setting), "italic"), setting) + "\n"
    for each in steps.diagrams[:FIRST]:
        yield from diagram_text(each, setting)
    if len(steps.diagrams) > FIRST:
        yield f"and {len(steps.diagrams) - FIRST:,} more, which --html and --format json show\n"


def diagram_text(diagram: Diagram, setting: OutputOptions) -> Iterator[str]:
    """Yield a board with its title above it and what there is to say below."""
    heading = Text(_shown(diagram.title, setting), _TONES[diagram.tone] or "italic")
    yield as_string(heading, setting)
    if diagram.line:
        yield f"  {_shown(diagram.line.strip(), setting)}\n"
    if diagram.scene is not None and setting.board and setting.width >= WIDTH:
        for line in board_text(diagram.scene, setting.encoding):
            yield f"  {line}\n"
    for label, named in diagram.facts:
        yield f"  {label.lower()}: {_shown(named, setting)}\n"
    yield "\n"


def _shown(text: str, setting: OutputOptions) -> str:
    return printable(text.replace("\t", " "), setting.encoding)
