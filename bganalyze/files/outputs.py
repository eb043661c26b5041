"""Files that the program writes: completely or not at all, and never over files of other origin.

An existing file is replaced only if its beginning says that bganalyze made it, so a slip of the hand
(`report a.mat --html b.mat`) costs no record.

If the name of a file comes from data (a member of an archive, a plot, a table), its path is made by
`inside` alone.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = "made by bganalyze"
"""The mark at the beginning of every page and picture by which bganalyze recognises its own files."""

_BEGINNING = 4096
"""How many bytes of a file are searched for the mark."""
_PERMISSIONS = 0o666

_NAME_LIMIT = 255
"""The longest name on common file systems, in bytes."""
_DEPTH_LIMIT = 32
"""The most parts that a path may have, with the file; of more only the last are kept."""

_NOT_IN_NAMES = frozenset('<>:"|?*')
"""Characters that Windows refuses; a colon would name a drive, or a stream hidden in a file."""
_NOT_PRINTED = ("Cc", "Cs", "Zl", "Zp")
"""The Unicode categories of control characters, surrogates and separators of lines."""
_PORTS = (f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³")
_DEVICES = frozenset(("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *_PORTS))
"""Names that Windows reserves for devices, with any extension."""


class NotOursError(OSError):
    """The file exists, and bganalyze did not make it."""


def inside(folder: Path, name: str, extension: str) -> Path:
    """Return the path in a folder for a file whose name comes from data.

    Raises OSError if a link in the folder leads out of it, or if the name is impossible here.
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
    """Return the folders and the file that a name stands for, in a form valid on every system.

    The rules of POSIX and Windows both apply, on either. Different names may become equal, which
    whoever writes several files has to handle.

    >>> safe_parts("../league/C:Ann?", ".mat")
    ['league', 'C_Ann_.mat']
    """
    names = [_plain(part) for part in name.replace("\\", "/").split("/")]
    *folders, file = [part for part in names if part] or ["unnamed"]
    file = _shortened(file, _NAME_LIMIT - len(extension.encode())) + extension
    return [*folders, file][-_DEPTH_LIMIT:]


def replace_file(path: Path, content: bytes) -> None:
    """Write a file, but replace only one that bganalyze made.

    Raises NotOursError if it is another one, and OSError as `put` does.
    """
    keep_foreign(path)
    put(path, content)


def keep_foreign(path: Path) -> None:
    """Raise NotOursError if a file that bganalyze did not make is there."""
    if path.is_file() and not _is_ours(path):
        raise NotOursError("exists already and was not made by bganalyze; --force overwrites it")


def put(path: Path, content: bytes) -> None:
    """Write a file atomically: nobody ever sees half of it, and a failure changes nothing.

    Its folder must exist. Raises OSError.
    """
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)


def rewrite(path: Path, content: bytes) -> None:
    """Replace the content of a file: it keeps its permissions, and a link stays a link.

    Raises OSError, also if the file is write-protected.
    """
    place = Path(os.path.realpath(path))
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with atomic_write(place, stat.S_IMODE(place.stat().st_mode)) as temporary:
        temporary.write_bytes(content)


@contextmanager
def atomic_write(path: Path, permissions: int | None = None) -> Iterator[Path]:
    """Provide a temporary file in the same folder, which replaces `path` when the block ends.

    For contents too large for memory; use `put` for others. The file gets these permissions, or
    those of new files. Raises OSError, also if the path is that of a folder or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError("exists already and is not a regular file")
    import tempfile  # Few runs write a file.

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(_PERMISSIONS & ~_umask() if permissions is None else permissions)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Add the path of the file to the messages of errors."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path}: {error.strerror or error}") from error


def _plain(part: str) -> str:
    """Return a valid part of a path; empty for parts such as `..`."""
    plain = "".join("_" if _is_odd(character) else character for character in part)
    plain = _shortened(plain, _NAME_LIMIT)
    return f"_{plain}" if plain.partition(".")[0].rstrip().upper() in _DEVICES else plain


def _is_odd(character: str) -> bool:
    return character in _NOT_IN_NAMES or unicodedata.category(character) in _NOT_PRINTED


def _shortened(part: str, limit: int) -> str:
    """Return as much as fits, without the dots and blanks at the end that Windows ignores."""
    return part.encode()[:limit].decode(errors="ignore").rstrip(". ")


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return MARK.encode() in file.read(_BEGINNING)


def _umask() -> int:
    """Return the user's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
