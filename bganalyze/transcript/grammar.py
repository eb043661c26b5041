"""The Lark grammars, loaded once per process.

The grammars are vocabularies: every terminal is an item of its own and the last one takes any
text, so that no input fails to lex. Which sequences mean something is decided by the format's own
module. Lexing alone also costs half of what building a tree costs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lark import Lark, Token


class LineGist:
    r"""What tells a format: a pattern that is looked for where lines begin.

    >>> gist = LineGist(r"Score is [0-9]+")
    >>> gist.is_in("hello\nScore is 3"), gist.is_in("The Score is 3")
    (True, False)

    With `^` and MULTILINE every character of a text would be tried, which takes ten times as long
    as going from line end to line end.
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Take a pattern without its `^`; its `$` is the end of a line."""
        flags |= re.MULTILINE
        self._first = re.compile(pattern, flags)
        self._other = re.compile(f"\n(?:{pattern})", flags)

    def is_in(self, text: str) -> bool:
        """Whether a line of `text` begins so."""
        return self._first.match(text) is not None or self._other.search(text) is not None


_PACKAGE = Path(__file__).parents[1]
_FOLDER = _PACKAGE / "grammars"
if not _FOLDER.is_dir():  # In a checkout they stand beside the package.
    _FOLDER = _PACKAGE.parent / "grammars"


@cache
def lexer(name: str) -> Lark:
    """Return the grammar `name` ready for `lex(text)`.

    >>> [token.type for token in lexer("cell").lex("31: 8/5* bar/off ???? foo")]
    ['PLAY', 'UNPLAYED', 'JUNK']
    """
    return Lark.open(str(_FOLDER / f"{name}.lark"), parser=None, lexer="basic")


def lines(name: str, text: str) -> Iterator[Token]:
    r"""Lex a text whose terminals are lines, or runs of lines of one kind; yield them one by one.

    >>> [(token.type, token.line) for token in lines("rooms", "Length: 3\n1\tx\n2\ty")]
    [('OPTION', 1), ('TABBED', 2), ('TABBED', 3)]
    """
    for token in lexer(name).lex(text):
        if "\n" not in token:
            yield token
            continue
        for number, line in enumerate(token.split("\n"), start=token.line or 1):
            yield Token(token.type, line, line=number, column=1)


@cache
def terminal(name: str, of: str) -> re.Pattern[str]:
    """Return the pattern of one terminal of a grammar, for text that is nearly always just that.

    >>> terminal("PLAY", of="cell").fullmatch("31: 8/5* bar/off") is not None
    True
    """
    return re.compile(lexer(of).get_terminal(name).pattern.to_regexp())
