"""Packed files: gzip, bzip2, xz and Zstandard, unpacked while they are read, and no further."""

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
from bganalyze.packages import ZSTANDARD, install_command
from bganalyze.transcript.refused import PACKED

XZ_MEMORY = 256 * 2**20
"""The most memory that unpacking xz may take, in bytes; what `xz -9` makes needs 65 MiB."""

_PIECE = 2**16
"""How many bytes are unpacked or passed over at a time."""

_BROKEN = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    ValueError,
)
"""What reading something packed raises where it is broken, or packed in a way not known here."""


class Packing(NamedTuple):
    """A way to pack a file."""

    title: str
    opened: Callable[[BinaryIO], BinaryIO]
    """Returns the content of a file as it is unpacked."""

    @property
    def mark(self) -> bytes:
        """How a packed file begins."""
        return PACKED[f"packed by {self.title}"][1]


class _Unpacked(io.RawIOBase):
    """The content of a file, which may be packed in several pieces, one behind the other.

    The files of `bz2` and `lzma` do the same, but the latter lets a file take any amount of memory.
    """

    def __init__(
        self, file: BinaryIO, decompressor: Callable[[], Any], error: type[Exception]
    ) -> None:
        self._file, self._new, self._error = file, decompressor, error
        self._decompressor = decompressor()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        place = memoryview(buffer).cast("B")
        try:
            content = self._some(len(place))
        except self._error as error:
            raise OSError(str(error)) from error
        place[: len(content)] = content
        return len(content)

    def _some(self, most: int) -> bytes:
        """Return so many bytes or fewer; none at the end. Raises EOFError where that is missing."""
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


def _gzip(file: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=file))


def _bzip2(file: BinaryIO) -> BinaryIO:
    return io.BufferedReader(_Unpacked(file, bz2.BZ2Decompressor, OSError))


def _xz(file: BinaryIO) -> BinaryIO:
    decompressor = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, XZ_MEMORY)
    return io.BufferedReader(_Unpacked(file, decompressor, lzma.LZMAError))


def _zstandard(file: BinaryIO) -> BinaryIO:
    zstd = _zstd()
    return io.BufferedReader(_Unpacked(file, zstd.ZstdDecompressor, zstd.ZstdError))


def _zstd() -> Any:
    """Python has this module since 3.14; its backport is by one of those who brought it there."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        missing = "packed by Zstandard, which the package backports.zstd reads; it is missing"
        raise UnreadableError(f"{missing}: {install_command(ZSTANDARD)}") from error
    return zstd


PACKINGS = {
    "gz": Packing("gzip", _gzip),
    "bz2": Packing("bzip2", _bzip2),
    "xz": Packing("xz", _xz),
    "zst": Packing("Zstandard", _zstandard),
}
"""By the ending of their files."""

_ENDING = re.compile(rf"\.(?:{'|'.join(PACKINGS)})$", re.IGNORECASE)


def packing_of(content: bytes) -> Packing | None:
    """Return how a file is packed, by how it begins; None where it is not."""
    return next(
        (packing for packing in PACKINGS.values() if content.startswith(packing.mark)), None
    )


def unpacked(content: bytes) -> bytes:
    """Return what is packed in a file, up to what is needed to see that it is too large.

    A file that is not packed is returned as it is. Raises UnreadableError.
    """
    packing = packing_of(content)
    if packing is None:
        return content
    with breakage_told(f"packed by {packing.title}, but broken"):
        return read_limited(packing.opened(io.BytesIO(content)))


def unpacked_name(name: str) -> str:
    """Return what a file is called once it is unpacked.

    >>> unpacked_name("final.mat.GZ"), unpacked_name("final.mat")
    ('final.mat', 'final.mat')
    """
    return _ENDING.sub("", name)


@contextmanager
def breakage_told(what: str) -> Iterator[None]:
    """Raise UnreadableError with the reason where something that is packed cannot be read."""
    try:
        yield
    except UnreadableError:
        raise
    except EOFError as error:
        raise UnreadableError(f"{what} (cut off)") from error
    except _BROKEN as error:
        raise UnreadableError(f"{what} ({reason(error)})") from error


class ForwardStream:
    """The content of a file that may be packed, for those who mostly read on.

    What is passed over is read only where it is packed; going back begins anew.
    """

    def __init__(self, file: BinaryIO, packing: Packing | None) -> None:
        self._file, self._packing = file, packing
        self._content = packing.opened(file) if packing else file
        self.place = 0
        """How many bytes lie behind."""

    def read(self, size: int) -> bytes:
        """Return so many bytes; raise EOFError where there are fewer."""
        content = self.read_up_to(size)
        if len(content) < size:
            raise EOFError
        return content

    def read_up_to(self, size: int) -> bytes:
        """Return so many bytes, or all that are left."""
        content = self._content.read(size)
        self.place += len(content)
        return content

    def go_to(self, place: int) -> None:
        """Go on at another place, which need not be there."""
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
