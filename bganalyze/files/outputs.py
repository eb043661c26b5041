"""Output files: written completely or not at all, and never over files of other origin.

An existing file is replaced only if its first bytes show that bganalyze made it. So a typing error
such as `report a.mat --html b.mat` destroys no match file.

If the name of a file comes from data (a member of an archive, a plot, a table), only `make_safe_path` makes
its path.
"""

from __future__ import annotations

import errno
import os
import shutil
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bganalyze.files.limits import open_regular
from bganalyze.record.own_files import BEGINNING, MARK

_PERMISSIONS, _ALL_PERMISSIONS = 0o666, 0o777

_NAME_LIMIT = 255
"""Longest name on common file systems, in bytes."""
_DEPTH_LIMIT = 32
"""Most parts of a path, including the file. Of a longer path the last parts are kept."""

_NOT_IN_NAMES = frozenset('<>:"|?*')
"""Characters that Windows refuses. A colon would name a drive or a hidden stream of a file."""
_NOT_PRINTED = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of control characters, surrogates and line separators."""
_PORTS = (f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³")
_DEVICES = frozenset(("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *_PORTS))
"""Names that Windows reserves for devices, with any extension."""


_CHANGED = "changed by somebody else meanwhile; nothing written"
_APPEARED = "made by somebody else meanwhile; nothing written"
_NOT_OURS = "already exists; --force overwrites it"

Move = Callable[[Path, Path], object]
"""A function that moves a finished file to its path."""
Finish = Callable[[Path, Path], object]
"""A function that gives a file the attributes it should have at a path."""


class NotOursError(OSError):
    """A file that exists and was not made by bganalyze."""


class ChangedError(OSError):
    """A file that has changed since it was read."""


def make_safe_path(folder: Path, name: str, extension: str) -> Path:
    """Return a path in `folder` for a file whose name comes from data, such as a player's name.

    Raises OSError if a link leads out of the folder.
    """
    path = folder.joinpath(*make_safe_parts(name, extension))
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise OSError("this system does not allow that file name") from error
    if not Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(folder)):
        raise OSError(f"a link in it leads out of {folder}")
    return path


def make_safe_parts(name: str, extension: str) -> list[str]:
    """Split a path into folders and file name, and change each to be valid on every system.

    `extension` is added to the file name.

    >>> make_safe_parts("../league/C:Ann?", ".mat")
    ['league', 'C_Ann_.mat']
    """
    names = [_to_valid_part(part) for part in name.replace("\\", "/").split("/")]
    *folders, file = [part for part in names if part] or ["unnamed"]
    file = _shorten_name(file, _NAME_LIMIT - len(extension.encode())) + extension
    return [*folders, file][-_DEPTH_LIMIT:]


def replace_file(path: Path, content: bytes) -> None:
    """Write a file, or replace one that bganalyze has made.

    Raises NotOursError if the old file is not bganalyze's, and OSError if writing fails.
    """
    move = make_move_if_unchanged(path)
    refuse_foreign_file(path)
    with atomic_write(path, move) as temporary:
        temporary.write_bytes(content)


def replace_content(path: Path, content: bytes, expected: bytes | None) -> None:
    """Write a file, but only if its present content is `expected` (None: there is no file yet).

    Raises ChangedError for any other content, and OSError if writing fails.
    """
    move = make_move_if_unchanged(path)
    _require_content(path, expected)
    with atomic_write(path, move) as temporary:
        temporary.write_bytes(content)


def refuse_foreign_file(path: Path) -> None:
    """Raise NotOursError if a file exists at this path and bganalyze did not make it."""
    if path.is_file() and not _is_made_by_bganalyze(path):
        raise NotOursError(_NOT_OURS)


def write_atomically(path: Path, content: bytes) -> None:
    """Write or replace a file as a whole: no reader ever sees a part of the content.

    The folder must exist. Raises OSError if writing fails.
    """
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)


def rewrite_in_place(path: Path, content: bytes, expected: bytes) -> None:
    """Replace the content of a file, and keep its permissions and attributes.

    Raises ChangedError if the old content is not `expected`, and OSError if writing fails.
    """
    place = Path(os.path.realpath(path))
    move = make_move_if_unchanged(place)
    _require_content(place, expected)
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with atomic_write(place, move, _copy_attributes) as temporary:
        temporary.write_bytes(content)


def require_rewritable(path: Path) -> None:
    """Raise OSError if replacing a file would change its owner or break a hard link."""
    status = path.stat()
    if status.st_nlink > 1:
        raise OSError(f"has {status.st_nlink} names (hard links), and only one would be changed")
    if os.name == "posix" and os.geteuid() not in (0, status.st_uid):
        raise OSError("belongs to another user, and would become yours")


def make_move_if_unchanged(path: Path) -> Move:
    """Return a function for `atomic_write` that moves a file to `path`.

    The function raises ChangedError if `path` was changed, replaced or added after this call.
    """
    before = _take_fingerprint(path)

    def move(temporary: Path, target: Path) -> None:
        """Move a file to the target; raise ChangedError if the target has changed meanwhile."""
        if before is None:
            _link_to_free_place(temporary, target)
        elif _take_fingerprint(target) != before:
            raise ChangedError(_CHANGED)
        else:
            temporary.replace(target)

    return move


@contextmanager
def atomic_write(
    path: Path, move: Move = Path.replace, set_permissions: Finish | None = None
) -> Iterator[Path]:
    """Provide, in a `with` block, a temporary file that becomes the file at `path` at the end.

    `set_permissions`, then `move`, are called with both paths; by default the old file's
    permissions are kept. Raises OSError on failure.
    """
    if path.exists() and not path.is_file():
        raise OSError("already exists and is not a regular file")
    import tempfile  # Few runs write a file.

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        (set_permissions or _copy_permissions)(temporary, path)
        move(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def name_path_in_errors(path: Path) -> Iterator[None]:
    """Begin the message of any OSError that a `with` block raises with this path."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path}: {error.strerror or error}") from error


def _to_valid_part(part: str) -> str:
    """Return a folder or file name with the signs replaced that some systems do not allow.

    A name of only dots and blanks, such as `..`, becomes "".

    >>> _to_valid_part("C:Ann?"), _to_valid_part("..")
    ('C_Ann_', '')
    """
    plain = "".join("_" if _is_unsuitable_in_name(character) else character for character in part)
    plain = _shorten_name(plain, _NAME_LIMIT)
    return f"_{plain}" if plain.partition(".")[0].rstrip().upper() in _DEVICES else plain


def _is_unsuitable_in_name(character: str) -> bool:
    """Whether a character is not allowed in file names, or cannot be printed."""
    return character in _NOT_IN_NAMES or unicodedata.category(character) in _NOT_PRINTED


def _shorten_name(part: str, limit: int) -> str:
    """Return a name cut to `limit` bytes, without dots and blanks at its end."""
    return part.encode()[:limit].decode(errors="ignore").rstrip(". ")


def _require_content(path: Path, expected: bytes | None) -> None:
    """Raise ChangedError unless a file's content is `expected` (None: there is no file)."""
    if not os.path.lexists(path):
        content = None
    else:
        with open_regular(path) as file:
            content = file.read(len(expected or b"") + 1)
    if content != expected:
        raise ChangedError(_APPEARED if expected is None else _CHANGED)


def _take_fingerprint(path: Path) -> tuple[int, ...] | None:
    """Return numbers that show whether a file has changed, or None if there is no file."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _link_to_free_place(temporary: Path, path: Path) -> None:
    """Rename a temporary file to `path`; raise ChangedError if a file is there already."""
    try:
        path.hardlink_to(temporary)
    except FileExistsError as error:
        raise ChangedError(_APPEARED) from error
    except OSError as error:  # Some file systems have no links.
        if os.path.lexists(path):
            raise ChangedError(_APPEARED) from error
        temporary.replace(path)


def _copy_permissions(temporary: Path, path: Path) -> None:
    """Give a temporary file the permissions of the file at `path`, or the usual ones without it."""
    is_new = not path.is_file()
    usual = _PERMISSIONS & ~_read_umask()
    temporary.chmod(usual if is_new else path.stat().st_mode & _ALL_PERMISSIONS)


def _copy_attributes(temporary: Path, path: Path) -> None:
    """Give a temporary file the owner, permissions and other attributes of the file at `path`."""
    status = path.stat()
    if os.name == "posix":
        for owner, group in ((status.st_uid, -1), (-1, status.st_gid)):
            with suppress(PermissionError):
                os.chown(temporary, owner, group)
    shutil.copystat(path, temporary)
    os.utime(temporary)


def _is_made_by_bganalyze(path: Path) -> bool:
    """Whether the first bytes of a file show that bganalyze made it."""
    with open_regular(path) as file:
        return MARK.encode() in file.read(BEGINNING)


def _read_umask() -> int:
    """Return the umask: the permissions denied to new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
