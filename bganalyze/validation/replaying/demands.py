"""Demands: what the plays that follow a turn tell of the board that it leaves, before any is tried."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from types import MappingProxyType
from typing import NamedTuple

from bganalyze.board.faults import roll
from bganalyze.board.movement import Dice, Steps, are_dice, legal_plays
from bganalyze.board.plays import curtailed
from bganalyze.board.position import BAR, HOME, OFF, Points, Position
from bganalyze.record.model import LEFT, RIGHT, Action, Play, SetUp, Side, Unread
from bganalyze.validation.replaying.facts import Boards
from bganalyze.validation.replaying.trial import NOT_CHECKED

MOST_PIPS = 24
"""No roll moves more pips."""


class Demands(NamedTuple):
    """What plays that follow a turn demand of the board that it leaves, as far as a glance shows it."""

    checkers: tuple[tuple[int, int], ...] = ()
    """Points on which the side of the turn has so many checkers, or more."""
    room: tuple[tuple[int, int], ...] = ()
    """Points on which it has no more than so many, for the other side lands there later."""
    has_hit: bool | None = None
    """Whether the other side is on the bar; None where either will do."""

    def plays(self, position: Position, dice: Dice) -> Iterator[tuple[Position, Steps]]:
        """Yield the legal results of a roll that are as demanded, and one way of playing each."""
        if not may_leave(position, dice, self.checkers, self.room):
            return
        legal = legal_plays(position, dice)
        for result in self.fitting(legal):
            yield result, legal[result]

    def are_met_by(self, result: Position) -> bool:
        """Whether a board, seen by the side of the turn, is as demanded."""
        return any(True for _ in self.fitting((result,)))

    def fitting(self, results: Iterable[Position]) -> Iterator[Position]:
        """Yield those boards, seen by the side of the turn, that are as demanded.

        A search asks this of thousands of boards, so the loops call nothing.
        """
        for result in results:
            own, other = result
            if self.has_hit is not None and self.has_hit is not bool(other[BAR]):
                continue
            for point, count in self.checkers:
                if own[point] < count:
                    break
            else:
                for point, count in self.room:
                    if own[point] > count:
                        break
                else:
                    yield result


IMPOSSIBLE = Demands(checkers=((BAR, 100),))
"""What no board meets."""


class Account(NamedTuple):
    """What plays tell of the checkers that a side had on each point, until one may be hit there."""

    checkers: Mapping[int, int] = MappingProxyType({})
    """How many it had at least, where it had any."""
    room: Mapping[int, int] = MappingProxyType({})
    """How many it had at most."""

    def behind_move(self, change: Mapping[int, int]) -> Account:
        """Return what is told with a play of the side before the others.

        Who is on the bar is not told.
        """
        checkers, room = dict(self.checkers), dict(self.room)
        for at, count in change.items():
            if at == BAR:
                continue
            checkers[at] = max(checkers.get(at, 0) - count, 0)
            if at in room:
                room[at] -= count
        return Account(checkers, room)

    def behind_facing(self, change: Mapping[int, int], touched: Iterable[int]) -> Account:
        """Return what is told with a play of the other side before the others.

        It lands where no two checkers are, and may hit one: what the others tell of such a point
        does not hold before it.
        """
        checkers, room = dict(self.checkers), dict(self.room)
        for point in touched:
            checkers.pop(BAR - point, None)
            room.pop(BAR - point, None)
        for landing, count in change.items():
            if count > 0 and OFF < landing < BAR:
                room[BAR - landing] = min(room.get(BAR - landing, 1), 1)
        return Account(checkers, room)


NOTHING_TOLD = Account()


class Following(NamedTuple):
    """What plays that follow a turn tell of the board before them, as far as a glance shows it.

    Measured: to know it of all turns before a fault by one pass from the last play back takes a fifth
    of the time that it takes to look at each by itself.
    """

    first: Play | None = None
    accounts: tuple[Account, Account] = (NOTHING_TOLD, NOTHING_TOLD)
    """Of the checkers of left and of right."""
    pips: tuple[int | None, int | None] = (None, None)
    """How many pips each of them rolls until it has borne off a checker, where it does."""
    is_possible: bool = True
    """Whether no play is illegal on any board."""

    def behind(self, play: Play) -> Following:
        """Return the same with a play before the others."""
        if play.dice is None or play.how in NOT_CHECKED:
            return self._replace(first=play)
        glance = _glance(play.dice, play.steps)
        moving, facing = self.accounts[play.side], self.accounts[1 - play.side]
        moving = moving.behind_move(glance.change)
        facing = facing.behind_facing(glance.change, glance.touched)
        is_possible = self.is_possible and not glance.is_of_no_roll
        if play.side == LEFT:
            accounts, pips = (moving, facing), (self._pips(LEFT, glance), self.pips[RIGHT])
        else:
            accounts, pips = (facing, moving), (self.pips[LEFT], self._pips(RIGHT, glance))
        return Following(play, accounts, pips if glance.pips else (None, None), is_possible)

    def _pips(self, side: Side, glance: Glance) -> int | None:
        """Return how many pips a side rolls until it has borne off a checker, with a play of it."""
        pips = 0 if glance.bears_off else self.pips[side]
        return None if pips is None else pips + glance.pips

    def demands(self, boards: Boards, side: Side) -> Demands:
        """Return what the plays demand of the board that a turn of `side` leaves.

        That turn, and at most one of the other side, is made from `boards`.
        """
        if not (self.is_possible and all(map(_may_bear_off, boards, self.pips))):
            return IMPOSSIBLE
        account = self.accounts[side]
        checkers = tuple((at, count) for at, count in account.checkers.items() if count)
        has_hit: bool | None = None
        first = self.first
        if first is not None and first.dice is not None and first.how not in NOT_CHECKED:
            enters = _glance(first.dice, first.steps).change.get(BAR, 0) < 0
            if first.side == side and (enters or not first.steps):
                return Demands(checkers)  # The turn was hit: it had these checkers, or more.
            if first.side != side and first.steps:
                has_hit = enters
        return Demands(checkers, tuple(account.room.items()), has_hit)


def demands_of(boards: Boards, actions: Sequence[Action], side: Side, plays: int) -> Demands:
    """Return what so many plays of `actions` demand of the board that a turn of `side` leaves.

    That turn, and at most one of the other side, is made from `boards`.

    On another board one of them is illegal: a step finds no checker or lands on a point that is
    held, or a checker is left on the bar. Measured: of those after a turn that may be lost, four in
    five need no trial. Where a play is illegal on any board, as with misread dice, none does: that
    takes a fifth off the search for such a slip. The same holds where one bears off too early.
    """
    following = Following()
    for play in reversed([*_plays_until(actions, plays)]):
        following = following.behind(play)
    return following.demands(boards, side)


def following_each(actions: Sequence[Action]) -> list[Following]:
    """Return what the plays from each action on tell, and behind the last one.

    Those behind a board that is set up tell nothing of the board before it.
    """
    following = Following()
    each = [following]
    for action in reversed(actions):
        if type(action) is Play:
            following = following.behind(action)
        elif isinstance(action, SetUp | Unread):
            following = Following()
        each.append(following)
    return each[::-1]


class Glance(NamedTuple):
    """What a play shows on whatever board."""

    change: Mapping[int, int]
    """How many checkers more it leaves on each point that a step begins or ends on."""
    touched: frozenset[int]
    """The points on which it may hit: where a step ends, and all on the way of more than a die."""
    pips: int
    """Those of its roll; none where the dice are none, and nothing tells how far it moves."""
    bears_off: bool
    is_of_no_roll: bool
    """Whether it is illegal on any board: no play of its roll moves so many pips."""


@lru_cache(maxsize=4_096)
def _glance(dice: Dice, steps: Steps) -> Glance:
    change: dict[int, int] = defaultdict(int)
    touched: set[int] = set()
    for path, _ in curtailed(steps):
        change[path[0]] -= 1
        change[path[-1]] += 1
        for source, target in pairwise(path):
            touched.update((target,) if source - target in dice else range(target, source))
    bears_off = any(path[-1] == OFF for path, _ in steps)
    pips = sum(roll(dice)) if are_dice(dice) else 0
    # A checker may be borne off with a die of more pips.
    is_of_no_roll = pips > 0 and not bears_off and not _covers(dice, steps)
    return Glance(MappingProxyType(change), frozenset(touched), pips, bears_off, is_of_no_roll)


def _covers(dice: Dice, steps: Steps) -> bool:
    """Whether some or all of the dice are as many pips as steps move."""
    low, high = dice
    moved = sum(path[0] - path[-1] for path, _ in steps)
    return moved in ((0, low, high, low + high) if low != high else range(0, 5 * low, low))


def _may_bear_off(own: Points, pips: int | None) -> bool:
    """Whether a side may bear off once it has rolled so many pips, after a turn that is not known.

    It does once all its checkers are home. No turn brings them nearer by more than a roll's pips, and
    a hit sets them back.
    """
    if pips is None:
        return True
    outside = 0
    for point in range(HOME + 1, BAR + 1):
        outside += own[point] * (point - HOME)
    return outside <= MOST_PIPS + pips


def may_leave(
    position: Position,
    dice: Dice,
    checkers: Iterable[tuple[int, int]],
    room: Iterable[tuple[int, int]] = (),
) -> bool:
    """Whether a roll may bring so many checkers to points, and leave no more on others.

    What is in their way is not looked at. A search asks this of each roll at each turn, so the loops
    call nothing.

    >>> from bganalyze.board.position import start_position
    >>> [may_leave(start_position("standard"), (3, 1), [(point, 2)]) for point in (5, 10, 11)]
    [True, True, False]
    >>> [may_leave(start_position("standard"), (2, 2), [(point, 1)]) for point in (16, 14)]
    [True, False]
    >>> [may_leave(start_position("standard"), (3, 1), [], [(6, count)]) for count in (3, 2)]
    [True, False]
    """
    low, high = dice
    most, lengths = (2, (low, high, low + high)) if low != high else (4, range(low, 5 * low, low))
    own = position.own
    to_leave = 0
    for point, count in room:
        to_leave += max(own[point] - count, 0)
    if to_leave > most:
        return False
    for point, count in checkers:
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


def _plays_until(actions: Sequence[Action], most: int) -> Iterator[Play]:
    """Yield so many plays of those that are tried on the same board."""
    before_set_up = takewhile(lambda action: not isinstance(action, SetUp | Unread), actions)
    return islice((action for action in before_set_up if type(action) is Play), most)
