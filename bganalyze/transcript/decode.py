"""From bytes to text: a byte order mark decides, then UTF-8, then CP1252. Nothing is lost."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KEPT_BYTES = re.compile("[\udc80-\udcff]+")
_LINE_END = re.compile(r"\r\n?")


class Decoded(NamedTuple):
    r"""The text with line ends as `\n`, and the bytes (start, end) that fit no encoding."""

    text: str
    encoding: str
    misfits: tuple[tuple[int, int], ...]


def decode(data: bytes) -> Decoded:
    r"""Return `data` as text; bytes that fit no encoding stay as characters and are reported.

    >>> decode("Bodø".encode("latin-1"))
    Decoded(text='Bodø', encoding='cp1252', misfits=())
    >>> decode(b"\xef\xbb\xbfa\r\nb\xff").misfits
    ((3, 4),)
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if _looks_like_utf16(data):
        return _marked(data, "utf-16-le" if data[1:2] == b"\0" else "utf-16-be")
    try:
        return Decoded(_unified(data.decode("utf-8")), "utf-8", ())
    except UnicodeDecodeError:
        return _kept(data.decode("cp1252", "surrogateescape"), "cp1252")


def _looks_like_utf16(data: bytes) -> bool:
    """Half of the bytes of plain text in UTF-16 are zero."""
    head = data[:200]
    return len(head) >= 4 and (head[0] == 0) != (head[1] == 0) and head.count(0) * 3 > len(head)


def _marked(data: bytes, encoding: str) -> Decoded:
    if encoding == "utf-8":
        return _kept(data.decode(encoding, "surrogateescape"), encoding)
    text = _unified(data.decode(encoding, "replace"))
    return Decoded(text, encoding, tuple(m.span() for m in re.finditer("\ufffd+", text)))


def _kept(text: str, encoding: str) -> Decoded:
    text = _unified(text)
    misfits = tuple(found.span() for found in _KEPT_BYTES.finditer(text))
    if misfits:
        text = _KEPT_BYTES.sub(_as_latin_1, text)
    return Decoded(text, encoding, misfits)


def _as_latin_1(found: re.Match[str]) -> str:
    return "".join(chr(ord(character) - 0xDC00) for character in found.group())


def _unified(text: str) -> str:
    r"""Line ends as `\n`; a mark inside, where files were joined, as a blank."""
    text = text.replace("\ufeff", " ")
    return _LINE_END.sub("\n", text) if "\r" in text else text
