"""Aliases: a file that says which names stand for one player.

    [players]
    "Ann Example" = ["annie", "ann_e"]

The records stay as they are; figures are counted under the name on the left.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bganalyze.files.files import reason
from bganalyze.names import plain_name

_SECTION = "players"


class AliasError(ValueError):
    """The file holds something it may not; the message says what and where."""


def load(path: Path) -> dict[str, str]:
    """Return who each name stands for, by its `plain_name`; raise AliasError."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AliasError(f"{path}: {reason(error)}") from error
    try:
        return read(table)
    except AliasError as error:
        raise AliasError(f"{path}: {error}") from error


def read(table: Mapping[str, Any]) -> dict[str, str]:
    """Return who each name stands for.

    >>> read({"players": {"Ann Example": ["Annie", "ann_e,1523"]}})
    {'ann example': 'Ann Example', 'annie': 'Ann Example', 'ann_e': 'Ann Example'}
    """
    if set(table) - {_SECTION} or not isinstance(table.get(_SECTION, {}), dict):
        raise AliasError(f"only a table [{_SECTION}] is known")
    persons: dict[str, str] = {}
    for person, name in _pairs(table.get(_SECTION, {})):
        other = persons.setdefault(plain_name(name), person)
        if other != person:
            raise AliasError(f"{name!r} stands for both {other!r} and {person!r}")
    return persons


def _pairs(players: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for person, names in players.items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise AliasError(f"{person!r} is not followed by a list of names")
        yield person, person
        yield from ((person, name) for name in names)
