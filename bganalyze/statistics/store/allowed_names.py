"""The files and folders allowed in a store: the program's own names, without links.

A store may come from someone else. A link in it would lead reading, writing and deleting to another
place, and reading a pipe or a device would never end.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import BufferedReader
from pathlib import Path

from bganalyze.statistics.store.manifest import (
    FOLDER,
    NAME,
    Checksums,
    MatchStoreError,
    find_shard_folder,
)

LOCK = "lock.db"
"""The database that a run locks while it writes to the store. Only one run can hold the lock, and a
killed run loses it."""

ANALYSES = "analyses.db"
"""The database of engines' analyses; `analysis.store` writes and reads it."""

SHARD = re.compile(r"[0-9]{6,10}")
"""Pattern of the folder names of shards."""

LEFT_OVER = re.compile(r"(?:\.unfinished-)?[0-9]{6,10}")
"""Pattern of the folder names of leftover shards: unfinished, or merged with others."""

PARQUET = re.compile(r"(?:sums/)?[a-z0-9_]{1,64}\.parquet")
"""Pattern of the files of a shard, relative to its folder."""

_DATABASES = (NAME, LOCK, ANALYSES)
_JOURNALS = tuple(f"{name}-journal" for name in _DATABASES)
"""The journals that a killed run leaves beside databases; SQLite uses them to undo unfinished
changes."""

_NEVER_PRESENT = tuple(f"{name}{ending}" for name in _DATABASES for ending in ("-wal", "-shm"))
"""Files by which SQLite would change a database; no run creates them."""

_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal that names another file, which SQLite would delete. No run writes such a
journal."""

_ROLLBACK = b"\1\1"
"""Bytes in the header of a database that is written with a journal."""

_IS_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", object())


def require_only_store_files(folder: Path) -> None:
    """Raise MatchStoreError if a store's folder contains a link, a device or a foreign file."""
    try:
        for name in _NEVER_PRESENT:
            if os.path.lexists(folder / name):
                raise _make_foreign_file_error(folder / name, "a store never contains such a file")
        for name in (*_DATABASES, *_JOURNALS):
            with suppress(FileNotFoundError):
                _require_kind(folder / name, stat.S_IFREG)
        for name in _DATABASES:
            _require_rollback_mode(folder / name)
        for name in _JOURNALS:
            _refuse_foreign_journal(folder / name)
        with suppress(FileNotFoundError):
            _require_kind(folder / FOLDER, stat.S_IFDIR)
            _require_all_plain(folder / FOLDER)
    except OSError as error:
        raise MatchStoreError(f"{error.filename or folder}: {error.strerror}") from error


def _require_all_plain(folder: Path, depth: int = 2) -> None:
    """Raise MatchStoreError if a folder contains a link or a device, at any of its levels.

    `depth` is the number of levels of subfolders.
    """
    for name in os.listdir(folder):
        with suppress(FileNotFoundError):  # Another run may have moved it.
            path = folder / name
            is_shard = depth == 2 and SHARD.fullmatch(name)
            if _require_kind(path, stat.S_IFDIR, *(() if is_shard else (stat.S_IFREG,))) and depth:
                _require_all_plain(path, depth - 1)


def _require_kind(path: Path, *kinds: int) -> bool:
    """Return whether a path is a folder.

    Raises MatchStoreError if the file type is not one of `kinds`.
    """
    status = os.lstat(path)
    is_junction = getattr(status, "st_reparse_tag", None) == _IS_JUNCTION
    # Links, and junctions of Windows, have types of their own.
    if is_junction or stat.S_IFMT(status.st_mode) not in kinds:
        raise _make_foreign_file_error(path, "a link or something else that a store never contains")
    return stat.S_ISDIR(status.st_mode)


def _require_rollback_mode(path: Path) -> None:
    """Raise MatchStoreError if an SQLite database does not use a rollback journal."""
    with suppress(FileNotFoundError), open_plain(path) as file:
        header = file.read(20)
        if header.startswith(b"SQLite format 3\0") and header[18:] != _ROLLBACK:
            raise _make_foreign_file_error(path, "a database of another kind")


def _refuse_foreign_journal(path: Path) -> None:
    """Raise MatchStoreError if an SQLite journal would make SQLite delete another file."""
    with suppress(FileNotFoundError), open_plain(path) as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - len(_NAMES_ANOTHER)))
        # This program never writes such a journal.
        if file.read() == _NAMES_ANOTHER:
            raise _make_foreign_file_error(path, "it names a file outside the store")


def _make_foreign_file_error(path: Path, problem: str) -> MatchStoreError:
    """Return the error for a file that does not belong in a store; `problem` says why."""
    return MatchStoreError(
        f"{path}: {problem}; the store is damaged or was not created by bganalyze"
    )


def open_plain(path: Path) -> BufferedReader:
    """Open a file for reading; raise OSError if the path is a link, pipe or device."""
    flags = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    number = os.open(path, os.O_RDONLY | sum(flags))
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(0, "not a plain file", str(path))
    return os.fdopen(number, "rb")


def compute_checksum(path: Path) -> tuple[int, str]:
    """Return the size in bytes and the digest of a file; raise OSError if it is unreadable."""
    with open_plain(path) as file:
        digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
        return file.tell(), digest.hexdigest()


def is_shard_unchanged(store: Path, shard: int, files: Checksums) -> bool:
    """Whether the data files of a shard (the rows of some matches) still have these checksums."""
    folder = find_shard_folder(store, shard)
    try:
        return all(
            os.lstat(folder / name).st_size == size
            and compute_checksum(folder / name) == (size, digest)
            for name, (size, digest) in files.items()
        )
    except OSError:
        return False


def find_leftovers(store: Path, entered: Iterable[int]) -> Iterator[Path]:
    """Yield the folders in a store of those shards (sets of data files) that are not in `entered`.

    `entered` has the numbers of the shards that the store's database lists.
    """
    folder, kept = store / FOLDER, {find_shard_folder(store, shard).name for shard in entered}
    for name in sorted(os.listdir(folder)) if folder.is_dir() else ():
        if name not in kept and LEFT_OVER.fullmatch(name):
            yield folder / name


def remove_shard(folder: Path) -> None:
    """Delete the data files in a shard's folder and, if that empties it, the folder.

    Failures are ignored.
    """
    for place in (folder / "sums", folder):
        with suppress(OSError):
            if place.is_symlink() or folder.is_symlink():
                return
            for name in os.listdir(place):
                if PARQUET.fullmatch(name):
                    (place / name).unlink()
            place.rmdir()
