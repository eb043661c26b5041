"""Files that the program writes: whole or not at all, and never over what somebody else made.

A file that is there already is replaced only if its beginning says that bganalyze made it. So a
slip of the hand (`report a.mat --html b.mat`) costs no record.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = "made by bganalyze"
"""Stands at the beginning of every page and picture, by which it is known again."""

_BEGINNING = 4096
"""How many bytes of a file are searched for the mark."""
_PERMISSIONS = 0o666


class NotOursError(OSError):
    """The file is there, and bganalyze did not make it."""


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in its place, unless that is taken by something that bganalyze did not make.

    Raises NotOursError where it is, and OSError as `put` does.
    """
    if path.is_file() and not _is_ours(path):
        raise NotOursError("it is there already, and not made by bganalyze; --force writes over it")
    put(path, content)


def put(path: Path, content: bytes) -> None:
    """Write a file whole: nobody ever sees half of it, and what cannot be written changes nothing.

    Its folder must be there. Raises OSError.
    """
    with beside(path) as written:
        written.write_bytes(content)


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Give a new file in the same folder to write to, which then takes the place of `path`.

    For what is too large to be held; the rest is for `put`. Raises OSError, as it does where the
    place is taken by a folder or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError("it is there already, and no file")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    os.close(handle)
    written = Path(name)
    try:
        yield written
        written.chmod(_PERMISSIONS & ~_masked())
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Say, with what goes wrong, which file it is about."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path}: {error.strerror or error}") from error


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return MARK.encode() in file.read(_BEGINNING)


def _masked() -> int:
    """The permissions that the user's mask takes from new files; there is no way but to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
