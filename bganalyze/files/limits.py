"""Limits on what is read of a file or an archive, and the errors of what cannot be read."""

from __future__ import annotations

from typing import IO

from bganalyze.transcript.refused import LIMIT, TOO_LARGE

TOTAL_LIMIT = 4 * 2**30
"""The largest unpacked size of an archive, in bytes, unless it is larger than that packed."""
RATIO_LIMIT = 200
"""The largest ratio of unpacked to packed size, for an archive that unpacks to more than `LIMIT`."""
MEMBER_LIMIT = 200_000
"""The largest number of members of an archive."""


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
