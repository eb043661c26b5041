"""The order of play of a match's games, and copies among them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from bganalyze.record.model import Action, Comment, Game, Match, Play, ReaderNote, Result

LEAST_PLAYS = 5
"""Minimum plays of a copy. Two games never share this many plays by chance."""

_NOT_PLAYED = frozenset(
    ("span", "row", "places", "cell_offset", "last_line", "left_board", "analysis", "seconds")
)
"""Fields of actions about the place and the spelling of an action."""


class Order(NamedTuple):
    """The games of a match in the order of play, and the evidence for it."""

    games: tuple[int, ...]
    """Numbers of the games, counted from 1 in the order of the record."""
    by_scores: bool = False
    """Whether the order follows from the scores; otherwise from the game numbers, if they differ
    from the order of the record."""

    @property
    def is_as_recorded(self) -> bool:
        """Whether the games are recorded in the order of play."""
        return all(one < other for one, other in pairwise(self.games))

    def before_each(self) -> dict[int, int]:
        """Map the number of each game to the number of the game played before it."""
        return {number: before for before, number in pairwise(self.games)}

    def after_each(self) -> dict[int, int]:
        """Map the number of each game to the number of the game played after it."""
        return dict(pairwise(self.games))


def order_played(match: Match) -> Order:
    """Return the order of play: as in the file, unless game numbers or scores show another."""
    recorded = Order(tuple(range(1, len(match.games) + 1)))
    numbered = _sort_by_numbers(match)
    is_shuffled = numbered is not None and numbered != recorded.games
    if (not is_shuffled and not _do_scores_fall(match)) or _scores_follow(match, recorded.games):
        return recorded
    if numbered is not None and is_shuffled:
        return Order(numbered)
    scored = _sort_by_scores(match)
    return Order(scored, by_scores=True) if _scores_follow(match, scored) else recorded


def _sort_by_numbers(match: Match) -> tuple[int, ...] | None:
    """Return the games in the order of their numbers, or None if these are not consecutive."""
    numbers = {game.number: at for at, game in enumerate(match.games, start=1)}
    ordered = sorted(number for number in numbers if number)
    first = min(ordered, default=0)
    if ordered != list(range(first, first + len(match.games))):
        return None
    return tuple(numbers[number] for number in ordered)


def _sort_by_scores(match: Match) -> tuple[int, ...]:
    """Return the games sorted by the sum of both sides' points before each game."""
    points = [sum(game.score.points) if game.score else 0 for game in match.games]
    return tuple(sorted(range(1, len(points) + 1), key=lambda number: points[number - 1]))


def _do_scores_fall(match: Match) -> bool:
    """Whether the sum of both sides' points ever falls from one game to the next in the file."""
    scores = (game.score for game in match.games)
    points = [sum(score.points) for score in scores if score is not None]
    return any(after < before for before, after in pairwise(points))


def _scores_follow(match: Match, order: Sequence[int]) -> bool:
    """Whether, with the games in this order, each score line follows from the game before it."""
    games = [match.games[number - 1] for number in order]
    length = match.length.points if match.length else None
    return all(_does_score_follow(game, after, length) for game, after in pairwise(games))


def _does_score_follow(game: Game, after: Game, length: int | None) -> bool:
    """Whether the score line of game `after` is that of `game` plus the points of its result."""
    result = next((action for action in game.actions if type(action) is Result), None)
    if game.score is None or after.score is None or result is None:
        return False
    reached = list(game.score.points)
    reached[result.side] += result.points
    capped = [min(points, length) if length else points for points in reached]
    return list(after.score.points) in (reached, capped)


def copied_games(match: Match) -> dict[int, int]:
    """Map the number of each game that copies an earlier game to the number of that original."""
    alike: dict[object, list[int]] = defaultdict(list)
    for number, game in enumerate(match.games, start=1):
        if len(game.actions) >= LEAST_PLAYS:
            alike[len(game.actions), _list_play_keys(game.actions[:LEAST_PLAYS])].append(number)
    copies: dict[int, int] = {}
    for numbers in alike.values():
        if len(numbers) > 1:
            copies |= _find_copies_among(match, numbers)
    return dict(sorted(copies.items()))


def _find_copies_among(match: Match, numbers: Iterable[int]) -> dict[int, int]:
    """Map copied games to their originals, by game number; only games in `numbers` are compared."""
    originals: dict[object, int] = {}
    copies: dict[int, int] = {}
    for number in numbers:
        plays = _list_play_keys(match.games[number - 1].actions)
        original = originals.setdefault(plays, number)
        # Short games may be equal by chance.
        if original != number and len(plays) >= LEAST_PLAYS:
            copies[number] = original
    return copies


class Repeat(NamedTuple):
    """The second copy of a game that is recorded twice and counts once."""

    game: Game
    number: int
    """The number of the game as written, or else its place."""
    original: int
    """Number of the repeated game, counted from 1 among the games that count."""
    original_number: int
    """The number of the repeated game as written, or else its place."""


def remove_repeated_games(
    match: Match, copies: Mapping[int, int]
) -> tuple[Match, tuple[Repeat, ...]]:
    """Remove games recorded twice by mistake; return the match without them, and those games.

    `copies` maps the number of a copied game to the number of its original.
    """
    kept: list[Game] = []
    places: dict[int, int] = {}
    repeats: list[Repeat] = []
    for number, game in enumerate(match.games, start=1):
        original = copies.get(number)
        if original is None or not _is_recorded_twice(match, number, original, kept[-1]):
            kept.append(game)
            places[number] = len(kept)
            continue
        first = match.games[original - 1].number_at(original)
        repeats.append(Repeat(game, game.number_at(number), places[original], first))
    if not repeats:
        return match, ()
    oddities = tuple(_renumber_notes(match.oddities, places))
    return match._replace(games=tuple(kept), oddities=oddities), tuple(repeats)


def _renumber_notes(
    notes: Iterable[ReaderNote], new_numbers: Mapping[int, int]
) -> Iterator[ReaderNote]:
    """Yield the reader's notes with the new game numbers, leaving out notes on removed games."""
    for note in notes:
        if note.game is None:
            yield note
        elif note.game in new_numbers:
            yield note._replace(game=new_numbers[note.game])


def _is_recorded_twice(match: Match, number: int, original: int, before: Game) -> bool:
    """Whether game `number` is a second record of game `original`, rather than a game of its own.

    `before` is the game above game `number`.
    """
    copy, first = match.games[number - 1], match.games[original - 1]
    scores = [game.score and game.score.points for game in (copy, first)]
    if scores[0] != scores[1] or _make_actions_comparable(copy) != _make_actions_comparable(first):
        return False
    after = match.games[number] if number < len(match.games) else None
    if after is None or after.score is None or after.score.points == scores[0]:
        return True
    has_result = any(type(action) is Result for action in before.actions)
    length = match.length.points if match.length else None
    return before.score is None or not has_result or _does_score_follow(before, after, length)


def _make_actions_comparable(game: Game) -> list[tuple[object, ...]]:
    """Return the actions of a game without comments, places and spelling, to compare them."""
    return [
        _make_action_comparable(action) for action in game.actions if type(action) is not Comment
    ]


def _make_action_comparable(action: Action) -> tuple[object, ...]:
    """Return the kind and content of an action without its place and spelling."""
    fields = zip(action._fields, action, strict=True)
    return type(action), *(value for name, value in fields if name not in _NOT_PLAYED)


def _list_play_keys(actions: Iterable[object]) -> tuple[object, ...]:
    """Return the side, roll, steps and kind of each play with a roll, to compare games."""
    return tuple(
        (action.side, action.dice, action.steps, action.how)
        for action in actions
        if type(action) is Play and action.dice is not None
    )
