"""The bytes of one file, and why a file cannot be read."""

from __future__ import annotations

import os
import stat

from bganalyze.transcript.reader import LIMIT


class UnreadableError(ValueError):
    """A file that cannot be read; the message is the reason."""


class TooLargeError(UnreadableError):
    """A file of more than `LIMIT` bytes."""


def file_bytes(path: str) -> bytes:
    """Return the content of a file; raise UnreadableError.

    Of a pipe or device, whose size is not known beforehand, no more than is needed to see that
    it is too large.
    """
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode):
                check_size(status.st_size)
                return file.read(status.st_size + 1)  # A buffer of LIMIT costs a tenth of a check.
            return file.read(LIMIT + 1)
    except OSError as error:
        raise UnreadableError(reason(error)) from error


def check_size(size: int) -> None:
    """Raise TooLargeError where a file is larger than is read."""
    if size > LIMIT:
        raise TooLargeError(f"larger than {LIMIT // 2**20} MiB, the most that is read")


def reason(error: Exception) -> str:
    """Return why something failed, in the words of the system.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    """
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
