"""Other starting positions of a game whose plays do not fit the stated one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from bganalyze.board.position import VARIANTS, Points
from bganalyze.record.model import (
    Play,
)
from bganalyze.validation.replaying.board_guesses import (
    BoardGuess,
    LaterPlays,
    move_checker,
    try_guess,
)
from bganalyze.validation.replaying.faults import BOARD_FAULTS
from bganalyze.validation.replaying.headers import (
    EARLY,
)
from bganalyze.validation.replaying.layout import collect_all_plays
from bganalyze.validation.replaying.replayed import (
    Boards,
    MatchProblem,
    count_with_consequences,
)
from bganalyze.validation.replaying.state import GameState
from bganalyze.validation.replaying.terms import (
    start_of,
)

MANY_FAULTS = 3
"""This many errors in a game call its start into question."""

FIRST_PLAYS = 13
"""A start is first tried on this many plays less one, then on all plays."""

FEWER = 3
"""The start of another variant may leave at most one in this many errors."""


LEAST_PLAYS = 2
"""Least number of plays from which a variant is inferred where few of them are illegal."""


def find_better_start(state: GameState, stated_start: Boards) -> BoardGuess | None:
    """Return a starting position that fits the plays better than `stated_start`, or None.

    The function tries the starts of other variants, and `stated_start` with one checker moved.
    """
    faults = [noted.problem for noted in state.problems if noted.problem.rule in BOARD_FAULTS]
    count = count_with_consequences(faults)
    if state.opening.is_recorded or not count:
        return None
    # With few illegal plays, all must be legal; else a variant may leave a third as many.
    later_plays = collect_all_plays(state.game.actions, state)
    if count < MANY_FAULTS:
        return _find_start_without_errors(stated_start, later_plays, count)
    variant = _find_start_with_fewest_errors(
        _guess_starts_of_variants(stated_start), later_plays, count // FEWER
    )
    if variant is not None:
        return variant
    if _is_in_first_plays(state, faults[0]):
        starts = _find_fitting_starts(
            stated_start, tuple(later_plays.plays[:FIRST_PLAYS]), later_plays.marks_hits
        )
        return next(
            (start for start in starts if not _count_illegal_plays(start, later_plays, 0)), None
        )
    return None


def _find_start_without_errors(
    stated_start: Boards, later_plays: LaterPlays, illegal_count: int
) -> BoardGuess | None:
    """Return the start of another variant from which all `later_plays` are legal, or None.

    `illegal_count` is the number of plays that are illegal from `stated_start`.
    """
    if sum(bool(play.steps) for play in later_plays.plays) < LEAST_PLAYS:
        # A game of one play shows no variant.
        return None
    starts = (
        start
        for start in _guess_starts_of_variants(stated_start)
        # A single illegal play may be a slip, unless the variant has fewer checkers.
        if illegal_count > 1 or sum(start.boards[0]) < sum(stated_start[0])
    )
    return _find_start_with_fewest_errors(starts, later_plays, 0)


def _find_start_with_fewest_errors(
    starts: Iterable[BoardGuess], later_plays: LaterPlays, most_illegal: int
) -> BoardGuess | None:
    """Return the start with the fewest illegal plays, at most `most_illegal`, or None."""
    best: BoardGuess | None = None
    for start in starts:
        count = _count_illegal_plays(start, later_plays, most_illegal)
        if count <= most_illegal:
            best, most_illegal = start, count - 1
    return best


def _count_illegal_plays(start: BoardGuess, later_plays: LaterPlays, most_illegal: int) -> int:
    """Return how many later plays are illegal from `start`; stop counting above `most_illegal`."""
    return len(try_guess(start, later_plays, most_illegal).faults)


def _is_in_first_plays(state: GameState, error: MatchProblem) -> bool:
    """Whether an error is in one of the first plays of the game."""
    plays = [action for action in state.game.actions if type(action) is Play]
    return any(action is error.turn.action for action in plays[:EARLY]) if error.turn else False


def _guess_starts_of_variants(stated_start: Boards) -> Iterator[BoardGuess]:
    """Yield the starting position of each variant that starts differently from `stated_start`."""
    for variant in VARIANTS.values():
        boards = start_of(variant.name)
        if boards != stated_start:
            yield BoardGuess(f"the start of {variant.name}", boards)


@lru_cache(maxsize=64)
def _find_fitting_starts(
    stated_start: Boards, first_plays: tuple[Play, ...], marks_hits: bool
) -> tuple[BoardGuess, ...]:
    """Return starts with one checker elsewhere from which the first plays are legal.

    `stated_start` is the start in which the checker is moved.
    """
    # Cached, because a search for repairs replays the game many times.
    later_plays = LaterPlays(first_plays[:-1], marks_hits, ends_in_result=False)
    return tuple(
        start
        for start in _yield_starts_with_checker_elsewhere(stated_start)
        if not _count_illegal_plays(start, later_plays, 0)
    )


def _yield_starts_with_checker_elsewhere(stated_start: Boards) -> Iterator[BoardGuess]:
    """Yield each board that differs from `stated_start` by one checker on another point."""
    for side, name in enumerate(("{left}", "{right}")):
        for source, target, points in _move_each_checker(stated_start[side]):
            boards = (points, stated_start[1]) if side == 0 else (stated_start[0], points)
            yield BoardGuess(
                f"a start with a checker of {name} on {target} instead of {source}", boards
            )


def _move_each_checker(points: Points) -> Iterator[tuple[int, int, Points]]:
    """Yield each way to move one checker: old point, new point, and all points afterwards."""
    for source in range(24, 0, -1):
        for target in range(24, 0, -1):
            if points[source] and target != source:
                yield source, target, move_checker(points, source, target)
