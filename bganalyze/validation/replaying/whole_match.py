"""Columns or rolls swapped in every game of a match, even where one game alone does not show it.

A game with a single error fits many layouts. If another game of the match shows the slip, this game
is read in the same way, and its errors become consequences of the other game's error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from bganalyze.record.model import Action, Game, Match, Result
from bganalyze.validation.replaying.bookkeeping import (
    GamesAndScores,
    Replay,
    count_as_consequences,
    place_and_rule,
)
from bganalyze.validation.replaying.layout import (
    COLUMNS,
    REMARKS,
    ROLL_SWAPS,
    ROLLS,
    swap_cells,
)
from bganalyze.validation.replaying.replayed import MatchProblem

SidePlace = tuple[int, int, str]


def merge_errors_of_swap(
    match: Match, replayed: GamesAndScores, replay: Replay
) -> tuple[GamesAndScores, list[MatchProblem]]:
    """Merge a match's errors into one if all games have their columns or rolls swapped.

    Return the games with only the first of these errors, and the other errors.
    """
    for first in [
        problem for game in replayed.games for problem in game.problems if problem.reading in MEANT
    ]:
        if not any(_yield_other_errors(replayed, first)):
            continue
        for meant in MEANT[first.reading or ""]:
            other = match._replace(games=tuple(map(meant, match.games)))
            explained = list(_find_errors_removed_by_swap(first, replayed, replay(other)))
            if explained:
                return count_as_consequences(replayed, first, explained), explained
    return replayed, []


def _yield_other_errors(replayed: GamesAndScores, first: MatchProblem) -> Iterator[MatchProblem]:
    """Yield all errors of a match except the error `first`."""
    for problem in chain(replayed.problems, *(game.problems for game in replayed.games)):
        if problem.rule not in REMARKS and problem is not first:
            yield problem


def _find_errors_removed_by_swap(
    first: MatchProblem, as_recorded: GamesAndScores, swap_undone: GamesAndScores
) -> Iterator[MatchProblem]:
    """Yield the errors, except `first`, that disappear when a swap in all games is undone.

    Yield none if `first` itself does not disappear.
    """
    if len(as_recorded.games) != len(swap_undone.games):
        return
    pairs = zip(as_recorded.games, swap_undone.games, strict=True)
    games = [_find_removed_errors(before.problems, after.problems) for before, after in pairs]
    of_layout = next((fewer for fewer in games if first in fewer), None)
    if of_layout is None:
        return
    for problem in chain(_find_removed_errors(as_recorded.problems, swap_undone.problems), *games):
        if problem is not first:
            yield problem


def _find_removed_errors(
    before: Iterable[MatchProblem], after: Iterable[MatchProblem]
) -> list[MatchProblem]:
    """Return the errors in `before` that are not in `after`; none if `after` has new errors."""
    left = {place_and_rule(problem) for problem in after if problem.rule not in REMARKS}
    errors = [problem for problem in before if problem.rule not in REMARKS]
    if not left <= set(map(place_and_rule, errors)):
        return []
    return [problem for problem in errors if place_and_rule(problem) not in left]


def _swap_sides_of_rows(game: Game) -> Game:
    """Return a game with left and right swapped in every row."""
    rows = swap_cells(act for act in game.actions if type(act) is not Result)
    results = (act for act in game.actions if type(act) is Result)
    return game._replace(actions=(*rows, *results))


def _swap_columns(game: Game) -> Game:
    """Return a game with left and right swapped in every row and in its result."""
    return game._replace(actions=swap_cells(game.actions))


def _swap_rolls(game: Game, swap_rolls: Callable[[Sequence[Action]], tuple[Action, ...]]) -> Game:
    """Return a game whose actions were changed by the function `swap_rolls`."""
    return game._replace(actions=swap_rolls(game.actions))


MEANT: dict[str | None, tuple[Callable[[Game], Game], ...]] = {
    COLUMNS: (_swap_columns, _swap_sides_of_rows),
    ROLLS: tuple(partial(_swap_rolls, swap_rolls=way) for way in ROLL_SWAPS),
}
"""Corrections of a game by the reading that one game of the match shows."""
