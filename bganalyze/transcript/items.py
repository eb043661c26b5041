"""What is said in a cell, free of its place: lexed once, and remembered.

The same few thousand cells make up every record. New ones are lexed together, for starting the
lexer costs more than most cells do (measured: two thirds of the time).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from lark import Token

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.transcript.grammar import lexer
from bganalyze.transcript.model import How

MOST_REMEMBERED = 65_536
"""Cells kept before the memory starts anew; a thousand matches hold some 25,000."""

REMEMBERED_STEPS = 4_096

_POINT_WORDS = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}
_NUMBER = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\s,]+")
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

_known: dict[str, tuple[Item, ...]] = {}


def items(text: str) -> tuple[Item, ...]:
    """Return what the cell `text` says, in order.

    >>> play, unread = items("42: 8/4 6?4")
    >>> play.dice, play.how.value, unread.text
    ((4, 2), 'unread', '6?4')
    """
    found = _known.get(text)
    if found is None:
        learn((text,))
        found = _known[text]
    return found


def learn(cells: Iterable[str]) -> None:
    """Lex those of `cells` that are new, all in one go."""
    new = [cell for cell in dict.fromkeys(cells) if cell not in _known]
    if not new:
        return
    if len(_known) + len(new) > MOST_REMEMBERED:
        _known.clear()
    _known.update(dict.fromkeys(new, ()))
    tokens = lexer("cell").lex("\n".join(new))
    for line, said in groupby(tokens, key=_line):
        cell = new[line - 1]
        _known[cell] = tuple(_gathered(list(said), cell))


def _line(token: Token) -> int:
    assert token.line is not None
    return token.line


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
    written = [step for token in said for step in _written(token)]
    junk = len(said) < len(tokens) or (throw_hidden and dice is None)
    board = next((token for token in said if token.type == "ILLEGAL_BOARD"), None)
    return PlayItem(
        _place(first)[0],
        _place(said[-1])[1],
        dice,
        tuple([step for step, _ in written]),
        tuple([place for _, place in written]),
        _how(said, bool(written), junk),
        any(token.type.startswith("ILLEGAL") for token in said),
        None if board is None else str(board)[board.index("(") + 1 : -1],
    )


def _written(token: Token) -> Iterator[tuple[Step, tuple[int, int]]]:
    """Yield the steps in a token, each with its place in the cell."""
    if token.type not in ("PLAY", "STEP"):
        return
    start = _place(token)[0]
    for word in _WORD.finditer(token, _THROW_LENGTH if token.type == "PLAY" else 0):
        place = (start + word.start(), start + word.end())
        for step in steps(word.group()):
            yield step, place


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
