"""Recognizing a store that this user made on this machine.

A store may come from someone else, with paths in it that nobody named here. Every path is stored
with the origin of the store in which it was entered. A copy of a store has another origin, which
nobody elsewhere can know.
"""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_MACHINE = ("/etc/machine-id", "/var/lib/dbus/machine-id")

ELSEWHERE = b""
"""The origin of a path that is read again only if it is named."""


def identify_store(manifest: Path) -> bytes:
    """Return a digest that identifies a store's database file with its user and machine.

    A missing file, or another user's, has the digest `ELSEWHERE` (no bytes).
    """
    try:
        status = os.stat(manifest)
    except OSError:
        return ELSEWHERE
    user = os.getuid() if hasattr(os, "getuid") else status.st_uid
    if status.st_uid != user:
        return ELSEWHERE
    text = f"{_identify_machine()} {user} {status.st_ino}"
    return blake2b(text.encode(errors="surrogateescape"), digest_size=16).digest()


def _identify_machine() -> str:
    """Return the operating system's identifier of this machine, or the host name without one."""
    for path in _MACHINE:
        with suppress(OSError):
            name = Path(path).read_text(encoding="ascii", errors="replace").strip()
            if name:
                return name
    return platform.node()
