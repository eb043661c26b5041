"""TOML from any source, read within limits of size, depth and time."""

from __future__ import annotations

import re
from typing import IO, Any

MOST_BYTES = 5_000_000
"""Largest size of a file, in bytes."""
MOST_PARTS = 50
"""Largest number of parts in a dotted key; `a.b.c` has three."""
_LONG_KEY = (
    r"""(?<![\w."'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"""
    f"{{{MOST_PARTS}}}"
)


def read_text(file: IO[bytes]) -> str:
    """Return the text of a TOML file; raise ValueError if it is too large or not UTF-8."""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"is larger than {MOST_BYTES:,} bytes, the limit for such a file")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8 text") from error


def parse(text: str) -> dict[str, Any]:
    """Return the values in a TOML text as a dictionary; raise ValueError for invalid TOML.

    Dotted keys, such as `a.b.c`, may have at most `MOST_PARTS` parts.
    """
    import tomllib  # Most runs need no TOML, and importing it takes 1 % of the start of a check.

    if re.search(_LONG_KEY, text):  # tomllib takes quadratic time for them.
        raise ValueError(f"a key has more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("brackets are nested too deeply") from error
