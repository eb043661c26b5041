"""Which game of a match was played when, and which are copies of another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bganalyze.record.model import Game, Match, Play, Result

LEAST_PLAYS = 5
"""Of so many plays two games never have all alike, unless one is a copy of the other."""


class Order(NamedTuple):
    """The games of a match in the order in which they were played, and what tells it."""

    games: tuple[int, ...]
    """Where each stands, counted from 1."""
    by_scores: bool = False
    """Whether the scores tell it; else the numbers of the games do, where they stand in another order."""

    @property
    def is_as_recorded(self) -> bool:
        """Whether the games stand in the order in which they were played."""
        return all(one < other for one, other in pairwise(self.games))

    def before_each(self) -> dict[int, int]:
        """Return for each game but the first which one was played before it."""
        return {number: before for before, number in pairwise(self.games)}

    def after_each(self) -> dict[int, int]:
        """Return for each game but the last which one was played after it."""
        return dict(pairwise(self.games))


def order_played(match: Match) -> Order:
    """Return in which order the games of a match were played.

    As they stand, unless it takes another order of them that each score follows from the game before
    it, or that their numbers do.
    """
    recorded = Order(tuple(range(1, len(match.games) + 1)))
    numbered = _sorted_by_numbers(match)
    is_shuffled = numbered is not None and numbered != recorded.games
    if (not is_shuffled and not _falls_back(match)) or _follow(match, recorded.games):
        return recorded
    if numbered is not None and is_shuffled:
        return Order(numbered)
    scored = _sorted_by_scores(match)
    return Order(scored, by_scores=True) if _follow(match, scored) else recorded


def _sorted_by_numbers(match: Match) -> tuple[int, ...] | None:
    """Return the games by their numbers; None unless these are numbers running."""
    numbers = {game.number: at for at, game in enumerate(match.games, start=1)}
    ordered = sorted(number for number in numbers if number)
    first = min(ordered, default=0)
    if ordered != list(range(first, first + len(match.games))):
        return None
    return tuple(numbers[number] for number in ordered)


def _sorted_by_scores(match: Match) -> tuple[int, ...]:
    points = [sum(game.score.points) if game.score else 0 for game in match.games]
    return tuple(sorted(range(1, len(points) + 1), key=lambda number: points[number - 1]))


def _falls_back(match: Match) -> bool:
    """Whether fewer points are won in all before a game than before the one above it."""
    scores = (game.score for game in match.games)
    points = [sum(score.points) for score in scores if score is not None]
    return any(after < before for before, after in pairwise(points))


def _follow(match: Match, order: Sequence[int]) -> bool:
    """Whether in this order each score follows from the score and the result of the game before."""
    games = [match.games[number - 1] for number in order]
    length = match.length.points if match.length else None
    return all(_leads_to(game, after, length) for game, after in pairwise(games))


def _leads_to(game: Game, after: Game, length: int | None) -> bool:
    result = next((action for action in game.actions if type(action) is Result), None)
    if game.score is None or after.score is None or result is None:
        return False
    reached = list(game.score.points)
    reached[result.side] += result.points
    capped = [min(points, length) if length else points for points in reached]
    return list(after.score.points) in (reached, capped)


def copied_games(match: Match) -> dict[int, int]:
    """Return the games that have all plays of an earlier one, each with the first such game, from 1."""
    alike: dict[object, list[int]] = defaultdict(list)
    for number, game in enumerate(match.games, start=1):
        if len(game.actions) >= LEAST_PLAYS:
            alike[len(game.actions), _plays(game.actions[:LEAST_PLAYS])].append(number)
    copies: dict[int, int] = {}
    for numbers in alike.values():
        if len(numbers) > 1:
            copies |= _copies_among(match, numbers)
    return dict(sorted(copies.items()))


def _copies_among(match: Match, numbers: Iterable[int]) -> dict[int, int]:
    """Return the same of some games that begin alike."""
    originals: dict[object, int] = {}
    copies: dict[int, int] = {}
    for number in numbers:
        plays = _plays(match.games[number - 1].actions)
        original = originals.setdefault(plays, number)
        if original != number and len(plays) >= LEAST_PLAYS:
            copies[number] = original
    return copies


def _plays(actions: Iterable[object]) -> tuple[object, ...]:
    """Return what was rolled and played, and by whom."""
    return tuple(
        (action.side, action.dice, action.steps, action.how)
        for action in actions
        if type(action) is Play and action.dice is not None
    )
