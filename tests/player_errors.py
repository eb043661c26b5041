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
from bganalyze.validation.replaying.player_error_rule import MOVEMENT
from bganalyze.validation.replaying.replayed import is_shut_out

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


def write_turn(dice: Dice, steps: list[Step] | tuple[Step, ...]) -> str:
    """Return the dice and steps of a turn as match text."""
    return f"{max(dice)}{min(dice)}: {notation(steps) if steps else 'Cannot Move'}"


def choose_play(position: Position, dice: Dice) -> tuple[Position, tuple[Step, ...]]:
    """Return the legal play that looks best: the board after it, and its steps."""
    legal = legal_plays(position, dice)
    result = max(legal, key=lambda result: (score_appearance(result), result))
    return result, legal[result]


def move_checker(position: Position, source: int, target: int) -> tuple[Position, Step] | None:
    """Move a checker from `source` to `target`, whatever the dice; return the board and the step.

    Return None if no checker is on `source`, or if `target` is blocked or off the board.
    """
    if not 0 < source <= BAR or not position.own[source] or target > 24 or target == source:
        return None
    target = max(target, OFF)
    hit = bool(target) and position.other[BAR - target] == 1
    if target and position.other[BAR - target] > 1:
        return None
    step = Step((source, target), (hit,))
    return after(position, step), step


def make_error(dice: Dice, position: Position, steps: list[Step]) -> Made | None:
    """Return an illegal play of these steps to `position`.

    Return None without steps, or if the position is impossible.
    """
    if not is_possible(position) or not steps:
        return None
    return Made(write_turn(dice, steps), position)


def is_legal(position: Position, dice: Dice, result: Position) -> bool:
    """Whether a legal play of the roll leads from `position` to `result`."""
    return result in legal_plays(position, dice)


def misplace_by(amounts: tuple[int, ...]) -> Kind:
    """Return a function that makes a play whose steps end short by `amounts` pips, one for each step.

    A negative amount is that many pips too far.
    """

    def kind(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
        _, steps = choose_play(position, dice)
        board, written = position, list[Step]()
        for step, amount in zip(steps, (*amounts, 0, 0, 0, 0), strict=False):
            source, target = step.path[0], step.path[-1]
            moved = move_checker(board, source, target + amount if target else 0)
            if moved is None or (amount and not target):
                return None
            board, new = moved
            written.append(new)
        return None if is_legal(position, dice, board) else make_error(dice, board, written)

    return kind


def play_part_of_roll(count: int) -> Kind:
    """Return a function that plays only the first `count` steps of a roll."""

    def kind(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
        _, steps = choose_play(position, dice)
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


def dance_wrongly(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Play nothing, though something can be played."""
    _, steps = choose_play(position, dice)
    return Made(write_turn(dice, ()), position) if steps else None


def play_other_roll(
    position: Position, dice: Dice, rng: Random, before: Dice | None
) -> Made | None:
    """Play the roll that the opponent has just made."""
    if before is None or sorted(before) == sorted(dice):
        return None
    result, steps = choose_play(position, before)
    return None if is_legal(position, dice, result) else make_error(dice, result, [*steps])


def play_another_number(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Move one checker by a number that was not rolled."""
    other = rng.choice([die for die in range(1, 7) if die not in dice])
    return play_other_roll(position, dice, rng, (other, dice[1]))


def leave_checker_on_bar(
    position: Position, dice: Dice, rng: Random, _: Dice | None
) -> Made | None:
    """Move other checkers while one stays on the bar."""
    if not position.own[BAR]:
        return None
    inside = position._replace(own=(*position.own[:BAR], 0))
    result, steps = choose_play(inside, dice)
    result = result._replace(own=(*result.own[:BAR], position.own[BAR]))
    return None if is_legal(position, dice, result) else make_error(dice, result, [*steps])


def move_backwards(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Move a checker backwards by one die, and another one forward by the other."""
    _, steps = choose_play(position, dice)
    sources = [point for point in range(1, 25) if position.own[point] > 2]
    if not sources or position.own[BAR] or len(steps) != 2:
        return None
    source = rng.choice(sources)
    moved = move_checker(position, source, source + dice[0])
    forward = (
        moved and move_checker(moved[0], source, source - dice[1]) if source > dice[1] else None
    )
    return make_error(dice, forward[0], [moved[1], forward[1]]) if moved and forward else None


def bear_off_wrongly(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Bear off a checker from a lower point with a die too small or too large for it."""
    if any(position.own[7:]) or dice[0] == dice[1]:
        return None
    highest = max((point for point in range(1, 7) if position.own[point]), default=0)
    sources = [point for point in range(1, highest) if position.own[point] and point not in dice]
    if len(sources) < 2:
        return None
    board, steps = position, list[Step]()
    for source in rng.sample(sources, 2):
        moved = move_checker(board, source, OFF)
        if moved is None:
            return None
        board, step = moved
        steps.append(step)
    return None if is_legal(position, dice, board) else make_error(dice, board, steps)


def play_smaller_die(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Play the smaller die where either die can be played, but not both; the larger is required."""
    legal = legal_plays(position, dice)
    if dice[0] == dice[1] or any(len(steps) != 1 for steps in legal.values()) or position.own[BAR]:
        return None
    sources = [point for point in range(min(dice) + 1, BAR) if position.own[point]]
    played = [move_checker(position, source, source - min(dice)) for source in sources]
    boards = [one for one in played if one and not is_legal(position, dice, one[0])]
    board, step = rng.choice(boards) if boards else (position, None)
    return make_error(dice, board, [step]) if step else None


def play_five_of_doubles(
    position: Position, dice: Dice, rng: Random, _: Dice | None
) -> Made | None:
    """Play five steps of doubles."""
    board, steps = choose_play(position, dice)
    _, further = choose_play(board, dice)
    if dice[0] != dice[1] or len(steps) != 4 or not further:
        return None
    return make_error(dice, after(board, further[0]), [*steps, further[0]])


def enter_one_of_two(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Enter one of two checkers, and play the other die elsewhere."""
    entered = move_checker(position, BAR, BAR - dice[0]) if position.own[BAR] > 1 else None
    if entered is None or dice[0] == dice[1]:
        return None
    inside = [point for point in range(dice[1] + 1, BAR) if entered[0].own[point]]
    moved = [move_checker(entered[0], source, source - dice[1]) for source in inside]
    board, step = rng.choice([one for one in moved if one] or [(position, None)])
    legal = step is None or is_legal(position, dice, board)
    return None if legal or step is None else make_error(dice, board, [entered[1], step])


def run_too_far(amount: int) -> Kind:
    """Return a function that runs one checker by both dice together, and `amount` pips too far."""

    def kind(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
        total = sum(dice) + amount
        sources = [point for point in range(total + 1, BAR) if position.own[point]]
        moved = [move_checker(position, source, source - total) for source in sources]
        boards = [one for one in moved if one and not is_legal(position, dice, one[0])]
        board, step = rng.choice(boards) if boards and not position.own[BAR] else (position, None)
        return make_error(dice, board, [step]) if step and dice[0] != dice[1] else None

    return kind


def bear_off_early(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Bear off a checker while others are not home yet."""
    first, second = rng.sample(dice, 2)
    off = move_checker(position, first, OFF) if any(position.own[7:BAR]) else None
    sources = [point for point in range(second + 1, BAR) if off and off[0].own[point]]
    moved = [move_checker(off[0], source, source - second) for source in sources if off]
    board, step = rng.choice([one for one in moved if one] or [(position, None)])
    if off is None or step is None or position.own[BAR] or is_legal(position, dice, board):
        return None
    return make_error(dice, board, [off[1], step]) if any(board.own[7:BAR]) else None


def leave_out_turn(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Make no roll, so that the opponent plays twice in a row; not while the side is shut out."""
    return None if is_shut_out(position, LEFT) else Made("", position)


def leave_hit_checker(position: Position, dice: Dice, rng: Random, _: Dice | None) -> Made | None:
    """Hit a checker, but leave it on the board."""
    for board, steps in legal_plays(position, dice).items():
        hits = sum(sum(step.marked) for step in steps)
        met = any(board.own[25 - point] and position.other[point] for point in range(1, 25))
        if hits == 1 and not met and not position.other[BAR]:
            return Made(write_turn(dice, steps), Position(board.own, position.other))
    return None


KINDS: dict[str, Kind] = {
    "one pip too far": misplace_by((-1,)),
    "one pip short": misplace_by((1,)),
    "right total": misplace_by((1, -1)),
    "one die only": play_part_of_roll(1),
    "three of doubles": play_part_of_roll(3),
    "false dance": dance_wrongly,
    "the opponent's roll": play_other_roll,
    "another number": play_another_number,
    "bar checker left": leave_checker_on_bar,
    "backwards": move_backwards,
    "borne off wrongly": bear_off_wrongly,
    "borne off early": bear_off_early,
    "smaller die": play_smaller_die,
    "five of doubles": play_five_of_doubles,
    "one of two entered": enter_one_of_two,
    "run too far": run_too_far(1),
    "run short": run_too_far(-1),
    "run through a block": run_too_far(0),
    "twice in a row": leave_out_turn,
    "hit checker left": leave_hit_checker,
}


class WithCube(NamedTuple):
    """Cells of a game with cube actions, the cube at its end, and the cells before it."""

    cells: list[str]
    cube: int
    head: str = HEAD


CubeKind = Callable[[list[str], int], WithCube]
"""Puts an error with the cube into a legal game, before the cell at an index."""


def write_double(value: int) -> list[str]:
    """Return the cells of a double to `value` and of its take."""
    return [f" Doubles => {value}", " Takes"]


def double_twice(cells: list[str], at: int) -> WithCube:
    """Double, and double once more after the other side has taken."""
    return WithCube(
        [*cells[:at], *write_double(2), *cells[at : at + 2], *write_double(4), *cells[at + 2 :]], 4
    )


def double_in_crawford_game(cells: list[str], at: int) -> WithCube:
    """Double in the Crawford game."""
    return WithCube([*cells[:at], *write_double(2), *cells[at:]], 2, CRAWFORD)


def double_after_playing(cells: list[str], at: int) -> WithCube:
    """Double after one's own roll."""
    late = f"{cells[at | 1]} Doubles => 2"
    return WithCube([*cells[: at | 1], late, " Takes", "", *cells[(at | 1) + 1 :]], 2)


def double_too_high(cells: list[str], at: int) -> WithCube:
    """Turn the cube from 1 to 4."""
    return WithCube([*cells[:at], *write_double(4), *cells[at:]], 4)


def double_before_opening(cells: list[str], at: int) -> WithCube:
    """Double before the first roll."""
    return WithCube([*write_double(2), *cells], 2)


CUBE_KINDS: dict[str, CubeKind] = {
    "doubled twice": double_twice,
    "doubled in Crawford": double_in_crawford_game,
    "doubled out of turn": double_after_playing,
    "doubled to 4": double_too_high,
    "doubled before opening": double_before_opening,
}

ALL_KINDS = (*KINDS, *CUBE_KINDS)


def play_game(kind: str, rng: Random) -> bytes | None:
    """Return a match file of a game with one error of a kind, or None if no chance for it arose."""
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
            board, steps = choose_play(board, dice)
            text = write_turn(dice, steps)
        cells.append(text)
        if not any(board.own[1:]):
            points = count_points(board.other)
            return (
                _write_game(_insert_cube_error(kind, cells, wanted), side, points)
                if is_made
                else None
            )
        board, side, before = swap_sides(board), 1 - side, dice
    return None


def _insert_cube_error(kind: str, cells: list[str], wanted: int) -> WithCube:
    """Return the cells with a cube error of `kind` before index `wanted`; unchanged for other kinds."""
    at = min(wanted, len(cells) - 4)
    return CUBE_KINDS[kind](cells, at) if kind in CUBE_KINDS else WithCube(cells, 1)


def count_points(loser: tuple[int, ...]) -> int:
    """Return the points won without the cube: 1, or more for a gammon or a backgammon."""
    if loser[OFF]:
        return 1
    return 3 if loser[BAR] or any(loser[19:25]) else 2


def _write_game(game: WithCube, winner: int, points: int) -> bytes:
    """Return a match file of a game with its result line."""
    rows = [game.cells[index : index + 2] for index in range(0, len(game.cells), 2)]
    lines = [
        f"{number:3}) {left[0]:27} {left[1] if len(left) > 1 else ''}".rstrip()
        for number, left in enumerate(rows, start=1)
    ]
    points *= game.cube
    result = f"{' ' * (6 if winner == 0 else 34)}Wins {points} point{'s' * (points > 1)}"
    return (game.head + "\n".join([*lines, result]) + "\n").encode()


def make_match_files(kind: str, seed: int, count: int) -> Iterator[bytes]:
    """Yield `count` match files with one error of a kind."""
    rng, found = Random(f"{kind} {seed}"), 0
    for _ in range(count * 30):
        record = play_game(kind, rng)
        if record is not None:
            yield record
            found += 1
        if found == count:
            return


def find_errors(record: bytes) -> list[Finding]:
    """Return the errors that a check finds in a match file."""
    examination, _ = check_by_all_rules(record, "played.mat", BASIC)
    return [finding for finding in examination.findings if finding.severity is Severity.ERROR]


def stands(error: Finding) -> bool:
    """Whether an error stands. Errors other than those of movement have no standing, and do."""
    return error.standing == "stands" or error.name not in MOVEMENT


def has_proof(record: bytes) -> bool:
    """Whether a repair of a match file has a proved proposal."""
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
        for record in make_match_files(kind, options.seed, options.games):
            errors = find_errors(record)
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
