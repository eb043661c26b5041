"""Text from files, made fit to be shown: no control characters, nothing that cannot be encoded."""

from __future__ import annotations

import unicodedata


def printable(text: str, encoding: str = "utf-8") -> str:
    r"""Return the text with everything that a terminal might obey, or cannot show, spelled out.

    >>> printable("a\x1b[2Jb\u202e")
    'a\\x1b[2Jb\\u202e'
    >>> printable("Bodø", "ascii")
    'Bod\\xf8'
    """
    if not text.isprintable():
        text = "".join(map(_spelled, text))
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _spelled(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")
