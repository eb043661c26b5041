"""The edition of the program that made stored data: its version and its sources.

The version alone is not enough during development, because it stays the same when the sources
change.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

import bganalyze

_PACKAGE = Path(bganalyze.__file__).parent
_SOURCES = (".py", ".lark", ".csv")


@cache
def identify_program() -> str:
    """Return the program's version, followed by a digest of its source files."""
    digest = blake2b(digest_size=6)
    for name, path in _list_source_files():
        digest.update(name.encode())
        digest.update(path.read_bytes())
    return f"{bganalyze.__version__}+{digest.hexdigest()}"


@cache
def identify_installed_program() -> str:
    """Return a key that changes when the size or time of any of the program's source files does."""
    digest = blake2b(bganalyze.__version__.encode(), digest_size=16)
    is_frozen = getattr(sys, "frozen", False)
    # A single-file program unpacks its sources anew at each start; its own file counts instead.
    for name, path in [("program", Path(sys.executable))] if is_frozen else _list_source_files():
        status = path.stat()
        digest.update(f"{name} {status.st_size} {status.st_mtime_ns}".encode())
    return digest.hexdigest()


def _list_source_files() -> list[tuple[str, Path]]:
    """Return the program's source files, each as its path in the package and its full path."""
    grammars = _PACKAGE / "grammars"
    folders = (_PACKAGE, grammars if grammars.is_dir() else _PACKAGE.parent / "grammars")
    return sorted(
        (f"{folder.name}/{os.path.relpath(place, folder)}/{name}", Path(place, name))
        for folder in folders
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith(_SOURCES)
    )
