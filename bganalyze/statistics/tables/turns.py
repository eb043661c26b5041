"""The table of turns: a row for each roll, with its play and the features of the boards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache, partial

import numpy as np

from bganalyze.board.plays import Dice, legal_plays, notation
from bganalyze.board.position import BAR, OFF, PHASES, RACE
from bganalyze.statistics.features.boards import Array, position_of
from bganalyze.statistics.features.chances import INDEX, count_shots, find_hitting_rolls, is_forced
from bganalyze.statistics.features.structure import (
    count_anchors,
    count_blots,
    count_crossovers,
    count_home_points,
    count_pips,
    count_points_held,
    count_points_made,
    longest_prime,
)
from bganalyze.statistics.tables.cubes import declare_race_columns
from bganalyze.statistics.tables.rolls import CENTERED, LEGALITIES, RecordedRolls, record_rolls
from bganalyze.statistics.tables.schema import (
    GAME,
    LINE,
    MATCH,
    PLAYER,
    SIDES,
    TURN,
    Column,
    Columns,
    Schema,
    category,
    compute_arrays,
    flag,
    number,
)
from bganalyze.validation.replaying import MatchReplay

OWNERS = ("centered", "own", "opposing")

GROUPS = ("checker", "shots", "race", "plays")
"""Groups of columns that take long to compute; each is made only on demand."""

REPLIES = 2
"""Number of rolls of each side whose play is written out."""


def _find_cube_owner(rolls: RecordedRolls) -> Array:
    """Return who owns the cube at each roll: 0 for nobody, 1 for the roller, 2 for the opponent."""
    owner = rolls.owner
    return np.select([owner == CENTERED, owner == rolls.side], [0, 1], 2).astype(np.int8)


def _may_double(rolls: RecordedRolls) -> Array:
    """Return for each roll whether its side could have doubled before it."""
    return np.asarray(rolls.cube_in_reach & rolls.is_new & ~rolls.opening)


_COMMON_COLUMNS = (
    MATCH,
    GAME,
    TURN,
    LINE,
    category("side", "The side that rolls.", choices=SIDES),
    PLAYER,
    number("play", "The number of the roll among those of its side in the game, from 1."),
    Column("high", "int8", "The higher die; 0 if no roll is recorded."),
    Column("low", "int8", "The lower die."),
    flag(
        "counts",
        "Whether it is a roll of its own: both dice are recorded, and it is neither a second roll in a turn nor that of a corrected play. The report of the dice counts fewer: it also leaves out opening rolls, rolls against a closed board, copies, and matches with invented dances.",
    ),
    flag(
        "opening",
        "Whether it is the first roll of a game from the starting position; doubles are an error there.",
    ),
    category("legality", "Whether the play is legal.", choices=LEGALITIES),
    flag("verified", "Whether the board before the roll is verified."),
    category("phase", "The phase of the position before the play.", choices=PHASES),
    Column("pips", "int16", "The pip count of the side that rolls, before the play."),
    Column("opposing_pips", "int16", "The pip count of its opponent."),
    number("cube", "The value of the cube."),
    category(
        "cube_owner",
        "The owner of the cube, seen by the side that rolls.",
        _find_cube_owner,
        OWNERS,
    ),
    flag(
        "may_double",
        "Whether that side could have doubled before rolling: access to a live cube below its limit, no opening roll, no Crawford game, no corrected play.",
        _may_double,
    ),
    Column(
        "seconds",
        "float32",
        "Seconds from the previous action to the end of the play, by the recorded clock; missing if unknown.",
    ),
)

# Effects of the play.


def _find_forced(rolls: RecordedRolls) -> Array:
    """Return for each roll whether its play was the only legal one; False for a dance."""
    forced = np.zeros(len(rolls.moved), dtype=bool)
    # A dance is not among them.
    played = rolls.is_legal & (rolls.moved > 0)
    forced[played] = is_forced(rolls.before.take(played), rolls.high[played], rolls.low[played])
    return forced


def _find_stopped_after_entering(rolls: RecordedRolls) -> Array:
    """Return for each roll whether all checkers entered and no die could be played after that."""
    bar, high, low, moved = rolls.on_bar, rolls.high, rolls.low, rolls.moved
    all_in = (bar > 0) & (rolls.after.own[:, BAR] == 0)
    # In a legal play, dice are left only if they have no legal play.
    one_die = (bar == 1) & ((moved == high) | (moved == low))
    entered_only = (moved == bar.astype(np.int16) * high) & (bar < 4)
    return np.asarray(rolls.is_legal & all_in & np.where(rolls.is_double, entered_only, one_die))


def _count_wasted_pips(rolls: RecordedRolls) -> Array:
    """Return the pips of each roll that a play in the bear-off did not use; 0 for other rolls."""
    rolled = np.where(rolls.is_double, 4 * rolls.high, rolls.high + rolls.low)
    return np.where(rolls.bearing_off, rolled - rolls.moved, 0)


def _subtract_counts(after: Array, before: Array) -> Array:
    """Return `after` minus `before`, which may be negative, for arrays of unsigned numbers.

    >>> _subtract_counts(np.array([3], dtype=np.uint8), np.array([5], dtype=np.uint8)).tolist()
    [-2]
    """
    return np.asarray(after.astype(np.int16) - before)


def _make_entering_getter(name: str) -> Callable[[RecordedRolls], Array]:
    """Return a function from rolls to a field of their `Entering`, such as `dances`."""
    return lambda rolls: getattr(rolls.entering, name)


_checker = partial(Column, group="checker")

_CHECKER = (
    _checker("pips_moved", "int16", "Pips that the side's checkers moved.", lambda t: t.moved),
    _checker(
        "forced",
        "bool",
        "Whether the play was forced (the only legal one); false for a dance.",
        _find_forced,
    ),
    _checker(
        "danced",
        "bool",
        "Whether the roll had no legal play.",
        lambda t: t.is_legal & (t.moved == 0),
    ),
    _checker(
        "hits",
        "int8",
        "Opposing checkers hit.",
        lambda t: _subtract_counts(t.after.other[:, BAR], t.before.other[:, BAR]),
    ),
    _checker(
        "pips_sent_back",
        "int16",
        "Pips that the opponent lost by the hits.",
        lambda t: count_pips(t.after.other) - t.opposing_pips,
    ),
    _checker("on_bar", "int8", "Own checkers on the bar before the play."),
    _checker(
        "left_on_bar",
        "int8",
        "Own checkers on the bar after the play.",
        lambda t: t.after.own[:, BAR],
    ),
    _checker(
        "stopped",
        "bool",
        "Whether all checkers entered and the remaining dice had no legal play.",
        _find_stopped_after_entering,
    ),
    _checker(
        "closed",
        "int8",
        "Points of the opponent's home board that are blocked, of 6.",
        _make_entering_getter("closed"),
    ),
    _checker(
        "dance_chance",
        "float32",
        "The chance over the 36 rolls that no checker enters; 0 with an empty bar.",
        _make_entering_getter("dances"),
    ),
    _checker(
        "dance_66_chance",
        "float32",
        "The chance of a dancing 6-6: 1 in 36 if the 6 is blocked.",
        _make_entering_getter("dances_66"),
    ),
    _checker(
        "entering_some_chance",
        "float32",
        "The chance that some enter and some do not.",
        _make_entering_getter("enters_some"),
    ),
    _checker(
        "stopping_chance", "float32", "The chance of `stopped`.", _make_entering_getter("stops")
    ),
    _checker(
        "blots_left",
        "int8",
        "Own blots on the points after the play.",
        lambda t: count_blots(t.after.own),
    ),
    _checker(
        "points_held",
        "int8",
        "Points with two own checkers or more after the play.",
        lambda t: count_points_held(t.after.own),
    ),
    _checker(
        "points_gained",
        "int8",
        "Points held after the play that were not held before.",
        lambda t: count_points_made(t.before.own, t.after.own),
    ),
    _checker(
        "home_points",
        "int8",
        "Points held in one's own home board after the play, of 6.",
        lambda t: count_home_points(t.after.own),
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
        lambda t: count_anchors(t.after.own),
    ),
    _checker(
        "crossovers",
        "int8",
        "Quarters of the board crossed; entering and bearing off are one each.",
        lambda t: count_crossovers(t.before.own) - count_crossovers(t.after.own),
    ),
    _checker(
        "borne_off",
        "int8",
        "Checkers borne off.",
        lambda t: _subtract_counts(t.after.own[:, OFF], t.before.own[:, OFF]),
    ),
    _checker(
        "bearing_off",
        "bool",
        "Whether it is a bear-off turn: all own checkers home, no contact, and not the winning roll.",
    ),
    _checker(
        "pips_wasted", "int8", "Pips rolled but not moved in such a turn.", _count_wasted_pips
    ),
)

# Shots a side had when it rolled, and shots its play left.


def _find_shots_rolled(rolls: RecordedRolls) -> Array:
    """Return for each roll whether it hits in one of its legal plays."""
    dice = zip(rolls.high, rolls.low, strict=True)
    index = np.array([INDEX.get(roll, 0) for roll in dice], dtype=int)
    hits = rolls.hitting[np.arange(len(index)), index] if len(index) else np.zeros(0, dtype=bool)
    return np.asarray(hits & (rolls.high > 0))


def _count_shots_left(rolls: RecordedRolls) -> Array:
    """Return how many of the opponent's next 36 rolls hit after each play."""
    before, left, had = rolls.before, rolls.after.swapped, count_shots(rolls.hitting)
    # A count is copied if the next roll starts from the board after the play.
    made_there = np.zeros(len(had), dtype=bool)
    made_there[:-1] = (left.own[:-1] == before.own[1:]).all(axis=1)
    made_there[:-1] &= (left.other[:-1] == before.other[1:]).all(axis=1)
    shots_left = np.roll(had, -1)
    others = np.flatnonzero(~made_there)
    shots_left[others] = count_shots(find_hitting_rolls(left.take(others)))
    return shots_left


_shot = partial(Column, group="shots")

_SHOTS = (
    _shot(
        "shots",
        "int8",
        "Number of the 36 rolls that could hit, before the roll.",
        lambda t: count_shots(t.hitting),
    ),
    _shot("shot_rolled", "bool", "Whether the roll could hit.", _find_shots_rolled),
    _shot(
        "shots_left",
        "int8",
        "Number of the 36 rolls that could hit the side after its play.",
        _count_shots_left,
    ),
)

# The opening plays in one notation.


def _write_early_plays(rolls: RecordedRolls) -> list[str | None]:
    """Return the notation of opening plays and replies as a list; later plays are None."""
    written: list[str | None] = [None] * len(rolls.play)
    early = rolls.is_legal & (rolls.play <= REPLIES)
    for row in np.flatnonzero(early).tolist():
        dice = (int(rolls.high[row]), int(rolls.low[row]))
        written[row] = _write_play(rolls.before.board(row), dice, rolls.after.board(row))
    return written


@lru_cache(maxsize=1 << 14)
def _write_play(before: bytes, dice: Dice, after: bytes) -> str | None:
    """Return the notation of the legal play that turns the board `before` into `after`, or None."""
    # Boards are bytes for the cache: positions would take 6 MB more after 1,000 matches.
    steps = legal_plays(position_of(before), dice).get(position_of(after))
    return None if steps is None else notation(steps)


SCHEMA = Schema(
    "turns",
    "One row for each recorded roll, without repetitions.",
    ("match", "game", "turn"),
    (
        *_COMMON_COLUMNS,
        *_CHECKER,
        *_SHOTS,
        flag("race", "Whether contact is over.", lambda t: t.phase >= RACE, group="race"),
        *declare_race_columns("race"),
        category(
            "written",
            "The play in one notation, for each side's first two rolls.",
            _write_early_plays,
            group="plays",
        ),
    ),
)


def tabulate_rolls(replays: Iterable[MatchReplay], column_groups: Collection[str]) -> Columns:
    """Return the rolls of some matches as a dictionary of columns.

    The matches are numbered from 0.
    """
    return compute_arrays(record_rolls(replays), SCHEMA.in_groups(column_groups))
