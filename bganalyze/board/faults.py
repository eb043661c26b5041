"""Faults: why the steps a record writes are not a legal play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bganalyze.board.movement import HOME, Dice, Steps
from bganalyze.board.position import BAR, OFF, Position, Step, move
from bganalyze.board.routes import Leg, Throw, fit, legs, midpoints, throw, uses, without


class Fault(NamedTuple):
    """The rule a play breaks, by its name in the catalogue, and where it breaks it."""

    name: str
    step: int | None = None
    """Index of the written step at fault; none where the fault is what is not written."""
    point: int | None = None
    """The point that is empty, blocked or moved to, or holds the checker that had to go first."""
    die: int | None = None
    """The number that is needed, misused or left unplayed."""


class Attempt(NamedTuple):
    """Written steps carried out as they stand, whether or not they are a legal play."""

    position: Position
    dice: Dice
    steps: tuple[Step, ...]
    end: Position
    """The board the steps leave."""
    stranded: tuple[int, ...]
    """Indexes of the steps that found no checker to move, in any order."""
    legs: tuple[Leg, ...]


def carried_out(position: Position, dice: Dice, steps: Sequence[Step]) -> Attempt:
    """Carry out the steps in the order written, a step without a checker after the others.

    >>> from bganalyze.board.position import points
    >>> lone = Position(points({25: 1}), points({}))
    >>> steps = Step((24, 20), (False,)), Step((25, 24), (False,))
    >>> attempt = carried_out(lone, (4, 1), steps)
    >>> attempt.end.own[20], attempt.stranded
    (1, ())
    """
    own, other = list(position.own), list(position.other)
    waiting = list(range(len(steps)))
    while True:
        moved = next((index for index in waiting if move(own, other, steps[index].path)), None)
        if moved is None:
            end = Position(tuple(own), tuple(other))
            return Attempt(position, dice, tuple(steps), end, tuple(waiting), legs(steps))
        waiting.remove(moved)


def fault_of(attempt: Attempt, legal: Mapping[Position, Steps]) -> Fault | None:
    """The first rule, in the catalogue's order, that an attempt breaks which is no legal play.

    Where the dice are none, only what the board alone forbids is a fault.
    """
    for check in _BOARD_CHECKS:
        if fault := check(attempt):
            return fault
    if not throw(attempt.dice):
        return None
    for check in _DICE_CHECKS:
        if fault := check(attempt):
            return fault
    return _shortfall(attempt, legal) or Fault("illegal-play")


def is_blocked(position: Position, point: int) -> bool:
    """Whether two or more opposing checkers hold a point of the side to play."""
    return OFF < point < BAR and position.other[BAR - point] > 1


def _empty_point(attempt: Attempt) -> Fault | None:
    """No order of the steps puts a checker on the point left."""
    for step in attempt.stranded:
        return Fault("empty-point", step, attempt.steps[step].path[0])
    return None


def _blocked_point(attempt: Attempt) -> Fault | None:
    """A landing on two or more opposing checkers."""
    for leg in attempt.legs:
        point = _block(attempt, leg)
        if point is not None:
            return Fault("blocked-point", leg.step, point)
    return None


def _block(attempt: Attempt, leg: Leg) -> int | None:
    """The point that bars a leg: its target, or one on each route that the dice allow."""
    if is_blocked(attempt.position, leg.target):
        return leg.target
    routes = [midpoints(leg, dice) for dice in uses(leg, throw(attempt.dice))]
    blocks = [_first_blocked(attempt.position, route) for route in routes]
    return blocks[0] if blocks and None not in blocks else None


def _first_blocked(position: Position, route: Sequence[int]) -> int | None:
    return next((point for point in route if is_blocked(position, point)), None)


def _wrong_direction(attempt: Attempt) -> Fault | None:
    """A step backward or of no length."""
    for leg in attempt.legs:
        if leg.source <= leg.target:
            return Fault("wrong-direction", leg.step, leg.target)
    return None


def _bar_first(attempt: Attempt) -> Fault | None:
    """Another checker, or the one just entered, moved on while one stays on the bar."""
    if not attempt.end.own[BAR]:
        return None
    for leg in attempt.legs:
        fewest = next(uses(leg, throw(attempt.dice)), ())
        if leg.source != BAR or len(fewest) > 1:
            return Fault("bar-first", leg.step, BAR)
    return None


def _early_bear_off(attempt: Attempt) -> Fault | None:
    """Borne off with a checker outside home, all other steps having been played first."""
    rear = _rearmost(attempt.end)
    for leg in attempt.legs:
        if leg.target == OFF and rear > HOME:
            return Fault("early-bear-off", leg.step, rear)
    return None


def _bear_off_die(attempt: Attempt) -> Fault | None:
    """Borne off with a larger die while a higher point is occupied, in the best order."""
    written = attempt.legs
    rear = _rearmost(attempt.end)
    left = fit([leg for leg in written if leg.target != OFF], throw(attempt.dice)).left
    for leg in sorted((leg for leg in written if leg.target == OFF), key=lambda leg: -leg.source):
        dice = _open_use(attempt.position, leg, left)
        if sum(dice) > leg.source and rear > leg.source - sum(dice[:-1]):
            return Fault("bear-off-die", leg.step, rear, dice[-1])
        left = without(left, dice)
    return None


def _open_use(position: Position, leg: Leg, left: Throw) -> Throw:
    """The fewest dice that cover a leg without landing on a blocked point; none if none do."""
    open_uses = (
        dice for dice in uses(leg, left) if _first_blocked(position, midpoints(leg, dice)) is None
    )
    return next(open_uses, ())


def _rearmost(position: Position) -> int:
    return max((point for point in range(1, BAR + 1) if position.own[point]), default=OFF)


def _misfit(attempt: Attempt) -> Fault | None:
    """A step for which no die is left, or none that fits."""
    written = attempt.legs
    fitted = fit(written, throw(attempt.dice))
    if fitted.legs == len(written):
        return None
    leg = written[fitted.legs]
    name = "die-not-rolled" if fitted.left else "too-many-steps"
    return Fault(name, leg.step, die=leg.source - leg.target)


def _shortfall(attempt: Attempt, legal: Mapping[Position, Steps]) -> Fault | None:
    """Steps that are well played but leave undone what the position allows."""
    if not attempt.steps:
        return Fault("false-dance")
    unplayed = fit(attempt.legs, throw(attempt.dice)).left
    used = len(throw(attempt.dice)) - len(unplayed)
    most = max(len(steps) for steps in legal.values())
    if used < most:
        return Fault("unplayed-die", die=unplayed[0])
    if used == 1 and unplayed == (max(attempt.dice),):
        return Fault("larger-die", 0, die=unplayed[0])
    return None


_Check = Callable[[Attempt], Fault | None]

_BOARD_CHECKS: tuple[_Check, ...] = (_empty_point, _blocked_point, _wrong_direction, _bar_first)
_DICE_CHECKS: tuple[_Check, ...] = (_early_bear_off, _bear_off_die, _misfit)
