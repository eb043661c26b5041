"""Signs of damage, found in one look at a text, so that a clean text is not searched by every cleaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

BEYOND_ASCII = "\x80"
"""Sign that stands for all characters outside ASCII."""

QUOTE_MARK = "quote_mark"
"""A `>` or `|` at the start of a line."""
WRAPPED_REST = "wrapped_rest"
"""Steps or the second half of a phrase at the start of a line."""
WRAPPED_CELL = "wrapped_cell"
"""A cell at the start of a line, below a line that ends with blanks."""
HALF_SCORE = "half_score"
"""A line that ends behind the second name of a score line."""
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

MARGIN = 4
"""Largest offset of a result at the margin; results of the left column have the offset 6."""

_LINES = re.compile(
    rf"\n(?!\n| *[0-9]+\) [^|])(?:(?P<{QUOTE_MARK}>[>|])"
    rf"|(?P<{CELL_SEPARATOR}>[ \t]*(?:[|\"][ \t]*)?[0-9]{{1,3}}\)\"?[ \t]*[|;,])"
    rf"|(?P<{LOOSE_SIGN}>[ \t]*[0-9]{{1,3}}[ \t][.)])"
    rf"|(?P<{WRAPPED_CELL}>(?<=  \n)[ \t]*(?:[0-9]{{2}}:|(?!wins\b)[a-z]))"
    rf"|(?P<{WRAPPED_REST}>[ \t]*+(?:(?:bar|[0-9]{{1,2}})/|=>|[0-9]{{1,5}} points?\b(?![ \t]+match)"
    r"|points?\b|move\b|(?:and )?(?:the )?match\b))"
    rf"|(?P<result>(?<=  \n)[ \t]*+wins\b)|(?P<{MARGIN_RESULT}>[ \t]{{0,{MARGIN}}}+wins\b))",
    re.IGNORECASE,
)
_COLONS = re.compile(
    rf":(?! [0-9]{{1,2}}/)[ \t](?:(?P<{ROLL_BEHIND_ROLL}>(?=[1-6]{{2}}:))"
    rf"|[ \t]?(?P<{DOUBLE_BEHIND_ROLL}>[DdRr])"
    rf"|(?P<{HALF_SCORE}>(?=[0-9]{{1,9}}+[ \t]{{2}}[ \t]*+[^:\s][^:\n]{{0,60}}+:?[ \t]*+\n)))"
)
_LOOSE_COLONS = re.compile(
    rf":(?P<{LOOSE_SIGN}>(?<=[1-6] :)(?! [0-9]{{1,9}}(?:[ \t]{{2}}|[ \t]*$)))", re.MULTILINE
)
"""Colons behind dice and a blank; a score is none, though its name may end with a digit."""
_SLASHES = re.compile(rf"/(?P<{LOOSE_SIGN}> )")
_COMMAS = re.compile(rf",(?P<{LOOSE_SIGN}>[ ]?[1-6] ?:)")
_BARE_ROLL = re.compile(
    r"^[ \t]*[0-9]{1,3}[.)][ \t]*[1-6]{2}[ \t]+(?:bar|[0-9]{1,2})[-/]", re.IGNORECASE | re.MULTILINE
)
_LOSES = re.compile(r"\b(?:losses|loses)\b", re.IGNORECASE)
_FIRST_GAP = re.compile(
    r"^[ \t]*[0-9]{1,3}[.)][ \t]*[1-6]{2}:.{0,200}?(?P<gap>[ \t]{1,200})(?=[1-6]{2}:)", re.MULTILINE
)


def make_sign_finder(characters: Iterable[str]) -> Callable[[str], frozenset[str]]:
    r"""Return a function that returns the signs of damage in a text.

    It reports each of `characters` that occurs, and the names of larger signs such as `narrow_gap`.

    >>> find_signs = make_sign_finder("*<\x80")
    >>> sorted(find_signs(" 1) 31: 8/5* 6/5 Zo\xeb"))
    ['*', '\x80']
    >>> sorted(find_signs("1) 31: 8/5* 6/5 42: 8 / 4\n6/4"))
    ['*', 'loose_sign', 'narrow_gap', 'wrapped_rest']
    """
    usual = bytes(set(range(128)) - set(map(ord, characters)))

    def find_signs(text: str) -> frozenset[str]:
        rare = text.encode("ascii", "ignore").translate(None, usual).decode("ascii")
        beyond = () if text.isascii() else (BEYOND_ASCII,)
        return frozenset((*rare, *beyond, *_find_patterns(text, has_comma="," in rare)))

    return find_signs


def _find_patterns(text: str, *, has_comma: bool) -> Iterator[str]:
    """Yield the names of signs of damage that are more than a character, such as `narrow_gap`.

    `has_comma` says whether the text has a comma.
    """
    for found in _LINES.finditer(f"\n{text}"):
        if found.lastgroup == "result":  # The rest of the row above, or at the margin.
            yield WRAPPED_CELL if _says_loser(text, found.start() - 1) else MARGIN_RESULT
        else:
            yield str(found.lastgroup)
    patterns = (
        (_COLONS, True),
        (_LOOSE_COLONS, " :" in text),
        (_SLASHES, "/ " in text),
        (_COMMAS, has_comma),
    )
    for pattern, is_possible in patterns:
        if is_possible:
            for found in pattern.finditer(text):
                yield str(found.lastgroup)
    first = _FIRST_GAP.search(text)
    if first is None:
        if _BARE_ROLL.search(text) is not None:
            yield BARE_ROLL
    elif first["gap"] == " ":
        second = _FIRST_GAP.search(text, first.end())
        if second is None or second["gap"] == " ":
            yield NARROW_GAP


def _says_loser(text: str, line_end: int) -> bool:
    """Whether the line that ends at offset `line_end` is the loser's: `Losses N points`."""
    return _LOSES.search(text, text.rfind("\n", 0, line_end) + 1, line_end) is not None
