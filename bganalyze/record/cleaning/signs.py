"""Signs of damage, found in one look at a text, so that a clean text is not searched by every cleaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from bganalyze.record.cleaning.translations import PROGRAM

BEYOND_ASCII = "\x80"
"""Sign that stands for all characters outside ASCII."""

QUOTE_MARK = "quote_mark"
"""A `>` or `|` at the start of a line, maybe behind initials."""
LINE_DECORATION = "line_decoration"
"""A mark of a heading, of bold text or of a list at the start of a line."""
WRAPPED_REST = "wrapped_rest"
"""Steps or the second half of a phrase at the start of a line."""
WRAPPED_CELL = "wrapped_cell"
"""A cell at the start of a line, below a line that ends with blanks."""
LONE_CELL = "lone_cell"
"""A cell at the start of a line, without a row number."""
HALF_SCORE = "half_score"
"""A line that ends inside a score line: behind the second name, or behind the first score."""
MARGIN_RESULT = "margin_result"
"""A result with hardly an indent."""
DOUBLE_BEHIND_ROLL = "double_behind_roll"
"""A double right behind a roll."""
ROLL_BEHIND_ROLL = "roll_behind_roll"
"""A roll right behind a roll."""
BARE_ROLL = "bare_roll"
"""A roll without a colon in the first row, in a text without a row of two other rolls."""
NARROW_GAP = "narrow_gap"
"""A single blank between the cells of the first rows."""
LOOSE_SIGN = "loose_sign"
"""A blank or a comma inside a row number, a roll or a step."""
CELL_SEPARATOR = "cell_separator"
"""A sign of a table behind a row number."""
ODD_LABEL = "odd_label"
"""A number in brackets or before a colon, a bracket, a hyphen or a tab at the start of a line."""
BRACKETED_POINTS = "bracketed_points"
"""A number in brackets behind a blank and a word."""
DOTS = "dots"
"""Three dots, as in an empty cell."""
LONE_ROLLS = "lone_rolls"
"""No row of two rolls."""
OTHER_LINE = "other_line"
"""A line that is no numbered row, heading, score line, result or comment as match text has them."""
STRING_ROW = "string_row"
"""A row number behind a quotation mark."""
PROGRAM_NAME = "program_name"
"""The name of the program whose reports have phrases in other languages."""
FREE_BRACKET = "free_bracket"
"""A bracket that does not begin a header entry, such as `[Event "Club"]`."""

PAGE_BREAKS = "\x0b\x0c"
"""Line ends in ASCII that are neither CR nor LF."""

CONTROL_SIGNS = "".join(map(chr, (*range(9), *range(14, 32), 127)))
"""Control characters besides blanks, tabs and line ends."""

LOSES = re.compile(r"(?<![ \t])[ \t]*[0-9]{1,3}[.)][ \t]{0,3}(?:losses|loses)\b", re.IGNORECASE)
"""A row in which the left player is the loser."""

MOST_BETWEEN = 300
"""Most characters from the start of a row with a loss to the win below it: a remark or a page number is between."""

MARGIN = 4
"""Largest offset of a result at the margin; results of the left column have the offset 6."""

# These patterns pass over usual rows and header entries first, begin with a literal character and read the indent of a
# line once: a clean file of 4,400 characters is searched in 12 µs. Two searches of every text took 18 µs.
_LINES = re.compile(
    rf"\n(?![ 0-9][ 0-9][0-9]\) [^|])(?![;\n])(?:(?P<{QUOTE_MARK}>(?:[A-Za-z]{{1,4}}(?=[>|]))?[>|])"
    rf"|(?P<{LINE_DECORATION}>[ ]{{0,3}}[-+*#_])"
    rf"|(?P<{MARGIN_RESULT}>[ \t]{{0,{MARGIN}}}+wins\b)"
    rf"|(?<=  \n)[ \t]*+(?!wins\b)(?P<{WRAPPED_CELL}>[0-9]{{2}}:|[a-z])"
    rf"|(?! *[0-9]+\) [^|])[ \t]*+(?=[\"'|0-9bcpmatdr=(\[#])(?:(?P<{CELL_SEPARATOR}>(?:[|\"]?[ \t]*+[0-9]{{1,3}}\)|\|[ \t]*+[0-9]{{1,3}})\"?[ \t]*+[|;,]|[0-9]{{1,3}}[;,]\"?[1-6]-?[1-6]:)"
    rf"|(?P<{ODD_LABEL}>[(\[#][0-9]{{1,3}}[)\] ]|[0-9]{{1,3}}(?::|\]|\.\)|[ ]-|(?=\t))[ \t]+(?:[(\[]?[1-6]-?[1-6][:)\] \t]|[a-z]{{4}}))"
    rf"|(?P<{STRING_ROW}>[\"'][ \t]*+[0-9]{{1,3}}\))|(?P<{LOOSE_SIGN}>[0-9]{{1,3}}[ \t][.)])"
    rf"|(?P<{WRAPPED_REST}>(?:bar|[0-9]{{1,2}})/|=>|[0-9]{{1,5}} points?\b(?![ \t]+match)"
    rf"|points?\b|move\b|(?:and )?(?:the )?match\b)|(?P<{LONE_CELL}>[1-6]{{2}}:|(?:re)?doubles?\b|takes?\b|drops?\b|pass(?:es)?\b|can(?:not|'t)\b)))",
    re.IGNORECASE,
)
_RESULT_LINE = re.compile(r"\n[ \t]*+wins\b", re.IGNORECASE)
_LINE_END = r"[ \t]*+(?:\n|$)"
_USUAL_LINE = (
    rf"\n|$|;|[0-9]{{1,4}}\)(?:[ \t]*+(?:[0-9]{{2}}(?![0-9])|[a-z]|\n|$))|game [0-9]{{1,4}}{_LINE_END}"
    rf"|[0-9]{{1,4}} point match{_LINE_END}|wins [0-9]{{1,5}} points?(?: and the match)?{_LINE_END}"
)
_SCORES_BEHIND_NAME = rf": ?[0-9]{{1,5}}[ ]{{2}}[^\n:]{{0,120}}: ?[0-9]{{1,5}}{_LINE_END}"
_OTHER_LINE = re.compile(
    rf"\n(?![ \t]*+(?:{_USUAL_LINE}|[^\n:]{{0,60}}{_SCORES_BEHIND_NAME}))", re.IGNORECASE
)
_MAYBE_DAMAGED_LINE = re.compile(
    rf"\n(?:[ \t]{{0,{MARGIN}}}+wins\b|(?<=  \n)[ \t]*+(?!wins\b)(?:[0-9]{{2}}:|[a-z])"
    rf"|(?![ \t]*+(?:{_USUAL_LINE}|[^\W_][^\n:>|]{{0,60}}{_SCORES_BEHIND_NAME})))",
    re.IGNORECASE,
)
"""A line that `_LINES` or `_OTHER_LINE` may find. Most texts have none, and are searched once instead of twice."""
_BRACKETED_POINTS = re.compile(r"\((?<=[^\d\s][ \t]\()[0-9]{1,4}\)")
_BEHIND_COLON = re.compile(
    rf"(?! [0-9]{{1,2}}/)[ \t](?:(?P<{ROLL_BEHIND_ROLL}>(?=[1-6]{{2}}:))"
    rf"|[ \t]?(?P<{DOUBLE_BEHIND_ROLL}>(?:[Rr][Ee])?[Dd][Oo])"
    rf"|(?P<{HALF_SCORE}>(?=[0-9]{{1,9}}+[ \t][ \t]*+[^:\s/][^:\n]{{0,60}}+:?[ \t]*+\n|[0-9]{{1,9}}+[ \t]*+\n[^:\n]{{1,60}}: ?[0-9]{{1,9}}+[ \t]*+(?:\n|$))))"
)
_COLONS = re.compile(
    rf":(?:(?P<{LOOSE_SIGN}>(?<=[1-6] :)(?! [0-9]{{1,9}}(?:[ \t]{{2}}|[ \t]*$))|(?<=[ \t][1-6][/ .][1-6]:))"
    rf"|{_BEHIND_COLON.pattern})",
    re.MULTILINE,
)
"""Colons behind dice and a blank, or with a sign behind them. The colon of a score line is none of them, also if a name ends in a digit."""
_PROGRAM_NAME = re.compile(PROGRAM)
_LABEL = re.compile(r"^[ \t]*+[0-9]{1,3}[.)]", re.MULTILINE)
_LOOSE_SLASH = re.compile("/ ")
_LOOSE_COMMA = re.compile(",[ ]?[1-6] ?:")
_BRACKETS_AND_QUOTE = '[]"'
_FREE_BRACKET = re.compile(r"\[(?!\")")
_BARE_ROLL = re.compile(
    r"\n[ \t]*+[0-9]{1,3}[.)][ \t]*[\[({]?[1-6](?:-|,[ ]?)?[1-6][\])}]?[ \t]+(?:bar|[0-9]{1,2})[-/]",
    re.IGNORECASE,
)
_FIRST_GAP = re.compile(
    r"\n[ \t]*+[0-9]{1,3}[.)][ \t]*[1-6]{2}:.{0,200}?(?P<gap>[ \t]{1,200})(?=[1-6]{2}:)"
)


SignFinder = Callable[[str], frozenset[str]]
"""Function that finds signs of damage in a text and returns their names."""


def make_character_finder(characters: Iterable[str]) -> SignFinder:
    r"""Return a function that finds which of `characters`, signs of damage, are in a text.

    The function also finds `\x80` (any character beyond ASCII) and `free_bracket` (a bracket
    outside header entries).

    >>> find_signs = make_character_finder("*<\x80")
    >>> sorted(find_signs(" 1) 31: 8/5* 6/5 Zo\xeb"))
    ['*', '\x80']
    >>> sorted(find_signs("[b]5 point match[/b]"))
    ['free_bracket']
    """
    signs = frozenset(characters)
    usual = bytes(set(range(128)) - set(map(ord, signs.union(_BRACKETS_AND_QUOTE))))

    def find_signs(text: str) -> frozenset[str]:
        """Return the names of the signs in a text."""
        rare = text.encode("ascii", "ignore").translate(None, usual).decode("ascii")
        beyond = () if text.isascii() else (BEYOND_ASCII,)
        bracket = () if _FREE_BRACKET.search(rare) is None else (FREE_BRACKET,)
        return frozenset((*signs.intersection(rare), *beyond, *bracket))

    return find_signs


def find_patterns(text: str, unusual_lines: str | None = None) -> frozenset[str]:
    r"""Return the names of damage patterns in a text, such as `narrow_gap` (between columns).

    If `unusual_lines` are given, only these lines and the first rows of `text` are searched.

    >>> sorted(find_patterns('"1) 31: 8/5",'))
    ['lone_rolls', 'other_line', 'string_row']
    """
    lines = text if unusual_lines is None else unusual_lines
    return frozenset((*_find_patterns_in_lines(lines), *_find_patterns_in_first_rows(text)))


def _find_patterns_in_lines(text: str) -> Iterator[str]:
    """Yield the names of damage patterns in lines of a text, such as `wrapped_rest`."""
    below_line_end = f"\n{text}"
    if _MAYBE_DAMAGED_LINE.search(below_line_end) is not None:
        yield from (str(found.lastgroup) for found in _LINES.finditer(below_line_end))
        if _OTHER_LINE.search(below_line_end) is not None:
            yield OTHER_LINE
    if _has_result_below_loss(text):
        yield WRAPPED_CELL  # It may be the rest of the row above.
    for found in _COLONS.finditer(text):
        yield str(found.lastgroup)
        if found.lastgroup == LOOSE_SIGN and (behind := _BEHIND_COLON.match(text, found.end())):
            yield str(behind.lastgroup)
    has_loose_comma = "," in text and _LOOSE_COMMA.search(text) is not None
    if has_loose_comma or _LOOSE_SLASH.search(text) is not None:
        yield LOOSE_SIGN
    yield from _find_rare_patterns(text)


def _find_rare_patterns(text: str) -> Iterator[str]:
    """Yield the names of rare damage patterns in a text, such as points in brackets."""
    if "..." in text:
        yield DOTS
    if _BRACKETED_POINTS.search(text) is not None:
        yield BRACKETED_POINTS
    if any(_is_outside_comment(text, name.start()) for name in _PROGRAM_NAME.finditer(text)):
        yield PROGRAM_NAME


def _is_outside_comment(text: str, place: int) -> bool:
    """Whether the offset `place` is on a line that is no comment (a line beginning with `;`)."""
    return not text.startswith(";", text.rfind("\n", 0, place) + 1)


def _find_patterns_in_first_rows(text: str) -> Iterator[str]:
    """Yield the names of damage patterns in a text's first rows, such as `narrow_gap`."""
    below_line_end = f"\n{text}"
    first = _FIRST_GAP.search(below_line_end)
    if first is None:
        yield LONE_ROLLS
        if _BARE_ROLL.search(below_line_end) is not None:
            yield BARE_ROLL
    elif first["gap"] == " ":
        second = _FIRST_GAP.search(below_line_end, first.end())
        if second is None or second["gap"] == " ":
            yield NARROW_GAP


def _has_result_below_loss(text: str) -> bool:
    """Whether a line such as `Wins 2 points` stands below a row such as ` 9) Losses 2 points`."""
    may_have_losses = "ses" in text.lower()  # Few texts have `Losses 2 points`.
    return may_have_losses and any(
        _says_that_left_loses(text, result.start()) for result in _RESULT_LINE.finditer(text)
    )


def _says_that_left_loses(text: str, line_end: int) -> bool:
    """Whether the row that ends at the offset `line_end` says that the left player loses."""
    start = max(line_end - MOST_BETWEEN, 0)
    *_, last = (start, *(row.start() for row in _LABEL.finditer(text, start, line_end)))
    return LOSES.match(text, last, line_end) is not None
