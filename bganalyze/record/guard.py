"""Limits on binary files, checked before gvformat reads them.

A small file can unpack to gigabytes, or hold one number that fills the memory. Each check takes time
and memory in proportion to the bytes it looks at, and raises DamagedError.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from bganalyze.record.builder import DamagedError

_KIB, _MIB = 1 << 10, 1 << 20

MOST_INFLATED = 32 * _MIB
"""The most that a file inflates to, in bytes: 200 games. The largest real file seen takes 1.9 MiB."""

ALWAYS_INFLATED = 16 * _MIB
"""What a file may inflate to however small it is."""

MOST_RATIO = 32
"""The largest ratio of inflated to packed size beyond that; real files have 4 to 14."""

MOST_GAMES = 2_000
MOST_ACTIONS = 30_000
"""Actions of all games of a file: those of 400 games."""

MOST_GAME_BYTES = 128 * _KIB
"""The bytes that all games of an OGXM file take without analysis; an action takes 3 of them."""

MOST_CUBE_DOUBLINGS = 30
"""Automatic doubles before a game: gvformat computes 2 to that power."""


def inflate(data: bytes, most: int = MOST_INFLATED) -> bytes:
    """Return what the first zlib stream in `data` inflates to.

    Raises DamagedError for more than `most` bytes, or much more than `data` has, and zlib.error.
    """
    limit = min(max(ALWAYS_INFLATED, MOST_RATIO * len(data)), most)
    content = zlib.decompressobj().decompress(data, limit + 1)
    check_inflated(len(content), limit)
    return content


def check_inflated(size: int, most: int) -> None:
    """Raise DamagedError if something inflates to more bytes than it may."""
    if size > most:
        raise DamagedError(f"inflates to more than {most / _MIB:g} MiB, which no match does")


def check_number(number: int, most: int, what: str) -> None:
    """Raise DamagedError if a file holds more of something than any match has."""
    if number > most:
        raise DamagedError(f"more than {most:,} {what}, which no match has")


# -- OGXM: sections, each with its kind and its length -------------------------------------------

_HEADERS = {1: (20, struct.Struct("<4sI4x")), 2: (16, struct.Struct("<4sIx"))}
"""By version: the size of the header of a file, and the header of each section."""

_AUTO_DOUBLES = 6
"""The bit of a game's mask that says that automatic doubles are stated."""

_BOARD = 3
_NUMBERS_BEFORE = (0, 1, 4, 5)
"""The other fields of a game before its automatic doubles: numbers, and one that takes no bytes."""

_IN_ANNOTATION = b"x-gammonview-auto_doubles"
"""An annotation for automatic doubles that the field does not hold: more than 4 billion."""


def check_ogxm(data: bytes) -> None:
    """Raise DamagedError if an OGXM file holds more than any match does."""
    games = [payload for kind, payload in _sections(data) if kind == b"GAME"]
    check_number(len(games), MOST_GAMES, "games")
    check_number(sum(map(len, games)), MOST_GAME_BYTES, "bytes of actions")
    doublings = [_auto_doubles(game) for game in games] if data[4] > 1 else []
    if _IN_ANNOTATION in data or max(doublings, default=0) > MOST_CUBE_DOUBLINGS:
        raise DamagedError("a cube doubled more often before a game than any cube can show")


def _sections(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the content of each section, as far as they are whole."""
    at, header = _HEADERS[min(max(data[4], 1), 2)]
    while at + header.size <= len(data):
        kind, length = header.unpack_from(data, at)
        at += header.size
        yield kind, data[at : at + length]
        at += length


def _auto_doubles(game: bytes) -> int:
    """How often the cube is doubled before a game."""
    _, at = _varint(game, 0)
    mask, at = _varint(game, at)
    if not mask >> _AUTO_DOUBLES & 1:
        return 0
    at += 26 * (mask >> _BOARD & 1)
    for bit in _NUMBERS_BEFORE:
        if mask >> bit & 1:
            _, at = _varint(game, at)
    return _varint(game, at)[0]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that stands at a place in groups of seven bits, and the place behind it."""
    number = 0
    for shift in range(0, 70, 7):
        number |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            break
    return number, at


# -- the document that gvformat makes of a file ----------------------------------------------------


def check_document(document: Mapping[str, Any]) -> None:
    """Raise DamagedError if GammonView's document holds more than any match does."""
    games = document["games"]
    check_number(len(games), MOST_GAMES, "games")
    check_number(sum(len(game["plies"]) for game in games), MOST_ACTIONS, "actions")
