"""Whether the result of a match follows from its games, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bganalyze.text import number_of
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import (
    MatchOutcome,
    Score,
    add_win,
    outcome_of,
    score_in_first_columns,
    win_in_first_columns,
    winner_is_disputed,
)
from bganalyze.validation.replaying.possible_scores import NIL
from bganalyze.validation.replaying.replayed import GameReplay
from bganalyze.validation.replaying.rulings import add_points
from bganalyze.validation.rules.disputed_results import find_disputes, list_names_of_games

_BY_BOARD = ("borne-off", "pass")
"""Ends of games that show the points by board and cube."""
MOST_NAMED = 3
"""Disputed results that are named one by one."""

_BY_RESIGNATION = ("resigned", "resigned-match")


class ResultOfGames(NamedTuple):
    """The final score of a match, and what its games say of that score."""

    score: str
    """The final score as recorded, such as `21–16`; empty if it is unknown."""
    words: str
    """What the games say of the score, in words that may follow it; empty if they say nothing."""
    is_confirmed: bool
    """Whether the score follows from the games, and nothing contradicts it."""


def compare_result_with_games(replayed: MatchReplay) -> ResultOfGames:
    """Return the final score of a match, and whether the points of its games lead to that score."""
    outcome = outcome_of(replayed)
    recorded = outcome.recorded.after
    score = "" if recorded is None else "{}–{}".format(*recorded)
    if outcome.disputed:
        return ResultOfGames(score, _name_disputes(replayed, outcome), is_confirmed=False)
    total = _add_up_points(replayed, outcome)
    if recorded is None or total is None:
        return ResultOfGames(score, "", is_confirmed=False)
    if total != recorded:
        added = "{}–{}".format(*total)
        words = f"the games in the file add up to {added}"
        return ResultOfGames(score, words, is_confirmed=False)
    words = _describe_games(replayed, outcome)
    return ResultOfGames(score, words, is_confirmed=bool(words))


def _name_disputes(replayed: MatchReplay, outcome: MatchOutcome) -> str:
    """Return text that names the disputed results of a match, such as `disputed: game 2 (R602)`."""
    disputes = list(find_disputes(outcome, list_names_of_games(replayed)))
    named = [
        f"{'the match' if one.game is None else f'game {one.game}'} ({', '.join(one.codes)})"
        for one in disputes[:MOST_NAMED]
    ]
    more = [f"{len(disputes) - MOST_NAMED} more"] if len(disputes) > MOST_NAMED else []
    unsettled = "; the winner is not settled" if winner_is_disputed(outcome) else ""
    return f"disputed: {', '.join([*named, *more])}{unsettled}"


def _add_up_points(replayed: MatchReplay, outcome: MatchOutcome) -> Score | None:
    """Return the score before the first game plus the points of all games, or None if unknown."""
    total, games = outcome.before, replayed.games_played
    for index, game in enumerate(games):
        won = win_in_first_columns(replayed, game, outcome.games[game.context.game - 1].counting)
        # The last game may be unfinished.
        may_lack_result = game.ending.kind == "replayed" or index == len(games) - 1
        if total is not None and not (won is None and may_lack_result):
            total = add_win(total, won, None)
        if total is None:
            return None
        total = add_points(total, score_in_first_columns(replayed, game, game.given), None)
    return total


def _describe_games(replayed: MatchReplay, outcome: MatchOutcome) -> str:
    """Return text on which games lead to the final score, such as `follows from all 7 games`."""
    finished = [
        game
        for game in replayed.games_played
        if outcome.games[game.context.game - 1].counting is not None
    ]
    if not finished:
        return ""
    before = outcome.before or NIL
    start = "" if before == NIL else "{}–{} and ".format(*before)
    is_complete = all(
        game in finished or game.ending.kind == "replayed" for game in replayed.games_played
    )
    games = number_of(len(finished), "game" if is_complete else "finished game")
    counted = {1: games, 2: games.replace("2 ", "both ", 1)}.get(len(finished), f"all {games}")
    asides = "; ".join(_list_points_not_on_board(finished))
    return f"follows from {start}{counted}" + (f" ({asides})" if asides else "")


def _list_points_not_on_board(games: Sequence[GameReplay]) -> Iterator[str]:
    """Yield texts that count the games whose final board does not show the points won."""
    resigned = sum(game.ending.kind in _BY_RESIGNATION for game in games)
    others = sum(game.ending.kind not in (*_BY_BOARD, *_BY_RESIGNATION) for game in games)
    if resigned:
        yield f"{resigned} ended by resignation, for the points recorded"
    if others:
        yield f"{others} without an end on the board"
