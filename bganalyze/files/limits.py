"""Limits on reading files and archives, and the errors for files that cannot be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import IO, BinaryIO, TypeAlias

from bganalyze.errors import BganalyzeError
from bganalyze.record.not_a_transcript import LIMIT, TOO_LARGE

TOTAL_LIMIT = 4 * 2**30
"""Largest unpacked size of an archive in bytes; a larger packed size raises the limit."""
RATIO_LIMIT = 200
"""Largest ratio of unpacked to packed size, if an archive unpacks to more than `LIMIT`."""
MEMBER_LIMIT = 200_000
"""Largest number of members in an archive."""

_OPEN_FILES = ("/dev/fd", "/proc/self/fd")
_STANDARD_ERROR = 2


class UnreadableError(BganalyzeError, ValueError):
    """A file that cannot be read: `path` and `reason`.

    The library names the file in `path`. Inside bganalyze, whoever knows the file adds it: until then
    `path` is None, and the message is the reason alone.
    """

    def __init__(self, reason: str, path: str | None = None) -> None:
        super().__init__(reason, path)
        self.reason = reason
        self.path = path

    def __str__(self) -> str:
        return self.reason if self.path is None else f"{self.path}: {self.reason}"


class TooLargeError(UnreadableError):
    """A file of more than `LIMIT` bytes."""


def check_size(size: int) -> None:
    """Raise TooLargeError if `size`, in bytes, is that of a file too large to read."""
    if size > LIMIT:
        raise TooLargeError(TOO_LARGE)


def read_limited(file: IO[bytes]) -> bytes:
    """Return the rest of a file, but at most `LIMIT` + 1 bytes.

    A result longer than `LIMIT` means that the file is too large.
    """
    return file.read(LIMIT + 1)


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading; a pipe is refused without waiting for its writer.

    Raises OSError for a pipe, device or folder, or if opening fails.
    """
    file = open(path, "rb", opener=_open_without_blocking)  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError("not a regular file")
    return file


def open_given(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file that the user named, for reading.

    Raises OSError if that fails, or for a device or pipe, except a pipe in `/dev/fd`.
    """
    parent, name = os.path.split(os.fspath(path))
    is_of_shell = parent in _OPEN_FILES and name.isdecimal() and int(name) > _STANDARD_ERROR
    if is_of_shell and stat.S_ISFIFO(os.stat(path).st_mode):
        return open(path, "rb")
    return open_regular(path)


def _open_without_blocking(path: str, flags: int) -> int:
    """Open a file or pipe, without waiting for a pipe's writer, and return the descriptor."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


Opener: TypeAlias = Callable[[], BinaryIO]
"""A function that opens a file."""


@contextmanager
def open_source(opener: Opener) -> Iterator[BinaryIO]:
    """Provide the file that `opener` opens for a `with` block; raise UnreadableError on failure."""
    try:
        file = opener()
    except OSError as error:
        raise UnreadableError(reason(error)) from error
    with closing(file):
        yield file


def reason(error: BaseException) -> str:
    """Return why an operation failed: the operating system's text or else the error's message.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class UnpackLimit:
    """Limits on the files and bytes unpacked from an archive, against zip bombs."""

    def __init__(self, packed_size: int) -> None:
        self._packed = packed_size
        """Packed size of the archive in bytes."""
        self._members = self._unpacked = 0

    def spend(self, members: int, unpacked: int) -> None:
        """Count files and bytes that are about to be unpacked.

        Raises UnreadableError beyond a limit, because the archive may be a zip bomb.
        """
        self._members += members
        self._unpacked += unpacked
        if self._members > MEMBER_LIMIT:
            raise UnreadableError(f"{self._members} members, more than the {MEMBER_LIMIT} allowed")
        if self._unpacked > max(TOTAL_LIMIT, self._packed):
            raise UnreadableError(f"unpacks to more than {TOTAL_LIMIT // 2**30} GiB")
        if self._unpacked > max(LIMIT, RATIO_LIMIT * self._packed):
            raise UnreadableError(f"unpacks to more than {RATIO_LIMIT} times its size")
