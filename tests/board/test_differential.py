"""Legal plays against two independent generators, on positions of random games.

Marked `oracle`. `BGANALYZE_POSITIONS` says how many positions to compare.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from bganalyze.board.ids import position_id
from bganalyze.board.plays import Dice, checkers, legal_plays, swap_sides
from bganalyze.board.position import BAR, OFF, Points, Position, points, start_position

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

POSITIONS = int(os.environ.get("BGANALYZE_POSITIONS", "300"))
VARIANTS = ("standard", "nackgammon", "hypergammon-3")

Board = tuple[tuple[int, ...], tuple[int, ...]]
"""Both sides' checkers on 1–25, the side to play first."""


def games(seed: int) -> Iterator[tuple[Position, Dice]]:
    """Yield positions and rolls of random games, in which hits are sought now and then.

    Nine in ten start with a bear-off under way, so that there are as many of these positions.
    """
    chance = random.Random(seed)
    while True:
        bear_off = chance.random() < 0.9
        position = ending(chance) if bear_off else start_position(chance.choice(VARIANTS))
        while checkers(position.own) and checkers(position.other):
            dice = chance.randint(1, 6), chance.randint(1, 6)
            yield position, dice
            position = swap_sides(chance.choice(choices(position, dice, chance)))


def choices(position: Position, dice: Dice, chance: random.Random) -> list[Position]:
    """Return the results to choose from: those that hit if there are any and chance wants it, else all."""
    ends = sorted(legal_plays(position, dice))
    hitting = [end for end in ends if end.other[BAR] > position.other[BAR]]
    return hitting if hitting and chance.random() < 0.2 else ends


def ending(chance: random.Random) -> Position:
    """Return a position in which one side bears off, or nearly; the other may still wait in that home or on the bar."""
    own = side([chance.randint(1, 7) for _ in range(chance.randint(1, 15))])
    free = [point for point in range(1, BAR) if not own[BAR - point]]
    behind = [point for point in free if point >= 19] + [BAR]
    waiting = chance.choices(behind, k=chance.randint(0, 3))
    home = chance.choices([point for point in free if point <= 6], k=chance.randint(1, 12))
    return Position(own, side(waiting + home))


def side(places: list[int]) -> Points:
    """Fifteen checkers on these points, the others off."""
    return points({OFF: 15 - len(places)} | {place: places.count(place) for place in places})


def rolls(seed: int) -> Iterator[tuple[Position, Dice]]:
    return (pair for pair, _ in zip(games(seed), range(POSITIONS), strict=False))


def boards(position: Position, dice: Dice) -> set[Board]:
    """Our results, without those that end the game before all playable dice are used."""
    plays = legal_plays(position, dice)
    longest = max(map(len, plays.values()))
    return {(end.own[1:], end.other[1:]) for end, steps in plays.items() if len(steps) == longest}


def test_results_are_those_of_gnubg_nn() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn")
    for position, dice in rolls(seed=1):
        board = [list(position.other[1:]), list(position.own[1:])]
        ends = map(gnubg_nn.board_from_position_key, gnubg_nn.moves(board, *dice))
        expected = {(tuple(own), tuple(other)) for other, own in ends}
        dance = {(position.own[1:], position.other[1:])}
        assert boards(position, dice) == (expected or dance), (position, dice)


def test_position_ids_are_those_of_gnubg_nn() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn")
    for position, _ in rolls(seed=4):
        board = [list(position.other[1:]), list(position.own[1:])]
        assert position_id(position) == gnubg_nn.position_id(board)


def test_results_are_those_of_bgsage() -> None:
    """Except on a dance and where the game can be won, where that generator does otherwise."""
    bgsage = pytest.importorskip("bgsage")
    for position, dice in rolls(seed=2):
        expected = boards(position, dice)
        if not all(any(own) for own, _ in expected) or not any(
            legal_plays(position, dice).values()
        ):
            continue
        boards_of_bgsage = bgsage.possible_moves(sign_position(position), *dice)
        assert {sign_board(board) for board in boards_of_bgsage} == expected, (position, dice)


def sign_position(position: Position) -> list[int]:
    """Return a list of 26 numbers: own checkers positive, theirs negative, their bar first."""
    own, other = position
    inner = [own[point] - other[BAR - point] for point in range(1, BAR)]
    return [other[BAR], *inner, own[BAR]]


def sign_board(board: list[int]) -> Board:
    own = tuple(max(count, 0) for count in board[1:BAR])
    other = tuple(max(-count, 0) for count in board[BAR - 1 : 0 : -1])
    return (*own, board[BAR]), (*other, board[0])
