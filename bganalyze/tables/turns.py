"""The table of turns: a row for each throw, with what was done with it and what the board shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bganalyze.features.boards import Array, BoardArrays, packed
from bganalyze.features.structure import PHASES, phases, pips
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.facts import GameReplay, Turn
from bganalyze.replaying.terms import start_of
from bganalyze.tables.schema import GAME, LINE, MATCH, SIDES, TURN, Column, Columns, Schema, clamped
from bganalyze.tables.turn_columns import GROUPS
from bganalyze.transcript.model import Play

# What records say of each throw, and the boards around it: many matches as arrays.

VERDICTS = ("legal", "illegal", "corrected", "unjudged")
"""`corrected`: an illegal play that was played again in time; the throw has its row there.
`unjudged`: no play is recorded, or it cannot be judged: a resignation after the throw, mostly."""

LEGAL, ILLEGAL, CORRECTED, UNJUDGED = range(len(VERDICTS))

CENTRED = -1
"""Who owns a cube that nobody owns."""

Values: TypeAlias = dict[str, Array]
"""Values of throws by their names: one for each throw."""

_OF_THROWS = (
    ("turn", "int32"),
    ("line", "int32"),
    ("side", "int8"),
    ("one_die", "int8"),
    ("other_die", "int8"),
    ("second", "bool"),
    ("verdict", "int8"),
    ("verified", "bool"),
    ("cube", "int32"),
    ("owner", "int8"),
)
"""What `_throws` says of a throw, before the boards. Both dice are 0 where none are recorded;
`second` says that it is a second throw of a turn."""

_OF_GAMES = (
    ("match", "int32"),
    ("game", "int32"),
    ("has_cube", "bool"),
    ("cube_limit", "int32"),
    ("length", "int32"),
    ("left_score", "int32"),
    ("right_score", "int32"),
)
"""What `_setting` says of a game. There is no cube in the Crawford game; the limit is 0 where there
is none, the length in money play and where it is unknown."""


class RecordedThrows(NamedTuple):
    """The throws of some matches."""

    throws: Values
    """What is named in `_OF_THROWS` and `_OF_GAMES`."""
    first: Array
    """The row of the first throw of the same game."""
    start: BoardArrays
    """The boards from which the games start."""
    before: BoardArrays
    """The boards before the throws, seen by the side that throws."""
    after: BoardArrays


def recorded(replays: Iterable[MatchReplay]) -> RecordedThrows:
    """Return the throws of some matches, which are counted from 0."""
    played = [(number, game) for number, match in enumerate(replays) for game in match.games]
    thrown = [_throws(game) for _, game in played]
    counts = np.array([len(each) for each in thrown], dtype=int)
    *throws, before, after = _across(chain.from_iterable(thrown), len(_OF_THROWS) + 2)
    *games, starts = _across((_setting(*each) for each in played), len(_OF_GAMES) + 1)
    of_throws = _arrays(throws, _OF_THROWS)
    of_games = {name: np.repeat(each, counts) for name, each in _arrays(games, _OF_GAMES).items()}
    is_left = (of_throws["side"] == 0)[:, None]
    boards = _boards(list(chain.from_iterable(zip(before, after, strict=True))))
    return RecordedThrows(
        {**of_games, **of_throws},
        np.repeat(counts.cumsum() - counts, counts),
        _seen(_boards(starts).take(np.repeat(np.arange(len(counts)), counts)), is_left),
        _seen(boards.take(np.arange(0, len(boards), 2)), is_left),
        _seen(boards.take(np.arange(1, len(boards), 2)), is_left),
    )


def _throws(game: GameReplay) -> list[tuple[Any, ...]]:
    """What is recorded of each throw of a game that has a row, and the boards before and after it.

    Runs for every throw of every file: what can be is asked once a game.
    """
    corrected, second, end = Faulty.of(game)
    not_thrown, thrown = game.not_thrown, list[tuple[Any, ...]]()
    for index, turn in enumerate(game.turns, 1):
        action = turn.action
        if type(action) is not Play or index >= end:
            continue
        span, verdict, cube = action.span, turn.verdict, turn.cube
        if not_thrown and span in not_thrown:
            continue
        code = UNJUDGED if verdict is None else LEGAL if verdict.fault is None else ILLEGAL
        if corrected and span in corrected:
            code = CORRECTED
        one, other = action.dice or (0, 0)
        row = (
            index,
            span.line,
            action.side,
            one,
            other,
            span in second if second else False,
            code,
            turn.verified,
            cube.value,
            CENTRED if cube.owner is None else cube.owner,
            turn.before,
            turn.after,
        )
        thrown.append(row)
    return thrown


class Faulty(NamedTuple):
    """The throws of a game that are none of their own."""

    corrected: frozenset[object]
    second: frozenset[object]
    end: int
    """From this turn on the record goes on after the end of the game."""

    @classmethod
    def of(cls, game: GameReplay) -> Faulty:
        """Return those of a game."""
        second = {fact.span for fact in game.facts if fact.rule == "second-roll"}
        beyond = {
            fact.span for fact in game.facts if fact.rule in ("action-after-end", "ghost-row")
        }
        ends = (i for i, turn in enumerate(game.turns, 1) if turn.action.span in beyond)
        end = next(ends, len(game.turns) + 1) if beyond else len(game.turns) + 1
        return cls(game.corrected(), frozenset(second), end)


def own_throws(game: GameReplay) -> list[tuple[int, Turn]]:
    """Return the throws of a game that are made anew, each with its place among the actions.

    Left out are plays that were corrected, second throws, repetitions, and what stands after the
    end of the game.
    """
    faulty = Faulty.of(game)
    left_out = game.not_thrown | faulty.corrected | faulty.second
    return [
        (index, turn)
        for index, turn in enumerate(game.turns[: faulty.end - 1], 1)
        if type(turn.action) is Play and not (left_out and turn.action.span in left_out)
    ]


def _setting(number: int, game: GameReplay) -> tuple[Any, ...]:
    """What holds for all throws of a game, and the board it starts from."""
    context = game.context
    has_cube = context.terms.cube_in_play and not context.crawford
    start = start_of(context.terms.variant)
    limit, length = context.terms.cube_limit or 0, context.terms.length or 0
    return number, context.game, has_cube, limit, length, *context.score, start


def _across(rows: Iterable[Sequence[Any]], width: int) -> list[Sequence[Any]]:
    return list(zip(*rows, strict=True)) or [()] * width


def _arrays(values: Iterable[Sequence[Any]], named: Iterable[tuple[str, str]]) -> Values:
    return {
        name: np.asarray(each, dtype=bool) if dtype == "bool" else clamped(np.asarray, each, dtype)
        for each, (name, dtype) in zip(values, named, strict=True)
    }


def _boards(sides: Sequence[Sequence[Any]]) -> BoardArrays:
    """Left's and right's checkers, as if left were to throw."""
    left, right = _across(sides, 2)
    return BoardArrays(packed(left), packed(right))


def _seen(boards: BoardArrays, by_left: Array) -> BoardArrays:
    """Return the boards seen by the left side where that throws, else by the right."""
    return BoardArrays(
        np.where(by_left, boards.own, boards.other), np.where(by_left, boards.other, boards.own)
    )


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


def columns(replays: Iterable[MatchReplay], groups: Collection[str]) -> tuple[Columns, BoardArrays]:
    """Return the columns of some matches, counted from 0, and the boards after each row."""
    found = recorded(replays)
    before, after = found.before, found.after
    made = _own_columns(found)
    for name, group in GROUPS.items():
        if name in groups:
            made.update(group.compute(before, after, made))
    return made, after


def _own_columns(found: RecordedThrows) -> Columns:
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
