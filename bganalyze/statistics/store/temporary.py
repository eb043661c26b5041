"""Temporary folders, removed at the end; those of a killed program are removed by the next one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_PREFIX = "bganalyze-store-"
_LOCK = "in-use.db"
"""The database that a run locks while it uses its folder; the system always releases the lock."""

_SETTLED = 60.0
"""Seconds after which a folder must have its lock, unless its run was killed."""


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Provide a folder that is removed after the `with` block."""
    # Those of killed runs are removed by the next run.
    _remove_unused()
    # `tempfile` returns the name only after creating the folder: a signal in between would leave
    # it.
    folder = Path(tempfile.gettempdir(), _PREFIX + os.urandom(16).hex())
    try:
        folder.mkdir(mode=0o700)
        with closing(_open_lock_file(folder)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_unused() -> None:
    """Delete the temporary folders that earlier runs of this program left when they were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            if _is_unused(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # Another run is removing it.


def _is_unused(folder: Path) -> bool:
    """Whether a temporary folder is this user's and no running program still uses it."""
    status = os.lstat(folder)
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == _get_user_number(status)
    if not is_own or time.time() - status.st_mtime < _SETTLED:
        return False
    if not (folder / _LOCK).exists():
        return True
    try:
        with closing(_open_lock_file(folder)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        return False
    return True


def _get_user_number(status: os.stat_result) -> int:
    """Return this user's number or, on systems without such numbers, that in `status`.

    `status` describes a folder.
    """
    return os.getuid() if hasattr(os, "getuid") else status.st_uid


def _open_lock_file(folder: Path) -> sqlite3.Connection:
    """Open the lock file of a temporary folder, an SQLite database."""
    return sqlite3.connect(folder / _LOCK, timeout=0, isolation_level=None)
