"""A document: chapters, parts and blocks, to be written as text, Markdown or a page of HTML.

Nothing here knows how it will look. Text stands as it came from the file: whatever writes it makes
it fit for the place where it goes.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bganalyze.app.render.board import Scene
from bganalyze.app.render.player import Playback, Spot

FIRST = 10
"""How many steps are shown where nobody can go through them: in text and in print."""

Tone: TypeAlias = Literal["", "error", "warning", "info"]


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    detail: str = ""
    """What it rests on: of how many, how many were expected."""
    about: str = ""
    """What it means, in a sentence; only where there is room."""
    tone: Tone = ""


class Grid(NamedTuple):
    """A table. Its first `words` columns hold words, the others figures."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: int = 1
    total: tuple[Cell, ...] = ()
    """A last row that sums the others."""
    separable: bool = False
    """Whether each column says all by itself, so that they may stand in tables below one another."""


class Note(NamedTuple):
    """A sentence or two; a page adds the capital and the full stop where they are missing."""

    text: str
    tone: Tone = ""


class Diagram(NamedTuple):
    """A board, where there is one, with its facts."""

    title: str
    scene: Scene | None
    facts: tuple[tuple[str, str], ...] = ()
    """Pairs of a label and its value."""
    line: str = ""
    """The line of the file it is about."""
    tone: Tone = ""
    after: Scene | None = None
    """The board that an illegal play left."""
    spot: Spot | None = None
    """Where in a match it is: a player shows it there."""


def titled_boards(diagram: Diagram) -> tuple[tuple[str, Scene], ...]:
    """Return the boards of a diagram; where there are two, each with the words above it."""
    if diagram.scene is None:
        return ()
    if diagram.after is None:
        return (("", diagram.scene),)
    return (("Before", diagram.scene), ("After", diagram.after))


class Diagrams(NamedTuple):
    """Diagrams beside each other."""

    diagrams: tuple[Diagram, ...]


class Steps(NamedTuple):
    """Diagrams to go through one by one, the most important first."""

    title: str
    diagrams: tuple[Diagram, ...]
    whose: tuple[str, ...]
    """Whom each diagram is about."""
    asked: tuple[str, ...]
    """What there was to decide."""


class Curve(NamedTuple):
    """A line of a graph, for one of two sides."""

    name: str
    side: int
    """0 the left player, 1 the right."""
    points: tuple[tuple[float, float], ...]


class Mark(NamedTuple):
    """Something that happened at a place of a graph."""

    across: float
    side: int
    text: str
    about: str


class Graph(NamedTuple):
    """Lines over a common axis."""

    title: str
    about: str
    """What it shows, in words for those who cannot see it."""
    across: str
    up: str
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...] = ()
    goal: float | None = None
    """The height to be reached."""


class Picture(NamedTuple):
    """A picture made elsewhere, as the bytes of an SVG file; on pages only."""

    about: str
    svg: bytes


class Tile(NamedTuple):
    """One figure, to be seen at a glance."""

    label: str
    value: str
    detail: str = ""


class Tiles(NamedTuple):
    """Figures beside each other; on pages only."""

    tiles: tuple[Tile, ...]


Block: TypeAlias = Grid | Note | Diagrams | Steps | Graph | Picture | Tiles


class Part(NamedTuple):
    """A section with its blocks."""

    title: str
    blocks: tuple[Block, ...]


class Versus(NamedTuple):
    """Two players and their score."""

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
    player: Playback | None = None
    """The match to be played through, where it can be; on pages only."""


class Document(NamedTuple):
    """Chapters with one title and one ending."""

    title: str
    chapters: tuple[Chapter, ...]
    ending: tuple[str, ...] = ()
    """What stands at the end: what was counted, and the rule book."""
