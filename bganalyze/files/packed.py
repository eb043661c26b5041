"""Compressed files: gzip, bzip2, xz and Zstandard, decompressed only as far as they are read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, NamedTuple, cast

from bganalyze.files.limits import UnreadableError, read_limited, reason
from bganalyze.packages import ZSTANDARD, how_to_add
from bganalyze.record.not_a_transcript import PACKED

XZ_MEMORY = 256 * 2**20
"""Memory limit for decompressing xz, in bytes; files of `xz -9` need 65 MiB."""

ENCRYPTED = 1
"""Flag of encrypted members of a zip file."""

_PIECE = 2**16
"""Bytes decompressed or skipped at a time."""

_BROKEN = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    ValueError,
)
"""Exceptions raised for compressed data that is broken or uses an unknown method."""


class Packing(NamedTuple):
    """A compression format."""

    title: str
    opened: Callable[[BinaryIO], BinaryIO]
    """A function that returns a file object which decompresses as it is read."""

    @property
    def mark(self) -> bytes:
        """The bytes with which every file in this compression format begins."""
        return PACKED[f"packed by {self.title}"][1]


class _Unpacked(io.RawIOBase):
    """The decompressed content of a compressed file.

    The file may consist of several compressed streams. The file objects of `bz2` and `lzma` do the
    same, but `lzma` does not limit memory.
    """

    def __init__(
        self, file: BinaryIO, decompressor: Callable[[], Any], error: type[Exception]
    ) -> None:
        self._file, self._new, self._error = file, decompressor, error
        self._decompressor = decompressor()

    def readable(self) -> bool:
        """Return True: the content can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` with decompressed bytes, and return how many."""
        place = memoryview(buffer).cast("B")
        try:
            content = self._next_piece(len(place))
        except self._error as error:
            raise OSError(str(error)) from error
        place[: len(content)] = content
        return len(content)

    def _next_piece(self, most: int) -> bytes:
        """Return the next decompressed bytes, at most `most`, or none at the end of the file.

        Raises EOFError if the compressed file is cut off.
        """
        content = b""
        while not content:
            packed = b""
            if self._decompressor.eof:
                packed = self._decompressor.unused_data.lstrip(b"\0") or self._file.read(_PIECE)
                if not packed.strip(b"\0"):
                    return b""
                self._decompressor = self._new()
            elif self._decompressor.needs_input:
                packed = self._file.read(_PIECE)
                if not packed:
                    raise EOFError
            content = self._decompressor.decompress(packed, most)
        return content


def _open_gzip(file: BinaryIO) -> BinaryIO:
    """Open a gzip file for reading its decompressed content."""
    return cast("BinaryIO", gzip.GzipFile(fileobj=file))


def _open_bzip2(file: BinaryIO) -> BinaryIO:
    """Open a bzip2 file for reading its decompressed content."""
    return io.BufferedReader(_Unpacked(file, bz2.BZ2Decompressor, OSError))


def _open_xz(file: BinaryIO) -> BinaryIO:
    """Open an xz file for reading its decompressed content, with limited memory."""
    decompressor = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, XZ_MEMORY)
    return io.BufferedReader(_Unpacked(file, decompressor, lzma.LZMAError))


def _open_zstandard(file: BinaryIO) -> BinaryIO:
    """Open a Zstandard file for reading its decompressed content."""
    zstd = _import_zstd()
    return io.BufferedReader(_Unpacked(file, zstd.ZstdDecompressor, zstd.ZstdError))


def _import_zstd() -> Any:
    """Return Python's module for Zstandard or, in an older Python, the package backports.zstd."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        problem = "compressed by Zstandard, which needs the package backports.zstd"
        raise UnreadableError(f"{problem}: {how_to_add(ZSTANDARD)}") from error
    return zstd


PACKINGS = {
    "gz": Packing("gzip", _open_gzip),
    "bz2": Packing("bzip2", _open_bzip2),
    "xz": Packing("xz", _open_xz),
    "zst": Packing("Zstandard", _open_zstandard),
}
"""Compression formats by extension."""

_ENDING = re.compile(rf"\.(?:{'|'.join(PACKINGS)})$", re.IGNORECASE)


def detect_packing(content: bytes) -> Packing | None:
    """Return the compression format of a file's content, or None if it is not compressed."""
    return next(
        (packing for packing in PACKINGS.values() if content.startswith(packing.mark)), None
    )


def decompress_if_packed(content: bytes) -> bytes:
    """Return the content of a file, decompressed if it is compressed.

    Decompressed content is cut off after `LIMIT` + 1 bytes. Raises UnreadableError if the file is
    damaged.
    """
    packing = detect_packing(content)
    if packing is None:
        return content
    with errors_as_unreadable(f"compressed by {packing.title}, but broken"):
        return read_limited(packing.opened(io.BytesIO(content)))


def strip_packed_extension(name: str) -> str:
    """Return a file name without the extension of a compression format, such as `.gz`."""
    return _ENDING.sub("", name)


@contextmanager
def errors_as_unreadable(problem: str) -> Iterator[None]:
    """Turn a decompression error in a `with` block into an UnreadableError.

    The message begins with `problem`.
    """
    try:
        yield
    except UnreadableError:
        raise
    except EOFError as error:
        raise UnreadableError(f"{problem} (cut off)") from error
    except _BROKEN as error:
        raise UnreadableError(f"{problem} ({reason(error)})") from error


class ForwardStream:
    """The content of a file, decompressed while it is read.

    Skipped bytes are read only if they are compressed. Going back starts again at the beginning.
    """

    def __init__(self, file: BinaryIO, packing: Packing | None) -> None:
        self._file, self._packing = file, packing
        self._content = packing.opened(file) if packing else file
        self.place = 0
        """Position in the content, in bytes."""

    def read(self, size: int) -> bytes:
        """Return exactly `size` bytes; raise EOFError if fewer are left."""
        content = self.read_up_to(size)
        if len(content) < size:
            raise EOFError
        return content

    def read_up_to(self, size: int) -> bytes:
        """Return `size` bytes, or as many as are left."""
        content = self._content.read(size)
        self.place += len(content)
        return content

    def go_to(self, place: int) -> None:
        """Move to the position `place`, in bytes of decompressed content; moving back is slow.

        Raises EOFError beyond the end of compressed content.
        """
        if self._packing is None:
            self._file.seek(place)
            self.place = place
            return
        if place < self.place:
            self._file.seek(0)
            self._content, self.place = self._packing.opened(self._file), 0
        while self.place < place:
            self.read(min(place - self.place, _PIECE))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __del__(self) -> None:
        self.close()
