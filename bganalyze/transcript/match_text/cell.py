"""The cells of a row: what one side did in its turn, put where it stands."""

from __future__ import annotations

from typing import Literal

from bganalyze.transcript.match_text.items import Item, PlayItem, WordItem
from bganalyze.transcript.match_text.snowie import parse_snowie
from bganalyze.transcript.model import (
    LEFT,
    Action,
    Answer,
    Double,
    Oddity,
    Play,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
    other_side,
)

SIZES: dict[str, Literal[1, 2, 3]] = {"single": 1, "normal": 1, "gammon": 2, "backgammon": 3}
"""What a resignation is worth by its last word, in units of the cube."""

_made = tuple.__new__


def only_play(
    said: tuple[Item, ...], line: int, column: int, row: str | None, side: Side
) -> Play | None:
    """Return the play that is all a cell at `line:column` says, or None.

    >>> from bganalyze.transcript.match_text.items import items
    >>> only_play(items("31: 8/5 6/5"), 7, 6, "1", 0).dice
    (3, 1)
    """
    if len(said) == 1 and type(said[0]) is PlayItem:
        return _play(said[0], line, column, row, side)
    return None


def actions(
    said: tuple[Item, ...], line: int, column: int, row: str | None, side: Side
) -> list[Action | Oddity]:
    """Return the actions that a cell at `line:column` records for `side`.

    >>> from bganalyze.transcript.match_text.items import items
    >>> said = items("31: 8/5 6/5  Takes")
    >>> [type(action).__name__ for action in actions(said, 7, 6, "1", 0)]
    ['Play', 'Answer']
    """
    found: list[Action | Oddity] = []
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


def _word(item: WordItem, span: Span, row: str | None, side: Side) -> Action | Oddity:
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
            return Oddity("row-number", span, item.text, row=row, side=side)
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
