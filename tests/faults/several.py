"""Several slips in one record."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.faults import dice, plays, steps, turns
from tests.faults.damage import Damage, Maker, Part, errors, first_of
from tests.faults.record import Record

_STEP_DRAWS = 8
_MANY = 8

SHARED: tuple[Maker, ...] = (
    dice.die,
    steps.missing_step,
    steps.extra_step,
    dice.missing_roll,
    plays.emptied,
    turns.swapped_cells,
    dice.dice_exchanged,
    dice.dice_of_another_cell,
    steps.point_off_by_one,
    steps.direction,
    steps.digits_transposed,
    steps.letter_for_digit,
    steps.other_side_points,
    plays.unreadable,
    plays.nearest_legal,
    plays.random_legal,
)
"""Slips of a single row; a record may have several."""


def _lines_of_plays(record: Record, game: int) -> list[int]:
    return sorted({act.line for act in record.plays if act.game == game})


def _several(record: Record, rng: Random, lines: Sequence[int]) -> Damage | None:
    """Make a slip in each of these lines, one that breaks the rules by itself."""
    parts: list[Part] = []
    for line in sorted(lines):
        slip = _one_in(record, rng, line)
        if slip is None:
            return None
        parts += slip.parts
    return Damage(record.lines, tuple(parts))


def _one_in(record: Record, rng: Random, line: int) -> Damage | None:
    row = record.only(line)
    for make in rng.choices(SHARED, k=_STEP_DRAWS):
        slip = make(row, rng)
        if slip is not None and errors(record, slip.lines):
            return slip
    return None


def slips_in_a_game(count: int) -> Maker:
    """Return a function that makes `count` slips in different rows of one game."""

    def make_slips(record: Record, rng: Random) -> Damage | None:
        def make(game: int) -> Damage | None:
            lines = _lines_of_plays(record, game)
            if len(lines) < 3 * count:
                return None
            return _several(record, rng, rng.sample(lines, count))

        return first_of(rng, list(range(len(record.games))), make)

    make_slips.__doc__ = f"{count} slips in different rows of one game."
    return make_slips


def slips_in_neighboring_rows(record: Record, rng: Random) -> Damage | None:
    """Make a slip in each of two neighboring rows."""
    return first_of(rng, record.neighbors, lambda pair: _several(record, rng, pair))


def slip_in_each_game(record: Record, rng: Random) -> Damage | None:
    """Make a slip in each game of a match of at least three."""
    if len(record.games) < 3:
        return None
    lines = [_lines_of_plays(record, game) for game in range(len(record.games))]
    for _ in range(_STEP_DRAWS):
        slip = _several(record, rng, [rng.choice(of) for of in lines if of])
        if slip is not None:
            return slip
    return None


def many_steps_lost(record: Record, rng: Random) -> Damage:
    """Eight plays of each game, or all of a short one, without one of their steps."""
    parts: list[Part] = []
    for game in range(len(record.games)):
        lines = _lines_of_plays(record, game)
        for line in rng.sample(lines, min(_MANY, len(lines))):
            slip = steps.missing_step(record.only(line), rng)
            parts += slip.parts if slip else ()
    return Damage(record.lines, tuple(sorted(parts)))
