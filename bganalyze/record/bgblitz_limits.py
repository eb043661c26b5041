"""Limits on BGBlitz files, whose content is Smile, a binary form of JSON.

The content is scanned once before gvformat decodes it: patterns skip simple values, and every
object and list is counted.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter

from bganalyze.record.binary_limits import (
    MOST_ACTIONS,
    MOST_GAMES,
    check_inflated,
    check_number,
    inflate,
)
from bganalyze.record.builder import DamagedError

MOST_CONTENT = 16 << 20
"""Largest size of an inflated file, in bytes; a match to 7 points takes 0.5 MiB."""

_MOST_CONTAINERS = 1_000_000
"""Largest number of objects and lists; a match to 7 points has 13,000."""

_MOST_DEPTH = 50
_MOST_NAMES = 10_000
_MOST_IN = {b"games": MOST_GAMES, b"moves": MOST_ACTIONS, b"moveAnalysis": 100_000}
"""Largest number of elements in all lists of a name."""

_BOARD, _PLAY = b"points", (b"from", b"to")
_LIST_BYTES = 100
"""Largest size of a board or of the points of a play, in bytes."""

_MOST_CHECKERS = 20
"""Largest number of checkers of one side on a board; a game has 15."""

_GZIP, _ZLIB = b"\x1f\x8b", b"\x78"
_START = 4
"""Offset of the first value."""

# The first byte of a value gives its kind, and often its length.


def _make_value_pattern(first_bytes: range, offset: int) -> bytes:
    r"""Return a regular expression for values in Smile (binary JSON) that begin with their length.

    The first byte, one of `first_bytes`, minus `offset` is the number of bytes that follow.

    >>> _make_value_pattern(range(0x40, 0x42), 0x3F)
    b'\\x40[\\s\\S]{1}|\\x41[\\s\\S]{2}'
    """
    return b"|".join(rb"\x%02x[\s\S]{%d}" % (first, first - offset) for first in first_bytes)


_SCALAR = b"|".join(
    (
        rb"[\x20-\x23\xc0-\xdf]",
        rb"[\x24\x25][\x00-\x7f]{0,10}[\x80-\xff]",
        rb"\x28[\s\S]{4}|\x29[\s\S]{10}",
        _make_value_pattern(range(0x40, 0x60), 0x3F),
        _make_value_pattern(range(0x60, 0x80), 0x5E),
        rb"[\xe0-\xef][^\xfc]*+\xfc",
    )
)
"""Pattern of a value without elements. Numbers have at most 64 bits."""

_MET_NAME = rb"[\x40-\x7f]|\x30[\s\S]"
"""Pattern of a key that refers to an earlier name by its index."""

_MOST_SKIPPED = 10_000
"""Largest number of values that one match skips; each takes up to 250 bytes then (measured)."""

_IN_OBJECT = re.compile(
    rb"(?>(?:(?:%b)(?:%b)){0,%d})"
    rb"(?:(?P<end>[\xfb\xff])|(?:(?P<new>%b)|(?P<met>%b))(?:%b|(?P<opens>[\xf8\xfa]))|)"
    % (
        _MET_NAME,
        _SCALAR,
        _MOST_SKIPPED,
        _make_value_pattern(range(0x80, 0xC0), 0x7F),
        _MET_NAME,
        _SCALAR,
    )
)
"""Pattern of simple values of an object, up to a new key, a nested value or the end if one follows."""

_IN_LIST = re.compile(
    rb"(?P<values>(?>(?:%b){0,%d}))(?:(?P<end>[\xf9\xff])|(?P<opens>[\xf8\xfa])|)"
    % (_SCALAR, _MOST_SKIPPED)
)

_OBJECT = 0xFA


def decompress_checked(data: bytes) -> bytes:
    """Decompress a BGBlitz file; raise DamagedError if it has more content than any match."""
    head, _, content = data.partition(b"\n")
    if content.startswith(_GZIP):
        content = _inflate_members(content)
    elif content.startswith(_ZLIB):
        content = inflate(content, MOST_CONTENT)
    check_inflated(len(content), MOST_CONTENT)
    if content.startswith((_GZIP, _ZLIB)):
        raise DamagedError("compressed twice, which no program does")
    _SmileScan(content).check()
    return head + b"\n" + content


def _inflate_members(data: bytes) -> bytes:
    """Decompress and join gzip streams; raise DamagedError if the result is too large."""
    content = b""
    while data.startswith(_GZIP):
        inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        content += inflater.decompress(data, MOST_CONTENT + 1 - len(content))
        check_inflated(len(content), MOST_CONTENT)
        if not inflater.eof:
            raise EOFError
        data = inflater.unused_data.lstrip(b"\0")
    return content


class _SmileScan:
    """A scan of a BGBlitz file (in Smile, a binary form of JSON) that counts objects and lists."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._names: list[bytes] = []
        self._open: list[tuple[bytes, bool]] = []
        """The name of each, empty for an element of a list, and whether it is an object."""
        self._total = 0
        self._in_lists = Counter[bytes]()

    def check(self) -> None:
        """Raise DamagedError if the file has more objects or longer lists than any match."""
        offset = _START + 1
        self._begin_container(self._content[_START], b"")
        while self._open:
            name, is_object = self._open[-1]
            part = (_IN_OBJECT if is_object else _IN_LIST).match(self._content, offset)
            if part is None or part.end() == offset:
                raise ValueError(self._content[offset : offset + 1])
            offset = part.end()
            if not is_object:
                _check_list(name, part["values"])
            key = self._read_key(part) if is_object else b""
            if part["end"]:
                self._open.pop()
            elif part["opens"]:
                self._begin_container(part["opens"][0], key)

    def _begin_container(self, kind: int, key: bytes) -> None:
        """Count an object or list, whose name is `key`; raise DamagedError if there are too many.

        `kind` is the first byte, which tells an object from a list.
        """
        self._total += 1
        check_number(self._total, _MOST_CONTAINERS, "objects")
        if self._open and not self._open[-1][1]:
            within = self._open[-1][0]
            self._in_lists[within] += 1
            check_number(
                self._in_lists[within], _MOST_IN.get(within, self._total), "objects in a list"
            )
        self._open.append((key, kind == _OBJECT))
        check_number(len(self._open), _MOST_DEPTH, "objects in one another")

    def _read_key(self, part: re.Match[bytes]) -> bytes:
        """Return the key at the end of a part of an object, or b"" without one."""
        if part["new"]:
            self._names.append(part["new"][1:])
            check_number(len(self._names), _MOST_NAMES, "names of keys")
            return self._names[-1]
        if not part["met"]:
            return b""
        # A repeated key is stored as its number.
        place = part["met"][1] if len(part["met"]) > 1 else part["met"][0] - 0x40
        return self._names[place] if place < len(self._names) else b""


def _check_list(key: bytes, content: bytes) -> None:
    """Raise DamagedError if the list `key` is a board or play with too many checkers or steps.

    `content` holds the encoded numbers of the list.
    """
    if key in _PLAY:
        check_number(len(content), _LIST_BYTES, "bytes of steps in a play")
    if key == _BOARD:
        # The numbers from -16 to 15 take a byte each, the sign in its last bit.
        small = [byte - 0xC0 for byte in content if 0xC0 <= byte < 0xE0]
        sides = [sum((byte + 1) // 2 for byte in small if byte % 2 == side) for side in (0, 1)]
        if len(small) < len(content) or max(sides) > _MOST_CHECKERS:
            raise DamagedError("a board with more checkers than a game has")
