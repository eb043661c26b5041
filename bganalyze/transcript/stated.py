"""When and where a match was played, as its record states it."""

from __future__ import annotations

import datetime as dt
import re

from bganalyze.transcript.model import Match
from bganalyze.transcript.profile import UNKNOWN

_DATE = re.compile(r"\s*(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})")


def stated(match: Match, key: str) -> str | None:
    """Return what a header entry says; None where it is blank or there is none."""
    return (match.tag(key) or "").strip() or None


def day_of(match: Match) -> dt.datetime | None:
    """Return the day of a match; None where none is stated."""
    return date_of(match.tag("EventDate") or match.tag("Date") or "")


def site_of(match: Match) -> str:
    """Return where a match was played: as stated, else the program that wrote the record."""
    producer = match.profile.producer
    return stated(match, "Site") or ("unknown" if producer == UNKNOWN else producer)


def date_of(text: str) -> dt.datetime | None:
    """Return the day that a header entry names, year first; None where it names none.

    >>> date_of("2024.07.27"), date_of("yesterday"), date_of("2024.13.01")
    (datetime.datetime(2024, 7, 27, 0, 0), None, None)
    """
    found = _DATE.match(text)
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    try:
        return dt.datetime(year, month, day)  # noqa: DTZ001 - a day as written, of no zone
    except ValueError:
        return None
