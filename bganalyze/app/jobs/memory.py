"""Limits of this process's memory (`ulimit -v`), checked before large libraries are loaded."""

from __future__ import annotations

import sys

ROOM = 96 * 2**20
"""Bytes needed to load numpy or scipy; 83 and 89 MiB (measured)."""

_LARGE = {
    "numpy": ROOM,
    "scipy.linalg": ROOM,
    "scipy.special": ROOM,
    "pyarrow": 224 * 2**20,
}
"""Bytes needed to load modules that retry for ever if they get no memory.

The first three load OpenBLAS. Importing pyarrow can make CPython itself retry; it takes 222 MiB
(measured).
"""


def is_memory_limited() -> bool:
    """Whether the memory of this process is limited."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    limits = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(limit)[0] != resource.RLIM_INFINITY for limit in limits)


def check_memory_before_imports() -> None:
    """Make the import of a large library raise MemoryError if too little memory is left."""
    if is_memory_limited() and _MemoryCheckingFinder not in sys.meta_path:
        sys.meta_path.insert(0, _MemoryCheckingFinder)


class _MemoryCheckingFinder:
    """An import finder that finds nothing, but checks the memory left before a large import."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raise MemoryError if the module is large and too little memory is left."""
        # Without a result, Python finds the module as usual.
        if name in _LARGE:
            require_room(_LARGE[name])


def require_room(size: int) -> None:
    """Raise MemoryError if this process cannot allocate `size` more bytes of memory."""
    import mmap

    try:
        mmap.mmap(-1, size).close()
    except OSError as error:
        raise MemoryError(str(error)) from None
