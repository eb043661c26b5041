"""The upkeep of a store: its lock, removing damaged and leftover shards, merging small ones."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bganalyze.statistics.store.allowed_names import (
    LOCK,
    find_leftovers,
    is_shard_unchanged,
    remove_shard,
    require_only_store_files,
)
from bganalyze.statistics.store.manifest import Manifest, MatchStoreError
from bganalyze.statistics.store.places import absolute_path

FEW_FILES = 250
"""Fewest existing files of a shard that is not merged with other small ones."""

MANY_SMALL = 8
"""Fewest small shards that are merged; each merge costs as much as their size."""

_ASK_AGAIN = 0.1
"""Seconds between attempts."""


@contextmanager
def hold_lock(folder: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of a store in a `with` block, so that no other run changes the store.

    `wait` is called once if another run holds the lock. Raises MatchStoreError if the lock cannot
    be created.
    """
    require_only_store_files(folder)
    path, is_told = folder / LOCK, False
    with ExitStack() as ending:
        try:
            connection = sqlite3.connect(path, timeout=0, isolation_level=None)
            ending.callback(connection.close)
            while not _try_lock(connection):
                if not is_told:
                    wait()
                is_told = True
                time.sleep(_ASK_AGAIN)
        except sqlite3.Error as error:
            raise MatchStoreError(f"{path}: {error}") from error
        yield


def _try_lock(connection: sqlite3.Connection) -> bool:
    """Lock a database and return True, or return False if another run holds the lock."""
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def forget_damaged(manifest: Manifest) -> Iterator[tuple[int, int]]:
    """Delete the entries of damaged or missing shards (sets of data files).

    Yields each such shard's number with the number of match files to read again. Raises
    MatchStoreError if the database cannot be written.
    """
    for shard, files in manifest.shards().items():
        if not is_shard_unchanged(manifest.folder, shard, files):
            with manifest.transaction():
                lost = manifest.delete_shard_entry(shard)
            yield shard, lost


def merge_small_shards(manifest: Manifest) -> None:
    """Merge the small shards (sets of data files) if there are many, and delete empty shards.

    Raises OSError if a file cannot be written, and MatchStoreError for a damaged one.
    """
    alive = manifest.list_results_by_shard()
    empty = [shard for shard, kept in alive.items() if not kept]
    small = [shard for shard, kept in alive.items() if 0 < len(kept) < FEW_FILES]
    if len(small) < MANY_SMALL:
        small = []
    number = manifest.make_shard_number()
    files = None
    if small:
        matches = [range(first, first + count) for n in small for _, first, count in alive[n]]
        from bganalyze.statistics.store.shards import merge_shards  # This import loads pyarrow.

        files = merge_shards(manifest.folder, number, small, matches)
    with manifest.transaction():
        if files is not None:
            manifest.add_shard(number, files)
            manifest.move_results((kept for n in small for kept, _, _ in alive[n]), number)
        for shard in (*empty, *small):
            manifest.delete_shard_entry(shard)


def find_missing_paths(manifest: Manifest) -> list[str]:
    """Return the missing collected paths that the store still has files of.

    Other missing paths are deleted from the store.
    """
    roots = manifest.find_missing_roots()
    with manifest.transaction():
        manifest.forget_paths([absolute_path(path) for path, files in roots.items() if not files])
    return [path for path, files in roots.items() if files]


def remove_leftovers(manifest: Manifest) -> None:
    """Delete the folders of shards (sets of data files) that are no longer in the database.

    Call this at the start of a run: at its end, other programs may still read merged shards.
    """
    for folder in find_leftovers(manifest.folder, manifest.shards()):
        remove_shard(folder)
