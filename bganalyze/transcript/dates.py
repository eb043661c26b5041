"""When a match was played: the dates that records write, and those in the names of files."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from bganalyze.transcript.model import REMARK, Match

FILE_NAME = "file name"
DATE_FROM = "DateFrom"
"""A header entry of this program: where a date comes from that the record itself did not state."""

DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "day first", "month first", "year first"
_PARTS = {DAY_FIRST: (2, 1, 0), MONTH_FIRST: (2, 0, 1), YEAR_FIRST: (0, 1, 2)}
"""For each order of a date, where its year, month and day stand."""

_YEAR_FIRST = re.compile(
    r"\s*(\d{4})\s?[./年-]\s?(\d{1,2})\s?[./月-]\s?(\d{1,2})日?(?!\d)", re.ASCII
)
_DIGITS = re.compile(r"\s*(?:((?:19|20)\d\d)(\d\d)(\d\d)|(\d\d)(\d\d)(\d\d))(?!\d)", re.ASCII)
"""`20231215`, and `231215`, of which the order is open."""
_YEAR_LAST = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)", re.ASCII)
_WORD = r"([^\W\d_]{3,10})\.?"
_IN_WORDS = re.compile(
    rf"(?<!\d)(?:(\d{{1,2}})(?:st|nd|rd|th|\.)?[ -](?:de )?{_WORD}|{_WORD} (\d{{1,2}})(?:st|nd|rd|th)?)"
    r"(?:,? (?:de |\d\d:\d\d(?::\d\d)? )?|-)(\d{4})(?!\d)"
)
"""`17 May 2031`, `May 17, 2031` or `May 17 07:08:09 2031`, whatever stands before it."""
_FIRST_OF_1900S = 69
"""As POSIX has it: years of two digits are of the 1900s from this one on, and below of the 2000s."""

# Dueller's comment above a match.
_STARTED = re.compile(r"Started on (?=\d{4}-\d)", re.ASCII)

_NAMES_OF_MONTHS = (
    "jan ene gen",
    "feb fev",
    "mar maa",
    "apr avr abr",
    "may mai maj mei mag",
    "jun juin giu",
    "jul juil lug",
    "aug aou ago",
    "sep set",
    "oct okt ott out",
    "nov",
    "dec dez dic des",
)
"""How months begin, without accents, where programs write them in the language of their user."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NAMED_DAY = re.compile(
    r"(?<![A-Za-z0-9])((?:19|20)\d\d)(?:([-_. ]?)(\d\d)\2(\d\d)(?!\d)|([A-Z][a-z]{2})(\d\d))"
    r"|(?<!\d)(\d\d[-.]\d\d[-.](?:19|20)\d\d)(?!\d)",
    re.ASCII,
)
"""A day in the name of a file: `2023_01_04`, `20230104`, `2009Jan14`, `18-08-2024`."""
_LONGEST = 100
"""A date stands in the first so many characters."""
_END_OF_FOLDER = re.compile(r"[/\\!]")


class Dated(NamedTuple):
    """When a match was played, as far as it is known."""

    day: dt.datetime | None = None
    known_from: str | None = None
    """`record` or `file name`."""
    written: str | None = None
    """The date as the record has it, also where it does not tell the day."""


def dated(match: Match) -> Dated:
    """Return when a match was played.

    Of 04/01/2023 a record does not tell which number is the month. Then there is no day, unless the
    name of the file has one of the two.
    """
    named, written = day_in_name(match.source.path), _date_written(match)
    if written is None:
        return Dated(named, FILE_NAME) if named else Dated()
    days = set(possible_days(written).values())
    if len(days) > 1:
        days &= {named}
    if not days:
        return Dated(written=written)
    is_added = match.tag(DATE_FROM) == FILE_NAME
    return Dated(days.pop(), FILE_NAME if is_added else "record", written)


def _date_written(match: Match) -> str | None:
    """What the record has of a date that can be read."""
    for tag in match.tags:
        text = tag.value if tag.key.casefold() in ("eventdate", "date") else ""
        if tag.key == REMARK:
            text = tag.value[started.end() :] if (started := _STARTED.search(tag.value)) else ""
        date = _date_in(text)
        if date is not None and possible_days(date.group()):
            return date.group().strip()
    return None


def _date_in(text: str) -> re.Match[str] | None:
    """The date with which a text begins, or which stands in it in words."""
    numbers = _YEAR_FIRST.match(text) or _YEAR_LAST.match(text) or _DIGITS.match(text)
    return numbers or _IN_WORDS.search(text[:_LONGEST])


def possible_days(text: str) -> dict[str, dt.datetime]:
    """Return the days that a date can mean, by the orders in which it may be written.

    >>> sorted(possible_days("04/01/2023")), sorted(possible_days("16/09/2023"))
    (['day first', 'month first'], ['day first'])
    >>> possible_days("2024.07.27"), possible_days("yesterday"), possible_days("2024.13.01")
    ({'year first': datetime.datetime(2024, 7, 27, 0, 0)}, {}, {})
    """
    date = _date_in(text)
    if date is None:
        return {}
    if date.re is _YEAR_FIRST:
        return _days(date.groups(), (YEAR_FIRST,))
    if date.re is _IN_WORDS:
        day, name, other_name, other_day, year = date.groups()
        return _days((year, _month(name or other_name), day or other_day), (YEAR_FIRST,))
    if date.re is _DIGITS:
        parts = [part for part in date.groups() if part is not None]
        return _days(parts, (YEAR_FIRST,) if len(parts[0]) == 4 else _PARTS)
    first, separator, second, last = date.groups()
    # Nobody writes the month first and full stops behind it.
    orders = [DAY_FIRST] if separator == "." else [DAY_FIRST, MONTH_FIRST]
    return _days((first, second, last), [*orders, YEAR_FIRST] if len(last) == 2 else orders)


def _month(name: str) -> str:
    """Return the number of the month with that name, 0 if there is none."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    fitting = (
        number
        for number, beginnings in enumerate(_NAMES_OF_MONTHS, start=1)
        if plain.startswith(tuple(beginnings.split()))
    )
    return str(next(fitting, 0))


def _days(numbers: Sequence[str], orders: Iterable[str]) -> dict[str, dt.datetime]:
    """The days that there are."""
    days = {}
    for order in orders:
        year, month, day = (int(numbers[place]) for place in _PARTS[order])
        if len(numbers[_PARTS[order][0]]) == 2:
            year += 1900 if year >= _FIRST_OF_1900S else 2000
        with suppress(ValueError):
            days[order] = dt.datetime(year, month, day)  # noqa: DTZ001 - a day as written, of no zone
    return days


def day_in_name(path: str) -> dt.datetime | None:
    """Return the day that the name of a file tells; None where it tells none, or several.

    >>> day_in_name("a.zip!club/Kaneko-nori-2009Jan142040.txt"), day_in_name("match20230104.txt")
    (datetime.datetime(2009, 1, 14, 0, 0), None)
    """
    days = set()
    for date in _NAMED_DAY.finditer(_END_OF_FOLDER.split(path)[-1]):
        year, _, month, day, name, day_of_name, year_last = date.groups()
        if name in _MONTHS:
            month, day = f"{_MONTHS.index(name) + 1}", day_of_name
        text = year_last or f"{year}-{month}-{day}"
        days |= set(possible_days(text).values())
    return days.pop() if len(days) == 1 else None


def year_first(text: str, separator: str) -> str:
    """Return a date with the year first, where it is nothing but a date and tells the day.

    >>> year_first("16/09/2023", "-"), year_first("04/01/2023", "-")
    ('2023-09-16', '04/01/2023')
    """
    days, date = set(possible_days(text).values()), _date_in(text)
    is_whole = date is not None and date.group() == text
    return (
        days.pop().strftime(f"%Y{separator}%m{separator}%d")
        if is_whole and len(days) == 1
        else text
    )
