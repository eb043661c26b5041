"""Texts of rule books: clauses in our own words, their sources, and the switches they decide."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from bganalyze.errors import BganalyzeError


class Known(StrEnum):
    """How a clause is known: its text was read, was quoted by others, or is only assumed."""

    READ = "read"
    QUOTED = "quoted"
    ASSUMED = "assumed"


TOPICS = (
    "movement",
    "set-up",
    "cube",
    "left-over-cube",
    "forbidden-cube",
    "dead-cube",
    "premature",
    "dice",
    "length",
    "lateness",
    "penalty",
    "spectators",
)
"""Topics of clauses."""


class RuleBookError(BganalyzeError, ValueError):
    """A rule book that is wrong; the message says in one line where and what."""


class Clause(NamedTuple):
    """One clause of a rule book."""

    topic: str
    """One of `TOPICS`."""
    number: str
    """Its number or name in the book; empty if that is not known."""
    words: str
    """The clause in our own words."""
    known: Known
    """Whether its text was read, is quoted by others, or is assumed."""
    decides: tuple[tuple[str, Any], ...]
    """The switches it decides, as fields of `RuleBook`, each with its value."""
    optional: bool
    """Whether it holds only if the organizer chooses it."""

    @property
    def name(self) -> str:
        """The number of the clause as reports cite it, such as `clause 4.2.3`.

        The name says so if the clause is assumed or only quoted by others.

        >>> Clause("movement", "4.2.3", "...", Known.QUOTED, (), False).name
        'clause 4.2.3 (as quoted by others)'
        """
        mark = {
            Known.READ: "",
            Known.QUOTED: " (as quoted by others)",
            Known.ASSUMED: " (assumed; it decides nothing)",
        }
        name = f"clause {self.number}" if self.number[:1].isdigit() else self.number
        return (name or "a clause") + mark[self.known]


class RuleText(NamedTuple):
    """The text of a rule book."""

    source: str = ""
    """Place where the rules are published."""
    scope: str = ""
    """The play it is made for."""
    clauses: tuple[Clause, ...] = ()
    read_in_part: str = ""
    """The part of the book that is known here; empty if all of it was read."""

    def find_clauses(self, topic: str) -> tuple[Clause, ...]:
        """Return the clauses about a topic, one of `TOPICS` such as `dead-cube`."""
        return tuple(clause for clause in self.clauses if clause.topic == topic)

    def find_deciding_clauses(self, switch: str) -> Iterator[Clause]:
        """Yield the clauses that decide `switch`, such as `jacoby`, except assumed ones."""
        for clause in self.clauses:
            if switch in dict(clause.decides) and clause.known is not Known.ASSUMED:
                yield clause


class SwitchValues(NamedTuple):
    """The allowed values of a rule-book setting such as `jacoby`."""

    words: str
    """The allowed values as text, for messages."""
    values: tuple[Any, ...] = ()
    """The allowed values, or empty for a whole number from 1."""

    def accepts(self, value: Any) -> bool:
        """Whether a value is allowed for the setting."""
        if not self.values:
            return type(value) is int and value > 0
        return any(value == one and type(value) is type(one) for one in self.values)


@cache
def read_packaged_table(name: str) -> dict[str, Any]:
    """Return the TOML table of a rule book that comes with this package."""
    import tomllib  # Most runs need no TOML, and importing it takes 1 % of the start of a check.

    return tomllib.loads(read_packaged_file(name))


def read_packaged_file(name: str) -> str:
    """Return the text of the TOML file of a rule book that comes with this package."""
    from importlib.resources import files

    place = files("bganalyze.board").joinpath("books", f"{name}.toml")
    return place.read_text(encoding="utf-8")


_HEAD = ("name", "body", "edition", "date", "source", "scope")
READ_IN_PART = "read-in-part"
"""Key of the part that was read, for a rule book that was not read as a whole."""
_DATE = r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?|"
_CLAUSE = ("topic", "number", "words", "known", "decides", "optional")
_NAME = r"\w[\w.-]{0,39}"


MOST_CHARACTERS = 100
"""Longest body and longest edition: every output names both."""


def read_heading(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts at the head of a rule book, such as its name, edition and date.

    Raises RuleBookError if a text is missing or wrong.
    """
    _require_known(table, (*_HEAD, READ_IN_PART, "clause"), "")
    head = {key: _read_text(table, key, "") for key in _HEAD}
    head[READ_IN_PART] = _read_text(table, READ_IN_PART, "") if READ_IN_PART in table else ""
    for key in ("body", "edition"):
        if len(head[key]) > MOST_CHARACTERS:
            raise RuleBookError(f"{key}: longer than {MOST_CHARACTERS} characters")
    if not re.fullmatch(_NAME, head["name"]):
        raise RuleBookError("name: one word of at most 40 letters, digits, points and hyphens")
    if not re.fullmatch(_DATE, head["date"]):
        raise RuleBookError('date: a text such as "2023", "2023-08" or "2023-08-01", or ""')
    return head


def read_clauses(
    table: Mapping[str, Any], switches: Mapping[str, SwitchValues]
) -> tuple[Clause, ...]:
    """Return the clauses in a rule book's TOML table, or raise RuleBookError.

    `switches` has the allowed values of each setting, such as `jacoby`, that a clause can decide.
    """
    listed = table.get("clause", [])
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise RuleBookError("clause: each clause is a table of its own, below [[clause]]")
    clauses = tuple(_read_clause(one, n, switches) for n, one in enumerate(listed, 1))
    _require_decided_once(clauses)
    return clauses


def _read_clause(
    table: Mapping[str, Any], number: int, switches: Mapping[str, SwitchValues]
) -> Clause:
    """Return a clause of a rule book from its TOML table, or raise RuleBookError.

    `number` counts the clauses from 1. `switches` has the allowed values of each setting that a
    clause can decide.
    """
    where = f"clause {number}: "
    _require_known(table, _CLAUSE, where)
    optional = table.get("optional", False)
    if not isinstance(optional, bool):
        raise RuleBookError(f"{where}optional: {optional!r} is not true or false")
    return Clause(
        _read_word(table, "topic", TOPICS, where),
        _read_text(table, "number", where) if "number" in table else "",
        _read_text(table, "words", where),
        Known(_read_word(table, "known", tuple(Known), where)),
        _read_decisions(table.get("decides", {}), switches, f"{where}decides: "),
        optional,
    )


def _read_decisions(
    table: Any, switches: Mapping[str, SwitchValues], error_prefix: str
) -> tuple[tuple[str, Any], ...]:
    """Return the settings that a clause decides, such as `("jacoby", True)`.

    Raises RuleBookError, with a message that begins with `error_prefix`, if `switches` lacks the
    setting or does not allow its value.
    """
    if not isinstance(table, dict):
        raise RuleBookError(
            f'{error_prefix}switches and their values, as {{ stands-after = "roll" }}'
        )
    _require_known(table, switches, error_prefix)
    for key, value in table.items():
        if not switches[key].accepts(value):
            raise RuleBookError(f"{error_prefix}{key}: {value!r} is not {switches[key].words}")
    return tuple((key.replace("-", "_"), value) for key, value in table.items())


def _require_decided_once(clauses: Collection[Clause]) -> None:
    """Raise RuleBookError if two clauses decide the same setting, such as `jacoby`."""
    decided: dict[str, int] = {}
    for number, clause in enumerate(clauses, 1):
        if clause.optional or clause.known is Known.ASSUMED:
            continue
        for switch, _ in clause.decides:
            if switch in decided:
                key = switch.replace("_", "-")
                raise RuleBookError(f"clause {number}: clause {decided[switch]} decides {key} too")
            decided[switch] = number


def _require_known(table: Mapping[str, Any], known: Collection[str], error_prefix: str) -> None:
    """Raise RuleBookError if a table has a key that is not in `known`.

    The error's message begins with `error_prefix`.
    """
    for key in table:
        if key not in known:
            raise RuleBookError(
                f"{error_prefix}{key!r} is unknown; the keys are {', '.join(known)}"
            )


def _read_text(table: Mapping[str, Any], key: str, error_prefix: str) -> str:
    """Return the text of a key in a TOML table, as one line.

    Raises RuleBookError, with a message that begins with `error_prefix`, if there is no text.
    """
    if key not in table:
        raise RuleBookError(f"{error_prefix}{key} is missing")
    if not isinstance(table[key], str):
        raise RuleBookError(f"{error_prefix}{key}: {table[key]!r} is not a text")
    text = " ".join(str(table[key]).split())
    if not text.isprintable():
        raise RuleBookError(
            f"{error_prefix}{key}: {text!r} holds a character that cannot be printed"
        )
    return text


def _read_word(
    table: Mapping[str, Any], key: str, words: Collection[str], error_prefix: str
) -> str:
    """Return the text of a key in a TOML table, if it is one of `words`.

    Raises RuleBookError, with a message that begins with `error_prefix`, for any other text.
    """
    text = _read_text(table, key, error_prefix)
    if text not in words:
        raise RuleBookError(f"{error_prefix}{key}: {text!r} is not one of {', '.join(words)}")
    return text
