"""BGBlitz files made from values: Smile, a binary form of JSON, written as BGBlitz does."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from typing import Any

HEAD = json.dumps({"format": "BGF", "version": "1.0", "compress": True, "useSmile": True}).encode()


def bgf(value: Any, pack: Callable[[bytes], bytes] = gzip.compress) -> bytes:
    """Return a file with that content."""
    return HEAD + b"\n" + pack(smile(value))


def smile(value: Any) -> bytes:
    """Return a value as Smile, with the names of keys written once."""
    return b":)\n\x01" + b"".join(_parts(value, {}))


def _parts(value: Any, names: dict[str, int]) -> Iterable[bytes]:
    if isinstance(value, dict):
        yield b"\xfa"
        for key, held in value.items():
            yield _key(key, names)
            yield from _parts(held, names)
        yield b"\xfb"
    elif isinstance(value, list):
        yield b"\xf8"
        for held in value:
            yield from _parts(held, names)
        yield b"\xf9"
    else:
        yield _scalar(value)


def _key(key: str, names: dict[str, int]) -> bytes:
    if key in names:
        place = names[key]
        return bytes([0x40 + place]) if place < 64 else bytes([0x30, place])
    if len(names) < 256:
        names[key] = len(names)
    text = key.encode()[:64] or b"?"
    return bytes([0x80 + len(text) - 1]) + text


def _scalar(value: Any) -> bytes:
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    if isinstance(value, int):
        return number(value)
    text = str(value).encode("utf-8", "replace")
    if not text:
        return b"\x20"
    if text.isascii() and len(text) <= 32:
        return bytes([0x3F + len(text)]) + text
    return b"\xe4" + text.replace(b"\xfc", b"") + b"\xfc"


def number(value: int) -> bytes:
    """Return a whole number as Smile: the last byte has its upper bit set."""
    digits = value << 1 if value >= 0 else (-value << 1) - 1
    if digits < 32:
        return bytes([0xC0 + digits])
    groups = [0x80 | digits & 0x3F]
    while digits := digits >> 6:
        groups.insert(0, digits & 0x3F)
    return b"\x24" + bytes(groups)
