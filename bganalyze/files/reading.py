"""Archives of transcripts: the members of a `.zip` and their bytes.

An archive may come from anywhere: one that would fill the machine is refused before anything is
unpacked, and of a member never more is unpacked than a file may hold.
"""

from __future__ import annotations

import lzma
import os
import stat
import zipfile
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bganalyze.transcript.reader import LIMIT

# The bytes of one file, and why a file cannot be read.


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


TOTAL_LIMIT = 4 * 2**30
"""The most that an archive may hold unpacked, in bytes."""
RATIO_LIMIT = 200
"""How many times its packed size an archive that unpacks to more than `LIMIT` may hold."""
MEMBER_LIMIT = 200_000

_HIDDEN = (".", "__MACOSX")
_HERE_OR_ABOVE = (".", "..")
_BROKEN = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    UnicodeDecodeError,
)
"""What reading an archive raises where it is broken, or packed in a way not known here."""


def is_archive(path: str) -> bool:
    """Whether the name is that of an archive."""
    return path.lower().endswith(".zip")


class Member(NamedTuple):
    """A member of an archive: its name, and the index of its entry, for a name may stand twice."""

    name: str
    entry: int


def members(path: str) -> tuple[list[Member], str | None]:
    """Return the readable members by name, and what cannot be read, if anything.

    Raises UnreadableError where the whole archive is broken or refused.
    """
    try:
        infos = _opened(path).infolist()
        _check_sizes(infos, os.path.getsize(path))
    except _BROKEN as error:
        raise UnreadableError(f"broken archive ({reason(error)})") from error
    files = [(n, info) for n, info in enumerate(infos) if _is_wanted(info)]
    readable = sorted(Member(info.filename, n) for n, info in files if not _is_sealed(info))
    sealed = len(files) - len(readable)
    return readable, f"{sealed} of {len(files)} members are encrypted" if sealed else None


def member_bytes(path: str, name: str, entry: int | None = None) -> bytes:
    """Return the content of a member, or raise UnreadableError.

    Of several members of one name, the one at the index `entry`, or else the last.
    """
    try:
        archive = _opened(path)
        info = archive.getinfo(name) if entry is None else archive.infolist()[entry]
        if _is_sealed(info):
            raise UnreadableError("the member is encrypted")
        check_size(info.file_size)
        with archive.open(info) as file:
            return file.read(LIMIT + 1)
    except FileNotFoundError as error:
        raise UnreadableError(reason(error)) from error
    except LookupError as error:
        raise UnreadableError("no such member in the archive") from error
    except _BROKEN as error:
        raise UnreadableError(f"broken archive ({reason(error)})") from error


def _check_sizes(infos: Sequence[zipfile.ZipInfo], packed: int) -> None:
    """Raise UnreadableError where an archive would fill the machine."""
    unpacked = sum(info.file_size for info in infos)
    if len(infos) > MEMBER_LIMIT:
        raise UnreadableError(f"{len(infos)} members, more than the {MEMBER_LIMIT} allowed")
    if unpacked > TOTAL_LIMIT:
        raise UnreadableError(f"unpacks to more than {TOTAL_LIMIT // 2**30} GiB")
    if unpacked > max(LIMIT, RATIO_LIMIT * packed):
        raise UnreadableError(f"unpacks to more than {RATIO_LIMIT} times its size")


def _is_wanted(info: zipfile.ZipInfo) -> bool:
    parts = info.filename.replace("\\", "/").split("/")
    hidden = any(part.startswith(_HIDDEN) for part in parts if part not in _HERE_OR_ABOVE)
    return not (hidden or info.is_dir())


def _is_sealed(info: zipfile.ZipInfo) -> bool:
    """Whether the member is encrypted."""
    return bool(info.flag_bits & 1)


def _opened(path: str) -> zipfile.ZipFile:
    """The archive, kept open while its members are read one after the other."""
    status = os.stat(path)
    return _kept_open(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1)
def _kept_open(path: str, _changed: int, _size: int) -> zipfile.ZipFile:
    return zipfile.ZipFile(path)
