"""The games one after the other: the score, the cube, how each ended, and the race in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from bganalyze.match_report.seats import Seated
from bganalyze.reports.points import ENDINGS, accounts, balance, ledger
from bganalyze.tables.schema import SIDES

# The point ledger: who won what by which kind of ending, and whether the books balance.

TOTAL = "total"


class Entry(NamedTuple):
    """An entry of the ledger: for each player what was won so; what one wins the other loses."""

    ending: str
    games: tuple[int, int]
    points: tuple[int, int]
    """Those that count."""
    cut: tuple[int, int]
    """Points of wins beyond what the winner needed."""


class Books(NamedTuple):
    """The ledger of a match. `before` plus `won` is `after` where the books balance."""

    entries: tuple[Entry, ...]
    total: Entry
    before: tuple[int | None, int | None]
    won: tuple[int, int]
    after: tuple[int | None, int | None]
    balances: bool


def books(seated: Seated) -> Books:
    """Return the ledger: the entries that occur, their sum, and the balance of the score lines."""
    rows = ledger(accounts(seated.tables), ["player"])
    entries = [_entry(rows[rows["ending"] == name], name) for name in (*ENDINGS, TOTAL)]
    row = balance(_named(seated)).iloc[0]
    return Books(
        entries=tuple(entry for entry in entries[:-1] if any(entry.games)),
        total=entries[-1],
        before=(_number(row["left_before"]), _number(row["right_before"])),
        won=(int(row["left_won"]), int(row["right_won"])),
        after=(_number(row["left_after"]), _number(row["right_after"])),
        balances=bool(row["balances"]),
    )


def _named(seated: Seated) -> Any:
    """The tables with the players of the match too named by their seats."""
    tables = seated.tables
    left, right = (pd.Categorical([side], SIDES) for side in SIDES)
    return tables._replace(matches=tables.matches.assign(left=left, right=right))


def _entry(rows: pd.DataFrame, name: str) -> Entry:
    found = rows.set_index(rows["player"].astype(str))

    def pair(column: str) -> tuple[int, int]:
        left, right = (int(found[column].get(side, 0)) for side in SIDES)
        return left, right

    return Entry(name, pair("games won"), pair("points won"), pair("cut"))


def _number(value: Any) -> int | None:
    return None if pd.isna(value) else int(value)


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


class GameReport(NamedTuple):
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


def games(seated: Seated) -> tuple[GameReport, ...]:
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


def _game(
    seated: Seated, row: dict[Any, Any], turns: pd.DataFrame, cubes: pd.DataFrame
) -> GameReport:
    number = int(row["game"])
    flipped = number in seated.changed
    score = (int(row["left_score"]), int(row["right_score"]))
    before = score[::-1] if flipped else score
    winner = None if pd.isna(row["winner"]) else seated.seat(number, row["winner"])
    owner = None if pd.isna(row["cube_owner"]) else seated.seat(number, row["cube_owner"])
    counting = _number(row["counting"])
    return GameReport(
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


# What the match is: who played, where, to how many points, and how it came out.


class Heading(NamedTuple):
    """What stands above a report. Text that the record does not state is empty."""

    names: tuple[str, str]
    path: str
    number: int
    """The match in its file, counted from 1."""
    line: int
    length: int | None
    """Points to win; 0 for money play, None if not recorded."""
    variant: str
    site: str
    event: str
    round: str
    date: str
    """The day as year-month-day."""
    transcriber: str
    producer: str
    before: tuple[int, int] | None
    """The score before the first game that is recorded."""
    after: tuple[int, int] | None
    """The score after the last."""
    winner: int | None
    """0 or 1, who reached the length."""
    complete: bool
    games: int
    throws: int
    errors: int
    warnings: int


def heading(seated: Seated) -> Heading:
    """Return what the table of matches says of the match."""
    row = seated.tables.matches.iloc[0]
    return Heading(
        names=seated.names,
        path=_text(row["path"]),
        number=int(row["number"]),
        line=int(row["line"]),
        length=_number(row["length"]),
        variant=_text(row["variant"]),
        site=_text(row["site"]),
        event=_text(row["event"]),
        round=_text(row["round"]),
        date="" if pd.isna(row["date"]) else row["date"].date().isoformat(),
        transcriber=_text(row["transcriber"]),
        producer=_text(row["producer"]),
        before=_pair(row["left_before"], row["right_before"]),
        after=_pair(row["left_after"], row["right_after"]),
        winner=None if pd.isna(row["winner"]) else SIDES.index(row["winner"]),
        complete=bool(row["complete"]),
        games=int(row["games"]),
        throws=int((seated.tables.turns["high"] > 0).sum()),
        errors=int(row["errors"]),
        warnings=int(row["warnings"]),
    )


def _text(value: object) -> str:
    return "" if pd.isna(value) else str(value)


def _pair(left: object, right: object) -> tuple[int, int] | None:
    first, second = _number(left), _number(right)
    return None if first is None or second is None else (first, second)
