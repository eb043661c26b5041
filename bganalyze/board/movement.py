"""Legal plays of a roll, found by playing out the dice one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement
from typing import NamedTuple

from bganalyze.board.position import BAR, HOME, OFF, Points, Position, Step, checkers

Dice = tuple[int, int]
Steps = tuple[Step, ...]

Board = tuple[Sequence[int], Sequence[int]]
"""A position, or two lists of checkers that plays change in place."""


ROLLS: tuple[Dice, ...] = tuple(combinations_with_replacement(range(1, 7), 2))
"""Every roll, with the lower die first."""

OPENING_ROLLS = tuple(dice for dice in ROLLS if dice[0] != dice[1])
"""Rolls that can begin a game: all but doubles."""


class _PlayedOut(NamedTuple):
    """Positions reached by playing the dice in one order."""

    used: int
    """Largest number of dice that could be played."""
    results: dict[Position, Steps]
    """Every position reached with that number of dice."""
    finished: dict[Position, Steps]
    """Positions in which the last checker was borne off with dice to spare."""


@lru_cache(maxsize=256)
def legal_plays(position: Position, dice: Dice) -> Mapping[Position, Steps]:
    """Return each position that a legal play reaches, with the steps of one such play.

    If no play is possible or the dice are invalid, the only result is the same position without
    steps. The sides are not swapped.

    >>> from bganalyze.board.position import start_position
    >>> len(legal_plays(start_position("standard"), (3, 1)))
    16
    """
    if not are_dice(dice):
        return {position: ()}
    orders = _list_dice_orders(dice)
    reached = [_play_out(position, orders[0])]
    if len(orders) > 1:
        is_plain = reached[0].used == len(dice) and not _may_only_one_order_work(position.own)
        reached.append((_play_one_checker if is_plain else _play_out)(position, orders[1]))
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
    """Yield every legal play of each roll: the roll, the position after the play and the steps.

    >>> from bganalyze.board.position import start_position
    >>> len({result for _, result, _ in legal_turns(start_position("standard"))})
    406
    """
    for dice in rolls:
        for result, steps in legal_plays(position, dice).items():
            yield dice, result, steps


def has_choice(position: Position, dice: Dice) -> bool:
    """Whether legal plays of a roll lead to more than one position.

    >>> from bganalyze.board.position import start_position
    >>> has_choice(start_position("standard"), (3, 1))
    True
    """
    first: Position | None = None
    for order in _list_dice_orders(dice) if are_dice(dice) else ():
        for end in _yield_final_positions(position, order):
            if first is None:
                first = end
            elif end != first:
                return True
    return len(legal_plays(position, dice)) > 1


def _yield_final_positions(position: Position, order: tuple[int, ...]) -> Iterator[Position]:
    """Yield the positions after all dice are played in the given order.

    A position may be yielded several times.
    """
    if not order:
        yield position
        return
    for source in _find_movable_points(position, order[0], BAR):
        yield from _yield_final_positions(_play_die(position, source, order[0])[0], order[1:])


def ways_to_play(position: Position, dice: Dice, result: Position) -> Iterator[Steps]:
    """Yield each way to play a roll that leads to `result`, as steps of one die each.

    Ways that differ only in the order of their steps are yielded once.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> end = next(iter(legal_plays(start, (3, 1))))
    >>> [[step.path for step in steps] for steps in ways_to_play(start, (3, 1), end)]
    [[(24, 21), (24, 23)]]
    """
    seen: set[Steps] = set()
    for order in _list_dice_orders(dice):
        for steps in _yield_ways_in_order(position, order, result, BAR):
            # An entering or hitting step may have to come first, so the order is kept.
            if (alike := tuple(sorted(steps))) not in seen:
                seen.add(alike)
                yield steps


def _yield_ways_in_order(
    position: Position, order: tuple[int, ...], result: Position, rearmost: int
) -> Iterator[Steps]:
    """Yield each way to play the dice in the given order that leads to `result`.

    The first die may only move a checker from `rearmost` or a lower point.
    """
    if position == result:
        yield ()
        return
    if not order:
        return
    die, *others = order
    from_rear = die == order[-1] and bool(others)
    for source in _find_movable_points(position, die, rearmost):
        is_left = _has_fewer_in_result(position, source, result)
        # The other die may bring a second checker to a point that keeps its number.
        if is_left or (
            others and not from_rear and _has_fewer_in_result(position, source + others[0], result)
        ):
            reached, step = _play_die(position, source, die)
            for steps in _yield_ways_in_order(
                reached, order[1:], result, source if from_rear else BAR
            ):
                yield (step, *steps)
        if is_left and from_rear:
            return  # No checker is moved from there later.


def _has_fewer_in_result(position: Position, point: int, result: Position) -> bool:
    """Whether the side to play has fewer checkers on `point` in `result` than in `position`."""
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
    return any(_find_movable_points(position, die, BAR) for die in set(dice))


def may_leave_dice_unused(
    before: Position, dice: Dice, after: Position, unused: Sequence[int]
) -> bool:
    """Whether a play is legal although it leaves the `unused` dice unplayed.

    `before` and `after` are the boards around the play, which uses the other dice legally.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> after_13_7, _ = _play_die(start, 13, 6)  # The 1 can still be played.
    >>> may_leave_dice_unused(start, (6, 1), after_13_7, [1])
    False
    """
    die = unused[0]
    if is_die_still_playable(before, after, die):
        return False
    if dice[0] == dice[1]:
        return not can_move(after, (die, die))  # Each checker goes as far as it can, in any order.
    if not can_move(before, (die, die)):
        if before.own[BAR]:
            return not can_move(after, (die, die))  # Some checker had to enter with the other die.
        if not _may_only_one_order_work(before.own):
            return not _play_one_checker(
                before, (sum(dice) - die, die)
            ).results  # Only this could use both.
    return after in legal_plays(before, dice)


def is_die_still_playable(before: Position, after: Position, die: int) -> bool:
    """Whether an unused `die` can still be played after a play, which makes the play illegal.

    This is a quick test: if the play bears a checker off, the result is always False.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> is_die_still_playable(start, _play_die(start, 13, 6)[0], 1)
    True
    """
    # Asking here before all legal plays are listed takes three quarters off the check of a match
    # file with many findings (measured).
    return after.own[OFF] == before.own[OFF] and can_move(after, (die, die))


def are_dice(dice: Dice) -> bool:
    """Whether both numbers of a roll are from 1 to 6."""
    return 0 < dice[0] <= 6 and 0 < dice[1] <= 6


def _list_dice_orders(dice: Dice) -> tuple[tuple[int, ...], ...]:
    """Return the orders in which the dice can be played: one for doubles, else two.

    >>> _list_dice_orders((3, 1)), _list_dice_orders((2, 2))
    (((3, 1), (1, 3)), ((2, 2, 2, 2),))
    """
    low, high = sorted(dice)
    return ((high,) * 4,) if low == high else ((high, low), (low, high))


def _play_out(position: Position, order: tuple[int, ...]) -> _PlayedOut:
    """Play as many dice as possible in the given order, and return the positions reached."""
    double = order[0] == order[-1]
    level: dict[Position, Steps] = {position: ()}
    finished: dict[Position, Steps] = {}
    for used, die in enumerate(order):
        following: dict[Position, Steps] = {}
        for reached, steps in level.items():
            sources = _find_movable_points(
                reached, die, steps[-1].path[0] if double and steps else BAR
            )
            for source in sources:
                result, step = _play_die(reached, source, die)
                following.setdefault(result, (*steps, step))
            if not sources and not checkers(reached.own):
                finished[reached] = steps
        if not following:
            return _PlayedOut(used, level, finished)
        level = following
    return _PlayedOut(len(order), level, finished)


def _may_only_one_order_work(own: Points) -> bool:
    """Whether two different dice might be playable in one order only.

    This is a quick test: False is certain, True is not.
    """
    return bool(own[BAR]) or sum(own[HOME + 1 : BAR]) < 2


def _play_one_checker(position: Position, order: tuple[int, ...]) -> _PlayedOut:
    """Return the positions after one checker plays both dice, in the given order."""
    # Where the order of the dice matters for one checker only, the reverse order reaches no other
    # new positions. This takes a third off the time of listing all plays (measured).
    results: dict[Position, Steps] = {}
    first, second = order
    for source in _find_movable_points(position, first, BAR):
        target = source - first
        if target > second and position.other[BAR - target + second] < 2:
            reached, step = _play_die(position, source, first)
            result, last = _play_die(reached, target, second)
            results[result] = step, last
    return _PlayedOut(len(order), results, {})


def _find_movable_points(position: Board, die: int, highest: int) -> list[int]:
    """Return the points, up to `highest`, from which a die can move a checker, highest first."""
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
        sources += _find_bear_off_points(own, die, highest)
    return sources


def _find_bear_off_points(own: Sequence[int], die: int, highest: int) -> list[int]:
    """Return the point, up to `highest`, from which a die bears off a checker, as a list.

    The list is empty if there is no such point. All checkers must be at home.

    >>> from bganalyze.board.position import points
    >>> home = points({4: 2, 1: 1})
    >>> [_find_bear_off_points(home, die, highest=24) for die in (4, 6, 3)]
    [[4], [4], []]
    """
    if own[die]:
        return [die] if die <= highest else []
    rearmost = next((point for point in range(HOME, OFF, -1) if own[point]), OFF)
    return [rearmost] if OFF < rearmost < die and rearmost <= highest else []


def move_along(own: list[int], other: list[int], path: Sequence[int]) -> None:
    """Move a checker of `own` along the points of a path, and hit blots of `other`.

    The lists are changed in place, without any check: counts may become negative.

    >>> own, other = [0] * 26, [0] * 26
    >>> own[8], other[20] = 1, 1
    >>> move_along(own, other, (8, 5, 3))
    >>> own[8], own[3], other[20], other[25]
    (0, 1, 0, 1)
    """
    own[path[0]] -= 1
    own[path[-1]] += 1
    for point in path[1:]:
        if point != OFF and other[BAR - point] == 1:
            other[BAR - point] = 0
            other[BAR] += 1


def _play_die(position: Position, source: int, die: int) -> tuple[Position, Step]:
    """Return the position after moving a checker by one die, and the step."""
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
    return Position(tuple(own), other), _get_cached_step(source, target, hit)


@cache
def _get_cached_step(source: int, target: int, hit: bool) -> Step:
    """Return a step of one die, created only once for each start, end and hit."""
    return Step((source, target), (hit,))


# The straight case: a play whose steps, in the order written, use up the dice one by one.
#
# Nearly every play of real match files is one, so this part is kept fast. Undecided plays are left
# to `plays`.


def try_plain_play(
    own_before: Points, other_before: Points, dice: Dice, steps: Sequence[Step]
) -> tuple[Points, Points, bool] | None:
    """Return both sides' checkers after a play that a quick test finds legal, else None.

    The third item says whether the hit marks are right. None does not mean that the play is
    illegal: only `legal_plays` can tell.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> own, other, marked = try_plain_play(*start, (6, 5), [Step((24, 13), (False,))])
    >>> own[13], marked
    (6, True)
    >>> try_plain_play(*start, (6, 5), [Step((13, 8), (False,))]) is None
    True
    """
    own, other = list(own_before), list(other_before)
    marked = try_plain_play_in_place(own, other, dice, steps)
    return None if marked is None else (tuple(own), tuple(other), marked)


def try_plain_play_in_place(
    own: list[int], other: list[int], dice: Dice, steps: Sequence[Step]
) -> bool | None:
    """Make the steps on the lists `own` and `other`, if a quick test finds the play legal.

    Returns whether the hit marks are right, or None if the test cannot tell; the lists may then be
    changed in part.
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
            elif not _take_covering_dice(own, other, left, source, target):
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
    if left and any(own[1:]) and not _can_leave_dice(left, dice, own, other, steps):
        return None
    return marked


def _can_leave_dice(
    unused: Sequence[int],
    dice: Dice,
    own_after: Sequence[int],
    other_after: Sequence[int],
    steps: Iterable[Step],
) -> bool:
    """Whether a play may leave the `unused` dice unplayed, given both sides' checkers after it."""
    if own_after[BAR]:
        return other_after[unused[0]] > 1
    before = list(own_after)
    for path, _ in steps:
        before[path[0]] += 1
        before[path[-1]] -= 1
    opposing = tuple(other_after)
    return may_leave_dice_unused(
        Position(tuple(before), opposing), dice, Position(tuple(own_after), opposing), unused
    )


def _take_covering_dice(
    own: Sequence[int], other: Sequence[int], unused: list[int], source: int, target: int
) -> bool:
    """Remove from `unused` the dice that move a checker from `source` to `target`.

    Return False, and remove none, if this quick test cannot tell.
    """
    # Deciding a bear-off with several dice here takes 2 % off a check (measured).
    length = source - target
    if target == OFF and _take_bear_off_die(own, unused, length):
        return True
    if target == OFF:
        return not any(own[HOME + 1 :]) and _take_several_dice(other, unused, source, length)
    if length <= 0 or other[BAR - target] > 1 or own[BAR] > 1:
        return False
    return _take_several_dice(other, unused, source, length)


def _take_bear_off_die(own: Sequence[int], unused: list[int], point: int) -> bool:
    """Remove the largest die from `unused` if it bears off a checker from `point`.

    Return whether the die was removed.
    """
    die = max(unused) if unused else 0
    if die < point or any(own[point + 1 :]):
        return False
    unused.remove(die)
    return True


def _take_several_dice(other: Sequence[int], unused: list[int], source: int, length: int) -> bool:
    """Remove from `unused` the dice that together move a checker by `length` pips.

    Return False, and remove none, if every way is blocked or one passes a blot.
    """
    count, routes = _find_routes(tuple(unused), length)
    is_open = False
    for route in routes:
        met = [other[BAR - source + moved] for moved in route]
        if 1 in met:
            return False
        is_open = is_open or not any(met)
    if is_open:
        del unused[:count]
    return is_open


@cache
def _find_routes(dice: tuple[int, ...], length: int) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return the number of dice that move a checker `length` pips, and its possible routes.

    A route lists how many pips from the start the checker lands on the way.

    >>> _find_routes((6, 5), 11)[0], sorted(_find_routes((6, 5), 11)[1])
    (2, [(5,), (6,)])
    >>> _find_routes((2, 2, 2, 2), 6), _find_routes((6, 5), 7)
    ((3, ((2, 4),)), (0, ()))
    """
    moved = [*accumulate(dice)]
    if length not in moved:
        return 0, ()
    used = dice[: moved.index(length) + 1]
    return len(used), tuple(tuple(accumulate(order[:-1])) for order in {used, used[::-1]})
