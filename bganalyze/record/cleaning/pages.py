"""Marks that web pages leave in a text: entities and tags."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import repeat

from bganalyze.record.cleaning.layers import Replacement

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8}[0-9]{0,2});")
_TAG = re.compile(r"</?(?P<name>[A-Za-z][A-Za-z0-9:-]{0,20})(?:\s[^<>]{0,300})?/?>")
_UNSEEN = {"<!--": "-->", "<!doctype": ">", "<style": "</style>", "<script": "</script>"}
"""Starts and ends of parts that a page does not show."""
_HOLDS_ROW = re.compile(
    r"[0-9]\\{0,2}\)[^\n<]{0,60}?[1-6]{2}:[ \t]*(?:bar|[0-9]{1,2})/", re.IGNORECASE
)
"""A row of a match, in a line or in a string of a script."""
_UNSEEN_START = re.compile("|".join(_UNSEEN), re.IGNORECASE)
_LINE_SIGNS = re.compile("[\r\n\x0b\x0c\x85\u2028\u2029\xa0]")
_PAGE = re.compile(
    r"</?(?:pre|html|body|br|div|table)\b[^<>\n]*>"
    r"(?![^\n]{0,120}[ \t]:[ \t]{0,9}[0-9]{1,4}[ \t]*(?:\n|\Z)|[^\n<>]{0,99}\n[ \t]*1\))",
    re.IGNORECASE,
)
"""A tag without which a text is no page. Others may be in names, on a score line or directly above row 1."""

_LINES = "br|p|div|tr|table|hr|li|nav|pre|textarea|script|form|dt|dd|h1|h2|h3|h4|h5|h6"
_BLOCKS = "main|section|article|header|footer|title"
_BREAKS = frozenset(f"{_LINES}|{_BLOCKS}".split("|"))
"""Tags that begin or end a line of a page."""

_GAP = "  "
"""Text that replaces the beginning of each cell of a table except the first of a row."""

_NUMBERED_CELL = re.compile(r"\s*[0-9]{1,3}\)")
_TAB = "\t"
"""Text that replaces the beginning of a cell in a numbered row."""

_CELLS = frozenset(("td", "th"))

_SCRIPT = re.compile(r"<(?P<end>/?)(?P<name>script|style)\b[^<>]{0,300}>", re.IGNORECASE)
_XGID = re.compile(r"XGID=[-a-pA-P]{26}(?::-?[0-9D]{1,5}){9}")


def find_entities(text: str) -> Iterator[Replacement]:
    """Yield replacements of HTML entities, such as `&gt;`, by their characters.

    >>> list(find_entities("Doubles =&gt; 2"))
    [Replacement(start=9, end=13, new='>')]
    """
    for entity in _ENTITY.finditer(text):
        character = html.unescape(entity.group())
        if character != entity.group():
            yield Replacement(*entity.span(), _LINE_SIGNS.sub(_replace_line_end, character))


def _replace_line_end(line_end: re.Match[str]) -> str:
    r"""Return "" for `\r`, and a blank for any other line end or space from an HTML entity."""
    return "" if line_end.group() == "\r" else " "


def find_scripts(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove the scripts of a web page, except XGIDs (positions) in them.

    >>> xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:5:10"
    >>> [part.new for part in find_scripts(f"<body><script>draw('{xgid}');</script>")]
    ['\n', '\n']
    """
    if "XGID=" not in text or _PAGE.search(text) is None:
        return
    scripts = list(_yield_scripts(text))
    # Scripts without an XGID are left to `find_tags`.
    if any(_XGID.search(text, *script) for script in scripts):
        for script in scripts:
            yield from _keep_xgids(text, *script)


def _yield_scripts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each script or style sheet of a web page.

    >>> list(_yield_scripts("a<script>b</script>c"))
    [(1, 19)]
    """
    opened: re.Match[str] | None = None
    for tag in _SCRIPT.finditer(text):
        if opened is None and not tag["end"]:
            opened = tag
        elif opened is not None and tag["end"] and tag["name"] == opened["name"]:
            yield opened.start(), tag.end()
            opened = None


def _keep_xgids(text: str, start: int, end: int) -> Iterator[Replacement]:
    """Yield replacements that remove the script `text[start:end]`, except its XGIDs (positions)."""
    for xgid in _XGID.finditer(text, start, end):
        yield Replacement(start, xgid.start(), "\n")
        start = xgid.end()
    yield Replacement(start, end, "\n")


def find_tags(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of a web page's HTML tags by line ends, blanks, tabs or nothing.

    >>> text = "<pre>5 point match<br>Game 1</pre>"
    >>> [(text[part.start : part.end], part.new) for part in find_tags(text)]
    [('<pre>', '\n'), ('<br>', '\n'), ('</pre>', '\n')]
    """
    if _PAGE.search(text) is None:
        return
    shown_from = 0
    for start, end in (*_find_parts_to_remove(text), (len(text), len(text))):
        row_start = -1
        gap = _GAP
        for tag in _TAG.finditer(text, shown_from, start):
            name = tag["name"].casefold()
            is_first = row_start >= 0 and not text[row_start : tag.start()].strip()
            if name in _CELLS and is_first:
                gap = _TAB if _NUMBERED_CELL.match(text, tag.end()) else _GAP
            yield Replacement(
                *tag.span(), "" if is_first and name in _CELLS else _replace_tag(text, tag, gap)
            )
            row_start = tag.end() if name == "tr" else -1
        if start < end:
            yield Replacement(start, end, "")
        shown_from = end


def _find_parts_to_remove(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each hidden part of a page, unless it holds the match's only rows."""
    if _UNSEEN_START.search(text) is None:
        return
    unseen = list(_find_unseen_parts(text))
    shown_from = [0, *(end for _, end in unseen)]
    shown_to = [*(start for start, _ in unseen), len(text)]
    is_shown = any(map(_HOLDS_ROW.search, repeat(text), shown_from, shown_to))
    for start, end in unseen:
        if is_shown or _HOLDS_ROW.search(text, start, end) is None:
            yield start, end


def _find_unseen_parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each hidden part of a web page, such as a comment or a script."""
    lower = text.lower() if len(text.lower()) == len(text) else text
    at = 0
    while (opening := _UNSEEN_START.search(text, at)) is not None:
        ending = _UNSEEN[opening.group().lower()]
        end = lower.find(ending, opening.end())
        if end < 0:
            return
        at = end + len(ending)
        yield opening.start(), at


def _replace_tag(text: str, tag: re.Match[str], between_cells: str) -> str:
    """Return what replaces an HTML tag: a line end, `between_cells` (for a cell) or nothing."""
    name = tag["name"].casefold()
    if name in _BREAKS:
        return "" if text.startswith("\n", tag.end()) else "\n"
    return between_cells if name in _CELLS and not tag.group().startswith("</") else ""
