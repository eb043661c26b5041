"""Players' names, made comparable."""

from __future__ import annotations

import re
import unicodedata

_RATING = re.compile(r",\d+(?:\.\d+)?$")


def plain_name(name: str) -> str:
    """Return a name without rating, case and Unicode form, for comparison.

    >>> plain_name("Nori,1723") == plain_name("nori")
    True
    """
    return unicodedata.normalize("NFKC", _RATING.sub("", name)).casefold().strip()
