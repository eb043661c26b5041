"""From bytes to text: a byte order mark decides, else UTF-8, else what the file states, else a guess.

No byte is lost.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from bganalyze.record.encodings import Guess

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
MOSTLY = 4
"""Least number of characters of UTF-8 beyond ASCII for each byte that does not fit, if the text is UTF-8 with damage."""

_KEPT_BYTES = "\udc80-\udcff"
_LATIN_1 = {0xDC00 + byte: byte for byte in range(0x80, 0x100)}
"""Characters for bytes that no encoding can decode."""


class Decoded(NamedTuple):
    r"""Text of a file, with `\n` as line end.

    `misfits` are the ranges (start, end) of characters that stand for undecodable bytes.
    """

    text: str
    encoding: str
    misfits: tuple[tuple[int, int], ...]
    guess: Guess | None = None
    """The guess that led to the encoding; None if the file or its bytes decide it."""


class EncodedBytes(bytes):
    r"""Bytes of a file whose encoding the user names; a byte order mark alone overrules it.

    >>> decode(EncodedBytes(b"J\x81rgen", "cp850")).text
    'Jürgen'
    """

    encoding: str

    def __new__(cls, data: bytes, encoding: str) -> Self:
        """Return the bytes with the name of their encoding, as Python spells it."""
        self = super().__new__(cls, data)
        self.encoding = encoding
        return self

    def __reduce__(self) -> tuple[type[EncodedBytes], tuple[bytes, str]]:
        """Return how another process makes the value."""
        return EncodedBytes, (bytes(self), self.encoding)


def decode(data: bytes) -> Decoded:
    r"""Return the text of a file, decoded as its bytes show or state, or in a guessed encoding.

    Undecodable bytes become characters, whose places are in `misfits`.

    >>> decode("Bodø".encode("latin-1"))[:3]
    ('Bodø', 'cp1252', ())
    >>> decode(b"\xef\xbb\xbfa\r\nb\xff").misfits
    ((3, 4),)
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding)
    if isinstance(data, EncodedBytes):
        return _decode_any(data, data.encoding)
    if _is_utf16_without_mark(data):
        return _decode_as(data, "utf-16-le" if data[1:2] == b"\0" else "utf-16-be")
    try:
        return Decoded(_unify_line_ends(data.decode("utf-8")), "utf-8", ())
    except UnicodeDecodeError:
        return _decode_other(data)


def _decode_other(data: bytes) -> Decoded:
    """Decode bytes that are not valid UTF-8, in a stated or guessed encoding."""
    from bganalyze.record.encodings import (
        find_stated_encoding,
        guess_encoding,
        states_utf8,
    )  # Most files are UTF-8.

    # Slight damage leaves UTF-8.
    if _is_mostly_utf8(data, 1 if states_utf8(data) else MOSTLY):
        return _decode_any(data, "utf-8")
    stated = find_stated_encoding(data)
    if stated is not None:
        return _decode_any(data, stated)
    guess = guess_encoding(data)
    return _decode_any(data, guess.encoding)._replace(guess=guess)


def _is_mostly_utf8(data: bytes, characters_per_damage: int = MOSTLY) -> bool:
    r"""Whether bytes are UTF-8 with few damaged bytes among the characters beyond ASCII.

    There must be `characters_per_damage` correct characters beyond ASCII per damaged byte.

    >>> _is_mostly_utf8("Łukasz, Zoë, Jörg".encode() + b"\x90", 3), _is_mostly_utf8(b"Zo\xeb")
    (True, False)
    """
    text = data.decode("utf-8", "surrogateescape")
    damaged = sum(map(len, re.findall(f"[{_KEPT_BYTES}]+", text)))
    beyond = sum(map(len, re.findall("[^\x00-\x7f]+", text))) - damaged
    return beyond >= max(characters_per_damage * damaged, 1)


def _is_utf16_without_mark(data: bytes) -> bool:
    """Whether bytes look like UTF-16, in which every second byte is usually zero."""
    head = data[:200]
    return len(head) >= 4 and (head[0] == 0) != (head[1] == 0) and head.count(0) * 3 > len(head)


def _decode_as(data: bytes, encoding: str) -> Decoded:
    """Decode bytes in an encoding that a byte order mark or zero bytes show."""
    if encoding == "utf-8":
        return _decode_any(data, encoding)
    text = _unify_line_ends(data.decode(encoding, "replace"))
    return Decoded(text, encoding, _find_runs("\ufffd", text))


def _decode_any(data: bytes, encoding: str) -> Decoded:
    """Decode bytes in an encoding; undecodable bytes become characters of Latin-1."""
    try:
        return Decoded(_unify_line_ends(data.decode(encoding)), encoding, ())
    except UnicodeDecodeError:
        text = _unify_line_ends(data.decode(encoding, "surrogateescape"))
        return Decoded(text.translate(_LATIN_1), encoding, _find_runs(_KEPT_BYTES, text))


def _find_runs(characters: str, text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each part of a text that has only these characters.

    >>> _find_runs("ab", "xabba-a")
    ((1, 5), (6, 7))
    """
    return tuple(run.span() for run in re.finditer(f"[{characters}]+", text))


def _unify_line_ends(text: str) -> str:
    r"""Return a text with `\n` as line end, and without byte order marks.

    >>> _unify_line_ends("a\r\nb\rc\n")
    'a\nb\nc\n'
    """
    text = text.replace("\ufeff", " ")
    return text.replace("\r\n", "\n").replace("\r", "\n")
