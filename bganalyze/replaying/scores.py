"""From game to game: which scores the next score line may show."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bganalyze.replaying.accounts import is_impossible
from bganalyze.replaying.facts import Ending, Fact
from bganalyze.replaying.state import Table
from bganalyze.replaying.terms import length_of
from bganalyze.replaying.worth import SIZES, allowed_points, resigned_points
from bganalyze.transcript.model import Game, Match, Side, other_side

Scores = set[tuple[int, int]]


def scores_before(game: Game, expected: Scores) -> Scores:
    """Return the scores that may hold before a game: as recorded, or as the games before say."""
    if game.score is None:
        return expected or {(0, 0)}
    if game.score.points in expected:
        return {game.score.points}
    return {game.score.points, *expected}


def next_scores(table: Table, ending: Ending, scores: Scores) -> Scores:
    """Return every score that the next score line may show.

    From each score that may have stood before: plus the points recorded, plus the points won on
    the board, and either capped at the match length.
    """
    following: Scores = set()
    for score in scores:
        for side, points in _gains_of_either(table, ending):
            whole = [*score]
            whole[side] += points
            following.add((whole[0], whole[1]))
            length = table.context.length
            if length and whole[side] > length:
                whole[side] = length
                following.add((whole[0], whole[1]))
    return following or scores


def _gains_of_either(table: Table, ending: Ending) -> set[tuple[Side, int]]:
    """The gains, for either side where the columns of the game are exchanged."""
    gains = set(_gains(table, ending))
    if table.exchanged:
        gains |= {(other_side(side), points) for side, points in gains}
    return gains


def _gains(table: Table, ending: Ending) -> Iterator[tuple[Side, int]]:
    """Yield who may have won how much; a result may be written for the wrong side, or twice."""
    winner = table.winner
    for result in (table.result, table.other_result):
        if result is not None:
            yield result.side, result.points
    if winner is None:
        return
    for points in (ending.recorded, resigned_points(table), table.loss):
        if points is not None:
            yield winner, points
    if table.loss is None and _is_unsure(table, winner):
        for size in SIZES:
            yield winner, table.cube.value * size


def _is_unsure(table: Table, winner: Side) -> bool:
    """Whether the points recorded are missing or cannot be."""
    result = table.result
    if result is None:
        return resigned_points(table) is None
    if is_impossible(result.points):
        return True
    return result.points not in allowed_points(table, winner)


def score_line_facts(match: Match, number: int, game: Game, expected: Scores) -> Iterator[Fact]:
    """Yield what the score line of game `number` says against the games before it."""
    score = game.score
    if score is None or not expected or score.points in expected:
        return
    if not _never_adds_up(match):
        about = {"score": score.points, "expected": only_score(expected)}
        yield Fact("score-mismatch", score.span, about, number)


def only_score(scores: Collection[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the score if only one is possible, else None.

    >>> only_score({(1, 0)}), only_score({(1, 0), (2, 0)})
    ((1, 0), None)
    """
    return next(iter(scores)) if len(scores) == 1 else None


def ends_match(match: Match, game: Game, expected: Scores) -> tuple[int, int] | None:
    """Return the score at which the match was over before `game`, or None."""
    length = length_of(match)
    if not length or not expected:
        return None
    scores = {game.score.points} if game.score is not None else expected
    if all(max(score) >= length for score in scores):
        return min(scores)
    return None


def _never_adds_up(match: Match) -> bool:
    """A money session in which every game starts at 0-0."""
    if match.length is None or match.length.points != 0:
        return False
    return all(game.score is None or game.score.points == (0, 0) for game in match.games)
