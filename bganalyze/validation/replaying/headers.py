"""Lines that stand above the rows of a game, and a file whose first lines are cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.record.model import MOST_DIGITS, Game, Match, Span, Unread
from bganalyze.validation.replaying.facts import Fact
from bganalyze.validation.replaying.faults import BOARD_FAULTS

TOLD_BY_ROWS_BEFORE = BOARD_FAULTS | {
    "hit-not-executed",
    "false-hit-mark",
    "blocked-route",
    "ambiguous-route",
    "not-owner",
    "wrong-value",
    "wrong-points",
    "jacoby-gammon",
    "resignation-size",
}
"""Facts about a row that the board and the cube before the first row decide."""

TOLD_BY_ACTION_BEFORE = frozenset(("turn-order", "answer-without-double", "double-out-of-turn"))
"""Facts about an action that the one before it decides."""

CUT_OFF = ("game line", "score line")
"""The lines of the first game that are missing where its first rows are."""


def row_number(label: str | None) -> int | None:
    """Return the number that a row is labeled with; None where that is no number.

    >>> row_number("16"), row_number("a")
    (16, None)
    """
    if label is None or not label.isdecimal() or len(label) > MOST_DIGITS:
        return None
    return int(label)


def missing_lines(match: Match) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each game that lacks lines which the other games have, and these lines.

    A line that nobody could read is reported as such, and not also missing.
    """
    is_numbered = _has_most(game.number is not None for game in match.games)
    is_scored = _has_most(game.score is not None for game in match.games)
    for number, game in enumerate(match.games, start=1):
        lines = []
        if game.number is None and (is_numbered or (number > 1 and game.score is None)):
            lines.append("game line")
        if game.score is None and (is_scored or (number > 1 and game.number is None)):
            lines.append("score line")
        if lines and not _is_unread_above(match, number):
            yield number, lines


def row_after_cut(match: Match) -> int | None:
    """Return the number of the first row of a file whose beginning is cut off; None of another file.

    Its first game has no score line, and its rows are not numbered from 1.
    """
    game = match.games[0] if match.games else None
    if game is None or game.score is not None or game.number is not None or not game.actions:
        return None
    row = row_number(game.actions[0].row)
    return row if row is not None and row > 1 and match.number == 1 else None


def list_unfounded(facts: Iterable[Fact], first: Span) -> list[Fact]:
    """Return the facts about a game that hold only if it began with its first action, at a place."""
    return [
        fact
        for fact in facts
        if fact.rule in TOLD_BY_ROWS_BEFORE
        or (fact.span == first and fact.rule in TOLD_BY_ACTION_BEFORE)
    ]


def _has_most(marks: Iterable[bool]) -> bool:
    """Whether at least half of the games have a line, so that the rest have lost it."""
    marks = list(marks)
    return 2 * sum(marks) >= len(marks) > 0


def _is_unread_above(match: Match, number: int) -> bool:
    """Whether text that could not be read stands above a game, or between its header and rows."""
    actions = match.games[number - 1].actions
    before: Game | None = match.games[number - 2] if number > 1 else None
    near = (*actions[:1], *(before.actions[-1:] if before else ()))
    return any(type(action) is Unread and action.side is None for action in near)
