"""A document: chapters of parts of blocks, of which text, Markdown and a page of HTML are made.

Nothing here knows how it will look. Text stands as it came from the file; whoever writes it out
makes it fit for the place it goes to.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bganalyze.render.board import Scene

FIRST = 10
"""How many steps are shown where one cannot go through them: in text, and in print."""

Tone: TypeAlias = Literal["", "error", "warning", "info"]


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    detail: str = ""
    """What stands behind it: of how many, how many were expected."""
    about: str = ""
    """What it means, in a sentence; only where there is room."""
    tone: Tone = ""


class Grid(NamedTuple):
    """A table. Its first columns hold words, the others figures."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: int = 1
    total: tuple[Cell, ...] = ()
    """A last row that sums the others."""


class Note(NamedTuple):
    """A sentence or two."""

    text: str
    tone: Tone = ""


class Diagram(NamedTuple):
    """A board, where there is one, with what there is to say about it."""

    title: str
    scene: Scene | None
    facts: tuple[tuple[str, str], ...] = ()
    """Pairs of a label and what it names."""
    line: str = ""
    """The line of the file that it is about."""
    tone: Tone = ""


class Diagrams(NamedTuple):
    """Diagrams beside each other."""

    diagrams: tuple[Diagram, ...]


class Steps(NamedTuple):
    """Diagrams that one goes through one after the other, the most important first."""

    title: str
    diagrams: tuple[Diagram, ...]
    whose: tuple[str, ...]
    """Whom each is about, so that one can go through those of one person."""


class Curve(NamedTuple):
    """A line of a graph, for one of two sides."""

    name: str
    side: int
    """0 the left player, 1 the right."""
    points: tuple[tuple[float, float], ...]


class Mark(NamedTuple):
    """Something at a place of a graph."""

    across: float
    side: int
    text: str
    about: str


class Graph(NamedTuple):
    """Lines over a common axis."""

    title: str
    about: str
    """What it shows, for those who do not see it."""
    across: str
    up: str
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...] = ()
    goal: float | None = None
    """A height that is to be reached."""


class Picture(NamedTuple):
    """A picture made elsewhere, as the bytes of an SVG file."""

    about: str
    svg: bytes


Block: TypeAlias = Grid | Note | Diagrams | Steps | Graph | Picture


class Part(NamedTuple):
    """A section with its blocks."""

    title: str
    blocks: tuple[Block, ...]


class Versus(NamedTuple):
    """Two players and what they have reached."""

    names: tuple[str, str]
    points: tuple[str, str]
    outcome: str
    winner: int | None = None


class Chapter(NamedTuple):
    """One match, or one report."""

    title: str
    parts: tuple[Part, ...]
    versus: Versus | None = None
    facts: tuple[tuple[str, str], ...] = ()


class Document(NamedTuple):
    """What is written out as a whole."""

    title: str
    chapters: tuple[Chapter, ...]
    ending: tuple[str, ...] = ()
    """What stands at the end: what was counted, and the law."""
