"""Dates of matches, from the match file and from the file name."""

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
"""Header entry that this program writes to name the source of a date missing in the match file."""

DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "day first", "month first", "year first"
_PARTS = {DAY_FIRST: (2, 1, 0), MONTH_FIRST: (2, 0, 1), YEAR_FIRST: (0, 1, 2)}
"""Positions of year, month and day for each order of a date."""

_FIRST_OF_1900S = 69
"""Two-digit years from this one on are in the 1900s, lower ones in the 2000s (POSIX)."""

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
"""Beginnings of month names in the languages that programs use, without accents."""

YEARS = range(1800, 2200)
"""Years that a date can have; a date in another year is ignored."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_KEYS = ("eventdate", "date")
_YEAR = re.compile(r"(?<![0-9])([0-9]{4})(?![0-9])")
_LONGEST = 100
"""Number of first characters in which a date is searched."""
_ENDS_OF_FOLDERS = str.maketrans("\\!", "//")


class Dated(NamedTuple):
    """Date of a match, as far as it is known."""

    day: dt.datetime | None = None
    known_from: str | None = None
    """`record` (the match file) or `file name`."""
    written: str | None = None
    """The date as the match file has it, also if it is ambiguous."""


def date_of_match(match: Match) -> Dated:
    """Return the date of a match, from its header or its file name.

    The file name decides if the header's date is ambiguous, such as 04/01/2023.
    """
    named, written = find_day_in_name(match.source.path), _find_written_date(match)
    if written is None:
        return Dated(named, FILE_NAME) if named else Dated()
    days = set(find_possible_days(written).values())
    if len(days) > 1:
        days &= {named}
    if not days:
        return Dated(written=written)
    is_added = match.tag(DATE_FROM) == FILE_NAME
    return Dated(days.pop(), FILE_NAME if is_added else "record", written)


def find_impossible_date(match: Match) -> Tag | None:
    """Return the first header entry with a date before 1800 or after 2199."""
    for tag in match.tags:
        year = _YEAR.search(tag.value) if tag.key.casefold() in _KEYS else None
        if year is not None and int(year[1]) not in YEARS:
            return tag
    return None


def _find_written_date(match: Match) -> str | None:
    """Return the first date in the header or its comments, as it is written, or None."""
    for tag in match.tags:
        text = tag.value if tag.key.casefold() in _KEYS else ""
        if tag.key == REMARK:
            started = grammar("date").pattern("STARTED").search(tag.value)
            text = tag.value[started.end() :] if started else ""
        date = _parse_date(text)
        if date is not None and find_possible_days(date.text):
            return date.text.strip()
    return None


class _ParsedDate(NamedTuple):
    """A date as written: the rule of the grammar, the text and its parts in order."""

    rule: str
    text: str
    parts: tuple[str, ...]


def _parse_date(text: str) -> _ParsedDate | None:
    """Return the parts of the first date in a text, or None without a date."""
    # A date in numbers must begin the text; one with a month's name may be anywhere.
    for rule in ("year_first", "numbers", "digits"):
        date = grammar("date").pattern(rule).match(text)
        if date is not None:
            return _ParsedDate(rule, date.group(), _split_date(date))
    in_words = grammar("date").pattern("in_words").search(text[:_LONGEST])
    return (
        None
        if in_words is None
        else _ParsedDate("in_words", in_words.group(), _split_date(in_words))
    )


def _split_date(date: re.Match[str]) -> tuple[str, ...]:
    """Return year, month and day of a date, in the order written."""
    return tuple(part for part in date.groups() if part is not None)


def find_possible_days(text: str) -> dict[str, dt.datetime]:
    """Return each day that a date can mean, keyed by the order of parts, such as `day first`.

    >>> sorted(find_possible_days("04/01/2023")), sorted(find_possible_days("16/09/2023"))
    (['day first', 'month first'], ['day first'])
    >>> find_possible_days("2024.07.27")
    {'year first': datetime.datetime(2024, 7, 27, 0, 0)}
    """
    date = _parse_date(text)
    if date is None:
        return {}
    first, second, last = date.parts
    if date.rule == "in_words":
        day, name = sorted((first, second))  # Digits come before letters.
        return _find_valid_days((last, _find_month_number(name), day), (YEAR_FIRST,))
    if date.rule == "year_first" or len(first) == len("2031"):
        return _find_valid_days(date.parts, (YEAR_FIRST,))
    if date.rule == "digits":
        return _find_valid_days(date.parts, _PARTS)
    # With full stops, the month never comes first.
    orders = [DAY_FIRST] if "." in date.text else [DAY_FIRST, MONTH_FIRST]
    return _find_valid_days(date.parts, [*orders, YEAR_FIRST] if len(last) == 2 else orders)


def _find_month_number(name: str) -> str:
    """Return the number of a month, given the start of its name, or "0" for other text.

    >>> _find_month_number("July"), _find_month_number("jan"), _find_month_number("hello")
    ('7', '1', '0')
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    fitting = (
        number
        for number, beginnings in enumerate(_NAMES_OF_MONTHS, start=1)
        if plain.startswith(tuple(beginnings.split()))
    )
    return str(next(fitting, 0))


def _find_valid_days(numbers: Sequence[str], orders: Iterable[str]) -> dict[str, dt.datetime]:
    """Return each valid day that three numbers mean, keyed by the order in which they are read.

    >>> _find_valid_days(["16", "09", "2023"], ["day first", "month first"])
    {'day first': datetime.datetime(2023, 9, 16, 0, 0)}
    """
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


def find_day_in_name(path: str) -> dt.datetime | None:
    """Return the day that the name of a file states, or None if it states no day or several.

    >>> find_day_in_name("a.zip!club/Kaneko-nori-2009Jan142040.txt"), find_day_in_name("match20230104.txt")
    (datetime.datetime(2009, 1, 14, 0, 0), None)
    """
    days = set()
    # The text of a document has the name of the document.
    path = re.sub(r"(\.(?:docx|odt|rtf|eml))!text[^!/]*$", r"\1", path, flags=re.IGNORECASE)
    name = path.translate(_ENDS_OF_FOLDERS).rpartition("/")[2]
    for date in grammar("date").pattern("in_name").finditer(name):
        year, *rest = _split_date(date)
        if rest and rest[0] in _MONTHS:
            rest[0] = f"{_MONTHS.index(rest[0]) + 1}"
        days |= set(find_possible_days("-".join((year, *rest))).values())
    return days.pop() if len(days) == 1 else None


def put_year_first(text: str, separator: str) -> str:
    """Return a date with the year first, or the text unchanged if it is ambiguous or no date.

    >>> put_year_first("16/09/2023", "-"), put_year_first("04/01/2023", "-")
    ('2023-09-16', '04/01/2023')
    """
    days, date = set(find_possible_days(text).values()), _parse_date(text)
    is_whole = date is not None and date.text == text
    return (
        days.pop().strftime(f"%Y{separator}%m{separator}%d")
        if is_whole and len(days) == 1
        else text
    )
