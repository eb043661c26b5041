"""Find the rule that a play breaks, from the catalog's definitions, by brute force.

This is not how the program decides it: every order of the steps and every share-out of the dice is
tried here. Only whether a play is legal at all is asked of `bganalyze.board` (which is compared
with another program's move generator in the tests of the board).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations

from bganalyze.board.plays import Dice, check_play, legal_plays
from bganalyze.board.position import BAR, OFF, Position, Step

HOME = 6
MOST_LEGS = 6
Leg = tuple[int, int]


def faults(position: Position, dice: Dice, steps: tuple[Step, ...], marks: bool) -> frozenset[str]:
    """Return the codes that are right for a play; none if it is legal.

    More than one where the catalog's definitions leave it open.
    """
    if check_play(position, dice, steps, marks)[1].fault is None:
        return frozenset()
    legs = tuple(leg for step in steps for leg in zip(step.path, step.path[1:], strict=False))
    if not legs:
        return frozenset(("P411",))
    code = _on_the_board(position, dice, legs)
    if code is not None:
        return frozenset((code,))
    return _with_the_dice(position, dice, legs) or _shortfall(position, dice, legs)


def rolls(dice: Dice) -> tuple[int, ...]:
    """Return the dice of a roll: four of a double."""
    return dice * 2 if dice[0] == dice[1] else dice


def _is_blocked(position: Position, point: int) -> bool:
    return OFF < point < BAR and position.other[BAR - point] > 1


def _on_the_board(position: Position, dice: Dice, legs: tuple[Leg, ...]) -> str | None:
    """Return the rules of the board alone that a play breaks, in order of precedence."""
    if not _has_checkers(position.own, legs):
        return "P401"
    if any(_is_barred(position, dice, leg) for leg in legs):
        return "P402"
    if any(source <= target for source, target in legs):
        return "P403"
    entering = [leg for leg in legs if leg[0] == BAR]
    if position.own[BAR] > len(entering):
        moves_on_board = [leg for leg in legs if leg[0] != BAR]
        if moves_on_board or any(_is_joined(leg, dice) for leg in entering):
            return "P406"
    return None


def _is_joined(leg: Leg, dice: Dice) -> bool:
    """Whether a leg takes more than one die."""
    routes = [len(route) for route in _routes(*leg, rolls(dice))]
    return bool(routes) and min(routes) > 0


def _has_checkers(own: tuple[int, ...], legs: tuple[Leg, ...]) -> bool:
    """Whether some order of the steps finds a checker on every point left."""
    if len(legs) > MOST_LEGS:
        return all(own[source] for source, _ in legs)
    return any(_goes(own, order) for order in set(permutations(legs)))


def _goes(own: tuple[int, ...], order: tuple[Leg, ...]) -> bool:
    counts = list(own)
    for source, target in order:
        if not counts[source]:
            return False
        counts[source] -= 1
        counts[target] += 1
    return True


def _is_barred(position: Position, dice: Dice, leg: Leg) -> bool:
    """Whether a leg lands on a point held, or each way of joining dice for it does."""
    source, target = leg
    if _is_blocked(position, target):
        return True
    routes = list(_routes(source, target, rolls(dice)))
    return bool(routes) and all(
        any(_is_blocked(position, point) for point in route) for route in routes
    )


def _routes(source: int, target: int, dice: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the points under way for each sequence of dice that brings a checker there."""
    for count in range(1, len(dice) + 1):
        for order in set(permutations(dice, count)):
            reached = [source - sum(order[:dice_count]) for dice_count in range(1, count + 1)]
            exact = reached[-1] == target
            beyond = target == OFF and reached[-1] < OFF and all(p > OFF for p in reached[:-1])
            if exact or beyond:
                yield tuple(reached[:-1])


def _with_the_dice(position: Position, dice: Dice, legs: tuple[Leg, ...]) -> frozenset[str]:
    """Return the rules of the dice that a play breaks, by precedence; two codes where a bear-off fits neither way."""
    rear = _rear_after(position, legs)
    off = [source for source, target in legs if target == OFF]
    if off and rear > HOME:
        return frozenset(("P407",))
    available = rolls(dice)
    if _can_share_dice(legs, available):
        past = not _can_share_dice(legs, available, rear)
        return frozenset(("P408",)) if past else frozenset()
    codes = {"P405" if _all_used_before_the_end(legs, available) else "P404"}
    if any(_passes_rear(source, dice, rear) for source in off):
        codes.add("P408")
    return frozenset(codes)


def _passes_rear(source: int, dice: Dice, rear: int) -> bool:
    """Whether a checker may be thought to go off by too large a die, past one on `rear`."""
    return any(
        sum(spent_dice) > source and rear > source - sum(spent_dice[:-1])
        for spent_dice, _ in _uses((source, OFF), rolls(dice))
    )


def _rear_after(position: Position, legs: tuple[Leg, ...]) -> int:
    """Return the rearmost checker that the legs leave."""
    end = list(position.own)
    for source, target in legs:
        end[source] -= 1
        end[target] += 1
    return max((point for point in range(1, BAR + 1) if end[point]), default=OFF)


@lru_cache(10_000)
def _can_share_dice(legs: tuple[Leg, ...], dice: tuple[int, ...], rear: int = OFF) -> bool:
    """Whether the dice can be shared out among the legs, each used at most once.

    A checker goes off with a larger die only where none is left behind it, on `rear`.
    """
    if not legs:
        return True
    source, target = legs[0]
    for spent, remaining in _uses(legs[0], dice):
        larger = target == OFF and sum(spent) > source
        if larger and rear > source - sum(spent[:-1]):
            continue
        if _can_share_dice(legs[1:], remaining, rear):
            return True
    return False


def _uses(leg: Leg, dice: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield (dice that carry a leg, dice left)."""
    length = leg[0] - leg[1]
    for count in range(1, len(dice) + 1):
        for indices in combinations(range(len(dice)), count):
            spent = tuple(dice[index] for index in indices)
            total = sum(spent)
            enough = leg[1] == OFF and total > length and total - min(spent) < length
            if total == length or enough:
                yield spent, tuple(die for index, die in enumerate(dice) if index not in indices)


def _all_used_before_the_end(legs: tuple[Leg, ...], dice: tuple[int, ...]) -> bool:
    """Whether the first legs use up all dice and another follows."""
    return any(_uses_up(legs[:count], dice) for count in range(1, len(legs)))


def _uses_up(legs: tuple[Leg, ...], dice: tuple[int, ...]) -> bool:
    if not legs:
        return not dice
    return any(_uses_up(legs[1:], remaining) for _, remaining in _uses(legs[0], dice))


def _shortfall(position: Position, dice: Dice, legs: tuple[Leg, ...]) -> frozenset[str]:
    """Return the rules of a play that leaves undone what the position allows, or that no rule explains."""
    longest = max(len(steps) for steps in legal_plays(position, dice).values())
    counts = {len(rolls(dice)) - left for left in _dice_left(legs, rolls(dice))}
    codes = set()
    if any(count < longest for count in counts):
        codes.add("P409")
    if longest == 1 and counts == {1}:
        codes.add("P410")
    return frozenset(codes or ("P499",))


def _dice_left(legs: tuple[Leg, ...], dice: tuple[int, ...]) -> Iterator[int]:
    if not legs:
        yield len(dice)
    else:
        for _, remaining in _uses(legs[0], dice):
            yield from _dice_left(legs[1:], remaining)
