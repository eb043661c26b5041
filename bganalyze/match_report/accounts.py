"""The point ledger: who won what by which kind of ending, and whether the books balance."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from bganalyze.match_report.seats import Seated
from bganalyze.reports.ledger import ENDINGS, balance, ledger
from bganalyze.reports.points import accounts
from bganalyze.tables.schema import SIDES

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
