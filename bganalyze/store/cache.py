"""The cache of `check`: what was found in files, in the user's folder.

It is a manifest without shards, one for each edition of the program and each law. Nothing rests on
it: where it is broken, or cannot be written, files are read.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from bganalyze.files.reading import Item
from bganalyze.store.edition import local_edition
from bganalyze.store.manifest import (
    DamagedManifestError,
    FoundFile,
    Kept,
    Manifest,
    MatchStoreError,
    closed_on_error,
    made,
)
from bganalyze.store.places import absolute, name_of

VARIABLE = "BGANALYZE_CACHE_DIR"
"""Names the folder of the cache, where it is not to be the usual one."""

MOST_BYTES = 512 * 2**20
"""How large the cache may be. A file without findings takes about 600 bytes."""

ENTERED_AT_ONCE = 500
PATIENCE = 1.0
"""Seconds to wait for another run that writes to the cache."""

_MADE_FOR = "check"


def cache_folder() -> Path:
    """Return the folder of the cache."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    from platformdirs import user_cache_path

    return Path(user_cache_path("bganalyze", appauthor=False))


class Cache:
    """What earlier runs have found in files, by one edition of the program and one law."""

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
            file = self._manifest and self._manifest.found(item)
            kept_before = self._manifest and file and self._manifest.known(item, file)
            if kept_before and file and not kept_before.is_entered:
                self._linked.append((file, kept_before.kept))
            elif file:
                self._met[item] = file
            return kept_before.outcome if kept_before else None
        return None

    def keep(self, item: Item, digest: bytes | None, outcome: Callable[[], str]) -> None:
        """Keep what was found in a file."""
        file = self._met.pop(item, None)
        if file is not None and digest is not None:
            self._new.append((file, Kept(digest, name_of(item.path), 0, 0, outcome())))
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
                    _shrink(self._manifest.folder)

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
        except (MatchStoreError, OSError) as error:
            if self._manifest is not None and isinstance(error, DamagedManifestError):
                shutil.rmtree(self._manifest.folder, ignore_errors=True)
            self._manifest = None


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


def opened_cache(law: str, paths: Iterable[str]) -> Cache:
    """Return the cache for a law and files under some paths; one that keeps nothing where it must.

    A broken one is begun anew.
    """
    folder = cache_folder() / _MADE_FOR / _key(law)
    anchors = {Path(absolute(path)).anchor for path in paths}
    with suppress(MatchStoreError, OSError):
        try:
            return Cache(_manifest(folder, law, anchors))
        except DamagedManifestError:
            shutil.rmtree(folder, ignore_errors=True)
            return Cache(_manifest(folder, law, anchors))
    return Cache(None)


def _manifest(folder: Path, law: str, anchors: Iterable[str]) -> Manifest:
    with closed_on_error(made(folder, local_edition(), law, PATIENCE)) as manifest:
        manifest.be_quick()
        manifest.enter_roots({anchor: anchor for anchor in anchors})
    return manifest


def clear() -> bool:
    """Remove the cache; return whether there was one. Raises OSError."""
    folder = cache_folder() / _MADE_FOR
    if not folder.is_dir():
        return False
    shutil.rmtree(folder)
    return True


def _key(law: str) -> str:
    """The name of the folder for an edition, a law, and the packages that are installed."""
    packages = sysconfig.get_path("purelib")
    with suppress(OSError):  # Its time changes with every package that is installed in it.
        packages += str(os.stat(packages).st_mtime_ns)
    return blake2b(f"{local_edition()} {law} {packages}".encode(), digest_size=8).hexdigest()


def _shrink(current: Path) -> None:
    """Remove what was not written to for longest, until the cache is small enough."""
    folders = sorted(current.parent.iterdir(), key=lambda folder: folder.stat().st_mtime)
    sizes = {folder: sum(file.stat().st_size for file in folder.iterdir()) for folder in folders}
    for folder in folders:
        if sum(sizes.values()) > MOST_BYTES:
            shutil.rmtree(folder, ignore_errors=True)
            del sizes[folder]
