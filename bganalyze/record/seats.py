"""Games in which the players have swapped columns since the first game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from bganalyze.record.players import have_swapped_columns

_T = TypeVar("_T")


class SwappedGames(NamedTuple):
    """Games in which the players have swapped columns since the first game.

    Player 0 is the left player of the first game, player 1 the right one.
    """

    numbers: frozenset[int]
    """Numbers of these games, from 1."""

    def player_in_column(self, game: int, side: int) -> int:
        """Return the player (0 or 1) in a column of a game; `side` is 0 for left, 1 for right.

        If `side` is a player, the result is the column of that player in the game.

        >>> swapped = SwappedGames(frozenset({2}))
        >>> swapped.player_in_column(1, 0), swapped.player_in_column(2, 0)
        (0, 1)
        """
        return 1 - side if game in self.numbers else side

    def order_by_player(self, game: int, values: tuple[_T, _T]) -> tuple[_T, _T]:
        """Return a game's two values, ordered left and right, in the order of players 0 and 1.

        The same call turns values by player into values by column.

        >>> SwappedGames(frozenset({2})).order_by_player(2, ("Bob", "Ann"))
        ('Ann', 'Bob')
        """
        left, right = values
        return (right, left) if game in self.numbers else (left, right)


def find_swapped_games(
    names: tuple[str, str], names_by_game: Iterable[tuple[int, tuple[str, str]]]
) -> SwappedGames:
    """Return the games in which the players have swapped columns since the first game.

    `names` are the names of left and right in the first game.

    >>> find_swapped_games(("Ann", "Bob"), [(1, ("Ann", "Bob")), (2, ("Bob", "Ann"))]).numbers
    frozenset({2})
    """
    return SwappedGames(
        frozenset(game for game, of_game in names_by_game if have_swapped_columns(names, of_game))
    )
