"""Plays: whether what a record writes is a legal play, what it leaves, and why it is not legal.

The face of movement: what the rest of the program asks about plays is imported from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from bganalyze.board.faults import Attempt, Fault, carried_out, fault_of, is_blocked
from bganalyze.board.movement import HOME, Dice, Steps, can_move, legal_plays
from bganalyze.board.notation import notation
from bganalyze.board.position import (
    BAR,
    OFF,
    Position,
    Step,
    after,
    checkers,
    pips,
    swapped,
)
from bganalyze.board.routes import fit, legs, midpoints, throw, uses

__all__ = [
    "Dice",
    "Fault",
    "Verdict",
    "after",
    "can_move",
    "checkers",
    "legal_plays",
    "nearest_plays",
    "notation",
    "pips",
    "swapped",
    "verdict",
]

AMBIGUOUS_ROUTE = "ambiguous-route"
BLOCKED_ROUTE = "blocked-route"


class Verdict(NamedTuple):
    """What the law says of a written play."""

    after: Position
    """The board that the written steps leave; the sides are not swapped."""
    fault: Fault | None
    """Why the play is not legal; none if it is, or if the dice are none."""
    unmarked: tuple[int, ...]
    """Indexes of the steps that hit where the text does not mark it."""
    mismarked: tuple[int, ...]
    """Indexes of the steps that mark a hit where nothing was hit."""
    remark: str
    """`ambiguous-route`, `blocked-route` or nothing."""


def verdict(position: Position, dice: Dice, steps: Sequence[Step], marks: bool = True) -> Verdict:
    """Judge the written steps: a legal play, or not and why.

    Legal is what leaves, for both sides, the position that some legal play leaves: neither the
    order nor the spelling nor the joining of the steps matters. `marks` says whether this record
    marks hits: then a point under way without a mark is one at which nothing was hit.

    >>> from bganalyze.board.variants import start_position
    >>> start = start_position("standard")
    >>> verdict(start, (3, 1), [Step((8, 5), (False,)), Step((6, 5), (False,))]).fault is None
    True
    >>> verdict(start, (3, 1), [Step((8, 5), (False,)), Step((6, 4), (False,))]).fault
    Fault(name='die-not-rolled', step=1, point=None, die=2)
    >>> verdict(start, (3, 1), [Step((6, 5), (False,))]).fault
    Fault(name='unplayed-die', step=None, point=None, die=3)
    """
    end = _straight(position, dice, steps)
    if end is None:
        return _judged(position, dice, steps, marks)
    return Verdict(end, None, *_marks(position, end, steps), "")


def nearest_plays(
    position: Position, dice: Dice, steps: Sequence[Step], limit: int = 5
) -> tuple[Steps, ...]:
    """The legal plays nearest to what was written: with the fewest checkers moved differently.

    >>> from bganalyze.board.variants import start_position
    >>> start = start_position("standard")
    >>> written = [Step((8, 4), (False,)), Step((6, 5), (False,))]
    >>> [notation(play) for play in nearest_plays(start, (3, 1), written, limit=2)]
    ['8/5 6/5', '8/4']
    """
    end = carried_out(position, dice, steps).end
    plays = legal_plays(position, dice)
    ranked = sorted(plays, key=lambda result: _distance(end, result))
    return tuple(plays[result] for result in ranked[:limit] if plays[result])


def _distance(one: Position, two: Position) -> tuple[int, int, int]:
    """How many own checkers stand differently, then how many hits, then how many pips apart."""
    moved = sum(abs(a - b) for a, b in zip(one.own, two.own, strict=True))
    return moved, abs(one.other[BAR] - two.other[BAR]), abs(pips(one.own) - pips(two.own))


def _straight(position: Position, dice: Dice, steps: Sequence[Step]) -> Position | None:
    """The position left if each step in turn is plainly legal and all dice are used.

    Decides nearly every play of real records, and is kept fast for that: a step is one unused
    die, or several on an open route without a blot on it. None: it takes a closer look.
    """
    own, other, left = list(position.own), list(position.other), list(throw(dice))
    for path, _ in steps:
        for source, target in pairwise(path):
            if not own[source] or (own[BAR] and source != BAR):
                return None
            if not _covered(own, other, left, source, target):
                return None
            own[source] -= 1
            own[target] += 1
            if target and other[BAR - target]:
                other[BAR - target] = 0
                other[BAR] += 1
    if not steps or (left and any(own[1:])):
        return None
    return Position(tuple(own), tuple(other))


def _covered(own: list[int], other: list[int], left: list[int], source: int, target: int) -> bool:
    """Take from the dice left those that plainly cover a leg; whether there are such."""
    length = source - target
    if target == OFF:
        return _borne_off(own, left, length)
    if length <= 0 or other[BAR - target] > 1:
        return False
    if length in left:
        left.remove(length)
        return True
    if own[BAR] > 1:
        return False
    return _joined(other, left, source, length)


def _borne_off(own: list[int], left: list[int], point: int) -> bool:
    """Take the die that bears a checker off from a point."""
    if any(own[HOME + 1 :]):
        return False
    if point in left:
        left.remove(point)
        return True
    if not left or max(left) < point or any(own[point + 1 :]):
        return False
    left.remove(max(left))
    return True


def _joined(other: list[int], left: list[int], source: int, length: int) -> bool:
    """Take the dice that together cover a leg, if no blot stands on the way."""
    if len(left) == 2 and left[0] != left[1]:
        if length != sum(left):
            return False
        under_way = [other[BAR - source + die] for die in left]
        if 1 in under_way or min(under_way) > 1:
            return False
        left.clear()
        return True
    count, rest = divmod(length, left[0]) if left else (0, 1)
    if rest or count > len(left):
        return False
    if any(other[BAR - source + left[0] * number] for number in range(1, count)):
        return False
    del left[:count]
    return True


def _judged(position: Position, dice: Dice, steps: Sequence[Step], marks: bool) -> Verdict:
    """The verdict of the closer look: is the result that of a legal play, and if not, why."""
    attempt = carried_out(position, dice, steps)
    legal = legal_plays(position, dice)
    readings = _readings(attempt, legal)
    if not readings:
        end, fault, remark = attempt.end, fault_of(attempt, legal), ""
    else:
        end, fault, remark = readings[0], None, _remark(attempt, readings, marks)
    return Verdict(end, fault, *_marks(position, end, steps), remark)


def _readings(attempt: Attempt, legal: Iterable[Position]) -> list[Position]:
    """The legal results that the text can mean, the one that hits nothing under way first."""
    if attempt.stranded:
        return []
    touched = _under_way(attempt)
    fitting = [result for result in legal if _differs_by_hits(attempt.end, result, touched)]
    return sorted(fitting, key=lambda result: result != attempt.end)


def _differs_by_hits(plain: Position, result: Position, touched: frozenset[int]) -> bool:
    """Whether a result is the plain one but for hits on points touched under way."""
    if plain.own != result.own:
        return False
    return all(
        result.other[point] == plain.other[point]
        or (BAR - point in touched and result.other[point] < plain.other[point])
        for point in range(1, BAR)
    )


def _under_way(attempt: Attempt) -> frozenset[int]:
    """The points that the steps, as written, may touch without naming them."""
    return frozenset(
        point
        for leg in legs(attempt.steps)
        for dice in uses(leg, throw(attempt.dice))
        for point in midpoints(leg, dice)
    )


def _remark(attempt: Attempt, readings: Sequence[Position], marks: bool) -> str:
    """What is to be said of the way a legal result is spelled."""
    if len(readings) > 1 and not (marks and readings[0] == attempt.end):
        return AMBIGUOUS_ROUTE
    written = legs(attempt.steps)
    possible = fit(written, throw(attempt.dice)).legs == len(written) and not any(
        is_blocked(attempt.position, leg.target) for leg in written
    )
    return "" if possible else BLOCKED_ROUTE


def _marks(
    before: Position, end: Position, steps: Sequence[Step]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The indexes of the steps that lack a hit mark, and of those that have one for nothing.

    A point can be hit once in a play, and its mark may be at any landing there.
    """
    marked = {
        landing
        for path, marks in steps
        for landing, mark in zip(path[1:], marks, strict=True)
        if mark
    }
    if not marked and end.other == before.other:
        return (), ()
    hit = {BAR - point for point in range(1, BAR) if end.other[point] < before.other[point]}
    unmarked = {_hitter(steps, point) for point in hit - marked}
    mismarked = {index for point in marked - hit for index in _marking(steps, point)}
    return tuple(sorted(unmarked)), tuple(sorted(mismarked))


def _hitter(steps: Sequence[Step], point: int) -> int:
    """The step that hits on a point: the first to land there or, if none names it, to pass it."""
    landing = (index for index, step in enumerate(steps) if point in step.path[1:])
    passing = (index for index, step in enumerate(steps) if step.path[-1] < point < step.path[0])
    return next(chain(landing, passing))


def _marking(steps: Sequence[Step], point: int) -> Iterator[int]:
    """The steps that mark a hit on a point."""
    for index, (path, marks) in enumerate(steps):
        if (point, True) in zip(path[1:], marks, strict=True):
            yield index
