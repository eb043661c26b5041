"""What is said in a cell, free of its place: read once, and remembered.

The same few thousand cells make up every record. Nine of ten are one `PLAY` of the grammar and are
matched with that pattern alone, for starting the lexer costs more than most cells do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from lark import Token

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.transcript.grammar import lexer, terminal
from bganalyze.transcript.model import How

REMEMBERED_CELLS = 65_536
"""A thousand matches hold some 25,000."""

REMEMBERED_STEPS = 4_096

_POINT_WORDS = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}
_NUMBER = re.compile(r"[0-9]+")
_THROW_LENGTH = 3


class PlayItem(NamedTuple):
    """A throw and what was done with it; the places are counted from the start of the cell."""

    start: int
    end: int
    dice: tuple[int, int] | None
    steps: tuple[Step, ...]
    places: tuple[tuple[int, int], ...]
    how: How
    called_illegal: bool
    board: str | None


class WordItem(NamedTuple):
    """Anything else: the terminal's name, or `JUNK` for text that nothing reads."""

    kind: str
    start: int
    end: int
    text: str
    number: int | None


Item = PlayItem | WordItem


@lru_cache(REMEMBERED_CELLS)
def items(cell: str) -> tuple[Item, ...]:
    """Return what a cell says, in order.

    >>> play, unread = items("42: 8/4 6?4")
    >>> play.dice, play.how.value, unread.text
    ((4, 2), 'unread', '6?4')
    """
    if terminal("PLAY", of="cell").fullmatch(cell):
        return (_plain_play(cell),)
    return tuple(_gathered(list(lexer("cell").lex(cell)), cell))


def _plain_play(cell: str) -> PlayItem:
    """Read a cell that is a throw and its steps, and nothing else: nine of ten are."""
    written, places = _written(cell, _THROW_LENGTH, 0)
    how = How.PLAYED if written else How.EMPTY
    dice = (int(cell[0]), int(cell[1]))
    return PlayItem(0, len(cell), dice, written, places, how, False, None)


_PLAY_PARTS = {"STEP", "CANNOT_MOVE", "UNPLAYED", "ILLEGAL_BOARD", "ILLEGAL_MARK", "JUNK"}


def _gathered(tokens: list[Token], text: str) -> Iterator[Item]:
    """Group the tokens: a throw with all that says how it was played, then words one by one."""
    index = 0
    while index < len(tokens):
        end = index + 1
        if tokens[index].type in ("PLAY", "STEP"):
            while end < len(tokens) and tokens[end].type in _PLAY_PARTS:
                end += 1
            throw_hidden = index > 0 and tokens[index - 1].type == "JUNK"
            yield _play(tokens[index:end], throw_hidden=throw_hidden)
            yield from _unread(tokens[index:end], text)
        elif tokens[index].type == "CANNOT_MOVE":
            yield _play(tokens[index:end], throw_hidden=index > 0)
        elif tokens[index].type == "JUNK":
            while end < len(tokens) and tokens[end].type == "JUNK":
                end += 1
            yield from _unread(tokens[index:end], text)
        else:
            yield _word(tokens[index])
        index = end


def _unread(tokens: list[Token], text: str) -> Iterator[Item]:
    """Yield each run of neighbouring junk as one item."""
    if len(tokens) == 1 and tokens[0].type != "JUNK":
        return
    for is_junk, run in groupby(tokens, key=lambda token: token.type == "JUNK"):
        if is_junk:
            words = list(run)
            start, end = _place(words[0])[0], _place(words[-1])[1]
            yield WordItem("JUNK", start, end, text[start:end], None)


def _play(tokens: list[Token], *, throw_hidden: bool) -> PlayItem:
    first = tokens[0]
    dice = (int(first[0]), int(first[1])) if first.type == "PLAY" else None
    said = [token for token in tokens if token.type != "JUNK"]
    written: tuple[Step, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    for token in said:
        if token.type in ("PLAY", "STEP"):
            more = _written(token, _THROW_LENGTH if token.type == "PLAY" else 0, _place(token)[0])
            written, places = written + more[0], places + more[1]
    junk = len(said) < len(tokens) or (throw_hidden and dice is None)
    board = next((token for token in said if token.type == "ILLEGAL_BOARD"), None)
    return PlayItem(
        _place(first)[0],
        _place(said[-1])[1],
        dice,
        written,
        places,
        _how(said, bool(written), junk),
        any(token.type.startswith("ILLEGAL") for token in said),
        None if board is None else str(board)[board.index("(") + 1 : -1],
    )


def _written(
    text: str, begin: int, offset: int
) -> tuple[tuple[Step, ...], tuple[tuple[int, int], ...]]:
    """Return the steps in `text` from `begin` on, and the place of each, `offset` further on."""
    written: list[Step] = []
    places: list[tuple[int, int]] = []
    end = begin
    for word in text[begin:].replace(",", " ").split():
        start = text.index(word, end)
        end = start + len(word)
        for step in steps(word):
            written.append(step)
            places.append((offset + start, offset + end))
    return tuple(written), tuple(places)


def _how(said: list[Token], has_steps: bool, junk: bool) -> How:
    if junk:
        return How.UNREAD
    if has_steps:
        return How.PLAYED
    for token in said:
        if token.type == "ILLEGAL_BOARD":
            return How.PLAYED
        if token.type == "CANNOT_MOVE":
            return How.CANNOT_MOVE
        if token.type == "UNPLAYED":
            return How.UNPLAYED
    return How.EMPTY


def _word(token: Token) -> WordItem:
    start, end = _place(token)
    kind = "JUNK" if token.type.startswith("ILLEGAL") else token.type
    number = _NUMBER.search(token)
    return WordItem(kind, start, end, str(token), int(number.group()) if number else None)


def _place(token: Token) -> tuple[int, int]:
    """Where a token starts and ends in its cell."""
    assert token.column is not None
    return token.column - 1, token.column - 1 + len(token)


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
    marks = tuple(word.endswith("*") for word in words[1:])
    if count.endswith("*"):
        marks = (*marks[:-1], True)
    points = tuple(_point(word) for word in words)
    unmarked = Step(points, (False,) * len(marks))
    repeats = int(count[0]) if count else 1
    return (Step(points, marks), *(unmarked,) * (repeats - 1))


def _point(word: str) -> int:
    word = word.rstrip("*")
    number = _POINT_WORDS.get(word)
    return int(word) if number is None else number
