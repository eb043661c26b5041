"""Transcripts as files: found under paths, and read when their turn comes.

A path is a file, `-` for standard input, a folder (all of it, in a stable order), an archive (all
members) or one member of it (`archive.zip!member`). Files may be packed. What is hidden, its name
beginning with a point, is neither read nor counted in folders and archives. Whether a file is a
transcript is not decided here: its content decides, when it is read.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

from bganalyze.files import remote
from bganalyze.files.addresses import Address, is_url
from bganalyze.files.archives import (
    MEMBER_MARK,
    NO_MEMBER,
    Chain,
    content_of,
    found_in,
    is_archive,
    located,
    split_locator,
)
from bganalyze.files.limits import (
    TooLargeError,
    UnreadableError,
    check_size,
    read_limited,
    reason,
)
from bganalyze.files.packed import packing_of, unpacked

__all__ = [
    "MEMBER_MARK",
    "STANDARD_INPUT",
    "Item",
    "TooLargeError",
    "UnreadableError",
    "count",
    "digest_of",
    "distinct",
    "file_bytes",
    "find",
    "holds_many",
    "is_packed",
    "is_pattern",
    "load",
    "reason",
]

STANDARD_INPUT = "-"


class Item(NamedTuple):
    """One file to read."""

    path: str
    """As reported; a member of an archive is `archive.zip!member`."""
    root: str
    """The path given, under which it was found."""
    archive: str | None = None
    chain: Chain = ()
    """Which member of the archive, where it was listed."""
    entry: int | None = None
    """Its number in that list, from 0 on."""
    held: bytes | UnreadableError | None = None
    """The content, where it can be read only once or elsewhere, or why it cannot be read."""
    problem: str | None = None
    """Why a folder or an archive could not be looked into."""
    address: Address | None = None
    """Where it, or its archive, is fetched from, if it lies behind a URL."""
    copy: str = ""
    """Where a copy of that archive lies."""

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
        places.setdefault(_place(path), path)
    return list(places.values())


def _place(path: str) -> str:
    if is_url(path):
        return Address(path).full
    return path if path == STANDARD_INPUT else os.path.realpath(path)


def find(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Iterator[Item]:
    """Yield the files under one path or several, each once, in their order; in a folder by name."""
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    names = (os.fspath(path_like) for path_like in several)
    for path in {getattr(name, "full", name): name for name in names}.values():
        if path == STANDARD_INPUT:
            yield Item(path, path, held=read_limited(sys.stdin.buffer))
        elif is_url(path):
            yield from _behind(Address(path))
        elif holds_many(path):
            yield from _under(path)
        else:
            yield Item(path, path, archive=_archive_of(path))


def holds_many(path: str) -> bool:
    """Whether a path stands for the files found under it: a folder or an archive.

    >>> holds_many("."), holds_many("a.mat")
    (True, False)
    """
    if is_url(path):
        return is_archive(Address(path).name) or remote.is_folder(Address(path))
    if os.path.isdir(path):
        return True
    return is_archive(path) and os.path.isfile(_archive_of(path) or path)


def is_pattern(path: str) -> bool:
    """Whether a path is a URL that stands for those that match it; what a shell knows, it replaces."""
    return is_url(path) and remote.is_pattern(Address(path))


def load(item: Item) -> bytes:
    """Return the content of a file, unpacked if it is packed; raise UnreadableError."""
    if item.problem is not None:
        raise UnreadableError(item.problem)
    return unpacked(_stored(item))


def is_packed(item: Item) -> bool:
    """Whether a file holds something else than what `load` returns; raise UnreadableError."""
    return packing_of(_stored(item)) is not None


def _stored(item: Item) -> bytes:
    if isinstance(item.held, UnreadableError):
        raise item.held
    if item.held is not None:
        return item.held
    if item.archive is None:
        return file_bytes(item.path) if item.address is None else remote.fetched(item.address)
    archive = item.archive
    if item.address is not None:
        archive = item.copy if os.path.exists(item.copy) else remote.local_copy(item.address)
    chain = item.chain or located(archive, item.path[len(item.archive + MEMBER_MARK) :])
    return content_of(archive, chain)


def digest_of(content: bytes) -> bytes:
    """Return by what the content of a file is known again.

    >>> digest_of(b"1 point match") == digest_of(b"3 point match")
    False
    """
    return blake2b(content, digest_size=16).digest()


def carried(item: Item) -> Item:
    """Return a file with its content, to be read on another machine as it is read here."""
    try:
        return item._replace(held=_stored(item))
    except UnreadableError as error:
        return item._replace(held=error)


def count(paths: Collection[str]) -> int | None:
    """Return how many files `find` yields, without reading any; None where that takes a network."""
    if any(map(is_url, paths)):
        return None
    stored = [path for path in paths if path != STANDARD_INPUT]
    return sum(1 for _ in find(stored)) + (STANDARD_INPUT in paths)


def _under(root: str) -> Iterator[Item]:
    """Yield what a folder or archive holds, by name; each folder once, however it is linked."""
    archive = _archive_of(root)
    if archive is not None:
        yield from _in_archive(archive, root, root[len(archive + MEMBER_MARK) :])
        return
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


def _in_archive(
    path: str, root: str, name: str = "", address: Address | None = None
) -> Iterator[Item]:
    """Yield what is in an archive, or in one inside it that is called so."""
    archive = path if address is None else str(address)
    for entry, (found, chain, problem) in enumerate(found_in(path, name)):
        locator = archive + MEMBER_MARK + found if found else archive
        yield Item(locator, root, archive, chain, entry, None, problem, address, path)


def _behind(root: Address) -> Iterator[Item]:
    """Yield what is behind a URL: a file, or what is in a folder or an archive."""
    archive, name = split_locator(root.full) or ("", "")
    if is_archive(Address(archive).name):
        items = list(_in_fetched(Address(archive), root, name))
        yield from items or [Item(str(root), str(root), problem=NO_MEMBER)]
    elif is_archive(root.name):
        yield from _in_fetched(root, root)
    elif remote.is_folder(root):
        for found in remote.files_under(root):
            if isinstance(found, remote.Unlisted):
                yield Item(str(found.address), str(root), problem=found.reason)
            elif is_archive(found.name):
                yield from _in_fetched(found, root)
            else:
                yield Item(str(found), str(root), address=found)
    else:
        yield Item(str(root), str(root), address=root)


def _in_fetched(address: Address, root: Address, name: str = "") -> Iterator[Item]:
    try:
        path = remote.local_copy(address)
    except UnreadableError as error:
        yield Item(str(address), str(root), problem=str(error))
    else:
        yield from _in_archive(path, str(root), name, address)


def _archive_of(path: str) -> str | None:
    """The archive in `archive.zip!member`; None where the path is a file's own."""
    parts = None if os.path.exists(path) else split_locator(path)
    return parts and parts[0]


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
            return read_limited(file)
    except OSError as error:
        raise UnreadableError(reason(error)) from error
