"""Additions of programs around the lines of a text: tags of forums, marks and numbers of lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from bganalyze.record.cleaning.layers import (
    LONGEST_LINE,
    RIGHT_COLUMN,
    Replacement,
    drop_overlaps,
    replace_parts,
    yield_lines_with_starts,
)
from bganalyze.record.cleaning.marked_wraps import may_continue_line

SHORTEST_WRAPPED = 40
"""Fewest characters of a line whose rest may have been wrapped into the next line."""

_BLANKS = ("", " ", "\t")
"""The signs that may be behind the number of a line."""

FEWEST_LINES = 4
"""Least number of lines that show what all lines begin with."""

FEWEST_ESCAPED_ROWS = 3
"""Least number of rows behind escaped line ends that show a match written as one string."""

_FORUM_TAG = re.compile(
    r"\[/?(?:code|quote|pre|tt|pastebin|size|font|color|spoiler|b|i|u)(?:=[^\]\n]{0,80})?\](?:[> ]{0,8}>[ ]?)?",
    re.IGNORECASE,
)
"""A tag, and the marks of a quoted line behind it."""
_END_OF_FORUM_TAG = re.compile(r"\[(?=/)")
_ROW = re.compile(
    r"[ \t]*[0-9]{1,3}[.)][^\n]*[1-6]{2}(?::[ \t]*|[ \t]+)(?:bar|[0-9]{1,2})/", re.IGNORECASE
)
_QUOTED_ROW = re.compile(rf"(?: ?[>|]){{0,9}}{_ROW.pattern}", re.IGNORECASE)
"""A row that may have been quoted before it was marked."""
_ROW_ANYWHERE = re.compile(rf"^{_ROW.pattern}", re.IGNORECASE | re.MULTILINE)
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
_FIRST_MARK = re.compile(r"\n*+(?:[^\w\s;\[(]|[A-Za-z]{1,4}[>|])")
_MARK = r"(?:[^\w\s;\[(]{1,3}|[A-Za-z]{1,4}[>|])"
_MARKS = re.compile(rf"(?P<outer>{_MARK})(?: ?{_MARK}){{0,3}}")
_NUMBER = re.compile(r"[ \t]*(?P<number>[0-9]{1,6})(?:[:|]|(?=\t)|(?= {1,2})|$)")
_FIRST_NUMBER = re.compile(r"[ \t]*1(?:[:|\t ]|$)", re.MULTILINE)
_PAIRS_OF_BLANKS = re.compile(r"(?<! )(?:  )+(?! )")
_LINE_END_AND_BLANKS = re.compile(r"(?P<before>(?<! ) *+)(?P<end>\n)(?P<after> *+)")
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
    r"""Yield replacements of curly quotes by straight ones, if the quotes hold rows of a match.

    >>> next(find_curly_strings("\u201cGame 1\u201d,\n\u201c 1) 31: 8/5\u201d,"))
    Replacement(start=0, end=1, new='"')
    """
    if not any(sign in text for sign in _CURLY) or _CURLY_STRING_ROW.search(text) is None:
        return
    for sign in _CURLY_QUOTE.finditer(text):
        start = sign.start(sign.lastgroup or 0)
        yield Replacement(start, start + 1, _CURLY[text[start]])


def find_string_lines(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove the source code (quotes, commas, …) around a match.

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
    """Whether a row is in quotes, and the text has joined strings."""
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

    >>> [part.new for part in find_escapes(r'm = "Game 1\n 1) 31: 8/5\n";')]
    ['\n', '\n', '\n', '\n']
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
    """Return the character with a hexadecimal code, or "" for half a surrogate pair."""
    number = int(code, 16)
    return "" if 0xD800 <= number < 0xE000 else chr(number)


def find_line_marks(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove a mark, such as `+`, with which every line begins.

    >>> next(find_line_marks("+5 point match\n+Game 1\n+ 1) 31: 8/5\n+ 2) 42:"))
    Replacement(start=0, end=1, new='')
    """
    if _FIRST_MARK.match(text) is None:
        return
    lines = text.split("\n")
    marked = [line for line in lines if line.strip()]
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(min(marked), max(marked), strict=False))
    mark = _MARKS.match("".join(sign for sign, _ in pairs))
    if mark is None or len(marked) < FEWEST_LINES:
        return
    start = _skip_blank_after_mark(marked, mark.end())
    if not any(_QUOTED_ROW.match(line, start) for line in marked):
        return
    outer = mark["outer"]
    ends_too = all(line.rstrip().endswith(outer) for line in marked)
    for at, line in yield_lines_with_starts(lines):
        if line.strip():
            yield Replacement(at, at + min(start, len(line)), "")
        end = len(line.rstrip())
        if ends_too and end - len(outer) >= start:
            inner = len(line[: end - len(outer)].rstrip())
            yield Replacement(at + max(inner, start), at + len(line), "")


def _skip_blank_after_mark(lines: Sequence[str], mark_end: int) -> int:
    """Return the offset of the text after a mark: behind the blank if every line has one.

    >>> _skip_blank_after_mark(["> a", "> b"], 1), _skip_blank_after_mark([">a", "> b"], 1)
    (2, 1)
    """
    has_blanks = all(line[mark_end : mark_end + 1] in ("", " ", "\t") for line in lines)
    return mark_end + 1 if has_blanks else mark_end


def find_line_numbers(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove line numbers added by an editor.

    >>> next(find_line_numbers("1: 5 point match\n2: Game 1\n3:  1) 31: 8/5\n4:"))
    Replacement(start=0, end=3, new='')
    """
    if _FIRST_NUMBER.match(text) is None:
        return
    lines = text.rstrip().split("\n")
    ends = list(_find_ends_of_numbers(lines))
    is_rest = [end is None for end in ends]
    if is_rest.count(False) < max(FEWEST_LINES, len(lines) / 2):
        return
    width = max(map(len, lines))
    for above, line, has_no_number in zip(["", *lines], lines, is_rest, strict=False):
        if (
            has_no_number
            and len(above) < SHORTEST_WRAPPED
            and not may_continue_line(above, line, width)
        ):
            return
    for (at, line), end in zip(yield_lines_with_starts(lines), ends, strict=True):
        if end is not None:
            yield Replacement(at, at + min(end + 1, len(line)), "")


def _find_ends_of_numbers(lines: Iterable[str]) -> Iterator[int | None]:
    """Yield the offset at which each line's number ends, or None without one.

    Line numbers count up from 1.

    >>> list(_find_ends_of_numbers(["1 Game 1", "Ann : 0", "2 Game 2"]))
    [1, None, 1]
    """
    due = 1
    for line in lines:
        number = _NUMBER.match(line)
        is_due = number is not None and int(number["number"]) == due
        if number is None or not is_due or line[number.end() : number.end() + 1] not in _BLANKS:
            yield None
        else:
            yield number.end()
            due += 1


def find_wraps_between_doubled_blanks(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join wrapped lines, in a text that has all blanks twice.

    At a wrap, the line end stands in place of one of two blanks.

    >>> list(find_wraps_between_doubled_blanks("5  point \nmatch\n\nGame  1"))
    [Replacement(start=9, end=10, new=' ')]
    """
    first = text.find(" ")
    if text[first : first + 2] != "  " or "  point" not in text:
        return
    ends = list(_LINE_END_AND_BLANKS.finditer(text))
    joins = [
        Replacement(*end.span("end"), " ")
        for end in ends
        if (len(end["before"]) + len(end["after"])) % 2
    ]
    if joins and " " not in replace_parts(text, joins).text.replace("  ", ""):
        yield from joins


def find_doubled_blanks(text: str) -> Iterator[Replacement]:
    """Yield replacements of two blanks by one, in a text that has all blanks twice.

    >>> list(find_doubled_blanks("5  point  match"))
    [Replacement(start=1, end=3, new=' '), Replacement(start=8, end=10, new=' ')]
    """
    first = text.find(" ")
    if text[first : first + 2] != "  " or " " in text.replace("  ", ""):
        return
    if "  point" not in text:
        return
    for run in _PAIRS_OF_BLANKS.finditer(text):
        yield Replacement(*run.span(), " " * (len(run.group()) // 2))


def _find_separated_results(text: str) -> Iterator[Replacement]:
    """Yield replacements of separators, such as `|`, around results in a table by blanks."""
    for row in _SEPARATED_RESULT.finditer(text):
        signs = sum(map(row["empty"].count, "|;,")) - len(row["edge"])
        yield Replacement(*row.span("before"), "      " if signs < 2 else " " * RIGHT_COLUMN)
        if row["behind"]:
            yield Replacement(*row.span("behind"), "")


def find_cell_separators(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of the signs between cells by tabs, in numbered rows.

    >>> [part.new for part in find_cell_separators("1);31: 8/5 6/5;42: 8/4 6/4")]
    ['\t', '\t']
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
