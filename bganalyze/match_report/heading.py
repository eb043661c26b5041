"""What the match is: who played, where, to how many points, and how it came out."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from bganalyze.match_report.seats import Seated
from bganalyze.tables.schema import SIDES


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


def _number(value: object) -> int | None:
    return None if pd.isna(value) else int(str(value))


def _pair(left: object, right: object) -> tuple[int, int] | None:
    first, second = _number(left), _number(right)
    return None if first is None or second is None else (first, second)
