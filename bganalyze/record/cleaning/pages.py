"""Marks that web pages leave in a text: entities and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from bganalyze.record.cleaning.layers import Replacement

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8}[0-9]{0,2});")
_TAG = re.compile(
    r"</?(?P<name>pre|p|br|div|span|code|tt|b|i|em|strong|font|a|html|head|body|blockquote|meta|title)"
    r"(?:\s[^<>\n]{0,300})?/?>",
    re.IGNORECASE,
)
_PAGE = re.compile(r"<(?:pre|html|body|br|div|p)\b[^<>\n]*>", re.IGNORECASE)
"""A tag without which a text is no page: others may be in names."""

_BREAKS = frozenset(("br", "p", "div"))


def find_entities(text: str) -> Iterator[Replacement]:
    """Yield the entities of web pages, replaced by their characters.

    >>> list(find_entities("Doubles =&gt; 2"))
    [Replacement(start=9, end=13, new='>')]
    """
    if "&" not in text:
        return
    for entity in _ENTITY.finditer(text):
        character = html.unescape(entity.group())
        if character != entity.group():
            yield Replacement(*entity.span(), character.replace("\xa0", " "))


def find_tags(text: str) -> Iterator[Replacement]:
    r"""Yield the tags of a web page around a transcript, removed; breaks become line ends.

    >>> [part.new for part in find_tags("<pre>5 point match<br>Game 1</pre>")]
    ['', '\n', '']
    """
    if "<" not in text or _PAGE.search(text) is None:
        return
    for tag in _TAG.finditer(text):
        breaks = tag["name"].casefold() in _BREAKS and not text.startswith("\n", tag.end())
        yield Replacement(*tag.span(), "\n" if breaks else "")
