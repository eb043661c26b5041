"""What records say of each roll, and the boards around it: many matches as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import nan
from typing import Any, NamedTuple

import numpy as np

from bganalyze.analysis.decisions import may_double
from bganalyze.board.position import BAR, OFF, RACE
from bganalyze.record.model import Play
from bganalyze.statistics.features.boards import Array, BoardArrays, packed
from bganalyze.statistics.features.chances import Entering, entering, hitting_rolls
from bganalyze.statistics.features.structure import (
    FORMULAS,
    RaceAdvice,
    is_home,
    may_win_gammon,
    phases,
    pips,
    rearmost,
)
from bganalyze.statistics.tables.schema import clamped
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.facts import GameReplay, Turn
from bganalyze.validation.replaying.terms import start_of

LEGALITIES = ("legal", "illegal", "corrected", "unchecked")
"""`corrected`: an illegal play that was played again in time; the roll has its row there.
`unchecked`: no play is recorded, or it cannot be checked: a resignation after the roll, mostly."""

LEGAL, ILLEGAL, CORRECTED, UNCHECKED = range(len(LEGALITIES))

CENTERED = -1
"""Who owns a cube that nobody owns."""

SIX = 6

_OF_ROLLS = (
    ("turn", "int32"),
    ("line", "int32"),
    ("side", "int8"),
    ("one_die", "int8"),
    ("other_die", "int8"),
    ("second", "bool"),
    ("legality", "int8"),
    ("verified", "bool"),
    ("cube", "int32"),
    ("owner", "int8"),
    ("cube_in_reach", "bool"),
    ("seconds", "float32"),
)
"""What `_rolls` yields for a roll, before the boards. Both dice are 0 where none are recorded;
`second` marks the second roll of a turn."""

_OF_GAMES = (("match", "int32"), ("game", "int32"))
"""What holds for all rolls of a game, before the board it starts from."""


@dataclass(frozen=True)
class RecordedRolls:
    """The rolls of some matches: an array for each thing that is recorded of them.

    What several columns of a table rest on is computed once, and only if it is needed.
    """

    match: Array
    game: Array
    turn: Array
    line: Array
    side: Array
    one_die: Array
    other_die: Array
    second: Array
    legality: Array
    verified: Array
    cube: Array
    owner: Array
    cube_in_reach: Array
    """Whether the side may double by the rules of the cube and by the score."""
    seconds: Array
    """How long the play took by the clock of the record; not a number where that is not known."""
    first: Array
    """The row of the first roll of the same game."""
    start: BoardArrays
    """The boards from which the games start."""
    before: BoardArrays
    """The boards before the rolls, seen by the side that rolls."""
    after: BoardArrays

    @cached_property
    def is_roll(self) -> Array:
        """Whether both dice are recorded, and are dice."""
        high, low = (
            np.maximum(self.one_die, self.other_die),
            np.minimum(self.one_die, self.other_die),
        )
        return np.asarray((low > 0) & (high <= SIX))

    @cached_property
    def high(self) -> Array:
        """The higher die, or 0."""
        return np.where(self.is_roll, np.maximum(self.one_die, self.other_die), 0)

    @cached_property
    def low(self) -> Array:
        """The lower die, or 0."""
        return np.where(self.is_roll, np.minimum(self.one_die, self.other_die), 0)

    @cached_property
    def is_double(self) -> Array:
        """Whether both dice are the same, or neither is recorded."""
        return np.asarray(self.high == self.low)

    @cached_property
    def is_new(self) -> Array:
        """Whether it is neither a second roll in a turn, nor that of a play made again."""
        return np.asarray(~self.second & (self.legality != CORRECTED))

    @cached_property
    def counts(self) -> Array:
        """Whether tests of the dice count it."""
        return np.asarray(self.is_roll & self.is_new)

    @cached_property
    def opening(self) -> Array:
        """Whether it is the first roll of a game from the starting position."""
        is_first = self._so_far(self.counts) == 1
        return np.asarray(self.counts & is_first & self.before.equal(self.start))

    @cached_property
    def play(self) -> Array:
        """Its number among the rolls of its side in the game, from 1."""
        play = np.zeros(len(self.side), dtype=np.int32)
        for side in (0, 1):
            rolled = (self.side == side) & (self.counts | ~self.is_roll)
            play = np.where(self.side == side, self._so_far(rolled), play)
        return np.maximum(play, 1)

    @cached_property
    def phase(self) -> Array:
        """The phase of the position before the play."""
        return phases(self.before, self.play)

    @cached_property
    def pips(self) -> Array:
        """The pip count of the side that rolls, before the play."""
        return pips(self.before.own)

    @cached_property
    def opposing_pips(self) -> Array:
        """The pip count of its opponent."""
        return pips(self.before.other)

    @property
    def centered(self) -> Array:
        """Whether the cube is in the middle."""
        return np.asarray(self.owner == CENTERED)

    @cached_property
    def advice(self) -> dict[str, RaceAdvice]:
        """What each formula for races says before the roll."""
        return {name: formula(self.before) for name, formula in FORMULAS.items()}

    @cached_property
    def may_win_gammon(self) -> Array:
        """Whether the side has gammon chances in a race, before the roll."""
        return may_win_gammon(self.before)

    @cached_property
    def hitting(self) -> Array:
        """With which rolls the side could hit."""
        return hitting_rolls(self.before)

    @cached_property
    def entering(self) -> Entering:
        """The chances of entering from the bar."""
        return entering(self.before)

    @property
    def on_bar(self) -> Array:
        """How many checkers of the side are on the bar before the play."""
        return np.asarray(self.before.own[:, BAR])

    @cached_property
    def moved(self) -> Array:
        """The pips that its checkers moved."""
        return np.asarray(self.pips - pips(self.after.own))

    @cached_property
    def bearing_off(self) -> Array:
        """Whether it bears off, or could: all at home without contact, and some are left after it."""
        can = is_home(self.before.own) & (self.phase >= RACE)
        return np.asarray(can & self.is_legal & (rearmost(self.after.own) != OFF))

    @cached_property
    def is_legal(self) -> Array:
        """Whether a roll was played, and legally."""
        return np.asarray((self.legality == LEGAL) & (self.high > 0))

    def _so_far(self, counted: Array) -> Array:
        """How many of the rolls are counted, from the first of the game up to each."""
        total = counted.cumsum(dtype=np.int32)
        return np.asarray(total - (total - counted)[self.first])


def recorded(replays: Iterable[MatchReplay]) -> RecordedRolls:
    """Return the rolls of some matches, which are counted from 0."""
    played = [(number, game) for number, match in enumerate(replays) for game in match.games]
    rolled = [_rolls(game) for _, game in played]
    counts = np.array([len(rows) for rows in rolled], dtype=int)
    *rolls, before, after = _across(chain.from_iterable(rolled), len(_OF_ROLLS) + 2)
    settings = (
        (number, game.context.game, start_of(game.context.terms.variant)) for number, game in played
    )
    *games, starts = _across(settings, len(_OF_GAMES) + 1)
    of_rolls = _arrays(rolls, _OF_ROLLS)
    of_games = _arrays(games, _OF_GAMES)
    is_left = (of_rolls["side"] == 0)[:, None]
    boards = _boards(list(chain.from_iterable(zip(before, after, strict=True))))
    return RecordedRolls(
        **{name: np.repeat(values, counts) for name, values in of_games.items()},
        **of_rolls,
        first=np.repeat(counts.cumsum() - counts, counts),
        start=_seen(_boards(starts).take(np.repeat(np.arange(len(counts)), counts)), is_left),
        before=_seen(boards.take(np.arange(0, len(boards), 2)), is_left),
        after=_seen(boards.take(np.arange(1, len(boards), 2)), is_left),
    )


def _rolls(game: GameReplay) -> list[tuple[Any, ...]]:
    """What is recorded of each roll of a game that has a row, and the boards before and after it.

    This runs for every roll of every file, so whatever can be done once per game is done there.
    """
    corrected, second, end = Faulty.of(game)
    not_rolled, rolled = game.not_rolled, list[tuple[Any, ...]]()
    for index, turn in enumerate(game.turns, 1):
        action = turn.action
        if type(action) is not Play or index >= end:
            continue
        span, legality, cube = action.span, turn.legality, turn.cube
        if not_rolled and span in not_rolled:
            continue
        code = UNCHECKED if legality is None else LEGAL if legality.fault is None else ILLEGAL
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
            CENTERED if cube.owner is None else cube.owner,
            may_double(turn, action.side),
            nan if action.seconds is None else action.seconds,
            turn.before,
            turn.after,
        )
        rolled.append(row)
    return rolled


class Faulty(NamedTuple):
    """The rolls of a game that are not made anew, and where the game ends."""

    corrected: frozenset[object]
    second: frozenset[object]
    end: int
    """From this turn on the record goes on after the end of the game."""

    @classmethod
    def of(cls, game: GameReplay) -> Faulty:
        """Find them in the facts of a game."""
        second = {fact.span for fact in game.facts if fact.rule == "second-roll"}
        beyond = {
            fact.span for fact in game.facts if fact.rule in ("action-after-end", "ghost-row")
        }
        ends = (i for i, turn in enumerate(game.turns, 1) if turn.action.span in beyond)
        end = next(ends, len(game.turns) + 1) if beyond else len(game.turns) + 1
        return cls(game.corrected(), frozenset(second), end)


def own_rolls(game: GameReplay) -> list[tuple[int, Turn]]:
    """Return the rolls of a game that are made anew, each with its place among the actions.

    Left out are plays that were corrected, second rolls, repetitions, and what stands after the
    end of the game.
    """
    faulty = Faulty.of(game)
    left_out = game.not_rolled | faulty.corrected | faulty.second
    return [
        (index, turn)
        for index, turn in enumerate(game.turns[: faulty.end - 1], 1)
        if type(turn.action) is Play and not (left_out and turn.action.span in left_out)
    ]


def _across(rows: Iterable[Sequence[Any]], width: int) -> list[Sequence[Any]]:
    return list(zip(*rows, strict=True)) or [()] * width


def _arrays(columns: Iterable[Sequence[Any]], named: Iterable[tuple[str, str]]) -> dict[str, Array]:
    return {
        name: np.asarray(values, bool) if dtype == "bool" else clamped(np.asarray, values, dtype)
        for values, (name, dtype) in zip(columns, named, strict=True)
    }


def _boards(sides: Sequence[Sequence[Any]]) -> BoardArrays:
    """Left's and right's checkers, as if left were to roll."""
    left, right = _across(sides, 2)
    return BoardArrays(packed(left), packed(right))


def _seen(boards: BoardArrays, by_left: Array) -> BoardArrays:
    """Return the boards seen by the left side where that rolls, else by the right."""
    return BoardArrays(
        np.where(by_left, boards.own, boards.other), np.where(by_left, boards.other, boards.own)
    )
