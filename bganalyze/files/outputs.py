"""Files that the program writes: whole or not at all, and never over what somebody else made.

A file that is there already is replaced only if its beginning says that bganalyze made it. So a
slip of the hand (`report a.mat --html b.mat`) costs no record.

Where a file is named by data (a member of an archive, a plot, a table), `inside` makes its path, and
nothing else does.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = "made by bganalyze"
"""Stands at the beginning of every page and picture, by which it is known again."""

_BEGINNING = 4096
"""How many bytes of a file are searched for the mark."""
_PERMISSIONS = 0o666

_NAME_LIMIT = 255
"""The most bytes that a name may have on the usual file systems."""
_DEPTH_LIMIT = 32
"""How many folders deep a name may lead, the file counted; only the last of more are kept."""

_NOT_IN_NAMES = frozenset('<>:"|?*')
"""What Windows refuses; a colon would also name a drive, or a stream hidden in another file."""
_NOT_PRINTED = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, halves of characters, and ends of lines."""
_PORTS = (f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³")
_DEVICES = frozenset(("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *_PORTS))
"""Names that Windows gives to devices, whatever extension follows."""


class NotOursError(OSError):
    """The file is there, and bganalyze did not make it."""


def inside(folder: Path, name: str, extension: str) -> Path:
    """Return the path in a folder for a file whose name comes from data.

    Raises OSError where a link in the folder leads out of it, or no file can be called so here.
    """
    path = folder.joinpath(*safe_parts(name, extension))
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise OSError("no file here can have that name") from error
    if not Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(folder)):
        raise OSError(f"a link there leads out of {folder}")
    return path


def safe_parts(name: str, extension: str) -> list[str]:
    """Return the folders and the file that a name stands for, as every system can have them.

    The rules are those of POSIX and Windows together, on each of them. Names that differ may become
    the same: whoever writes several files has to see to that.

    >>> safe_parts("../league/C:Ann?", ".mat")
    ['league', 'C_Ann_.mat']
    """
    names = [_plain(part) for part in name.replace("\\", "/").split("/")]
    *folders, file = [part for part in names if part] or ["unnamed"]
    file = _shortened(file, _NAME_LIMIT - len(extension.encode())) + extension
    return [*folders, file][-_DEPTH_LIMIT:]


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
    with atomic_write(path) as written:
        written.write_bytes(content)


def rewrite(path: Path, content: bytes) -> None:
    """Write a file anew in its place: it keeps its permissions, and a link stays one.

    Raises OSError, as it does where the file is protected against writing.
    """
    place = Path(os.path.realpath(path))
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with atomic_write(place, stat.S_IMODE(place.stat().st_mode)) as written:
        written.write_bytes(content)


@contextmanager
def atomic_write(path: Path, permissions: int | None = None) -> Iterator[Path]:
    """Give a new file in the same folder to write to, which then takes the place of `path`.

    For what is too large to be held; the rest is for `put`. It has these permissions, or those of
    new files. Raises OSError, as it does where the place is taken by a folder or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError("it is there already, and no file")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    os.close(handle)
    written = Path(name)
    try:
        yield written
        written.chmod(_PERMISSIONS & ~_masked() if permissions is None else permissions)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Say, with what goes wrong, which file it is about."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path}: {error.strerror or error}") from error


def _plain(part: str) -> str:
    """One part of a name; empty where it names no place of its own, as `..` does."""
    plain = "".join("_" if _is_odd(character) else character for character in part)
    plain = _shortened(plain, _NAME_LIMIT)
    return f"_{plain}" if plain.partition(".")[0].rstrip().upper() in _DEVICES else plain


def _is_odd(character: str) -> bool:
    return character in _NOT_IN_NAMES or unicodedata.category(character) in _NOT_PRINTED


def _shortened(part: str, limit: int) -> str:
    """As much as fits, without the points and blanks at the end that Windows passes over."""
    return part.encode()[:limit].decode(errors="ignore").rstrip(". ")


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return MARK.encode() in file.read(_BEGINNING)


def _masked() -> int:
    """The permissions that the user's mask takes from new files; there is no way but to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
