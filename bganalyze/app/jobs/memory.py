"""Limits of the memory of this process, as `ulimit -v` sets them: a want of memory is noticed in time."""

from __future__ import annotations

import sys

ROOM = 96 * 2**20
"""Bytes that numpy and scipy need each while they are loaded; 83 and 89 MiB were measured."""

_LARGE = frozenset({"numpy", "scipy.linalg", "scipy.special"})
"""The modules that load OpenBLAS, which asks for its buffers for ever if there is no room for them."""


def is_memory_limited() -> bool:
    """Return whether this process may have less memory than the system has."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    limits = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(limit)[0] != resource.RLIM_INFINITY for limit in limits)


def look_before_loading() -> None:
    """Raise MemoryError from now on where a large library is imported for which there is no room."""
    if is_memory_limited() and _Careful not in sys.meta_path:
        sys.meta_path.insert(0, _Careful)


class _Careful:
    """A finder of modules that finds none; it looks whether there is room for them."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Return None, so that the next finder is asked; raise MemoryError."""
        if name in _LARGE:
            require_room(ROOM)


def require_room(size: int) -> None:
    """Raise MemoryError if this process cannot have `size` bytes more."""
    import mmap

    try:
        mmap.mmap(-1, size).close()
    except OSError as error:
        raise MemoryError(str(error)) from None
