"""Faults of the steps of a play, as they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from bganalyze.board.plays import check_play
from bganalyze.board.position import BAR, OFF
from tests.faults.damage import Damage, first_of, make_damage
from tests.faults.plays import replace_play
from tests.faults.record import Act, Record, play_text, steps_of, words

_NUMBER = re.compile(r"[0-9]+")


def _respell(
    record: Record,
    rng: Random,
    spell: Callable[[list[int]], Sequence[int | str] | None],
    write: Callable[[Record, Act, list[str]], Damage | None],
) -> Damage | None:
    """Write the points of one step of a play otherwise, hit marks where they were."""

    def make(act: Act) -> Damage | None:
        step_words = words(record.text(act))
        index = rng.randrange(len(step_words))
        if "(" in step_words[index]:
            return None
        [step] = steps_of([step_words[index]])
        points = spell([*step.path])
        if points is None:
            return None
        spelled = zip(step_words[index].split("/"), step.path, points, strict=True)
        step_words[index] = "/".join(
            word if new == old else f"{new}{'*' * word.endswith('*')}" for word, old, new in spelled
        )
        return write(record, act, step_words)

    return first_of(rng, record.plays, make)


def _rewritten(record: Record, act: Act, step_words: list[str]) -> Damage | None:
    return make_damage(record, record.written(act, play_text(act.action.dice, step_words)))


def _move_end(rng: Random, end: int) -> Callable[[list[int]], list[int] | None]:
    """Return a function that moves one end of a step to another point."""

    def spell(points: list[int]) -> list[int] | None:
        points[end] += rng.choice((-3, -2, -1, 1, 2, 3))
        return points if OFF <= points[end] < BAR else None

    return spell


def step_target(record: Record, rng: Random) -> Damage | None:
    """End a step on another point."""
    return _respell(record, rng, _move_end(rng, -1), replace_play)


def step_source(record: Record, rng: Random) -> Damage | None:
    """Start a step from another point."""
    return _respell(record, rng, _move_end(rng, 0), replace_play)


def point_off_by_one(record: Record, rng: Random) -> Damage | None:
    """Move the start or end of a step by one point."""

    def spell(points: list[int]) -> list[int] | None:
        at = rng.choice((0, -1))
        points[at] += rng.choice((-1, 1))
        return points if OFF <= points[at] <= BAR else None

    return _respell(record, rng, spell, _rewritten)


def direction(record: Record, rng: Random) -> Damage | None:
    """Exchange the start and end of a step."""
    return _respell(record, rng, lambda points: points[::-1], _rewritten)


def digits_transposed(record: Record, rng: Random) -> Damage | None:
    """Exchange the two digits of a point."""

    def spell(points: list[int]) -> list[int | str] | None:
        twofold = [at for at, point in enumerate(points) if 10 <= point <= 24 and point % 11]
        if not twofold:
            return None
        at = rng.choice(twofold)
        return [*points[:at], str(points[at])[::-1], *points[at + 1 :]]

    return _respell(record, rng, spell, _rewritten)


def letter_for_digit(record: Record, rng: Random) -> Damage | None:
    """Replace a digit by a letter that looks like it: O for 0, l for 1."""

    def make(act: Act) -> Damage | None:
        cell = record.text(act)
        alike = [at for at, character in enumerate(cell) if character in "01"]
        if not alike:
            return None
        at = rng.choice(alike)
        new = cell[:at] + {"0": "O", "1": "l"}[cell[at]] + cell[at + 1 :]
        return make_damage(record, record.written(act, new))

    return first_of(rng, record.plays, make)


def other_side_points(record: Record, rng: Random) -> Damage | None:
    """Count the points of a play from the other side of the board."""

    def make(act: Act) -> Damage | None:
        step_words = [
            _NUMBER.sub(lambda number: str(25 - int(number[0])), word.partition("(")[0])
            for word in words(record.text(act))
            if "(" not in word and not re.search(r"(?<![0-9])(?:0|25)(?![0-9])", word)
        ]
        if len(step_words) != len(words(record.text(act))):
            return None
        return _rewritten(record, act, step_words)

    return first_of(rng, record.plays, make)


def missing_step(record: Record, rng: Random) -> Damage | None:
    """Lose one of several steps."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        if len(cells) < 2:
            return None
        del cells[rng.randrange(len(cells))]
        return replace_play(record, act, cells)

    return first_of(rng, record.plays, make)


def extra_step(record: Record, rng: Random) -> Damage | None:
    """Add a step of a checker that is there."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        end, _ = check_play(act.position, act.action.dice, act.action.steps, record.marks)
        sources = [point for point in range(2, BAR) if end.own[point]]
        if not sources:
            return None
        source = rng.choice(sources)
        target = max(source - rng.choice(act.action.dice), 1)
        return replace_play(record, act, [*cells, f"{source}/{target}"])

    return first_of(rng, record.plays, make)


def doubled_step(record: Record, rng: Random) -> Damage | None:
    """Write a step twice."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        index = rng.randrange(len(cells))
        cells.insert(index, cells[index].replace("*", ""))
        return replace_play(record, act, cells)

    return first_of(rng, record.plays, make)


def false_hit_mark(record: Record, rng: Random) -> Damage | None:
    """Mark a step as a hit that hits nothing."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        index = rng.randrange(len(cells))
        path = steps_of([cells[index]])[0].path
        if act.position.other[BAR - path[-1]] or path[-1] == OFF or "(" in cells[index]:
            return None
        cells[index] += "*"
        lines = record.written(act, play_text(act.action.dice, cells))
        return make_damage(record, lines, {(act.line, "T109")})

    return first_of(rng, record.plays, make)


def hit_mark_lost(record: Record, rng: Random) -> Damage | None:
    """Lose the mark of a hit in a record that marks hits."""

    def make(act: Act) -> Damage | None:
        cell = record.text(act)
        marks = [at for at, character in enumerate(cell) if character == "*"]
        if not marks:
            return None
        at = rng.choice(marks)
        return make_damage(record, record.written(act, cell[:at] + cell[at + 1 :]))

    return first_of(rng, record.plays, make)
