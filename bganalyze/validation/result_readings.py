"""Readings of a disputed result: what else in the match file contradicts each, as counted problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.record.model import Double, Result, other_side
from bganalyze.text import number_of
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import (
    GameOutcome,
    Score,
    Win,
    score_in_first_columns,
)
from bganalyze.validation.replaying.replayed import GameReplay, Turn
from bganalyze.validation.rescoring import RescoredMatch


def find_contradictions(
    replayed: MatchReplay,
    number: int,
    outcome: GameOutcome,
    result: Win | None,
    rescored: Sequence[RescoredMatch],
) -> Iterator[str]:
    """Yield, in words, each place in the file that contradicts the `result` of game `number`.

    `outcome` has the results recorded for the game. `rescored` has the points of the match by
    `result`, then by each other possible result.
    """
    this, *others = rescored
    game = replayed.games[number - 1]
    if outcome.by_board is not None and outcome.by_board != result:
        yield _describe_end(replayed, game, outcome.by_board)
    if outcome.recorded is not None and outcome.recorded != result:
        yield from _describe_result_line(game)
    for other in others:
        yield from _describe_later_scores(replayed, this, other)
    yield from _describe_crawford_double(replayed, this)
    if this.unneeded and this.final is not None:
        first = replayed.games_played[-this.unneeded]
        over = _write_score(this.final)
        yield (
            f"game {first.context.game} was played (line {first.game.span.line}), but the match "
            f"would have been over at {over}"
        )


def _describe_end(replayed: MatchReplay, game: GameReplay, won: Win) -> str:
    """Return how the plays end a game, such as `Bob passes, for 2 points (line 41)`."""
    names = game.game.names_or(replayed.match.names)
    winner, loser = names[won.side], names[other_side(won.side)]
    end = {
        "borne-off": f"the last checker of {winner} is borne off",
        "pass": f"{loser} passes",
        "resigned": f"{loser} resigns",
    }.get(game.ending.kind, f"{winner} wins by the plays")
    points = "" if won.points is None else f", for {number_of(won.points, 'point')}"
    last = _find_last_turn(game)
    return end + points + ("" if last is None else f" (line {last.action.span.line})")


def _find_last_turn(game: GameReplay) -> Turn | None:
    """Return the last turn of a game that is no result and no comment, or None."""
    acting = (
        turn
        for turn in reversed(game.turns)
        if not isinstance(turn.action, Result) and getattr(turn.action, "side", None) is not None
    )
    return next(acting, None)


def _describe_result_line(game: GameReplay) -> Iterator[str]:
    """Yield a text such as `the result is written otherwise (line 12)`.

    It names the line of the game's first result.
    """
    for turn in game.turns:
        if isinstance(turn.action, Result):
            yield f"the result is written otherwise (line {turn.action.span.line})"
            return


def _describe_later_scores(
    replayed: MatchReplay, this: RescoredMatch, other: RescoredMatch
) -> Iterator[str]:
    """Yield a text such as `2 later score lines continue from 3 – 2 (from line 41 on)`.

    The score lines meant are those that fit the points in `other`, but contradict those in `this`.
    """
    if other.after is None or other.after == this.after:
        return
    mine = dict(this.later)
    lines = [
        game.game.score.span.line
        for number, score in other.later
        if (game := replayed.games[number - 1]).game.score is not None
        and score == _find_written_score(replayed, game) != mine.get(number)
    ]
    if lines:
        verb = "continues" if len(lines) == 1 else "continue"
        counted = number_of(len(lines), "later score line")
        yield f"{counted} {verb} from {_write_score(other.after)} (from line {lines[0]} on)"


def _find_written_score(replayed: MatchReplay, game: GameReplay) -> Score | None:
    """Return the score line of a game, swapped if players changed columns since the first game."""
    line = game.game.score
    return None if line is None else score_in_first_columns(replayed, game, line.points)


def _describe_crawford_double(replayed: MatchReplay, this: RescoredMatch) -> Iterator[str]:
    """Yield, in words, that a double was made in the game that would be the Crawford game.

    `this` has the match's points, from which that game follows.
    """
    if this.crawford_game is None or this.crawford_game not in dict(this.later):
        return
    for turn in replayed.games[this.crawford_game - 1].turns:
        if isinstance(turn.action, Double):
            line = turn.action.span.line
            yield f"game {this.crawford_game} would be the Crawford game, but has a double (line {line})"
            return


def _write_score(score: Score) -> str:
    """Return a score as text, with spaces and a dash.

    >>> _write_score((3, 2))
    '3 – 2'
    """
    return "{} – {}".format(*score)
