"""Rows of a database of analyses, checked when they are read.

SQLite stores any value in any column, so a file from elsewhere may contain anything.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.candidates import CHANCES_FORM, PLAYS_FORM
from bganalyze.analysis.decisions import Kind
from bganalyze.board.ids import Situation, parse_unlimited_xgid
from bganalyze.board.position import PHASES
from bganalyze.record.dates import YEARS
from bganalyze.record.json_records import MOST

_R = TypeVar("_R", bound=NamedTuple)

_LONGEST = 10_000
"""Most characters of a text; paths are the longest."""

_EXCERPT = 40

_NAMES = {"situation": "position"}
"""Names of fields in messages, if they differ."""


class WrongRowError(ValueError):
    """A row not written by any version of bganalyze; the message names the column and value."""


def read_decision(values: Sequence[Any]) -> AnalyzedDecision:
    """Return the analyzed decision in a database row, or raise WrongRowError."""
    decision = read_row(AnalyzedDecision, values)
    if decision.kind is Kind.PLAY and decision.dice is None:
        raise WrongRowError("a play without dice")
    return decision


def require_games(decisions: Iterable[AnalyzedDecision], games: Iterable[GameResult]) -> None:
    """Raise WrongRowError if `games` has a game twice, or lacks a game of the `decisions`."""
    numbers = [game.game for game in games]
    if len(set(numbers)) < len(numbers):
        raise WrongRowError("a game is listed twice")
    missing = {decision.game for decision in decisions}.difference(numbers)
    if missing:
        raise WrongRowError(f"game {min(missing)} is not among the games")


def read_row(record: type[_R], values: Sequence[Any]) -> _R:
    """Return a database row as a NamedTuple of the type `record`, or raise WrongRowError."""
    checks = _make_readers_of_fields(record)
    return record(*(check(value) for check, value in zip(checks, values, strict=True)))


@cache
def _make_readers_of_fields(record: type[NamedTuple]) -> tuple[Callable[[Any], Any], ...]:
    """Return, for each field of a NamedTuple, a function that checks and returns its value."""
    return tuple(_make_reader_of_field(name, hint) for name, hint in get_type_hints(record).items())


def _make_reader_of_field(name: str, hint: Any) -> Callable[[Any], Any]:
    """Return a function that checks and returns a field's value, or raises WrongRowError.

    `hint` is the type of the field `name`.
    """
    kinds = get_args(hint) or (hint,)
    kind = next(kind for kind in kinds if kind is not NoneType)
    read = _BY_NAME.get(name) or _BY_KIND[kind]
    may_be_none = NoneType in kinds

    def check(value: Any) -> Any:
        """Return `read(value)`, or None for an allowed None; raise WrongRowError with the field."""
        if value is None and may_be_none:
            return None
        try:
            return read(value)
        except (ValueError, TypeError) as error:
            shown = repr(value)[:_EXCERPT]
            raise WrongRowError(
                f"its {_NAMES.get(name) or name.replace('_', ' ')} is {shown}"
            ) from error

    return check


def _read_text(value: Any) -> str:
    """Return a text of at most 10,000 characters, or raise TypeError."""
    if type(value) is not str or len(value) > _LONGEST:
        raise TypeError
    return value


def _read_number(value: Any) -> int:
    """Return a whole number of at least 0, or raise TypeError."""
    if type(value) is not int or not 0 <= value <= MOST:
        raise TypeError
    return value


def _read_cube(value: Any) -> int:
    """Return a whole number from 1; raise ValueError or TypeError for other values."""
    if value == 0:
        raise ValueError
    return _read_number(value)


def _read_side(value: Any) -> int:
    """Return a side, 0 or 1, or raise TypeError."""
    if type(value) is not int or value not in (0, 1):
        raise TypeError
    return value


def _read_flag(value: Any) -> bool:
    """Return a Boolean value, which SQLite stores as 0 or 1, or raise TypeError."""
    if type(value) not in (bool, int) or value not in (0, 1):
        raise TypeError
    return bool(value)


def _read_equity(value: Any) -> float:
    """Return an equity; raise TypeError for other values and huge numbers."""
    if type(value) not in (float, int) or not -MOST <= value <= MOST:
        raise TypeError
    return float(value)


def _read_situation(value: Any) -> Situation:
    """Return the position in an XGID."""
    return parse_unlimited_xgid(_read_text(value))


def _read_kind(value: Any) -> Kind:
    """Return the kind of decision with this name, or raise ValueError."""
    return Kind(_read_text(value))


def _read_day(value: Any) -> dt.date:
    """Return a date from a date or an ISO text, or raise ValueError or TypeError."""
    day = value if type(value) is dt.date else dt.date.fromisoformat(value)
    if day.year not in YEARS:
        raise ValueError
    return day


def _read_phase(value: Any) -> str:
    """Return a phase of the game unchanged, or raise ValueError for any other value."""
    if value not in PHASES:
        raise ValueError
    return _read_text(value)


def _make_reader_of_pattern(pattern: str) -> Callable[[Any], str]:
    """Return a function that returns a text if it fits `pattern`, else raises ValueError."""
    form = re.compile(pattern)

    def read(value: Any) -> str:
        if form.fullmatch(_read_text(value)) is None:
            raise ValueError
        return str(value)

    return read


_BY_KIND: Mapping[type, Callable[[Any], Any]] = {
    str: _read_text,
    int: _read_number,
    bool: _read_flag,
    float: _read_equity,
    Kind: _read_kind,
    Situation: _read_situation,
    dt.date: _read_day,
}
_BY_NAME: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("side", "owner", "winner"), _read_side),
    "cube": _read_cube,
    "phase": _read_phase,
    "dice": _make_reader_of_pattern("[1-6]{2}"),
    "place": _make_reader_of_pattern("[0-9]{1,9}:[0-9]{1,9}"),
    "plays": _make_reader_of_pattern(PLAYS_FORM),
    "chances": _make_reader_of_pattern(CHANCES_FORM),
}
"""Readers of fields that accept only some values of their type."""


class MatchRow(NamedTuple):
    """A row of the table of matches."""

    id: int
    content: str
    engine: str
    version: str
    level: str
    path: str
    number: int
    left_name: str
    right_name: str
    length: int
    record: str
    date: dt.date | None
    site: str | None
