"""The model as JSON (`.json`): what a document holds, and how it is read.

The document is read whole or not at all. An action's place is that of its `"action"` in the file.
What stood in one row of the first record stands in one line again, with the first action of the row,
each a character further on: rows mean something. A document in fewer lines than it has actions is
laid out anew, and the places are those in that listing.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import repeat
from typing import Any, NamedTuple

from bganalyze.board.position import BAR, Step
from bganalyze.record.builder import (
    REPLACEMENT,
    DamagedError,
    in_one_line,
    notes_of_misfits,
    whole_characters,
)
from bganalyze.record.model import (
    SIDE_NAMES,
    Action,
    Game,
    Length,
    Match,
    Noticed,
    Play,
    Profile,
    ReaderNote,
    Resignation,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
)
from bganalyze.record.shapes import (
    FLAG,
    TEXTS,
    OrNull,
    Shapes,
    WrongValueError,
    choice,
    number,
    several,
)

VERSION = 1

# -- what a document holds ------------------------------------------------------------------------


class TagEntry(NamedTuple):
    """An entry of the header."""

    key: str
    value: str
    at: Span


class NoteEntry(NamedTuple):
    """Something odd about the text itself, with the name of the rule that reports it."""

    rule: Noticed
    text: str
    game: OrNull[int]
    at: Span
    row: str | None
    side: Side | None


class GameEntry(NamedTuple):
    """A game. `score` is that before it, left and right; `cube` the value that the cube starts with."""

    number: OrNull[int]
    names: OrNull[tuple[str, str]]
    score: OrNull[tuple[int, int]]
    crawford: OrNull[bool]
    cube: OrNull[int]
    at: Span
    actions: tuple[Action, ...]


class MatchEntry(NamedTuple):
    """A match. `length` 0 is a money game; null is one that is not recorded."""

    path: str
    encoding: str
    number: int
    format: str
    length: OrNull[int]
    tags: tuple[TagEntry, ...]
    conventions: Profile
    games: tuple[GameEntry, ...]
    oddities: tuple[NoteEntry, ...]


class JsonDocument(NamedTuple):
    """Backgammon matches as recorded."""

    version: int
    matches: tuple[MatchEntry, ...]


def _check(record: Any, where: str) -> None:
    """A step has one truth for each landing, and what is odd about a game is of one that there is."""
    if isinstance(record, MatchEntry):
        for index, odd in enumerate(record.oddities):
            if odd.game is not None and not 0 < odd.game <= len(record.games):
                what = f"{odd.game} is none of the {len(record.games)} games"
                raise WrongValueError(f"{where}.oddities[{index}].game", what)
    if isinstance(record, Step) and len(record.marked) != len(record.path) - 1:
        what = f"{len(record.marked)} values, not {len(record.path) - 1}"
        raise WrongValueError(f"{where}.hits", what)


_POINT, _DIGIT, _PLACE = number(0, BAR), number(0, 9), number(1)
"""A digit need not be the face of a die: that is checked later."""

_MOST_CHECKERS = 99
"""On a point. A side has 15, but a record may be wrong; formats that write each one end soon."""

_BOARDS = several(several(number(0, _MOST_CHECKERS), BAR + 1, BAR + 1), 2, 2)

_SHAPES = Shapes(
    {
        Side: choice({name: side for side, name in enumerate(SIDE_NAMES)}),
        (Span, "line"): _PLACE,
        (Span, "column"): _PLACE,
        (Span, "end_column"): _PLACE,
        (MatchEntry, "number"): _PLACE,
        (Play, "dice"): several(_DIGIT, 2, 2),
        (Step, "path"): several(_POINT, 2).described(
            "Points in the numbering of the side that plays: 25 the bar, 0 off."
        ),
        (Step, "marked"): several(FLAG, 1).described("Whether a hit is marked, by landing."),
        (SetUp, "boards"): _BOARDS.described(
            "Left's and right's checkers: off, points 1 to 24, the bar."
        ),
        (Resignation, "size"): choice({1: 1, 2: 2, 3: 3}).described(
            "In units of the cube: single, gammon or backgammon."
        ),
        (Profile, "notes"): TEXTS,
        (JsonDocument, "version"): choice({VERSION: VERSION}),
    },
    {"span": "at", "marked": "hits", "places": None, "cell_offset": None, "last_line": None},
    _check,
)

DOCUMENT = _SHAPES.of(JsonDocument)


def schema() -> dict[str, Any]:
    """Return the JSON schema of a document."""
    return _SHAPES.document("match", VERSION, "Backgammon matches as recorded", JsonDocument)


# -- from a document to matches -------------------------------------------------------------------

_START = Span(1, 1, 2)

_PLACE_OF = {
    "match": r'"path"[ \t]*:(?=\s*")',  # The path of a step is a list.
    "tag": r'"key"[ \t]*:',
    "game": r'"names"[ \t]*:',
    "action": r'"action"[ \t]*:',
}
"""The keys that objects are placed at."""


def recognizes(written: str) -> bool:
    """Whether `written` begins as the document does."""
    text = written.lstrip()
    if not text.startswith("{"):
        return False
    key, colon, _ = text[1:].partition(":")
    return colon == ":" and key.strip() in ('"version"', '"matches"')


def read(written: str, source: Source) -> list[Match]:
    """Return the matches of the document; raise DamagedError where anything in it is wrong."""
    halves = _halves(written)
    try:
        value = json.loads(written)
        if written.count("\n") < written.count('"action"'):
            written = json.dumps(value, ensure_ascii=False, indent=1)
            written = whole_characters(written)
            source = source._replace(lines=written.split("\n"))
            halves = [found.span() for found in re.finditer(REPLACEMENT, written)] if halves else []
        version = value.get("version") if type(value) is dict else None
        if type(version) is int and version != VERSION:
            raise DamagedError(f"version {version}: this program reads version {VERSION}")
        document: JsonDocument = DOCUMENT.read(value, "")
    except (WrongValueError, json.JSONDecodeError) as error:
        raise DamagedError(f"damaged JSON: {error}") from error
    except (RecursionError, ValueError) as error:
        if isinstance(error, DamagedError):
            raise
        raise DamagedError(f"damaged JSON: {type(error).__name__}") from error
    places = {kind: _places(written, key) for kind, key in _PLACE_OF.items()}
    matches = [
        _MatchReader(places).match(entry, number, source)
        for number, entry in enumerate(document.matches, start=1)
    ]
    odd = tuple(note._replace(text=REPLACEMENT) for note in notes_of_misfits(written, halves))
    return [
        match._replace(oddities=odd * (match is matches[0]) + match.oddities) for match in matches
    ]


_ESCAPE = (
    re.compile(  # JSON is read by the standard library, which does not say where it met these.
        r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)|\\.", re.DOTALL
    )
)
"""One escape, of which the character may be written as two halves."""


def _halves(written: str) -> list[tuple[int, int]]:
    r"""Return where half a character is written.

    >>> _halves(r'["\ud83d\ude00", "\\ud83d", "a\ud83d"]')
    [(30, 36)]
    """
    if "\\u" not in written:
        return []
    return [escape.span() for escape in _ESCAPE.finditer(written) if escape["half"]]


def _places(written: str, key: str) -> Iterator[Span]:
    """Yield where a key stands in the text, each time; there is always one more."""
    line, before = 1, 0
    # The parser of the standard library tells no places.
    for occurrence in re.finditer(key, written):
        start, end = occurrence.span()
        line += written.count("\n", before, start)
        column = start - written.rfind("\n", 0, start)
        yield Span(line, column, column + end - start)
        before = start
    yield from repeat(_START)


class _MatchReader:
    """Makes a match of its entry, with the places of this document instead of the first record's."""

    def __init__(self, places: dict[str, Iterator[Span]]) -> None:
        self._places = places
        self._row: tuple[int, str | None] | None = None
        """The line and row of the first record that the last action stood in."""
        self._lines: list[tuple[int, Span]] = []
        """The lines of the first record, and where their last actions stand here."""

    def match(self, entry: MatchEntry, number: int, source: Source) -> Match:
        """Return the match."""
        span = next(self._places["match"])
        length = None if entry.length is None else Length(span, entry.length)
        tags = tuple(
            Tag(next(self._places["tag"]), in_one_line(tag.key), tag.value) for tag in entry.tags
        )
        games = tuple(map(self._game, entry.games))
        self._lines.sort()
        notes = tuple(map(self._note, entry.oddities))
        conventions = entry.conventions
        conventions = conventions._replace(producer=in_one_line(conventions.producer))
        return Match(source, number, "json", length, tags, games, notes, conventions)

    def _game(self, entry: GameEntry) -> Game:
        span, score = next(self._places["game"]), None
        if entry.names is not None and entry.score is not None:
            left, right = map(in_one_line, entry.names)
            score = ScoreLine(span, (left, right), entry.score, (span, span))
        actions = tuple(map(self._action, entry.actions))
        return Game(span, entry.number, score, actions, entry.crawford, entry.cube)

    def _action(self, action: Action) -> Action:
        row = None if action.row is None else in_one_line(action.row)
        span = self._place(next(self._places["action"]), action.span.line, row)
        if isinstance(action, Play):
            places = ((0, span.end_column - span.column),) * len(action.steps)
            board = action.left_board and action.left_board._replace(span=span, row=row)
            return action._replace(span=span, row=row, places=places, left_board=board)
        return action._replace(span=span, row=row)

    def _place(self, span: Span, line: int, row: str | None) -> Span:
        """Where an action stands: with those that stood in the same row."""
        if self._row == (line, row):
            _, column, end = before = self._lines.pop()[1]
            span = before._replace(column=min(column + 1, end - 1))
        self._row = line, row
        self._lines.append((line, span))
        return span

    def _note(self, entry: NoteEntry) -> ReaderNote:
        """What is odd stands where the next action of the first record does."""
        at = min(bisect_left(self._lines, (entry.at.line,)), len(self._lines) - 1)
        span = self._lines[at][1] if self._lines else _START
        row = None if entry.row is None else in_one_line(entry.row)
        return ReaderNote(entry.rule, span, entry.text, entry.game, row, entry.side)
