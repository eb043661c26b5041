"""Slips within a cell: its roll, its steps."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from bganalyze.board.faults import fit, legs
from bganalyze.board.faults import roll as numbers
from bganalyze.board.movement import ROLLS
from bganalyze.board.plays import check_play, legal_plays, notation
from bganalyze.board.position import BAR, OFF, Position, Step
from tests.faults.damage import Damage, damaged, errors, first_of
from tests.faults.record import Act, Record, play_text, steps_of, words

Steps = tuple[Step, ...]

_NUMBER = re.compile(r"[0-9]+")


def _rewritten(record: Record, act: Act, text: str) -> Damage | None:
    return damaged(record, record.written(act, text))


# -- the roll -----------------------------------------------------------------------------------


def dice_of_another_cell(record: Record, rng: Random) -> Damage | None:
    """A roll is that of a neighbouring cell: the row above or below, or the other side."""

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
        return _rewritten(record, act, rng.choice(rolls) + record.text(act)[2:])

    return first_of(rng, record.plays, make)


# -- the steps -----------------------------------------------------------------------------------


def _respelled(
    record: Record, rng: Random, step: Callable[[list[int]], list[int | str] | None]
) -> Damage | None:
    """Write the points of one step of a play otherwise, hit marks where they were."""

    def make(act: Act) -> Damage | None:
        step_words = words(record.text(act))
        index = rng.randrange(len(step_words))
        [*_, last] = steps_of([step_words[index]])
        points = step(list(last.path))
        if points is None or "(" in step_words[index]:
            return None
        marks = ("", *("*" if marked else "" for marked in last.marked))
        step_words[index] = "/".join(f"{p}{mark}" for p, mark in zip(points, marks, strict=True))
        return _rewritten(record, act, play_text(act.action.dice, step_words))

    return first_of(rng, record.plays, make)


def point_off_by_one(record: Record, rng: Random) -> Damage | None:
    """A step starts or ends on the point beside the right one."""

    def step(points: list[int]) -> list[int | str] | None:
        at = rng.choice((0, -1))
        points[at] += rng.choice((-1, 1))
        return [*points] if OFF <= points[at] <= BAR else None

    return _respelled(record, rng, step)


def direction(record: Record, rng: Random) -> Damage | None:
    """A step is written from where it ends to where it starts."""
    return _respelled(record, rng, lambda points: [*reversed(points)])


def digits_transposed(record: Record, rng: Random) -> Damage | None:
    """The two digits of a point are exchanged."""

    def step(points: list[int]) -> list[int | str] | None:
        twofold = [at for at, point in enumerate(points) if 10 <= point <= 24 and point % 11]
        if not twofold:
            return None
        at = rng.choice(twofold)
        return [*points[:at], str(points[at])[::-1], *points[at + 1 :]]

    return _respelled(record, rng, step)


def letter_for_digit(record: Record, rng: Random) -> Damage | None:
    """A letter that looks like a digit stands in its place: O for 0, l for 1."""

    def make(act: Act) -> Damage | None:
        cell = record.text(act)
        alike = [at for at, character in enumerate(cell) if character in "01"]
        if not alike:
            return None
        at = rng.choice(alike)
        return _rewritten(record, act, cell[:at] + {"0": "O", "1": "l"}[cell[at]] + cell[at + 1 :])

    return first_of(rng, record.plays, make)


def other_side_points(record: Record, rng: Random) -> Damage | None:
    """The points of a play are counted from the other side of the board."""

    def make(act: Act) -> Damage | None:
        step_words = [
            _NUMBER.sub(lambda number: str(25 - int(number[0])), word.partition("(")[0])
            for word in words(record.text(act))
            if "(" not in word and not re.search(r"(?<![0-9])(?:0|25)(?![0-9])", word)
        ]
        if len(step_words) != len(words(record.text(act))):
            return None
        return _rewritten(record, act, play_text(act.action.dice, step_words))

    return first_of(rng, record.plays, make)


def unreadable(record: Record, rng: Random) -> Damage | None:
    """The roll stands, its play is three question marks."""
    return first_of(
        rng, record.plays, lambda act: _rewritten(record, act, record.text(act)[:3] + " ???")
    )


def nearest_legal(record: Record, rng: Random) -> Damage | None:
    """Another legal play of the roll, with as few checkers moved otherwise as can be."""

    def make(act: Act) -> Damage | None:
        end, others = _other_plays(record, act)
        if not others:
            return None
        least = min(_moved(end, other) for other in others)
        near = [other for other in others if _moved(end, other) == least]
        return _rewritten(record, act, play_of(act, others[rng.choice(near)]))

    return first_of(rng, record.plays, make)


def random_legal(record: Record, rng: Random) -> Damage | None:
    """Any other legal play of the roll."""

    def make(act: Act) -> Damage | None:
        _, others = _other_plays(record, act)
        if not others:
            return None
        return _rewritten(record, act, play_of(act, others[rng.choice(list(others))]))

    return first_of(rng, record.plays, make)


def _other_plays(record: Record, act: Act) -> tuple[Position, dict[Position, Steps]]:
    """What a play leaves, and by what they leave the other legal plays of its roll."""
    end, _ = check_play(act.position, act.action.dice, act.action.steps, record.marks)
    plays = legal_plays(act.position, act.action.dice)
    return end, {other: steps for other, steps in plays.items() if other != end and steps}


def _moved(position: Position, other: Position) -> int:
    return sum(abs(a - b) for a, b in zip(position.own, other.own, strict=True))


def play_of(act: Act, steps: Steps) -> str:
    return play_text(act.action.dice, notation(steps).split())


def hit_mark_lost(record: Record, rng: Random) -> Damage | None:
    """A hit is not marked where the record marks hits."""

    def make(act: Act) -> Damage | None:
        cell = record.text(act)
        marks = [at for at, character in enumerate(cell) if character == "*"]
        if not marks:
            return None
        at = rng.choice(marks)
        return _rewritten(record, act, cell[:at] + cell[at + 1 :])

    return first_of(rng, record.plays, make)


# -- what nothing tells --------------------------------------------------------------------------


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
    """What a slip has left where an action stands in the clean record."""
    span = act.action.span
    return slip.parts[0].now[0][span.column - 1 : span.end_column - 1]


def _alike(roll: str, changed: str) -> int:
    return sum(digit == changed_digit for digit, changed_digit in zip(roll, changed, strict=False))


def _has_high_first(record: Record) -> bool:
    """Whether the record sorts the dice of each roll."""
    return all(act.action.dice[0] >= act.action.dice[1] for act in record.plays)


def _covers(roll: str, steps: Steps) -> bool:
    """Whether the dice cover the steps as they are written, each with dice of its own."""
    dice = int(roll[0]), int(roll[1])
    return fit(legs(steps), numbers(dice)).legs == len(legs(steps))
