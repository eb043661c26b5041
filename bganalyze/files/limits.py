"""How much is read of a file or an archive at most, and why something cannot be read."""

from __future__ import annotations

from typing import IO

from bganalyze.transcript.refused import LIMIT, TOO_LARGE

TOTAL_LIMIT = 4 * 2**30
"""The most that an archive may hold unpacked, in bytes, if that is more than it takes packed."""
RATIO_LIMIT = 200
"""How many times its packed size an archive that unpacks to more than `LIMIT` may hold."""
MEMBER_LIMIT = 200_000
"""The most members that an archive may have."""


class UnreadableError(ValueError):
    """A file that cannot be read; the message is the reason."""


class TooLargeError(UnreadableError):
    """A file of more than `LIMIT` bytes."""


def check_size(size: int) -> None:
    """Raise TooLargeError where a file is larger than is read."""
    if size > LIMIT:
        raise TooLargeError(TOO_LARGE)


def read_limited(file: IO[bytes]) -> bytes:
    """Return what is left of a file, but no more than is needed to see that it is too large."""
    return file.read(LIMIT + 1)


def reason(error: BaseException) -> str:
    """Return why something failed, in the words of the system.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class Allowance:
    """What may still be unpacked of an archive and of those inside it, so that none fills the machine."""

    def __init__(self, packed: int) -> None:
        self._packed = packed
        """The bytes that the archive takes."""
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
