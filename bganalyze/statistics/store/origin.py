"""By what a store is known that this user has made on this machine.

A store may come from somebody else, with paths in it that nobody here has named. Every path is kept
with the origin of the store in which it was entered. No copy of a store has the same, and nobody
elsewhere can know it.
"""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_MACHINE = ("/etc/machine-id", "/var/lib/dbus/machine-id")

ELSEWHERE = b""
"""The origin of a path that is not taken up again without being named."""


def origin_of(manifest: Path) -> bytes:
    """Return the origin of a store by the file of its manifest; `ELSEWHERE` if it is another user's."""
    try:
        status = os.stat(manifest)
    except OSError:
        return ELSEWHERE
    user = os.getuid() if hasattr(os, "getuid") else status.st_uid
    if status.st_uid != user:
        return ELSEWHERE
    text = f"{_machine()} {user} {status.st_ino}"
    return blake2b(text.encode(errors="surrogateescape"), digest_size=16).digest()


def _machine() -> str:
    """What the system calls this machine; its name in the network where it says nothing."""
    for path in _MACHINE:
        with suppress(OSError):
            name = Path(path).read_text(encoding="ascii", errors="replace").strip()
            if name:
                return name
    return platform.node()
