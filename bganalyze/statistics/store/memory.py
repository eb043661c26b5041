"""A temporary limit on this process's memory, for libraries that keep no limit themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_UNITS = {"MB": 10**6, "MIB": 2**20, "GB": 10**9, "GIB": 2**30}
_DATA = 5
"""Index of private memory, in pages, in `/proc/self/statm`."""


_SIZE = re.compile(r"([1-9][0-9]{0,5})\s*([MG]i?B)", re.IGNORECASE)


def parse_size(text: str) -> str:
    """Return an amount of memory in DuckDB's spelling, such as `500MB`.

    Raises ValueError for a text that is no amount of memory.

    >>> parse_size("500 mb"), parse_size("4GB")
    ('500MB', '4GB')
    """
    size = _SIZE.fullmatch(text.strip())
    if size is None:
        raise ValueError(f"{text!r} is not an amount of memory such as 500MB or 4GB")
    return f"{size[1]}{size[2].upper()}".replace("IB", "iB")


def count_bytes(size: str) -> int:
    """Return the number of bytes in an amount of memory, such as `4GiB`.

    >>> count_bytes("500MB"), count_bytes("4GiB")
    (500000000, 4294967296)
    """
    unit = size.upper().lstrip("0123456789")
    return int(size[: -len(unit)]) * _UNITS[unit]


def read_private_memory() -> int | None:
    """Return how many bytes of memory only this process uses, or None if this is not Linux."""
    try:
        import resource

        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[_DATA]
    except (ImportError, OSError, IndexError):
        return None
    return int(pages) * resource.getpagesize() or None


@contextmanager
def limit_memory(most: int | None) -> Iterator[None]:
    """Limit this process's private memory to `most` bytes (None: no limit) in a `with` block.

    Requests for more memory then fail.
    """
    if most is None:
        yield
        return
    import resource

    limits = resource.getrlimit(resource.RLIMIT_DATA)
    lower = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([most, *lower]), limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, limits)
