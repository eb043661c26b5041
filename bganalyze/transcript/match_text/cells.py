"""What is said in a cell, free of its place: read once, and remembered.

The same few thousand cells make up every record. Nine of ten are one `PLAY` of the grammar and are
matched with that pattern alone, for starting the lexer costs more than most cells do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from lark import Token

from bganalyze.board.ids import MOST_DOUBLINGS
from bganalyze.board.position import BAR, OFF, Points, Step
from bganalyze.transcript.grammar import lexer, terminal
from bganalyze.transcript.model import (
    LEFT,
    Action,
    Answer,
    Double,
    Play,
    PlayRecord,
    ReaderNote,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
    other_side,
)
from bganalyze.transcript.remembered import remembered

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
    how: PlayRecord
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


@remembered(REMEMBERED_CELLS)
def items(cell: str) -> tuple[Item, ...]:
    """Return what a cell says, in order.

    >>> play, unread = items("42: 8/4 6?4")
    >>> play.dice, play.how.value, unread.text
    ((4, 2), 'unread', '6?4')
    """
    if terminal("PLAY", of="cell").fullmatch(cell):
        return (_plain_play(cell),)
    return tuple(_gathered(list(_in_runs(lexer("cell").lex(cell), cell))))


def _in_runs(tokens: Iterable[Token], text: str) -> Iterator[Token]:
    """Yield the tokens, neighbouring words of junk as one: there may be very many."""
    for is_junk, run in groupby(tokens, key=lambda token: token.type == "JUNK"):
        if is_junk:
            yield _joined(run, text)
        else:
            yield from run


def _joined(run: Iterator[Token], text: str) -> Token:
    start, end = _place(next(run))
    for token in run:
        end = _place(token)[1]
    return Token("JUNK", text[start:end], column=start + 1)


def _plain_play(cell: str) -> PlayItem:
    """Read a cell that is a throw and its steps, and nothing else: nine of ten are."""
    written, places = _written(cell, _THROW_LENGTH, 0)
    how = PlayRecord.PLAYED if written else PlayRecord.EMPTY
    dice = (int(cell[0]), int(cell[1]))
    return PlayItem(0, len(cell), dice, written, places, how, False, None)


_PLAY_PARTS = {"STEP", "CANNOT_MOVE", "UNPLAYED", "ILLEGAL_BOARD", "ILLEGAL_MARK", "JUNK"}


def _gathered(tokens: list[Token]) -> Iterator[Item]:
    """Group the tokens: a throw with all that says how it was played, then words one by one."""
    index = 0
    while index < len(tokens):
        end = index + 1
        if tokens[index].type in ("PLAY", "STEP"):
            while end < len(tokens) and tokens[end].type in _PLAY_PARTS:
                end += 1
            throw_hidden = index > 0 and tokens[index - 1].type == "JUNK"
            yield _play_item(tokens[index:end], throw_hidden=throw_hidden)
            yield from (_junk(token) for token in tokens[index:end] if token.type == "JUNK")
        elif tokens[index].type == "CANNOT_MOVE":
            yield _play_item(tokens[index:end], throw_hidden=index > 0)
        elif tokens[index].type == "JUNK":
            yield _junk(tokens[index])
        else:
            yield _word_item(tokens[index])
        index = end


def _junk(token: Token) -> WordItem:
    start, end = _place(token)
    return WordItem("JUNK", start, end, str(token), None)


def _play_item(tokens: list[Token], *, throw_hidden: bool) -> PlayItem:
    first = tokens[0]
    dice = (int(first[0]), int(first[1])) if first.type == "PLAY" else None
    said = [token for token in tokens if token.type != "JUNK"]
    written: list[Step] = []
    places: list[tuple[int, int]] = []
    for token in said:
        if token.type in ("PLAY", "STEP"):
            more = _written(token, _THROW_LENGTH if token.type == "PLAY" else 0, _place(token)[0])
            written += more[0]
            places += more[1]
    junk = len(said) < len(tokens) or (throw_hidden and dice is None)
    board = next((token for token in said if token.type == "ILLEGAL_BOARD"), None)
    return PlayItem(
        _place(first)[0],
        _place(said[-1])[1],
        dice,
        tuple(written),
        tuple(places),
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


def _how(said: list[Token], has_steps: bool, junk: bool) -> PlayRecord:
    if junk:
        return PlayRecord.UNREAD
    if has_steps:
        return PlayRecord.PLAYED
    for token in said:
        if token.type == "ILLEGAL_BOARD":
            return PlayRecord.PLAYED
        if token.type == "CANNOT_MOVE":
            return PlayRecord.CANNOT_MOVE
        if token.type == "UNPLAYED":
            return PlayRecord.UNPLAYED
    return PlayRecord.EMPTY


def _word_item(token: Token) -> WordItem:
    start, end = _place(token)
    kind = "JUNK" if token.type.startswith("ILLEGAL") else token.type
    number = _NUMBER.search(token)
    return WordItem(kind, start, end, str(token), int(number.group()) if number else None)


def _place(token: Token) -> tuple[int, int]:
    """Where a token starts and ends in its cell."""
    assert token.column is not None
    return token.column - 1, token.column - 1 + len(token)


@remembered(REMEMBERED_STEPS)
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


# Snowie's one-line position, as it stands inside `Illegal play (…)`.
#
# Forty fields, each followed by a semicolon. The board is seen by the player on roll, who is named in
# field 5; the turn flag in field 4 is not to be trusted, the names are.

FIELDS = 40
MOST_CHECKERS = 15
MOST_CUBE = 1 << MOST_DOUBLINGS


class SnowiePosition(NamedTuple):
    """What the line says, from the side of the player on roll."""

    on_roll: str
    opponent: str
    own: Points
    other: Points
    cube_value: int
    cube_owner: int
    """1 the player on roll, -1 the opponent, 0 nobody."""
    dice: tuple[int, int]
    crawford: bool


def parse_snowie(line: str) -> SnowiePosition | None:
    """Return the position in `line`, or None where it is no Snowie position.

    >>> start = "0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
    >>> parse_snowie(f"7;0;0;0;0;ann;bob;0;0;0;1;0;{start};3;1;").on_roll
    'ann'
    >>> parse_snowie("7;0;0") is None
    True
    """
    fields = line.strip().rstrip(";").split(";")
    if len(fields) != FIELDS:
        return None
    try:
        board = [int(field) for field in fields[12:38]]
        value, owner, first, second = (int(fields[index]) for index in (10, 11, 38, 39))
    except ValueError:
        return None
    own, other = _sides(board)
    if max(sum(own), sum(other)) > MOST_CHECKERS or value > MOST_CUBE:
        return None
    crawford = fields[7].strip() == "1"
    return SnowiePosition(fields[5], fields[6], own, other, value, owner, (first, second), crawford)


def _sides(board: list[int]) -> tuple[Points, Points]:
    """Split the signed board, index 0 the opponent's bar, into two boards with the rest borne off.

    A side's missing checkers are taken to be borne off.
    """
    own = [0] + [max(count, 0) for count in board[1:25]] + [max(board[25], 0)]
    other = [0] + [max(-board[25 - point], 0) for point in range(1, 25)] + [abs(min(board[0], 0))]
    for side in (own, other):
        side[0] = max(MOST_CHECKERS - sum(side), 0)
    return tuple(own), tuple(other)


# The cells of a row: what one side did in its turn, put where it stands.

SIZES: dict[str, Literal[1, 2, 3]] = {"single": 1, "normal": 1, "gammon": 2, "backgammon": 3}
"""What a resignation is worth by its last word, in units of the cube."""

_made = tuple.__new__


def only_play(
    said: tuple[Item, ...], line: int, column: int, row: str | None, side: Side
) -> Play | None:
    """Return the play that is all a cell at `line:column` says, or None.

    >>> only_play(items("31: 8/5 6/5"), 7, 6, "1", 0).dice
    (3, 1)
    """
    if len(said) == 1 and type(said[0]) is PlayItem:
        return _play(said[0], line, column, row, side)
    return None


def actions(
    said: tuple[Item, ...], line: int, column: int, row: str | None, side: Side
) -> list[Action | ReaderNote]:
    """Return the actions that a cell at `line:column` records for `side`.

    >>> said = items("31: 8/5 6/5  Takes")
    >>> [type(action).__name__ for action in actions(said, 7, 6, "1", 0)]
    ['Play', 'Answer']
    """
    found: list[Action | ReaderNote] = []
    loser: Side | None = None
    for item in said:
        if isinstance(item, PlayItem):
            found.append(_play(item, line, column, row, side))
            continue
        span = Span(line, column + item.start, column + item.end)
        if item.kind == "LOSSES":
            loser = side
            found.append(Resignation(span, row, side, item.number))
        elif item.kind == "WINS":
            winner = side if loser is None else other_side(loser)
            match = "match" in item.text.casefold()
            found.append(Result(span, row, winner, item.number or 0, match))
        else:
            found.append(_word(item, span, row, side))
    return found


def _play(item: PlayItem, line: int, column: int, row: str | None, side: Side) -> Play:
    """The steps' places stay relative to the cell: few are ever asked for (`Play.place`).

    Nearly all that is read is made here, so it is made as the tuples that `Span` and `Play` are.
    Measured: 4 % of a check.
    """
    start, end, dice, steps, places, how, called_illegal, board = item
    span = _made(Span, (line, column + start, column + end))
    left = None if board is None else _left_board(board, span, row, side)
    fields = (span, row, side, dice, steps, places, how, called_illegal, left, start, None)
    return _made(Play, fields)


def _left_board(line: str, span: Span, row: str | None, side: Side) -> SetUp | None:
    """The board that an illegal play left; Snowie's line shows it to the next player."""
    said = parse_snowie(line)
    if said is None:
        return None
    boards = (said.other, said.own) if side == LEFT else (said.own, said.other)
    owner = {0: None, 1: other_side(side), -1: side}.get(said.cube_owner)
    return SetUp(span, row, boards, said.cube_value, owner, other_side(side), said.crawford)


def _word(item: WordItem, span: Span, row: str | None, side: Side) -> Action | ReaderNote:
    match item.kind:
        case "DOUBLE":
            return Double(span, row, side, item.number)
        case "BEAVER":
            return Double(span, row, side, item.number, "beaver")
        case "RACCOON":
            return Double(span, row, side, item.number, "raccoon")
        case "TAKE" | "DROP":
            return Answer(span, row, side, item.kind == "TAKE")
        case "RESIGNS" | "FORFEITS" | "TIME" | "UNPLAYED":
            return _resignation(item, span, row, side)
        case "ROW_LABEL" | "SCORE":
            return ReaderNote("row-number", span, item.text, row=row, side=side)
        case _:
            return Unread(span, row, side, item.text)


def _resignation(item: WordItem, span: Span, row: str | None, side: Side) -> Resignation:
    """A game given up in words; `????` names no size."""
    last = item.text.casefold().split()[-1]
    if item.kind == "FORFEITS":
        return Resignation(span, row, side, manner="forfeit")
    if item.kind == "TIME":
        return Resignation(span, row, side, manner="time")
    if last == "match":
        return Resignation(span, row, side, manner="resigned-match")
    return Resignation(span, row, side, size=SIZES.get(last))
