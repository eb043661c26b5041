"""The model as JSON (`.json`), as `writing/model_json.py` writes it and its schema describes it.

The document is read whole or not at all. An action's place is that of its `"action"` in the file.
What stood in one row of the first record stands in one line again, with the first action of the row,
each a character further on: rows mean something. A document in fewer lines than it has actions is
laid out anew, and the places are those in that listing.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from itertools import repeat
from typing import Any, Literal, TypeVar, cast

from bganalyze.board.position import Points, Step
from bganalyze.transcript.builder import DamagedError
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    SIDE_NAMES,
    Action,
    Analysis,
    Answer,
    Comment,
    Double,
    Game,
    Length,
    Match,
    Play,
    PlayRecord,
    Profile,
    ReaderNote,
    Resignation,
    Result,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
)

# Values of a JSON document made sure of, and where one is wrong in it.

_T = TypeVar("_T")

Object = dict[str, Any]

MOST = 999_999_999
"""A larger number is none that a match holds."""

SHOWN = 40
"""Characters of a wrong value that are told."""


class WrongValueError(ValueError):
    """A value that is not what it must be; `where` leads to it from outside."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where

    def within(self, where: str) -> WrongValueError:
        """The same, seen from one level further out."""
        inner = self.where if not self.where or self.where.startswith("[") else f".{self.where}"
        return WrongValueError(self.what, where + inner)


def obj(value: Any, keys: AbstractSet[str]) -> Object:
    """Return an object that has no other than these keys."""
    if type(value) is not dict:
        raise _wrong(value, "object")
    if not value.keys() <= keys:
        unknown = min(value.keys() - keys)
        raise WrongValueError(f"the key {unknown[:SHOWN]!r} is not known")
    return value


def texts(value: Any) -> tuple[tuple[str, str], ...]:
    """Return an object of texts, with any keys."""
    if type(value) is not dict:
        raise _wrong(value, "object")
    return tuple((text(key), text(each)) for key, each in value.items())


def number(value: Any) -> int:
    """Return a number that is not negative."""
    if type(value) is not int or not 0 <= value <= MOST:
        raise _wrong(value, "number")
    return value


def flag(value: Any) -> bool:
    """Return true or false."""
    if type(value) is not bool:
        raise _wrong(value, "truth value")
    return value


def text(value: Any) -> str:
    """Return a text, which can be written: half a character becomes a question mark."""
    if type(value) is not str:
        raise _wrong(value, "text")
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def many(value: Any, check: Callable[[Any], _T], exactly: int | None = None) -> tuple[_T, ...]:
    """Return a list of values that `check` makes sure of.

    >>> many([1, 2], number)
    (1, 2)
    """
    if type(value) is not list:
        raise _wrong(value, "list")
    if exactly is not None and len(value) != exactly:
        raise WrongValueError(f"{len(value)} values, not {exactly}")
    found = []
    for index, each in enumerate(value):
        try:
            found.append(check(each))
        except WrongValueError as error:
            raise error.within(f"[{index}]") from error
    return tuple(found)


def needed(said: Object, key: str, check: Callable[[Any], _T]) -> _T:
    """Return the value of a key that must be there."""
    try:
        return check(said[key])
    except KeyError as error:
        raise WrongValueError("is missing", key) from error
    except WrongValueError as error:
        raise error.within(key) from error


def known(said: Object, key: str, check: Callable[[Any], _T]) -> _T | None:
    """Return the value of a key that must be there, or None where it says that it is not known."""
    return needed(said, key, lambda value: None if value is None else check(value))


def given(said: Object, key: str, check: Callable[[Any], _T]) -> _T | None:
    """Return the value of a key, or None where it is left out."""
    return needed(said, key, check) if key in said else None


def _wrong(value: Any, wanted: str) -> WrongValueError:
    return WrongValueError(f"{repr(value)[:SHOWN]} is no {wanted}")


VERSION = 1

KINDS: dict[str, type[Action]] = {
    kind.__name__.lower(): kind
    for kind in (Play, Double, Answer, Resignation, Result, SetUp, Unread, Comment)
}
NOT_WRITTEN = frozenset(("span", "places", "cell_offset", "last_line"))
KEYS = {
    name: frozenset(kind._fields) - NOT_WRITTEN | {"action", "at"} for name, kind in KINDS.items()
}
DOCUMENT_KEYS = frozenset(("version", "matches"))
MATCH_KEYS = frozenset(
    (
        "path",
        "encoding",
        "number",
        "format",
        "length",
        "tags",
        "conventions",
        "games",
        "oddities",
    )
)
GAME_KEYS = frozenset(("number", "names", "score", "crawford", "cube", "at", "actions"))
TAG_KEYS = frozenset(("key", "value", "at"))
ODDITY_KEYS = frozenset(("rule", "text", "game", "at", "row", "side"))
AT_KEYS = frozenset(Span._fields)
PROFILE_KEYS = frozenset(Profile._fields)
STEP_KEYS = frozenset(("path", "hits"))
ANALYSIS_KEYS = frozenset(("program", "entries"))
SET_UP_KEYS = KEYS["setup"] - {"action"}

BAR = 25
FACE = 9
"""What a digit may say; whether a die has such a face is judged later."""

_GIST = re.compile(r'\s*\{\s*"(?:version|matches)"\s*:')
_LINE_END = re.compile(r"[\r\n]+")


def recognises(written: str) -> bool:
    """Whether `written` begins as the document does."""
    return _GIST.match(written) is not None


def read(written: str, source: Source) -> list[Match]:
    """Return the matches of the document; raise DamagedError where anything in it is wrong."""
    try:
        document = json.loads(written)
        if written.count("\n") < written.count('"action"'):
            written = json.dumps(document, ensure_ascii=False, indent=1)
            written = written.encode("utf-8", "replace").decode()
            source = source._replace(lines=written.split("\n"))
        said = obj(document, DOCUMENT_KEYS)
        if needed(said, "version", number) != VERSION:
            reason = f"version {said['version']}: this program reads version {VERSION}"
            raise DamagedError(reason)
        reader = _Reader(written, source)
        return list(needed(said, "matches", lambda value: many(value, reader.match)))
    except (WrongValueError, json.JSONDecodeError) as error:
        raise DamagedError(f"damaged JSON: {error}") from error
    except (RecursionError, ValueError) as error:
        if isinstance(error, DamagedError):
            raise
        raise DamagedError(f"damaged JSON: {type(error).__name__}") from error


class _Reader:
    """Reads the objects of a document in their order, and finds where each stands."""

    def __init__(self, written: str, source: Source) -> None:
        self._source = source
        self._text = written
        self._at = {key: self._spans(key) for key in ("path", "key", "names", "action")}
        self._number = 0
        self._row: tuple[int, str | None] | None = None
        """The line and row of the first record that the last action stood in."""
        self._lines: list[tuple[int, Span]] = []
        """The lines of the first record, and where their last actions stand here."""

    def _spans(self, key: str) -> Iterator[Span]:
        written, line, before = self._text, 1, 0
        for found in re.finditer(f'"{key}"[ \\t]*:', written):
            start, end = found.span()
            line += written.count("\n", before, start)
            column = start - written.rfind("\n", 0, start)
            yield Span(line, column, column + end - start)
            before = start
        yield from repeat(Span(1, 1, 2))

    def match(self, value: Any) -> Match:
        """Return a match."""
        said = obj(value, MATCH_KEYS)
        span = next(self._at["path"])
        length = known(said, "length", number)
        for key, check in (
            ("path", text),
            ("encoding", text),
            ("number", _place),
            ("format", text),
        ):
            needed(said, key, check)
        self._number += 1
        self._row, self._lines = None, []
        tags = needed(said, "tags", lambda value: many(value, self._tag))
        games = needed(said, "games", lambda value: many(value, self._game))
        self._lines.sort()
        return Match(
            self._source,
            self._number,
            "json",
            None if length is None else Length(span, length),
            tags,
            games,
            needed(said, "oddities", lambda value: many(value, self._oddity)),
            needed(said, "conventions", _profile),
        )

    def _tag(self, value: Any) -> Tag:
        said, span = obj(value, TAG_KEYS), next(self._at["key"])
        needed(said, "at", _line_of)
        return Tag(span, needed(said, "key", _line), needed(said, "value", text))

    def _game(self, value: Any) -> Game:
        said, span = obj(value, GAME_KEYS), next(self._at["names"])
        names, points = known(said, "names", _two(_line)), known(said, "score", _two(number))
        needed(said, "at", _line_of)
        score = None
        if names is not None and points is not None:
            score = ScoreLine(span, names, points, (span, span))
        actions = needed(said, "actions", lambda value: many(value, self._action))
        crawford, cube = known(said, "crawford", flag), known(said, "cube", number)
        return Game(span, known(said, "number", number), score, actions, crawford, cube)

    def _action(self, value: Any) -> Action:
        kind = value.get("action") if type(value) is dict else None
        if type(kind) is not str or kind not in KINDS:
            raise WrongValueError("no action that is known")
        said = obj(value, KEYS[kind])
        row = given(said, "row", _line)
        span = self._placed(next(self._at["action"]), needed(said, "at", _line_of), row)
        return _READ[kind](said, span, row)

    def _placed(self, span: Span, line: int, row: str | None) -> Span:
        """Where an action stands: with those that stood in the same row."""
        if self._row == (line, row):
            _, column, end = before = self._lines.pop()[1]
            span = before._replace(column=min(column + 1, end - 1))
        self._row = line, row
        self._lines.append((line, span))
        return span

    def _oddity(self, value: Any) -> ReaderNote:
        """An oddity stands where the next action of the first record does."""
        said = obj(value, ODDITY_KEYS)
        line = needed(said, "at", _line_of)
        at = min(bisect_left(self._lines, (line,)), len(self._lines) - 1)
        span = self._lines[at][1] if self._lines else Span(1, 1, 2)
        return ReaderNote(
            needed(said, "rule", text),
            span,
            needed(said, "text", text),
            known(said, "game", number),
            given(said, "row", _line),
            given(said, "side", _side),
        )


# -- the actions ----------------------------------------------------------------------------------


def _play(said: Object, span: Span, row: str | None) -> Play:
    steps = given(said, "steps", lambda value: many(value, _step)) or ()
    return Play(
        span,
        row,
        needed(said, "side", _side),
        given(said, "dice", _two(_digit)),
        steps,
        ((0, span.end_column - span.column),) * len(steps),
        PlayRecord(needed(said, "how", _one_of(*PlayRecord))),
        needed(said, "called_illegal", flag),
        given(said, "left_board", lambda value: _left_board(value, span, row)),
        analysis=given(said, "analysis", _analysis),
    )


def _double(said: Object, span: Span, row: str | None) -> Double:
    kind = needed(said, "kind", _one_of("double", "beaver", "raccoon"))
    return Double(
        span,
        row,
        needed(said, "side", _side),
        given(said, "value", number),
        cast("Literal['double', 'beaver', 'raccoon']", kind),
        given(said, "analysis", _analysis),
    )


def _answer(said: Object, span: Span, row: str | None) -> Answer:
    side, taken = needed(said, "side", _side), needed(said, "taken", flag)
    return Answer(span, row, side, taken, given(said, "analysis", _analysis))


def _resignation(said: Object, span: Span, row: str | None) -> Resignation:
    manner = needed(said, "manner", _one_of("resigned", "resigned-match", "forfeit", "time"))
    return Resignation(
        span,
        row,
        needed(said, "side", _side),
        given(said, "points", number),
        cast("Literal['resigned', 'resigned-match', 'forfeit', 'time']", manner),
        cast("Literal[1, 2, 3] | None", given(said, "size", _size)),
        needed(said, "declined", flag),
    )


def _result(said: Object, span: Span, row: str | None) -> Result:
    side, points = needed(said, "side", _side), needed(said, "points", number)
    return Result(span, row, side, points, needed(said, "match", flag))


def _set_up(said: Object, span: Span, row: str | None) -> SetUp:
    return SetUp(
        span,
        row,
        given(said, "boards", _two(_points)),
        given(said, "cube_value", number),
        given(said, "cube_owner", _side),
        given(said, "on_roll", _side),
        given(said, "crawford", flag),
        given(said, "analysis", _analysis),
    )


def _left_board(value: Any, span: Span, row: str | None) -> SetUp:
    said = obj(value, SET_UP_KEYS)
    needed(said, "at", _line_of)
    given(said, "row", text)
    return _set_up(said, span, row)


def _unread(said: Object, span: Span, row: str | None) -> Unread:
    return Unread(span, row, given(said, "side", _side), needed(said, "text", text))


def _comment(said: Object, span: Span, row: str | None) -> Comment:
    return Comment(span, row, needed(said, "text", text))


_READ: dict[str, Callable[[Object, Span, str | None], Action]] = {
    "play": _play,
    "double": _double,
    "answer": _answer,
    "resignation": _resignation,
    "result": _result,
    "setup": _set_up,
    "unread": _unread,
    "comment": _comment,
}


# -- the values -----------------------------------------------------------------------------------


def _line(value: Any) -> str:
    """A text in one line."""
    return _LINE_END.sub(" ", text(value))


def _line_of(value: Any) -> int:
    """The line of a place."""
    said = obj(value, AT_KEYS)
    line, _, _ = (needed(said, key, _place) for key in Span._fields)
    return line


def _place(value: Any) -> int:
    """A number that counts from 1."""
    if value == 0:
        raise WrongValueError("0, and the first is 1")
    return number(value)


def _one_of(*words: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in words:
            raise WrongValueError(f"none of {', '.join(words)}")
        return str(value)

    return check


def _side(value: Any) -> Side:
    if value not in SIDE_NAMES:
        raise WrongValueError("neither left nor right")
    return RIGHT if value == SIDE_NAMES[RIGHT] else LEFT


def _two(check: Callable[[Any], _T]) -> Callable[[Any], tuple[_T, _T]]:
    return lambda value: cast("tuple[_T, _T]", many(value, check, exactly=2))


def _up_to(most: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise WrongValueError(f"{value!r:.40} is no number from 0 to {most}")
        return value

    return check


_digit = _up_to(FACE)
_point = _up_to(BAR)


def _size(value: Any) -> int:
    if value not in (1, 2, 3):
        raise WrongValueError("none of 1, 2, 3")
    return number(value)


def _points(value: Any) -> Points:
    return many(value, number, exactly=BAR + 1)


def _step(value: Any) -> Step:
    said = obj(value, STEP_KEYS)
    path = needed(said, "path", lambda value: many(value, _point))
    if len(path) < 2:
        raise WrongValueError("fewer than two points", "path")
    hits = needed(said, "hits", lambda value: many(value, flag, exactly=len(path) - 1))
    return Step(path, hits)


def _analysis(value: Any) -> Analysis:
    said = obj(value, ANALYSIS_KEYS)
    entries = needed(said, "entries", lambda value: many(value, _two(text)))
    return Analysis(needed(said, "program", text), entries)


def _profile(value: Any) -> Profile:
    said = obj(value, PROFILE_KEYS)
    return Profile(
        needed(said, "producer", _line),
        needed(said, "marks_hits", flag),
        needed(said, "writes_dances", flag),
        needed(said, "spells_resignations", flag),
        needed(said, "caps_points", flag),
        needed(said, "one_game_is_money", flag),
        needed(said, "notes", texts),
    )
