"""Read the model as JSON (`.json`).

A document is read whole or refused. An action is placed at its `"action"` in the file. Actions of
one row of the original match file share one line again, the line of the row's first action, each a
character further, because rows have a meaning. A document with fewer lines than actions is first
laid out anew, and places refer to that layout.
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
    join_lines,
    note_undecodable_bytes,
    replace_lone_surrogates,
)
from bganalyze.record.json_records import (
    FLAG,
    TEXTS,
    OrNull,
    Shapes,
    WrongValueError,
    shape_of_choice,
    shape_of_list,
    shape_of_number,
)
from bganalyze.record.model import (
    SIDE_NAMES,
    Action,
    Conventions,
    Game,
    Length,
    Match,
    Noticed,
    Play,
    ReaderNote,
    Resignation,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
)

VERSION = 1

# -- the document --------------------------------------------------------------------------------


class TagEntry(NamedTuple):
    """An entry of the header."""

    key: str
    value: str
    at: Span


class NoteEntry(NamedTuple):
    """A remark on the text itself, with the name of the rule that reports it."""

    rule: Noticed
    text: str
    game: OrNull[int]
    at: Span
    row: str | None
    side: Side | None


class GameEntry(NamedTuple):
    """A game. `score` is the one before it, left and right; `cube` is the cube value at its start."""

    number: OrNull[int]
    names: OrNull[tuple[str, str]]
    score: OrNull[tuple[int, int]]
    crawford: OrNull[bool]
    cube: OrNull[int]
    at: Span
    actions: tuple[Action, ...]


class MatchEntry(NamedTuple):
    """A match. `length` 0 is a money game; null means that it is not recorded."""

    path: str
    encoding: str
    number: int
    format: str
    length: OrNull[int]
    tags: tuple[TagEntry, ...]
    conventions: Conventions
    games: tuple[GameEntry, ...]
    oddities: tuple[NoteEntry, ...]


class JsonDocument(NamedTuple):
    """Backgammon matches as recorded."""

    version: int
    matches: tuple[MatchEntry, ...]


def _check_record(record: Any, path: str) -> None:
    """Raise WrongValueError if a step or match read from JSON contradicts itself.

    `path` is the place of the record in the document, such as `matches[0]`.
    """
    if isinstance(record, MatchEntry):
        for index, odd in enumerate(record.oddities):
            if odd.game is not None and not 0 < odd.game <= len(record.games):
                what = f"there is no game {odd.game}; the match has {len(record.games)}"
                raise WrongValueError(f"{path}.oddities[{index}].game", what)
    if isinstance(record, Step) and len(record.marked) != len(record.path) - 1:
        what = f"{len(record.marked)} values, not {len(record.path) - 1}"
        raise WrongValueError(f"{path}.hits", what)


_POINT, _DIGIT, _PLACE = shape_of_number(0, BAR), shape_of_number(0, 9), shape_of_number(1)
"""Digits are accepted here that are on no die; a rule reports them later."""

_MOST_CHECKERS = 99
"""Largest number on a point. A side has 15, but a match file may be wrong, and some formats write
each checker."""

_BOARDS = shape_of_list(shape_of_list(shape_of_number(0, _MOST_CHECKERS), BAR + 1, BAR + 1), 2, 2)

_SHAPES = Shapes(
    {
        Side: shape_of_choice({name: side for side, name in enumerate(SIDE_NAMES)}),
        (Span, "line"): _PLACE,
        (Span, "column"): _PLACE,
        (Span, "end_column"): _PLACE,
        (MatchEntry, "number"): _PLACE,
        (Play, "dice"): shape_of_list(_DIGIT, 2, 2),
        (Step, "path"): shape_of_list(_POINT, 2).with_description(
            "Points in the numbering of the side that plays: 25 the bar, 0 off."
        ),
        (Step, "marked"): shape_of_list(FLAG, 1).with_description(
            "Whether a hit is marked, by landing."
        ),
        (SetUp, "boards"): _BOARDS.with_description(
            "Left's and right's checkers: off, points 1 to 24, the bar."
        ),
        (Resignation, "size"): shape_of_choice({1: 1, 2: 2, 3: 3}).with_description(
            "In units of the cube: single, gammon or backgammon."
        ),
        (Conventions, "notes"): TEXTS,
        (JsonDocument, "version"): shape_of_choice({VERSION: VERSION}),
    },
    {"span": "at", "marked": "hits", "places": None, "cell_offset": None, "last_line": None},
    _check_record,
)

DOCUMENT = _SHAPES.shape_of_type(JsonDocument)


def schema() -> dict[str, Any]:
    """Return the JSON schema of the JSON files in which this program writes matches."""
    return _SHAPES.schema_of_document(
        "match", VERSION, "Backgammon matches as recorded", JsonDocument
    )


# -- from a document to matches -------------------------------------------------------------------

_START = Span(1, 1, 2)

_PLACE_OF = {
    "match": r'"path"[ \t]*:(?=\s*")',  # The path of a step is a list.
    "tag": r'"key"[ \t]*:',
    "game": r'"names"[ \t]*:',
    "action": r'"action"[ \t]*:',
}
"""Key whose place is the place of the object."""


def recognizes(written: str) -> bool:
    """Whether a text begins like a JSON file in which this program writes matches."""
    text = written.lstrip()
    if not text.startswith("{"):
        return False
    key, colon, _ = text[1:].partition(":")
    return colon == ":" and key.strip() in ('"version"', '"matches"')


def read(written: str, source: Source) -> list[Match]:
    """Return the matches in a JSON text; raise DamagedError if anything is wrong."""
    halves = _find_lone_surrogates(written)
    try:
        value = json.loads(written)
        if written.count("\n") < written.count('"action"'):
            written = json.dumps(value, ensure_ascii=False, indent=1)
            written = replace_lone_surrogates(written)
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
    places = {kind: _yield_places(written, key) for kind, key in _PLACE_OF.items()}
    matches = [
        _MatchReader(places).match(entry, number, source)
        for number, entry in enumerate(document.matches, start=1)
    ]
    odd = tuple(note._replace(text=REPLACEMENT) for note in note_undecodable_bytes(written, halves))
    return [
        match._replace(oddities=odd * (match is matches[0]) + match.oddities) for match in matches
    ]


_ESCAPE = re.compile(  # The JSON parser does not report where these are.
    r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)|\\.", re.DOTALL
)
"""Pattern of one escape; a pair of surrogates counts as one."""


def _find_lone_surrogates(written: str) -> list[tuple[int, int]]:
    r"""Return the start and end of each escape for half a surrogate pair without the other half.

    >>> _find_lone_surrogates(r'["\ud83d\ude00", "a\ud83d"]')
    [(19, 25)]
    """
    if "\\u" not in written:
        return []
    return [escape.span() for escape in _ESCAPE.finditer(written) if escape["half"]]


def _yield_places(written: str, key_pattern: str) -> Iterator[Span]:
    """Yield the place of each occurrence of a key, and then the start of the text without end.

    `key_pattern` is a regular expression for the key.
    """
    line, before = 1, 0
    # The standard library's parser gives no places.
    for occurrence in re.finditer(key_pattern, written):
        start, end = occurrence.span()
        line += written.count("\n", before, start)
        column = start - written.rfind("\n", 0, start)
        yield Span(line, column, column + end - start)
        before = start
    yield from repeat(_START)


class _MatchReader:
    """Makes matches from JSON objects, with places in the JSON file."""

    def __init__(self, places: dict[str, Iterator[Span]]) -> None:
        self._places = places
        self._row: tuple[int, str | None] | None = None
        """Line and row of the last action in the original match file."""
        self._lines: list[tuple[int, Span]] = []
        """Lines of the original match file, and the place here of the last action of each."""

    def match(self, entry: MatchEntry, number: int, source: Source) -> Match:
        """Return the match of a JSON object, with its number in the file."""
        span = next(self._places["match"])
        length = None if entry.length is None else Length(span, entry.length)
        tags = tuple(
            Tag(next(self._places["tag"]), join_lines(tag.key), tag.value) for tag in entry.tags
        )
        games = tuple(map(self._read_game, entry.games))
        self._lines.sort()
        notes = tuple(map(self._read_note, entry.oddities))
        conventions = entry.conventions
        conventions = conventions._replace(producer=join_lines(conventions.producer))
        return Match(source, number, "json", length, tags, games, notes, conventions)

    def _read_game(self, entry: GameEntry) -> Game:
        """Return the game of a JSON object, with its place in the JSON file."""
        span, score = next(self._places["game"]), None
        if entry.names is not None and entry.score is not None:
            left, right = map(join_lines, entry.names)
            score = ScoreLine(span, (left, right), entry.score, (span, span))
        actions = tuple(map(self._read_action, entry.actions))
        return Game(span, entry.number, score, actions, entry.crawford, entry.cube)

    def _read_action(self, action: Action) -> Action:
        """Return an action with its place in the JSON file."""
        row = None if action.row is None else join_lines(action.row)
        span = self._place_action(next(self._places["action"]), action.span.line, row)
        if isinstance(action, Play):
            places = ((0, span.end_column - span.column),) * len(action.steps)
            board = action.left_board and action.left_board._replace(span=span, row=row)
            return action._replace(span=span, row=row, places=places, left_board=board)
        return action._replace(span=span, row=row)

    def _place_action(self, span: Span, line: int, row: str | None) -> Span:
        """Return the place of an action in the JSON file.

        `span` is the place of its JSON object. Actions with the same `line` and `row` get places on
        one line.
        """
        if self._row == (line, row):
            _, column, end = before = self._lines.pop()[1]
            span = before._replace(column=min(column + 1, end - 1))
        self._row = line, row
        self._lines.append((line, span))
        return span

    def _read_note(self, entry: NoteEntry) -> ReaderNote:
        """Return the note of a JSON object, placed at the action after it."""
        at = min(bisect_left(self._lines, (entry.at.line,)), len(self._lines) - 1)
        span = self._lines[at][1] if self._lines else _START
        row = None if entry.row is None else join_lines(entry.row)
        return ReaderNote(entry.rule, span, entry.text, entry.game, row, entry.side)
