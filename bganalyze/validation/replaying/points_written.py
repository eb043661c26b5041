"""Wrong ways to write the points of a win, if they are the same in every game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from bganalyze.board.cube import limit_points
from bganalyze.record.model import Result
from bganalyze.validation.replaying.replayed import GameReplay, MatchProblem

SIZES = (1, 2, 3)
"""A plain win, a gammon and a backgammon."""


class EndedGame:
    """The end of a game: its written points, and what determines its correct points."""

    def __init__(self, game: GameReplay, points_error: MatchProblem | None) -> None:
        """Keep a game and, if its points are wrong, the report of that error."""
        self._game, self._wrong = game, points_error

    @cached_property
    def written_points(self) -> int | None:
        """The points that the result line states."""
        results = (act.points for act in self._game.game.actions if type(act) is Result)
        return next(results, None)

    @property
    def is_wrong(self) -> bool:
        """Whether the points of the result line are reported as wrong."""
        return self._wrong is not None

    @property
    def cube(self) -> int:
        """The cube value that counts for the result; after a pass, the value before the double."""
        return self._game.cube.refused or self._game.cube.value

    @property
    def is_taken(self) -> bool:
        """Whether a double was taken in the game."""
        return self._game.cube.owner is not None

    @property
    def is_passed(self) -> bool:
        """Whether the game ended with a pass."""
        return self._game.ending.kind == "pass"

    @cached_property
    def possible_points(self) -> list[int]:
        """The points that the winner may have won, in full or limited by the match length."""
        if self._wrong is not None:
            return list(self._wrong.about["allowed"])
        on_board, winner = self._game.ending.on_board, self._game.ending.winner
        context = self._game.context
        full = [self.cube * size for size in SIZES] if on_board is None else [on_board]
        if winner is None:
            return full
        counting = (limit_points(n, context.terms.length, context.score[winner]) for n in full)
        return sorted({*full, *counting})


class WayOfWriting(NamedTuple):
    """A wrong way of some transcribers to write the points of a game."""

    reading: str
    """The name of the way."""
    write: Callable[[EndedGame, int], int]
    """Function that returns the points so written, from the end of the game and its correct points."""


WAYS = (
    WayOfWriting("the points written without the cube", lambda end, points: points // end.cube),
    WayOfWriting("the cube written without gammons", lambda end, *_: end.cube),
    WayOfWriting("1 point written for every win", lambda *_: 1),
    WayOfWriting(
        "the cube offered written for a pass", lambda end, points: points * (1 + end.is_passed)
    ),
    WayOfWriting(
        "the cube before the double written", lambda end, points: points // (1 + end.is_taken)
    ),
    WayOfWriting("half of the points written", lambda _, points: max(points // 2, 1)),
    WayOfWriting("twice the points written", lambda _, points: 2 * points),
)
"""All ways, likelier first: several may give the same points."""


def find_points_meant(way: WayOfWriting, ends: Sequence[EndedGame]) -> list[int | None]:
    """Return the correct points of each game if all points were written in the same wrong way.

    `way` is that wrong way. An item is None if the written points of the game are correct, or if
    `way` does not explain them. If `way` cannot give some correct written points, return [].
    """
    meant: list[int | None] = []
    for end in ends:
        fitting = [
            points for points in end.possible_points if way.write(end, points) == end.written_points
        ]
        if not fitting and not end.is_wrong and end.written_points is not None:
            return []
        meant.append(fitting[0] if end.is_wrong and fitting else None)
    return meant
