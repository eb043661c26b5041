"""Playing of hypergammon by a simple rule, because GNU Backgammon needs a database for it.

The plays are legal, but not good: most hits first, then most checkers off, then by chance.
"""

from __future__ import annotations

import random

from matches import Spec, header_of
from record import Action, Board, Game, Match, Roll, Step, start_of


def plays(board: Board, side: int, dice: tuple[int, ...]) -> list[tuple[Step, ...]]:
    """Return every way to play as many of the dice as possible, in the order given."""
    found: list[tuple[Step, ...]] = []
    mine, theirs = board.sides[side], board.sides[1 - side]
    for start in range(25, 0, -1):
        if not dice or not mine[start]:
            continue
        end = max(start - dice[0], 0)
        step = Step(start, end, bool(end) and theirs[25 - end] == 1)
        wasteful = start < dice[0] and any(mine[start + 1 :])
        if wasteful or not board.allows(side, step):
            continue
        found += [(step, *rest) for rest in plays(board.after(side, (step,)), side, dice[1:])]
    return found or [()]


def legal(board: Board, side: int, high: int, low: int) -> list[tuple[Step, ...]]:
    """Return the legal plays: most dice, and the larger one if only one can be played."""
    if high == low:
        return plays(board, side, (high,) * 4)
    found = plays(board, side, (high, low)) + plays(board, side, (low, high))
    most = max(map(len, found))
    if most == 1:
        larger = plays(board, side, (high,))
        return larger if larger != [()] else plays(board, side, (low,))
    return [play for play in found if len(play) == most]


def play_game(match: Match, score: tuple[int, int], number: int, chance: random.Random) -> Game:
    """Return one game, played without the cube."""
    board = Board(start_of(match))
    high, low = sorted(chance.sample(range(1, 7), 2), reverse=True)
    side = chance.randrange(2)
    actions: list[Action] = []
    while True:
        best = max(
            legal(board, side, high, low),
            key=lambda play: (
                sum(step.hit for step in play),
                sum(step.end == 0 for step in play),
                chance.random(),
            ),
        )
        actions.append(Roll(side, f"{high}{low}", best))
        board = board.after(side, best)
        if not any(board.sides[side][1:]):
            return Game(score, tuple(actions), side, board.class_of_win(side), number)
        side = 1 - side
        high, low = sorted(chance.choices(range(1, 7), k=2), reverse=True)


def play_match(spec: Spec) -> tuple[Game, ...]:
    """Return the games of a match of hypergammon with three checkers a side."""
    chance = random.Random(spec.seed)
    match = Match(spec.length, spec.players, (), header_of(spec))
    games: list[Game] = []
    score = [0, 0]
    while max(score) < spec.length:
        game = play_game(match, (score[0], score[1]), len(games) + 1, chance)
        games.append(game)
        score[game.winner or 0] += game.points
    return tuple(games)
