"""Points of a match under a remedy: a void double taken back, or a game played again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.board.cube import Class, classify_loss, limit_points
from bganalyze.board.equities import MatchScore, compute_chance_after
from bganalyze.board.position import OFF
from bganalyze.record.model import LEFT, RIGHT, Double, Resignation, Side, other_side
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import (
    Score,
    Win,
    add_win,
    match_winner,
    outcome_of,
    score_in_first_columns,
    win_in_first_columns,
)
from bganalyze.validation.replaying.replayed import GameReplay, Turn
from bganalyze.validation.replaying.rulings import add_points
from bganalyze.validation.replaying.terms import length_of

ADJUDGED = frozenset(("resigned-match", "forfeit", "time", "adjudicated"))
"""Ends whose points do not depend on the cube."""


class RescoredMatch(NamedTuple):
    """The points of a match under a remedy, with left and right as in its first game."""

    won: Win | None
    """The win of the game in question; None if the game has to be played on or again."""
    after: Score | None
    """The score after the game; None while it is open."""
    final: Score | None
    """The score after the later games as recorded; None while the game is open."""
    winner: Side | None
    """The winner of the match, or None."""
    unneeded: int = 0
    """Number of later games that were played although the match was over."""
    chances: tuple[float, float] | None = None
    """The chance of each side to win the match after the game, or before it if it is played again;
    None in money play and outside the match equity table."""
    crawford_game: int | None = None
    """The number of the Crawford game by these scores; None if there is none, or if they are open."""
    later: tuple[tuple[int, Score | None], ...] = ()
    """The later games up to the end of the match, each with its number and the score before it."""


def win_without_double(game: GameReplay, double: Turn) -> Win | None:
    """Return the win that a game would have had without a double and its answer, or None."""
    winner, kind, cube = game.ending.winner, game.ending.kind, double.cube
    if winner is None or kind == "pass":
        return None
    if not game.context.crawford and _is_doubled_after(game, double):
        return None
    if kind in ADJUDGED:
        return Win(winner, game.ending.recorded)
    length, score = game.context.terms.length, game.context.score[winner]
    needs_turn = bool(game.context.terms.jacoby) and game.context.terms.is_money
    sizes = (
        [1] if needs_turn and cube.value == 1 else _find_sizes_of_win(game, winner, game.cube.value)
    )
    if len({limit_points(cube.value * size, length, score) for size in sizes}) != 1:
        return None
    return Win(winner, cube.value * sizes[0])


def win_with_cube_at(game: GameReplay, correct_value: int, played_value: int) -> Win | None:
    """Return the win that a game would have had with the cube at `correct_value`, or None.

    `played_value` is the cube value for which the players counted the points.
    """
    winner, kind = game.ending.winner, game.ending.kind
    if winner is None:
        return None
    if kind in ADJUDGED:
        return Win(winner, game.ending.recorded)
    if kind == "pass":
        return Win(winner, correct_value)
    length, score = game.context.terms.length, game.context.score[winner]
    points = [size * correct_value for size in _find_sizes_of_win(game, winner, played_value)]
    if len({limit_points(each, length, score) for each in points}) != 1:
        return None
    return Win(winner, points[0])


def end_at_length(replayed: MatchReplay) -> RescoredMatch | None:
    """Return the result of a match as it was when a side reached the match length.

    Return None if no game was played after that.
    """
    games, length = replayed.games_played, length_of(replayed.match)
    for index, game in enumerate(games):
        score = game.context.score
        if length and max(score) >= length:
            final = score_in_first_columns(replayed, game, score)
            winner = match_winner(length, final)
            return RescoredMatch(None, final, final, winner, len(games) - index)
    return None


def _is_doubled_after(game: GameReplay, double: Turn) -> bool:
    """Whether another double follows `double` in the game."""
    later = iter(game.turns)
    return double in later and any(isinstance(turn.action, Double) for turn in later)


def _find_sizes_of_win(game: GameReplay, winner: Side, cube_value: int) -> list[int]:
    """Return the possible sizes of a win: 1 (single game), 2 (gammon), 3 (backgammon)."""
    if not game.turns:
        return []
    loser = game.turns[-1].after[other_side(winner)]
    if game.ending.kind == "borne-off":
        return [classify_loss(loser)]
    resigned = _find_last_resignation(game)
    if resigned is not None and resigned.size is not None:
        return [resigned.size]
    recorded = (resigned and resigned.points) or game.ending.recorded
    length, score = game.context.terms.length, game.context.score[winner]
    possible = [Class.SINGLE] if loser[OFF] else list(Class)
    # Sizes that give the recorded points, in full or capped.
    return [
        size
        for size in possible
        if recorded in (size * cube_value, limit_points(size * cube_value, length, score))
    ]


def _find_last_resignation(game: GameReplay) -> Resignation | None:
    """Return the last resignation of a game, or None."""
    actions = (turn.action for turn in reversed(game.turns))
    return next((each for each in actions if isinstance(each, Resignation)), None)


def rescore_from_next_score(replayed: MatchReplay, number: int) -> RescoredMatch | None:
    """Return the points of a match, counted from the score line after game `number`.

    The win of this game is left open. Return None if no score line follows the game.
    """
    following = next((game for game in replayed.games_played if game.context.game > number), None)
    line = None if following is None else following.game.score
    if following is None or line is None:
        return None
    after = score_in_first_columns(replayed, following, line.points)
    next_number = following.context.game
    outcome = outcome_of(replayed).games[next_number - 1]
    won = _restore_capped_points(outcome.counting, outcome.cut)
    later = rescore(replayed, next_number, won, after)
    return later._replace(won=None, after=after, later=((next_number, after), *later.later))


def rescore(
    replayed: MatchReplay, number: int, won: Win | None, start: Score | None = None
) -> RescoredMatch:
    """Return the points of a match if game `number` had ended with the win `won`.

    If `won` is None, the score after the game is unknown. `start` replaces the score before the
    game.
    """
    games = replayed.games_played
    outcomes = outcome_of(replayed).games
    index = [game.context.game for game in games].index(number)
    game = games[index]
    length = game.context.terms.length
    before = start or score_in_first_columns(replayed, game, game.context.score)
    if won is None:
        return RescoredMatch(
            None, None, None, None, chances=_find_winning_chances(game, before, None)
        )
    won = win_in_first_columns(replayed, game, won)
    scores = [_find_score_after_game(replayed, game, won, before)]
    for each in games[index + 1 :]:
        if scores[-1] is None or match_winner(length, scores[-1]) is not None:
            break
        outcome = outcomes[each.context.game - 1]
        later = win_in_first_columns(
            replayed, each, _restore_capped_points(outcome.counting, outcome.cut)
        )
        scores.append(_find_score_after_game(replayed, each, later, scores[-1]))
    final = scores[-1]
    earlier = [score_in_first_columns(replayed, each, each.context.score) for each in games[:index]]
    return RescoredMatch(
        won,
        scores[0],
        final,
        None if final is None else match_winner(length, final),
        0 if final is None else len(games) - index - len(scores),
        None if start else _find_chances_after_win(game, before, won, scores[0]),
        _find_crawford_game(games, [*earlier, before, *scores], length),
        tuple(
            (each.context.game, score)
            for each, score in zip(games[index + 1 :], scores, strict=False)
            if score is None or match_winner(length, score) is None
        ),
    )


def _find_chances_after_win(
    game: GameReplay, before: Score, won: Win | None, after: Score | None
) -> tuple[float, float] | None:
    """Return both sides' chances to win the match after the win `won` of a game, or None.

    The chances are unknown in money play, for example. `before` and `after` are the scores around
    the game.
    """
    if game.given != (0, 0):
        return _find_chances_after_given_points(game, before, after)
    return _find_winning_chances(game, before, won)


def _find_score_after_game(
    replayed: MatchReplay, game: GameReplay, won: Win | None, before: Score
) -> Score | None:
    """Return the score after a game that began at the score `before`, or None if unknown."""
    length = game.context.terms.length
    # A game to be played again adds no win.
    after = before if game.ending.kind == "replayed" else add_win(before, won, length)
    given = score_in_first_columns(replayed, game, game.given)
    return None if after is None else add_points(after, given, length)


def _find_crawford_game(
    games: Sequence[GameReplay], scores: Sequence[Score | None], length: int | None
) -> int | None:
    """Return the number of the first game that a side begins one point short of the match, or None.

    `scores` are the scores before the games.
    """
    if not length or not games[0].context.terms.crawford:
        return None
    reached = (
        game.context.game
        for game, score in zip(games, scores, strict=False)
        if score is not None and max(score) == length - 1
    )
    return next(reached, None)


def _restore_capped_points(won: Win | None, points_cut: int) -> Win | None:
    """Return a win with the points that exceeded the match length added again.

    Return None if the points are unknown.
    """
    return (
        None if won is None or won.points is None else won._replace(points=won.points + points_cut)
    )


def _find_chances_after_given_points(
    game: GameReplay, before: Score, after: Score | None
) -> tuple[float, float] | None:
    """Return both sides' chances to win the match after a director gave points in a game, or None.

    The chances are unknown in money play, for example. `before` and `after` are the scores around
    the game.
    """
    length = game.context.terms.length
    if not length or max(before) >= length or after is None:
        return None
    was_crawford = game.context.crawford or length - 1 in before
    score = MatchScore(length, after, crawford=length - 1 in after and not was_crawford)
    left, right = (
        compute_chance_after(score, side, winner=LEFT, points=0) for side in (LEFT, RIGHT)
    )
    return None if left is None or right is None else (left, right)


def _find_winning_chances(
    game: GameReplay, before: Score, won: Win | None
) -> tuple[float, float] | None:
    """Return both sides' chances to win the match after the win `won`, or at the score `before`.

    The result is None if the chances are unknown, as in money play.
    """
    terms = game.context.terms
    if not terms.length or max(before) >= terms.length or (won and won.points is None):
        return None
    score = MatchScore(terms.length, before, game.context.crawford)
    # With None as the win, before the game.
    side, points = (won.side, won.points or 0) if won else (LEFT, 0)
    left = compute_chance_after(score, LEFT, winner=side, points=points)
    right = compute_chance_after(score, RIGHT, winner=side, points=points)
    return None if left is None or right is None else (left, right)
