"""Find transcripts under paths, and load each when its turn comes.

A path is a file, `-` for standard input, a folder (all of it, in a stable order), a `.zip` (all
members) or one member of it (`archive.zip!member`). What is hidden, its name beginning with a
point, is neither read nor counted in folders and archives. Whether a file is a transcript is not
decided here: its content decides, when it is read.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from bganalyze.files.reading import (
    UnreadableError,
    file_bytes,
    is_archive,
    member_bytes,
    members,
    reason,
)
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
    for path in dict.fromkeys(os.fspath(each) for each in several):
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
