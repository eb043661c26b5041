"""Games in which a player really made an illegal play, and both sides went on from it.

`python -m tests.player_errors --seed 1 --games 20` plays some of each kind and counts what a check
says of them: nothing in such a record contradicts it, so no error may be explained away.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from bganalyze.app.jobs.check import check_by_all_rules
from bganalyze.board.movement import Dice, legal_plays
from bganalyze.board.plays import notation
from bganalyze.board.position import (
    BAR,
    OFF,
    Position,
    Step,
    after,
    is_possible,
    start_position,
    swap_sides,
)
from bganalyze.board.rule_book import BASIC
from bganalyze.record.model import LEFT
from bganalyze.repairing.prior import score_appearance
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying.facts import is_shut_out
from bganalyze.validation.replaying.player_error_rule import MOVEMENT

MOST_TURNS = 200
HEAD = " 7 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"

CRAWFORD = """\
 2 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                  52: 13/8 24/22
  2)  Doubles => 2                 Drops
      Wins 1 point

 Game 2
 Ann : 1                          Bob : 0
"""


class Made(NamedTuple):
    """Text of a turn, and the board after it, seen by its side."""

    text: str
    result: Position


Kind = Callable[[Position, Dice, Random, Dice | None], Made | None]
"""Makes an illegal play of a kind, where it can be made; given the board, the roll, and the roll before."""


def text_of(dice: Dice, steps: list[Step] | tuple[Step, ...]) -> str:
    """Return a turn as match text."""
    return f"{max(dice)}{min(dice)}: {notation(steps) if steps else 'Cannot Move'}"


def best_play(position: Position, dice: Dice) -> tuple[Position, tuple[Step, ...]]:
    """Return the play that looks best."""
    legal = legal_plays(position, dice)
    result = max(legal, key=lambda result: (score_appearance(result), result))
    return result, legal[result]


def move(position: Position, source: int, target: int) -> tuple[Position, Step] | None:
    """Return the board after one step, whatever the dice; None where a block or no checker is."""
    if not 0 < source <= BAR or not position.own[source] or target > 24 or target == source:
        return None
    target = max(target, OFF)
    hit = bool(target) and position.other[BAR - target] == 1
    if target and position.other[BAR - target] > 1:
        return None
    step = Step((source, target), (hit,))
    return after(position, step), step


def make_error(dice: Dice, position: Position, steps: list[Step]) -> Made | None:
    """Return an illegal play; None where the same board can be reached by a legal one."""
    if not is_possible(position) or not steps:
        return None
    return Made(text_of(dice, steps), position)


def is_legal(position: Position, dice: Dice, result: Position) -> bool:
    """Whether a legal play leaves a board."""
    return result in legal_plays(position, dice)


def off_by(amounts: tuple[int, ...]) -> Kind:
    """Return the kind that moves checkers too far or too short by these amounts, one after the other."""

    def kind(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
        _, steps = best_play(position, dice)
        board, written = position, list[Step]()
        for step, amount in zip(steps, (*amounts, 0, 0, 0, 0), strict=False):
            source, target = step.path[0], step.path[-1]
            moved = move(board, source, target + amount if target else 0)
            if moved is None or (amount and not target):
                return None
            board, new = moved
            written.append(new)
        return None if is_legal(position, dice, board) else make_error(dice, board, written)

    return kind


def part_of_roll(count: int) -> Kind:
    """Return the kind that plays only `count` of the possible steps."""

    def kind(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
        _, steps = best_play(position, dice)
        if len(steps) <= count or (count == 3) != (dice[0] == dice[1]):
            return None
        board = position
        for step in steps[:count]:
            if not board.own[step.path[0]]:
                return None
            board = after(board, step)
        return (
            None if is_legal(position, dice, board) else make_error(dice, board, [*steps[:count]])
        )

    return kind


def false_dance(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Play nothing, though something can be played."""
    _, steps = best_play(position, dice)
    return Made(text_of(dice, ()), position) if steps else None


def other_roll(position: Position, dice: Dice, rng: Random, before: Dice | None) -> Made | None:
    """Play the roll that the opponent has just made."""
    if before is None or sorted(before) == sorted(dice):
        return None
    result, steps = best_play(position, before)
    return None if is_legal(position, dice, result) else make_error(dice, result, [*steps])


def another_number(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Move one checker by a number that was not rolled."""
    other = rng.choice([die for die in range(1, 7) if die not in dice])
    return other_roll(position, dice, rng, (other, dice[1]))


def bar_left(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Move another checker, with one on the bar."""
    if not position.own[BAR]:
        return None
    inside = position._replace(own=(*position.own[:BAR], 0))
    result, steps = best_play(inside, dice)
    result = result._replace(own=(*result.own[:BAR], position.own[BAR]))
    return None if is_legal(position, dice, result) else make_error(dice, result, [*steps])


def backwards(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Move one checker backwards."""
    _, steps = best_play(position, dice)
    sources = [point for point in range(1, 25) if position.own[point] > 2]
    if not sources or position.own[BAR] or len(steps) != 2:
        return None
    source = rng.choice(sources)
    moved = move(position, source, source + dice[0])
    forward = moved and move(moved[0], source, source - dice[1]) if source > dice[1] else None
    return make_error(dice, forward[0], [moved[1], forward[1]]) if moved and forward else None


def bear_off(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Bear off a checker from a lower point with a die too small or too large for it."""
    if any(position.own[7:]) or dice[0] == dice[1]:
        return None
    highest = max((point for point in range(1, 7) if position.own[point]), default=0)
    sources = [point for point in range(1, highest) if position.own[point] and point not in dice]
    if len(sources) < 2:
        return None
    board, steps = position, list[Step]()
    for source in rng.sample(sources, 2):
        moved = move(board, source, OFF)
        if moved is None:
            return None
        board, step = moved
        steps.append(step)
    return None if is_legal(position, dice, board) else make_error(dice, board, steps)


def smaller_die(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Play the smaller die, where only one can be played and it must be the larger."""
    legal = legal_plays(position, dice)
    if dice[0] == dice[1] or any(len(steps) != 1 for steps in legal.values()) or position.own[BAR]:
        return None
    sources = [point for point in range(min(dice) + 1, BAR) if position.own[point]]
    played = [move(position, source, source - min(dice)) for source in sources]
    boards = [one for one in played if one and not is_legal(position, dice, one[0])]
    board, step = rng.choice(boards) if boards else (position, None)
    return make_error(dice, board, [step]) if step else None


def five_of_doubles(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Play five steps of doubles."""
    board, steps = best_play(position, dice)
    _, further = best_play(board, dice)
    if dice[0] != dice[1] or len(steps) != 4 or not further:
        return None
    return make_error(dice, after(board, further[0]), [*steps, further[0]])


def one_of_two_entered(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Enter one of two checkers, and play the other die elsewhere."""
    entered = move(position, BAR, BAR - dice[0]) if position.own[BAR] > 1 else None
    if entered is None or dice[0] == dice[1]:
        return None
    inside = [point for point in range(dice[1] + 1, BAR) if entered[0].own[point]]
    moved = [move(entered[0], source, source - dice[1]) for source in inside]
    board, step = rng.choice([one for one in moved if one] or [(position, None)])
    legal = step is None or is_legal(position, dice, board)
    return None if legal or step is None else make_error(dice, board, [entered[1], step])


def run(amount: int) -> Kind:
    """Return the kind that runs one checker with both dice, and `amount` pips too far."""

    def kind(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
        total = sum(dice) + amount
        sources = [point for point in range(total + 1, BAR) if position.own[point]]
        moved = [move(position, source, source - total) for source in sources]
        boards = [one for one in moved if one and not is_legal(position, dice, one[0])]
        board, step = rng.choice(boards) if boards and not position.own[BAR] else (position, None)
        return make_error(dice, board, [step]) if step and dice[0] != dice[1] else None

    return kind


def early_bear_off(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Bear off a checker while others are not home yet."""
    first, second = rng.sample(dice, 2)
    off = move(position, first, OFF) if any(position.own[7:BAR]) else None
    sources = [point for point in range(second + 1, BAR) if off and off[0].own[point]]
    moved = [move(off[0], source, source - second) for source in sources if off]
    board, step = rng.choice([one for one in moved if one] or [(position, None)])
    if off is None or step is None or position.own[BAR] or is_legal(position, dice, board):
        return None
    return make_error(dice, board, [off[1], step]) if any(board.own[7:BAR]) else None


def turn_left_out(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Do not play, so that the opponent plays twice in a row; not where there is no roll to make."""
    return None if is_shut_out(position, LEFT) else Made("", position)


def hit_left(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Hit a checker and move on, and leave the one that is hit on the board."""
    for board, steps in legal_plays(position, dice).items():
        hits = sum(sum(step.marked) for step in steps)
        met = any(board.own[25 - point] and position.other[point] for point in range(1, 25))
        if hits == 1 and not met and not position.other[BAR]:
            return Made(text_of(dice, steps), Position(board.own, position.other))
    return None


KINDS: dict[str, Kind] = {
    "one pip too far": off_by((-1,)),
    "one pip short": off_by((1,)),
    "right total": off_by((1, -1)),
    "one die only": part_of_roll(1),
    "three of doubles": part_of_roll(3),
    "false dance": false_dance,
    "the opponent's roll": other_roll,
    "another number": another_number,
    "bar checker left": bar_left,
    "backwards": backwards,
    "borne off wrongly": bear_off,
    "borne off early": early_bear_off,
    "smaller die": smaller_die,
    "five of doubles": five_of_doubles,
    "one of two entered": one_of_two_entered,
    "run too far": run(1),
    "run short": run(-1),
    "run through a block": run(0),
    "twice in a row": turn_left_out,
    "hit checker left": hit_left,
}


class WithCube(NamedTuple):
    """Cells of a game with cube actions, the cube at its end, and the cells before it."""

    cells: list[str]
    cube: int
    head: str = HEAD


CubeKind = Callable[[list[str], int], WithCube]
"""Puts an error with the cube into a legal game, before the cell at an index."""


def offer(value: int) -> list[str]:
    """Return a double and its take, in the cells of the two sides."""
    return [f" Doubles => {value}", " Takes"]


def doubles_twice(cells: list[str], at: int) -> WithCube:
    """Double once more after the other side has taken."""
    return WithCube([*cells[:at], *offer(2), *cells[at : at + 2], *offer(4), *cells[at + 2 :]], 4)


def doubles_in_crawford_game(cells: list[str], at: int) -> WithCube:
    """Double in the Crawford game."""
    return WithCube([*cells[:at], *offer(2), *cells[at:]], 2, CRAWFORD)


def doubles_after_playing(cells: list[str], at: int) -> WithCube:
    """Double after one's own roll."""
    late = f"{cells[at | 1]} Doubles => 2"
    return WithCube([*cells[: at | 1], late, " Takes", "", *cells[(at | 1) + 1 :]], 2)


def doubles_too_high(cells: list[str], at: int) -> WithCube:
    """Turn the cube from 1 to 4."""
    return WithCube([*cells[:at], *offer(4), *cells[at:]], 4)


def doubles_before_opening(cells: list[str], at: int) -> WithCube:
    """Double before the first roll."""
    return WithCube([*offer(2), *cells], 2)


CUBE_KINDS: dict[str, CubeKind] = {
    "doubled twice": doubles_twice,
    "doubled in Crawford": doubles_in_crawford_game,
    "doubled out of turn": doubles_after_playing,
    "doubled to 4": doubles_too_high,
    "doubled before opening": doubles_before_opening,
}

ALL_KINDS = (*KINDS, *CUBE_KINDS)


def play_game(kind: str, rng: Random) -> bytes | None:
    """Return the record of a game with one error; None where none of the kind came about."""
    board, side, before = start_position("standard"), 0, None
    cells = list[str]()
    wanted, is_made = rng.randint(4, 30), kind in CUBE_KINDS
    for turn in range(MOST_TURNS):
        dice = rng.randint(1, 6), rng.randint(1, 6)
        while turn == 0 and dice[0] == dice[1]:
            dice = rng.randint(1, 6), rng.randint(1, 6)
        faulty = None if turn < wanted or is_made else KINDS[kind](board, dice, rng, before)
        if faulty is not None:
            text, board, is_made = *faulty, True
        else:
            board, steps = best_play(board, dice)
            text = text_of(dice, steps)
        cells.append(text)
        if not any(board.own[1:]):
            points = game_points(board.other)
            return _write_game(_with_cube(kind, cells, wanted), side, points) if is_made else None
        board, side, before = swap_sides(board), 1 - side, dice
    return None


def _with_cube(kind: str, cells: list[str], wanted: int) -> WithCube:
    at = min(wanted, len(cells) - 4)
    return CUBE_KINDS[kind](cells, at) if kind in CUBE_KINDS else WithCube(cells, 1)


def game_points(loser: tuple[int, ...]) -> int:
    if loser[OFF]:
        return 1
    return 3 if loser[BAR] or any(loser[19:25]) else 2


def _write_game(game: WithCube, winner: int, points: int) -> bytes:
    rows = [game.cells[index : index + 2] for index in range(0, len(game.cells), 2)]
    lines = [
        f"{number:3}) {left[0]:27} {left[1] if len(left) > 1 else ''}".rstrip()
        for number, left in enumerate(rows, start=1)
    ]
    points *= game.cube
    result = f"{' ' * (6 if winner == 0 else 34)}Wins {points} point{'s' * (points > 1)}"
    return (game.head + "\n".join([*lines, result]) + "\n").encode()


def records(kind: str, seed: int, count: int) -> Iterator[bytes]:
    """Yield records with one error of a kind."""
    rng, found = Random(f"{kind} {seed}"), 0
    for _ in range(count * 30):
        record = play_game(kind, rng)
        if record is not None:
            yield record
            found += 1
        if found == count:
            return


def errors_of(record: bytes) -> list[Finding]:
    """Return the errors that a check finds in a record."""
    examination, _ = check_by_all_rules(record, "played.mat", BASIC)
    return [finding for finding in examination.findings if finding.severity is Severity.ERROR]


def stands(error: Finding) -> bool:
    """Return whether an error stands. Only errors of movement have a standing."""
    return error.standing == "stands" or error.name not in MOVEMENT


def has_proof(record: bytes) -> bool:
    """Whether a repair calls anything proved in a record."""
    return any(
        proposal.proved
        for cause in find_repairs_in_file(record, "a.mat")
        for proposal in cause.proposals
    )


def main() -> None:
    """Play games of each kind, and count what a check makes of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.player_errors", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    print(f"{'':22} games  once  stands  consistent  explained away  proved")
    for kind in ALL_KINDS:
        counts = Counter[str]()
        for record in records(kind, options.seed, options.games):
            errors = errors_of(record)
            counts["games"] += 1
            counts["once"] += len(errors) == 1
            counts["stands"] += all(map(stands, errors))
            counts["consistent"] += all(error.may_be_players for error in errors)
            counts["explained away"] += any(error.proposals for error in errors)
            counts["proved"] += has_proof(record)
        row = ("games", "once", "stands", "consistent", "explained away", "proved")
        print(f"{kind:22}" + "".join(f"{counts[name]:{len(name) + 2}}" for name in row))


if __name__ == "__main__":
    main()
