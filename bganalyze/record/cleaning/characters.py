"""Characters that programs put in place of the plain ones: spaces, arrows, dashes, quotes, digits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from bganalyze.record.cleaning.layers import Replacement
from bganalyze.record.cleaning.signs import CONTROL_SIGNS, PAGE_BREAKS

_LINE_ENDS = re.compile(f"[{PAGE_BREAKS}\x85\u2028\u2029]")
_SEPARATED_ROW = re.compile(r"[\u2028\u2029]\n?[ \t]*[0-9]{1,3}[.)]")
_ROW_BELOW_LINE_FEED = re.compile(r"\S[ \t]*\n[ \t]*[0-9]{1,3}[.)][ \t]")
_WRAP_BETWEEN_SEPARATORS = re.compile(r"\n(?=[^\n\u2028\u2029]*[\n\u2028\u2029])")

FEWEST_SEPARATED_ROWS = 3
"""Least number of rows behind line separators that show how a text ends its lines."""

_SPACES = re.compile("[\u00a0\u1680\u180e\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]")
_UNSEEN = "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u2800\u3164\ufe0e\ufe0f\ufeff\uffa0"
_UNSEEN_SIGN = re.compile(f"[{_UNSEEN}]")
_UNSEEN_NAME = re.compile(
    rf"(?:^[ \t]*|[0-9][ \t]+)(?P<on_score>[{_UNSEEN}]{{1,60}})(?=[ \t]:[ \t]*[0-9])"
    rf"|[:,][ ](?P<in_report>[{_UNSEEN}]{{1,60}})(?=[ ][0-9]{{1,9}}(?:,[ ]|[ ]?\(|[ \t]*$))"
    rf"|\bP[BW]\[(?P<in_tree>[{_UNSEEN}]{{1,60}})\]",
    re.MULTILINE,
)
"""A name of characters that nobody sees, on a score line, in a report or in a game tree."""
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
    "|[\u200c\u200d](?![^\x00-\x7f\\s])|(?<![^\x00-\x7f\\s])[\u200c\u200d]"
)
_DECOMPOSED = re.compile("[^\\s\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]+")
_LIGATURES = re.compile("[\ufb00-\ufb06]")
_WIDE_SPACE = "\u3000"
_CONTROLS = re.compile(f"[{re.escape(CONTROL_SIGNS)}]+")
_ARROWS = re.compile(
    "(?P<cube>(?<=double)|(?<=doubles)|(?<=doubled)|(?<=redoubles)|(?<=beavers)|(?<=raccoons))"
    "(?P<wrap>[ \t]*\n)?[ \t]*(?P<arrow>[-=]?[\u2192\u21d2\u27a1\u2794\u279c\u27f6\u27f9\uf0e0\uf0e8]+)"
    "(?P<late_wrap>[ \t]*\n)?(?=[ \t]*[0-9])",
    re.IGNORECASE,
)
_ARROWS_OF_STEPS = re.compile(
    "(?:(?<=[0-9])|(?<=bar))[ \t]?(?:->|[\u2192\u21d2\u27a1\u2794\u279c\u27f6\u27f9]\ufe0f?)[ \t]?(?=[0-9]|off\\b)",
    re.IGNORECASE,
)
_DASHES = re.compile("(?<=[0-9])[\u2010-\u2015\u2212](?=[0-9])")
_QUOTES = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"'}
_QUOTED = re.compile(
    "^[;\t ]*\\[\\w[^\\[\\]\n]*?[ \t](?P<first>[\u201c\u201d\u201e])[^\\]\n]*?(?P<last>[\u201c\u201d])[ \t]*\\]"
    "|can(?P<in_word>[\u2018\u2019])t",
    re.MULTILINE | re.IGNORECASE,
)
FULL_WIDTH_SIGNS = {chr(ord(sign) + 0xFEE0): sign for sign in "()*,-./0123456789:>"}
"""The usual sign for each full-width one in rows."""
_FULL_WIDTH = re.compile(f"[{''.join(FULL_WIDTH_SIGNS)}]")
_ROW_OF_ANY_WIDTH = re.compile(
    "^[ \\t]*[0-9\uff10-\uff19]{1,3}[.)\uff09\uff0e][^\n;]*", re.MULTILINE
)
_ROW = re.compile(r"^[ \t]*[0-9]{1,3}[.)][^\n]*[?!][^\n]*", re.MULTILINE)
_MARKS = re.compile(
    r"(?:(?<=/)(?:[0-9]{1,2}|off)\*?(?:\([2-4]\))?|=>[ \t]*[0-9]{1,4}|\b(?:takes?|drops?|pass(?:es)?))"
    r"(?P<marks>[ \t]?[?!]{1,3}|[ \t]{1,40}![?!]{0,2})(?!\S)",
    re.IGNORECASE,
)


def find_line_ends(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of page breaks and unusual line ends by `\n`.

    >>> list(find_line_ends("a\u2028b"))
    [Replacement(start=1, end=2, new='\n')]
    """
    return _replace_all(_LINE_ENDS, text, "\n")


def find_wraps_between_separators(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that join wrapped lines, in a text whose own line ends are U+2028.

    >>> rows = "\u2028 1) 31: 8/5\n6/5\u2028 2) 42: 8/4 6/4\u2028 3) 65: 24/13\u2028"
    >>> list(find_wraps_between_separators(rows))
    [Replacement(start=12, end=13, new=' ')]
    """
    if "\n" not in text or _ROW_BELOW_LINE_FEED.search(text) is not None:
        return
    rows = sum(1 for _ in _SEPARATED_ROW.finditer(text))
    wraps = [one.span() for one in _WRAP_BETWEEN_SEPARATORS.finditer(text)]
    is_wrapped = any(text[start - 1] not in "\u2028\u2029" for start, _ in wraps if start > 0)
    if rows >= FEWEST_SEPARATED_ROWS and is_wrapped:
        for start, end in wraps:
            yield Replacement(start, end, " ")


def find_spaces(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of non-breaking and other special spaces by blanks."""
    kept = _find_unseen_names(text)
    for space in _SPACES.finditer(text):
        start, end = space.span()
        if start in kept:
            continue
        is_wide = space.group() == _WIDE_SPACE
        in_gap = is_wide and (text[start - 1 : start].isspace() or text[end : end + 1].isspace())
        yield Replacement(start, end, "  " if in_gap else " ")


def find_ligatures(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of ligatures, such as one sign for `fi`, by their letters."""
    for sign in _LIGATURES.finditer(text):
        yield Replacement(*sign.span(), unicodedata.normalize("NFKC", sign.group()))


def find_invisible(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove invisible characters, except joiners inside emoji.

    >>> list(find_invisible("3\u200b1:"))
    [Replacement(start=1, end=2, new='')]
    """
    kept = _find_unseen_names(text)  # A name may consist of invisible characters.
    for sign in _INVISIBLE.finditer(text):
        if sign.start() not in kept:
            yield Replacement(*sign.span(), "")


def _find_unseen_names(text: str) -> frozenset[int]:
    r"""Return the offsets of all characters of player names that are wholly invisible.

    >>> sorted(_find_unseen_names("The score (after 0 games) is: \u200b 0, Bob 0\n* \u200b doubles"))
    [30, 43]
    """
    if _UNSEEN_SIGN.search(text) is None:
        return frozenset()
    names = {found[found.lastgroup or 0] for found in _UNSEEN_NAME.finditer(text)}
    if not names:
        return frozenset()
    either = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    alone = re.compile(rf"(?:(?<=[ \t\n>\[])|^)(?:{either})(?=[ \t\n<,\]]|$)")
    return frozenset(at for name in alone.finditer(text) for at in range(*name.span()))


def find_decomposed(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of a letter with a separate accent by one accented letter."""
    for letter in _DECOMPOSED.finditer(text):
        composed = unicodedata.normalize("NFC", letter.group())
        if composed != letter.group():
            yield Replacement(*letter.span(), composed)


def find_controls(text: str) -> Iterator[Replacement]:
    r"""Yield replacements that remove control characters, such as `^Z` at the end of a file.

    >>> list(find_controls("Wins 1 point\n\x1a"))
    [Replacement(start=13, end=14, new='')]
    """
    return _replace_all(_CONTROLS, text, "")


def find_full_width(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of full-width digits and signs in numbered rows by ASCII ones.

    >>> list(find_full_width("1) 3\uff11:"))
    [Replacement(start=4, end=5, new='1')]
    """
    for row in _ROW_OF_ANY_WIDTH.finditer(text):
        for sign in _FULL_WIDTH.finditer(text, row.start(), row.end()):
            yield Replacement(*sign.span(), FULL_WIDTH_SIGNS[sign.group()])


def find_arrows(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of arrows before a cube value, as in `Doubles → 2`, by `=>`.

    >>> list(find_arrows("Doubles \u2192 2"))
    [Replacement(start=8, end=9, new='=>')]
    """
    for match in _ARROWS.finditer(text):
        if match["wrap"]:
            yield Replacement(*match.span("wrap"), " ")
        yield Replacement(*match.span("arrow"), "=>")
        if match["late_wrap"]:
            yield Replacement(*match.span("late_wrap"), " ")


def find_step_arrows(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of arrows between two points (`8→5`) by `/`, in numbered rows.

    >>> list(find_step_arrows("1) 31: 8\u21925"))
    [Replacement(start=8, end=9, new='/')]
    """
    if text.isascii() and "->" not in text:
        return
    for row in _ROW_OF_ANY_WIDTH.finditer(text):
        for arrow in _ARROWS_OF_STEPS.finditer(text, row.start(), row.end()):
            yield Replacement(*arrow.span(), "/")


def find_dashes(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of dashes between digits by hyphens, in numbered rows.

    >>> list(find_dashes("1) 5\u20132: 13/8"))
    [Replacement(start=4, end=5, new='-')]
    """
    for row in _ROW_OF_ANY_WIDTH.finditer(text):
        for dash in _DASHES.finditer(text, row.start(), row.end()):
            yield Replacement(*dash.span(), "-")


def find_curly_quotes(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of curly quotes by straight ones, in header entries and `Can't Move`.

    >>> [part.new for part in find_curly_quotes("; [Event \u201cClub\u201d]")]
    ['"', '"']
    """
    for quoted in _QUOTED.finditer(text):
        for name in ("first", "last", "in_word"):
            if quoted[name] is not None:
                yield Replacement(*quoted.span(name), _QUOTES[quoted[name]])


def find_marks(text: str) -> Iterator[Replacement]:
    """Yield replacements that remove marks such as `?!` after actions, in numbered rows.

    >>> list(find_marks("1) 31: 24/23?! 6/3"))
    [Replacement(start=12, end=14, new='')]
    """
    for row in _ROW.finditer(text):
        for marked in _MARKS.finditer(text, row.start(), row.end()):
            yield Replacement(*marked.span("marks"), "")


def _replace_all(pattern: re.Pattern[str], text: str, new: str) -> Iterator[Replacement]:
    """Yield a replacement of each match of `pattern` in the text by `new`."""
    return (Replacement(*match.span(), new) for match in pattern.finditer(text))
