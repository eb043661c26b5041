"""TOML from anywhere, read within limits of size, depth and time."""

from __future__ import annotations

import re
from typing import IO, Any

MOST_BYTES = 5_000_000
"""Bytes that are read of a file at most."""
MOST_PARTS = 50
"""Parts that a dotted key may have: `a.b.c` has three."""
_LONG_KEY = (
    r"""(?<![\w."'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"""
    f"{{{MOST_PARTS}}}"
)


def read_text(file: IO[bytes]) -> str:
    """Return the text of a file; raise OSError, and ValueError if it is too large or no UTF-8."""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes, the most that is read of such a file")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8 text") from error


def parse(text: str) -> dict[str, Any]:
    """Return the tables in a text; raise ValueError.

    The time that tomllib takes grows with the square of the parts of a key.
    """
    import tomllib  # Most runs have no such file: 1 % of the start of a check.

    if re.search(_LONG_KEY, text):
        raise ValueError(f"a key has more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("brackets are nested too deeply") from error
