"""Points of a match under a remedy: a void double taken back, or a game played again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.board.cube import Class, class_of_loss, limit_points
from bganalyze.board.equities import MatchScore, chance_after
from bganalyze.board.position import OFF
from bganalyze.record.model import LEFT, RIGHT, Double, Resignation, Side, other_side
from bganalyze.validation.replaying.facts import GameReplay, Turn
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
from bganalyze.validation.replaying.rulings import add_points
from bganalyze.validation.replaying.terms import length_of

ADJUDGED = frozenset(("resigned-match", "forfeit", "time", "adjudicated"))
"""Ends whose points do not depend on the cube."""


class RescoredMatch(NamedTuple):
    """The points of a match under a remedy, by the columns of its first game."""

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
    """Return the win of a game as if a double and its answer did not count; None if that is unknown.

    It is unknown if the double was passed, if another double follows outside the Crawford game, or
    if a resignation may be for several sizes (plain, gammon, backgammon) with other points.
    """
    winner, kind, cube = game.ending.winner, game.ending.kind, double.cube
    if winner is None or kind == "pass":
        return None
    if not game.context.crawford and _is_doubled_after(game, double):
        return None
    if kind in ADJUDGED:
        return Win(winner, game.ending.recorded)
    length, score = game.context.terms.length, game.context.score[winner]
    needs_turn = bool(game.context.terms.jacoby) and game.context.terms.is_money
    sizes = [1] if needs_turn and cube.value == 1 else _sizes_of_win(game, winner, game.cube.value)
    if len({limit_points(cube.value * size, length, score) for size in sizes}) != 1:
        return None
    return Win(winner, cube.value * sizes[0])


def win_with_cube_at(game: GameReplay, right_value: int, played_value: int) -> Win | None:
    """Return the win of a game if its cube had ended at `right_value` instead of `played_value`.

    Return None if the match file does not show that win: nobody won, or the kind of win (plain,
    gammon, backgammon) is unknown.
    """
    winner, kind = game.ending.winner, game.ending.kind
    if winner is None:
        return None
    if kind in ADJUDGED:
        return Win(winner, game.ending.recorded)
    if kind == "pass":
        return Win(winner, right_value)
    length, score = game.context.terms.length, game.context.score[winner]
    points = [size * right_value for size in _sizes_of_win(game, winner, played_value)]
    if len({limit_points(each, length, score) for each in points}) != 1:
        return None
    return Win(winner, points[0])


def end_at_length(replayed: MatchReplay) -> RescoredMatch | None:
    """Return the final score and winner of a match as of the moment when a side reached the length.

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


def _sizes_of_win(game: GameReplay, winner: Side, value: int) -> list[int]:
    """Return the sizes that a win may have had: 1 (plain), 2 (gammon), 3 (backgammon).

    `value` is the cube value with which the game was played. If a resignation states only points, the
    sizes are those that give these points, in full or capped at the match length.
    """
    if not game.turns:
        return []
    loser = game.turns[-1].after[other_side(winner)]
    if game.ending.kind == "borne-off":
        return [class_of_loss(loser)]
    resigned = _last_resignation(game)
    if resigned is not None and resigned.size is not None:
        return [resigned.size]
    recorded = (resigned and resigned.points) or game.ending.recorded
    length, score = game.context.terms.length, game.context.score[winner]
    possible = [Class.SINGLE] if loser[OFF] else list(Class)
    return [
        size
        for size in possible
        if recorded in (size * value, limit_points(size * value, length, score))
    ]


def _last_resignation(game: GameReplay) -> Resignation | None:
    """Return the resignation that ended a game, or None."""
    actions = (turn.action for turn in reversed(game.turns))
    return next((each for each in actions if isinstance(each, Resignation)), None)


def rescore(replayed: MatchReplay, number: int, won: Win | None) -> RescoredMatch:
    """Return the score of a match if game `number` had ended with the win `won`.

    Later games count as recorded, but give their winner no more points than are then needed. None
    as `won` means that the game is played on or again, so that the score after it is unknown.
    """
    games = replayed.games_played
    outcomes = outcome_of(replayed).games
    index = [game.context.game for game in games].index(number)
    game = games[index]
    length = game.context.terms.length
    before = score_in_first_columns(replayed, game, game.context.score)
    if won is None:
        return RescoredMatch(None, None, None, None, chances=_winning_chances(game, before, None))
    won = win_in_first_columns(replayed, game, won)
    scores = [_score_after_game(replayed, game, won, before)]
    for each in games[index + 1 :]:
        if scores[-1] is None or match_winner(length, scores[-1]) is not None:
            break
        outcome = outcomes[each.context.game - 1]
        later = win_in_first_columns(
            replayed, each, _restore_capped_points(outcome.counting, outcome.cut)
        )
        scores.append(_score_after_game(replayed, each, later, scores[-1]))
    final = scores[-1]
    earlier = [
        score_in_first_columns(replayed, each, each.context.score) for each in games[: index + 1]
    ]
    return RescoredMatch(
        won,
        scores[0],
        final,
        None if final is None else match_winner(length, final),
        0 if final is None else len(games) - index - len(scores),
        _chances_after_given_points(game, before, scores[0])
        if game.given != (0, 0)
        else _winning_chances(game, before, won),
        _crawford_game(games, [*earlier, *scores], length),
        tuple(
            (each.context.game, score)
            for each, score in zip(games[index + 1 :], scores, strict=False)
            if score is None or match_winner(length, score) is None
        ),
    )


def _score_after_game(
    replayed: MatchReplay, game: GameReplay, won: Win | None, before: Score
) -> Score | None:
    """Return the score after a game: `before`, plus its win, plus the points that a director gave.

    Return None if the win is unknown. A game that a director has played again adds no win.
    """
    length = game.context.terms.length
    after = before if game.ending.kind == "replayed" else add_win(before, won, length)
    given = score_in_first_columns(replayed, game, game.given)
    return None if after is None else add_points(after, given, length)


def _crawford_game(
    games: Sequence[GameReplay], scores: Sequence[Score | None], length: int | None
) -> int | None:
    """Return the number of the first game that begins with a side one point short of the length, or None.

    `scores[i]` is the score before `games[i]`, in the order of play. `length` is the match length.
    Return None, too, if the match is played without the Crawford rule.
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
    """Return a win with all its points: `points_cut` were left out because the match needed no more.

    Return None if the win is None or its points are unknown.
    """
    return (
        None if won is None or won.points is None else won._replace(points=won.points + points_cut)
    )


def _chances_after_given_points(
    game: GameReplay, before: Score, after: Score | None
) -> tuple[float, float] | None:
    """Return each side's chance to win the match after a director gave points in a game without a win.

    `before` and `after` are the scores before the game and after it. Return None without a length,
    if the match was over, or if `after` is unknown.
    """
    length = game.context.terms.length
    if not length or max(before) >= length or after is None:
        return None
    was_crawford = game.context.crawford or length - 1 in before
    score = MatchScore(length, after, crawford=length - 1 in after and not was_crawford)
    left, right = (chance_after(score, side, winner=LEFT, points=0) for side in (LEFT, RIGHT))
    return None if left is None or right is None else (left, right)


def _winning_chances(
    game: GameReplay, before: Score, won: Win | None
) -> tuple[float, float] | None:
    """Return each side's chance to win the match after a game that ends with `won`.

    With None as `won`, it is the chance before the game, at the score `before`. Return None in
    money play, if the match was over, or if the points are unknown.
    """
    terms = game.context.terms
    if not terms.length or max(before) >= terms.length or (won and won.points is None):
        return None
    score = MatchScore(terms.length, before, game.context.crawford)
    side, points = (won.side, won.points or 0) if won else (LEFT, 0)
    left = chance_after(score, LEFT, winner=side, points=points)
    right = chance_after(score, RIGHT, winner=side, points=points)
    return None if left is None or right is None else (left, right)
