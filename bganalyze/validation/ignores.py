"""Ignore comments: `; bganalyze: ignore P409` in a transcript silences findings near it.

At the end of a row it silences that row; above a row (or any other line) that line; above the first
row of a game the whole game; above the first game of a match the whole match. Several codes or
prefixes may follow, and then a reason; `ignore` alone silences everything. This works in every
format that has comments: only the order of the record counts.
"""

# Annotations are values here, not text: see `record/model.py`.

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from functools import partial
from itertools import pairwise, takewhile
from typing import NamedTuple, TypeGuard

from bganalyze.record.model import REMARK, Action, Comment, Game, Match, Tag, Unread
from bganalyze.validation.findings import Finding

_EVERYTHING = ("",)
_IGNORE = r"[\s;#]*bganalyze:\s*ignore\b[\s:]*(.*)"
_REMARKS = frozenset((Comment, Unread))
_CODE = r"[A-Za-z]\d+|[A-Z]"


class Scope(Enum):
    """The scope of a comment, by its place."""

    ITS_LINE = auto()
    NEXT_LINE = auto()
    GAME = auto()
    MATCH = auto()


class Word(NamedTuple):
    """A word of an ignore comment in capitals, and its line."""

    line: int
    text: str
    scope: Scope


class Ignores(NamedTuple):
    """The ignore comments of one file."""

    by_line: Mapping[int, tuple[AbstractSet[str], ...]]
    """For each line the prefixes of codes to silence: those for the line, its game and its match."""
    words: tuple[Word, ...] = ()
    """The words that the comments give as prefixes of codes."""

    def silences(self, finding: Finding) -> bool:
        """Whether a comment silences the finding."""
        code = finding.code
        beginnings = [code[:length] for length in range(len(code) + 1)]
        silenced = self.by_line.get(finding.line, ())
        return any(not prefixes.isdisjoint(beginnings) for prefixes in silenced)

    def unknown(self, codes: Collection[str]) -> tuple[Word, ...]:
        """Return the words that match none of the codes, and so silence nothing."""
        return tuple(
            word for word in self.words if not any(code.startswith(word.text) for code in codes)
        )


class _Remark(NamedTuple):
    """One line of a comment, and the lines of the file to which it applies."""

    line: int
    text: str
    scope: Scope
    reach: range


def ignores(matches: Sequence[Match]) -> Ignores:
    """Return the ignore comments in the matches of a file."""
    if not any(map(_is_remarked, matches)):
        return Ignores({})
    silenced: dict[range, set[str]] = defaultdict(set)
    words: list[Word] = []
    for remark in _remarks(matches):
        if prefixes := _named(remark.text):
            silenced[remark.reach].update(prefixes)
        words += _words(remark)
    by_line: dict[int, tuple[AbstractSet[str], ...]] = defaultdict(tuple)
    for reach, codes in silenced.items():
        for line in reach:
            by_line[line] += (codes,)
    return Ignores(dict(by_line), tuple(words))


def _is_remarked(match: Match) -> bool:
    """Whether anything in a match may be an ignore comment: in one of fifty."""
    if any(tag.key == REMARK for tag in match.tags):
        return True
    return not all(_REMARKS.isdisjoint(map(type, game.actions)) for game in match.games)


def _remarks(matches: Sequence[Match]) -> Iterator[_Remark]:
    """Yield the comments of a file, each with its scope."""
    starts = [1, *map(_first_line, matches[1:]), len(matches[0].source.lines) + 1]
    reaches = [_lines(start, stop) for start, stop in pairwise(starts)]
    for match, reach, following in zip(matches, reaches, (*reaches[1:], range(0)), strict=True):
        for tag in match.tags:
            if tag.key == REMARK:
                yield from _each_line(tag, Scope.MATCH, reach)
        starts = [*(game.span.line for game in match.games), reach.stop]
        for index, game in enumerate(match.games, start=1):
            after = (Scope.NEXT_LINE, _lines(starts[index]))
            if index == len(match.games):
                after = (Scope.MATCH, following)
            yield from _of_game(game, _lines(starts[index - 1], starts[index]), after)


def _of_game(game: Game, whole: range, after: tuple[Scope, range]) -> Iterator[_Remark]:
    """Yield the comments of a game that fills the lines of `whole`; `after` is what follows it."""
    waiting: list[Comment | Unread] = []
    line = None
    for action in game.actions:
        if not _is_remark(action):
            reach = (Scope.NEXT_LINE, _lines(action.span.line))
            for comment in waiting:
                yield from _each_line(comment, *((Scope.GAME, whole) if line is None else reach))
            waiting, line = [], action.span.line
        elif line == action.span.line:
            yield from _each_line(action, Scope.ITS_LINE, _lines(line))
        else:
            waiting.append(action)
    for comment in waiting:
        yield from _each_line(comment, *((Scope.GAME, whole) if line is None else after))


def _each_line(comment: Comment | Unread | Tag, scope: Scope, reach: range) -> Iterator[_Remark]:
    text = comment.value if isinstance(comment, Tag) else comment.text
    return (_Remark(comment.span.line, line, scope, reach) for line in text.splitlines())


def _is_remark(action: Action) -> TypeGuard[Comment | Unread]:
    """Whether an action is a comment; in formats without comments, an unread line."""
    if isinstance(action, Unread):
        return re.match(_IGNORE, action.text) is not None
    return isinstance(action, Comment)


def _first_line(match: Match) -> int:
    """The line in which a match begins."""
    spans = [tag.span for tag in match.tags] + [game.span for game in match.games]
    if match.length is not None:
        spans.append(match.length.span)
    return min((span.line for span in spans), default=1)


def _lines(start: int, stop: int = 0) -> range:
    """The lines from one up to another; of a file that does not break its lines, at least that one."""
    return range(start, max(stop, start + 1))


def _words(remark: _Remark) -> Iterator[Word]:
    """Return the words of a comment that are codes, or might be meant as codes.

    A single letter that follows a code may just as well begin the reason.
    """
    comment = re.match(_IGNORE, remark.text)
    if comment is not None:
        first, *others = _named(remark.text) or comment.group(1).upper().split()[:1]
        yield Word(remark.line, first, remark.scope)
        yield from (Word(remark.line, text, remark.scope) for text in others if len(text) > 1)


def _named(text: str) -> tuple[str, ...]:
    """Return the prefixes in an ignore comment; what follows them is a reason."""
    comment = re.match(_IGNORE, text)
    if comment is None:
        return ()
    words = re.split(r"[\s,]+", comment.group(1).strip())
    return tuple(word.upper() for word in takewhile(partial(re.fullmatch, _CODE), words)) or (
        _EVERYTHING if words == [""] else ()
    )
