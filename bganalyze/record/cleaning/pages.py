"""Marks that web pages leave in a text: entities and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from bganalyze.record.cleaning.layers import Replacement

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8}[0-9]{0,2});")
_TAG = re.compile(
    r"</?(?P<name>pre|p|br|div|span|code|tt|b|i|u|s|em|strong|big|small|font|a|html|head|body|blockquote"
    r"|meta|link|title|center|hr|img|ul|ol|li|h[1-6]|o:p)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_UNSEEN = {"<!--": "-->", "<!doctype": ">", "<style": "</style>", "<script": "</script>"}
"""Starts of what a page does not show, and where each ends."""
_UNSEEN_START = re.compile("|".join(_UNSEEN), re.IGNORECASE)
_LINE_SIGNS = re.compile("[\r\n\x0b\x0c\x85\u2028\u2029\xa0]")
_PAGE = re.compile(r"<(?:pre|html|body|br|div)\b[^<>\n]*>", re.IGNORECASE)
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
            yield Replacement(*entity.span(), _LINE_SIGNS.sub(_blank_or_nothing, character))


def _blank_or_nothing(sign: re.Match[str]) -> str:
    """Return what a reference to a line end stands for in a page: nothing for CR, else a blank."""
    return "" if sign.group() == "\r" else " "


def find_tags(text: str) -> Iterator[Replacement]:
    r"""Yield the tags of a web page around a transcript, removed; breaks become line ends.

    What the page does not show, such as comments and styles, is removed with them.

    >>> [part.new for part in find_tags("<pre>5 point match<br>Game 1</pre>")]
    ['', '\n', '']
    """
    if "<" not in text or _PAGE.search(text) is None:
        return
    shown_from = 0
    for start, end in (*_find_unseen(text), (len(text), len(text))):
        for tag in _TAG.finditer(text, shown_from, start):
            breaks = tag["name"].casefold() in _BREAKS and not text.startswith("\n", tag.end())
            yield Replacement(*tag.span(), "\n" if breaks else "")
        if start < end:
            yield Replacement(start, end, "")
        shown_from = end


def _find_unseen(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each part of a page that is not shown."""
    if _UNSEEN_START.search(text) is None:
        return
    lower = text.lower() if len(text.lower()) == len(text) else text
    at = 0
    while (opening := _UNSEEN_START.search(text, at)) is not None:
        ending = _UNSEEN[opening.group().lower()]
        end = lower.find(ending, opening.end())
        if end < 0:
            return
        at = end + len(ending)
        yield opening.start(), at
