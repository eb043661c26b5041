"""The games one after the other: the score, the cube, how each ended, and the race in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from bganalyze.match_report.seats import Seated
from bganalyze.tables.schema import SIDES


class Count(NamedTuple):
    """The pip counts of both players."""

    throw: int
    """How many throws of the game were made before."""
    pips: tuple[int, int]


class Turned(NamedTuple):
    """A double in the course of a game."""

    throw: int
    """How many throws were made before it."""
    seat: int
    """Whose it was: 0 or 1."""
    kind: str
    answer: str
    offer: int


class Game(NamedTuple):
    """One game. Pairs hold the player of the left seat first."""

    number: int
    line: int
    score: tuple[int, int]
    """Before the game."""
    stage: str
    kind: str
    """How it ended, as in the table of games."""
    winner: int | None
    """0 or 1."""
    cube: int
    cube_owner: int | None
    size: int | None
    """Of a game that was borne off: 1 plain, 2 gammon, 3 backgammon."""
    resigned_size: int | None
    recorded: int | None
    on_board: int | None
    """Points by the board and the cube."""
    counting: int | None
    """Points that count: no more than the winner needed."""
    provisional: bool
    after: tuple[int, int]
    """The score with the points that count."""
    throws: int
    errors: int
    unverified: int
    race: tuple[Count, ...]
    doubles: tuple[Turned, ...]


def games(seated: Seated) -> tuple[Game, ...]:
    """Return the games of the match in their order."""
    tables = seated.tables
    turns = dict(iter(tables.turns.groupby("game")))
    cubes = dict(iter(tables.cubes.groupby("game")))
    return tuple(
        _game(
            seated,
            row,
            turns.get(row["game"], tables.turns.iloc[:0]),
            cubes.get(row["game"], tables.cubes.iloc[:0]),
        )
        for row in tables.games.to_dict("records")
    )


def _game(seated: Seated, row: dict[Any, Any], turns: pd.DataFrame, cubes: pd.DataFrame) -> Game:
    number = int(row["game"])
    flipped = number in seated.changed
    score = (int(row["left_score"]), int(row["right_score"]))
    before = score[::-1] if flipped else score
    winner = None if pd.isna(row["winner"]) else seated.seat(number, row["winner"])
    owner = None if pd.isna(row["cube_owner"]) else seated.seat(number, row["cube_owner"])
    counting = _number(row["counting"])
    return Game(
        number=number,
        line=int(row["line"]),
        score=before,
        stage=str(row["stage"]),
        kind=str(row["kind"]),
        winner=winner,
        cube=int(row["cube"]),
        cube_owner=owner,
        size=_number(row["size"]),
        resigned_size=_number(row["resigned_size"]),
        recorded=_number(row["recorded"]),
        on_board=_number(row["on_board"]),
        counting=counting,
        provisional=bool(row["provisional"]),
        after=_after(before, winner, counting or 0),
        throws=int((turns["high"] > 0).sum()),
        errors=int(row["errors"]),
        unverified=int(row["unverified"]),
        race=tuple(_race(turns, flipped)),
        doubles=tuple(_doubles(seated, turns, cubes)),
    )


def _after(score: tuple[int, int], winner: int | None, points: int) -> tuple[int, int]:
    gained = [points if seat == winner else 0 for seat in (0, 1)]
    return score[0] + gained[0], score[1] + gained[1]


def _race(turns: pd.DataFrame, flipped: bool) -> Iterator[Count]:
    """The counts before each throw on a board beyond doubt, and after the last."""
    columns = ("side", "pips", "opposing_pips", "pips_moved", "pips_sent_back", "verified")
    rows = list(turns[list(columns)].itertuples(index=False))
    for throw, row in enumerate(rows):
        if row.verified:
            yield Count(throw, _in_seats(row.side, row.pips, row.opposing_pips, flipped))
    if rows and rows[-1].verified:
        last = rows[-1]
        own, other = last.pips - last.pips_moved, last.opposing_pips + last.pips_sent_back
        yield Count(len(rows), _in_seats(last.side, own, other, flipped))


def _in_seats(side: str, own: int, other: int, flipped: bool) -> tuple[int, int]:
    """The counts of a side and its opponent, the player of the left seat first."""
    is_left = (side == SIDES[0]) ^ flipped
    return (int(own), int(other)) if is_left else (int(other), int(own))


def _doubles(seated: Seated, turns: pd.DataFrame, cubes: pd.DataFrame) -> Iterator[Turned]:
    for row in cubes.to_dict("records"):
        yield Turned(
            throw=int((turns["turn"] < row["turn"]).sum()),
            seat=seated.seat(int(row["game"]), row["side"]),
            kind=str(row["kind"]),
            answer=str(row["answer"]),
            offer=int(row["offer"]),
        )


def _number(value: Any) -> int | None:
    return None if pd.isna(value) else int(value)
