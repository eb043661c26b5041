"""Stores that are there, opened: what is not plain and valid is refused before anything is used."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from bganalyze.statistics.store.edition import edition
from bganalyze.statistics.store.manifest import (
    NAME,
    Manifest,
    MatchStoreError,
    WrittenRoot,
    closed_on_error,
    made,
    require_manifest,
)
from bganalyze.statistics.store.plain import require_plain
from bganalyze.statistics.store.validity import require_valid


def opened(folder: Path, rule_book: str | None = None) -> Manifest:
    """Return the manifest of a store that is there, to be read.

    Raises MatchStoreError, as it does where another version of the program or another rule book made it.
    """
    with closed_on_error(_there(folder)) as manifest:
        manifest.require(edition(), rule_book)
    return manifest


def opened_to_collect(folder: Path, program: str, rule_book: str) -> Manifest:
    """Return the manifest of a store to be written, which is made where there is none.

    Raises MatchStoreError.
    """
    require_plain(folder)
    with closed_on_error(made(folder, program, rule_book)) as manifest:
        require_valid(manifest)
    return manifest


def require_there(folder: Path) -> None:
    """Raise MatchStoreError unless there is a store that can be read, of whatever version."""
    _there(folder).close()


def collected_paths(folder: Path) -> list[WrittenRoot]:
    """Return the paths that a store was collected from; raise MatchStoreError."""
    with closing(_there(folder)) as manifest:
        return manifest.written_roots()


def match_of(folder: Path, number: int) -> tuple[str, int]:
    """Return the file of a match that was collected, and which match of the file it is, from 1 on.

    Matches are counted from 0 in the order of their files. Raises MatchStoreError, as it does where
    nobody has named the file here, or it is on another machine.
    """
    with closing(_there(folder)) as manifest:
        named_here = {root.path for root in manifest.written_roots() if root.is_named_here}
        before = 0
        for file in manifest.live():
            if number < before + file.matches:
                if file.root not in named_here:
                    raise MatchStoreError(
                        f"{folder}: may come from somebody else, so nothing is read that only the"
                        f" store names; give {file.path} in place of {number}"
                    )
                return file.path, number - before + 1
            before += file.matches
    raise MatchStoreError(
        f"{folder}: there is no match {number}; they are numbered from 0 to {before - 1}"
    )


def _there(folder: Path) -> Manifest:
    require_plain(folder)
    require_manifest(folder)
    if not os.path.isfile(folder / NAME):
        raise MatchStoreError(f"{folder}: there is no such store; bganalyze collect makes one")
    with closed_on_error(Manifest(folder)) as manifest:
        manifest.require_format()
        require_valid(manifest)
    return manifest
