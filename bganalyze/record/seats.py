"""Games in which the players have swapped columns since the first game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from bganalyze.record.players import have_swapped_columns

_T = TypeVar("_T")


class SwappedGames(NamedTuple):
    """The two players by their columns in the first game, 0 left and 1 right."""

    numbers: frozenset[int]
    """Numbers of the games in which the players have swapped columns."""

    def player_in_column(self, game: int, side: int) -> int:
        """Return the player (0 or 1) in a column (0 left, 1 right) of a game.

        Player 0 is left in the first game. Given a player, the result is the player's column. Games
        are numbered from 1.

        >>> swapped = SwappedGames(frozenset({2}))
        >>> swapped.player_in_column(1, 0), swapped.player_in_column(2, 0)
        (0, 1)
        """
        return 1 - side if game in self.numbers else side

    def order_by_player(self, game: int, values: tuple[_T, _T]) -> tuple[_T, _T]:
        """Reorder two values of a game from (left, right) to (player 0, player 1).

        Given values by player, the result is (left, right).

        >>> SwappedGames(frozenset({2})).order_by_player(2, ("Bob", "Ann"))
        ('Ann', 'Bob')
        """
        left, right = values
        return (right, left) if game in self.numbers else (left, right)


def find_swapped_games(
    names: tuple[str, str], names_by_game: Iterable[tuple[int, tuple[str, str]]]
) -> SwappedGames:
    """Return the games in which the players have swapped columns since the first game.

    `names` are the names (left, right) of the first game. `names_by_game` has pairs of a game's
    number and its names.

    >>> find_swapped_games(("Ann", "Bob"), [(1, ("Ann", "Bob")), (2, ("Bob", "Ann"))]).numbers
    frozenset({2})
    """
    return SwappedGames(
        frozenset(game for game, of_game in names_by_game if have_swapped_columns(names, of_game))
    )
