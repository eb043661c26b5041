"""Columns of the table of turns that are computed from the boards, in groups, where asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bganalyze.board.notation import notation
from bganalyze.board.plays import Dice, legal_plays
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.features import structure
from bganalyze.features import structure as phases
from bganalyze.features.boards import Array, BoardArrays
from bganalyze.features.chances import INDEX, entering, hitting_throws, is_forced, shots
from bganalyze.features.structure import keith, trice
from bganalyze.tables.schema import Column, Columns

Compute: TypeAlias = Callable[[BoardArrays, BoardArrays, Mapping[str, Any]], Columns]
"""From the boards before and after each throw, both seen by the side that throws, and the columns
so far."""

CHECKER, SHOTS, RACE, PLAYS = "checker", "shots", "race", "plays"
REPLIES = 2
"""How many throws of each side have their play spelled out."""


class ColumnGroup(NamedTuple):
    """Columns that are computed together."""

    columns: tuple[Column, ...]
    compute: Compute


def _column(group: str, name: str, dtype: str, meaning: str) -> Column:
    return Column(name, dtype, meaning, (), group)


def _is_legal(columns: Mapping[str, Any]) -> Array:
    return np.asarray((columns["verdict"] == 0) & (columns["high"] > 0))


def _checker(before: BoardArrays, after: BoardArrays, columns: Mapping[str, Any]) -> Columns:
    """What the play did with the checkers."""
    own, other = before.own.astype(np.int16), before.other.astype(np.int16)
    moved = columns["pips"] - structure.pips(after.own)
    legal, chances = _is_legal(columns), entering(before)
    bar, left = own[:, BAR], after.own[:, BAR]
    all_in = (bar > 0) & (left == 0)
    used = np.where(columns["high"] == columns["low"], bar * columns["high"], -1)
    one_die = (bar == 1) & ((moved == columns["high"]) | (moved == columns["low"]))
    double = columns["high"] == columns["low"]
    stopped = all_in & np.where(double, (moved == used) & (bar < 4), one_die)
    bearing_off = structure.is_home(before.own) & (columns["phase"] >= phases.RACE)
    last = structure.rearmost(after.own) == OFF
    forced, played = np.zeros(len(legal), dtype=bool), legal & (moved > 0)
    forced[played] = is_forced(before.take(played), columns["high"][played], columns["low"][played])
    thrown = np.where(double, 4 * columns["high"], columns["high"] + columns["low"])
    return {
        "pips_moved": moved.astype(np.int16),
        "forced": forced,
        "danced": legal & (moved == 0),
        "hits": (after.other[:, BAR] - other[:, BAR]).astype(np.int8),
        "pips_sent_back": (structure.pips(after.other) - columns["opposing_pips"]).astype(np.int16),
        "on_bar": bar.astype(np.int8),
        "left_on_bar": left.astype(np.int8),
        "stopped": legal & stopped,
        "closed": chances.closed,
        "dance_chance": chances.dances.astype(np.float32),
        "entering_some_chance": chances.enters_some.astype(np.float32),
        "stopping_chance": chances.stops.astype(np.float32),
        "blots_left": structure.blots(after.own),
        "points_held": structure.points_held(after.own),
        "points_gained": structure.points_gained(before.own, after.own),
        "home_points": structure.home_points(after.own),
        "longest_prime": structure.longest_prime(after.own),
        "anchors": structure.anchors(after.own),
        "crossovers": (structure.quadrants(before.own) - structure.quadrants(after.own)).astype(
            np.int8
        ),
        "borne_off": (after.own[:, OFF].astype(np.int16) - own[:, OFF]).astype(np.int8),
        "bearing_off": bearing_off & legal & ~last,
        "pips_wasted": np.where(bearing_off & legal & ~last, thrown - moved, 0).astype(np.int8),
    }


_CHECKER = (
    _column(CHECKER, "pips_moved", "int16", "Pips that the side's checkers moved."),
    _column(CHECKER, "forced", "bool", "Whether the play was the only legal one; a dance is none."),
    _column(CHECKER, "danced", "bool", "Whether nothing could be played."),
    _column(CHECKER, "hits", "int8", "Opposing checkers hit."),
    _column(CHECKER, "pips_sent_back", "int16", "Pips that the opponent lost by them."),
    _column(CHECKER, "on_bar", "int8", "Own checkers on the bar before the play."),
    _column(CHECKER, "left_on_bar", "int8", "Own checkers on the bar after it."),
    _column(
        CHECKER,
        "stopped",
        "bool",
        "Whether all entered, dice were left, and nothing more could be played.",
    ),
    _column(
        CHECKER, "closed", "int8", "Points of the opponent's home board that are blocked, of 6."
    ),
    _column(
        CHECKER,
        "dance_chance",
        "float32",
        "The chance over the 36 throws that no checker enters; 0 with none on the bar.",
    ),
    _column(
        CHECKER, "entering_some_chance", "float32", "The chance that some enter and some do not."
    ),
    _column(CHECKER, "stopping_chance", "float32", "The chance of `stopped`."),
    _column(CHECKER, "blots_left", "int8", "Own blots on the points after the play."),
    _column(CHECKER, "points_held", "int8", "Points with two own checkers or more after the play."),
    _column(
        CHECKER, "points_gained", "int8", "Points held after the play that were not held before."
    ),
    _column(
        CHECKER, "home_points", "int8", "Points held in the own home board after the play, of 6."
    ),
    _column(CHECKER, "longest_prime", "int8", "The longest row of points held after the play."),
    _column(CHECKER, "anchors", "int8", "Points held in the opponent's home board after the play."),
    _column(
        CHECKER,
        "crossovers",
        "int8",
        "Quarters of the board crossed; entering and bearing off are one each.",
    ),
    _column(CHECKER, "borne_off", "int8", "Checkers borne off."),
    _column(
        CHECKER,
        "bearing_off",
        "bool",
        "Whether it is a turn of bearing off: all own checkers at home, no contact, and not the throw that wins.",
    ),
    _column(CHECKER, "pips_wasted", "int8", "Pips thrown in such a turn that moved nothing."),
)


def _shots(before: BoardArrays, after: BoardArrays, columns: Mapping[str, Any]) -> Columns:
    """The shots a side had when it threw, and those its play left."""
    hitting = hitting_throws(before)
    thrown = np.array(
        [INDEX.get(dice, 0) for dice in zip(columns["high"], columns["low"], strict=True)],
        dtype=int,
    )
    found = hitting[np.arange(len(thrown)), thrown] if len(thrown) else np.zeros(0, dtype=bool)
    return {
        "shots": shots(hitting),
        "shot_thrown": found & (columns["high"] > 0),
        "shots_left": _shots_left(before, after, shots(hitting)),
    }


def _shots_left(before: BoardArrays, after: BoardArrays, had: Array) -> Array:
    """The shots against each board that was left: those of the next throw, where it is made there."""
    left = after.swapped
    made_there = np.zeros(len(had), dtype=bool)
    made_there[:-1] = (left.own[:-1] == before.own[1:]).all(axis=1)
    made_there[:-1] &= (left.other[:-1] == before.other[1:]).all(axis=1)
    found = np.roll(had, -1)
    others = np.flatnonzero(~made_there)
    found[others] = shots(hitting_throws(left.take(others)))
    return found


_SHOTS = (
    _column(SHOTS, "shots", "int8", "How many of the 36 throws could hit, before the throw."),
    _column(SHOTS, "shot_thrown", "bool", "Whether the throw was one of them."),
    _column(
        SHOTS, "shots_left", "int8", "How many of the 36 throws could hit the side after its play."
    ),
)


def _race(before: BoardArrays, _: BoardArrays, columns: Mapping[str, Any]) -> Columns:
    """What the race formulas say before the throw."""
    made: Columns = {"race": columns["phase"] >= phases.RACE}
    for name, verdicts in (("keith", keith(before)), ("trice", trice(before))):
        made[f"{name}_double"] = np.where(
            columns["cube_owner"] == 0, verdicts.double, verdicts.redouble
        )
        made[f"{name}_take"] = verdicts.take
    return made


_RACE = (
    _column(RACE, "race", "bool", "Whether there is no contact any more."),
    _column(
        RACE,
        "keith_double",
        "bool",
        "Whether Keith's formula says to turn the cube. Only in a race.",
    ),
    _column(RACE, "keith_take", "bool", "Whether Keith's formula says that it could be taken."),
    _column(RACE, "trice_double", "bool", "Whether Trice's formula says to turn the cube."),
    _column(RACE, "trice_take", "bool", "Whether Trice's formula says that it could be taken."),
)


def _plays(before: BoardArrays, after: BoardArrays, columns: Mapping[str, Any]) -> Columns:
    """The plays of the opening in one spelling."""
    spelled: list[str | None] = [None] * len(before)
    early = _is_legal(columns) & (columns["play"] <= REPLIES)
    for row in np.flatnonzero(early).tolist():
        dice = (int(columns["high"][row]), int(columns["low"][row]))
        spelled[row] = _spelled(before.position(row), dice, after.position(row))
    return {"written": spelled}


@lru_cache(maxsize=1 << 14)
def _spelled(before: Position, dice: Dice, after: Position) -> str | None:
    """The play that leaves a board; the same openings are met again and again."""
    steps = legal_plays(before, dice).get(after)
    return None if steps is None else notation(steps)


_PLAYS = (
    _column(
        PLAYS, "written", "category", "The play in one spelling, of each side's first two throws."
    ),
)

GROUPS: dict[str, ColumnGroup] = {
    CHECKER: ColumnGroup(_CHECKER, _checker),
    SHOTS: ColumnGroup(_SHOTS, _shots),
    RACE: ColumnGroup(_RACE, _race),
    PLAYS: ColumnGroup(_PLAYS, _plays),
}
"""The groups, in the order in which they are computed."""
