"""A document of chapters, parts and blocks, to be written as text, Markdown or HTML.

It says nothing about its look. Text is as it came from the file: each renderer escapes it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bganalyze.app.render.board import Scene
from bganalyze.app.render.playback import Playback, Spot

FIRST = 10
"""Steps shown where readers cannot page through them: in text and in print."""

Tone: TypeAlias = Literal["", "error", "warning", "info"]


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    detail: str = ""
    """The basis of the figure: the number of cases, the number expected."""
    about: str = ""
    """Its meaning in a sentence; shown only where there is space."""
    tone: Tone = ""
    link: str = ""
    """The page that it leads to, relative to this one; followed on pages only."""
    unbroken: bool = False
    """Whether a page keeps it in one line."""


class Grid(NamedTuple):
    """A table. Its first `words` columns hold words, the others figures."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: int = 1
    total: tuple[Cell, ...] = ()
    """A last row that sums the others."""
    separable: bool = False
    """Whether a table that is too wide may be split into tables of fewer columns."""


class Note(NamedTuple):
    """A note of one or two sentences; a page adds a missing capital or period."""

    text: str
    tone: Tone = ""


class Heading(NamedTuple):
    """A heading inside a section."""

    text: str


class Lines(NamedTuple):
    """Short sentences, a line each."""

    lines: tuple[str, ...]


class Diagram(NamedTuple):
    """A board with its facts, or the facts alone."""

    title: str
    scene: Scene | None
    facts: tuple[tuple[str, str], ...] = ()
    """Pairs of a label and its value."""
    line: str = ""
    """The line of the file."""
    tone: Tone = ""
    after: Scene | None = None
    """The board after an illegal play."""
    after_title: str = "After"
    """The title of that board, with the play that was taken instead of the written one."""
    spot: Spot | None = None
    """Its place in the match, which the viewer on the page can show."""
    place_on_paper: str = ""
    """The fact `Place` as a print has it, with a short file name; "" for the same as on the page."""


def list_titled_boards(diagram: Diagram) -> tuple[tuple[str, Scene], ...]:
    """Return the boards of a diagram (at most two: before and after), each with a title."""
    if diagram.scene is None:
        return ()
    if diagram.after is None:
        return (("", diagram.scene),)
    return (("Before", diagram.scene), (diagram.after_title, diagram.after))


class Diagrams(NamedTuple):
    """Diagrams side by side."""

    diagrams: tuple[Diagram, ...]
    small: bool = False
    """Whether they are drawn small, because there are many."""


class DiagramSteps(NamedTuple):
    """Diagrams to read one by one, the most important first."""

    title: str
    diagrams: tuple[Diagram, ...]
    whose: tuple[str, ...]
    """The player of each diagram."""
    asked: tuple[str, ...]
    """The question each diagram asks."""


class Curve(NamedTuple):
    """A line of a graph, for one of two sides."""

    name: str
    side: int
    """0 the left player, 1 the right."""
    points: tuple[tuple[float, float], ...]


class Mark(NamedTuple):
    """An event on a curve of a graph."""

    across: float
    side: int
    text: str
    about: str


class Graph(NamedTuple):
    """Curves over a common axis."""

    title: str
    about: str
    """The graph in words, for readers who cannot see it."""
    across: str
    up: str
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...] = ()
    goal: float | None = None
    """The height that ends the match, drawn as a line."""


class Picture(NamedTuple):
    """A picture as the bytes of an SVG file; shown on pages only."""

    about: str
    svg: bytes


class Tile(NamedTuple):
    """One figure to be read at a glance."""

    label: str
    value: str
    detail: str = ""


class Tiles(NamedTuple):
    """Figures side by side; shown on pages only."""

    tiles: tuple[Tile, ...]


Block: TypeAlias = Grid | Heading | Note | Lines | Diagrams | DiagramSteps | Graph | Picture | Tiles


class Part(NamedTuple):
    """A section with its blocks."""

    title: str
    blocks: tuple[Block, ...]
    is_narrow: bool = False
    """Whether a compact print has it beside the next narrow part."""
    is_background: bool = False
    """Whether a page has it closed at first; a compact print leaves it out while it is closed."""
    is_printed: bool = False
    """Whether a compact print has it although it is closed."""


class PlayersAndScore(NamedTuple):
    """Two players and their score."""

    names: tuple[str, str]
    points: tuple[str, str]
    outcome: str
    winner: int | None = None
    other_points: tuple[str, str] | None = None
    """The points by another reading of the record, or None."""

    @property
    def score(self) -> str:
        """The score as text, or both possible scores if the result is disputed.

        >>> PlayersAndScore(("Ann", "Bob"), ("7", "17"), "disputed", None, ("9", "15")).score
        '7–17 or 9–15'
        """
        if self.other_points is None:
            return " : ".join(self.points)
        return " or ".join("–".join(points) for points in (self.points, self.other_points))


class Chapter(NamedTuple):
    """One match, or one report."""

    title: str
    parts: tuple[Part, ...]
    versus: PlayersAndScore | None = None
    facts: tuple[tuple[str, str], ...] = ()
    playback: Playback | None = None
    """The match to play through, or None; shown on pages only."""
    opening: tuple[Part, ...] = ()
    """Parts above everything else, such as a disputed result."""


def add_first_section(chapter: Chapter, part: Part | None) -> Chapter:
    """Return a chapter with `part` as its first section; if `part` is None, unchanged."""
    return chapter if part is None else chapter._replace(opening=(part, *chapter.opening))


class Document(NamedTuple):
    """Chapters with a title and closing notes."""

    title: str
    chapters: tuple[Chapter, ...]
    ending: tuple[str, ...] = ()
    """Closing notes, such as the number of matches counted and the rule book."""
    layout: Literal["", "sheet", "compact"] = ""
    """Print layout of a page; `sheet` fits it on one sheet of paper, `compact` on few."""
