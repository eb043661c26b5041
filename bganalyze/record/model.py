"""What a file says: matches, games and actions, each with its place in the text.

Nothing here is checked. Sides are `LEFT` and `RIGHT`, the columns of the score line. Points are in
the numbering of the side that plays: 25 the bar, 0 off.
"""

# Annotations are values in this module, and in others of many tuples: a NamedTuple compiles those that
# are kept as text. Measured: of all of them together, 3 % of a check of one file.

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

from bganalyze.board.position import Points, Step
from bganalyze.text import html_table, number_of, printable

Side = Literal[0, 1]
LEFT: Side = 0
RIGHT: Side = 1
SIDE_NAMES = ("left", "right")

MOST_DIGITS = 9
"""Digits of the largest number that a match holds."""


def other_side(side: Side) -> Side:
    """Return the opponent of `side`."""
    return RIGHT if side == LEFT else LEFT


class Span(NamedTuple):
    """A place in a file: 1-based line, and columns in characters; `end_column` is exclusive."""

    line: int
    column: int
    end_column: int


class PlayRecord(StrEnum):
    """What a record shows after a roll."""

    PLAYED = "played"
    EMPTY = "empty"
    CANNOT_MOVE = "cannot-move"
    UNPLAYED = "unplayed"
    UNREAD = "unread"


class Analysis(NamedTuple):
    """What a program has stored with an action, kept as written for whoever can read it."""

    program: str
    entries: tuple[tuple[str, str], ...]
    """(name, text) of each entry, in the program's own notation."""


class SetUp(NamedTuple):
    """A position written into the record: both sides' checkers and, where stated, cube and turn."""

    span: Span
    row: str | None
    boards: tuple[Points, Points] | None
    """Left's and right's checkers; None where only the cube or the turn is stated."""
    cube_value: int | None = None
    cube_owner: Side | None = None
    on_roll: Side | None = None
    crawford: bool | None = None
    """Whether the record marks the game as the Crawford game, where it says."""
    analysis: Analysis | None = None


class Play(NamedTuple):
    """A roll and what was done with it; `dice` is None where the record has no roll."""

    span: Span
    row: str | None
    side: Side
    dice: tuple[int, int] | None
    steps: tuple[Step, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    """For each step, where it starts and ends, counted from the start of its cell."""
    how: PlayRecord = PlayRecord.PLAYED
    called_illegal: bool = False
    """The record itself says that the play is illegal."""
    left_board: SetUp | None = None
    """The board that the play left, where the record states it (`Illegal play (…)`)."""
    cell_offset: int = 0
    """How far into its cell the play starts."""
    analysis: Analysis | None = None
    seconds: float | None = None
    """How long it took by the clock: since the action before it, in the same game."""

    def place(self, step: int) -> Span:
        """Where the step of that index stands in the file."""
        start, end = self.places[step]
        cell = self.span.column - self.cell_offset
        return Span(self.span.line, cell + start, cell + end)


class Double(NamedTuple):
    """An offer of the cube. `value` is the value written, the one in force if it is taken."""

    span: Span
    row: str | None
    side: Side
    value: int | None
    kind: Literal["double", "beaver", "raccoon"] = "double"
    analysis: Analysis | None = None
    seconds: float | None = None
    """How long it took by the clock: since the action before it, in the same game."""


class Answer(NamedTuple):
    """A take or a pass."""

    span: Span
    row: str | None
    side: Side
    taken: bool
    analysis: Analysis | None = None
    seconds: float | None = None
    """How long it took by the clock: since the action before it, in the same game."""


class Resignation(NamedTuple):
    """A game or match given up by `side`; `points` or `size` where the record states them."""

    span: Span
    row: str | None
    side: Side
    points: int | None = None
    manner: Literal["resigned", "resigned-match", "forfeit", "time"] = "resigned"
    size: Literal[1, 2, 3] | None = None
    """In units of the cube: single, gammon or backgammon."""
    declined: bool = False
    """The other side has declined the offer: the game goes on."""


class Result(NamedTuple):
    """`Wins N points`: `side` won `points`; `match` where the record adds: and the match."""

    span: Span
    row: str | None
    side: Side
    points: int
    match: bool = False


class Unread(NamedTuple):
    """Text that no grammar reads. `side` is None outside the columns."""

    span: Span
    row: str | None
    side: Side | None
    text: str
    """Of several lines the first."""
    last_line: int | None = None
    """Where such text goes on to, if it is several lines with nothing else between them."""


class Comment(NamedTuple):
    """A comment line inside a game."""

    span: Span
    row: str | None
    text: str


Action = Play | Double | Answer | Resignation | Result | SetUp | Unread | Comment


Noticed = Literal[
    "unreadable-text", "undecodable-bytes", "row-number", "false-signature", "impossible-value"
]
"""The rules of which a reader may notice something."""


class ReaderNote(NamedTuple):
    """Something the reader noticed about the text itself; `rule` names the rule it belongs to."""

    rule: Noticed
    span: Span
    text: str
    game: int | None = None
    row: str | None = None
    side: Side | None = None


class ScoreLine(NamedTuple):
    """A score line: the two names as written, and the points before the game."""

    span: Span
    names: tuple[str, str]
    points: tuple[int, int]
    spans: tuple[Span, Span]


class Game(NamedTuple):
    """One game as recorded. `number` is as written, `span` the place of its first line."""

    span: Span
    number: int | None
    score: ScoreLine | None
    actions: tuple[Action, ...]
    crawford: bool | None = None
    """Whether the record marks it as the Crawford game, where it says."""
    cube: int | None = None
    """The value that the cube starts with, where the record says."""

    def number_at(self, place: int) -> int:
        """Return the number of the game as written, or else its place in the match, counted from 1."""
        return self.number or place

    def besides_plays(self) -> list[Action]:
        """Return the actions that are no plays: few, so that what asks for them alone is quick."""
        return [action for action in self.actions if type(action) is not Play]


REMARK = "Comment"
"""The key of a header entry that is a comment: a line above the first game, without a key."""


class Tag(NamedTuple):
    """A header entry: `; [Key "Value"]`."""

    span: Span
    key: str
    value: str


class Length(NamedTuple):
    """The match line. `points` 0 is a money game."""

    span: Span
    points: int


class Source(NamedTuple):
    """The file a match was read from."""

    path: str
    encoding: str
    lines: Sequence[str]

    def text_at(self, span: Span) -> str:
        """Return what stands at a place; nothing where a match was made and never written."""
        lines = self.lines[span.line - 1 : span.line]
        return lines[0][span.column - 1 : span.end_column - 1] if lines else ""


class Profile(NamedTuple):
    """The producer's conventions, stated by the header or inferred from the text."""

    producer: str
    marks_hits: bool
    writes_dances: bool
    """Dances are spelled (`Cannot Move`); an empty cell then means something else."""
    spells_resignations: bool
    caps_points: bool
    """Points are written as they count: no more than the winner needs."""
    one_game_is_money: bool
    """A declared length with exactly one game stands for an unlimited game."""
    notes: tuple[tuple[str, str], ...] = ()
    """(convention, what it was inferred from), for a person to read."""


class Match(NamedTuple):
    """One match as recorded."""

    source: Source
    number: int
    format: str
    length: Length | None
    tags: tuple[Tag, ...]
    games: tuple[Game, ...]
    oddities: tuple[ReaderNote, ...]
    profile: Profile

    def __repr__(self) -> str:
        """Who, how long and where, in a line."""
        left, right = map(printable, self.names)
        path = printable(self.source.path)
        return f"<Match {path}: {left} – {right}, {self.extent}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        tags = (("date", self.tag("EventDate")), ("event", self.tag("Event")))
        return html_table(
            (
                ("match", " – ".join(self.names)),
                ("extent", self.extent),
                ("file", self.source.path),
                ("format", self.format),
                *((name, value) for name, value in tags if value),
            )
        )

    @property
    def extent(self) -> str:
        """How long the match is, and how much of it is recorded."""
        games = number_of(len(self.games), "game")
        if self.length is None:
            return f"length not recorded, {games}"
        to = "money play" if self.length.points == 0 else number_of(self.length.points, "point")
        return f"{to}, {games}"

    @property
    def names(self) -> tuple[str, str]:
        """The players of the first score line, left and right."""
        for game in self.games:
            if game.score is not None:
                return game.score.names
        return ("left", "right")

    @property
    def beginning(self) -> Span | None:
        """Where its length is stated, or else its first game begins; None where neither is there."""
        if self.length is not None:
            return self.length.span
        return self.games[0].span if self.games else None

    def plays(self) -> Iterator[Play]:
        """Yield the plays of all games in their order."""
        return (action for game in self.games for action in game.actions if type(action) is Play)

    def tag(self, key: str) -> str | None:
        """The value of the header entry `key` (any case), or None."""
        folded = key.casefold()
        for tag in self.tags:
            if tag.key.casefold() == folded:
                return tag.value
        return None
