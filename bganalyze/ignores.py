"""Ignore comments: `; bganalyze: ignore P409` in a transcript silences findings where it stands.

Directly above a row (or any other line) it silences that line; directly under a game line the
whole game; in the header, above the match line and whatever title stands there, the whole match.
Where there is no match line, the header is what stands above the first game. Several codes or prefixes may
follow, and then a reason; `ignore` alone silences everything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import pairwise, takewhile
from typing import NamedTuple

from bganalyze.findings import Finding

_MARK = "bganalyze:"
_EVERYTHING = ("",)
_COMMENT = re.compile(r"\s*[;#]")
_IGNORE = re.compile(r"\s*[;#]\s*bganalyze:\s*ignore\b[\s:]*(.*)")
_CODE = re.compile(r"[A-Za-z]\d+|[A-Z]")
_GAME = re.compile(r"\s*Game\s+\d+", re.IGNORECASE)
_MATCH = re.compile(r"\s*(?:\d+\s+points?\s+match|match\s+(?:of|to)\s+\d+)", re.IGNORECASE)
_SAID = re.compile(
    r"\s*(?:[0-9*]{1,6}(?:\)|\.\s)|[0-9]{2}:|(?:wins?|loss?es|(?:re)?doubles?|takes?|drops?)\b)|.*:\s*[0-9]+\s*$",
    re.IGNORECASE,
)
"""A row, one without its number, or a score line; other text above a match is its title."""


class Word(NamedTuple):
    """A word of an ignore comment, in capitals, and the line where it stands."""

    line: int
    text: str


class Ignores(NamedTuple):
    """What the comments of one file silence."""

    by_line: Mapping[int, tuple[str, ...]]
    """For each line the prefixes of the codes."""
    words: tuple[Word, ...] = ()
    """What the comments name as prefixes of codes."""

    def silences(self, finding: Finding) -> bool:
        """Whether a comment silences the finding."""
        return finding.code.startswith(self.by_line.get(finding.line, ()))

    def unknown(self, codes: Collection[str]) -> tuple[Word, ...]:
        """Return the words that begin none of the codes, and so silence nothing.

        >>> ignores(["; bganalyze: ignore P4 T999", " 1) 31: 8/5"]).unknown(["P409", "T108"])
        (Word(line=1, text='T999'),)
        """
        return tuple(
            word for word in self.words if not any(code.startswith(word.text) for code in codes)
        )


def ignores(lines: Sequence[str]) -> Ignores:
    """Return what the comments in the lines of a file silence.

    >>> ignores(["  ; bganalyze: ignore P4, T108 as agreed", " 1) 31: 8/5"]).by_line
    {2: ('P4', 'T108')}
    """
    if not any(_MARK in line for line in lines):
        return Ignores({})
    by_line: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for reach, prefixes in _Layout(lines).scopes():
        for index in reach if prefixes else ():
            by_line[index + 1] += prefixes
    return Ignores(dict(by_line), tuple(_words(lines)))


class _Kind(Enum):
    """What a line is, as far as the scope of a comment depends on it."""

    BLANK = auto()
    COMMENT = auto()
    MATCH = auto()
    GAME = auto()
    TITLE = auto()
    OTHER = auto()


_HEADER = (_Kind.BLANK, _Kind.COMMENT, _Kind.TITLE)


class _Layout:
    """The lines of a file as gaps (comments and blank lines) between the lines that say something.

    A gap is the range of its lines; `gap.stop` is the line that follows it.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._kinds = [_kind(line) for line in lines]
        said = [i for i, k in enumerate(self._kinds) if k not in (_Kind.BLANK, _Kind.COMMENT)]
        self._gaps = [range(a + 1, b) for a, b in pairwise((-1, *said, len(lines)))]
        headers = list(filter(None, self._headers()))
        self._header_of = {index: header.start for header in headers for index in header}
        self._matches = _blocks([header.start for header in headers], len(lines))
        heads = (_Kind.MATCH, _Kind.GAME)
        self._games = _blocks([i for i in said if self._kinds[i] in heads], len(lines))

    def scopes(self) -> Iterator[tuple[range, tuple[str, ...]]]:
        """Yield the lines that comments speak of and the prefixes silenced there."""
        for gap in filter(None, self._gaps):
            under, above = self._under(gap), self._above(gap)
            if self._kind_at(gap.start - 1) is _Kind.GAME:
                yield self._games[gap.start - 1], self._prefixes(under)
                above = above if above != under else range(0)
            if gap[-1] in self._header_of:
                yield self._matches[self._header_of[gap[-1]]], self._prefixes(gap)
            else:
                yield range(gap.stop, gap.stop + 1), self._prefixes(above)

    def _headers(self) -> Iterator[range]:
        """Yield the lines above each match line.

        A file without one holds one match, headed by its first game line. Where there is none
        either, a comment directly above the first row speaks of that row.
        """
        heads = self._lines_of(_Kind.MATCH) or self._lines_of(_Kind.GAME)[:1]
        for head in heads or map(self._above_comments, self._lines_of(_Kind.OTHER)[:1]):
            yield range(self._header_start(head), head)

    def _above_comments(self, index: int) -> int:
        """The first of the comments directly above a line, or the line."""
        while index and self._kinds[index - 1] is _Kind.COMMENT:
            index -= 1
        return index

    def _lines_of(self, kind: _Kind) -> list[int]:
        return [index for index, each in enumerate(self._kinds) if each is kind]

    def _header_start(self, head: int) -> int:
        """Where the header above a line begins; above a title, it does so below a blank line."""
        start, is_below_title = head, True
        for index in range(head - 1, -1, -1):
            if self._kinds[index] not in _HEADER:
                break
            if is_below_title or index == 0 or self._kinds[index - 1] is _Kind.BLANK:
                start = index
            is_below_title &= self._kinds[index] is not _Kind.TITLE
        return start

    def _kind_at(self, index: int) -> _Kind | None:
        return self._kinds[index] if 0 <= index < len(self._kinds) else None

    def _under(self, gap: range) -> range:
        """The comments of the gap directly under the line before it."""
        blank = (index for index in gap if self._kinds[index] is _Kind.BLANK)
        return range(gap.start, next(blank, gap.stop))

    def _above(self, gap: range) -> range:
        """The comments of the gap directly above the line after it."""
        blank = (index for index in reversed(gap) if self._kinds[index] is _Kind.BLANK)
        return range(next(blank, gap.start - 1) + 1, gap.stop)

    def _prefixes(self, comments: Iterable[int]) -> tuple[str, ...]:
        return tuple(prefix for index in comments for prefix in _named(self._lines[index]))


def _blocks(starts: Sequence[int], end: int) -> dict[int, range]:
    """The stretches of lines that begin at these lines, each up to the next, by where they begin."""
    return {first: range(first, last) for first, last in pairwise((*starts, end))}


def _kind(line: str) -> _Kind:
    if not line.strip():
        return _Kind.BLANK
    if _COMMENT.match(line):
        return _Kind.COMMENT
    if _GAME.match(line):
        return _Kind.GAME
    if _MATCH.match(line):
        return _Kind.MATCH
    return _Kind.OTHER if _SAID.match(line) else _Kind.TITLE


def _words(lines: Sequence[str]) -> Iterator[Word]:
    """What each comment names, or would if it were a code.

    A single letter that follows a code may just as well begin the reason.
    """
    for number, line in enumerate(lines, start=1):
        comment = _IGNORE.match(line)
        if comment is not None:
            first, *others = _named(line) or comment.group(1).upper().split()[:1]
            yield Word(number, first)
            yield from (Word(number, text) for text in others if len(text) > 1)


def _named(line: str) -> tuple[str, ...]:
    """The prefixes that an ignore comment names; what follows the codes is a reason."""
    comment = _IGNORE.match(line)
    if comment is None:
        return ()
    words = re.split(r"[\s,]+", comment.group(1).strip())
    return tuple(word.upper() for word in takewhile(_CODE.fullmatch, words)) or (
        _EVERYTHING if words == [""] else ()
    )
