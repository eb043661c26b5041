"""Additions of programs around a text: tags of forums, strings of scripts, escapes and separators of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bganalyze.record.cleaning.layers import (
    LONGEST_LINE,
    RIGHT_COLUMN,
    Replacement,
    drop_overlaps,
    yield_lines_with_starts,
)
from bganalyze.record.cleaning.line_frames import ROW_WITH_ROLL

FEWEST_ESCAPED_ROWS = 3
"""Least number of rows behind escaped line ends that show a match written as one string."""

_FORUM_TAG = re.compile(
    r"\[/?(?:code|quote|pre|tt|pastebin|size|font|color|spoiler|b|i|u)(?:=[^\]\n]{0,80})?\](?:[> ]{0,8}>[ ]?)?",
    re.IGNORECASE,
)
"""A tag, and the marks of a quoted line behind it."""
_END_OF_FORUM_TAG = re.compile(r"\[(?=/)")
_ROW_ANYWHERE = re.compile(rf"^{ROW_WITH_ROLL.pattern}", re.IGNORECASE | re.MULTILINE)
_STRING_ROW = re.compile(r"^[ \t]*[\"'][ \t]*[0-9]{1,3}\)[^\n]{0,80}?[1-6]{2}:", re.MULTILINE)
_CURLY_STRING_ROW = re.compile(
    r"(?:^[ \t]*[\u2018\u201c\u201e][ \t]*|\\n[ ]{0,4})[0-9]{1,3}\)[^\n]{0,80}?[1-6]{2}:",
    re.MULTILINE,
)
_CURLY = {"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'"}
_CURLY_QUOTE = re.compile(
    "[\u201c\u201d\u201e]|(?:^|[=(\\[,+])[ \t]*(?P<open>\u2018)|(?P<close>[\u2018\u2019])(?=[ \t]*[+,;)\\]])"
    "|(?<=[Cc]an)(?P<in_word>[\u2018\u2019])(?=t)",
    re.MULTILINE,
)
_END_OF_STRING = re.compile(r",\n(?<=[\"'],\n)")
_ESCAPE = re.compile(r"\\(?:(?P<sign>[ntr\"'/\\])|u(?P<code>[0-9A-Fa-f]{4}))")
_ESCAPE_OR_QUOTE = re.compile(rf"{_ESCAPE.pattern}|(?P<quote>[\"'`])")
_ESCAPE_OR_WRAP = re.compile(rf"{_ESCAPE.pattern}|(?P<wrap>\n)")
_ESCAPED_ROW = re.compile(r"\\n[ ]{0,4}[0-9]{1,3}(?:\\\\)?\)[^\n]{0,80}?[1-6]{2}:")
_OPENING_QUOTE = re.compile(r"(?:^|[=:(,])[ \t]*(?P<quote>[\"'`])")
_ESCAPED_END = r"\n"
_ROW_BEHIND_ESCAPE = re.compile(r"\\n\s{0,9}[0-9]{1,3}\)")
_USUAL_ROW = re.compile(r"(?:(?<!\\)n|[^\sn])[ \t]*\n[ \t]*[0-9]{1,3}\)")
_UNESCAPED_QUOTE = re.compile(r"(?<!\\)[\"`]")
_SEPARATED_ROW = re.compile(
    r"^[ \t]*+(?:(?:[|\"][ \t]*+)?[0-9]{1,3}\)|(?:\|[ \t]*+[0-9]{1,3}|[0-9]{1,3}(?=[;,]{1,2}\"?(?:[1-6]-?[1-6]:|[dtp][a-z]{3})))(?P<bare>))"
    r"\"?[ \t]*(?P<sign>[|;,])[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
_SEPARATED_RESULT = re.compile(
    r"^(?P<before>[ \t]*+(?P<empty>(?P<edge>\|?)[ \t]*+[|;,][ \t]*+(?:[|;,][ \t]*+){0,2}\"?))wins[ \t]+[0-9]{1,4}[ \t]+points?\b[^\n|;,\"]{0,20}"
    r"(?P<behind>[ \t|;,\"]*)$",
    re.MULTILINE | re.IGNORECASE,
)
"""A result in a row of a table without a number."""
_ROW_WITH_STROKE = re.compile(
    r"^[ \t]*+[0-9]{1,3}[.)][^\n|;]{1,99}?(?P<stroke>[ \t]{1,60}"
    r"(?:\||[\u2013\u2014](?=[ \t]+(?:[1-6]{2}:|[a-z]{4})))[ \t]{1,60})[^\s|;][^\n|;]{0,99}$",
    re.MULTILINE | re.IGNORECASE,
)
"""A row whose cells a single stroke or dash separates."""
_EMPTY_CELLS = re.compile(r"(?<=[^\s;,])(?P<empty>[;,]{2,9})[ \t]*$", re.MULTILINE)
"""The empty cells at the end of a line of a table."""
_SEPARATED_SCORE = re.compile(
    r"^(?P<before>[ \t|\"]*(?:[^\n|;,:]{0,20}[|;,][ \t\"]*)?)(?=[^\W\d])[^\n|;,:]{1,60}[ \t]?:[ \t]{0,9}[0-9]{1,4}"
    r"(?P<between>[ \t\"]*[|;,][ \t\"]*)[^\n|;,:]{1,60}[ \t]?:[ \t]{0,9}[0-9]{1,4}(?P<behind>[ \t|;,\"]*)$",
    re.MULTILINE,
)
"""A score line in the head of a table."""
_SIGNS = {
    "|": re.compile(r"[ \t]*\|[ \t]*"),
    ";": re.compile(r"\"?[ \t]*;[ \t]*\"?|\""),
    ",": re.compile(r"\"?[ \t]*,[ \t]*\"?|\""),
}
_TEMPLATE = re.compile(
    r"[=(:,][ \t]*(?P<open>`)(?P<text>[^`]*)(?P<close>`)(?![^\n:]{0,60}[ \t]:[ \t]{0,9}[0-9])"
)
"""A string of a script, which ends before no score: the names of players may have such quotes."""
_STRING_LINE = re.compile(
    r"^(?P<before>(?:[^\"'`\n]{0,60}[=(\[+,][ \t]{0,20}|[ \t]{0,80})(?P<quote>[\"']))[^\n]*?"
    r"(?:\n(?![ \t]*[\"'][^+,;)\]])[^\n]*?){0,3}(?P<after>(?:\\n)?(?P=quote)[ \t]{0,20}[+,;)\]][^\"'\n]{0,30})$",
    re.MULTILINE,
)
_PLAIN_SIGNS = {"n": "\n", "t": "\t", "r": ""}


def find_forum_tags(text: str) -> Iterator[Replacement]:
    """Yield replacements that remove forum tags, such as `[code]`."""
    if _END_OF_FORUM_TAG.search(text) is None:
        return
    for tag in _FORUM_TAG.finditer(text):
        yield Replacement(*tag.span(), "")


def find_curly_strings(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of curly quotes by straight ones, if they enclose rows of a match.

    >>> next(find_curly_strings("\u201cGame 1\u201d,\n\u201c 1) 31: 8/5\u201d,"))
    Replacement(start=0, end=1, new='"')
    """
    if not any(sign in text for sign in _CURLY) or _CURLY_STRING_ROW.search(text) is None:
        return
    for sign in _CURLY_QUOTE.finditer(text):
        start = sign.start(sign.lastgroup or 0)
        yield Replacement(start, start + 1, _CURLY[text[start]])


def find_string_lines(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove quotes, commas and code around a match in source code.

    >>> next(find_string_lines("m = `Game 1\n 1) 31: 8/5 6/5\n`;"))
    Replacement(start=4, end=5, new='\n')
    """
    if "`" in text:
        for template in _TEMPLATE.finditer(text):
            if _ROW_ANYWHERE.search(template["text"]):
                yield Replacement(*template.span("open"), "\n")
                yield Replacement(*template.span("close"), "\n")
    elif _may_have_string_lines(text):
        for line in _STRING_LINE.finditer(text):
            yield Replacement(*line.span("before"), "")
            for sign in _ESCAPE_OR_WRAP.finditer(text, line.end("before"), line.start("after")):
                yield Replacement(*sign.span(), " " if sign["wrap"] else _unescape(sign))
            yield Replacement(*line.span("after"), "")


def _may_have_string_lines(text: str) -> bool:
    """Whether the text may be source code with quoted rows, joined by `+` or commas."""
    has_ends = "+" in text or _END_OF_STRING.search(text) is not None
    return has_ends and _STRING_ROW.search(text) is not None


def find_wraps_in_escaped_string(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join wrapped lines, in a string that writes line ends as `\n`.

    >>> text = 'm = "Game 1\\n 1) 31: 8/5\n6/5\\n 2) 42: 8/4\\n 3) 65: 24/13\\n";'
    >>> list(find_wraps_in_escaped_string(text))
    [Replacement(start=24, end=25, new=' ')]
    """
    first = text.find(_ESCAPED_END)
    last = text.rfind(_ESCAPED_END)
    if first < 0 or len(_ROW_BEHIND_ESCAPE.findall(text)) < FEWEST_ESCAPED_ROWS:
        return
    closing = _UNESCAPED_QUOTE.search(text, last)
    inner = text[first : last if closing is None else closing.start()]
    if "\n" in inner and not _UNESCAPED_QUOTE.search(inner) and not _USUAL_ROW.search(inner):
        for end in re.finditer("\n", inner):
            yield Replacement(first + end.start(), first + end.end(), " ")


def find_escapes(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of escapes such as `\n` by characters, if one string holds the match.

    The quotes around the string become line ends.

    >>> text = r'm = "Game 1\n 1) 31: 8/5\n";'
    >>> [(text[part.start : part.end], part.new) for part in find_escapes(text)]
    [('"', '\n'), ('\\n', '\n'), ('\\n', '\n'), ('"', '\n')]
    """
    for start, line in yield_lines_with_starts(text.split("\n")):
        first = line.find(_ESCAPED_END)
        last_row = max((row.end() for row in _ESCAPED_ROW.finditer(line)), default=-1)
        if last_row < 0:
            continue
        opening = _OPENING_QUOTE.search(line, 0, first)
        quote = opening["quote"] if opening else ""
        if opening:
            yield Replacement(start + opening.start("quote"), start + opening.end(), "\n")
        for sign in _ESCAPE_OR_QUOTE.finditer(line, opening.end() if opening else 0):
            if sign["quote"] is None:
                yield Replacement(start + sign.start(), start + sign.end(), _unescape(sign))
            elif sign["quote"] == quote:
                yield Replacement(start + sign.start(), start + sign.end(), "\n")
                if sign.end() > last_row:
                    break


def _unescape(escape: re.Match[str]) -> str:
    r"""Return the character for a matched escape such as `\n`."""
    code, sign = escape["code"], escape["sign"]
    return _PLAIN_SIGNS.get(sign, sign) if code is None else _decode_unit(code)


def _decode_unit(code: str) -> str:
    """Return the character with the hexadecimal code `code`, or "" for half a surrogate pair."""
    number = int(code, 16)
    return "" if 0xD800 <= number < 0xE000 else chr(number)


def _find_separated_results(text: str) -> Iterator[Replacement]:
    """Yield replacements by blanks of the separators, such as `|`, around results in a table."""
    for row in _SEPARATED_RESULT.finditer(text):
        signs = sum(map(row["empty"].count, "|;,")) - len(row["edge"])
        yield Replacement(*row.span("before"), "      " if signs < 2 else " " * RIGHT_COLUMN)
        if row["behind"]:
            yield Replacement(*row.span("behind"), "")


def find_cell_separators(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of signs between table cells, such as `;`, by tabs, in numbered rows.

    >>> text = "1);31: 8/5 6/5;42: 8/4 6/4"
    >>> [(text[part.start : part.end], part.new) for part in find_cell_separators(text)]
    [(';', '\t'), (';', '\t')]
    """
    found: list[Replacement] = []
    for row in _SEPARATED_ROW.finditer(text):
        if len(row.group()) > LONGEST_LINE:
            continue
        for sign in _SIGNS[row["sign"]].finditer(text, *row.span()):
            is_edge = sign.start() == row.start() or sign.end() == row.end()
            is_sign = row["sign"] in sign.group()
            ends_number = sign.start() == row.end("bare") and row["bare"] is not None
            new = ")\t" if ends_number else "\t" if is_sign and not is_edge else ""
            found.append(Replacement(*sign.span(), new))
    if found:
        found += (Replacement(*line.span("empty"), "") for line in _EMPTY_CELLS.finditer(text))
        found = list(drop_overlaps(found))
        found = [*drop_overlaps([*found, *_find_separated_results(text)])]
    found += (Replacement(*row.span("stroke"), "\t") for row in _ROW_WITH_STROKE.finditer(text))
    for line in _SEPARATED_SCORE.finditer(text) if found else ():
        for name, new in (("before", ""), ("between", "    "), ("behind", "")):
            if line[name]:
                found.append(Replacement(*line.span(name), new))
    return iter(sorted(found))
