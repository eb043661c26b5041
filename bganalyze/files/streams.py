"""Archives that are read from their beginning to their end: tar files, and streams of OGXM matches.

A tar file is walked header by header, because `tarfile` keeps a list of all members, takes a header
for as long as it says it is, and does not tell when a file is cut off. OGXM matches stand one behind
the other, each beginning with its length; PyPI's `ogxm` walks them too, but on Linux only.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from bganalyze.files.limits import Allowance
from bganalyze.files.packed import ForwardStream
from bganalyze.transcript.refused import LIMIT


class Member(NamedTuple):
    """A member of an archive."""

    name: str
    place: int
    """Its number in the list of a zip; otherwise where its bytes begin, once all are unpacked."""
    size: int


class UnreadMembers(NamedTuple):
    """Members that cannot be read, and why."""

    reason: str


Walk: TypeAlias = Callable[[ForwardStream, Allowance], Iterator[Member | UnreadMembers]]
"""Yields the members of an archive, each once it is there to its end.

Raises EOFError where the archive is cut off, ValueError where it is broken, and UnreadableError where
it holds too much.
"""

# Tar files.

_BLOCK = tarfile.BLOCKSIZE
_HEADER_LIMIT = 2**16
"""The longest header that is read, in bytes: a long name takes a few thousand."""
_NAMES = ("utf-8", "surrogateescape")

_EXTENDED, _LONG_NAME = tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME
_PASSED_OVER = (tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGLINK)
"""Headers that say nothing about the name or the size of the member behind them."""
_WITHOUT_CONTENT = (
    tarfile.DIRTYPE,
    tarfile.LNKTYPE,
    tarfile.SYMTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.FIFOTYPE,
)
"""What a link leads to is read under its own name, if it is in the archive."""


def tar_members(stream: ForwardStream, allowance: Allowance) -> Iterator[Member]:
    """Yield the files of a tar file, as they stand in it."""
    told: dict[str, str] = {}
    while (header := _tar_header(stream)) is not None:
        if header.type == _EXTENDED:
            told |= _extended(_short(stream, header.size))
        elif header.type == _LONG_NAME:
            told["path"] = _short(stream, header.size).rstrip(b"\0").decode(*_NAMES)
        elif header.type in _PASSED_OVER:
            _short(stream, header.size)
        else:
            member = _tar_member(header, told, stream.place)
            allowance.spend(1, member.size)
            _pass(stream, member.size)
            if header.type not in _WITHOUT_CONTENT:
                yield member
            told = {}


def _tar_header(stream: ForwardStream) -> tarfile.TarInfo | None:
    """Return the next header; None at the end, which is a block of zeros."""
    try:
        header = tarfile.TarInfo.frombuf(stream.read(_BLOCK), *_NAMES)
    except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
        return None
    except tarfile.HeaderError as error:
        raise ValueError(error) from error
    return header


def _tar_member(header: tarfile.TarInfo, told: Mapping[str, str], place: int) -> Member:
    """Return a member, with what the headers before it have told."""
    name, size = told.get("path", header.name), int(told.get("size", header.size))
    if header.type == tarfile.GNUTYPE_SPARSE or any(key.startswith("GNU.sparse") for key in told):
        raise ValueError(f"{name} is stored with holes, which is not read here")
    if size < 0:
        raise ValueError(f"{name} has less than no bytes")
    return Member(name, place, 0 if header.type in _WITHOUT_CONTENT else size)


def _pass(stream: ForwardStream, size: int) -> None:
    """Pass over some bytes and what fills their last block; raise EOFError where they are not there."""
    blocks = -(-size // _BLOCK)
    if blocks:
        stream.go_to(stream.place + (blocks - 1) * _BLOCK)
        stream.read(_BLOCK)


def _short(stream: ForwardStream, size: int) -> bytes:
    """Return the content of a header."""
    if not 0 <= size <= _HEADER_LIMIT:
        raise ValueError(f"a header of {size} bytes")
    content = stream.read(-(-size // _BLOCK) * _BLOCK)
    return content[:size]


def _extended(content: bytes) -> dict[str, str]:
    """Return what an extended header says: lines such as `18 path=a/b/c.mat`, with their length."""
    entries, place = {}, 0
    while place < len(content.rstrip(b"\0")):
        length = content[place : place + 20].partition(b" ")[0]
        line = content[place + len(length) + 1 : place + int(length) - 1]
        key, _, value = line.partition(b"=")
        entries[key.decode(*_NAMES)] = value.decode(*_NAMES)
        place += max(int(length), 1)
    return entries


# Streams of OGXM matches.

_MAGIC, _END = b"OGXM", b"END!"
_HEAD = 16
"""The bytes at the beginning of a match in which its length stands, as the last four."""
_TAIL = 8
"""Among so many bytes at its end stands the mark of the end."""
_PIECE = 2**16


def ogxm_matches(stream: ForwardStream, allowance: Allowance) -> Iterator[Member | UnreadMembers]:
    """Yield the matches of a stream, named by their numbers. Bytes between them are told and left out."""
    window = _Window(stream)
    number = 0
    while window.fill(1):
        size = window.match_size()
        if size:
            number += 1
            allowance.spend(0, size)
            yield Member(str(number), window.place, size)
            window.drop(size)
        else:
            place, passed = window.place, _to_next_match(window)
            if not window.fill(1):
                raise EOFError
            yield UnreadMembers(f"{passed} bytes from {place} on are no match; left out")


def _to_next_match(window: _Window) -> int:
    """Go to the next match, or to the end; return how many bytes lay before it."""
    start = window.place
    window.drop(1)
    while window.fill(len(_MAGIC)) and not window.match_size():
        ahead = window.content.find(_MAGIC, 1)
        window.drop(ahead if ahead > 0 else len(window.content) - len(_MAGIC) + 1)
    if not window.fill(len(_MAGIC)):
        window.drop(len(window.content))
    return window.place - start


class _Window:
    """The part of a stream that is looked at: one match, or as much as one may have."""

    def __init__(self, stream: ForwardStream) -> None:
        self._stream = stream
        self.content = bytearray()
        self.place = 0
        """Where the window begins in the stream."""

    def fill(self, size: int) -> bool:
        """Read on until so many bytes are there; return whether they are."""
        while len(self.content) < size:
            piece = self._stream.read_up_to(max(size - len(self.content), _PIECE))
            if not piece:
                return False
            self.content += piece
        return True

    def drop(self, size: int) -> None:
        """Let the window begin so many bytes later."""
        del self.content[:size]
        self.place += size

    def match_size(self) -> int:
        """Return the length of the match with which the window begins; 0 where it is none."""
        if not self.fill(_HEAD) or not self.content.startswith(_MAGIC):
            return 0
        size = int.from_bytes(self.content[_HEAD - 4 : _HEAD], "little")
        if not _HEAD < size <= LIMIT or not self.fill(size):
            return 0
        return size if _END in self.content[size - _TAIL : size] else 0
