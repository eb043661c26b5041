"""A match by its two players: who sits where, the heading, the ledger of points, and the games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pandas as pd

from bganalyze.record.seats import Seats, seats_of
from bganalyze.statistics.reports.points import ENDINGS, accounts, balance, ledger
from bganalyze.statistics.tables.frames import Tables
from bganalyze.statistics.tables.schema import SIDES

Row: TypeAlias = dict[Hashable, Any]
"""A row of a table, by its columns."""

# Who sits where: the tables of one match by its two players, as they sat in its first game.


class Seated(NamedTuple):
    """The tables of one match, in which `left` is always the same player.

    A side of a game, turn or double is the seat of its player, and so is the player's name.
    """

    tables: Tables
    names: tuple[str, str]
    seats: Seats


def seated(tables: Tables, number: int) -> Seated:
    """Return the tables of the match of that number in the tables of its file."""
    of_match = Tables(*(frame[frame["match"] == number] for frame in tables))
    match = of_match.matches.iloc[0]
    names = (str(match["left"]), str(match["right"]))
    games = of_match.games
    names_of_games = zip(games["left"], games["right"], strict=True)
    seats = seats_of(names, zip(games["game"], names_of_games, strict=True))
    by_seat = of_match._replace(
        matches=_named_by_seat(of_match.matches),
        games=_named_by_seat(_exchanged(games, seats.exchanged)),
        turns=_exchanged(of_match.turns, seats.exchanged),
        cubes=_exchanged(of_match.cubes, seats.exchanged),
    )
    return Seated(by_seat, names, seats)


def seat(side: object) -> int | None:
    """Return the seat, 0 or 1, of a side as tables name it; None where there is none."""
    return None if pd.isna(side) else SIDES.index(str(side))


def cells(row: Mapping[Hashable, Any], fields: Collection[str]) -> dict[str, Any]:
    """Return those cells of a row that are among the fields of a structure, None where empty."""
    return {name: None if pd.isna(row[name]) else row[name] for name in fields if name in row}


def _named_by_seat(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(**{side: pd.Categorical([side] * len(frame), SIDES) for side in SIDES})


def _exchanged(frame: pd.DataFrame, changed: Collection[int]) -> pd.DataFrame:
    """The rows with left and right exchanged in some games: in values, and between columns."""
    rows = frame["game"].isin(changed)
    if not rows.any():
        return frame
    exchanged = frame.copy()
    for name, values in frame.items():
        if tuple(getattr(values.dtype, "categories", ())) == SIDES:
            codes = values.cat.codes
            codes = codes.where(~rows | (codes < 0), 1 - codes)
            exchanged[name] = pd.Categorical.from_codes(codes, SIDES)
    for name in ("score", "away"):
        columns = [f"{side}_{name}" for side in SIDES]
        if set(columns) <= set(frame):
            exchanged.loc[rows, columns] = frame.loc[rows, columns[::-1]].to_numpy()
    return exchanged


# The point ledger: who won what by which kind of ending, and whether the books balance.

TOTAL = "total"


class Entry(NamedTuple):
    """An entry of the ledger: for each player what was won so; what one wins the other loses."""

    ending: str
    """How the games ended; `total` in the sum of all."""
    games: tuple[int, int]
    """Games that each player won so."""
    points: tuple[int, int]
    """Those that count."""
    cut: tuple[int, int]
    """Points of wins beyond what the winner needed."""


class Books(NamedTuple):
    """The ledger of a match. `before` plus `won` is `after` where the books balance."""

    entries: tuple[Entry, ...]
    """The entries that occur."""
    total: Entry
    """The sum of all entries."""
    before: tuple[int | None, int | None]
    """The score before the first game."""
    won: tuple[int, int]
    """Points that each player won in the games."""
    after: tuple[int | None, int | None]
    """The score after the last game."""
    balances: bool
    """Whether the score before, and the points won, make the score after."""


def books(tables: Tables, both: pd.DataFrame) -> Books:
    """Return the ledger: the entries that occur, their sum, and the balance of the score lines.

    `both` is what `sides` of the reports says of the games.
    """
    rows = ledger(accounts(both), ["player"])
    entries = [_entry(rows[rows["ending"] == name], name) for name in (*ENDINGS, TOTAL)]
    (row,) = balance(tables).to_dict("records")
    before, won, after = (
        (_number(row[f"left_{word}"]), _number(row[f"right_{word}"]))
        for word in ("before", "won", "after")
    )
    return Books(
        entries=tuple(entry for entry in entries[:-1] if any(entry.games)),
        total=entries[-1],
        before=before,
        won=(won[0] or 0, won[1] or 0),
        after=after,
        balances=bool(row["balances"]),
    )


def _entry(rows: pd.DataFrame, name: str) -> Entry:
    of_player = rows.set_index(rows["player"].astype(str))

    def pair(column: str) -> tuple[int, int]:
        left, right = (int(of_player[column].get(side, 0)) for side in SIDES)
        return left, right

    return Entry(name, pair("games won"), pair("points won"), pair("cut"))


def _number(value: Any) -> int | None:
    return None if pd.isna(value) else int(value)


# The games one after the other: the score, the cube, how each ended, and the race in it.


class Count(NamedTuple):
    """The pip counts of both players."""

    roll: int
    """How many rolls of the game were made before."""
    pips: tuple[int, int]
    """The pips of each player."""


class Turned(NamedTuple):
    """A double in the course of a game."""

    roll: int
    """How many rolls were made before it."""
    seat: int
    """Whose it was: 0 or 1."""
    kind: str
    """`double`, `redouble`, `beaver` or `raccoon`."""
    answer: str
    """What the other player did; `none` if nothing is recorded."""
    offer: int
    """The cube value if the double is taken."""


class GameReport(NamedTuple):
    """One game. Pairs hold the player of the left seat first."""

    number: int
    """The game in its match, counted from 1."""
    line: int
    """The line of the file where the game begins."""
    score: tuple[int, int]
    """Before the game."""
    stage: str
    """Where in the match the game stands, as in the table of games."""
    kind: str
    """How it ended, as in the table of games."""
    winner: int | None
    """0 or 1."""
    cube: int
    """The cube value at the end; after a pass, what the pass cost."""
    cube_owner: int | None
    """0 or 1, who held the cube at the end; None if it was centered."""
    size: int | None
    """Of a game that was borne off: 1 plain, 2 gammon, 3 backgammon."""
    resigned_size: int | None
    """The points of a resignation in units of the cube, if they are 1, 2 or 3 of it."""
    recorded: int | None
    """Points as the match file has them."""
    on_board: int | None
    """Points by the board and the cube."""
    counting: int | None
    """Points that count: no more than the winner needed."""
    disputed: str | None
    """The codes of the findings that contradict the winner or the points."""
    provisional: bool
    """Whether it was won by an illegal play after which no roll is recorded."""
    after: tuple[int, int]
    """The score with the points that count."""
    rolls: int
    """Rolls in the game."""
    errors: int
    """Findings in the game that are errors."""
    unverified: int
    """Rolls on a board that is in doubt."""
    race: tuple[Count, ...]
    """The pip counts in the course of the game, where the board is beyond doubt."""
    doubles: tuple[Turned, ...]
    """The doubles of the game."""


def games(tables: Tables) -> tuple[GameReport, ...]:
    """Return the games of the match in their order."""
    turns, cubes = _by_game(tables.turns[list(_OF_TURNS)]), _by_game(tables.cubes)
    return tuple(
        _game(row, turns[row["game"]], cubes[row["game"]])
        for row in tables.games.to_dict("records")
    )


_OF_TURNS = (
    *("game", "turn", "high", "side", "pips", "opposing_pips", "pips_moved", "pips_sent_back"),
    "verified",
)
"""The columns of turns that a game is told from."""


def _by_game(frame: pd.DataFrame) -> Mapping[int, list[Row]]:
    rows: dict[int, list[Row]] = defaultdict(list)
    for row in frame.to_dict("records"):
        rows[row["game"]].append(row)
    return rows


def _game(row: Row, turns: Sequence[Row], cubes: Iterable[Row]) -> GameReport:
    score, winner = (row["left_score"], row["right_score"]), seat(row["winner"])
    gained = [0 if winner != place else _number(row["counting"]) or 0 for place in (0, 1)]
    return GameReport(
        **cells(row, GameReport._fields)
        | {
            "number": row["game"],
            "score": score,
            "winner": winner,
            "cube_owner": seat(row["cube_owner"]),
            "after": (score[0] + gained[0], score[1] + gained[1]),
            "rolls": sum(turn["high"] > 0 for turn in turns),
            "race": tuple(_race(turns)),
            "doubles": tuple(_doubles(turns, cubes)),
        }
    )


def _race(turns: Sequence[Row]) -> Iterator[Count]:
    """The counts before each roll on a board beyond doubt, and after the last."""
    for roll, turn in enumerate(turns):
        if turn["verified"]:
            yield Count(roll, _by_seat(turn["side"], turn["pips"], turn["opposing_pips"]))
    if turns and turns[-1]["verified"]:
        last = turns[-1]
        own = last["pips"] - last["pips_moved"]
        other = last["opposing_pips"] + last["pips_sent_back"]
        yield Count(len(turns), _by_seat(last["side"], own, other))


def _by_seat(side: str, own: int, other: int) -> tuple[int, int]:
    """The counts of a side and its opponent, those of the left one first."""
    return (own, other) if side == SIDES[0] else (other, own)


def _doubles(turns: Iterable[Row], cubes: Iterable[Row]) -> Iterator[Turned]:
    for row in cubes:
        roll = sum(turn["turn"] < row["turn"] for turn in turns)
        place = {"roll": roll, "seat": seat(row["side"])}
        yield Turned(**cells(row, Turned._fields) | place)


# What the match is: who played, where, to how many points, and how it came out.


class Heading(NamedTuple):
    """What stands above a report. Text that the record does not state is empty."""

    names: tuple[str, str]
    """The players."""
    path: str
    """The file."""
    number: int
    """The match in its file, counted from 1."""
    line: int
    """The line of the file where the match begins."""
    length: int | None
    """Points to win; 0 for money play, None if not recorded."""
    variant: str
    """The variant that is stated."""
    site: str
    """Where the match was played."""
    event: str
    """The event."""
    round: str
    """The round."""
    date: str
    """The day as year-month-day."""
    date_from: str
    """What tells the day, as in the table of matches."""
    date_written: str
    """The date as the record has it, also where it does not tell the day."""
    transcriber: str
    """Who wrote the match down."""
    ratings: tuple[float | None, float | None]
    """The ratings of the players; None where none is stated."""
    producer: str
    """The program that wrote the file."""
    before: tuple[int, int] | None
    """The score before the first game that is recorded."""
    after: tuple[int, int] | None
    """The score after the last."""
    winner: int | None
    """0 or 1, who reached the length."""
    complete: bool
    """Whether a match to a length is there from 0-0 to its end."""
    games: int
    """Games in the match."""
    rolls: int
    """Rolls in the match."""
    errors: int
    """Findings that are errors."""
    warnings: int
    """Findings that are warnings."""


def heading(match: Seated) -> Heading:
    """Return what the table of matches says of the match."""
    (row,) = match.tables.matches.to_dict("records")
    stated = cells(row, Heading._fields)
    return Heading(
        **stated
        | {name: stated[name] or "" for name in _TEXTS}
        | {
            "names": match.names,
            "date": "" if stated["date"] is None else stated["date"].date().isoformat(),
            "ratings": tuple(_or_none(row[f"{side}_rating"]) for side in SIDES),
            "before": _score(row["left_before"], row["right_before"]),
            "after": _score(row["left_after"], row["right_after"]),
            "winner": seat(row["winner"]),
            "rolls": int((match.tables.turns["high"] > 0).sum()),
        }
    )


_TEXTS = (
    *("variant", "site", "event", "round", "date_from", "date_written", "transcriber", "producer"),
)


def _or_none(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def _score(left: object, right: object) -> tuple[int, int] | None:
    first, second = _number(left), _number(right)
    return None if first is None or second is None else (first, second)
