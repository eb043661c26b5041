"""The table of turns: a row for each throw, with what was done with it and what the board shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from bganalyze.features.boards import Array, Boards
from bganalyze.features.phases import PHASES, phases
from bganalyze.features.structure import pips
from bganalyze.replaying import MatchReplay
from bganalyze.tables.recorded import CENTRED, CORRECTED, VERDICTS, Recorded, recorded
from bganalyze.tables.schema import GAME, LINE, MATCH, SIDES, TURN, Column, Columns, Schema
from bganalyze.tables.turn_columns import GROUPS

SIX = 6

OWNERS = ("centred", "own", "opposing")

SCHEMA = Schema(
    "turns",
    "One row for each throw that is recorded; none for those that the record repeats.",
    ("match", "game", "turn"),
    (
        MATCH,
        GAME,
        TURN,
        LINE,
        Column("side", "category", "Who throws.", SIDES),
        Column("play", "int32", "The how-many-th throw of that side in the game, counted from 1."),
        Column("high", "int8", "The higher die; 0 if no throw is recorded."),
        Column("low", "int8", "The lower die."),
        Column(
            "counts",
            "bool",
            "Whether it is a throw of two dice, and no second throw of a turn or of a play made again: what tests of the dice count.",
        ),
        Column(
            "opening",
            "bool",
            "Whether it is the first throw of a game from the starting position; a double there is a fault.",
        ),
        Column("verdict", "category", "Whether the play is legal.", VERDICTS),
        Column("verified", "bool", "Whether the board before it is beyond doubt."),
        Column("phase", "category", "The phase of the position before the play.", PHASES),
        Column("pips", "int16", "The pip count of the side that throws, before the play."),
        Column("opposing_pips", "int16", "The pip count of its opponent."),
        Column("cube", "int32", "The value of the cube."),
        Column(
            "cube_owner", "category", "Who held the cube, seen by the side that throws.", OWNERS
        ),
        Column(
            "may_double",
            "bool",
            "Whether that side could have doubled before throwing: the cube in reach, not dead and below its limit, no opening throw, no Crawford game, no play made again.",
        ),
        *(column for group in GROUPS.values() for column in group.columns),
    ),
)


def columns(replays: Iterable[MatchReplay], groups: Collection[str]) -> tuple[Columns, Boards]:
    """Return the columns of some matches, counted from 0, and the boards after each row."""
    found = recorded(replays)
    before, after = found.before, found.after
    made = _own_columns(found)
    for name, group in GROUPS.items():
        if name in groups:
            made.update(group.compute(before, after, made))
    return made, after


def _own_columns(found: Recorded) -> Columns:
    """The columns that belong to no group."""
    throws, before = found.throws, found.before
    side, owner = throws["side"], throws["owner"]
    dice = throws["one_die"], throws["other_die"]
    high, low = np.maximum(*dice), np.minimum(*dice)
    is_throw = (low > 0) & (high <= SIX)
    anew = ~throws["second"] & (throws["verdict"] != CORRECTED)
    counts = is_throw & anew
    play = np.zeros(len(side), dtype=np.int32)
    for own in (0, 1):
        so_far = _so_far((side == own) & (counts | ~is_throw), found.first)
        play = np.where(side == own, so_far, play)
    play = np.maximum(play, 1)
    opening = counts & (_so_far(counts, found.first) == 1) & before.equal(found.start)
    score = np.where(side == 0, throws["left_score"], throws["right_score"]).astype(np.int64)
    dead = (throws["length"] > 0) & (score + throws["cube"] >= throws["length"])
    at_limit = (throws["cube_limit"] > 0) & (throws["cube"] >= throws["cube_limit"])
    in_reach = ((owner == CENTRED) | (owner == side)) & ~dead & ~at_limit
    return {
        **{name: throws[name] for name in ("match", "game", "turn", "line", "side")},
        "play": play,
        "high": np.where(is_throw, high, 0),
        "low": np.where(is_throw, low, 0),
        "counts": counts,
        "opening": opening,
        "verdict": throws["verdict"],
        "verified": throws["verified"],
        "phase": phases(before, play),
        "pips": pips(before.own),
        "opposing_pips": pips(before.other),
        "cube": throws["cube"],
        "cube_owner": np.select([owner == CENTRED, owner == side], [0, 1], 2).astype(np.int8),
        "may_double": throws["has_cube"] & in_reach & anew & ~opening,
    }


def _so_far(counted: Array, first: Array) -> Array:
    """How many of the throws count, from the first of the game up to each."""
    total = counted.cumsum(dtype=np.int32)
    return np.asarray(total - (total - counted)[first])
