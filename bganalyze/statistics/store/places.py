"""Places of files in a store: the collected paths, and the files under each.

A collected path is a root. No root lies inside another: a path inside a root is part of it, and a
path that contains roots takes over their files.
"""

from __future__ import annotations

import os
import time
from typing import NamedTuple

from bganalyze.files.addresses import is_url, split_at_archive
from bganalyze.files.reading import MEMBER_MARK, FileToRead

_BEGINS_REST = (os.sep, MEMBER_MARK)
_BEGINS_SHARE = ("\\\\", "//")


SETTLED = 2_000_000_000
"""Nanoseconds after which a rewritten file has a different time, on every file system."""


class Stamp(NamedTuple):
    """Size and time by which a file counts as unchanged, without reading it."""

    size: int
    changed: int | None
    """Time in nanoseconds; None if the file changed so recently that it might change again within
    the same tick."""


class FilePlace(NamedTuple):
    """Place of a file: a collected path (root), and the rest of the path."""

    root: str
    """The absolute path."""
    rest: str
    """The part of the path after the root: `/club/a.mat`, `!a.mat`; empty for the root itself."""
    entry: int = -1
    """Its number in the list of its archive; -1 without an archive."""


def absolute_path(path: str) -> str:
    """Return a path made absolute without following links; a URL is returned unchanged."""
    return str(path) if is_url(path) else os.path.abspath(path)


def is_remote(path: str) -> bool:
    """Whether a path is on another machine: a URL or a network path.

    >>> is_remote("https://example.org/a.mat"), is_remote("/club/a.mat")
    (True, False)
    """
    return is_url(path) or os.path.splitdrive(path)[0][:2] in _BEGINS_SHARE


def is_there(path: str) -> bool:
    """Whether the file at a path exists or, for a path into an archive, the archive.

    Always True for a path on another machine.

    >>> is_there("samples"), is_there("samples/nothing.zip!a.mat")
    (True, False)
    """
    archive, _ = split_at_archive(path) or (path, "")
    return is_remote(path) or os.path.lexists(path) or os.path.lexists(archive)


def is_inside(path: str, root: str) -> bool:
    """Whether an absolute path equals `root` or lies in it.

    >>> is_inside("/a/b.mat", "/a"), is_inside("/a.zip!b.mat", "/a.zip"), is_inside("/ab", "/a")
    (True, True, False)
    """
    rest = path[len(root) :]
    return path.startswith(root) and (not rest or rest[0] in _BEGINS_REST or root.endswith(os.sep))


def read_stamp(item: FileToRead) -> Stamp | None:
    """Return the size and time of a file or of its archive, or None if it is missing.

    The time is left out if the file was changed just now.
    """
    try:
        status = os.stat(item.archive or item.path)
    except OSError:
        return None
    is_settled = time.time_ns() - status.st_mtime_ns > SETTLED
    return Stamp(status.st_size, status.st_mtime_ns if is_settled else None)


def find_absolute_path(item: FileToRead) -> str:
    """Return the absolute path of a file."""
    return join_path(absolute_path(item.root), cut_off_root(item))


def cut_off_root(item: FileToRead) -> str:
    """Return the part of a file's path that comes after the path in which it was found.

    >>> cut_off_root(FileToRead("club/a.mat", "club/")), cut_off_root(FileToRead("club.zip!a.mat", "club.zip"))
    ('/a.mat', '!a.mat')
    """
    rest = item.path[len(item.root) :]
    return rest if not rest or rest[0] in _BEGINS_REST else os.sep + rest


def join_path(root: str, rest: str) -> str:
    """Join a collected path (`root`) and the part of a file's path after it (`rest`).

    >>> join_path("club/", "/a.mat"), join_path("club.zip", "!a.mat"), join_path("a.mat", "")
    ('club/a.mat', 'club.zip!a.mat', 'a.mat')
    """
    return root + (rest[1:] if root.endswith(os.sep) and rest.startswith(os.sep) else rest)


def make_search_key(rest: str, entry: int) -> tuple[str, int]:
    """Return a key by which files are sorted in the order in which folders are searched.

    `rest` is the file's path after the collected path. `entry` is the position in an archive, or
    -1.

    >>> sorted([("/a.mat", -1), ("/a/b.mat", -1)], key=lambda place: make_search_key(*place))
    [('/a/b.mat', -1), ('/a.mat', -1)]
    """
    archive, _ = ("", "") if rest.startswith(MEMBER_MARK) else split_at_archive(rest) or (rest, "")
    return archive.replace(os.sep, "\0"), entry


def name_of(path: str) -> str:
    """Return the name of a file, or of a file in an archive, without its folder.

    >>> name_of("club/a.zip!b/c.mat"), name_of("club/a.mat")
    ('c.mat', 'a.mat')
    """
    return path.replace(os.sep, "/").rpartition("/")[2].rpartition(MEMBER_MARK)[2]
