"""Exact equities of short bear-offs, with the cube.

Both sides have few checkers left, all of them home, so there are no hits and no gammons and every
die can be played. Positions are solved backwards from the end of the game for every state of the
cube: each from the positions its plays lead to. This needs no engine and no estimate of how often
the cube will be turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bganalyze.analysis.decisions import (
    TO_OFFERS,
    Decision,
    Kind,
    is_resignation_before_roll,
    is_short_bearoff,
    resigner,
)
from bganalyze.analysis.engines import (
    MOST_KEPT,
    Candidate,
    CubeEvaluation,
    Evaluation,
    PlayEvaluation,
    PlayingOn,
)
from bganalyze.board.equities import MatchScore, Stake, compute_chance_after, stake
from bganalyze.board.movement import Dice
from bganalyze.board.plays import legal_plays
from bganalyze.board.position import HOME, OFF, Points, Position, pips, points

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
_CHANCES = [1 / 36 if high == low else 2 / 36 for high, low in ROLLS]
_WEIGHTS = np.array(_CHANCES)

_CUBE_KINDS = (Kind.NO_DOUBLE, Kind.DOUBLE, *TO_OFFERS)

Home = tuple[int, ...]
"""The number of checkers of a side on each of its points 1 to 6."""
_EMPTY: Home = (0,) * HOME

_Values = npt.NDArray[np.float64]
"""Values for left, indexed by the cube (see `Bearoff.cubes`) and the positions of one or both sides."""


class BearoffCube(NamedTuple):
    """The cube and the score during a bear-off. In money play the cube value is always 1.

    Results of money play are in units of the cube.
    """

    score: MatchScore
    value: int
    owner: int | None
    """0 left, 1 right, None in the center."""

    def may_be_doubled(self, side: int) -> bool:
        """Whether a side may double and could gain by it."""
        away = self.score.length - self.score.points[side]
        is_dead = self.score.length > 0 and self.value >= away
        return self.owner in (None, side) and not self.score.crawford and not is_dead

    def after_double_and_take(self, side: int) -> BearoffCube:
        """Return the cube after `side` has doubled and the opponent has taken."""
        return self._replace(value=2 * self.value if self.score.length else 1, owner=1 - side)

    @property
    def multiple(self) -> int:
        """Factor for a position's value after double and take: 2 in money play, 1 in a match."""
        # A value in money play is in units of the cube, which has doubled; in a match, a chance.
        return 1 if self.score.length else 2

    def chance_of_left_after_win(self, winner: int) -> float:
        """Return the left player's match-winning chance after `winner` has won a single game.

        In money play, return 1 if left won, else -1.
        """
        if not self.score.length:
            return 1.0 if winner == 0 else -1.0
        chance = compute_chance_after(self.score, 0, winner=winner, points=self.value)
        assert chance is not None
        return chance


class _Side(NamedTuple):
    """The home boards that a side can reach, and the boards that each roll leads to from each."""

    places: dict[Home, int]
    """Indexes of the positions in order of pips; the first has no checkers left."""
    left: npt.NDArray[np.intp]
    """Indexes of the positions after each play, for each position but the first and each roll."""
    begins: npt.NDArray[np.intp]
    """Start in `left` of the plays of each position and roll."""


class Bearoff(NamedTuple):
    """A solved bear-off: the value of every cube and position for the left player.

    Tables of values are indexed by the cube and the positions of both sides.
    """

    cubes: dict[BearoffCube, int]
    sides: tuple[_Side, _Side]
    before: tuple[_Values, _Values]
    """Values before left doubles or rolls, and before right does."""
    rolled: tuple[_Values, _Values]
    """The same values if the side rolls without doubling."""


@lru_cache(maxsize=64)
def solve_bearoff(cube: BearoffCube, left_home: Home, right_home: Home) -> Bearoff:
    """Return the values of all positions that a bear-off from two home boards can reach.

    A value is the left player's match-winning chance or, in money play, equity.
    """
    cubes = {state: place for place, state in enumerate(_list_reachable_cubes(cube))}
    sides = _list_home_boards(left_home), _list_home_boards(right_home)
    shape = len(cubes), *(len(side.places) for side in sides)
    before, rolled = (tuple(np.zeros(shape) for _ in range(2)) for _ in range(2))
    for state, place in cubes.items():
        before[1][place, 0, :] = state.chance_of_left_after_win(0)
        before[0][place, :, 0] = state.chance_of_left_after_win(1)
    own, other = sides
    starts = [*own.begins, len(own.left)]
    for place in range(1, shape[1]):
        first, last = (starts[len(ROLLS) * at] for at in (place - 1, place))
        begins = own.begins[len(ROLLS) * (place - 1) : len(ROLLS) * place] - first
        plays = np.maximum.reduceat(before[1][:, own.left[first:last], 1:], begins, axis=1)
        rolled[0][:, place, 1:] = np.einsum("crp,r->cp", plays, _WEIGHTS)
        before[0][:, place, 1:] = _improve_by_doubling(rolled[0][:, place, 1:], 0, cubes)
        replies = np.minimum.reduceat(before[0][:, place, other.left], other.begins, axis=1)
        rolled[1][:, place, 1:] = replies.reshape(shape[0], -1, len(ROLLS)) @ _WEIGHTS
        before[1][:, place, 1:] = _improve_by_doubling(rolled[1][:, place, 1:], 1, cubes)
    return Bearoff(cubes, sides, (before[0], before[1]), (rolled[0], rolled[1]))


def _improve_by_doubling(
    undoubled: _Values, side: int, cube_indexes: dict[BearoffCube, int]
) -> _Values:
    """Return the values of positions in which `side` may double or roll.

    `undoubled` has the values of rolling. `cube_indexes` maps each cube to its index in the first
    dimension of the values.
    """
    better, worse = (np.maximum, np.minimum) if side == 0 else (np.minimum, np.maximum)
    values = undoubled.copy()
    for cube, index in cube_indexes.items():
        if cube.may_be_doubled(side):
            take = cube.multiple * undoubled[cube_indexes[cube.after_double_and_take(side)]]
            passed = cube.chance_of_left_after_win(side)
            values[index] = better(undoubled[index], worse(take, passed))
    return values


def _list_reachable_cubes(cube: BearoffCube) -> list[BearoffCube]:
    """Return the cube with every value and owner that further doubles can lead to."""
    states = list(
        dict.fromkeys((cube, cube.after_double_and_take(0), cube.after_double_and_take(1)))
    )
    for state in states:  # The loop extends the list.
        turned = (
            state.after_double_and_take(side) for side in (0, 1) if state.may_be_doubled(side)
        )
        states.extend(following for following in turned if following not in states)
    return states


@cache
def _list_home_boards(home: Home) -> _Side:
    """Return all home boards that a side can reach from `home`, and the results of each roll."""
    reached = {home}
    waiting = [home]
    while waiting:
        new = set().union(*_find_boards_after_rolls(waiting.pop())) - reached
        reached |= new
        waiting += new
    homes = sorted(reached, key=lambda home: sum(p * n for p, n in enumerate(home, 1)))
    places = {home: place for place, home in enumerate(homes)}
    rolls = [
        [places[left] for left in plays]
        for home in homes[1:]
        for plays in _find_boards_after_rolls(home)
    ]
    begins = np.cumsum([0, *map(len, rolls)])[:-1]
    return _Side(places, np.array(list(chain(*rolls)), np.intp), begins)


@cache
def _find_boards_after_rolls(home: Home) -> list[set[Home]]:
    """Return the set of home boards that each roll can lead to from `home`."""
    if home == _EMPTY:
        return []
    own = points(dict(enumerate(home, 1)) | {OFF: 15 - sum(home)})
    position = Position(own, points({OFF: 14, 1: 1}))
    return [{_slice_home_board(left.own) for left in legal_plays(position, dice)} for dice in ROLLS]


def _slice_home_board(checkers: Points) -> Home:
    """Return the part of a side's `checkers` that is on its points 1 to 6."""
    return checkers[1 : HOME + 1]


# Evaluations of decisions.


class _SolvedDecision(NamedTuple):
    """A decision in a short bear-off, with the solution of the bear-off."""

    bearoff: Bearoff
    cube: BearoffCube
    stake: Stake
    side: int
    """The side that rolls or doubles."""

    def look_up_value(
        self, values: _Values, cube: BearoffCube, home_boards: Sequence[Home]
    ) -> float:
        """Look up in the table `values` the value of a position with this cube.

        `home_boards` are the left and the right player's home boards.
        """
        left, right = (
            side.places[home] for side, home in zip(self.bearoff.sides, home_boards, strict=True)
        )
        return float(values[self.bearoff.cubes[cube], left, right])

    def to_equity(self, value: float) -> float:
        """Convert the left player's value to the equity (EMG) of the side that rolls or doubles."""
        if self.side == 0:
            return self.stake.equity(value)
        return self.stake.equity(1.0 - value if self.cube.score.length else -value)


def evaluate_exactly(decision: Decision) -> Evaluation | None:
    """Return the exact evaluation of a decision in a short bear-off, or None.

    None means one of the following:

    - The position is no short bear-off.
    - The match is played without a cube, or its score is outside the match equity table.
    - An illegal play led to a position that was not solved.
    - The decision is about a resignation after a roll, or the side to roll is unknown.
    """
    position, length = decision.position, decision.length
    if not is_short_bearoff(position) or not decision.context.terms.cube_in_play:
        return None
    score = MatchScore(length, decision.context.score, decision.context.crawford)
    side = decision.doubler if decision.on_roll is None else decision.on_roll
    cube = BearoffCube(score, decision.cube if length else 1, decision.owner)
    at_stake = stake(score, side, cube.value)
    if at_stake is None:
        return None
    homes = [_slice_home_board(points) for points in position][:: -1 if decision.side else 1]
    solved = _SolvedDecision(solve_bearoff(cube, *homes), cube, at_stake, side)
    if decision.kind is Kind.PLAY:
        return _evaluate_play(solved, decision)
    if decision.kind in _CUBE_KINDS:
        return _evaluate_double(solved, homes)
    return (
        _evaluate_playing_on(solved, homes, decision)
        if is_resignation_before_roll(decision)
        else None
    )


def _evaluate_double(solved: _SolvedDecision, home_boards: Sequence[Home]) -> CubeEvaluation:
    """Return the doubler's exact equities of no double, and of double and take.

    `home_boards` are the left and the right player's home boards.
    """
    rolled = solved.bearoff.rolled[solved.side]
    waiting = solved.look_up_value(rolled, solved.cube, home_boards)
    taken = solved.look_up_value(
        rolled, solved.cube.after_double_and_take(solved.side), home_boards
    )
    return CubeEvaluation(
        solved.to_equity(waiting),
        solved.to_equity(solved.cube.multiple * taken),
    )


def _evaluate_playing_on(
    solved: _SolvedDecision, home_boards: Sequence[Home], decision: Decision
) -> PlayingOn:
    """Return the resigning side's exact equity if the game is played on.

    `home_boards` are the left and the right player's home boards.
    """
    before = solved.bearoff.before[solved.side]
    equity = solved.to_equity(solved.look_up_value(before, solved.cube, home_boards))
    return PlayingOn(equity if solved.side == resigner(decision) else -equity)


def _evaluate_play(solved: _SolvedDecision, decision: Decision) -> PlayEvaluation | None:
    """Return the exact evaluation of a roll: best plays, recorded play and luck.

    Return None if an illegal play led to a position that was not solved.
    """
    dice, after = decision.dice, decision.after
    assert dice is not None
    ranked = {any_dice: _rank_plays(solved, decision.position, any_dice) for any_dice in ROLLS}
    mean = sum(
        chance * ranked[any_dice][0].equity
        for any_dice, chance in zip(ROLLS, _CHANCES, strict=True)
    )
    candidates = ranked[max(dice), min(dice)]
    reached = next((candidate for candidate in candidates if candidate.after == after), None)
    if after is not None and reached is None:
        return None  # An illegal play may lead to a position that was not solved.
    return PlayEvaluation(tuple(candidates[:MOST_KEPT]), reached, candidates[0].equity - mean)


def _rank_plays(solved: _SolvedDecision, position: Position, dice: Dice) -> list[Candidate]:
    """Return the legal plays of a roll with their exact equities, best first."""
    opponent_to_act = solved.bearoff.before[1 - solved.side]
    candidates = []
    for after in legal_plays(position, dice):
        homes = (_slice_home_board(after.own), _slice_home_board(after.other))[
            :: -1 if solved.side else 1
        ]
        value = solved.look_up_value(opponent_to_act, solved.cube, homes)
        candidates.append(Candidate(after, solved.to_equity(value)))
    return sorted(candidates, key=lambda play: (-play.equity, pips(play.after.own)))
