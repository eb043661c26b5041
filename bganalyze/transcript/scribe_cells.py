"""The cells of a row in the project's own text: what each says, read once and remembered.

A record says the same thing again and again: cells are read free of their place, and put where they
stand. Nine of ten are a throw with its steps and are matched with that terminal's own pattern, as
in `items.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from lark import Token

from bganalyze.board.position import BAR, OFF, Points, Step
from bganalyze.transcript.grammar import lexer, terminal
from bganalyze.transcript.match_text.cell import SIZES
from bganalyze.transcript.match_text.items import REMEMBERED_CELLS, steps
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Action,
    Answer,
    Double,
    How,
    Play,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
)

SIDES: dict[str, Side] = {"L": LEFT, "R": RIGHT}
CHECKERS = 15
THROWS = ("NUMBER", "THROW", "NOTHING")
"""What a throw is written as: two digits, or `--` where it is not recorded."""

YES = {"yes": True, "on": True, "no": False, "off": False}
POINTS = {"bar": BAR, "off": OFF}

_LABEL = re.compile(r"\s*([0-9*]{1,6})\.(?=\s|$)")
_WORD = re.compile(r"\S+")
_POINT = re.compile(r"(bar|off|[0-9]{1,2})\(([0-9]{1,3})\)", re.IGNORECASE)


class _UnclearError(ValueError):
    """The words of an action that do not belong together."""


class Row(NamedTuple):
    """A line of actions: its number as written, and its cells with how far into it each begins."""

    label: str | None
    cells: tuple[tuple[str, int], ...]


def cut(line: str) -> Row:
    """Return a line as a row: its cells are divided by `|`.

    >>> cut("7. L 31 8/5 6/5 | R take")
    Row(label='7', cells=(('L 31 8/5 6/5', 3), ('R take', 18)))
    """
    found = _LABEL.match(line)
    at = found.end() if found else 0
    cells = []
    for text in _divided(line[at:]):
        bare = text.strip()
        if bare:
            cells.append((bare, at + text.index(bare)))
        at += len(text) + 1
    return Row(found.group(1) if found else None, tuple(cells))


def _divided(text: str) -> list[str]:
    """The text between the bars; none divides that stands in quotation marks."""
    if '"' not in text:
        return text.split("|")
    words = lexer("scribe_line").lex(text)
    bars = [_start(word) for word in words if word.type == "NEXT_CELL"]
    return [
        text[one:two]
        for one, two in zip([0, *(bar + 1 for bar in bars)], [*bars, None], strict=True)
    ]


@lru_cache(REMEMBERED_CELLS)
def actions(cell: str) -> tuple[Action, ...]:
    """Return what a cell says, as if it stood at the beginning of a file.

    >>> [type(action).__name__ for action in actions("L 31 8/5 6/5 ; double 2")]
    ['Play', 'Double']
    """
    if terminal("TURN", of="scribe_line").fullmatch(cell):
        return (_turn(cell),)
    said = list(lexer("scribe_line").lex(cell))
    return tuple(_actions(said)) if said else ()


def placed(action: Action, line: int, column: int, row: str | None) -> Action:
    """Return an action of a cell that stands at `line`, `column` characters into it."""
    start, end = action.span[1:]
    span = Span(line, column + start, column + end)
    if type(action) is not Play:
        return action._replace(span=span, row=row)
    _, _, side, dice, made, places, how, called_illegal, left, *_ = action
    left = None if left is None else left._replace(span=span, row=row)
    return Play(span, row, side, dice, made, places, how, called_illegal, left)


def _turn(cell: str) -> Play:
    """Read a cell that is a throw and its steps, and nothing else."""
    _, throw, *path = _WORD.finditer(cell)
    start = throw.start()
    written: list[Step] = []
    places: list[tuple[int, int]] = []
    for word in path:
        said = steps(word.group())
        written += said
        places += [(word.start() - start, word.end() - start)] * len(said)
    dice = (int(cell[start]), int(cell[start + 1]))
    span = Span(1, start + 1, len(cell) + 1)
    return Play(span, None, SIDES[cell[0]], dice, tuple(written), tuple(places))


def _actions(said: list[Token]) -> Iterator[Action]:
    """Yield the actions of a cell: they are divided by `;`."""
    side = SIDES[said.pop(0)] if said[0].type == "SIDE" and len(said) > 1 else None
    parts = groupby(said, key=lambda word: word.type == "NEXT")
    for part in (list(part) for divides, part in parts if not divides):
        yield from _one(part, side)


def _one(said: list[Token], side: Side | None) -> Iterator[Action]:
    """One action; of one whose words do not belong together, as much as can be read."""
    start, end = _start(said[0]), _start(said[-1]) + len(said[-1])
    span = Span(1, start + 1, end + 1)
    try:
        yield _action(_Words(said, start), span, side)
    except _UnclearError:
        yield from _half_read(said, span, side)


def _half_read(said: list[Token], span: Span, side: Side | None) -> Iterator[Action]:
    """A throw with the steps that can be read, and what cannot."""
    known = [word for word in said[1:] if word.type == "STEP"]
    if side is not None and said[0].type in THROWS and len(said[0].rstrip(":")) == 2:
        turn = _action(_Words([said[0], *known], _start(said[0])), span, side)
        yield turn._replace(how=How.UNREAD) if isinstance(turn, Play) else turn
        said = [word for word in said[1:] if word.type != "STEP"]
    for word in said:
        at = _start(word) + 1
        yield Unread(Span(1, at, at + len(word)), None, side, str(word))


def _start(word: Token) -> int:
    """Where a word begins in its cell."""
    return (word.column or 1) - 1


def unquoted(text: str) -> str:
    """Return what stands between quotation marks."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]


class _Words:
    """The words of an action, taken one by one."""

    def __init__(self, tokens: list[Token], start: int) -> None:
        self._tokens = tokens
        self._at = 0
        self._start = start

    def peek(self) -> Token | None:
        """The next word, or None at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def take(self, *types: str) -> Token:
        """The next word, which must be of one of these types."""
        token = self.peek()
        if token is None or token.type not in types:
            raise _UnclearError
        self._at += 1
        return token

    def has(self, type_: str, *words: str) -> Token | None:
        """Take the next word if it is of that type and, where any are given, one of these."""
        token = self.peek()
        if token is None or token.type != type_ or (words and token.casefold() not in words):
            return None
        self._at += 1
        return token

    def number(self) -> int | None:
        """Take a number, if there is one."""
        token = self.has("NUMBER")
        return None if token is None else int(token)

    def place(self, token: Token) -> tuple[int, int]:
        """Where a word stands in its action."""
        at = _start(token) - self._start
        return at, at + len(token)

    def end(self) -> None:
        """Make sure that nothing is left."""
        if self.peek() is not None:
            raise _UnclearError


def _action(words: _Words, span: Span, side: Side | None) -> Action:
    if side is None:
        action: Action = _of_nobody(words, span)
    else:
        first = words.take(*THROWS, "WORD", "STRING")
        if first.type == "STRING":
            action = Unread(span, None, side, unquoted(first))
        elif first.type == "WORD":
            action = _word(first.casefold(), words, span, side)
        else:
            action = _play(first, words, Play(span, None, side, None))
    words.end()
    return action


def _of_nobody(words: _Words, span: Span) -> Action:
    """A board, or text that nothing reads."""
    said = words.has("STRING")
    if said is not None:
        return Unread(span, None, None, unquoted(said))
    return _set_up(words, span)


def _play(throw: Token, words: _Words, turn: Play) -> Play:
    """A throw and what was done with it."""
    dice = None
    if throw.type != "NOTHING":
        if len(throw.rstrip(":")) != 2:
            raise _UnclearError
        dice = (int(throw[0]), int(throw[1]))
    written: list[tuple[Step, tuple[int, int]]] = []
    how, illegal, left = How.EMPTY, False, None
    while words.peek() is not None:
        if (step := words.has("STEP")) is not None:
            written += [(each, words.place(step)) for each in steps(step)]
            how = How.PLAYED if how is How.EMPTY else how
        elif words.has("WORD", "dance", "dances"):
            how = How.CANNOT_MOVE
        elif words.has("QUERY"):
            how = How.UNPLAYED
        elif words.has("WORD", "unread"):
            how = How.UNREAD
        elif words.has("WORD", "illegal"):
            illegal = True
        elif words.has("WORD", "leaves"):
            left = _set_up(words, turn.span)
            how = How.PLAYED if how is How.EMPTY else how
        else:
            raise _UnclearError
    made = tuple(step for step, _ in written)
    places = tuple(at for _, at in written)
    return turn._replace(
        dice=dice, steps=made, places=places, how=how, called_illegal=illegal, left_board=left
    )


def _word(word: str, words: _Words, span: Span, side: Side) -> Action:
    """An action of the cube, or an end."""
    match word:
        case "double" | "doubles":
            return Double(span, None, side, words.number())
        case "beaver" | "beavers":
            return Double(span, None, side, words.number(), "beaver")
        case "raccoon" | "raccoons":
            return Double(span, None, side, words.number(), "raccoon")
        case "take" | "takes":
            return Answer(span, None, side, taken=True)
        case "drop" | "drops" | "pass" | "passes":
            return Answer(span, None, side, taken=False)
        case "resigns" | "forfeits" | "loses":
            return _resignation(word, words, Resignation(span, None, side))
        case "wins":
            points = words.number()
            if points is None:
                raise _UnclearError
            return Result(span, None, side, points, words.has("WORD", "match") is not None)
        case _:
            raise _UnclearError


def _resignation(word: str, words: _Words, action: Resignation) -> Resignation:
    if word == "forfeits":
        action = action._replace(manner="forfeit")
    elif word == "loses":
        if not (words.has("WORD", "on") and words.has("WORD", "time")):
            raise _UnclearError
        action = action._replace(manner="time")
    elif words.has("WORD", "match"):
        action = action._replace(manner="resigned-match")
    said = words.has("WORD", *SIZES)
    size = None if said is None else SIZES[said.casefold()]
    points = words.number()
    declined = words.has("WORD", "declined") is not None
    return action._replace(points=points, size=size, declined=declined)


def _set_up(words: _Words, span: Span) -> SetUp:
    """`board L 24(2) 13(5) R bar cube 2 L turn R crawford yes`: each part may be missing."""
    said: dict[str, Any] = {}
    if words.has("WORD", "board"):
        sides = {}
        while (side := words.has("SIDE")) is not None:
            sides[SIDES[side]] = _checkers(words)
        if set(sides) != {LEFT, RIGHT}:
            raise _UnclearError
        said["boards"] = (sides[LEFT], sides[RIGHT])
    if words.has("WORD", "cube"):
        said["cube_value"] = int(words.take("NUMBER"))
        owner = words.has("SIDE")
        said["cube_owner"] = None if owner is None else SIDES[owner]
    if words.has("WORD", "turn"):
        said["on_roll"] = SIDES[words.take("SIDE")]
    if words.has("WORD", "crawford"):
        said["crawford"] = YES.get(words.take("WORD").casefold())
    if not said:
        raise _UnclearError
    return SetUp(span, None, said.pop("boards", None), **said)


def _checkers(words: _Words) -> Points:
    """The checkers of a side; without a word about them, the rest are off."""
    counts = [0] * (BAR + 1)
    told = False
    while (token := words.peek()) is not None:
        found = _POINT.fullmatch(token)
        name = found.group(1).casefold() if found else token.casefold()
        point = POINTS.get(name, int(name) if name.isdecimal() and len(name) <= 2 else -1)
        if not 0 <= point <= BAR:
            break
        told = told or point == OFF
        counts[point] += int(found.group(2)) if found else 1
        words.take(token.type)
    if not told:
        counts[OFF] = max(CHECKERS - sum(counts), 0)
    return tuple(counts)
