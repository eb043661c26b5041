"""Columns or rolls exchanged in every game of a match, where a game alone does not show it.

A game with a single error fits many layouts. Where another game of the match shows what was done,
this one is read in the same way, and its errors are counted on that of the other game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from bganalyze.record.model import Action, Game, Match, Result
from bganalyze.validation.replaying.bookkeeping import MatchBooks, Replay, counted_on, place_of
from bganalyze.validation.replaying.facts import Fact
from bganalyze.validation.replaying.layout import (
    COLUMNS,
    EXCHANGED_ROLLS,
    REMARKS,
    ROLLS,
    exchanged_cells,
)

Place = tuple[int, int, str]


def one_layout_of_match(
    match: Match, books: MatchBooks, replay: Replay
) -> tuple[MatchBooks, list[Fact]]:
    """Return the books with all errors of one layout counted as one, and those counted on it."""
    for first in [fact for game in books.games for fact in game.facts if fact.reading in MEANT]:
        if not any(_others(books, first)):
            continue
        for meant in MEANT[first.reading or ""]:
            other = match._replace(games=tuple(map(meant, match.games)))
            explained = list(_explained(first, books, replay(other)))
            if explained:
                return counted_on(books, first, explained), explained
    return books, []


def _others(books: MatchBooks, first: Fact) -> Iterator[Fact]:
    """Yield the errors beside the first of a layout."""
    for fact in chain(books.facts, *(game.facts for game in books.games)):
        if fact.rule not in REMARKS and fact is not first:
            yield fact


def _explained(first: Fact, books: MatchBooks, left: MatchBooks) -> Iterator[Fact]:
    """Yield the errors of games, and of score lines, in which the layout leaves fewer and no others."""
    if len(books.games) != len(left.games):
        return
    pairs = zip(books.games, left.games, strict=True)
    games = [_fewer(before.facts, after.facts) for before, after in pairs]
    of_layout = next((fewer for fewer in games if first in fewer), None)
    if of_layout is None:
        return
    for fact in chain(_fewer(books.facts, left.facts), *games):
        if fact is not first:
            yield fact


def _fewer(before: Iterable[Fact], after: Iterable[Fact]) -> list[Fact]:
    """Return the errors that are gone, or none if there are others instead."""
    left = {place_of(fact) for fact in after if fact.rule not in REMARKS}
    errors = [fact for fact in before if fact.rule not in REMARKS]
    if not left <= set(map(place_of, errors)):
        return []
    return [fact for fact in errors if place_of(fact) not in left]


def _with_cells_exchanged(game: Game) -> Game:
    """Return a game with its cells in each other's column, and the result where it is."""
    rows = exchanged_cells(act for act in game.actions if type(act) is not Result)
    results = (act for act in game.actions if type(act) is Result)
    return game._replace(actions=(*rows, *results))


def _with_columns_exchanged(game: Game) -> Game:
    """Return a game with its cells, and its result, in each other's column."""
    return game._replace(actions=exchanged_cells(game.actions))


def _with_rolls_exchanged(
    game: Game, exchanged: Callable[[Sequence[Action]], tuple[Action, ...]]
) -> Game:
    """Return a game with its rolls in each other's place, in one way."""
    return game._replace(actions=exchanged(game.actions))


MEANT: dict[str | None, tuple[Callable[[Game], Game], ...]] = {
    COLUMNS: (_with_columns_exchanged, _with_cells_exchanged),
    ROLLS: tuple(partial(_with_rolls_exchanged, exchanged=way) for way in EXCHANGED_ROLLS),
}
"""What the games of a match were meant to be, by what one of them shows."""
