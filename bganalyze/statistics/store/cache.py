"""The cache of `check`: what was found in files, in the user's folder.

It is a manifest without shards, one for each edition of the program and each rule book. Nothing rests on
it: where it is broken, or cannot be written, files are read. What was found is kept with a checksum.
"""

from __future__ import annotations

import os
import sqlite3
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from bganalyze.files.reading import Item
from bganalyze.statistics.store.cache_folder import (
    ForeignFolderError,
    made_cache_folder,
    remove_results,
    require_plain_files,
    results_folder,
    shrink,
)
from bganalyze.statistics.store.edition import local_edition
from bganalyze.statistics.store.manifest import FoundFile, Kept, Manifest, closed_on_error, made
from bganalyze.statistics.store.places import absolute, name_of

ENTERED_AT_ONCE = 500
PATIENCE = 1.0
"""Seconds to wait for another run that writes to the cache."""

_PASSING = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    )
)
"""Errors that tell nothing about the content of a database."""


class Cache:
    """What earlier runs have found in files, by one edition of the program and one rule book."""

    def __init__(self, manifest: Manifest | None) -> None:
        """Take the manifest of the cache; without one nothing is known and nothing kept."""
        self._manifest = manifest
        self._met: dict[Item, FoundFile] = {}
        """The files that are not known, as they were found before they were read."""
        self._linked: list[tuple[FoundFile, int]] = []
        self._new: list[tuple[FoundFile, Kept]] = []

    def recall(self, item: Item) -> str | None:
        """Return what was found in a file that has not changed."""
        with self._given_up_if_broken():
            file = self._manifest.found(item) if self._manifest else None
            return self._known(self._manifest, item, file) if self._manifest and file else None
        return None

    def _known(self, manifest: Manifest, item: Item, file: FoundFile) -> str | None:
        known = manifest.known(item, file)
        size = file.stamp.size if known and known.is_entered else None
        outcome = _checked(known.outcome, item, size) if known else None
        if known is None or outcome is None:
            self._met[item] = file
        elif not known.is_entered:
            self._linked.append((file, known.kept))
        return outcome

    def keep(self, item: Item, digest: bytes | None, outcome: Callable[[], str]) -> None:
        """Keep what was found in a file."""
        file = self._met.pop(item, None)
        if file is not None and digest is not None:
            stored = _with_checksum(outcome(), item, file.stamp.size)
            self._new.append((file, Kept(digest, name_of(item.path), 0, 0, stored)))
        if len(self._new) >= ENTERED_AT_ONCE:
            with self._given_up_if_broken():
                self._enter()

    def close(self) -> None:
        """Enter what is to be kept, and keep the cache within its limits."""
        with self._given_up_if_broken():
            has_grown = bool(self._new)
            self._enter()
            if self._manifest is not None:
                self._manifest.close()
                if has_grown:
                    shrink(self._manifest.folder.parent)

    def _enter(self) -> None:
        if self._manifest is None or not (self._new or self._linked):
            return
        with self._manifest.transaction():
            numbers = self._manifest.keep(None, [kept for _, kept in self._new])
            new = zip((file for file, _ in self._new), numbers, strict=True)
            for file, kept in (*self._linked, *new):
                self._manifest.put_file(file, kept)
        self._new, self._linked = [], []

    @contextmanager
    def _given_up_if_broken(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - damage shows itself in many ways
            manifest, self._manifest = self._manifest, None
            if manifest is not None:
                manifest.close()
                if not _is_passing(error):
                    remove_results(manifest.folder)


class StoreMemory:
    """What a store holds of files that have not changed. Nothing is added to it."""

    def __init__(self, manifest: Manifest) -> None:
        """Take the manifest of a store."""
        self._manifest = manifest

    def recall(self, item: Item) -> str | None:
        """Return what was found in a file when it was collected; raise MatchStoreError."""
        file = self._manifest.found(item)
        kept_before = file and self._manifest.known(item, file)
        return kept_before.outcome if kept_before else None

    def keep(self, item: Item, digest: bytes | None, outcome: Callable[[], str]) -> None:
        """Leave the store as it is: `collect` adds to it."""

    def close(self) -> None:
        """Close the manifest."""
        self._manifest.close()


def opened_cache(rule_book: str, paths: Iterable[str]) -> Cache:
    """Return the cache for a rule book and files under some paths; one that keeps nothing where it must.

    A broken one is begun anew.
    """
    anchors = {Path(absolute(path)).anchor for path in paths}
    with suppress(Exception):
        folder = results_folder(made_cache_folder(), _key(rule_book))
        try:
            return Cache(_manifest(folder, rule_book, anchors))
        except Exception as error:
            if _is_passing(error):
                raise
            remove_results(folder)
            return Cache(_manifest(folder, rule_book, anchors))
    return Cache(None)


def _manifest(folder: Path, rule_book: str, anchors: Iterable[str]) -> Manifest:
    require_plain_files(folder)
    with closed_on_error(made(folder, local_edition(), rule_book, PATIENCE)) as manifest:
        manifest.be_quick()
        manifest.enter_roots({anchor: anchor for anchor in anchors})
    return manifest


def _is_passing(error: Exception) -> bool:
    """Whether an error is one of the disk, or of another run, and not one of the cache."""
    cause = error.__cause__ or error
    if isinstance(cause, sqlite3.OperationalError):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _PASSING
    return isinstance(cause, OSError) and not isinstance(cause, ForeignFolderError)


def _with_checksum(outcome: str, item: Item, size: int) -> str:
    """Return what was found in a file, with the size of the file and a checksum of all."""
    return f"{_checksum(outcome, item, size)} {size} {outcome}"


def _checked(stored: str, item: Item, size: int | None) -> str | None:
    """Return what was found, or None if it is damaged, or of another file or size."""
    match stored.split(" ", 2):
        case [checksum, size_kept, outcome] if size is None or size_kept == str(size):
            return outcome if checksum == _checksum(outcome, item, size_kept) else None
    return None


def _checksum(outcome: str, item: Item, size: int | str) -> str:
    text = f"{size} {name_of(item.path)} {outcome}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _key(rule_book: str) -> str:
    """The name of the folder for an edition, a rule book, and the packages that are installed."""
    packages = sysconfig.get_path("purelib")
    with suppress(OSError):  # Its time changes with every package that is installed in it.
        packages += str(os.stat(packages).st_mtime_ns)
    return blake2b(f"{local_edition()} {rule_book} {packages}".encode(), digest_size=8).hexdigest()
