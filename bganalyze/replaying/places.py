"""Places in a match as people name them: `2.14R` is game 2, row 14, the right side."""

from __future__ import annotations

import re
from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.movement import are_dice
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.facts import GameReplay, Turn
from bganalyze.transcript.model import LEFT, RIGHT, SIDE_NAMES, Comment, Play, Side

_PLACE = re.compile(r"(\d+)\.(\d+)([LR])?", re.IGNORECASE)
_SIDES: dict[str | None, Side | None] = {"L": LEFT, "R": RIGHT, None: None}


class PlaceError(ValueError):
    """A place that cannot be read, or at which the match has nothing."""


class Place(NamedTuple):
    """A game, a row of it as written, and a side; no side means the first action of the row."""

    game: int
    row: str
    side: Side | None


def place(text: str) -> Place:
    """Return the place that a text names, or raise PlaceError.

    >>> place("2.14R")
    Place(game=2, row='14', side=1)
    """
    match = _PLACE.fullmatch(text.strip())
    if match is None:
        raise PlaceError(f"{text!r} is no place; game 2, row 14, right side is written 2.14R")
    game, row, side = match.groups()
    return Place(int(game), row, _SIDES[side and side.upper()])


def turn_at(replayed: MatchReplay, place: Place) -> Turn:
    """Return the first turn of the match at a place, or raise PlaceError."""
    if not 0 < place.game <= len(replayed.games):
        raise PlaceError(f"no game {place.game}; the match has {len(replayed.games)}")
    game = replayed.games[place.game - 1]
    for turn in _numbered(game):
        if _is_at(turn, place):
            return turn
    on_side = "" if place.side is None else f" on the {SIDE_NAMES[place.side]}"
    raise PlaceError(f"game {place.game} has nothing in row {place.row}{on_side}{_rows(game)}")


def side_of(turn: Turn) -> Side:
    """Return the side whose turn it is."""
    side: Side | None = getattr(turn.action, "side", None)
    return LEFT if side is None else side


def situation_before(turn: Turn) -> Situation:
    """Return the board before a turn with all that an identifier can say of it."""
    dice = turn.action.dice if isinstance(turn.action, Play) else None
    return turn.situation(side_of(turn), dice if dice and are_dice(dice) else None)


def _numbered(game: GameReplay) -> tuple[Turn, ...]:
    """Return the turns, numbered in their order where the record numbers no rows."""
    turns = [turn for turn in game.turns if not isinstance(turn.action, Comment)]
    if any(turn.action.row for turn in turns):
        return game.turns
    return tuple(
        turn._replace(action=turn.action._replace(row=str(number)))
        for number, turn in enumerate(turns, start=1)
    )


def _is_at(turn: Turn, place: Place) -> bool:
    action = turn.action
    if isinstance(action, Comment) or action.row is None or action.row.strip() != place.row:
        return False
    return place.side in (None, getattr(action, "side", None))


def _rows(game: GameReplay) -> str:
    """Say which rows a game has."""
    rows = [turn.action.row for turn in _numbered(game) if turn.action.row]
    return f"; its rows go from {rows[0]} to {rows[-1]}" if rows else ""
