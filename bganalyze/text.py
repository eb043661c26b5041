"""Texts for people: counts, printable text, HTML tables, and suggestions for mistyped words."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

_WITHOUT_DOCSTRINGS = 2
"""Optimization level of Python (`-OO`) that removes docstrings."""


class Unreadable(NamedTuple):
    """A file that could not be read. Path and reason are None in anonymized output."""

    path: str | None = None
    """Path of the file; None in anonymized output."""
    reason: str | None = None
    """Why it could not be read; None in anonymized output."""


class Files(NamedTuple):
    """Counts of the files that a run has read, skipped and failed to read."""

    read: int
    """Number of match files read."""
    skipped: int
    """Number of files that are no match files."""
    unreadable: tuple[Unreadable, ...]
    """The files that could not be read."""

    def anonymous(self) -> Files:
        """Return the counts without the paths of unreadable files."""
        return self._replace(unreadable=(Unreadable(),) * len(self.unreadable))


def percent(probability: float) -> str:
    """Return a probability as a whole percentage below 100.

    >>> percent(0.982), percent(0.9999), percent(0.0004)
    ('98 %', '99 %', 'under 1 %')
    """
    percent = min(int(100 * probability + 0.5), 99)
    return f"{percent} %" if percent else "under 1 %"


def number_of(number: int, word: str) -> str:
    """Return a number with a noun, in the plural if needed.

    >>> number_of(1, "match"), number_of(1200, "match")
    ('1 match', '1,200 matches')
    """
    ending = "es" if word.endswith(("ch", "s", "x")) else "s"
    return f"{number:,} {word}{ending * (number != 1)}"


def capitalize_first(text: str) -> str:
    """Return a text with a capital first letter.

    >>> capitalize_first("best by XG")
    'Best by XG'
    """
    return f"{text[:1].upper()}{text[1:]}"


def join_words(words: Sequence[object], conjunction: str = "and") -> str:
    """Return words as an enumeration.

    >>> join_words(["Ann", "Bob", "Cy"]), join_words([2, 4], "or")
    ('Ann, Bob and Cy', '2 or 4')
    """
    *first, last = map(str, words) if words else ("",)
    return f"{', '.join(first)} {conjunction} {last}" if first else last


# Text from files, made safe to show: no control characters, nothing that cannot be encoded.


def printable(text: str, encoding: str = "utf-8") -> str:
    r"""Return a text with escapes for control characters, and for any that `encoding` lacks.

    >>> printable("a\x1b[2Jb"), printable("Bodø", "ascii")
    ('a\\x1b[2Jb', 'Bod\\xf8')
    """
    if not text.isprintable():
        neighbors = zip(f" {text}", text, f"{text[1:]} ", strict=False)
        text = "".join(_escape_unprintable(*characters) for characters in neighbors)
    return text.encode(encoding, "backslashreplace").decode(encoding)


MOST_SHOWN = 700
"""Longest message shown, in characters: a message may quote a name as long as a file."""
_END_SHOWN = 300
"""Characters kept at the end of a longer message, because the end says what to do."""
_LEFT_OUT = " ... "
"""Replaces the middle of a longer message; every terminal has these characters."""


def shorten_message(message: str) -> str:
    """Shorten a message to 700 characters by leaving out its middle."""
    if len(message) <= MOST_SHOWN:
        return message
    beginning = cut_text(message, MOST_SHOWN - _END_SHOWN - len(_LEFT_OUT))
    return beginning + _LEFT_OUT + message[-_END_SHOWN:]


def documentation(thing: Callable[..., Any]) -> str:
    """Return the docstring of a function or class, without indentation, or "".

    >>> documentation(number_of).partition(",")[0]
    'Return a number with a noun'
    """
    import inspect  # A check documents nothing.

    if sys.flags.optimize < _WITHOUT_DOCSTRINGS:
        return inspect.getdoc(thing) or ""
    import ast
    from textwrap import dedent

    try:
        (node,) = ast.parse(dedent(inspect.getsource(thing))).body
    except (OSError, SyntaxError):
        return ""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return ast.get_docstring(node) or ""
    return ""


def html_table_of_pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Return an HTML table with a row for each name and value.

    >>> html_table_of_pairs([("player", "<Ann>")])
    '<table><tr><th>player</th><td>&lt;Ann&gt;</td></tr></table>'
    """
    from html import escape  # Only notebooks need it: 1 % of the start of a check.

    cells = "".join(
        f"<tr><th>{escape(printable(name))}</th><td>{escape(printable(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def html_table_with_header(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return an HTML table with a header and rows of cells.

    >>> html_table_with_header(("player",), [("<Ann>",)])
    '<table><tr><th>player</th></tr><tr><td>&lt;Ann&gt;</td></tr></table>'
    """
    from html import escape

    def row(cells: Iterable[str], tag: str) -> str:
        """Return a table row with escaped cells, each in an element called `tag`."""
        written = (f"<{tag}>{escape(printable(cell))}</{tag}>" for cell in cells)
        return f"<tr>{''.join(written)}</tr>"

    return f"<table>{row(header, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def escape_surrogates(path: str) -> str:
    r"""Return a path with escapes for lone surrogates, which UTF-8 cannot hold.

    >>> escape_surrogates("f/m\udce9.mat")
    'f/m\\udce9.mat'
    """
    return path.encode("utf-8", "backslashreplace").decode()


_NON_JOINER, _JOINER = "\u200c", "\u200d"
_LATIN = 0x24F
"""Last code point of the Latin scripts, which need no joiners."""
_VIRAMA = 9
"""Combining class of the sign that removes the vowel from an Indic consonant."""


def _escape_unprintable(before: str, character: str, after: str) -> str:
    r"""Return a character or, if it is unprintable, an escape such as `\u200b`.

    An invisible joiner is kept where it changes how its neighbors are shown.
    """
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    joins = _may_be_joined(before) and (
        _may_be_joined(after) or unicodedata.combining(before) == _VIRAMA
    )
    if joins and character in (_NON_JOINER, _JOINER):
        return character
    return character.encode("unicode_escape").decode("ascii")


def _may_be_joined(character: str) -> bool:
    """Whether an invisible joiner can change how this character is shown, as in Arabic."""
    return ord(character) > _LATIN and unicodedata.category(character)[0] in "LMS"


def cut_text(text: str, length: int) -> str:
    r"""Cut a text to at most `length` code points, between visible characters.

    >>> cut_text("Zoe\N{COMBINING DIAERESIS}", 3)
    'Zo'
    """
    while 0 < length < len(text) and _belongs_to_previous(text[length - 1], text[length]):
        length -= 1
    return text[:length]


def _belongs_to_previous(before: str, after: str) -> bool:
    """Whether two characters are shown as one, such as a letter and its accent."""
    is_mark = unicodedata.category(after)[0] == "M" or unicodedata.category(after) == "Sk"
    return is_mark or after == _JOINER or before in (_JOINER, _NON_JOINER)


def did_you_mean(word: str, known_words: Iterable[str]) -> str:
    """Return a question that suggests known words, for the end of a message, or "".

    >>> did_you_mean("chekc", ["check", "report"])
    '; did you mean check?'
    """
    folded, choices = word.casefold(), list(known_words)
    similar = get_close_matches(folded, choices)
    if not similar and len(folded) > 1:
        similar = [choice for choice in choices if choice.startswith(folded)]
    return f"; did you mean {join_words(similar, 'or')}?" if similar else ""


EVERYTHING = "all"
"""Word that selects every choice of a list."""


NO_OTHER_CHOICES: Mapping[str, Sequence[str]] = MappingProxyType({})
"""Nothing but the choices of a list is allowed, under any condition."""


class UnknownWordError(ValueError):
    """A word that is not among the choices of a list; the message names the choices."""


def find_choice(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that is the same word, in any case, or None.

    >>> find_choice("WBF", ["basic", "wbf"])
    'wbf'
    """
    folded = word.casefold()
    return next((choice for choice in choices if choice.casefold() == folded), None)


def parse_choices(
    words: str | Iterable[str],
    choices: Sequence[str],
    noun: str,
    other_choices: Mapping[str, Sequence[str]] = NO_OTHER_CHOICES,
) -> tuple[str, ...]:
    """Return the words in one or more comma lists, each once; nothing for `all`.

    Raises UnknownWordError for a word that is not in `choices`. The message calls it a `noun`, and
    also lists `other_choices`, which are allowed only under the condition that is their key.

    >>> parse_choices("points, cube", ["points", "cube", "dice"], "report")
    ('points', 'cube')
    """
    lists = [words] if isinstance(words, str) else words
    stripped = [word.strip() for entry in lists for word in entry.split(",")]
    distinct = tuple(dict.fromkeys(word for word in stripped if word))
    if distinct == (EVERYTHING,):
        return ()
    for word in distinct or ("",):
        if word not in choices:
            listed = [f"there are {', '.join(choices)}, and {EVERYTHING}"]
            listed += [f"{name}: {', '.join(others)}" for name, others in other_choices.items()]
            known = chain(choices, *other_choices.values())
            raise UnknownWordError(
                f"{word!r} is no {noun}; {'; '.join(listed)}{did_you_mean(word, known)}"
            )
    return distinct
