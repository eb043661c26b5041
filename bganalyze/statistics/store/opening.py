"""Opening existing stores: anything that is not plain and valid is refused before it is used."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from bganalyze.packages import describe_missing_store_packages
from bganalyze.statistics.store.allowed_names import require_only_store_files
from bganalyze.statistics.store.manifest import (
    NAME,
    Manifest,
    MatchStoreError,
    WrittenRoot,
    close_on_error,
    open_or_create,
    require_manifest,
)
from bganalyze.statistics.store.program_version import identify_program
from bganalyze.statistics.store.validity import require_valid


def open_store(folder: Path, rule_book: str | None = None) -> Manifest:
    """Open a store's database for reading.

    Raises MatchStoreError if the store cannot be read, or another program version or rule book made
    it.
    """
    with close_on_error(_open_existing(folder)) as manifest:
        manifest.require_maker(identify_program(), rule_book)
    return manifest


def open_to_collect(folder: Path, program: str, rule_book: str) -> Manifest:
    """Open or create a store's database for collecting, with this program version and rule book.

    Raises MatchStoreError if the folder contains anything else, or is damaged.
    """
    require_only_store_files(folder)
    with close_on_error(open_or_create(folder, program, rule_book)) as manifest:
        require_valid(manifest)
    return manifest


def require_store(folder: Path) -> None:
    """Raise MatchStoreError unless a folder is a readable store of any program version."""
    _open_existing(folder).close()


def list_collected_paths(folder: Path) -> list[WrittenRoot]:
    """Return the paths that a store was collected from.

    Raises MatchStoreError if the store cannot be read.
    """
    with closing(_open_existing(folder)) as manifest:
        return manifest.list_written_roots()


def find_match_file(folder: Path, number: int) -> tuple[str, int]:
    """Return the path of a collected match's file, and the match's number in that file.

    `number` is the match's number in the store, from 0; the returned number counts from 1. Raises
    MatchStoreError for a missing match, a URL, or a match that another user or machine collected.
    """
    with closing(_open_existing(folder)) as manifest:
        named_here = {root.path for root in manifest.list_written_roots() if root.is_named_here}
        before = 0
        for file in manifest.list_files():
            if number < before + file.matches:
                if file.root not in named_here:
                    raise MatchStoreError(
                        f"{folder}: may come from someone else, so files that only the"
                        f" store names are not read; give {file.path} instead of {number}"
                    )
                return file.path, number - before + 1
            before += file.matches
    raise MatchStoreError(
        f"{folder}: no match {number}; matches are numbered from 0 to {before - 1}"
    )


def _open_existing(folder: Path) -> Manifest:
    """Open the database of an existing store.

    Raises MatchStoreError if the store is missing, damaged or of another format.
    """
    require_only_store_files(folder)
    require_manifest(folder)
    if not os.path.isfile(folder / NAME):
        missing = describe_missing_store_packages()
        creating = f"bganalyze collect PATH --store {folder} creates it"
        raise MatchStoreError(f"{folder}: no such store; {missing or creating}")
    with close_on_error(Manifest(folder)) as manifest:
        manifest.require_format()
        require_valid(manifest)
    return manifest
