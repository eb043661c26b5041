"""Players' names: made comparable, and put down to persons."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

NAMELESS = "(no name)"
"""Who a blank name stands for."""

_RATING = re.compile(r",\d+(?:\.\d+)?$")


@lru_cache
def plain_name(name: str) -> str:
    """Return a name without rating, case and Unicode form, for comparison.

    >>> plain_name("Nori,1723") == plain_name("nori")
    True
    """
    return unicodedata.normalize("NFKC", _RATING.sub("", name)).casefold().strip()


class Players:
    """Who a written name stands for: names that differ in rating, case or Unicode form are one.

    A person is called as an alias says or else as the name was first met.

    >>> players = Players({"bob the builder": "Bob"})
    >>> [players(name) for name in ("Nori,1723", "NORI", "Bob the Builder", " ")]
    ['Nori', 'Nori', 'Bob', '(no name)']
    """

    def __init__(self, aliases: Mapping[str, str] | None = None) -> None:
        """Take over what aliases stand for, by their `plain_name`."""
        self._known = {"": NAMELESS, **(aliases or {})}

    def __call__(self, written: str) -> str:
        """Return who is meant."""
        shown = " ".join(unicodedata.normalize("NFC", _RATING.sub("", written)).split())
        return self._known.setdefault(plain_name(written), shown or NAMELESS)

    def known(self, name: str) -> str:
        """Return who is meant if that is known, without taking note of the name.

        >>> Players({"bob the builder": "Bob"}).known("BOB the Builder")
        'Bob'
        """
        return self._known.get(plain_name(name), name)
