"""Faults of a roll."""

from __future__ import annotations

from random import Random

from bganalyze.board.movement import ROLLS
from bganalyze.board.play_faults import dice_to_play as numbers
from bganalyze.board.play_faults import fit_dice, list_legs
from bganalyze.board.plays import Dice, check_play, legal_plays, notation
from bganalyze.board.position import Step
from bganalyze.record.model import Play
from tests.faults.damage import Damage, errors, first_of, make_damage
from tests.faults.plays import places_of_play
from tests.faults.record import Act, Record, play_text, words
from tests.faults.referee import as_boards, is_shut_out


def is_first_roll(record: Record, act: Act) -> bool:
    """Return whether this is the first roll of its game."""
    return not any(
        isinstance(other.action, Play) and other.at < act.at for other in record.games[act.game]
    )


def die(record: Record, rng: Random) -> Damage | None:
    """Change one die."""
    return first_of(rng, record.plays, lambda act: _other_die(record, rng, act))


def die_of_dance(record: Record, rng: Random) -> Damage | None:
    """Change one die of a roll that could not be played."""
    return first_of(rng, record.dances, lambda act: _other_die(record, rng, act))


def _other_die(record: Record, rng: Random, act: Act) -> Damage | None:
    dice = list(act.action.dice)
    dice[rng.randrange(2)] = rng.randint(1, 6)
    if sorted(dice) == sorted(act.action.dice):
        return None
    if dice[0] == dice[1] and is_first_roll(record, act):
        return None
    return _with_roll(record, act, (dice[0], dice[1]))


def _with_roll(record: Record, act: Act, dice: Dice) -> Damage | None:
    text = record.text(act)
    lines = record.written(act, f"{dice[0]}{dice[1]}{text[2:]}")
    exact = places_of_play(record, act, dice, words(text), act.action.how)
    return make_damage(record, lines, exact)


def double_roll(record: Record, rng: Random) -> Damage | None:
    """Write the number of one die for both."""

    def make(act: Act) -> Damage | None:
        larger, smaller = act.action.dice
        number = rng.choice((larger, smaller))
        if larger == smaller or is_first_roll(record, act):
            return None
        return _with_roll(record, act, (number, number))

    return first_of(rng, record.plays, make)


def impossible_die(record: Record, rng: Random) -> Damage | None:
    """Write 0, 7, 8 or 9 for a die."""

    def make(act: Act) -> Damage | None:
        dice = list(act.action.dice)
        dice[rng.randrange(2)] = rng.choice((0, 7, 8, 9))
        text = f"{dice[0]}{dice[1]}{record.text(act)[2:]}"
        return make_damage(record, record.written(act, text), {(act.line, "D301")})

    return first_of(rng, record.plays, make)


def opening_double(record: Record, rng: Random) -> Damage | None:
    """Make the first roll of a game doubles, and keep its play."""

    def make(act: Act) -> Damage | None:
        number = rng.choice(act.action.dice)
        text = f"{number}{number}{record.text(act)[2:]}"
        movement = {(act.line, f"P4{number:02}") for number in (*range(1, 13), 99)}
        lines = record.written(act, text)
        return make_damage(record, lines, {(act.line, "D302")}, movement)

    return first_of(rng, [act for act in record.plays if is_first_roll(record, act)], make)


def missing_roll(record: Record, rng: Random) -> Damage | None:
    """Lose the roll before a play."""

    def make(act: Act) -> Damage | None:
        text = record.text(act)
        lines = record.written(act, " " * 4 + text[4:])
        return make_damage(record, lines, {(act.line, "D304")})

    return first_of(rng, record.plays, make)


def second_roll(record: Record, rng: Random) -> Damage | None:
    """Write a second roll, legally played, in the same cell."""

    def make(act: Act) -> Damage | None:
        if act.side != 1 or len(record.on_line(act.line)) != 2 or record.following(act) is None:
            return None
        end, _ = check_play(act.position, act.action.dice, act.action.steps, record.marks)
        dice = rng.sample(range(1, 7), 2)
        plays = [steps for steps in legal_plays(end, (dice[0], dice[1])).values() if steps]
        if not plays or not any(end.own[1:]) or is_shut_out(as_boards(end, act.side), 0):
            return None
        second_play = play_text((dice[0], dice[1]), [notation(rng.choice(plays))])
        lines = record.written(act, f"{record.text(act)} {second_play}")
        return make_damage(record, lines, {(act.line, "D305")})

    return first_of(rng, record.plays, make)


def dice_of_another_cell(record: Record, rng: Random) -> Damage | None:
    """Replace a roll by that of a neighboring cell: the row above or below, or the other side."""

    def make(act: Act) -> Damage | None:
        near = [record.following(act, by) for by in (-2, -1, 1, 2)]
        rolls = [
            record.text(other)[:2]
            for other in near
            if other is not None and other in record.plays
            if sorted(other.action.dice) != sorted(act.action.dice)
        ]
        if not rolls:
            return None
        return make_damage(record, record.written(act, rng.choice(rolls) + record.text(act)[2:]))

    return first_of(rng, record.plays, make)


def dice_exchanged(record: Record, rng: Random) -> Damage | None:
    """Exchange the rolls of the two plays of a row."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        left, right = (record.text(act) for act in pair)
        cells = right[:2] + left[2:], left[:2] + right[2:]
        new = record.row(pair[0].action.row, *cells)
        return make_damage(record, record.with_line(pair[0].line, new))

    return first_of(rng, record.full_rows, make)


# -- damage that the record does not reveal --------------------------------------------------------


def tells_roll(record: Record, slip: Damage) -> bool:
    """Whether nothing but the roll that a slip in one cell has changed would explain the record.

    Another would if it is as near to what is written, and the play as written is legal with it, die
    for die, and all that follows.
    """
    [part] = slip.parts
    act = next(act for act in record.on_line(part.start + 1) if record.text(act) != _now(slip, act))
    text, changed = record.text(act), _now(slip, act)
    roll = text[:2]
    near = _alike(roll, changed)
    others = (f"{high}{low}" for pair in ROLLS for high, low in {pair, pair[::-1]})
    return not any(
        sorted(other) != sorted(roll)
        and _alike(other, changed) >= near
        and (other[0] >= other[1] or not _has_high_first(record))
        and _covers(other, act.action.steps)
        and errors(record, record.written(act, other + text[2:])) == 0
        for other in others
    )


def _now(slip: Damage, act: Act) -> str:
    """Return the text at the place of an action after the slip."""
    span = act.action.span
    return slip.parts[0].now[0][span.column - 1 : span.end_column - 1]


def _alike(roll: str, changed: str) -> int:
    return sum(digit == changed_digit for digit, changed_digit in zip(roll, changed, strict=False))


def _has_high_first(record: Record) -> bool:
    """Whether the record sorts the dice of each roll."""
    return all(act.action.dice[0] >= act.action.dice[1] for act in record.plays)


def _covers(roll: str, steps: tuple[Step, ...]) -> bool:
    """Whether the dice cover the steps as they are written, each with dice of its own."""
    dice = int(roll[0]), int(roll[1])
    return fit_dice(list_legs(steps), numbers(dice)).legs == len(list_legs(steps))
