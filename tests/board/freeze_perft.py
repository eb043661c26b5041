"""Write tests/data/perft.csv: what gnubg-nn says the legal results of a sample of rolls are.

    python -m tests.board.freeze_perft

Needs gnubg-nn. A row is a GNU Backgammon Position ID, a roll, the number of different results
and the first twelve digits of the SHA-256 of their sorted Position IDs, one a line. On a dance
the position itself is the one result. A quarter of the rows each has a checker on the bar, has
all checkers home, rolls a double, and does none of these.
"""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bganalyze.board.plays import Dice
from bganalyze.board.position import BAR, Position

PERFT = Path(__file__).parent.parent / "data" / "perft.csv"
HEADER = ("position", "dice", "results", "digest")
KINDS = ("bar", "home", "double", "other")
EACH = 100


def kind(position: Position, dice: Dice) -> str:
    if position.own[BAR]:
        return "bar"
    if not any(position.own[7:]):
        return "home"
    return "double" if dice[0] == dice[1] else "other"


def row(position: Position, dice: Dice) -> tuple[str, str, int, str]:
    import gnubg_nn

    board = [list(position.other[1:]), list(position.own[1:])]
    keys = gnubg_nn.moves(board, *dice)
    boards = (gnubg_nn.board_from_position_key(key) for key in keys)
    ends = {gnubg_nn.position_id([list(side) for side in board]) for board in boards}
    start = gnubg_nn.position_id(board)
    text = "\n".join(sorted(ends or {start}))
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return start, f"{dice[0]}{dice[1]}", len(ends or {start}), digest


def sample() -> Iterator[tuple[str, str, int, str]]:
    from tests.board.test_differential import games

    counts: Counter[str] = Counter()
    for position, dice in islice(games(seed=3), 0, None, 7):
        if counts[kind(position, dice)] < EACH:
            counts[kind(position, dice)] += 1
            yield row(position, dice)
        if counts.total() == len(KINDS) * EACH:
            return


if __name__ == "__main__":
    rows = list(sample())
    with PERFT.open("w", encoding="ascii", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
