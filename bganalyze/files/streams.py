"""Sequential archives: tar files, and streams of OGXM matches.

Tar files are read header by header here, because `tarfile` keeps a list of all members, trusts any
length in a header, and does not report a file that is cut off. OGXM matches follow one another,
each with its length at its start; the package `ogxm` reads them too, but on Linux only.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from bganalyze.files.limits import UnpackLimit
from bganalyze.files.packed import ForwardStream
from bganalyze.record.not_a_transcript import LIMIT


class Member(NamedTuple):
    """A member of an archive."""

    name: str
    place: int
    """Index in the directory of a zip file; else the offset of its bytes, decompressed."""
    size: int


class UnreadMembers(NamedTuple):
    """Members that cannot be read, and the reason."""

    reason: str


Walk: TypeAlias = Callable[[ForwardStream, UnpackLimit], Iterator[Member | UnreadMembers]]
"""A function that yields the members of an archive, each after it has been read to its end.

It raises EOFError if the archive is cut off, ValueError if it is broken, and UnreadableError if it
exceeds the allowance.
"""

# Tar files.

_BLOCK = tarfile.BLOCKSIZE
_HEADER_LIMIT = 2**16
"""Longest header that is read, in bytes. A long name takes a few thousand."""
_NAMES = ("utf-8", "surrogateescape")

_EXTENDED, _LONG_NAME = tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME
_SKIPPED = (tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGLINK)
"""Headers that do not affect the name or size of the next member."""
_WITHOUT_CONTENT = (
    tarfile.DIRTYPE,
    tarfile.LNKTYPE,
    tarfile.SYMTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.FIFOTYPE,
)
"""Members without content. The target of a link is read under its own name."""


def read_tar_members(stream: ForwardStream, limit: UnpackLimit) -> Iterator[Member]:
    """Yield the files in a tar archive in the order in which they are stored.

    Raises ValueError or EOFError for a damaged tar archive, and UnreadableError beyond `limit`.
    """
    fields: dict[str, str] = {}
    while (header := _read_tar_header(stream)) is not None:
        if header.type == _EXTENDED:
            fields |= _parse_extended_header(_read_header_content(stream, header.size))
        elif header.type == _LONG_NAME:
            fields["path"] = _read_header_content(stream, header.size).rstrip(b"\0").decode(*_NAMES)
        elif header.type in _SKIPPED:
            _read_header_content(stream, header.size)
        else:
            member = _make_tar_member(header, fields, stream.place)
            limit.spend(1, member.size)
            _skip_content(stream, member.size)
            if header.type not in _WITHOUT_CONTENT:
                yield member
            fields = {}


def _read_tar_header(stream: ForwardStream) -> tarfile.TarInfo | None:
    """Return the next header of a tar archive, or None at its end."""
    try:
        header = tarfile.TarInfo.frombuf(stream.read(_BLOCK), *_NAMES)
    except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
        return None
    except tarfile.HeaderError as error:
        raise ValueError(error) from error
    return header


def _make_tar_member(
    header: tarfile.TarInfo, extended_fields: Mapping[str, str], content_start: int
) -> Member:
    """Return the file that a tar header describes; raise ValueError for an invalid header.

    `extended_fields`, such as a long path, overrule the header. The file's content begins at the
    byte `content_start`.
    """
    name, size = (
        extended_fields.get("path", header.name),
        int(extended_fields.get("size", header.size)),
    )
    if header.type == tarfile.GNUTYPE_SPARSE or any(
        key.startswith("GNU.sparse") for key in extended_fields
    ):
        raise ValueError(f"{name} is a sparse file, which cannot be read here")
    if size < 0:
        raise ValueError(f"{name} has a negative size")
    return Member(name, content_start, 0 if header.type in _WITHOUT_CONTENT else size)


def _skip_content(stream: ForwardStream, size: int) -> None:
    """Skip `size` bytes of a tar archive with their padding; raise EOFError if they are cut off."""
    blocks = -(-size // _BLOCK)
    if blocks:
        stream.go_to(stream.place + (blocks - 1) * _BLOCK)
        stream.read(_BLOCK)


def _read_header_content(stream: ForwardStream, size: int) -> bytes:
    """Return the content that belongs to a tar header, such as a long file name.

    Raises EOFError if the archive is cut off, and ValueError for an impossible size.
    """
    if not 0 <= size <= _HEADER_LIMIT:
        raise ValueError(f"a header has an impossible size: {size} bytes")
    content = stream.read(-(-size // _BLOCK) * _BLOCK)
    return content[:size]


def _parse_extended_header(content: bytes) -> dict[str, str]:
    r"""Return the fields of an extended tar header.

    >>> _parse_extended_header(b"18 path=a/b/c.mat\n")
    {'path': 'a/b/c.mat'}
    """
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
"""Size of the head of a match in bytes; the last four hold the length of the match."""
_TAIL = 8
"""Size of the part at the end of a match that holds the end mark, in bytes."""
_PIECE = 2**16


def read_ogxm_matches(
    stream: ForwardStream, limit: UnpackLimit
) -> Iterator[Member | UnreadMembers]:
    """Yield the matches in a binary OGXM file as members named "1", "2" and so on.

    An `UnreadMembers` stands for bytes that are no match. Raises UnreadableError beyond `limit`.
    """
    window = _StreamBuffer(stream)
    number = 0
    while window.fill(1):
        size = window.measure_match()
        if size:
            number += 1
            limit.spend(0, size)
            yield Member(str(number), window.place, size)
            window.drop(size)
        else:
            place, skipped = window.place, _skip_to_next_match(window)
            if not window.fill(1):
                raise EOFError
            yield UnreadMembers(f"skipped {skipped} bytes at offset {place}: not a match")


def _skip_to_next_match(buffer: _StreamBuffer) -> int:
    """Skip bytes up to the next match or the end of the stream, and return how many.

    The buffer must not start with a match.
    """
    start = buffer.place
    while buffer.fill(len(_MAGIC)) and not buffer.measure_match():
        ahead = buffer.content.find(_MAGIC, 1)
        buffer.drop(ahead if ahead > 0 else len(buffer.content) - len(_MAGIC) + 1)
    if not buffer.fill(len(_MAGIC)):
        buffer.drop(len(buffer.content))
    return buffer.place - start


class _StreamBuffer:
    """The part of a stream that is in memory."""

    def __init__(self, stream: ForwardStream) -> None:
        self._stream = stream
        self.content = bytearray()
        self.place = 0
        """Offset of the window in the stream."""

    def fill(self, size: int) -> bool:
        """Read until `size` bytes are in memory; return False if the stream is shorter."""
        while len(self.content) < size:
            piece = self._stream.read_up_to(max(size - len(self.content), _PIECE))
            if not piece:
                return False
            self.content += piece
        return True

    def drop(self, size: int) -> None:
        """Remove the first `size` bytes from memory."""
        del self.content[:size]
        self.place += size

    def measure_match(self) -> int:
        """Return the size in bytes of the match at the start, or 0 if it is not complete."""
        if not self.fill(_HEAD) or not self.content.startswith(_MAGIC):
            return 0
        size = int.from_bytes(self.content[_HEAD - 4 : _HEAD], "little")
        if not _HEAD < size <= LIMIT or not self.fill(size):
            return 0
        return size if _END in self.content[size - _TAIL : size] else 0
