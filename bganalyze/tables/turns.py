"""The table of turns: a row for each throw, with what was done with it and what the board shows."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from bganalyze.board.position import Points
from bganalyze.board.scoring import is_dead
from bganalyze.facts import GameReplay, Turn
from bganalyze.features.boards import Boards, packed
from bganalyze.features.phases import PHASES, phases
from bganalyze.features.structure import pips
from bganalyze.findings import Standing
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.contexts import start_of
from bganalyze.tables.schema import GAME, LINE, MATCH, SIDES, TURN, Column, Columns, Schema, fitted
from bganalyze.tables.turn_columns import GROUPS
from bganalyze.transcript.model import Play

VERDICTS = ("legal", "illegal", "corrected", "unjudged")
"""`corrected`: an illegal play that was played again in time; the throw has its row there.
`unjudged`: no play is recorded, or it cannot be judged: a resignation after the throw, mostly."""

LEGAL, ILLEGAL, CORRECTED, UNJUDGED = range(len(VERDICTS))

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
            "Whether that side could have doubled before throwing: the cube in reach and not dead, no opening throw, no Crawford game.",
        ),
        *(column for group in GROUPS.values() for column in group.columns),
    ),
)


class _Throws(NamedTuple):
    """The throws of a match that have rows: what the record says of each, and the boards."""

    columns: Columns
    before: Boards
    after: Boards


def columns(number: int, replayed: MatchReplay, groups: Collection[str]) -> tuple[Columns, Boards]:
    """Return the columns of a match, the `number`-th of its file, and the boards after each row."""
    throws = _throws(number, replayed)
    made, before, after = throws
    for name in ("match", "line", "game", "turn", "play", "cube"):
        made[name] = fitted(np.asarray, made[name], "int32")
    for name in ("side", "high", "low", "verdict", "cube_owner"):
        made[name] = np.asarray(made[name], dtype=np.int8)
    for name in ("counts", "opening", "verified", "may_double"):
        made[name] = np.asarray(made[name], dtype=bool)
    made["phase"] = phases(before, made["play"])
    made["pips"], made["opposing_pips"] = pips(before.own), pips(before.other)
    for name, group in GROUPS.items():
        if name in groups:
            made.update(group.compute(before, after, made))
    return made, after


def _throws(number: int, replayed: MatchReplay) -> _Throws:
    rows, sides = list[tuple[object, ...]](), list[tuple[Points, ...]]()
    for game in replayed.games:
        for row, boards in _rows(number, game):
            rows.append(row)
            sides.append(boards)
    named = zip(_RECORDED, zip(*rows, strict=True) if rows else [()] * len(_RECORDED), strict=True)
    own, other, own_after, other_after = (
        packed(each) for each in (zip(*sides, strict=True) if sides else [()] * 4)
    )
    return _Throws(dict(named), Boards(own, other), Boards(own_after, other_after))


_RECORDED = (
    "match",
    "game",
    "turn",
    "line",
    "side",
    "play",
    "high",
    "low",
    "counts",
    "opening",
    "verdict",
    "verified",
    "cube",
    "cube_owner",
    "may_double",
)


def _rows(number: int, game: GameReplay) -> Iterator[tuple[tuple[object, ...], tuple[Points, ...]]]:
    """Yield what the record says of each throw of a game, and the boards before and after it.

    Runs for every throw of every file: what can be is asked once a game.
    """
    context, not_thrown = game.context, game.not_thrown
    plays, faulty = [0, 0], _Faulty.of(game)
    corrected, second = faulty.corrected, faulty.second
    start, thrown = start_of(context.variant), False
    cubes = context.cube_in_play and not context.crawford
    length, score = context.length or 0, context.score
    for index, turn in enumerate(game.turns, 1):
        action = turn.action
        if type(action) is not Play or index >= faulty.end or action.span in not_thrown:
            continue
        before, after, cube = turn.before, turn.after, turn.cube
        side, dice = action.side, action.dice
        high, low = dice or (0, 0)
        if high < low:
            high, low = low, high
        is_throw = low > 0 and high <= 6
        is_corrected = action.span in corrected
        counts = is_throw and not is_corrected and action.span not in second
        plays[side] += counts or not is_throw
        opening = counts and not thrown and before == start
        thrown = thrown or counts
        other = 1 - side
        row = (
            number,
            context.game,
            index,
            action.span.line,
            side,
            plays[side] or 1,
            high if is_throw else 0,
            low if is_throw else 0,
            counts,
            opening,
            _verdict(turn, is_corrected),
            turn.verified,
            cube.value,
            0 if cube.owner is None else 1 if cube.owner == side else 2,
            cubes
            and not opening
            and (cube.owner is None or cube.owner == side)
            and not is_dead(cube.value, length, score[side]),
        )
        yield row, (before[side], before[other], after[side], after[other])


class _Faulty(NamedTuple):
    """The throws of a game that are none of their own."""

    corrected: frozenset[object]
    second: frozenset[object]
    end: int
    """From this turn on the record goes on after the end of the game."""

    @classmethod
    def of(cls, game: GameReplay) -> _Faulty:
        corrected = {
            fact.turn.action.span
            for fact in game.facts
            if fact.standing is Standing.CORRECTED and fact.turn is not None
        }
        second = {fact.span for fact in game.facts if fact.rule == "second-roll"}
        beyond = {
            fact.span for fact in game.facts if fact.rule in ("action-after-end", "ghost-row")
        }
        ends = (i for i, turn in enumerate(game.turns, 1) if turn.action.span in beyond)
        end = next(ends, len(game.turns) + 1) if beyond else len(game.turns) + 1
        return cls(frozenset(corrected), frozenset(second), end)


def _verdict(turn: Turn, corrected: bool) -> int:
    if corrected:
        return CORRECTED
    if turn.verdict is None:
        return UNJUDGED
    return LEGAL if turn.verdict.fault is None else ILLEGAL
