"""The scores that may come next: what a game may have been worth, and the scores that follow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Game,
    Side,
    other_side,
)
from bganalyze.validation.replaying.ending import (
    SIZES,
    allowed_points,
    are_points_impossible,
    may_gammon_count_once,
    resigned_points,
)
from bganalyze.validation.replaying.one_sided import find_missing_side
from bganalyze.validation.replaying.replayed import (
    Ending,
    MatchProblem,
)
from bganalyze.validation.replaying.state import GameState

Scores = set[tuple[int, int]]

Gain = tuple[Side, int]
"""A possible winner and the points won."""

NIL = (0, 0)

ANY_GAIN = frozenset(
    (side, cube * size) for side in (LEFT, RIGHT) for cube in (1, 2, 4, 8, 16) for size in SIZES
)
"""Possible gains of a game whose result and cube are unknown."""

MOST_SCORES = 200
"""If more scores than this are possible, the score is unknown until the next score line."""


def scores_before(game: Game, expected: Scores) -> Scores:
    """Return the possible scores before a game.

    They are the written score and, if that score is not among `expected`, the expected scores.
    Without a written score, they are the expected scores, or 0-0 if no score is expected.
    """
    if game.score is None:
        return expected or {NIL}
    if game.score.points in expected:
        return {game.score.points}
    return {game.score.points, *expected}


def next_scores(gains: Iterable[Gain], length: int | None, scores: Scores) -> Scores:
    """Return the possible scores after a game that began at one of `scores`.

    `gains` are the possible wins of that game. If more than `MOST_SCORES` scores are possible, the
    result is empty, and any score is allowed.
    """
    following: Scores = set()
    for left, right in scores:
        for side, points in gains:
            won = (left + points, right) if side == LEFT else (left, right + points)
            following.add(won)
            if length and won[side] > length:
                following.add((length, right) if side == LEFT else (left, length))
    if len(following) > MOST_SCORES:
        return set()
    return following or scores


def possible_wins_of(state: GameState, ending: Ending) -> set[Gain]:
    """Return the wins (winner, points) that the result line, a resignation or the board allows."""
    if ending.kind == "replayed":
        return set()
    gains = set(_yield_possible_gains(state, ending))
    if not gains and find_missing_side(state.game.actions) is not None:
        return set(ANY_GAIN)
    if state.is_swapped:
        gains |= {(other_side(side), points) for side, points in gains}
    if state.context.terms.is_money and state.context.cube > 1:
        gains |= set(_divide_by_starting_cube(gains, state.context.cube))
    return gains


def _divide_by_starting_cube(gains: Iterable[Gain], starting_cube: int) -> Iterator[Gain]:
    """Yield the possible wins with their points divided by `starting_cube`, if that leaves no rest."""
    # GNU Backgammon adds up scores like that (12 of 12 games with automatic doubles, version
    # 1.07.001).
    for side, points in gains:
        if points % starting_cube == 0:
            yield side, points // starting_cube


def _yield_possible_gains(state: GameState, ending: Ending) -> Iterator[Gain]:
    """Yield each possible win of a game as the winner and the points."""
    winner = state.end.winner
    # A result may name the wrong side, or be written twice.
    for result in (state.end.result, state.end.other_result):
        if result is not None:
            yield result.side, result.points
    if winner is None:
        return
    for points in (ending.recorded, resigned_points(state), state.end.loss):
        if points is not None:
            yield winner, points
    if may_gammon_count_once(state.context.terms, state.cube.now):
        yield winner, state.cube.now.value
    if state.end.loss is None and _has_unsure_points(state, winner):
        for size in SIZES:
            yield winner, state.cube.now.value * size


def _has_unsure_points(state: GameState, winner: Side) -> bool:
    """Whether the recorded points of a win are missing or impossible."""
    result = state.end.result
    if result is None:
        return resigned_points(state) is None
    if are_points_impossible(result.points):
        return True
    return result.points not in allowed_points(state, winner)


def score_line_problems(number: int, game: Game, expected: Scores) -> Iterator[MatchProblem]:
    """Yield a problem if a game's score line states none of the `expected` scores."""
    score = game.score
    if score is None or not expected or score.points in expected:
        return
    about = {"score": score.points, "expected": only_score(expected)}
    yield MatchProblem("score-mismatch", score.span, about, number)


def only_score(scores: Collection[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the single score in `scores`, or None if there are several or none.

    >>> only_score({(1, 0)}), only_score({(1, 0), (2, 0)})
    ((1, 0), None)
    """
    return next(iter(scores)) if len(scores) == 1 else None
