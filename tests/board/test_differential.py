"""Legal plays against two independent generators, on positions of random games.

Marked `oracle`. `BGANALYZE_POSITIONS` says how many positions to compare.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from bganalyze.board.plays import Dice, checkers, legal_plays, swapped
from bganalyze.board.position import BAR, Position
from bganalyze.board.variants import start_position

pytestmark = pytest.mark.oracle

POSITIONS = int(os.environ.get("BGANALYZE_POSITIONS", "300"))
STARTS = ("standard", "standard", "nackgammon", "hypergammon-3")

Board = tuple[tuple[int, ...], tuple[int, ...]]
"""Both sides' checkers on 1–25, the side to play first."""


def games(seed: int) -> Iterator[tuple[Position, Dice]]:
    """Positions and throws of random games, in which hits are sought every other time."""
    chance = random.Random(seed)
    while True:
        position = start_position(chance.choice(STARTS))
        while checkers(position.own) and checkers(position.other):
            dice = chance.randint(1, 6), chance.randint(1, 6)
            yield position, dice
            plays = sorted(legal_plays(position, dice))
            hitting = [end for end in plays if end.other[BAR] > position.other[BAR]]
            position = swapped(
                chance.choice(hitting if hitting and chance.random() < 0.5 else plays)
            )


def throws(seed: int) -> Iterator[tuple[Position, Dice]]:
    return (pair for pair, _ in zip(games(seed), range(POSITIONS), strict=False))


def boards(position: Position, dice: Dice) -> set[Board]:
    """Our results, without those that end the game before all playable dice are used."""
    plays = legal_plays(position, dice)
    most = max(map(len, plays.values()))
    return {(end.own[1:], end.other[1:]) for end, steps in plays.items() if len(steps) == most}


def test_results_are_those_of_gnubg_nn() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn")
    for position, dice in throws(seed=1):
        board = [list(position.other[1:]), list(position.own[1:])]
        ends = map(gnubg_nn.board_from_position_key, gnubg_nn.moves(board, *dice))
        theirs = {(tuple(own), tuple(other)) for other, own in ends}
        dance = {(position.own[1:], position.other[1:])}
        assert boards(position, dice) == (theirs or dance), (position, dice)


def test_results_are_those_of_bgsage() -> None:
    """Except on a dance and where the game can be won, where that generator does otherwise."""
    bgsage = pytest.importorskip("bgsage")
    for position, dice in throws(seed=2):
        ours = boards(position, dice)
        if not all(any(own) for own, _ in ours) or not any(legal_plays(position, dice).values()):
            continue
        theirs = bgsage.possible_moves(signed(position), *dice)
        assert {signed_board(board) for board in theirs} == ours, (position, dice)


def signed(position: Position) -> list[int]:
    """One list of 26: own checkers positive, theirs negative, their bar first."""
    own, other = position
    inner = [own[point] - other[BAR - point] for point in range(1, BAR)]
    return [other[BAR], *inner, own[BAR]]


def signed_board(board: list[int]) -> Board:
    own = tuple(max(count, 0) for count in board[1:BAR])
    other = tuple(max(-count, 0) for count in board[BAR - 1 : 0 : -1])
    return (*own, board[BAR]), (*other, board[0])
