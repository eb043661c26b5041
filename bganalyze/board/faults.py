"""Faults: which dice cover the steps of a play, why it is not legal, and its hit marks."""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise, permutations
from typing import NamedTuple

from bganalyze.board.movement import Dice, Steps, are_dice
from bganalyze.board.position import BAR, HOME, OFF, Position, Step, move

# Routes: which dice, in which order, may carry a checker over a step as it is written.

Roll = tuple[int, ...]
"""Numbers to play: two, or four of a double; fewer once some are played."""


class Leg(NamedTuple):
    """The part of a written step between two points that it names."""

    step: int
    """Index of the step it belongs to."""
    source: int
    target: int


class Fit(NamedTuple):
    """How far the dice cover a sequence of legs."""

    legs: int
    """How many legs, from the first on, each have dice of their own."""
    left: Roll
    """The dice not used by those."""


def roll(dice: Dice) -> Roll:
    """The numbers a roll gives to play: none where the dice are none.

    >>> roll((6, 1)), roll((2, 2)), roll((0, 3))
    ((6, 1), (2, 2, 2, 2), ())
    """
    if not are_dice(dice):
        return ()
    return dice * 2 if dice[0] == dice[1] else dice


def legs(steps: Sequence[Step]) -> tuple[Leg, ...]:
    """All the legs of the steps, in the order written.

    >>> legs([Step((25, 21, 15), (True, False))])
    (Leg(step=0, source=25, target=21), Leg(step=0, source=21, target=15))
    """
    return _legs(tuple(steps))


@lru_cache(maxsize=1_000)
def _legs(steps: Steps) -> tuple[Leg, ...]:
    return tuple(
        [
            Leg(index, source, target)
            for index, step in enumerate(steps)
            for source, target in pairwise(step.path)
        ]
    )


def uses(leg: Leg, left: Roll) -> Iterator[Roll]:
    """The dice, in playing order, that cover a leg: single dice first, then several together.

    The last die of a bear-off may be larger than needed.

    >>> list(uses(Leg(0, 13, 6), (6, 1)))
    [(1, 6), (6, 1)]
    >>> list(uses(Leg(0, 5, OFF), (6, 1)))
    [(6,), (1, 6)]
    """
    length = leg.source - leg.target
    for dice, moved in _orders(left):
        beyond = moved - length
        if beyond == 0 or (leg.target == OFF and 0 < beyond < dice[-1]):
            yield dice


@cache
def _orders(left: Roll) -> tuple[tuple[Roll, int], ...]:
    """Every choice and order of some of the dice, the fewest first, with the pips of each."""
    counts = range(1, len(left) + 1)
    orders = (order for count in counts for order in sorted(set(permutations(left, count))))
    return tuple((order, sum(order)) for order in orders)


def midpoints(leg: Leg, dice: Roll) -> tuple[int, ...]:
    """The points a checker touches along the way when it covers a leg with these dice in turn.

    >>> midpoints(Leg(0, 24, 12), (4, 4, 4))
    (20, 16)
    """
    return tuple(leg.source - moved for moved in accumulate(dice[:-1]))


def fit(unplayed: Sequence[Leg], left: Roll) -> Fit:
    """Give the legs, in the order written, dice of their own as far as that goes.

    >>> fit(legs([Step((8, 4), (False,)), Step((6, 3), (False,))]), (4, 2))
    Fit(legs=1, left=(2,))
    """
    return _fit(tuple(unplayed), left)


@lru_cache(maxsize=1_000)
def _fit(unplayed: tuple[Leg, ...], left: Roll) -> Fit:
    best = Fit(0, left)
    if not unplayed:
        return best
    for dice in uses(unplayed[0], left):
        others = _fit(unplayed[1:], without(left, dice))
        best = max(best, Fit(others.legs + 1, others.left), key=lambda fitted: fitted.legs)
    return best


def without(left: Roll, used: Roll) -> Roll:
    """The dice that remain when some are used.

    >>> without((4, 4, 4, 4), (4, 4))
    (4, 4)
    """
    remaining = list(left)
    for die in used:
        remaining.remove(die)
    return tuple(remaining)


class Fault(NamedTuple):
    """The rule a play breaks, by its name in the catalog, and where it breaks it."""

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
    end, waiting = moved_as_written(position, steps)
    steps = tuple(steps)
    return Attempt(position, dice, steps, end, tuple(waiting), legs(steps))


def moved_as_written(position: Position, steps: Sequence[Step]) -> tuple[Position, list[int]]:
    """Return the board that the steps leave, and the indexes of those that find no checker."""
    own, other = list(position.own), list(position.other)
    waiting: list[int] = []
    for index, step in enumerate(steps):
        if not move(own, other, step.path):
            waiting.append(index)
            continue
        while waiting and (moved := _first_moved(own, other, steps, waiting)) is not None:
            waiting.remove(moved)
    return Position(tuple(own), tuple(other)), waiting


def _first_moved(
    own: list[int], other: list[int], steps: Sequence[Step], waiting: list[int]
) -> int | None:
    """Carry out the first of the waiting steps that finds a checker, and return its index."""
    for index in waiting:
        if move(own, other, steps[index].path):
            return index
    return None


def fault_of(attempt: Attempt, legal: Mapping[Position, Steps] | None = None) -> Fault | None:
    """The first rule, in the catalog's order, that an attempt breaks which is no legal play.

    Where the dice are none, only what the board alone forbids is a fault. Without the legal plays
    any die that is left had to be played.
    """
    for check in _BOARD_CHECKS:
        if fault := check(attempt):
            return fault
    if not roll(attempt.dice):
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
    return empty_point(attempt.steps, attempt.stranded) if attempt.stranded else None


def empty_point(steps: Sequence[Step], stranded: Sequence[int]) -> Fault:
    """Return what is at fault with steps of which some find no checker, whatever the others do."""
    return Fault("empty-point", stranded[0], steps[stranded[0]].path[0])


def _blocked_point(attempt: Attempt) -> Fault | None:
    """A landing on two or more opposing checkers."""
    numbers = roll(attempt.dice)
    for leg in attempt.legs:
        point = _block(attempt, leg, numbers)
        if point is not None:
            return Fault("blocked-point", leg.step, point)
    return None


def _block(attempt: Attempt, leg: Leg, numbers: Roll) -> int | None:
    """The point that bars a leg: its target, or one on each route that the dice allow."""
    if is_blocked(attempt.position, leg.target):
        return leg.target
    if leg.source - leg.target in numbers:
        return None  # One die touches no point along the way.
    routes = [midpoints(leg, dice) for dice in uses(leg, numbers)]
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
        fewest = next(uses(leg, roll(attempt.dice)), ())
        if leg.source != BAR or len(fewest) > 1:
            return Fault("bar-first", leg.step, BAR)
    return None


def _early_bear_off(attempt: Attempt) -> Fault | None:
    """Borne off with a checker outside home, all other steps having been played first."""
    leg = next((leg for leg in attempt.legs if leg.target == OFF), None)
    if leg is None:
        return None
    rear = _rearmost(attempt.end)
    return Fault("early-bear-off", leg.step, rear) if rear > HOME else None


def _bear_off_die(attempt: Attempt) -> Fault | None:
    """Borne off with a larger die while a higher point is occupied, in the best order."""
    written = attempt.legs
    borne_off = [leg for leg in written if leg.target == OFF]
    if not borne_off:
        return None
    rear = _rearmost(attempt.end)
    left = fit([leg for leg in written if leg.target != OFF], roll(attempt.dice)).left
    for leg in sorted(borne_off, key=lambda leg: -leg.source):
        dice = _open_use(attempt.position, leg, left)
        if sum(dice) > leg.source and rear > leg.source - sum(dice[:-1]):
            return Fault("bear-off-die", leg.step, rear, dice[-1])
        left = without(left, dice)
    return None


def _open_use(position: Position, leg: Leg, left: Roll) -> Roll:
    """The fewest dice that cover a leg without landing on a blocked point; none if none do."""
    open_uses = (
        dice for dice in uses(leg, left) if _first_blocked(position, midpoints(leg, dice)) is None
    )
    return next(open_uses, ())


def _rearmost(position: Position) -> int:
    return next((point for point in range(BAR, OFF, -1) if position.own[point]), OFF)


def _misfit(attempt: Attempt) -> Fault | None:
    """A step for which no die is left, or none that fits."""
    written = attempt.legs
    fitted = fit(written, roll(attempt.dice))
    if fitted.legs == len(written):
        return None
    leg = written[fitted.legs]
    name = "die-not-rolled" if fitted.left else "too-many-steps"
    return Fault(name, leg.step, die=leg.source - leg.target)


def _shortfall(attempt: Attempt, legal: Mapping[Position, Steps] | None) -> Fault | None:
    """Steps that are well played but leave undone what the position allows."""
    if not attempt.steps:
        return Fault("false-dance")
    unplayed = fit(attempt.legs, roll(attempt.dice)).left
    used = len(roll(attempt.dice)) - len(unplayed)
    if legal is None or used < max(len(steps) for steps in legal.values()):
        return Fault("unplayed-die", die=unplayed[0])
    if used == 1 and unplayed == (max(attempt.dice),):
        return Fault("larger-die", 0, die=unplayed[0])
    return None


_Check = Callable[[Attempt], Fault | None]

_BOARD_CHECKS: tuple[_Check, ...] = (_empty_point, _blocked_point, _wrong_direction, _bar_first)
_DICE_CHECKS: tuple[_Check, ...] = (_early_bear_off, _bear_off_die, _misfit)


# Hit marks: where a record marks a hit, compared with where the board says there was one.


def misplaced_marks(
    before: Position, end: Position, steps: Sequence[Step]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The indexes of the steps that lack a hit mark, and of those that have one for nothing.

    A point can be hit once in a play, and its mark may be at any landing there, or at the end of a
    step that passes it where none lands there.

    >>> from bganalyze.board.position import points
    >>> before = Position(points({8: 1}), points({20: 1}))
    >>> step = Step((8, 5), (False,))
    >>> misplaced_marks(before, Position(points({5: 1}), points({BAR: 1})), [step])
    ((0,), ())
    """
    if end.other == before.other and not _any_marked(steps):
        return (), ()
    marked = {
        landing
        for path, marks in steps
        for landing, mark in zip(path[1:], marks, strict=True)
        if mark
    }
    hit = {BAR - point for point in range(1, BAR) if end.other[point] < before.other[point]}
    missing, needless = _unmatched(hit - marked, marked - hit, steps)
    unmarked = {_hitter(steps, point) for point in missing}
    mismarked = {index for point in needless for index in _marking(steps, point)}
    return tuple(sorted(unmarked)), tuple(sorted(mismarked))


def _unmatched(
    missing: set[int], needless: set[int], steps: Sequence[Step]
) -> tuple[set[int], set[int]]:
    """The hits without a mark and the marks without a hit, once marks speak for points passed."""
    written = legs(steps) if missing and needless else ()
    passed_over = missing - {leg.target for leg in written}
    for leg in written:
        passed = {point for point in passed_over & missing if leg.target < point < leg.source}
        if passed and leg.target in needless:
            missing, needless = missing - passed, needless - {leg.target}
    return missing, needless


def _any_marked(steps: Sequence[Step]) -> bool:
    """A plain loop: it runs for every play, and `any` costs three times as much."""
    for _, marks in steps:  # noqa: SIM110
        if True in marks:
            return True
    return False


def _hitter(steps: Sequence[Step], point: int) -> int:
    """The step that hits on a point: the first to land there or, if none names it, to pass it."""
    written = legs(steps)
    landing = (leg.step for leg in written if leg.target == point)
    passing = (leg.step for leg in written if leg.target < point < leg.source)
    return next(chain(landing, passing))


def _marking(steps: Sequence[Step], point: int) -> Iterator[int]:
    """The steps that mark a hit on a point."""
    for index, (path, marks) in enumerate(steps):
        if (point, True) in zip(path[1:], marks, strict=True):
            yield index
