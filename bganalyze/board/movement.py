"""Movement: every legal play of a roll, found by playing it out die by die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement
from typing import NamedTuple

from bganalyze.board.position import BAR, HOME, OFF, Points, Position, Step, checkers

Dice = tuple[int, int]
Steps = tuple[Step, ...]

Board = tuple[Sequence[int], Sequence[int]]
"""A position, or lists of both sides' checkers on which plays are carried out."""


ROLLS: tuple[Dice, ...] = tuple(combinations_with_replacement(range(1, 7), 2))
"""Every roll, with the lower die first."""

OPENING_ROLLS = tuple(dice for dice in ROLLS if dice[0] != dice[1])
"""The rolls with which a game may begin: no doublets."""


class _Reached(NamedTuple):
    """What playing the dice in one order leads to."""

    used: int
    """How many dice could be played at most."""
    results: dict[Position, Steps]
    """Every position that many dice lead to."""
    finished: dict[Position, Steps]
    """Positions with the last checker borne off, with dice to spare."""


@lru_cache(maxsize=256)
def legal_plays(position: Position, dice: Dice) -> Mapping[Position, Steps]:
    """Every legal result of a roll, and one way of playing it, die by die, marked where it hits.

    The sides are not swapped. Where nothing can be played, or the game is over, or the dice are
    none, the position itself is the only result. Bearing off the last checker is always legal,
    however few dice that takes. The last few hundred are remembered: a search for causes asks for one
    in three again.

    >>> from bganalyze.board.position import start_position
    >>> len(legal_plays(start_position("standard"), (3, 1)))
    16
    >>> legal_plays(start_position("hypergammon-1"), (0, 0)).values()
    dict_values([()])
    """
    if not are_dice(dice):
        return {position: ()}
    orders = _orders(dice)
    reached = [_played_out(position, orders[0])]
    if len(orders) > 1:
        is_plain = reached[0].used == len(dice) and not _order_matters(position.own)
        reached.append((_run if is_plain else _played_out)(position, orders[1]))
    longest = max(order.used for order in reached)
    fullest = [order.results for order in reached if order.used == longest]
    if longest == 1:
        del fullest[1:]  # Either die but not both: the larger, which comes first.
    plays: dict[Position, Steps] = {}
    for results in fullest + [order.finished for order in reached]:
        for result, steps in results.items():
            plays.setdefault(result, steps)
    return plays


def legal_turns(
    position: Position, rolls: Iterable[Dice] = ROLLS
) -> Iterator[tuple[Dice, Position, Steps]]:
    """Yield what may be rolled and played: each roll with every legal result, as `legal_plays` has it.

    >>> from bganalyze.board.position import start_position
    >>> len({result for _, result, _ in legal_turns(start_position("standard"))})
    406
    """
    for dice in rolls:
        for result, steps in legal_plays(position, dice).items():
            yield dice, result, steps


def has_choice(position: Position, dice: Dice) -> bool:
    """Whether a roll has more than one legal result.

    Two different plays that use all dice prove it, and are usually found at once.

    >>> from bganalyze.board.position import start_position
    >>> has_choice(start_position("standard"), (3, 1))
    True
    """
    first: Position | None = None
    for order in _orders(dice) if are_dice(dice) else ():
        for end in _ends(position, order):
            if first is None:
                first = end
            elif end != first:
                return True
    return len(legal_plays(position, dice)) > 1


def _ends(position: Position, order: tuple[int, ...]) -> Iterator[Position]:
    """Yield what playing all dice in this order leads to, some of it more than once."""
    if not order:
        yield position
        return
    for source in _sources(position, order[0], BAR):
        yield from _ends(_hop(position, source, order[0])[0], order[1:])


def ways(position: Position, dice: Dice, result: Position) -> Iterator[Steps]:
    """Yield the ways of playing a roll that leave `result`, die by die, each set of steps once.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> end = next(iter(legal_plays(start, (3, 1))))
    >>> [[step.path for step in steps] for steps in ways(start, (3, 1), end)]
    [[(24, 21), (24, 23)]]
    """
    seen: set[Steps] = set()
    for order in _orders(dice):
        for steps in _ways(position, order, result, BAR):
            # A leg that enters or hits may have to come first: the order is part of the way.
            if (alike := tuple(sorted(steps))) not in seen:
                seen.add(alike)
                yield steps


def _ways(
    position: Position, order: tuple[int, ...], result: Position, highest: int
) -> Iterator[Steps]:
    if position == result:
        yield ()
        return
    if not order:
        return
    die, *others = order
    from_rear = die == order[-1] and bool(others)
    for source in _sources(position, die, highest):
        is_left = _is_left(position, source, result)
        # Another checker may come to a point that is not left: with the other of two dice.
        if is_left or (others and not from_rear and _is_left(position, source + others[0], result)):
            reached, step = _hop(position, source, die)
            for steps in _ways(reached, order[1:], result, source if from_rear else BAR):
                yield (step, *steps)
        if is_left and from_rear:
            return  # No checker is moved from there later.


def _is_left(position: Position, point: int, result: Position) -> bool:
    """Whether fewer checkers stand on a point of the board, or on the bar, in the result."""
    return point <= BAR and position.own[point] > result.own[point]


def can_move(position: Board, dice: Dice) -> bool:
    """Whether any checker can be moved with this roll.

    >>> from bganalyze.board.position import points
    >>> closed = points(dict.fromkeys(range(1, 7), 2))
    >>> can_move(Position(points({BAR: 1, 6: 14}), closed), (6, 1))
    False
    """
    if not are_dice(dice):
        return False
    own, other = position
    if own[BAR]:
        return other[dice[0]] < 2 or other[dice[1]] < 2
    return any(_sources(position, die, BAR) for die in set(dice))


def is_whole(before: Position, dice: Dice, after: Position, left: Sequence[int]) -> bool:
    """Whether a play that leaves these dice unused is a legal play all the same.

    `after` must be what playing the other dice leads to.

    >>> from bganalyze.board.position import points
    >>> on_bar = Position(points({BAR: 1, 6: 14}), points({1: 2, 2: 2, 3: 2, 4: 2, 5: 2}))
    >>> is_whole(on_bar, (6, 1), Position(points({19: 1, 6: 14}), on_bar.other), [1])
    False
    """
    die = left[0]
    if leaves_move(before, after, die):
        return False
    if dice[0] == dice[1]:
        return not can_move(after, (die, die))  # Each checker goes as far as it can, in any order.
    if not can_move(before, (die, die)):
        if before.own[BAR]:
            return not can_move(after, (die, die))  # Some checker had to enter with the other die.
        if not _order_matters(before.own):
            return not _run(before, (sum(dice) - die, die)).results  # Only this could use both.
    return after in legal_plays(before, dice)


def leaves_move(before: Position, after: Position, die: int) -> bool:
    """Whether a die that a play leaves unused could plainly be played after it.

    Then no legal play leaves the side's checkers like this: it would have moved them further. Only
    where one is borne off may a die count for less than its number. Half of the trial plays in a
    record with many faults leave a die. Measured: not to generate the legal plays for them takes
    three quarters off its check.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> leaves_move(start, _hop(start, 13, 6)[0], 1)
    True
    """
    return after.own[OFF] == before.own[OFF] and can_move(after, (die, die))


def are_dice(dice: Dice) -> bool:
    """Whether both numbers are on a die: records also hold `00` and worse."""
    return 0 < dice[0] <= 6 and 0 < dice[1] <= 6


def _orders(dice: Dice) -> tuple[tuple[int, ...], ...]:
    low, high = sorted(dice)
    return ((high,) * 4,) if low == high else ((high, low), (low, high))


def _played_out(position: Position, order: tuple[int, ...]) -> _Reached:
    """Play the dice in this order as far as they go.

    With a double the checkers are moved from the rear forwards, so that every result is met once:
    a play that can be made in any order can be made in that one.
    """
    double = order[0] == order[-1]
    level: dict[Position, Steps] = {position: ()}
    finished: dict[Position, Steps] = {}
    for used, die in enumerate(order):
        following: dict[Position, Steps] = {}
        for reached, steps in level.items():
            sources = _sources(reached, die, steps[-1].path[0] if double and steps else BAR)
            for source in sources:
                result, step = _hop(reached, source, die)
                following.setdefault(result, (*steps, step))
            if not sources and not checkers(reached.own):
                finished[reached] = steps
        if not following:
            return _Reached(used, level, finished)
        level = following
    return _Reached(len(order), level, finished)


def _order_matters(own: Points) -> bool:
    """Whether two checkers may be moved with the dice in one order, and not in the other.

    Not where none has to enter first, and none can be borne off: two of them are not at home.
    """
    return bool(own[BAR]) or sum(own[HOME + 1 : BAR]) < 2


def _run(position: Position, order: tuple[int, ...]) -> _Reached:
    """Play both dice in this order with one checker; `order` has two.

    Where the order does not matter to two checkers, that is all that it leads to and the other does
    not. Measured: it takes a third off the time of listing all plays.
    """
    results: dict[Position, Steps] = {}
    first, second = order
    for source in _sources(position, first, BAR):
        target = source - first
        if target > second and position.other[BAR - target + second] < 2:
            reached, step = _hop(position, source, first)
            result, last = _hop(reached, target, second)
            results[result] = step, last
    return _Reached(len(order), results, {})


def _sources(position: Board, die: int, highest: int) -> list[int]:
    """The points, none above the highest, from which a checker may be moved by this die."""
    own, other = position
    if own[BAR]:
        return [BAR] if other[die] < 2 else []
    shift = BAR + die
    sources = [
        point
        for point in range(highest if highest < BAR else BAR - 1, die, -1)
        if own[point] and other[shift - point] < 2
    ]
    if not any(own[HOME + 1 : BAR]):
        sources += _bear_off_source(own, die, highest)
    return sources


def _bear_off_source(own: Sequence[int], die: int, highest: int) -> list[int]:
    """The point a checker is borne off from: the die's own or, with none behind, the rearmost."""
    if own[die]:
        return [die] if die <= highest else []
    rearmost = next((point for point in range(HOME, OFF, -1) if own[point]), OFF)
    return [rearmost] if OFF < rearmost < die and rearmost <= highest else []


def _hop(position: Position, source: int, die: int) -> tuple[Position, Step]:
    """Play one die from a point it may be played from."""
    before, other = position
    target = source - die if source > die else OFF
    own = list(before)
    own[source] -= 1
    own[target] += 1
    hit = target > OFF and other[BAR - target] == 1
    if hit:
        facing = list(other)
        facing[BAR - target] = 0
        facing[BAR] += 1
        other = tuple(facing)
    return Position(tuple(own), other), _step(source, target, hit)


@cache
def _step(source: int, target: int, hit: bool) -> Step:
    """The same few hundred steps make up every play."""
    return Step((source, target), (hit,))


# The straight case: a play whose steps, in the order written, use up the dice one by one.
#
# That is nearly every play of real records, so this is kept fast; what it leaves undecided takes
# the closer look of `plays`.


def played_straight(
    own_before: Points, other_before: Points, dice: Dice, steps: Sequence[Step]
) -> tuple[Points, Points, bool] | None:
    """Both sides' checkers after the steps if each in turn is plainly legal, or none.

    A step is one unused die, or several on an open route without a blot on any. All dice are used,
    or as many as can be, or the last checker is off. With the checkers comes whether the hits are
    marked, those and no others.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> own, other, marked = played_straight(*start, (6, 5), [Step((24, 13), (False,))])
    >>> own[13], marked
    (6, True)
    >>> played_straight(*start, (6, 5), [Step((13, 8), (False,))]) is None
    True
    """
    own, other = list(own_before), list(other_before)
    marked = play_straight(own, other, dice, steps)
    return None if marked is None else (tuple(own), tuple(other), marked)


def play_straight(
    own: list[int], other: list[int], dice: Dice, steps: Sequence[Step]
) -> bool | None:
    """Move both sides' checkers as `played_straight` does; return whether the hits are marked.

    None where it takes a closer look: some of the steps may have been made then.
    """
    first, second = dice
    if not steps or not (0 < first <= 6 and 0 < second <= 6):
        return None
    left = [first, second] if first != second else [first] * 4
    marked = True
    for path, marks in steps:
        source, leg = path[0], 0
        for mark in marks:
            leg += 1  # noqa: SIM113 - `enumerate` would take a tenth of the time
            target = path[leg]
            if not own[source] or (own[BAR] and source != BAR):
                return None
            length = source - target
            facing = other[BAR - target] if target else 0
            # A single die on an open point or off, spelled out here: nearly all steps.
            if facing < 2 and length in left and (target or not any(own[HOME + 1 :])):
                left.remove(length)
            elif not _covered(own, other, left, source, target):
                return None
            own[source] -= 1
            own[target] += 1
            if facing:
                other[BAR - target] = 0
                other[BAR] += 1
                marked = marked and mark
            elif mark:
                marked = False
            source = target
    if left and any(own[1:]) and not _may_leave(left, dice, own, other, steps):
        return None
    return marked


def _may_leave(
    left: Sequence[int],
    dice: Dice,
    own: Sequence[int],
    other: Sequence[int],
    steps: Iterable[Step],
) -> bool:
    """Whether dice may be left unused by steps that leave the checkers so.

    What the steps have hit does not matter: a blot was in nobody's way.
    """
    if own[BAR]:
        return other[left[0]] > 1
    before = list(own)
    for path, _ in steps:
        before[path[0]] += 1
        before[path[-1]] -= 1
    opposing = tuple(other)
    return is_whole(Position(tuple(before), opposing), dice, Position(tuple(own), opposing), left)


def _covered(
    own: Sequence[int], other: Sequence[int], left: list[int], source: int, target: int
) -> bool:
    """Take from the dice left those that plainly cover a leg; whether there are such.

    Measured: not to look closer at a checker that several dice bear off takes 2 % off a check.
    """
    length = source - target
    if target == OFF and _borne_off(own, left, length):
        return True
    if target == OFF:
        return not any(own[HOME + 1 :]) and _covered_together(other, left, source, length)
    if length <= 0 or other[BAR - target] > 1 or own[BAR] > 1:
        return False
    return _covered_together(other, left, source, length)


def _borne_off(own: Sequence[int], left: list[int], point: int) -> bool:
    """Take a die of more pips that bears the rearmost checker off from a point."""
    die = max(left) if left else 0
    if die < point or any(own[point + 1 :]):
        return False
    left.remove(die)
    return True


def _covered_together(other: Sequence[int], left: list[int], source: int, length: int) -> bool:
    """Take several dice that together cover a leg, unless a blot or a block asks for a choice."""
    count, routes = _routes(tuple(left), length)
    is_open = False
    for route in routes:
        met = [other[BAR - source + moved] for moved in route]
        if 1 in met:
            return False
        is_open = is_open or not any(met)
    if is_open:
        del left[:count]
    return is_open


@cache
def _routes(dice: tuple[int, ...], length: int) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """How many of the dice cover a leg, and after which pips a checker lands on its way.

    That is in one order of the dice or in the other; there is no way where none of them cover it.

    >>> _routes((6, 5), 11)[0], sorted(_routes((6, 5), 11)[1])
    (2, [(5,), (6,)])
    >>> _routes((2, 2, 2, 2), 6), _routes((6, 5), 7)
    ((3, ((2, 4),)), (0, ()))
    """
    moved = [*accumulate(dice)]
    if length not in moved:
        return 0, ()
    used = dice[: moved.index(length) + 1]
    return len(used), tuple(tuple(accumulate(order[:-1])) for order in {used, used[::-1]})
