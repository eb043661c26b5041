"""Marks that web pages leave in a text: entities and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from bganalyze.record.cleaning.layers import Replacement

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8}[0-9]{0,2});")
_TAG = re.compile(
    r"</?(?P<name>pre|p|br|div|span|code|tt|b|i|u|s|em|strong|big|small|font|a|html|head|body|blockquote"
    r"|meta|link|title|center|hr|img|ul|ol|li|h[1-6]|o:p|table|tbody|tr|td|th|sup|sub|nav|button)"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_UNSEEN = {"<!--": "-->", "<!doctype": ">", "<style": "</style>"}
"""Starts of what a page does not show, and where each ends."""
_UNSEEN_START = re.compile("|".join(_UNSEEN), re.IGNORECASE)
_LINE_SIGNS = re.compile("[\r\n\x0b\x0c\x85\u2028\u2029\xa0]")
_PAGE = re.compile(r"<(?:pre|html|body|br|div|table)\b[^<>\n]*>", re.IGNORECASE)
"""A tag without which a text is no page: others may be in names."""

_BREAKS = frozenset(("br", "p", "div", "tr", "table", "hr", "li", "nav"))

_GAP = "  "
"""What stands for the beginning of a cell of a table."""

_CELLS = frozenset(("td", "th"))

_SCRIPT = re.compile(r"<(?P<end>/?)(?P<name>script|style)\b[^<>]{0,300}>", re.IGNORECASE)
_XGID = re.compile(r"XGID=[-a-pA-P]{26}(?::-?[0-9D]{1,5}){9}")


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


def find_scripts(text: str) -> Iterator[Replacement]:
    r"""Yield the scripts of a page that has an XGID in one, removed; the XGIDs stay.

    >>> xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:5:10"
    >>> [part.new for part in find_scripts(f"<body><script>draw('{xgid}');</script>")]
    ['\n', '\n']
    """
    if "XGID=" not in text or _PAGE.search(text) is None:
        return
    scripts = list(_yield_scripts(text))
    if any(_XGID.search(text, *script) for script in scripts):
        for script in scripts:
            yield from _keep_xgids(text, *script)


def _yield_scripts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each script or style sheet."""
    opened: re.Match[str] | None = None
    for tag in _SCRIPT.finditer(text):
        if opened is None and not tag["end"]:
            opened = tag
        elif opened is not None and tag["end"] and tag["name"] == opened["name"]:
            yield opened.start(), tag.end()
            opened = None


def _keep_xgids(text: str, start: int, end: int) -> Iterator[Replacement]:
    """Yield what is between the XGIDs of a script, replaced by line ends."""
    for xgid in _XGID.finditer(text, start, end):
        yield Replacement(start, xgid.start(), "\n")
        start = xgid.end()
    yield Replacement(start, end, "\n")


def find_tags(text: str) -> Iterator[Replacement]:
    r"""Yield the tags of a web page around a transcript, removed; breaks and rows become line ends.

    What the page does not show, such as comments and styles, is removed with them.

    >>> [part.new for part in find_tags("<pre>5 point match<br>Game 1</pre>")]
    ['', '\n', '']
    """
    if "<" not in text or _PAGE.search(text) is None:
        return
    shown_from = 0
    for start, end in (*_find_unseen(text), (len(text), len(text))):
        for tag in _TAG.finditer(text, shown_from, start):
            yield Replacement(*tag.span(), _replace_tag(text, tag))
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


def _replace_tag(text: str, tag: re.Match[str]) -> str:
    """Return what stands for a tag: a line end, a gap between cells, or nothing."""
    name = tag["name"].casefold()
    if name in _BREAKS:
        return "" if text.startswith("\n", tag.end()) else "\n"
    return _GAP if name in _CELLS and not tag.group().startswith("</") else ""
