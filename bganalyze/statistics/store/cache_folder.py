"""The folder of the cache: its place, its mark, and the removal of its contents.

Everything in it lies in folders with names of the program's own form. From these only the files of
a manifest are removed, and a folder only if it is then empty.

The folder is marked by a file according to the Cache Directory Tagging Specification
(https://bford.info/cachedir/). A folder without that mark belongs to someone else, whatever its
name, and is neither read nor written. Links below the folder that the user names are not followed.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bganalyze.statistics.store.manifest import NAME

VARIABLE = "BGANALYZE_CACHE_DIR"
"""Environment variable with the folder that contains the cache, instead of the usual one."""

MOST_BYTES = 512 * 2**20
"""Most bytes in the cache. A file without findings takes about 700 bytes."""

MARKER = "CACHEDIR.TAG"

_NAME = "bganalyze"
_MARK = b"""Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache made by bganalyze; `bganalyze clean` removes it.
# About such files: https://bford.info/cachedir/
"""
_FORM = re.compile(r"checks-[0-9a-f]{16}")
"""Pattern of the names of folders in the cache."""
_FILES = (NAME, f"{NAME}-journal")
"""The files of a folder of results: a manifest, and the journal that a killed run leaves."""


class ForeignFolderError(OSError):
    """Something in the place of the cache that bganalyze did not create."""


def cache_folder() -> Path:
    """Return the path of the cache's folder. Raises OSError if the system names none."""
    if named := os.environ.get(VARIABLE):
        return Path(named, _NAME)
    from platformdirs import user_cache_path

    folder = Path(user_cache_path(_NAME, appauthor=False))
    if not folder.is_absolute():  # For example, if the user's home is unknown.
        raise OSError(f"the folder for caches is unknown; set {VARIABLE} to a folder")
    return folder


def make_cache_folder() -> Path:
    """Return the cache's folder, created if missing.

    Raises OSError if that fails, and ForeignFolderError if the folder is not bganalyze's.
    """
    folder = cache_folder()
    if not os.path.lexists(folder):
        with suppress(FileExistsError):  # Another run may be faster.
            folder.mkdir(parents=True)
    if _is_folder(folder) and not any(folder.iterdir()):
        _put_mark(folder)
    _require_mark(folder)
    return folder


def find_results_folder(cache: Path, key: str) -> Path:
    """Return the folder of the results with this key in the cache."""
    return cache / f"checks-{key}"


def require_plain_files(results: Path) -> None:
    """Raise OSError if a folder of results contains anything but plain files."""
    if not os.path.lexists(results):
        return
    if not _is_folder(results):
        raise NotADirectoryError(f"{results} is not a folder")
    with os.scandir(results) as entries:
        if not all(entry.is_file(follow_symlinks=False) for entry in entries):
            raise ForeignFolderError(f"{results}: contains something other than plain files")


def remove_results(results: Path) -> None:
    """Delete all files of the cache from a folder of results. Failures are ignored."""
    # No file that the cache did not make is removed.
    with suppress(OSError):
        if _is_results(results):
            _remove_results_folder(results)


def _remove_results_folder(results: Path) -> None:
    """Delete the cache's files from a folder of results, then the folder if it is empty."""
    for file in _list_own_files(results):
        file.unlink(missing_ok=True)  # Another run may be faster.
    if not any(results.iterdir()):
        results.rmdir()


def _list_own_files(results: Path) -> Iterator[Path]:
    """Yield those files in a folder of results whose names are the cache's."""
    for name in _FILES:
        with suppress(FileNotFoundError):
            if stat.S_ISREG((results / name).lstat().st_mode):
                yield results / name


def clear(folder: Path) -> bool:
    """Delete all cached results, and return whether the cache's folder existed.

    The folder itself is deleted if that empties it. Raises OSError if a file cannot be deleted, and
    ForeignFolderError if bganalyze did not create the folder.
    """
    if not os.path.lexists(folder):
        return False
    _require_mark(folder)
    for results in _list_results(folder):
        _remove_results_folder(results)
    if [path.name for path in folder.iterdir()] == [MARKER]:
        (folder / MARKER).unlink()
        try:
            folder.rmdir()
        except OSError:  # Another run has started meanwhile.
            _put_mark(folder)
    return True


def shrink_cache(cache: Path) -> None:
    """Delete the least recently used results until the cache has at most `MOST_BYTES`.

    Raises OSError if the folders cannot be read.
    """
    folders = sorted(_list_results(cache), key=lambda folder: folder.stat().st_mtime)
    sizes = {
        folder: sum(file.lstat().st_size for file in _list_own_files(folder)) for folder in folders
    }
    for folder in folders:
        if sum(sizes.values()) > MOST_BYTES:
            remove_results(folder)
            del sizes[folder]


def _list_results(cache: Path) -> list[Path]:
    """Return all folders of results in a cache."""
    return list(filter(_is_results, cache.iterdir()))


def _is_results(path: Path) -> bool:
    """Whether a path is named like a folder of results."""
    return _FORM.fullmatch(path.name) is not None and _is_folder(path)


def _is_folder(path: Path) -> bool:
    """Whether a path is a folder, not a link to one."""
    return stat.S_ISDIR(path.lstat().st_mode)


def _put_mark(folder: Path) -> None:
    """Mark an empty folder as the cache of bganalyze. Raises OSError if it cannot be written."""
    try:
        # Another run may mark the folder at the same time.
        with (folder / MARKER).open("xb") as file:
            file.write(_MARK)
    except FileExistsError:
        return
    except OSError:
        (folder / MARKER).unlink(missing_ok=True)
        raise


def _require_mark(folder: Path) -> None:
    """Raise ForeignFolderError unless a folder is marked as the cache of bganalyze."""
    marker = folder / MARKER
    if _is_folder(folder) and os.path.lexists(marker) and stat.S_ISREG(marker.lstat().st_mode):
        with marker.open("rb") as file:
            if file.read(len(_MARK)) == _MARK:
                return
    raise ForeignFolderError(f"not created by bganalyze: it has no {MARKER} of bganalyze")
