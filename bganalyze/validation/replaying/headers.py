"""Lines above the rows of a game, and files whose first lines are cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bganalyze.record.model import MOST_DIGITS, Game, Match, Play, Result, Span, Unread
from bganalyze.validation.replaying.faults import BOARD_FAULTS
from bganalyze.validation.replaying.replayed import MatchProblem, count_with_consequences

DEPENDING_ON_ROWS_BEFORE = BOARD_FAULTS | {
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
"""Problems that depend on the board and the cube before the first row."""

DEPENDING_ON_ACTION_BEFORE = frozenset(
    ("turn-order", "answer-without-double", "double-out-of-turn", "opening-double")
)
"""Problems about an action that depend on the action before it."""

CUT_OFF = ("game line", "score line")
"""Lines that are missing when the first rows of the first game are missing."""

EARLY = 8
"""A wrong start shows within this many plays."""

FEWEST_UNFOUNDED = 2
"""Minimum problems, one of them early, that show a wrong start. A single problem after the first play may
be an error in a game that lacks only its header."""


def row_number(label: str | None) -> int | None:
    """Return a row label as a number, or None if it is not a number.

    >>> row_number("16"), row_number("a")
    (16, None)
    """
    if label is None or not label.isdecimal() or len(label) > MOST_DIGITS:
        return None
    return int(label)


def missing_lines(match: Match) -> Iterator[tuple[int, list[str]]]:
    """Yield each game number with the header lines that this game lacks and other games have.

    The lines are named `game line` and `score line`.
    """
    is_numbered = _are_mostly_true(game.number is not None for game in match.games)
    is_scored = _are_mostly_true(game.score is not None for game in match.games)
    for number, game in enumerate(match.games, start=1):
        lines = []
        if game.number is None and (is_numbered or (number > 1 and game.score is None)):
            lines.append("game line")
        if game.score is None and (is_scored or (number > 1 and game.number is None)):
            lines.append("score line")
        if lines and not _has_unreadable_text_above(match, number):
            yield number, lines


def first_row_after_lost_beginning(match: Match) -> int | None:
    """Return the number of the first row if the beginning of the file is cut off, else None."""
    game = match.games[0] if match.games else None
    if game is None or game.score is not None or game.number is not None or not game.actions:
        return None
    row = row_number(game.actions[0].row)
    return row if row is not None and row > 1 and match.number == 1 else None


def is_cut_off(match: Match, problems: Sequence[MatchProblem]) -> bool:
    """Whether a file starts in the middle of its first game, because its beginning is missing.

    `problems` are the problems of the first game.
    """
    if first_row_after_lost_beginning(match) is not None:
        return True
    if not match.games or match.number > 1 or not any(n == 1 for n, _ in missing_lines(match)):
        return False
    game = match.games[0]
    if game.score is not None or not game.actions or _has_written_row_number(match, game):
        return False
    unfounded = select_errors_explained_by_missing_rows(problems, game.actions[0].span)
    plays = [action.span for action in game.actions if type(action) is Play][:EARLY]
    is_early = any(problem.span <= span for problem in unfounded for span in plays[-1:])
    is_at_once = any(problem.span.line == game.actions[0].span.line for problem in unfounded)
    return is_at_once or (is_early and count_with_consequences(unfounded) >= FEWEST_UNFOUNDED)


def _has_written_row_number(match: Match, game: Game) -> bool:
    """Whether the file itself numbers the first row of a game."""
    # The reader counts rows that have no number.
    line, label = match.source.lines[game.actions[0].span.line - 1], game.actions[0].row
    return label is not None and line.lstrip().startswith((f"{label})", f"{label}.", f"{label}:"))


def score_before_lost_beginning(match: Match) -> tuple[int, int] | None:
    """Return the score before the first game of a file without its beginning, or None.

    The score is the next score line minus the points of the first game.
    """
    if len(match.games) < 2 or match.games[1].score is None:
        return None
    results = [action for action in match.games[0].actions if type(action) is Result]
    if len(results) != 1:
        return None
    points = list(match.games[1].score.points)
    points[results[0].side] -= results[0].points
    return (points[0], points[1]) if min(points) >= 0 else None


def select_errors_explained_by_missing_rows(
    problems: Iterable[MatchProblem], first: Span
) -> list[MatchProblem]:
    """Return the problems of a game that exist only because rows at its beginning are missing.

    `first` is the place of the first action.
    """
    return [
        problem
        for problem in problems
        if problem.rule in DEPENDING_ON_ROWS_BEFORE
        or (problem.span == first and problem.rule in DEPENDING_ON_ACTION_BEFORE)
    ]


def _are_mostly_true(flags: Iterable[bool]) -> bool:
    """Whether at least half of the flags are true, and there is at least one flag."""
    flags = list(flags)
    return 2 * sum(flags) >= len(flags) > 0


def _has_unreadable_text_above(match: Match, number: int) -> bool:
    """Whether unreadable text is just before game `number`, or between its header and its rows."""
    actions = match.games[number - 1].actions
    before: Game | None = match.games[number - 2] if number > 1 else None
    near = (*actions[:1], *(before.actions[-1:] if before else ()))
    return any(type(action) is Unread and action.side is None for action in near)
