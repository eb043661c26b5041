"""Errors of a game and its copy: an error in both is reported once."""

from __future__ import annotations

from bganalyze.record.model import Result
from bganalyze.validation.replaying.replayed import GameReplay, MatchProblem

DEPENDING_ON_SCORE = frozenset(
    (
        *("crawford-double", "crawford-mismatch", "dead-cube"),
        *("wrong-points", "match-end-mark", "resignation-size"),
    )
)
"""Problems that depend on the score before a game; in a copy, a lost game may have set that score."""


def report_errors_once(
    original: GameReplay, copy: GameReplay
) -> tuple[GameReplay, GameReplay, list[MatchProblem]]:
    """Report errors that a game and its copy share only in the original, not in the copy.

    Return the original, the copy, and the shared errors. Errors that follow from different scores
    before the two games are removed.
    """
    had, has = (
        set(map(_make_shared_key, original.problems)),
        set(map(_make_shared_key, copy.problems)),
    )
    is_same_result = _list_written_results(original) == _list_written_results(copy)
    kept = [
        problem.with_consequences(
            other for other in copy.problems if _make_shared_key(other) == _make_shared_key(problem)
        )
        for problem in original.problems
        if _make_shared_key(problem) in has or not _is_due_to_score(problem, is_same_result)
    ]
    left = [
        problem
        for problem in copy.problems
        if _make_shared_key(problem) not in had and not _is_due_to_score(problem, is_same_result)
    ]
    counted = [problem for problem in copy.problems if _make_shared_key(problem) in had]
    return original._replace(problems=tuple(kept)), copy._replace(problems=tuple(left)), counted


def _make_shared_key(error: MatchProblem) -> tuple[object, ...]:
    """Return a key that is equal for the same error in a game and in the game's copy."""
    return error.rule, error.row, error.side


def _is_due_to_score(error: MatchProblem, is_same_result: bool) -> bool:
    """Whether an error in only one copy of a game comes from the score before that copy.

    `is_same_result` is true if both copies state the same result.
    """
    return error.rule in DEPENDING_ON_SCORE and (error.rule != "wrong-points" or is_same_result)


def _list_written_results(game: GameReplay) -> list[tuple[object, ...]]:
    """Return the winner and the points from each result line of a game."""
    return [(act.side, act.points) for act in game.game.actions if type(act) is Result]
