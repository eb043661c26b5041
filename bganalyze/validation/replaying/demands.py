"""Constraints that later plays put on a board, found without replaying them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from types import MappingProxyType
from typing import NamedTuple

from bganalyze.board.movement import Dice, Steps, are_dice, legal_plays
from bganalyze.board.play_faults import dice_to_play
from bganalyze.board.plays import limit_steps
from bganalyze.board.position import BAR, HOME, OFF, Points, Position
from bganalyze.record.model import LEFT, RIGHT, Action, CheckersPutBack, Play, SetUp, Side, Unread
from bganalyze.validation.replaying.replayed import Boards
from bganalyze.validation.replaying.trial import NOT_CHECKED

MOST_PIPS = 24
"""The most pips a roll can move (6-6)."""


class BoardConstraints(NamedTuple):
    """Numbers of checkers that a board must have so that the plays after it are legal."""

    at_least: tuple[tuple[int, int], ...] = ()
    """Minimum checkers the moving side needs on each point."""
    at_most: tuple[tuple[int, int], ...] = ()
    """Maximum checkers the moving side may have on each point, because the opponent lands there
    later."""
    has_hit: bool | None = None
    """Whether the opponent must be on the bar; None if both are possible."""

    def find_fitting_plays(
        self, position: Position, dice: Dice
    ) -> Iterator[tuple[Position, Steps]]:
        """Yield each play of a roll whose board meets these constraints: board and steps."""
        if not may_leave(position, dice, self.at_least, self.at_most):
            return
        legal = legal_plays(position, dice)
        for result in self.filter_boards(legal):
            yield result, legal[result]

    def are_met_by(self, result: Position) -> bool:
        """Whether a board, seen by the side that has just played, meets these constraints."""
        return any(True for _ in self.filter_boards((result,)))

    def filter_boards(self, results: Iterable[Position]) -> Iterator[Position]:
        """Yield the boards in `results` that meet these constraints.

        Each board is seen by the side that has just played.
        """
        # A search checks thousands of boards, so the loops call no functions.
        for result in results:
            own, other = result
            if self.has_hit is not None and self.has_hit is not bool(other[BAR]):
                continue
            for point, count in self.at_least:
                if own[point] < count:
                    break
            else:
                for point, count in self.at_most:
                    if own[point] > count:
                        break
                else:
                    yield result


IMPOSSIBLE = BoardConstraints(at_least=((BAR, 100),))
"""An impossible constraint."""


class Bounds(NamedTuple):
    """Fewest and most checkers of a side on each point with which later plays are legal."""

    at_least: Mapping[int, int] = MappingProxyType({})
    """Minimum checkers on each point, where at least one is needed."""
    at_most: Mapping[int, int] = MappingProxyType({})
    """Maximum checkers on each point."""

    def before_own_play(self, change: Mapping[int, int]) -> Bounds:
        """Return the bounds that hold before a play of the same side if these hold after it.

        `change` maps points to the number of checkers that the play adds, negative if it removes
        them.
        """
        at_least, at_most = dict(self.at_least), dict(self.at_most)
        for at, count in change.items():
            if at == BAR:
                continue
            at_least[at] = max(at_least.get(at, 0) - count, 0)
            if at in at_most:
                at_most[at] -= count
        return Bounds(at_least, at_most)

    def before_opponent_play(self, change: Mapping[int, int], may_be_hit: Iterable[int]) -> Bounds:
        """Return the bounds that hold before a play of the opponent if these hold after it.

        `change` maps points to the number of checkers that the play adds. The points `may_be_hit`
        get no bounds. Points have the opponent's numbers.
        """
        at_least, at_most = dict(self.at_least), dict(self.at_most)
        for point in may_be_hit:
            at_least.pop(BAR - point, None)
            at_most.pop(BAR - point, None)
        for landing, count in change.items():
            if count > 0 and OFF < landing < BAR:
                at_most[BAR - landing] = min(at_most.get(BAR - landing, 1), 1)
        return Bounds(at_least, at_most)


NO_BOUNDS = Bounds()


class PlayConstraints(NamedTuple):
    """Constraints that successive plays put on the board before them, found without replaying."""

    first: Play | None = None
    """The first play of the sequence; None if it is empty."""
    bounds: tuple[Bounds, Bounds] = (NO_BOUNDS, NO_BOUNDS)
    """Bounds on the checkers of left and of right."""
    pips: tuple[int | None, int | None] = (None, None)
    """Pips each side rolls up to and including its first bear-off; None if it never bears off."""
    is_possible: bool = True
    """Whether every play is legal on some board."""

    def preceded_by(self, play: Play) -> PlayConstraints:
        """Return the constraints on the board before `play`, which comes before these plays."""
        if play.dice is None or play.how in NOT_CHECKED:
            return self._replace(first=play)
        traits = _summarize_play(play.dice, play.steps)
        moving, facing = self.bounds[play.side], self.bounds[1 - play.side]
        moving = moving.before_own_play(traits.change)
        facing = facing.before_opponent_play(traits.change, traits.touched)
        is_possible = self.is_possible and not traits.is_of_no_roll
        if play.side == LEFT:
            bounds, pips = (
                (moving, facing),
                (self._count_pips_until_bear_off(LEFT, traits), self.pips[RIGHT]),
            )
        else:
            bounds, pips = (
                (facing, moving),
                (self.pips[LEFT], self._count_pips_until_bear_off(RIGHT, traits)),
            )
        return PlayConstraints(play, bounds, pips if traits.pips else (None, None), is_possible)

    def _count_pips_until_bear_off(self, side: Side, play: PlayTraits) -> int | None:
        """Return the pips that `side` rolls from `play` to its first bear-off, or None."""
        pips = 0 if play.bears_off else self.pips[side]
        return None if pips is None else pips + play.pips

    def constraints_on_board(self, boards: Boards, side: Side) -> BoardConstraints:
        """Return the constraints of these plays on the board after a turn of `side`.

        `boards` are the boards before that turn.
        """
        # `boards` may be those before that turn, or one turn earlier.
        if not (self.is_possible and all(map(_can_come_home_in_time, boards, self.pips))):
            return IMPOSSIBLE
        bounds = self.bounds[side]
        at_least = tuple((at, count) for at, count in bounds.at_least.items() if count)
        has_hit: bool | None = None
        first = self.first
        if first is not None and first.dice is not None and first.how not in NOT_CHECKED:
            enters = _summarize_play(first.dice, first.steps).change.get(BAR, 0) < 0
            if first.side == side and (enters or not first.steps):
                return BoardConstraints(
                    at_least
                )  # The turn was hit: it had these checkers, or more.
            if first.side != side and first.steps:
                has_hit = enters
        return BoardConstraints(at_least, tuple(bounds.at_most.items()), has_hit)


def find_constraints(
    boards: Boards, actions: Sequence[Action], side: Side, play_count: int
) -> BoardConstraints:
    """Return the constraints that later plays put on the board left by an unknown turn.

    `side` makes the unknown turn on `boards`. The first `play_count` plays of `actions` come after
    it, and all of them must be possible.
    """
    following = PlayConstraints()
    for play in reversed([*_yield_first_plays(actions, play_count)]):
        following = following.preceded_by(play)
    return following.constraints_on_board(boards, side)


def list_constraints(actions: Sequence[Action]) -> list[PlayConstraints]:
    """Return, for each action, what it and later plays require of the board before it.

    The last item is for the end of the game.
    """
    # A recorded board, unreadable text or checkers put back tell nothing about the board before.
    following = PlayConstraints()
    each = [following]
    for action in reversed(actions):
        if type(action) is Play:
            following = following.preceded_by(action)
        elif isinstance(action, SetUp | Unread | CheckersPutBack):
            following = PlayConstraints()
        each.append(following)
    return each[::-1]


class PlayTraits(NamedTuple):
    """Properties of a play that hold on any board."""

    change: Mapping[int, int]
    """Change in the number of checkers on each point where a step begins or ends."""
    touched: frozenset[int]
    """Points where it may hit: the end of each step, and every point passed by a joined step."""
    pips: int
    """Pips of its roll; 0 if the dice are impossible."""
    bears_off: bool
    is_of_no_roll: bool
    """Whether it is illegal on every board: its steps do not add up to pips of its roll."""


@lru_cache(maxsize=4_096)
def _summarize_play(dice: Dice, steps: Steps) -> PlayTraits:
    """Return the properties of a play that are the same on any board, such as its pips."""
    change: dict[int, int] = defaultdict(int)
    touched: set[int] = set()
    for path, _ in limit_steps(steps):
        change[path[0]] -= 1
        change[path[-1]] += 1
        for source, target in pairwise(path):
            touched.update((target,) if source - target in dice else range(target, source))
    bears_off = any(path[-1] == OFF for path, _ in steps)
    pips = sum(dice_to_play(dice)) if are_dice(dice) else 0
    # A checker may be borne off with a die larger than its point.
    is_of_no_roll = pips > 0 and not bears_off and not _moves_pips_of_dice(dice, steps)
    return PlayTraits(MappingProxyType(change), frozenset(touched), pips, bears_off, is_of_no_roll)


def _moves_pips_of_dice(dice: Dice, steps: Steps) -> bool:
    """Whether the steps use the pips of some or all of the dice, or no pips."""
    low, high = dice
    moved = sum(path[0] - path[-1] for path, _ in steps)
    return moved in ((0, low, high, low + high) if low != high else range(0, 5 * low, low))


def _can_come_home_in_time(own: Points, further_pips: int | None) -> bool:
    """Whether a side can bring all its checkers home before its first bear-off.

    Before it, the side plays one unknown roll and rolls `further_pips`; None if it never bears off.
    """
    if further_pips is None:
        return True
    outside = 0
    for point in range(HOME + 1, BAR + 1):
        outside += own[point] * (point - HOME)
    return outside <= MOST_PIPS + further_pips


def may_leave(
    position: Position,
    dice: Dice,
    least_checkers: Iterable[tuple[int, int]],
    most_checkers: Iterable[tuple[int, int]] = (),
) -> bool:
    """Whether a roll may leave enough, but not too many, checkers on certain points.

    `least_checkers` and `most_checkers` are pairs of a point and a number. The test is quick: False
    is certain, but True is not.

    >>> from bganalyze.board.position import start_position
    >>> [may_leave(start_position("standard"), (3, 1), [(point, 2)]) for point in (5, 11)]
    [True, False]
    >>> [may_leave(start_position("standard"), (3, 1), [], [(6, count)]) for count in (3, 2)]
    [True, False]
    """
    low, high = dice
    most, lengths = (2, (low, high, low + high)) if low != high else (4, range(low, 5 * low, low))
    own = position.own
    to_leave = 0
    for point, count in most_checkers:
        to_leave += max(own[point] - count, 0)
    if to_leave > most:
        return False
    for point, count in least_checkers:
        lacking = count - own[point]
        if lacking > 0:
            most -= lacking
            if most < 0:
                return False
            for length in lengths:
                if point + length <= BAR and own[point + length]:
                    break
            else:
                return False
    return True


def _yield_first_plays(actions: Sequence[Action], most: int) -> Iterator[Play]:
    """Yield at most `most` plays in `actions`, before a recorded board or unreadable text."""
    before_set_up = takewhile(
        lambda action: not isinstance(action, SetUp | Unread | CheckersPutBack), actions
    )
    return islice((action for action in before_set_up if type(action) is Play), most)
