"""Limits on what is read of a file or an archive, and the errors of what cannot be read."""

from __future__ import annotations

import os
import stat
from typing import IO, BinaryIO

from bganalyze.record.refused import LIMIT, TOO_LARGE

TOTAL_LIMIT = 4 * 2**30
"""The largest unpacked size of an archive, in bytes, unless it is larger than that packed."""
RATIO_LIMIT = 200
"""The largest ratio of unpacked to packed size, for an archive that unpacks to more than `LIMIT`."""
MEMBER_LIMIT = 200_000
"""The largest number of members of an archive."""

_OPEN_FILES = ("/dev/fd", "/proc/self/fd")
_STANDARD_ERROR = 2


class UnreadableError(ValueError):
    """A file that cannot be read; the message is the reason."""


class TooLargeError(UnreadableError):
    """A file of more than `LIMIT` bytes."""


def check_size(size: int) -> None:
    """Raise TooLargeError if a file is too large to be read."""
    if size > LIMIT:
        raise TooLargeError(TOO_LARGE)


def read_limited(file: IO[bytes]) -> bytes:
    """Return the rest of a file, or only so much as shows that it is too large."""
    return file.read(LIMIT + 1)


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file to be read; raise OSError if anything else is there.

    Nothing is waited for: what was a file a moment ago may be a pipe now.
    """
    file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - for whoever asks to close
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError("not a regular file")
    return file


def open_given(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file that the user has named to be read; raise OSError.

    A shell offers the output of a command as a pipe in `/dev/fd`. Other pipes and devices may never
    end.
    """
    parent, name = os.path.split(os.fspath(path))
    is_of_shell = parent in _OPEN_FILES and name.isdecimal() and int(name) > _STANDARD_ERROR
    if is_of_shell and stat.S_ISFIFO(os.stat(path).st_mode):
        return open(path, "rb")
    return open_regular(path)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def reason(error: BaseException) -> str:
    """Return why an operation failed, in the words of the operating system.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class Allowance:
    """How much more may be unpacked of an archive and those inside it: a guard against zip bombs."""

    def __init__(self, packed: int) -> None:
        self._packed = packed
        """The packed size of the archive, in bytes."""
        self._members = self._unpacked = 0

    def spend(self, members: int, unpacked: int) -> None:
        """Count members and their bytes, before they are unpacked; raise UnreadableError."""
        self._members += members
        self._unpacked += unpacked
        if self._members > MEMBER_LIMIT:
            raise UnreadableError(f"{self._members} members, more than the {MEMBER_LIMIT} allowed")
        if self._unpacked > max(TOTAL_LIMIT, self._packed):
            raise UnreadableError(f"unpacks to more than {TOTAL_LIMIT // 2**30} GiB")
        if self._unpacked > max(LIMIT, RATIO_LIMIT * self._packed):
            raise UnreadableError(f"unpacks to more than {RATIO_LIMIT} times its size")
