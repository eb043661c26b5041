"""Money sessions that share one file and one heading: each begins again at 0-0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.record.model import Game, Match, Play, Result

NIL = (0, 0)


def split_sessions(matches: list[Match]) -> list[Match]:
    """Return the matches of a file, with each money session as a match of its own.

    If a match is split, all matches are numbered anew from 1.
    """
    if not any(_may_hold_several_sessions(match) for match in matches):
        return matches
    parted = [session for match in matches for session in _yield_sessions(match)]
    return [match._replace(number=number) for number, match in enumerate(parted, start=1)]


def is_session_without_heading(match: Match) -> bool:
    """Whether a match is a money session that was split off from the match above."""
    return (
        match.number > 1
        and match.length is not None
        and match.length.points == 0
        and bool(match.games)
        and match.length.span == match.games[0].span
    )


def _may_hold_several_sessions(match: Match) -> bool:
    """Whether a match is money play, and a later game of it begins at 0-0 again."""
    if match.length is None or match.length.points != 0:
        return False
    scores = [game.score.points for game in match.games if game.score is not None]
    return NIL in scores[1:] and any(score != NIL for score in scores)


def _yield_sessions(match: Match) -> Iterator[Match]:
    """Yield each money session in a match as a match of its own."""
    starts = [0, *_find_session_starts(match.games)] if _may_hold_several_sessions(match) else [0]
    if len(starts) == 1:
        yield match
        return
    for start, end in zip(starts, [*starts[1:], len(match.games)], strict=True):
        games = match.games[start:end]
        oddities = tuple(
            odd if odd.game is None else odd._replace(game=odd.game - start)
            for odd in match.oddities
            if (start < odd.game <= end if odd.game is not None else start == 0)
        )
        length = match.length
        if start > 0 and length is not None:
            length = length._replace(span=games[0].span)
        yield match._replace(games=games, oddities=oddities, length=length)


def _find_session_starts(games: Sequence[Game]) -> Iterator[int]:
    """Yield the index of each game, after the first, that begins another session."""
    for at in range(1, len(games)):
        before, game = games[at - 1], games[at]
        if game.score is None or game.score.points != NIL or before.score is None:
            continue
        is_numbered_anew = game.number == 1 and _list_plays(game) != _list_plays(before)
        if before.score.points == NIL and not is_numbered_anew:
            continue
        if _compute_score_after(before) != NIL and _is_true_session_start(
            before, game, games[at + 1 :]
        ):
            yield at


def _is_true_session_start(previous: Game, game: Game, later_games: Sequence[Game]) -> bool:
    """Whether a game at 0-0 begins a new session, rather than having a wrong score."""
    # The next score must follow from this game's. Without a next score, the game has number 1 or
    # both players had points.
    if later_games and later_games[0].score is not None:
        return later_games[0].score.points == _compute_score_after(game)
    return game.number == 1 or all(_compute_score_after(previous))


def _compute_score_after(game: Game) -> tuple[int, int]:
    """Return the points of both sides after a game."""
    points = list(game.score.points if game.score is not None else NIL)
    for action in game.actions:
        if type(action) is Result:
            points[action.side] += action.points
    return points[0], points[1]


def _list_plays(game: Game) -> list[tuple[object, ...]]:
    """Return the side, dice and steps of each play of a game, by which games are compared."""
    return [(play.side, play.dice, play.steps) for play in game.actions if type(play) is Play]
