"""The cache of `check`: the outcomes of earlier checks, in the user's folder.

It is a manifest without shards, one for each edition of the program and each rule book. It is never
needed: if it is damaged or cannot be written, files are read. Outcomes are stored with a checksum.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from bganalyze.files.reading import FileToRead, find_files
from bganalyze.statistics.store.cache_folder import (
    ForeignFolderError,
    find_results_folder,
    make_cache_folder,
    remove_results,
    require_plain_files,
    shrink_cache,
)
from bganalyze.statistics.store.manifest import (
    FoundFile,
    Manifest,
    StoredFile,
    close_on_error,
    open_or_create,
)
from bganalyze.statistics.store.places import absolute_path, is_there, name_of
from bganalyze.statistics.store.program_version import identify_installed_program

ENTERED_AT_ONCE = 500
PATIENCE = 1.0
"""Seconds to wait for another run that is writing to the cache."""

_PASSING_ERRORS = frozenset(
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
"""Errors that say nothing about the content of a database."""


class Cache:
    """The results of earlier checks by this version of the program and one rule book, on disk."""

    def __init__(self, manifest: Manifest | None) -> None:
        """Use a database for the results, or store nothing if it is None."""
        self._open_manifest = manifest
        self._met: dict[FileToRead, FoundFile] = {}
        """The unknown files, as they were found before they were read."""
        self._linked: list[tuple[FoundFile, int]] = []
        self._new: list[tuple[FoundFile, StoredFile]] = []

    def find(self, paths: Iterable[str], _: Callable[[str], None], /) -> Iterator[FileToRead]:
        """Yield the files to check under the paths."""
        return find_files(paths)

    def recall(self, item: FileToRead) -> str | None:
        """Return the stored result of a file's check as JSON, or None for a new or changed file."""
        with self._stop_caching_on_error():
            file = self._open_manifest.locate_file(item) if self._open_manifest else None
            return (
                self._find_outcome(self._open_manifest, item, file)
                if self._open_manifest and file
                else None
            )
        return None

    def _find_outcome(self, manifest: Manifest, item: FileToRead, file: FoundFile) -> str | None:
        """Return the stored result of a file's check, or None after noting `file` for `keep`."""
        known = manifest.find_stored(item, file)
        size = file.stamp.size if known and known.is_entered else None
        outcome = _verify_checksum(known.outcome, item, size) if known else None
        if known is None or outcome is None:
            self._met[item] = file
        elif not known.is_entered:
            self._linked.append((file, known.kept))
        return outcome

    def keep(self, item: FileToRead, digest: bytes | None, make_json: Callable[[], str]) -> None:
        """Store the result of a file's check, after `recall` has returned None for the file.

        `make_json` returns the result. Nothing is stored if `digest`, that of the file's content,
        is None.
        """
        file = self._met.pop(item, None)
        if file is not None and digest is not None:
            stored = _add_checksum(make_json(), item, file.stamp.size)
            self._new.append((file, StoredFile(digest, name_of(item.path), 0, 0, stored)))
        if len(self._new) >= ENTERED_AT_ONCE:
            with self._stop_caching_on_error():
                self._write_new()

    def close(self) -> None:
        """Write new results to disk, and delete old ones if the cache exceeds its size limit."""
        with self._stop_caching_on_error():
            has_grown = bool(self._new)
            self._write_new()
            if self._open_manifest is not None:
                self._open_manifest.close()
                if has_grown:
                    shrink_cache(self._open_manifest.folder.parent)

    def _write_new(self) -> None:
        """Write the results that are not yet in the database into it."""
        if self._open_manifest is None or not (self._new or self._linked):
            return
        with self._open_manifest.transaction():
            numbers = self._open_manifest.record_results(None, [kept for _, kept in self._new])
            new = zip((file for file, _ in self._new), numbers, strict=True)
            for file, kept in (*self._linked, *new):
                self._open_manifest.record_file(file, kept)
        self._new, self._linked = [], []

    @contextmanager
    def _stop_caching_on_error(self) -> Iterator[None]:
        """Stop using the cache if a `with` block raises an error; the error itself is ignored.

        A damaged cache is removed.
        """
        try:
            yield
        except Exception as error:  # noqa: BLE001 - damage shows itself in many ways
            manifest, self._open_manifest = self._open_manifest, None
            if manifest is not None:
                manifest.close()
                if not _is_transient(error):
                    remove_results(manifest.folder)


class StoreMemory:
    """The results of checking files that a store has collected. The store is only read."""

    def __init__(self, manifest: Manifest) -> None:
        """Use the manifest of a store."""
        self._open_manifest = manifest
        self._missing: dict[FileToRead, str] = {}
        """The outcomes of files that were collected from paths that are missing now."""

    def find(
        self, paths: Iterable[str], tell_missing: Callable[[str], None], /
    ) -> Iterator[FileToRead]:
        """Yield the files under each path, or the files once collected from a path that is missing.

        Calls `tell_missing` with each missing path. Raises MatchStoreError if the store cannot be
        read.
        """
        for path in paths:
            missing = {} if is_there(path) else dict(self._open_manifest.list_checked_files(path))
            if missing:
                tell_missing(path)
                self._missing |= missing
                yield from missing
            else:
                yield from find_files(path)

    def recall(self, item: FileToRead) -> str | None:
        """Return the stored result of a file's check as JSON, or None for a new or changed file.

        A file whose collected path is missing (an unmounted disk, say) counts as unchanged. Raises
        MatchStoreError if the store cannot be read.
        """
        if item in self._missing:
            return self._missing[item]
        file = self._open_manifest.locate_file(item)
        kept_before = file and self._open_manifest.find_stored(item, file)
        return kept_before.outcome if kept_before else None

    def keep(self, item: FileToRead, digest: bytes | None, make_json: Callable[[], str]) -> None:
        """Do nothing: a store is never changed by a check."""

    def close(self) -> None:
        """Close the store's database."""
        self._open_manifest.close()


def open_cache(rule_book: str, paths: Iterable[str]) -> Cache:
    """Return the cache of what a rule book finds in the files under these paths.

    If the cache cannot be used, the returned one is always empty.
    """
    anchors = {Path(absolute_path(path)).anchor for path in paths}
    with suppress(Exception):
        folder = find_results_folder(make_cache_folder(), make_results_key(rule_book))
        try:
            return Cache(_open_manifest(folder, rule_book, anchors))
        except Exception as error:
            # A damaged cache is deleted and started anew.
            if _is_transient(error):
                raise
            remove_results(folder)
            return Cache(_open_manifest(folder, rule_book, anchors))
    return Cache(None)


def _open_manifest(folder: Path, rule_book: str, anchors: Iterable[str]) -> Manifest:
    """Open or create the database of cached results in a folder.

    `anchors` are the roots of the disks with the files to check, such as `/` or `C:/`.
    """
    require_plain_files(folder)
    with close_on_error(
        open_or_create(folder, identify_installed_program(), rule_book, PATIENCE)
    ) as manifest:
        manifest.skip_disk_waits()
        manifest.record_paths({anchor: anchor for anchor in anchors})
    return manifest


def _is_transient(error: Exception) -> bool:
    """Whether an error comes from the disk or another program, rather than from a damaged cache."""
    cause = error.__cause__ or error
    if isinstance(cause, sqlite3.OperationalError):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _PASSING_ERRORS
    return isinstance(cause, OSError) and not isinstance(cause, ForeignFolderError)


def _add_checksum(outcome: str, item: FileToRead, size: int) -> str:
    """Return the text to store for a check's result: checksum, file size and the result."""
    return f"{_compute_checksum(outcome, item, size)} {size} {outcome}"


def _verify_checksum(stored: str, item: FileToRead, size: int | None) -> str | None:
    """Return a check's result from a text made by `_add_checksum`, or None if the text is damaged.

    A text for a file of another `size` gives None, too; `size` None allows any.
    """
    match stored.split(" ", 2):
        # The text also has the file's size; None accepts any.
        case [checksum, size_kept, outcome] if size is None or size_kept == str(size):
            return outcome if checksum == _compute_checksum(outcome, item, size_kept) else None
    return None


def _compute_checksum(outcome: str, item: FileToRead, size: int | str) -> str:
    """Return a checksum of three things: a check's result, the file's name and the file's size."""
    text = f"{size} {name_of(item.path)} {outcome}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def make_results_key(rule_book: str) -> str:
    """Return a key of the results by a rule book, which changes when they may be out of date.

    The key depends on program, rule book and installed packages.
    """
    packages = "frozen" if getattr(sys, "frozen", False) else sysconfig.get_path("purelib")
    with suppress(OSError):  # The folder's time changes whenever a package is installed.
        packages += str(os.stat(packages).st_mtime_ns)
    return blake2b(
        f"{identify_installed_program()} {rule_book} {packages}".encode(), digest_size=8
    ).hexdigest()
