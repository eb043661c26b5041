"""The upkeep of a store: its lock, removing what is damaged or left over, merging small shards."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bganalyze.statistics.store.manifest import Manifest, MatchStoreError
from bganalyze.statistics.store.places import absolute
from bganalyze.statistics.store.plain import LOCK, is_whole, leftovers, remove_shard, require_plain

FEW_FILES = 250
"""A shard that keeps less of files that are there is put together with others like it."""

MANY_SMALL = 8
"""So many small shards are put together: each time costs as much as they hold."""

_ASK_AGAIN = 0.1
"""Seconds."""


@contextmanager
def locked(folder: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of a store; where another run holds it, call `wait` once, and wait.

    SQLite locks a file on every system, and the system frees it at any end of the program.
    Raises MatchStoreError.
    """
    require_plain(folder)
    path, is_told = folder / LOCK, False
    with ExitStack() as ending:
        try:
            connection = sqlite3.connect(path, timeout=0, isolation_level=None)
            ending.callback(connection.close)
            while not _is_locked(connection):
                if not is_told:
                    wait()
                is_told = True
                time.sleep(_ASK_AGAIN)
        except sqlite3.Error as error:
            raise MatchStoreError(f"{path}: {error}") from error
        yield


def _is_locked(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def forget_damaged(manifest: Manifest) -> Iterator[tuple[int, int]]:
    """Forget the shards that are not as they were written; yield each, and how many files it kept.

    Raises MatchStoreError.
    """
    for shard, files in manifest.shards().items():
        if not is_whole(manifest.folder, shard, files):
            with manifest.transaction():
                lost = manifest.drop_shard(shard)
            yield shard, lost


def tidy(manifest: Manifest) -> None:
    """Put small shards together, where there are many, without the rows of files that are gone.

    Raises OSError and MatchStoreError.
    """
    alive = manifest.alive()
    empty = [shard for shard, kept in alive.items() if not kept]
    small = [shard for shard, kept in alive.items() if 0 < len(kept) < FEW_FILES]
    if len(small) < MANY_SMALL:
        small = []
    number = manifest.next_shard()
    files = None
    if small:
        matches = [range(first, first + count) for n in small for _, first, count in alive[n]]
        from bganalyze.statistics.store.shards import merged  # It loads pyarrow.

        files = merged(manifest.folder, number, small, matches)
    with manifest.transaction():
        if files is not None:
            manifest.add_shard(number, files)
            manifest.move((kept for n in small for kept, _, _ in alive[n]), number)
        for shard in (*empty, *small):
            manifest.drop_shard(shard)


def missing(manifest: Manifest) -> list[str]:
    """Return the paths that are not there, and of which something is kept; forget the others."""
    roots = manifest.missing_roots()
    with manifest.transaction():
        manifest.forget([absolute(path) for path, files in roots.items() if not files])
    return [path for path, files in roots.items() if files]


def remove_leftovers(manifest: Manifest) -> None:
    """Remove what runs that were killed have left, and shards that were put together.

    They are left to the next run, so that whoever reads them now can go on.
    """
    for folder in leftovers(manifest.folder, manifest.shards()):
        remove_shard(folder)
