"""The contents of a match file: matches, games and actions, each with its place in the text.

Nothing is checked here. Sides are `LEFT` and `RIGHT`, the columns of the score line. Points are in
the numbering of the side that plays: 25 is the bar, 0 is off.
"""

# Annotations are evaluated here, and in other modules with many NamedTuples, because a NamedTuple
# compiles postponed annotations: 3 % of a check of one file in all (measured).

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

from bganalyze.board.position import Points, Step
from bganalyze.text import html_table_of_pairs, number_of, printable

Side = Literal[0, 1]
LEFT: Side = 0
RIGHT: Side = 1
SIDE_NAMES = ("left", "right")

MOST_DIGITS = 9
"""Number of digits of the largest number in a match."""


def parse_number(digits: str) -> int:
    """Return the number that digits state, or 999,999,999 if it is larger."""
    return int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS - 1


def other_side(side: Side) -> Side:
    """Return the opponent's side: 0 is left, 1 is right."""
    return RIGHT if side == LEFT else LEFT


class Span(NamedTuple):
    """A place in a file: 1-based line, and columns in characters; `end_column` is exclusive."""

    line: int
    column: int
    end_column: int


class PlayRecord(StrEnum):
    """Kind of text that a match file has after a roll."""

    PLAYED = "played"
    EMPTY = "empty"
    CANNOT_MOVE = "cannot-move"
    UNPLAYED = "unplayed"
    UNREAD = "unread"


class Analysis(NamedTuple):
    """Analysis that a program stored with an action, in that program's own notation."""

    program: str
    entries: tuple[tuple[str, str], ...]
    """Name and text of each entry."""


REPORTED = "report"
"""Name of the entry with the lines that a report of GNU Backgammon has under an action."""


class SetUp(NamedTuple):
    """A position written into the match file: checkers and, if stated, cube and side on roll."""

    span: Span
    row: str | None
    boards: tuple[Points, Points] | None
    """Left's and right's checkers; None if only the cube or the side on roll is stated."""
    cube_value: int | None = None
    cube_owner: Side | None = None
    on_roll: Side | None = None
    crawford: bool | None = None
    """Whether this is marked as the Crawford game; None if the match file does not say."""
    analysis: Analysis | None = None


class Play(NamedTuple):
    """A roll and how it was played; `dice` is None if the match file has no roll."""

    span: Span
    row: str | None
    side: Side
    dice: tuple[int, int] | None
    steps: tuple[Step, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    """Start and end of each step, counted from the start of its cell."""
    how: PlayRecord = PlayRecord.PLAYED
    called_illegal: bool = False
    """Whether the match file itself calls the play illegal."""
    left_board: SetUp | None = None
    """Board after the play, if the match file states it (`Illegal play (…)`)."""
    cell_offset: int = 0
    """Offset of the play in its cell."""
    analysis: Analysis | None = None
    seconds: float | None = None
    """Seconds on the clock since the previous action of the game."""

    def place(self, step: int) -> Span:
        """Return the place in the file of the step with this index."""
        start, end = self.places[step]
        cell = self.span.column - self.cell_offset
        return Span(self.span.line, cell + start, cell + end)


class Double(NamedTuple):
    """A double. `value` is the cube value after a take, as written."""

    span: Span
    row: str | None
    side: Side
    value: int | None
    kind: Literal["double", "beaver", "raccoon"] = "double"
    analysis: Analysis | None = None
    seconds: float | None = None
    """Seconds on the clock since the previous action of the game."""


class Answer(NamedTuple):
    """A take or a pass."""

    span: Span
    row: str | None
    side: Side
    taken: bool
    analysis: Analysis | None = None
    seconds: float | None = None
    """Seconds on the clock since the previous action of the game."""


class Resignation(NamedTuple):
    """A game or match resigned by `side`; `points` or `size` if the match file states them."""

    span: Span
    row: str | None
    side: Side
    points: int | None = None
    manner: Literal["resigned", "resigned-match", "forfeit", "time"] = "resigned"
    size: Literal[1, 2, 3] | None = None
    """Single (1), gammon (2) or backgammon (3), in units of the cube."""
    declined: bool = False
    """Whether the other side declined the resignation, so that the game continues."""


class Result(NamedTuple):
    """`Wins N points`: `side` won `points`; `match` if the match file adds "and the match"."""

    span: Span
    row: str | None
    side: Side
    points: int
    match: bool = False


class Unread(NamedTuple):
    """Text that no grammar can read. `side` is None outside the columns."""

    span: Span
    row: str | None
    side: Side | None
    text: str
    """The text; its first line if there are several."""
    last_line: int | None = None
    """Last line of the text, if it covers several consecutive lines."""


class Comment(NamedTuple):
    """A comment line inside a game."""

    span: Span
    row: str | None
    text: str


class PointsGiven(NamedTuple):
    """A director's ruling that gives points, such as penalty points, to the side `to`.

    Points given before the first roll or double of a game count in that game's score. Points given
    later count in the score of the next game.
    """

    span: Span
    row: str | None
    to: Side
    points: int
    reason: str = ""
    """Reason as written, such as a clause of a rule book."""


class GameReplayed(NamedTuple):
    """A director's ruling that this game is played again, so its result does not count."""

    span: Span
    row: str | None
    reason: str = ""
    """Reason as written, such as a clause of a rule book."""


class CheckersPutBack(NamedTuple):
    """A director's ruling that moves checkers, in any direction, to correct an error."""

    span: Span
    row: str | None
    left: tuple[Step, ...] = ()
    """Movements of left's checkers, in left's numbering."""
    right: tuple[Step, ...] = ()
    """Movements of right's checkers, in right's numbering."""
    reason: str = ""
    """Reason as written, such as a clause of a rule book."""

    @property
    def steps(self) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
        """Movements of left's and of right's checkers, each in that side's numbering."""
        return self.left, self.right


RulingMade = PointsGiven | GameReplayed | CheckersPutBack
"""A director's ruling written into the match file."""

Action = Play | Double | Answer | Resignation | Result | SetUp | Unread | Comment | RulingMade


Noticed = Literal[
    "unreadable-text",
    "undecodable-bytes",
    "cleaned-text",
    "guessed-encoding",
    "row-number",
    "false-signature",
    "impossible-value",
]
"""Rules that readers report themselves."""


class ReaderNote(NamedTuple):
    """A remark of the reader on the text itself; `rule` names the rule that reports it."""

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
    """One game as recorded: `number` as written, `span` the place of its first line."""

    span: Span
    number: int | None
    score: ScoreLine | None
    actions: tuple[Action, ...]
    crawford: bool | None = None
    """Whether this is marked as the Crawford game; None if the match file does not say."""
    cube: int | None = None
    """Cube value at the start of the game, if the match file states it."""

    def number_at(self, place: int) -> int:
        """Return the number of the game as written, or `place` if no number is written."""
        return self.number or place

    def names_or(self, players: tuple[str, str]) -> tuple[str, str]:
        """Return the names on the score line, or `players` if there is no score line."""
        return players if self.score is None else self.score.names

    def actions_besides_plays(self) -> list[Action]:
        """Return all actions except plays, such as doubles, results and comments."""
        return [action for action in self.actions if type(action) is not Play]


REMARK = "Comment"
"""Key of a header entry that is a comment: a line without a key above the first game."""


class Tag(NamedTuple):
    """A header entry: `; [Key "Value"]`."""

    span: Span
    key: str
    value: str


class Length(NamedTuple):
    """The match line. `points` is 0 for a money game."""

    span: Span
    points: int


class Source(NamedTuple):
    """The file a match was read from."""

    path: str
    encoding: str
    lines: Sequence[str]
    row_starts: tuple[tuple[int, int], ...] = ()
    """Place in the file (line and column) at which each line of the cleaned text begins. Empty if
    the lines are those of the file. They differ if a web page holds a whole match in one line."""

    @property
    def cleaned_line_count(self) -> int:
        """Number of lines after the text was cleaned of damage, such as wrapped lines."""
        return len(self.row_starts or self.lines)

    def cleaned_line_at(self, line: int, column: int) -> int:
        """Return the line of a place of the file in the text without damage; both count from 1."""
        return bisect_right(self.row_starts, (line, column)) if self.row_starts else line

    def text_at(self, span: Span) -> str:
        """Return the text at a place in the file, or ""."""
        lines = self.lines[span.line - 1 : span.line]
        return lines[0][span.column - 1 : span.end_column - 1] if lines else ""


class Conventions(NamedTuple):
    """Conventions of the program that wrote the file, stated in its header or inferred."""

    producer: str
    marks_hits: bool
    writes_dances: bool
    """Whether dances are spelled out (`Cannot Move`), so that empty cells mean something else."""
    spells_resignations: bool
    caps_points: bool
    """Whether results state no more points than the winner still needed for the match."""
    one_game_is_money: bool
    """Whether the match is really a single game for money, although the file states a length."""
    notes: tuple[tuple[str, str], ...] = ()
    """Each convention with the evidence for it, for people to read."""


class Match(NamedTuple):
    """One match as recorded."""

    source: Source
    number: int
    format: str
    length: Length | None
    tags: tuple[Tag, ...]
    games: tuple[Game, ...]
    oddities: tuple[ReaderNote, ...]
    conventions: Conventions

    def __repr__(self) -> str:
        """Return the players, length and file in one line."""
        left, right = map(printable, self.names)
        path = printable(self.source.path)
        return f"<Match {path}: {left} – {right}, {self.extent}>"

    def _repr_html_(self) -> str:
        """Return the match as a table for notebooks."""
        tags = (("date", self.tag("EventDate")), ("event", self.tag("Event")))
        return html_table_of_pairs(
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
        """The match length and the number of games, such as `5 points, 3 games`."""
        games = number_of(len(self.games), "game")
        if self.length is None:
            return f"length not recorded, {games}"
        to = "money play" if self.length.points == 0 else number_of(self.length.points, "point")
        return f"{to}, {games}"

    @property
    def names(self) -> tuple[str, str]:
        """The names on the first score line, or `left` and `right`."""
        for game in self.games:
            if game.score is not None:
                return game.score.names
        return ("left", "right")

    @property
    def beginning(self) -> Span | None:
        """Place of the match length, else of the first game, else None."""
        if self.length is not None:
            return self.length.span
        return self.games[0].span if self.games else None

    def plays(self) -> Iterator[Play]:
        """Yield the plays of all games in order."""
        return (action for game in self.games for action in game.actions if type(action) is Play)

    def tag(self, key: str) -> str | None:
        """Return the value of the header entry `key` in any capitalization, or None."""
        folded = key.casefold()
        for tag in self.tags:
            if tag.key.casefold() == folded:
                return tag.value
        return None
