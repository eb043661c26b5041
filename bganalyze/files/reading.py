"""Transcripts as files: found under paths, and read when their turn comes.

A path is a file, `-` for standard input, a folder (all of it, in a stable order), a `.zip` (all
members) or one member of it (`archive.zip!member`). What is hidden, its name beginning with a
point, is neither read nor counted in folders and archives. Whether a file is a transcript is not
decided here: its content decides, when it is read.
"""

from __future__ import annotations

import lzma
import os
import stat
import sys
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bganalyze.transcript.reader import LIMIT

STANDARD_INPUT = "-"
MEMBER_MARK = "!"


class Item(NamedTuple):
    """One file to read."""

    path: str
    """As reported; a member of an archive is `archive.zip!member`."""
    root: str
    """The path given, under which it was found."""
    archive: str | None = None
    entry: int | None = None
    """Which entry of the archive, where it was listed."""
    held: bytes | None = None
    """The content, where it can be read only once."""
    problem: str | None = None
    """Why a folder or an archive could not be looked into."""

    def __str__(self) -> str:
        return self.path

    @property
    def named(self) -> bool:
        """Whether this very file was asked for, and not a folder or archive that holds it."""
        return self.path == self.root


def distinct(paths: Iterable[str]) -> list[str]:
    """Return the paths in their order, without those that name a place once more.

    >>> distinct(["a.mat", "./a.mat", "b.mat", "-", "a.mat"])
    ['a.mat', 'b.mat', '-']
    """
    places: dict[str, str] = {}
    for path in paths:
        place = path if path == STANDARD_INPUT else os.path.realpath(path)
        places.setdefault(place, path)
    return list(places.values())


def find(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Iterator[Item]:
    """Yield the files under one path or several, each once, in their order; in a folder by name."""
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    for path in dict.fromkeys(os.fspath(path_like) for path_like in several):
        if path == STANDARD_INPUT:
            yield Item(path, path, held=sys.stdin.buffer.read(LIMIT + 1))
        elif holds_many(path):
            yield from _under(path)
        else:
            yield Item(path, path, archive=_archive_of(path))


def holds_many(path: str) -> bool:
    """Whether a path stands for the files found under it: a folder or an archive.

    >>> holds_many("."), holds_many("a.mat")
    (True, False)
    """
    return os.path.isdir(path) or (is_archive(path) and os.path.isfile(path))


def load(item: Item) -> bytes:
    """Return the content of a file, or raise UnreadableError."""
    if item.problem is not None:
        raise UnreadableError(item.problem)
    if item.held is not None:
        return item.held
    if item.archive is not None:
        name = item.path[len(item.archive + MEMBER_MARK) :]
        return member_bytes(item.archive, name, item.entry)
    return file_bytes(item.path)


def count(paths: Collection[str]) -> int:
    """Return how many files `find` yields, without reading any."""
    stored = [path for path in paths if path != STANDARD_INPUT]
    return sum(1 for _ in find(stored)) + (STANDARD_INPUT in paths)


def _under(root: str) -> Iterator[Item]:
    """Yield what a folder or archive holds, by name; each folder once, however it is linked."""
    pending, seen = [root], set[tuple[int, int]]()
    while pending:
        path = pending.pop()
        try:
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode) and (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                pending.extend(_listed(path))
        except FileNotFoundError:
            continue
        except OSError as error:
            yield Item(path, root, problem=reason(error))
            continue
        if stat.S_ISREG(status.st_mode):
            yield from _in_archive(path, root) if is_archive(path) else [Item(path, root)]


def _listed(folder: str) -> list[str]:
    """What stands in a folder and is not hidden, last name first."""
    names = sorted(os.listdir(folder), reverse=True)
    return [os.path.join(folder, name) for name in names if not name.startswith(".")]


def _in_archive(path: str, root: str) -> Iterator[Item]:
    try:
        held, problem = members(path)
    except UnreadableError as error:
        held, problem = [], str(error)
    if problem is not None:
        yield Item(path, root, problem=problem)
    for name, entry in held:
        yield Item(path + MEMBER_MARK + name, root, archive=path, entry=entry)


def _archive_of(path: str) -> str | None:
    """The archive in `archive.zip!member`; None where the path is a file's own."""
    end = path.lower().find(".zip" + MEMBER_MARK)
    return None if end < 0 or os.path.exists(path) else path[: end + len(".zip")]


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


# Archives: the members of a `.zip` and their bytes.
#
# An archive may come from anywhere: one that would fill the machine is refused before anything is
# unpacked, and of a member never more is unpacked than a file may hold.

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
