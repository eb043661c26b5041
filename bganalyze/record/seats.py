"""Seats of the players in matches whose players swap columns between games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from bganalyze.record.players import have_swapped_columns

_T = TypeVar("_T")


class Seats(NamedTuple):
    """The two players by their columns in the first game, 0 left and 1 right."""

    exchanged: frozenset[int]
    """Numbers of the games in which the players have swapped columns."""

    def seat(self, game: int, side: int) -> int:
        """Return the player (0 or 1) in a column of a game (0 left, 1 right), or a player's column.

        Player 0 is left in the first game. Games are numbered from 1.

        >>> Seats(frozenset({2})).seat(1, 0), Seats(frozenset({2})).seat(2, 0)
        (0, 1)
        """
        return 1 - side if game in self.exchanged else side

    def pair(self, game: int, values: tuple[_T, _T]) -> tuple[_T, _T]:
        """Reorder two values of a game from (left, right) to (player 0, player 1), or the reverse.

        >>> Seats(frozenset({2})).pair(2, ("Bob", "Ann"))
        ('Ann', 'Bob')
        """
        left, right = values
        return (right, left) if game in self.exchanged else (left, right)


def find_swapped_games(
    names: tuple[str, str], names_by_game: Iterable[tuple[int, tuple[str, str]]]
) -> Seats:
    """Return the games in which the two players have swapped columns since the first game.

    `names` are the names (left, right) of the first game; `names_by_game` has pairs of a game's
    number and its names.

    >>> find_swapped_games(("Ann", "Bob"), [(1, ("Ann", "Bob")), (2, ("Bob", "Ann"))]).exchanged
    frozenset({2})
    """
    return Seats(
        frozenset(game for game, of_game in names_by_game if have_swapped_columns(names, of_game))
    )
