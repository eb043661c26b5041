"""Phrases: write doubles, answers, results and header lines as the match file writes others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from bganalyze.record.model import (
    Action,
    Answer,
    Double,
    Game,
    Match,
    Result,
    ScoreLine,
    parse_number,
)

MATCH_TEXT = "mat"
"""Format whose usual phrases are known, if the match file has none to copy."""

_NUMBER = re.compile(r"[0-9]+")
_POINTS = re.compile(r"(?<=point)s\b", re.IGNORECASE)
_POINT = re.compile(r"\bpoint\b")
_LAST = re.compile(r"(?<!\s)\s+and the match", re.IGNORECASE)


def double_phrase(match: Match, value: int) -> str | None:
    """Return how the match file writes a double to `value`, such as `Doubled to 4`.

    If the file has no double, return the usual words if it is match text, else None.

    >>> from bganalyze.record.reader import read_bytes
    >>> [match] = read_bytes(b" 1) 31: 8/5 6/5     Doubled to 2", "a.mat")
    >>> double_phrase(match, 4)
    'Doubled to 4'
    """
    doubles = _yield_texts_of_actions(
        match, lambda action: type(action) is Double and action.kind == "double"
    )
    sample = next(doubles, "Doubles => 2" if match.format == MATCH_TEXT else None)
    return None if sample is None else _NUMBER.sub(str(value), sample, count=1)


def answer_phrase(match: Match, *, taken: bool) -> str | None:
    """Return how the match file writes a take (if `taken`) or a pass.

    If the file has none, return the usual words if it is match text, else None.
    """
    answers = _yield_texts_of_actions(
        match, lambda action: type(action) is Answer and action.taken is taken
    )
    usual = "Takes" if taken else "Drops"
    return next(answers, usual if match.format == MATCH_TEXT else None)


def result_phrase(match: Match, points: int) -> str | None:
    """Return how the match file writes a win of `points`, such as `Wins 2 points`.

    If the file has no result, return the usual words if it is match text, else None.
    """
    results = [action for action in _yield_actions(match.games) if type(action) is Result]
    if not results:
        plural = "" if points == 1 else "s"
        return f"Wins {points} point{plural}" if match.format == MATCH_TEXT else None
    alike = (result for result in results if (result.points == 1) is (points == 1))
    sample = next(alike, None)
    text = _LAST.sub("", match.source.text_at((sample or results[0]).span))
    text = replace_points(text, (sample or results[0]).points, points)
    return text if sample is not None or points == 1 else _POINT.sub("points", text)


def replace_points(text: str, old: int, new: int) -> str:
    """Return a result's text with `new` points instead of `old`.

    >>> replace_points("Wins 2 points", 2, 1)
    'Wins 1 point'
    """
    text = replace_number(text, old, new) or text
    return _POINTS.sub("", text) if new == 1 else text


def replace_number(text: str, old: int, new: int) -> str | None:
    """Return a text with the last number `old` in it changed to `new`.

    If the text does not have this number, return None.

    >>> replace_number("Game 3", 3, 4), replace_number("Game 13", 3, 4)
    ('Game 4', None)
    """
    places = [number for number in _NUMBER.finditer(text) if parse_number(number.group()) == old]
    if not places:
        return None
    # A name earlier in the text may hold the same number.
    start, end = places[-1].span()
    return text[:start] + str(new) + text[end:]


def rewrite_score_line(lines: Sequence[str], score: ScoreLine, points: tuple[int, int]) -> str:
    """Return a score line with other `points`; the right player's text stays in its column.

    `lines` are all lines of the file.
    """
    line = lines[score.span.line - 1]
    written = [line[span.column - 1 : span.end_column - 1] for span in score.spans]
    texts = [
        replace_number(text, old, new) or text
        for text, old, new in zip(written, score.points, points, strict=True)
    ]
    places = [(span.column - 1, span.end_column - 1) for span in score.spans]
    (one, first), (two, second) = sorted(zip(places, texts, strict=True))
    return _replace_places(line, (one, two), (first, second))


def replace_names(line: str, score: ScoreLine, names: tuple[str, str]) -> str | None:
    """Return a score line with other names, or None if it lacks the names in `score`."""
    left_at = line.find(score.names[0])
    right_at = line.find(score.names[1], score.spans[0].end_column - 1)
    if left_at < 0 or right_at < 0:
        return None
    places = [
        (at, at + len(name)) for at, name in zip((left_at, right_at), score.names, strict=True)
    ]
    return _replace_places(line, places, names)


def _replace_places(line: str, places: Sequence[tuple[int, int]], texts: Sequence[str]) -> str:
    """Return a line with the texts at two `places` (start and end) replaced by `texts`.

    The second text keeps its column if there is room.

    >>> _replace_places("12   :  0", [(0, 2), (8, 9)], ["7", "3"])
    '7    :  3'
    """
    (left, left_end), (right, right_end) = places
    between = line[left_end:right]
    gap = re.search(r" {2,}", between)
    if gap is not None:
        narrower = (left_end - left) - len(texts[0])
        width = max(len(gap.group()) + narrower, 1)
        between = between[: gap.start()] + " " * width + between[gap.end() :]
    return line[:left] + texts[0] + between + texts[1] + line[right_end:]


def count_blank_lines_above_games(lines: Sequence[str], games: Sequence[Game]) -> int:
    """Return the smallest number of blank lines above a numbered game, the first game aside.

    Without such games, the result is 1.
    """
    counts = [
        _count_blank_lines_above(lines, game.span.line)
        for _, game in pairwise(games)
        if game.number is not None
    ]
    return min(counts, default=1)


def _count_blank_lines_above(lines: Sequence[str], line: int) -> int:
    """Return the number of blank lines above a line."""
    count = 0
    while count < line - 1 and not lines[line - 2 - count].strip():
        count += 1
    return count


def _yield_texts_of_actions(match: Match, is_alike: Callable[[Action], bool]) -> Iterator[str]:
    """Yield the text of each action of a match for which `is_alike` is true."""
    return (
        match.source.text_at(action.span)
        for action in _yield_actions(match.games)
        if is_alike(action)
    )


def _yield_actions(games: Iterable[Game]) -> Iterator[Action]:
    """Yield the actions of all games."""
    return (action for game in games for action in game.actions)
