"""Reading: find the files under paths, and return their contents.

A path is a file, `-` for standard input, a folder (all of it, in a stable order), an archive (all
members) or a member of one (`archive.zip!member`). Files may be compressed. Hidden files of folders
and archives (names starting with a dot) are neither read nor counted. Whether a file is a match
file depends on its content and is decided when it is read.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from bganalyze.files import remote
from bganalyze.files.addresses import (
    HIDDEN_NAMES,
    MEMBER_MARK,
    NO_MEMBER,
    Address,
    is_archive,
    is_path_of_named_file,
    is_text_document,
    is_url,
    split_at_archive,
)
from bganalyze.files.limits import (
    TooLargeError,
    UnreadableError,
    check_size,
    open_regular,
    read_limited,
    reason,
)
from bganalyze.record.not_a_transcript import PACKED
from bganalyze.text import did_you_mean

if TYPE_CHECKING:
    from bganalyze.files.archives import Chain

__all__ = [
    "MEMBER_MARK",
    "STANDARD_INPUT",
    "FileToRead",
    "TooLargeError",
    "UnreadableError",
    "count_files",
    "distinct_paths",
    "find_files",
    "hash_content",
    "holds_many_files",
    "is_packed",
    "is_url_with_wildcards",
    "load_file",
    "reason",
]

STANDARD_INPUT = "-"
MOST_COMPARED = 2_000
"""Files of a folder whose names are compared with that of a missing file."""


_PACKED = tuple(mark for kind, (_, mark) in PACKED.items() if kind.startswith("packed by"))
"""First bytes of compressed files. The modules that unpack files and archives are imported on
demand."""


class FileToRead(NamedTuple):
    """A file to read, or a folder or archive that could not be listed."""

    path: str
    """Path as reported; for a member of an archive `archive.zip!member`."""
    root: str
    """Path on the command line under which the file was found."""
    archive: str | None = None
    chain: Chain = ()
    """Inner archives that lead to the member, then the member; empty if `archive` is not listed."""
    entry: int | None = None
    """Index of the member in the list of the archive."""
    held: bytes | UnreadableError | None = None
    """Content or error, for files that can be read only once or on another machine."""
    problem: str | None = None
    """Reason why a folder or an archive could not be listed."""
    address: Address | None = None
    """URL of the file or of its archive, if any."""
    copy: str = ""
    """Path of the archive on this machine, which may be a downloaded copy."""
    encoding: str | None = None
    """Encoding of the text, if the user names it."""

    def __str__(self) -> str:
        return self.path

    @property
    def named(self) -> bool:
        """Whether the user named this very file, not a folder or archive that contains it."""
        return is_path_of_named_file(self.path, self.root)


def distinct_paths(paths: Iterable[str]) -> list[str]:
    """Return the paths, without those that mean the same file or URL as an earlier one.

    >>> distinct_paths(["a.mat", "./a.mat", "b.mat"])
    ['a.mat', 'b.mat']
    """
    places: dict[str, str] = {}
    for path in paths:
        places.setdefault(_find_real_path(path), path)
    return list(places.values())


def _find_real_path(path: str) -> str:
    """Return the absolute path of a file with all links followed; leave URLs and `-` unchanged."""
    if is_url(path):
        return Address(path).full
    return path if path == STANDARD_INPUT else os.path.realpath(path)


def find_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> Iterator[FileToRead]:
    """Yield the files at one or more paths, and those in folders and archives at these paths.

    Files in a folder are sorted by name. `-` is standard input. An item with a `problem` stands for
    a folder or archive that cannot be read.
    """
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    names = (os.fspath(path_like) for path_like in several)
    for path in {getattr(name, "full", name): name for name in names}.values():
        if path == STANDARD_INPUT:
            yield FileToRead(path, path, held=read_standard_input())
        elif is_url(path):
            yield from _find_at_url(Address(path))
        elif holds_many_files(path):
            yield from _find_under(path)
        elif is_text_document(path) and os.path.isfile(_find_archive_in_path(path) or path):
            archive = _find_archive_in_path(path)
            yield from list(_find_under(path)) or [FileToRead(path, path, archive=archive)]
        else:
            yield FileToRead(path, path, archive=_find_archive_in_path(path))


def find_files_in_encoding(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], encoding: str | None
) -> Iterator[FileToRead]:
    """Yield the files at one or more paths, with `encoding` as the encoding to read them in.

    If `encoding` is None, it is detected for each file when the file is read.
    """
    return (item._replace(encoding=encoding) for item in find_files(paths))


def holds_many_files(path: str) -> bool:
    """Whether a path or URL may name several files: a folder, an archive or a pattern.

    A document with one text, such as a Word file, counts as one file.

    >>> holds_many_files("."), holds_many_files("a.mat")
    (True, False)
    """
    if is_text_document(Address(path).name if is_url(path) else path):
        return not is_url(path) and os.path.isdir(path)
    if is_url(path):
        return is_archive(Address(path).name) or remote.is_folder(Address(path))
    if os.path.isdir(path):
        return True
    return is_archive(path) and os.path.isfile(_find_archive_in_path(path) or path)


def is_url_with_wildcards(path: str) -> bool:
    """Whether a path is a URL that stands for several files by wildcards."""
    return is_url(path) and remote.has_wildcards(Address(path))


def load_file(item: FileToRead) -> bytes:
    """Return the content of a file, decompressed if need be; raise UnreadableError on failure."""
    content = _load_content(item)
    if item.encoding is None:
        return content
    from bganalyze.record.decoding import EncodedBytes

    return EncodedBytes(content, item.encoding)


def _load_content(item: FileToRead) -> bytes:
    """Return the content of a file, decompressed if compressed.

    Raises UnreadableError, whose message does not name the file.
    """
    if item.problem is not None:
        raise UnreadableError(item.problem)
    content = _read_stored(item)
    if not content.startswith(_PACKED):
        return content
    from bganalyze.files.packed import decompress_if_packed

    return decompress_if_packed(content)


def is_packed(item: FileToRead) -> bool:
    """Whether a file is compressed; raise UnreadableError if it cannot be read."""
    return _read_stored(item).startswith(_PACKED)


def _read_stored(item: FileToRead) -> bytes:
    """Return the content of a file without decompressing it; raise UnreadableError on failure."""
    if isinstance(item.held, UnreadableError):
        raise item.held
    if item.held is not None:
        return item.held
    if item.archive is None and item.address is not None:
        return remote.fetch_content(item.address)
    if item.archive is None:
        return read_named_file(item.path) if item.named else read_regular_file(item.path)
    from bganalyze.files.archives import find_last_member, read_member

    archive = item.archive
    if item.address is not None:
        archive = item.copy if os.path.exists(item.copy) else remote.download_file(item.address)
    chain = item.chain or find_last_member(archive, item.path[len(item.archive + MEMBER_MARK) :])
    return read_member(archive, chain)


def hash_content(content: bytes) -> bytes:
    """Return a digest that identifies the content of a file."""
    return blake2b(content, digest_size=16).digest()


def hold_content(item: FileToRead) -> FileToRead:
    """Return the file with its content in memory, so that another process can use it.

    If the content cannot be read, the error is stored instead.
    """
    try:
        return item._replace(held=_read_stored(item))
    except UnreadableError as error:
        return item._replace(held=error)


def count_files(paths: Collection[str]) -> int | None:
    """Return the number of files at these paths, or None if one path is a URL."""
    if any(map(is_url, paths)):
        return None
    stored = [path for path in paths if path != STANDARD_INPUT]
    return sum(1 for _ in find_files(stored)) + (STANDARD_INPUT in paths)


def _find_under(root: str) -> Iterator[FileToRead]:
    """Yield the file at the path `root` or, if a folder or archive is there, all files in it."""
    archive = _find_archive_in_path(root)
    if archive is not None:
        yield from _find_in_archive(archive, root, root[len(archive + MEMBER_MARK) :])
        return
    pending, seen = [root], set[tuple[int, int]]()
    while pending:
        path = pending.pop()
        try:
            status = os.stat(path)
            if stat.S_ISDIR(status.st_mode) and (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                pending.extend(_list_folder(path))
        except FileNotFoundError:
            continue
        except OSError as error:
            yield FileToRead(path, root, problem=reason(error))
            continue
        if stat.S_ISREG(status.st_mode):
            yield from (
                _find_in_archive(path, root) if is_archive(path) else [FileToRead(path, root)]
            )


_OF_STORES = frozenset(("manifest.db", "lock.db"))
"""Names of files that every store has."""


def _list_folder(folder: str) -> list[str]:
    """Return the visible files and folders in a folder, in reverse order of their names.

    A folder that is a store (a database of bganalyze) counts as empty.
    """
    names = sorted(os.listdir(folder), reverse=True)
    if names and _OF_STORES.issubset(names):
        return []
    return [os.path.join(folder, name) for name in names if not name.startswith(HIDDEN_NAMES)]


def _find_in_archive(
    path: str, given_path: str, only: str = "", address: Address | None = None
) -> Iterator[FileToRead]:
    """Yield the files in the archive at `path`, or in its inner archive `only`.

    `given_path` is the path that the user named. `address` is the URL of a downloaded archive.
    """
    from bganalyze.files.archives import list_entries

    archive = path if address is None else str(address)
    for number, (member, chain, problem) in enumerate(list_entries(path, only)):
        locator = archive + MEMBER_MARK + member if member else archive
        yield FileToRead(locator, given_path, archive, chain, number, None, problem, address, path)


def _find_at_url(root: Address) -> Iterator[FileToRead]:
    """Yield the file at a URL or, if the URL names a folder or archive, all files in it."""
    archive, name = split_at_archive(root.full) or ("", "")
    if is_archive(Address(archive).name):
        items = list(_find_in_archive_at_url(Address(archive), root, name))
        yield from items or [FileToRead(str(root), str(root), problem=NO_MEMBER)]
    elif is_archive(root.name):
        yield from _find_in_archive_at_url(root, root)
    elif remote.is_folder(root):
        for file in remote.find_files_under(root):
            if isinstance(file, remote.UnlistedFolder):
                yield FileToRead(str(file.address), str(root), problem=file.reason)
            elif is_archive(file.name):
                yield from _find_in_archive_at_url(file, root)
            else:
                yield FileToRead(str(file), str(root), address=file)
    else:
        yield FileToRead(str(root), str(root), address=root)


def _find_in_archive_at_url(
    address: Address, given_url: Address, only: str = ""
) -> Iterator[FileToRead]:
    """Yield the files in the archive at a URL, or in its inner archive `only`.

    The user named `given_url`, which may be a folder that contains the archive.
    """
    try:
        path = remote.download_file(address)
    except UnreadableError as error:
        yield FileToRead(str(address), str(given_url), problem=str(error))
    else:
        yield from _find_in_archive(path, str(given_url), only, address)


def _find_archive_in_path(path: str) -> str | None:
    """Return the archive in a path such as `archive.zip!member`, or None for any other path."""
    parts = None if os.path.exists(path) else split_at_archive(path)
    return parts and parts[0]


def read_standard_input() -> bytes:
    """Return the content of standard input, cut off after `LIMIT` + 1 bytes."""
    return read_limited(sys.stdin.buffer)


def read_named_file(path: str) -> bytes:
    """Return the content of a file that the user named.

    A pipe is cut off after `LIMIT` + 1 bytes. Raises UnreadableError if reading fails.
    """
    with _raise_unreadable(), open(path, "rb") as file:
        return _read_content(file)


def read_regular_file(path: str) -> bytes:
    """Return the content of a file; raise UnreadableError if it is not a regular file."""
    with _raise_unreadable(), open_regular(path) as file:
        return _read_content(file)


def _read_content(file: BinaryIO) -> bytes:
    """Return the content of an open file; raise UnreadableError if the file is too large."""
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode):
        check_size(status.st_size)
        return file.read(status.st_size + 1)  # A buffer of LIMIT bytes would cost 10 % of a check.
    return read_limited(file)


@contextmanager
def _raise_unreadable() -> Iterator[None]:
    """Turn any OSError in a `with` block into an UnreadableError."""
    try:
        yield
    except OSError as error:
        raise UnreadableError(f"{reason(error)}{_advise_on_missing_file(error)}") from error


def _advise_on_missing_file(error: OSError) -> str:
    """Return advice to add to the message that a file is missing, or "" for other errors."""
    if not isinstance(error, FileNotFoundError) or not isinstance(error.filename, str):
        return ""
    if {*"*?["} & {*error.filename}:
        return "; patterns are not expanded: name the folder"
    folder, name = os.path.split(error.filename)
    try:
        return did_you_mean(name, islice(sorted(os.listdir(folder or ".")), MOST_COMPARED))
    except OSError:
        return ""
