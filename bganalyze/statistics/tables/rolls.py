"""Recorded rolls and the boards around them, for many matches as arrays."""

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
from bganalyze.statistics.features.boards import Array, BoardArrays, pack_sides
from bganalyze.statistics.features.chances import (
    Entering,
    compute_entering_chances,
    find_hitting_rolls,
)
from bganalyze.statistics.features.structure import (
    FORMULAS,
    RaceAdvice,
    count_pips,
    is_home,
    may_win_gammon,
    phases,
    rearmost_point,
)
from bganalyze.statistics.tables.schema import make_clamped
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.replayed import GameReplay, Turn
from bganalyze.validation.replaying.rulings import interrupted_rolls
from bganalyze.validation.replaying.terms import start_of

LEGALITIES = ("legal", "illegal", "corrected", "unchecked")
"""`corrected`: an illegal play that was corrected in time; its roll has another row for the
corrected play. `unchecked`: no play is recorded, or it cannot be checked, mostly because of a
resignation after the roll."""

LEGAL, ILLEGAL, CORRECTED, UNCHECKED = range(len(LEGALITIES))

CENTERED = -1
"""Owner of a centered cube."""

SIX = 6

_ROLL_FIELDS = (
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
"""Fields that `_list_rolls_of_game` yields for a roll, before the boards. Both dice are 0 if not recorded;
`second` marks the second roll of a turn."""

_GAME_FIELDS = (("match", "int32"), ("game", "int32"))
"""Fields common to all rolls of a game, before the board it starts from."""


@dataclass(frozen=True)
class RecordedRolls:
    """The rolls of some matches, as arrays with an element for each roll."""

    match: Array
    game: Array
    turn: Array
    line: Array
    side: Array
    one_die: Array
    other_die: Array
    second: Array
    """Whether the roll is the second one of its turn, or a ruling interrupted it before its play."""
    legality: Array
    """Index into `LEGALITIES`: legal, illegal, corrected or unchecked."""
    verified: Array
    """Whether the board is certain."""
    cube: Array
    """The cube value."""
    owner: Array
    """The side that owns the cube, or `CENTERED`."""
    cube_in_reach: Array
    """Whether the side may double, by the rules of the cube and by the score."""
    seconds: Array
    """Seconds the play took by the recorded clock; NaN if unknown."""
    first: Array
    """Index of the first roll of the same game."""
    start: BoardArrays
    """The boards at the start of the games."""
    before: BoardArrays
    """The boards before the rolls, seen by the side that rolls."""
    after: BoardArrays
    """The boards after the plays, seen by the side that rolls."""

    @cached_property
    def is_roll(self) -> Array:
        """Whether both dice are recorded with valid values."""
        high, low = (
            np.maximum(self.one_die, self.other_die),
            np.minimum(self.one_die, self.other_die),
        )
        return np.asarray((low > 0) & (high <= SIX))

    @cached_property
    def high(self) -> Array:
        """The higher die of each roll, or 0 if the dice are missing or invalid."""
        return np.where(self.is_roll, np.maximum(self.one_die, self.other_die), 0)

    @cached_property
    def low(self) -> Array:
        """The lower die of each roll, or 0 if the dice are missing or invalid."""
        return np.where(self.is_roll, np.minimum(self.one_die, self.other_die), 0)

    @cached_property
    def is_double(self) -> Array:
        """Whether both dice are equal; True also for missing or invalid dice."""
        return np.asarray(self.high == self.low)

    @cached_property
    def is_new(self) -> Array:
        """Whether the roll is no second roll of its turn, and its play was not corrected later."""
        # A corrected play, and a roll repeated after a ruling, have rows of their own.
        return np.asarray(~self.second & (self.legality != CORRECTED))

    @cached_property
    def counts(self) -> Array:
        """Whether statistics count the roll, because its dice are valid and `is_new` is True."""
        return np.asarray(self.is_roll & self.is_new)

    @cached_property
    def opening(self) -> Array:
        """Whether the roll is the first of a game that began in the starting position."""
        is_first = self._count_so_far(self.counts) == 1
        return np.asarray(self.counts & is_first & self.before.equal(self.start))

    @cached_property
    def play(self) -> Array:
        """Number of the roll among its side's rolls in the game, from 1."""
        play = np.zeros(len(self.side), dtype=np.int32)
        for side in (0, 1):
            rolled = (self.side == side) & (self.counts | ~self.is_roll)
            play = np.where(self.side == side, self._count_so_far(rolled), play)
        return np.maximum(play, 1)

    @cached_property
    def phase(self) -> Array:
        """Phase of the game before the play, as an index of `PHASES` (opening, contact, …)."""
        return phases(self.before, self.play)

    @cached_property
    def pips(self) -> Array:
        """Pip count of the rolling side before the play."""
        return count_pips(self.before.own)

    @cached_property
    def opposing_pips(self) -> Array:
        """Pip count of the other side before the play."""
        return count_pips(self.before.other)

    @property
    def centered(self) -> Array:
        """Whether the cube is centered, so that both sides may double."""
        return np.asarray(self.owner == CENTERED)

    @cached_property
    def advice(self) -> dict[str, RaceAdvice]:
        """Advice to double and to take in the position before the roll, by race formula."""
        return {name: formula(self.before) for name, formula in FORMULAS.items()}

    @cached_property
    def may_win_gammon(self) -> Array:
        """Whether the rolling side may still win a gammon; only for races."""
        return may_win_gammon(self.before)

    @cached_property
    def hitting(self) -> Array:
        """Which of the 21 `ROLLS` (columns) could hit on the board before each roll (rows)."""
        return find_hitting_rolls(self.before)

    @cached_property
    def entering(self) -> Entering:
        """Chances that all, some or none of the side's checkers on the bar enter with a roll."""
        return compute_entering_chances(self.before)

    @property
    def on_bar(self) -> Array:
        """Number of the rolling side's checkers on the bar before the play."""
        return np.asarray(self.before.own[:, BAR])

    @cached_property
    def moved(self) -> Array:
        """Pips moved by the play."""
        return np.asarray(self.pips - count_pips(self.after.own))

    @cached_property
    def bearing_off(self) -> Array:
        """Whether the play was a legal one in a bear-off: no contact, all checkers home.

        False for the play that bears off the last checker.
        """
        can = is_home(self.before.own) & (self.phase >= RACE)

        return np.asarray(can & self.is_legal & (rearmost_point(self.after.own) != OFF))

    @cached_property
    def is_legal(self) -> Array:
        """Whether the roll was played legally."""
        return np.asarray((self.legality == LEGAL) & (self.high > 0))

    def _count_so_far(self, counted: Array) -> Array:
        """Return how many values of `counted` are True in the game up to each roll."""
        total = counted.cumsum(dtype=np.int32)
        return np.asarray(total - (total - counted)[self.first])


def record_rolls(replays: Iterable[MatchReplay]) -> RecordedRolls:
    """Return the rolls of some matches as arrays. The matches are numbered from 0."""
    played = [(number, game) for number, match in enumerate(replays) for game in match.games]
    rolled = [_list_rolls_of_game(game) for _, game in played]
    counts = np.array([len(rows) for rows in rolled], dtype=int)
    *rolls, before, after = _turn_into_columns(chain.from_iterable(rolled), len(_ROLL_FIELDS) + 2)
    settings = (
        (number, game.context.game, start_of(game.context.terms.variant)) for number, game in played
    )
    *games, starts = _turn_into_columns(settings, len(_GAME_FIELDS) + 1)
    of_rolls = _make_arrays(rolls, _ROLL_FIELDS)
    of_games = _make_arrays(games, _GAME_FIELDS)
    is_left = (of_rolls["side"] == 0)[:, None]
    boards = _make_boards(list(chain.from_iterable(zip(before, after, strict=True))))
    return RecordedRolls(
        **{name: np.repeat(values, counts) for name, values in of_games.items()},
        **of_rolls,
        first=np.repeat(counts.cumsum() - counts, counts),
        start=_view_as_roller(
            _make_boards(starts).take(np.repeat(np.arange(len(counts)), counts)), is_left
        ),
        before=_view_as_roller(boards.take(np.arange(0, len(boards), 2)), is_left),
        after=_view_as_roller(boards.take(np.arange(1, len(boards), 2)), is_left),
    )


def _list_rolls_of_game(game: GameReplay) -> list[tuple[Any, ...]]:
    """Return a tuple of values for each roll of a game, such as its dice and its boards."""
    # This runs for every roll of every file, so it must be fast.
    corrected, ruled, second, end = SpecialRolls.find_in(game)
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
        elif ruled and span in ruled:
            code = UNCHECKED
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


class SpecialRolls(NamedTuple):
    """The rolls in a game that statistics leave out, and where the game ends."""

    corrected: frozenset[object]
    """Places of rolls whose illegal play a later play of the same side corrected in time."""
    ruled: frozenset[object]
    """Places of rolls whose play a director corrected: the roll counts, the play is not checked."""
    second: frozenset[object]
    """Places of second rolls of a turn, and of rolls that a ruling interrupted before the play."""
    end: int
    """Number of the first turn after the end of the game."""

    @classmethod
    def find_in(cls, game: GameReplay) -> SpecialRolls:
        """Find a game's corrected rolls, its second rolls, and the turn where it ends."""
        second = {problem.span for problem in game.problems if problem.rule == "second-roll"}
        second.update(interrupted_rolls(game))
        ruled = game.corrected_by_ruling()
        beyond = {
            problem.span
            for problem in game.problems
            if problem.rule in ("action-after-end", "ghost-row")
        }
        ends = (i for i, turn in enumerate(game.turns, 1) if turn.action.span in beyond)
        end = next(ends, len(game.turns) + 1) if beyond else len(game.turns) + 1
        return cls(game.corrected() - ruled, ruled, frozenset(second), end)


def list_counted_rolls(game: GameReplay) -> list[tuple[int, Turn]]:
    """Return the rolls of a game that statistics count, each with the number of its turn.

    Corrected, repeated and second rolls are left out, and rolls after the end of the game.
    """
    special = SpecialRolls.find_in(game)
    left_out = game.not_rolled | special.corrected | special.second
    return [
        (index, turn)
        for index, turn in enumerate(game.turns[: special.end - 1], 1)
        if type(turn.action) is Play and not (left_out and turn.action.span in left_out)
    ]


def _turn_into_columns(rows: Iterable[Sequence[Any]], width: int) -> list[Sequence[Any]]:
    """Turn rows of `width` values each into columns.

    >>> _turn_into_columns([(1, 2), (3, 4)], 2)
    [(1, 3), (2, 4)]
    """
    return list(zip(*rows, strict=True)) or [()] * width


def _make_arrays(
    columns: Iterable[Sequence[Any]], names_and_types: Iterable[tuple[str, str]]
) -> dict[str, Array]:
    """Return columns as arrays, by the names and with the types in `names_and_types`."""
    return {
        name: np.asarray(values, bool)
        if dtype == "bool"
        else make_clamped(np.asarray, values, dtype)
        for values, (name, dtype) in zip(columns, names_and_types, strict=True)
    }


def _make_boards(sides: Sequence[Sequence[Any]]) -> BoardArrays:
    """Return boards as arrays from the left player's view.

    Each item of `sides` has the checkers of left and of right.
    """
    left, right = _turn_into_columns(sides, 2)
    return BoardArrays(pack_sides(left), pack_sides(right))


def _view_as_roller(boards: BoardArrays, by_left: Array) -> BoardArrays:
    """Return boards as the side that rolls sees them, given the left player's view.

    `by_left` says for each board whether left rolls.
    """
    return BoardArrays(
        np.where(by_left, boards.own, boards.other), np.where(by_left, boards.other, boards.own)
    )
