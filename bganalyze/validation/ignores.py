"""Ignore comments: `; bganalyze: ignore P409` in a transcript silences findings near it.

A comment at the end of a row silences findings in that row, and the finding that a turn is missing
after that row. Above a row or another line, it silences findings in that line; above the first row
of a game, in the whole game; above the first game of a match, in the whole match. Several codes or
prefixes may follow, then a reason; `ignore` alone silences everything. This works in every format
with comments: only the order of the record counts.
"""

# Annotations are values here, not text: see `record/model.py`.

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from functools import partial
from itertools import pairwise, takewhile
from typing import NamedTuple, TypeGuard

from bganalyze.record.model import (
    REMARK,
    Action,
    Answer,
    Comment,
    Double,
    Game,
    Length,
    Match,
    Play,
    Source,
    Tag,
    Unread,
)
from bganalyze.validation.findings import Finding

_EVERYTHING = ("",)
_IGNORE = r"[\s;#]*bganalyze:\s*ignore\b[\s:]*(.*)"
_MISTYPED = r"(?i)[\s;#]*bg\w{4,}\W{0,3}ignor|[\s;#]*ignor\w*\W{1,3}bgana"
"""The beginning of a comment that is probably meant as an ignore comment."""
TURN_ORDER = "T105"
"""The code of a missing turn, which is reported at the next turn of the same side."""
_REMARKS = frozenset((Comment, Unread))
_CODE = r"[A-Za-z]\d+|[A-Z]"


class Scope(Enum):
    """The lines for which a comment counts: its own line, the next line, the game or the match."""

    ITS_LINE = auto()
    NEXT_LINE = auto()
    GAME = auto()
    MATCH = auto()


class Word(NamedTuple):
    """A word of an ignore comment, in capitals, with its line."""

    line: int
    text: str
    scope: Scope


class Ignores(NamedTuple):
    """The ignore comments of one file."""

    by_row: Mapping[int, tuple[AbstractSet[str], ...]]
    """The code prefixes silenced in each row: one set for each comment that reaches the row. Rows
    are lines of the file or, if the text was cleaned before reading, of the cleaned text."""
    words: tuple[Word, ...] = ()
    """The words that the comments use as code prefixes."""
    mistyped: tuple[int, ...] = ()
    """The lines of comments that are probably meant to silence findings, but are mistyped."""
    source: Source | None = None
    """The file, which knows the row of each place; None without comments."""

    def prefixes_at(self, line: int, column: int) -> tuple[AbstractSet[str], ...]:
        """Return the code prefixes that comments silence at a place, one set per comment."""
        row = line if self.source is None else self.source.cleaned_line_at(line, column)
        return self.by_row.get(row, ())

    def silences(self, finding: Finding) -> bool:
        """Whether an ignore comment silences the finding."""
        code = finding.code
        beginnings = [code[:length] for length in range(len(code) + 1)]
        silenced = self.prefixes_at(finding.line, finding.column)
        return any(not prefixes.isdisjoint(beginnings) for prefixes in silenced)

    def leave_out_silenced(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings that no comment silences."""
        return [finding for finding in findings if not self.silences(finding)]

    def find_unknown_codes(self, codes: Collection[str]) -> tuple[Word, ...]:
        """Return the words of `ignore` comments that begin no rule code."""
        return tuple(
            word for word in self.words if not any(code.startswith(word.text) for code in codes)
        )


class _Remark(NamedTuple):
    """One line of a comment, and the rows to which it applies."""

    line: int
    text: str
    scope: Scope
    reach: range
    """The rows to which it applies."""


def find_ignores(matches: Sequence[Match]) -> Ignores:
    """Return the ignore comments in all matches of a file."""
    if not any(map(_may_hold_comments, matches)):
        return Ignores({})
    silenced: dict[range, set[str]] = defaultdict(set)
    words, mistyped = list[Word](), list[int]()
    lines_after = _map_lines_around_missing_turns(matches)
    for remark in _find_comments(matches):
        prefixes = _parse_ignore_comment(remark.text)
        if prefixes:
            silenced[remark.reach].update(prefixes)
        if remark.scope is Scope.ITS_LINE and any(map(TURN_ORDER.startswith, prefixes)):
            for line in lines_after.get(remark.reach.start, ()):
                silenced[_make_line_range(line)].add(TURN_ORDER)
        words += _find_codes(remark)
        if re.match(_MISTYPED, remark.text) and not re.match(_IGNORE, remark.text):
            mistyped.append(remark.line)
    by_row: dict[int, tuple[AbstractSet[str], ...]] = defaultdict(tuple)
    for reach, codes in silenced.items():
        for row in reach:
            by_row[row] += (codes,)
    return Ignores(dict(by_row), tuple(words), tuple(mistyped), matches[0].source)


def _map_lines_around_missing_turns(matches: Sequence[Match]) -> Mapping[int, Sequence[int]]:
    """Map the line before each missing turn to the lines after that turn."""
    lines: dict[int, list[int]] = defaultdict(list)
    for match in matches:
        for game in match.games:
            turns = (
                action for action in game.actions if isinstance(action, Play | Double | Answer)
            )
            for action, following in pairwise(turns):
                # The other side's turn between the two is missing.
                if action.side == following.side:
                    row, later = (
                        _find_line_of_part(one, match.source) for one in (action, following)
                    )
                    lines[row].append(later)
    return lines


def _may_hold_comments(match: Match) -> bool:
    """Whether a quick test finds that a match may have comments."""
    if any(tag.key == REMARK for tag in match.tags):
        return True
    return not all(_REMARKS.isdisjoint(map(type, game.actions)) for game in match.games)


def _find_comments(matches: Sequence[Match]) -> Iterator[_Remark]:
    """Yield the comments of a file, each with its scope (row, game, match)."""
    starts = [1, *map(_find_first_line, matches[1:]), matches[0].source.cleaned_line_count + 1]
    reaches = [_make_line_range(start, stop) for start, stop in pairwise(starts)]
    for match, reach, following in zip(matches, reaches, (*reaches[1:], range(0)), strict=True):
        for tag in match.tags:
            if tag.key == REMARK:
                yield from _split_comment(tag, Scope.MATCH, reach)
        starts = [*(_find_line_of_part(game, match.source) for game in match.games), reach.stop]
        for index, game in enumerate(match.games, start=1):
            after = (Scope.NEXT_LINE, _make_line_range(starts[index]))
            if index == len(match.games):
                after = (Scope.MATCH, following)
            whole = _make_line_range(starts[index - 1], starts[index])
            yield from _find_comments_of_game(game, match.source, whole, after)


def _find_comments_of_game(
    game: Game, source: Source, lines: range, at_end: tuple[Scope, range]
) -> Iterator[_Remark]:
    """Yield each comment of a game with its scope and the lines to which it applies.

    `lines` are the lines of the game. `at_end` gives the scope and lines for comments after the
    last action.
    """
    waiting: list[Comment | Unread] = []
    line = None
    for action in game.actions:
        row = _find_line_of_part(action, source)
        # Before the first action: the whole game. On the line of an action: that line. Between
        # actions: the next line.
        if not _is_comment(action):
            reach = (Scope.NEXT_LINE, _make_line_range(row))
            for comment in waiting:
                yield from _split_comment(
                    comment, *((Scope.GAME, lines) if line is None else reach)
                )
            waiting, line = [], row
        elif line == row:
            yield from _split_comment(action, Scope.ITS_LINE, _make_line_range(line))
        else:
            waiting.append(action)
    for comment in waiting:
        yield from _split_comment(comment, *((Scope.GAME, lines) if line is None else at_end))


def _split_comment(
    comment: Comment | Unread | Tag, scope: Scope, lines: range
) -> Iterator[_Remark]:
    """Yield each line of a comment with its `scope` and `lines`."""
    text = comment.value if isinstance(comment, Tag) else comment.text
    return (_Remark(comment.span.line, line, scope, lines) for line in text.splitlines())


def _is_comment(action: Action) -> TypeGuard[Comment | Unread]:
    """Whether an action is a comment, or unreadable text that begins like an `ignore` comment."""
    if isinstance(action, Unread):
        return re.match(_IGNORE, action.text) is not None
    return isinstance(action, Comment)


def _find_first_line(match: Match) -> int:
    """Return the number of the file's line where a match begins."""
    parts: list[Tag | Game | Length] = [*match.tags, *match.games]
    if match.length is not None:
        parts.append(match.length)
    return min((_find_line_of_part(part, match.source) for part in parts), default=1)


def _find_line_of_part(part: Action | Game | Tag | Length, source: Source) -> int:
    """Return the number of the file's line where a part of a match begins."""
    return source.cleaned_line_at(part.span.line, part.span.column)


def _make_line_range(start: int, stop: int = 0) -> range:
    """Return the line numbers from `start` up to, but without, `stop`; at least `start` itself."""
    return range(start, max(stop, start + 1))


def _find_codes(remark: _Remark) -> Iterator[Word]:
    """Yield the rule codes in a comment such as `ignore P4: reason`, including misspelled codes."""
    comment = re.match(_IGNORE, remark.text)
    if comment is not None:
        first, *others = _parse_ignore_comment(remark.text) or comment.group(1).upper().split()[:1]
        yield Word(remark.line, first, remark.scope)
        # A later word of one letter is no code.
        yield from (Word(remark.line, text, remark.scope) for text in others if len(text) > 1)


def _parse_ignore_comment(text: str) -> tuple[str, ...]:
    """Return the code prefixes that a comment silences, such as ("P4",) for `ignore P4: reason`."""
    comment = re.match(_IGNORE, text)
    if comment is None:
        return ()
    words = re.split(r"[\s,]+", comment.group(1).strip())
    return tuple(word.upper() for word in takewhile(partial(re.fullmatch, _CODE), words)) or (
        # A bare `ignore` silences all codes.
        _EVERYTHING if words == [""] else ()
    )
