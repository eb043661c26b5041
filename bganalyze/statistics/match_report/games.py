"""A match by its two players: seats, heading, point ledger, and games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pandas as pd

from bganalyze.record.seats import SwappedGames, find_swapped_games
from bganalyze.statistics.reports.points import (
    ENDINGS,
    balance_books,
    make_ledger,
    tabulate_results_by_side,
)
from bganalyze.statistics.tables.frames import Tables
from bganalyze.statistics.tables.schema import SIDES

Row: TypeAlias = dict[Hashable, Any]
"""A row of a table, by column."""

# Seats: the tables of one match by its two players, as they sat in its first game.


class OrientedTables(NamedTuple):
    """The tables of one match, in which `left` is always the same player.

    The side of a game, turn or double is the seat of its player, `left` or `right`. Player names
    are replaced by the seat too.
    """

    tables: Tables
    names: tuple[str, str]
    """The written names of the player in the left seat and of the other one."""
    seats: SwappedGames
    """The games in which the match file has the two players in swapped columns."""


def assign_seats(tables: Tables, number: int) -> OrientedTables:
    """Return the tables of match `number`, with each player on the same side in all games.

    A player's side is that of the first game.
    """
    of_match = Tables(*(frame[frame["match"] == number] for frame in tables))
    match = of_match.matches.iloc[0]
    names = (str(match["left"]), str(match["right"]))
    games = of_match.games
    list_names_of_games = zip(games["left"], games["right"], strict=True)
    seats = find_swapped_games(names, zip(games["game"], list_names_of_games, strict=True))
    by_seat = of_match._replace(
        matches=_replace_names_by_seats(of_match.matches),
        games=_replace_names_by_seats(_swap_sides(games, seats.numbers)),
        turns=_swap_sides(of_match.turns, seats.numbers),
        cubes=_swap_sides(of_match.cubes, seats.numbers),
    )
    return OrientedTables(by_seat, names, seats)


def parse_side(side: object) -> int | None:
    """Return 0 for `left`, 1 for `right`, or None for an empty cell of a table.

    >>> parse_side("right"), parse_side(None)
    (1, None)
    """
    return None if pd.isna(side) else SIDES.index(str(side))


def select_cells(row: Mapping[Hashable, Any], fields: Collection[str]) -> dict[str, Any]:
    """Return the values of a table row in the columns `fields`, with None for empty cells."""
    return {name: None if pd.isna(row[name]) else row[name] for name in fields if name in row}


def _replace_names_by_seats(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which the players' names are "left" and "right"."""
    return frame.assign(**{side: pd.Categorical([side] * len(frame), SIDES) for side in SIDES})


def _swap_sides(frame: pd.DataFrame, changed: Collection[int]) -> pd.DataFrame:
    """Return a table with left and right swapped in the games numbered `changed`."""
    rows = frame["game"].isin(changed)
    if not rows.any():
        return frame
    exchanged = frame.copy()
    # Pairs of columns such as left_score and right_score exchange their values.
    for name, values in frame.items():
        if tuple(getattr(values.dtype, "categories", ())) == SIDES:
            codes = values.cat.codes
            codes = codes.where(~rows | (codes < 0), 1 - codes)
            exchanged[name] = pd.Categorical.from_codes(codes, SIDES)
    for name in ("score", "away", "given"):
        columns = [f"{side}_{name}" for side in SIDES]
        if set(columns) <= set(frame):
            exchanged.loc[rows, columns] = frame.loc[rows, columns[::-1]].to_numpy()
    return exchanged


# The point ledger: points won by each kind of ending, and whether the books balance.

TOTAL = "total"


class LedgerEntry(NamedTuple):
    """An entry of the ledger: wins of each player by one kind of ending."""

    ending: str
    """The kind of ending; `total` for the sum of all."""
    games: tuple[int, int]
    """Games that each player won in this way."""
    points: tuple[int, int]
    """Points that count."""
    cut: tuple[int, int]
    """Points of wins beyond those the winner needed."""


class Books(NamedTuple):
    """The ledger of a match. It balances if `before` plus `won` and `given` is `after`."""

    entries: tuple[LedgerEntry, ...]
    """The entries with games."""
    total: LedgerEntry
    """The sum of all entries."""
    before: tuple[int | None, int | None]
    """The score before the first game."""
    won: tuple[int, int]
    """Points that each player won in the games."""
    given: tuple[int, int]
    """Points that a director gave each player."""
    after: tuple[int | None, int | None]
    """The score after the last game."""
    balances: bool
    """Whether the score before, plus the points won and given, is the score after."""


def make_books(tables: Tables, sides_of_games: pd.DataFrame) -> Books:
    """Return both players' points by kind of ending, and whether they add up to the result."""
    rows = make_ledger(tabulate_results_by_side(sides_of_games), ["player"])
    entries = [_make_entry(rows[rows["ending"] == name], name) for name in (*ENDINGS, TOTAL)]
    (row,) = balance_books(tables).to_dict("records")
    before, won, given, after = (
        (_parse_number(row[f"left_{word}"]), _parse_number(row[f"right_{word}"]))
        for word in ("before", "won", "given", "after")
    )
    return Books(
        entries=tuple(entry for entry in entries[:-1] if any(entry.games)),
        total=entries[-1],
        before=before,
        won=(won[0] or 0, won[1] or 0),
        given=(given[0] or 0, given[1] or 0),
        after=after,
        balances=bool(row["balances"]),
    )


def _make_entry(rows: pd.DataFrame, name: str) -> LedgerEntry:
    """Return both players' games and points won by the kind of ending called `name`.

    `rows` are from the ledger of points.
    """
    of_player = rows.set_index(rows["player"].astype(str))

    def pair(column: str) -> tuple[int, int]:
        """Return both players' numbers in a column."""
        left, right = (int(of_player[column].get(side, 0)) for side in SIDES)
        return left, right

    return LedgerEntry(name, pair("games won"), pair("points won"), pair("cut"))


def _parse_number(value: Any) -> int | None:
    """Return a cell of a table as a whole number, or None if the cell is empty."""
    return None if pd.isna(value) else int(value)


# The games in order: the score, the cube, the ending, and the race.


class Count(NamedTuple):
    """The pip counts of both players."""

    roll: int
    """Number of rolls in the game before this count."""
    pips: tuple[int, int]
    """The pips of each player."""


class DoubleMade(NamedTuple):
    """A double during a game."""

    roll: int
    """Number of rolls in the game before the double."""
    seat: int
    """The player who doubled: 0 or 1."""
    kind: str
    """`double`, `redouble`, `beaver` or `raccoon`."""
    answer: str
    """The other player's answer; `none` if no answer is recorded."""
    offer: int
    """The cube value if the double is taken."""


class GameReport(NamedTuple):
    """One game. Pairs hold the player of the left seat first."""

    number: int
    """The number of the game in its match, from 1."""
    line: int
    """The line of the file where the game begins."""
    score: tuple[int, int]
    """The score before the game."""
    stage: str
    """The stage of the match, as in the table of games."""
    kind: str
    """The ending, as in the table of games."""
    winner: int | None
    """The winner: 0 or 1."""
    cube: int
    """The cube value at the end; after a pass, the points the pass cost."""
    cube_owner: int | None
    """The player who owned the cube at the end: 0 or 1; None if it was centered."""
    size: int | None
    """The size of a game that was borne off: 1 plain, 2 gammon, 3 backgammon."""
    resigned_size: int | None
    """The points of a resignation as a multiple of the cube, if that is 1, 2 or 3."""
    recorded: int | None
    """Points recorded in the match file."""
    on_board: int | None
    """Points by the board and the cube."""
    counting: int | None
    """Points that count: no more than the winner needed."""
    disputed: str | None
    """The codes of the findings that contradict the winner or the points."""
    provisional: bool
    """Whether the game was won by an illegal play that was not followed by a roll."""
    after: tuple[int, int]
    """The score after the game, with the points that count."""
    given: tuple[int, int]
    """Points that a director gave each player after the game began and before the next one did."""
    rolls: int
    """Rolls in the game."""
    errors: int
    """Number of findings in the game that are errors."""
    unverified: int
    """Number of rolls on unverified boards."""
    race: tuple[Count, ...]
    """The pip counts during the game, on verified boards."""
    doubles: tuple[DoubleMade, ...]
    """The doubles of the game."""


def report_games(tables: Tables) -> tuple[GameReport, ...]:
    """Return a report on each game of a match."""
    turns, cubes = _group_by_game(tables.turns[list(_TURN_COLUMNS)]), _group_by_game(tables.cubes)
    return tuple(
        _report_game(row, turns[row["game"]], cubes[row["game"]])
        for row in tables.games.to_dict("records")
    )


_TURN_COLUMNS = (
    *("game", "turn", "high", "side", "pips", "opposing_pips", "pips_moved", "pips_sent_back"),
    "verified",
)
"""The columns of turns used for the report of a game."""


def _group_by_game(frame: pd.DataFrame) -> Mapping[int, list[Row]]:
    """Return the rows of a table as dictionaries, grouped by game number."""
    rows: dict[int, list[Row]] = defaultdict(list)
    for row in frame.to_dict("records"):
        rows[row["game"]].append(row)
    return rows


def _report_game(row: Row, turns: Sequence[Row], cubes: Iterable[Row]) -> GameReport:
    """Return the report on a game from its row in the table of games, its turns and its doubles."""
    score, winner = (row["left_score"], row["right_score"]), parse_side(row["winner"])
    gained = [0 if winner != place else _parse_number(row["counting"]) or 0 for place in (0, 1)]
    return GameReport(
        **select_cells(row, GameReport._fields)
        | {
            "number": row["game"],
            "score": score,
            "winner": winner,
            "cube_owner": parse_side(row["cube_owner"]),
            "after": (score[0] + gained[0], score[1] + gained[1]),
            "given": (row["left_given"], row["right_given"]),
            "rolls": sum(turn["high"] > 0 for turn in turns),
            "race": tuple(_list_pip_counts(turns)),
            "doubles": tuple(_list_doubles(turns, cubes)),
        }
    )


def _list_pip_counts(turns: Sequence[Row]) -> Iterator[Count]:
    """Yield both players' pip counts before each roll and after the last roll.

    Pip counts on unverified boards are left out.
    """
    for roll, turn in enumerate(turns):
        if turn["verified"]:
            yield Count(roll, _order_by_seat(turn["side"], turn["pips"], turn["opposing_pips"]))
    if turns and turns[-1]["verified"]:
        last = turns[-1]
        own = last["pips"] - last["pips_moved"]
        other = last["opposing_pips"] + last["pips_sent_back"]
        yield Count(len(turns), _order_by_seat(last["side"], own, other))


def _order_by_seat(side: str, own: int, other: int) -> tuple[int, int]:
    """Return a side's number `own` and the opponent's number `other`, the left player's first.

    >>> _order_by_seat("right", 3, 5)
    (5, 3)
    """
    return (own, other) if side == SIDES[0] else (other, own)


def _list_doubles(turns: Iterable[Row], cubes: Iterable[Row]) -> Iterator[DoubleMade]:
    """Yield the doubles of a game, each with the number of rolls before it.

    `cubes` are the game's rows in the table of doubles.
    """
    for row in cubes:
        roll = sum(turn["turn"] < row["turn"] for turn in turns)
        place = {"roll": roll, "seat": parse_side(row["side"])}
        yield DoubleMade(**select_cells(row, DoubleMade._fields) | place)


# The match: players, place, length, and result.


class ReportHeading(NamedTuple):
    """The heading of a report. Text missing in the match file is empty."""

    names: tuple[str, str]
    """The players."""
    path: str
    """The path of the file."""
    number: int
    """The number of the match in its file, from 1."""
    line: int
    """The line of the file where the match begins."""
    length: int | None
    """Points to win; 0 for money play, None if not recorded."""
    variant: str
    """The variant, if stated."""
    site: str
    """The place of play."""
    event: str
    """The event."""
    round: str
    """The round."""
    date: str
    """The day as year-month-day."""
    date_from: str
    """The source of the day, as in the table of matches."""
    date_written: str
    """The date as written in the match file, even if it does not give the day."""
    transcriber: str
    """The transcriber."""
    ratings: tuple[float | None, float | None]
    """The ratings of the players; None if not stated."""
    producer: str
    """The program that wrote the file."""
    before: tuple[int, int] | None
    """The score before the first recorded game."""
    after: tuple[int, int] | None
    """The score after the last recorded game."""
    winner: int | None
    """The player who reached the length: 0 or 1."""
    complete: bool
    """Whether the file contains a match to a length from 0-0 to its end."""
    games: int
    """Number of games."""
    rolls: int
    """Number of rolls."""
    errors: int
    """Number of findings that are errors."""
    warnings: int
    """Number of findings that are warnings."""


def make_heading(match: OrientedTables) -> ReportHeading:
    """Return the heading of the report on a match, made from the tables of the match."""
    (row,) = match.tables.matches.to_dict("records")
    stated = select_cells(row, ReportHeading._fields)
    return ReportHeading(
        **stated
        | {name: stated[name] or "" for name in _TEXTS}
        | {
            "names": match.names,
            "date": "" if stated["date"] is None else stated["date"].date().isoformat(),
            "ratings": tuple(_parse_float(row[f"{side}_rating"]) for side in SIDES),
            "before": _parse_score(row["left_before"], row["right_before"]),
            "after": _parse_score(row["left_after"], row["right_after"]),
            "winner": parse_side(row["winner"]),
            "rolls": int((match.tables.turns["high"] > 0).sum()),
        }
    )


_TEXTS = (
    *("variant", "site", "event", "round", "date_from", "date_written", "transcriber", "producer"),
)


def _parse_float(value: float) -> float | None:
    """Return a cell of a table as a float, or None if it is empty."""
    return None if pd.isna(value) else float(value)


def _parse_score(left: object, right: object) -> tuple[int, int] | None:
    """Return two cells of a table as a score, or None if either cell is empty."""
    first, second = _parse_number(left), _parse_number(right)
    return None if first is None or second is None else (first, second)
