"""The cells of a row: what one side did in its turn, from text to actions.

A cell is lexed once and remembered, for the same few thousand cells make up every record. What is
remembered is free of place (`Item`); `actions` puts it where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from lark import Token

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.transcript.grammar import lexer
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Action,
    Answer,
    Double,
    How,
    Oddity,
    Play,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
)
from bganalyze.transcript.snowie import parse_snowie

REMEMBERED_CELLS = 20_000
REMEMBERED_STEPS = 4_096

_POINT_WORDS = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\s,]+")
_MANNERS = {"RESIGNS": "resigned", "FORFEITS": "forfeit", "TIME": "time"}


class Item(NamedTuple):
    """One thing said in a cell: its kind, its place in the cell, and what it says."""

    kind: str
    start: int
    end: int
    text: str
    dice: tuple[int, int] | None = None
    steps: tuple[Step, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    how: How = How.PLAYED
    number: int | None = None
    called_illegal: bool = False
    board: str | None = None


@lru_cache(REMEMBERED_CELLS)
def items(text: str) -> tuple[Item, ...]:
    """Return what the cell `text` says, in order.

    >>> [(item.kind, item.how.value) for item in items("31: 8/5 6/5")]
    [('play', 'played')]
    >>> [(item.kind, item.text) for item in items("42: 8/4 6?4")]
    [('play', '42: 8/4'), ('unread', '6?4')]
    """
    return tuple(_gathered(list(lexer("cell").lex(text)), text))


_PLAY_PARTS = {"STEP", "CANNOT_MOVE", "UNPLAYED", "ILLEGAL_BOARD", "ILLEGAL_MARK", "JUNK"}


def _gathered(tokens: list[Token], text: str) -> Iterator[Item]:
    """Group the tokens: a throw with all that says how it was played, then words one by one."""
    index = 0
    while index < len(tokens):
        end = index + 1
        if tokens[index].type in ("PLAY", "STEP"):
            while end < len(tokens) and tokens[end].type in _PLAY_PARTS:
                end += 1
            hidden = index > 0 and tokens[index - 1].type == "JUNK" != tokens[index].type
            yield _play(tokens[index:end], text, throw_hidden=hidden)
            yield from _unread(tokens[index:end], text)
        elif tokens[index].type == "JUNK":
            while end < len(tokens) and tokens[end].type == "JUNK":
                end += 1
            yield from _unread(tokens[index:end], text)
        else:
            yield _word(tokens[index])
        index = end


def _unread(tokens: list[Token], text: str) -> Iterator[Item]:
    """Yield each run of neighbouring junk as one item."""
    for is_junk, run in groupby(tokens, key=lambda token: token.type == "JUNK"):
        if is_junk:
            words = list(run)
            start, end = _place(words[0])[0], _place(words[-1])[1]
            yield Item("unread", start, end, text[start:end])


def _play(tokens: list[Token], text: str, *, throw_hidden: bool) -> Item:
    dice = (int(tokens[0][0]), int(tokens[0][1])) if tokens[0].type == "PLAY" else None
    said = [token for token in tokens if token.type != "JUNK"]
    start, end = _place(said[0])[0], _place(said[-1])[1]
    written = [step for token in said for step in _written(token)]
    junk = len(said) < len(tokens) or (throw_hidden and dice is None)
    board = next((token for token in said if token.type == "ILLEGAL_BOARD"), None)
    return Item(
        "play",
        start,
        end,
        text[start:end],
        dice=dice,
        steps=tuple(step for step, _ in written),
        places=tuple(place for _, place in written),
        how=_how(said, bool(written), junk),
        called_illegal=any(token.type.startswith("ILLEGAL") for token in said),
        board=None if board is None else str(board)[board.index("(") + 1 : -1],
    )


def _written(token: Token) -> Iterator[tuple[Step, tuple[int, int]]]:
    """Yield the steps in a token, each with its place in the cell."""
    if token.type not in ("PLAY", "STEP"):
        return
    start = _place(token)[0]
    for word in _WORD.finditer(token, 3 if token.type == "PLAY" else 0):
        place = (start + word.start(), start + word.end())
        for step in steps(word.group()):
            yield step, place


def _how(tokens: list[Token], has_steps: bool, junk: bool) -> How:
    if junk:
        return How.UNREAD
    if has_steps or any(token.type == "ILLEGAL_BOARD" for token in tokens):
        return How.PLAYED
    for token in tokens:
        if token.type == "CANNOT_MOVE":
            return How.CANNOT_MOVE
        if token.type == "UNPLAYED":
            return How.UNPLAYED
    return How.EMPTY


def _word(token: Token) -> Item:
    start, end = _place(token)
    kind = "unread" if token.type.startswith("ILLEGAL") else token.type
    numbers = _NUMBER.findall(token)
    number = int(numbers[0]) if numbers else None
    return Item(kind, start, end, str(token), number=number)


def _place(token: Token) -> tuple[int, int]:
    assert token.start_pos is not None
    return token.start_pos, token.start_pos + len(token)


@lru_cache(REMEMBERED_STEPS)
def steps(text: str) -> tuple[Step, ...]:
    """Return the steps that one word of a play stands for; only the first of a count hits.

    >>> steps("6/1*(2)")
    (Step(path=(6, 1), marked=(True,)), Step(path=(6, 1), marked=(False,)))
    >>> steps("Bar/21*/Off")
    (Step(path=(25, 21, 0), marked=(True, False)),)
    """
    path, _, count = text.casefold().partition("(")
    words = path.split("/")
    points = tuple(_point(word) for word in words)
    starred_after_count = count.endswith("*")
    marks = tuple(word.endswith("*") for word in words[1:])
    if starred_after_count:
        marks = (*marks[:-1], True)
    repeats = int(count[0]) if count else 1
    unmarked = Step(points, (False,) * len(marks))
    return (Step(points, marks), *(unmarked,) * (repeats - 1))


def _point(word: str) -> int:
    word = word.rstrip("*")
    number = _POINT_WORDS.get(word)
    return int(word) if number is None else number


def actions(
    text: str, line: int, column: int, row: str | None, side: Side
) -> list[Action | Oddity]:
    """Return the actions that the cell `text` at `line:column` records for `side`."""
    said: list[Action | Oddity] = []
    loser: Side | None = None
    for item in items(text):
        span = Span(line, column + item.start, column + item.end)
        kind = item.kind
        if kind == "play":
            said.append(_placed_play(item, span, row, side))
        elif kind == "LOSSES":
            loser = side
            said.append(Resignation(span, row, side, item.number))
        elif kind == "WINS":
            winner = side if loser is None else _other(loser)
            match = "match" in item.text.casefold()
            said.append(Result(span, row, winner, item.number or 0, match))
        else:
            said.append(_simple(item, span, row, side))
    return said


def _placed_play(item: Item, span: Span, row: str | None, side: Side) -> Play:
    """The steps' places stay relative to the cell: few are ever asked for (`Play.place`)."""
    left = None if item.board is None else _left_board(item.board, span, row, side)
    return Play(
        span,
        row,
        side,
        item.dice,
        item.steps,
        item.places,
        item.how,
        item.called_illegal,
        left,
        item.start,
    )


def _left_board(line: str, span: Span, row: str | None, side: Side) -> SetUp | None:
    """The board that an illegal play left; Snowie's line shows it to the next player."""
    said = parse_snowie(line)
    if said is None:
        return None
    boards = (said.other, said.own) if side == LEFT else (said.own, said.other)
    owner = {0: None, 1: _other(side), -1: side}.get(said.cube_owner)
    return SetUp(span, row, boards, said.cube_value, owner, _other(side))


def _other(side: Side) -> Side:
    return RIGHT if side == LEFT else LEFT


def _simple(item: Item, span: Span, row: str | None, side: Side) -> Action | Oddity:
    match item.kind:
        case "DOUBLE":
            return Double(span, row, side, item.number)
        case "BEAVER":
            return Double(span, row, side, item.number, "beaver")
        case "RACCOON":
            return Double(span, row, side, item.number, "raccoon")
        case "TAKE" | "DROP":
            return Answer(span, row, side, item.kind == "TAKE")
        case "RESIGNS" | "FORFEITS" | "TIME":
            whole = item.text.casefold().endswith("match")
            manner = _MANNERS[item.kind]
            if manner == "resigned" and whole:
                return Resignation(span, row, side, None, "resigned-match")
            return Resignation(span, row, side, None, manner)  # type: ignore[arg-type]
        case "UNPLAYED":
            return Resignation(span, row, side)
        case "ROW_LABEL" | "SCORE":
            return Oddity("row-number", span, item.text, row=row, side=side)
        case _:
            return Unread(span, row, side, item.text)
