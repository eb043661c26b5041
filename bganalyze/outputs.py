"""Files that the program writes: whole or not at all, and never over what somebody else made.

A file that is there already is replaced only if its beginning says that bganalyze made it. So a
slip of the hand (`report a.mat --html b.mat`) costs no record.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

MARK = "made by bganalyze"
"""Stands at the beginning of every page and picture, by which it is known again."""

_BEGINNING = 4096
"""How many bytes of a file are searched for the mark."""
_PERMISSIONS = 0o644


class NotOursError(OSError):
    """The file is there, and bganalyze did not make it."""


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside its place, then put it there.

    Raises NotOursError where the place is taken by something else, and OSError where it cannot be
    written; the place is then as it was.
    """
    if path.exists() and not _is_ours(path):
        raise NotOursError(f"{path}: it is there already, and not made by bganalyze")
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(beside).chmod(_PERMISSIONS & ~_masked())
        Path(beside).replace(path)
    except OSError:
        Path(beside).unlink(missing_ok=True)
        raise


def _is_ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return MARK.encode() in file.read(_BEGINNING)


def _masked() -> int:
    """The permissions that the user's mask takes from new files; there is no way but to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
