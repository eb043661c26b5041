"""Limits on binary files, checked before gvformat reads them.

A small file can inflate to gigabytes, or contain one number that fills the memory. Each check takes
time and memory in proportion to the bytes it reads, and raises DamagedError.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from bganalyze.record.builder import DamagedError

_KIB, _MIB = 1 << 10, 1 << 20

MOST_INFLATED = 32 * _MIB
"""Largest size of an inflated file, in bytes: 200 games. The largest real file seen has 1.9 MiB."""

ALWAYS_INFLATED = 16 * _MIB
"""Inflated size, in bytes, that is allowed however small the file is."""

MOST_RATIO = 32
"""Largest ratio of inflated to packed size above that; real files have 4 to 14."""

MOST_GAMES = 2_000
MOST_ACTIONS = 30_000
"""Largest number of actions in a file, enough for 400 games."""

MOST_GAME_BYTES = 128 * _KIB
"""Largest size of all games of an OGXM file without analysis, in bytes; an action takes 3."""

MOST_CUBE_DOUBLINGS = 30
"""Largest number of automatic doubles in a game: gvformat computes 2 to that power."""


def inflate(data: bytes, most: int = MOST_INFLATED) -> bytes:
    """Return the first zlib stream in `data`, decompressed.

    Raises DamagedError if the result has more than `most` bytes or is far too large for `data`, and
    zlib.error if the stream is broken.
    """
    limit = min(max(ALWAYS_INFLATED, MOST_RATIO * len(data)), most)
    content = zlib.decompressobj().decompress(data, limit + 1)
    check_inflated(len(content), limit)
    return content


def check_inflated(size: int, most: int) -> None:
    """Raise DamagedError if decompressed data has more than `most` bytes."""
    if size > most:
        raise DamagedError(f"inflates to more than {most / _MIB:g} MiB, which no match does")


def check_number(number: int, most: int, noun: str) -> None:
    """Raise DamagedError if `number` exceeds `most`; `noun` names the things counted."""
    if number > most:
        raise DamagedError(f"more than {most:,} {noun}, which no match has")


# -- OGXM: sections, each with its kind and its length -------------------------------------------

_HEADERS = {1: (20, struct.Struct("<4sI4x")), 2: (16, struct.Struct("<4sIx"))}
"""By version: size of the file header, and layout of each section header."""

_AUTO_DOUBLES = 6
"""Bit of a game's mask for stated automatic doubles."""

_BOARD = 3
_NUMBERS_BEFORE = (0, 1, 4, 5)
"""Fields before the automatic doubles: numbers, and one of no bytes."""

_IN_ANNOTATION = b"x-gammonview-auto_doubles"
"""Annotation that replaces the field for more than 4 billion automatic doubles."""


def check_ogxm(data: bytes) -> None:
    """Raise DamagedError if an OGXM file has more games or actions than any match."""
    games = [payload for kind, payload in _yield_sections(data) if kind == b"GAME"]
    check_number(len(games), MOST_GAMES, "games")
    check_number(sum(map(len, games)), MOST_GAME_BYTES, "bytes of actions")
    doublings = [_count_auto_doubles(game) for game in games] if data[4] > 1 else []
    if _IN_ANNOTATION in data or max(doublings, default=0) > MOST_CUBE_DOUBLINGS:
        raise DamagedError("a cube doubled more often before a game than any cube can show")


def _yield_sections(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and content of each section of an OGXM file that is complete."""
    offset, header = _HEADERS[min(max(data[4], 1), 2)]
    while offset + header.size <= len(data):
        kind, length = header.unpack_from(data, offset)
        offset += header.size
        yield kind, data[offset : offset + length]
        offset += length


def _count_auto_doubles(section: bytes) -> int:
    """Return the number of automatic doubles in a game of an OGXM file."""
    _, offset = _read_varint(section, 0)
    mask, offset = _read_varint(section, offset)
    if not mask >> _AUTO_DOUBLES & 1:
        return 0
    offset += 26 * (mask >> _BOARD & 1)
    for bit in _NUMBERS_BEFORE:
        if mask >> bit & 1:
            _, offset = _read_varint(section, offset)
    return _read_varint(section, offset)[0]


def _read_varint(data: bytes, offset: int) -> tuple[int, int]:
    r"""Return the variable-length number at an offset, and the next offset.

    >>> _read_varint(b"\xac\x02", 0)
    (300, 2)
    """
    number = 0
    for shift in range(0, 70, 7):
        number |= (data[offset] & 0x7F) << shift
        offset += 1
        if data[offset - 1] < 0x80:
            break
    return number, offset


# -- the document that gvformat makes of a file ----------------------------------------------------


def check_document(document: Mapping[str, Any]) -> None:
    """Raise DamagedError if gvformat's document has more games or actions than any match."""
    games = document["games"]
    check_number(len(games), MOST_GAMES, "games")
    check_number(sum(len(game["plies"]) for game in games), MOST_ACTIONS, "actions")
