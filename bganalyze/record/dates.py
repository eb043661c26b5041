"""When a match was played: the dates that records write, and those in the names of files."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from bganalyze.record.grammar import grammar
from bganalyze.record.model import REMARK, Match, Tag

FILE_NAME = "file name"
DATE_FROM = "DateFrom"
"""A header entry of this program: where a date comes from that the record itself did not state."""

DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "day first", "month first", "year first"
_PARTS = {DAY_FIRST: (2, 1, 0), MONTH_FIRST: (2, 0, 1), YEAR_FIRST: (0, 1, 2)}
"""For each order of a date, where its year, month and day stand."""

_FIRST_OF_1900S = 69
"""As POSIX has it: years of two digits are of the 1900s from this one on, and below of the 2000s."""

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

YEARS = range(1800, 2200)
"""The years of which there can be a date; a day of another year is none."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_KEYS = ("eventdate", "date")
_YEAR = re.compile(r"(?<![0-9])([0-9]{4})(?![0-9])")
_LONGEST = 100
"""A date stands in the first so many characters."""
_ENDS_OF_FOLDERS = str.maketrans("\\!", "//")


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


def impossible_date(match: Match) -> Tag | None:
    """Return the first entry of the header that dates a match into a year without matches."""
    for tag in match.tags:
        year = _YEAR.search(tag.value) if tag.key.casefold() in _KEYS else None
        if year is not None and int(year[1]) not in YEARS:
            return tag
    return None


def _date_written(match: Match) -> str | None:
    """What the record has of a date that can be read."""
    for tag in match.tags:
        text = tag.value if tag.key.casefold() in _KEYS else ""
        if tag.key == REMARK:
            started = grammar("date").pattern("STARTED").search(tag.value)
            text = tag.value[started.end() :] if started else ""
        date = _date_in(text)
        if date is not None and possible_days(date.text):
            return date.text.strip()
    return None


class _Date(NamedTuple):
    """A date as written: by which rule of the grammar, and its parts in their order."""

    rule: str
    text: str
    parts: tuple[str, ...]


def _date_in(text: str) -> _Date | None:
    """The date with which a text begins, or which stands in it in words."""
    for rule in ("year_first", "numbers", "digits"):
        date = grammar("date").pattern(rule).match(text)
        if date is not None:
            return _Date(rule, date.group(), _parts(date))
    in_words = grammar("date").pattern("in_words").search(text[:_LONGEST])
    return None if in_words is None else _Date("in_words", in_words.group(), _parts(in_words))


def _parts(date: re.Match[str]) -> tuple[str, ...]:
    return tuple(part for part in date.groups() if part is not None)


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
    first, second, last = date.parts
    if date.rule == "in_words":
        day, name = sorted((first, second))  # Digits come before letters.
        return _days((last, _month(name), day), (YEAR_FIRST,))
    if date.rule == "year_first" or len(first) == len("2031"):
        return _days(date.parts, (YEAR_FIRST,))
    if date.rule == "digits":
        return _days(date.parts, _PARTS)
    # Nobody writes the month first and full stops behind it.
    orders = [DAY_FIRST] if "." in date.text else [DAY_FIRST, MONTH_FIRST]
    return _days(date.parts, [*orders, YEAR_FIRST] if len(last) == 2 else orders)


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
            if year not in YEARS:
                continue
            days[order] = dt.datetime(year, month, day)  # noqa: DTZ001 - a day as written, of no zone
    return days


def day_in_name(path: str) -> dt.datetime | None:
    """Return the day that the name of a file tells; None where it tells none, or several.

    >>> day_in_name("a.zip!club/Kaneko-nori-2009Jan142040.txt"), day_in_name("match20230104.txt")
    (datetime.datetime(2009, 1, 14, 0, 0), None)
    """
    days = set()
    name = path.translate(_ENDS_OF_FOLDERS).rpartition("/")[2]
    for date in grammar("date").pattern("in_name").finditer(name):
        year, *rest = _parts(date)
        if rest and rest[0] in _MONTHS:
            rest[0] = f"{_MONTHS.index(rest[0]) + 1}"
        days |= set(possible_days("-".join((year, *rest))).values())
    return days.pop() if len(days) == 1 else None


def year_first(text: str, separator: str) -> str:
    """Return a date with the year first, where it is nothing but a date and tells the day.

    >>> year_first("16/09/2023", "-"), year_first("04/01/2023", "-")
    ('2023-09-16', '04/01/2023')
    """
    days, date = set(possible_days(text).values()), _date_in(text)
    is_whole = date is not None and date.text == text
    return (
        days.pop().strftime(f"%Y{separator}%m{separator}%d")
        if is_whole and len(days) == 1
        else text
    )
