"""The table of turns: a row for each roll, with what was done with it and what the boards show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache, partial

import numpy as np

from bganalyze.board.plays import Dice, legal_plays, notation
from bganalyze.board.position import BAR, OFF, PHASES, RACE
from bganalyze.statistics.features.boards import Array, position_of
from bganalyze.statistics.features.chances import INDEX, hitting_rolls, is_forced, shots
from bganalyze.statistics.features.structure import (
    anchors,
    blots,
    home_points,
    longest_prime,
    pips,
    points_gained,
    points_held,
    quadrants,
)
from bganalyze.statistics.tables.cubes import race_columns
from bganalyze.statistics.tables.rolls import CENTERED, LEGALITIES, RecordedRolls, recorded
from bganalyze.statistics.tables.schema import (
    GAME,
    LINE,
    MATCH,
    SIDES,
    TURN,
    Column,
    Columns,
    Schema,
    as_arrays,
    category,
    flag,
    number,
)
from bganalyze.validation.replaying import MatchReplay

OWNERS = ("centered", "own", "opposing")

GROUPS = ("checker", "shots", "race", "plays")
"""Columns that take long to compute belong to a group, and are made only where it is asked for."""

REPLIES = 2
"""How many rolls of each side have their play spelled out."""


def _cube_owner(rolls: RecordedRolls) -> Array:
    owner = rolls.owner
    return np.select([owner == CENTERED, owner == rolls.side], [0, 1], 2).astype(np.int8)


def _may_double(rolls: RecordedRolls) -> Array:
    return np.asarray(rolls.cube_in_reach & rolls.is_new & ~rolls.opening)


_OF_ALL = (
    MATCH,
    GAME,
    TURN,
    LINE,
    category("side", "Who rolls.", choices=SIDES),
    number("play", "The roll's number among those of its side in the game, counted from 1."),
    Column("high", "int8", "The higher die; 0 if no roll is recorded."),
    Column("low", "int8", "The lower die."),
    flag(
        "counts",
        "Whether tests of the dice count the roll: both dice are recorded, and it is neither a second roll in a turn nor that of a play made again.",
    ),
    flag(
        "opening",
        "Whether it is the first roll of a game from the starting position; a double there is a fault.",
    ),
    category("legality", "Whether the play is legal.", choices=LEGALITIES),
    flag("verified", "Whether the board before it is beyond doubt."),
    category("phase", "The phase of the position before the play.", choices=PHASES),
    Column("pips", "int16", "The pip count of the side that rolls, before the play."),
    Column("opposing_pips", "int16", "The pip count of its opponent."),
    number("cube", "The value of the cube."),
    category("cube_owner", "Who held the cube, seen by the side that rolls.", _cube_owner, OWNERS),
    flag(
        "may_double",
        "Whether that side could have doubled before rolling: the cube in reach, not dead and below its limit, no opening roll, no Crawford game, no play made again.",
        _may_double,
    ),
    Column(
        "seconds",
        "float32",
        "How long the roll and its play took by the clock of the record, since the action before; missing where that is not known.",
    ),
)

# What the play did with the checkers.


def _forced(rolls: RecordedRolls) -> Array:
    forced = np.zeros(len(rolls.moved), dtype=bool)
    played = rolls.is_legal & (rolls.moved > 0)
    forced[played] = is_forced(rolls.before.take(played), rolls.high[played], rolls.low[played])
    return forced


def _stopped(rolls: RecordedRolls) -> Array:
    bar, high, low, moved = rolls.on_bar, rolls.high, rolls.low, rolls.moved
    all_in = (bar > 0) & (rolls.after.own[:, BAR] == 0)
    one_die = (bar == 1) & ((moved == high) | (moved == low))
    entered_only = (moved == bar.astype(np.int16) * high) & (bar < 4)
    return np.asarray(rolls.is_legal & all_in & np.where(rolls.is_double, entered_only, one_die))


def _pips_wasted(rolls: RecordedRolls) -> Array:
    rolled = np.where(rolls.is_double, 4 * rolls.high, rolls.high + rolls.low)
    return np.where(rolls.bearing_off, rolled - rolls.moved, 0)


def _more(after: Array, before: Array) -> Array:
    """How many more there are after a play; counts are kept in bytes, which cannot be negative."""
    return np.asarray(after.astype(np.int16) - before)


def _chance(name: str) -> Callable[[RecordedRolls], Array]:
    return lambda rolls: getattr(rolls.entering, name)


_checker = partial(Column, group="checker")

_CHECKER = (
    _checker("pips_moved", "int16", "Pips that the side's checkers moved.", lambda t: t.moved),
    _checker(
        "forced", "bool", "Whether the play was the only legal one; a dance is none.", _forced
    ),
    _checker(
        "danced", "bool", "Whether nothing could be played.", lambda t: t.is_legal & (t.moved == 0)
    ),
    _checker(
        "hits",
        "int8",
        "Opposing checkers hit.",
        lambda t: _more(t.after.other[:, BAR], t.before.other[:, BAR]),
    ),
    _checker(
        "pips_sent_back",
        "int16",
        "Pips that the opponent lost by them.",
        lambda t: pips(t.after.other) - t.opposing_pips,
    ),
    _checker("on_bar", "int8", "Own checkers on the bar before the play."),
    _checker(
        "left_on_bar", "int8", "Own checkers on the bar after it.", lambda t: t.after.own[:, BAR]
    ),
    _checker(
        "stopped",
        "bool",
        "Whether all entered, dice were left, and nothing more could be played.",
        _stopped,
    ),
    _checker(
        "closed",
        "int8",
        "Points of the opponent's home board that are blocked, of 6.",
        _chance("closed"),
    ),
    _checker(
        "dance_chance",
        "float32",
        "The chance over the 36 rolls that no checker enters; 0 with none on the bar.",
        _chance("dances"),
    ),
    _checker(
        "dance_66_chance",
        "float32",
        "The chance of a 6-6 that no checker enters with: 1 in 36 where a 6 is blocked.",
        _chance("dances_66"),
    ),
    _checker(
        "entering_some_chance",
        "float32",
        "The chance that some enter and some do not.",
        _chance("enters_some"),
    ),
    _checker("stopping_chance", "float32", "The chance of `stopped`.", _chance("stops")),
    _checker(
        "blots_left",
        "int8",
        "Own blots on the points after the play.",
        lambda t: blots(t.after.own),
    ),
    _checker(
        "points_held",
        "int8",
        "Points with two own checkers or more after the play.",
        lambda t: points_held(t.after.own),
    ),
    _checker(
        "points_gained",
        "int8",
        "Points held after the play that were not held before.",
        lambda t: points_gained(t.before.own, t.after.own),
    ),
    _checker(
        "home_points",
        "int8",
        "Points held in the own home board after the play, of 6.",
        lambda t: home_points(t.after.own),
    ),
    _checker(
        "longest_prime",
        "int8",
        "The longest row of points held after the play.",
        lambda t: longest_prime(t.after.own),
    ),
    _checker(
        "anchors",
        "int8",
        "Points held in the opponent's home board after the play.",
        lambda t: anchors(t.after.own),
    ),
    _checker(
        "crossovers",
        "int8",
        "Quarters of the board crossed; entering and bearing off are one each.",
        lambda t: quadrants(t.before.own) - quadrants(t.after.own),
    ),
    _checker(
        "borne_off",
        "int8",
        "Checkers borne off.",
        lambda t: _more(t.after.own[:, OFF], t.before.own[:, OFF]),
    ),
    _checker(
        "bearing_off",
        "bool",
        "Whether it is a turn of bearing off: all own checkers at home, no contact, and not the roll that wins.",
    ),
    _checker("pips_wasted", "int8", "Pips rolled in such a turn that moved nothing.", _pips_wasted),
)

# The shots a side had when it rolled, and those its play left.


def _shot_rolled(rolls: RecordedRolls) -> Array:
    dice = zip(rolls.high, rolls.low, strict=True)
    index = np.array([INDEX.get(roll, 0) for roll in dice], dtype=int)
    hits = rolls.hitting[np.arange(len(index)), index] if len(index) else np.zeros(0, dtype=bool)
    return np.asarray(hits & (rolls.high > 0))


def _shots_left(rolls: RecordedRolls) -> Array:
    """The shots against each board that was left: those of the next roll, where it is made there."""
    before, left, had = rolls.before, rolls.after.swapped, shots(rolls.hitting)
    made_there = np.zeros(len(had), dtype=bool)
    made_there[:-1] = (left.own[:-1] == before.own[1:]).all(axis=1)
    made_there[:-1] &= (left.other[:-1] == before.other[1:]).all(axis=1)
    shots_left = np.roll(had, -1)
    others = np.flatnonzero(~made_there)
    shots_left[others] = shots(hitting_rolls(left.take(others)))
    return shots_left


_shot = partial(Column, group="shots")

_SHOTS = (
    _shot(
        "shots",
        "int8",
        "How many of the 36 rolls could hit, before the roll.",
        lambda t: shots(t.hitting),
    ),
    _shot("shot_rolled", "bool", "Whether the roll was one of them.", _shot_rolled),
    _shot(
        "shots_left",
        "int8",
        "How many of the 36 rolls could hit the side after its play.",
        _shots_left,
    ),
)

# The plays of the opening in one spelling.


def _written(rolls: RecordedRolls) -> list[str | None]:
    written: list[str | None] = [None] * len(rolls.play)
    early = rolls.is_legal & (rolls.play <= REPLIES)
    for row in np.flatnonzero(early).tolist():
        dice = (int(rolls.high[row]), int(rolls.low[row]))
        written[row] = _spelled(rolls.before.board(row), dice, rolls.after.board(row))
    return written


@lru_cache(maxsize=1 << 14)
def _spelled(before: bytes, dice: Dice, after: bytes) -> str | None:
    """The play that leaves a board; the same openings are met again and again.

    Boards are bytes: remembered as positions, they take 6 MB more after 1,000 matches.
    """
    steps = legal_plays(position_of(before), dice).get(position_of(after))
    return None if steps is None else notation(steps)


SCHEMA = Schema(
    "turns",
    "One row for each roll that is recorded; none for those that the record repeats.",
    ("match", "game", "turn"),
    (
        *_OF_ALL,
        *_CHECKER,
        *_SHOTS,
        flag(
            "race", "Whether there is no contact any more.", lambda t: t.phase >= RACE, group="race"
        ),
        *race_columns("race"),
        category(
            "written",
            "The play in one spelling, of each side's first two rolls.",
            _written,
            group="plays",
        ),
    ),
)


def columns(replays: Iterable[MatchReplay], groups: Collection[str]) -> Columns:
    """Return the columns of some matches, counted from 0."""
    return as_arrays(recorded(replays), SCHEMA.in_groups(groups))
