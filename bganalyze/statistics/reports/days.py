"""Reading days as people write them: a day, a month or a year."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange

FORMATS = ("%Y-%m-%d", "%Y-%m", "%Y")


def parse_days(text: str) -> tuple[dt.date, dt.date]:
    """Return the first and the last day of a year, month or day written as in `2024-02`.

    Raises ValueError for any other text.

    >>> [str(day) for day in parse_days("2024-02")]
    ['2024-02-01', '2024-02-29']
    """
    for date_format in FORMATS:
        try:
            first = dt.datetime.strptime(text, date_format).date()  # noqa: DTZ007 -- no time zone
        except ValueError:
            continue
        if date_format == "%Y":
            return first, first.replace(month=12, day=31)
        if date_format == "%Y-%m":
            return first, first.replace(day=monthrange(first.year, first.month)[1])
        return first, first
    raise ValueError(f"{text!r} is not a day, month or year; write 2024-07-27, 2024-07 or 2024")
