"""Errors of plays: match dice to steps, name the rule an illegal play breaks, check hit marks."""

# Annotations are evaluated here: `record/model.py` says why.

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, pairwise, permutations
from typing import NamedTuple

from bganalyze.board.movement import Dice, Steps, are_dice
from bganalyze.board.position import BAR, HOME, OFF, Position, Step, move_checker

# Routes: the dice that can carry a checker along a written step, in playing order.

Roll = tuple[int, ...]
"""Numbers to play: two, or four after doubles; fewer once some are played."""


class Leg(NamedTuple):
    """Part of a written step between two consecutive points of its path."""

    step: int
    """Index of the step."""
    source: int
    target: int


class Fit(NamedTuple):
    """Number of legs that the dice cover, and the dice left over."""

    legs: int
    """Number of legs covered, counted from the first."""
    left: Roll
    """Dice that these legs do not use."""


def dice_to_play(dice: Dice) -> Roll:
    """Return the numbers to play with two dice: four for doubles, none if a die is invalid.

    >>> dice_to_play((6, 1)), dice_to_play((2, 2)), dice_to_play((0, 3))
    ((6, 1), (2, 2, 2, 2), ())
    """
    if not are_dice(dice):
        return ()
    return dice * 2 if dice[0] == dice[1] else dice


def list_legs(steps: Sequence[Step]) -> tuple[Leg, ...]:
    """Split written steps into legs, such as 13/8/5 into 13/8 and 8/5.

    >>> list_legs([Step((25, 21, 15), (True, False))])
    (Leg(step=0, source=25, target=21), Leg(step=0, source=21, target=15))
    """
    return _split_into_legs(tuple(steps))


@lru_cache(maxsize=1_000)
def _split_into_legs(steps: Steps) -> tuple[Leg, ...]:
    """Split written steps into legs like `list_legs`, with a cache."""
    return tuple(
        [
            Leg(index, source, target)
            for index, step in enumerate(steps)
            for source, target in pairwise(step.path)
        ]
    )


def yield_dice_for_leg(leg: Leg, remaining: Roll) -> Iterator[Roll]:
    """Yield each choice of dice, in playing order, that moves a checker along a leg such as 13/6.

    Choices of fewer dice come first. The last die of a bear-off may be larger than needed.

    >>> list(yield_dice_for_leg(Leg(step=0, source=13, target=6), (6, 1)))
    [(1, 6), (6, 1)]
    """
    length = leg.source - leg.target
    for dice, moved in _list_ordered_selections(remaining):
        beyond = moved - length
        if beyond == 0 or (leg.target == OFF and 0 < beyond < dice[-1]):
            yield dice


@cache
def _list_ordered_selections(remaining: Roll) -> tuple[tuple[Roll, int], ...]:
    """Return each ordered selection of the dice with its sum of pips, fewest dice first.

    >>> _list_ordered_selections((6, 1))
    (((1,), 1), ((6,), 6), ((1, 6), 7), ((6, 1), 7))
    """
    counts = range(1, len(remaining) + 1)
    orders = (order for count in counts for order in sorted(set(permutations(remaining, count))))
    return tuple((order, sum(order)) for order in orders)


def find_landing_points(leg: Leg, dice: Roll) -> tuple[int, ...]:
    """Return the points where a checker lands on its way along a leg, such as 20 and 16 for 24/12.

    >>> find_landing_points(Leg(step=0, source=24, target=12), dice=(4, 4, 4))
    (20, 16)
    """
    return tuple(leg.source - moved for moved in accumulate(dice[:-1]))


def fit_dice(unplayed: Sequence[Leg], remaining: Roll) -> Fit:
    """Give dice to legs such as 13/8, one after another, until no dice fit the next leg.

    The result has the number of legs that got dice, and the dice left over.

    >>> fit_dice(list_legs([Step((8, 4), (False,)), Step((6, 3), (False,))]), (4, 2))
    Fit(legs=1, left=(2,))
    """
    return _fit_dice_cached(tuple(unplayed), remaining)


@lru_cache(maxsize=1_000)
def _fit_dice_cached(unplayed: tuple[Leg, ...], remaining: Roll) -> Fit:
    """Do the work of `fit_dice`, with a cache of results."""
    best = Fit(0, remaining)
    if not unplayed:
        return best
    for dice in yield_dice_for_leg(unplayed[0], remaining):
        others = _fit_dice_cached(unplayed[1:], remove_dice(remaining, dice))
        best = max(best, Fit(others.legs + 1, others.left), key=lambda fitted: fitted.legs)
    return best


def remove_dice(remaining: Roll, used: Roll) -> Roll:
    """Return the dice in `remaining` without those in `used`.

    >>> remove_dice((4, 4, 4, 4), (4, 4))
    (4, 4)
    """
    unplayed = list(remaining)
    for die in used:
        unplayed.remove(die)
    return tuple(unplayed)


class BrokenRule(NamedTuple):
    """Rule that a play breaks (its name in the catalog), and where the play breaks it."""

    name: str
    step: int | None = None
    """Index of the faulty step; None if a step is missing."""
    point: int | None = None
    """The point that is empty, blocked or moved to, or the point of the checker that must go
    first."""
    die: int | None = None
    """The number that is needed, misused or left unplayed."""


class PlayAsWritten(NamedTuple):
    """A play carried out as written, legal or not."""

    position: Position
    dice: Dice
    steps: tuple[Step, ...]
    end: Position
    """Board after the steps."""
    stranded: tuple[int, ...]
    """Indexes of the steps that found no checker to move, in any order."""
    legs: tuple[Leg, ...]


def play_as_written(position: Position, dice: Dice, steps: Sequence[Step]) -> PlayAsWritten:
    """Make the steps of a play in any order that works, even if they are illegal.

    In the result, `stranded` has the indexes of steps that found no checker to move.

    >>> from bganalyze.board.position import points
    >>> lone = Position(points({25: 1}), points({}))
    >>> steps = Step((24, 20), (False,)), Step((25, 24), (False,))  # 24/20 works after bar/24.
    >>> attempt = play_as_written(lone, (4, 1), steps)
    >>> attempt.end.own[20], attempt.stranded
    (1, ())
    """
    end, waiting = move_as_written(position, steps)
    steps = tuple(steps)
    return PlayAsWritten(position, dice, steps, end, tuple(waiting), list_legs(steps))


def move_as_written(position: Position, steps: Sequence[Step]) -> tuple[Position, list[int]]:
    """Make the steps in any order that works, and return the board after them.

    The second item has the indexes of steps that found no checker to move.
    """
    own, other = list(position.own), list(position.other)
    waiting: list[int] = []
    for index, step in enumerate(steps):
        if not move_checker(own, other, step.path):
            waiting.append(index)
            continue
        while waiting and (moved := _move_first_waiting(own, other, steps, waiting)) is not None:
            waiting.remove(moved)
    return Position(tuple(own), tuple(other)), waiting


def _move_first_waiting(
    own: list[int], other: list[int], steps: Sequence[Step], waiting: list[int]
) -> int | None:
    """Make the first waiting step that finds a checker, and return its index, or None.

    `waiting` holds the indexes of steps that are not made yet.
    """
    for index in waiting:
        if move_checker(own, other, steps[index].path):
            return index
    return None


def find_broken_rule(
    attempt: PlayAsWritten, legal: Mapping[Position, Steps] | None = None
) -> BrokenRule | None:
    """Return the first rule that an illegal play breaks.

    Rules about points come before rules about dice. If the dice are invalid, only rules about
    points are tried, and the result may be None. Without the `legal` plays, every unused die counts
    as playable.
    """
    for check in _BOARD_CHECKS:
        if fault := check(attempt):
            return fault
    if not dice_to_play(attempt.dice):
        return None
    for check in _DICE_CHECKS:
        if fault := check(attempt):
            return fault
    return _find_unplayed_die(attempt, legal) or BrokenRule("illegal-play")


def is_blocked(position: Position, point: int) -> bool:
    """Whether two or more opposing checkers hold `point`, which the side to play numbers."""
    return OFF < point < BAR and position.other[BAR - point] > 1


def _find_step_from_empty_point(attempt: PlayAsWritten) -> BrokenRule | None:
    """Return the broken rule if a step starts from a point without a checker, else None."""
    return (
        find_rule_broken_by_stranded_step(attempt.steps, attempt.stranded)
        if attempt.stranded
        else None
    )


def find_rule_broken_by_stranded_step(steps: Sequence[Step], stranded: Sequence[int]) -> BrokenRule:
    """Return the rule broken by the first step that found no checker to move.

    `stranded` holds the indexes of all such steps.
    """
    return BrokenRule("empty-point", stranded[0], steps[stranded[0]].path[0])


def _find_step_to_blocked_point(attempt: PlayAsWritten) -> BrokenRule | None:
    """Return the broken rule if a step lands on a point that the opponent holds, else None."""
    numbers = dice_to_play(attempt.dice)
    for leg in attempt.legs:
        point = _find_blocking_point(attempt, leg, numbers)
        if point is not None:
            return BrokenRule("blocked-point", leg.step, point)
    return None


def _find_blocking_point(attempt: PlayAsWritten, leg: Leg, all_dice: Roll) -> int | None:
    """Return the blocked point that stops a checker on a leg such as 13/5, or None."""
    if is_blocked(attempt.position, leg.target):
        return leg.target
    if leg.source - leg.target in all_dice:
        return None  # One die touches no point along the way.
    routes = [find_landing_points(leg, dice) for dice in yield_dice_for_leg(leg, all_dice)]
    blocks = [_find_first_blocked(attempt.position, route) for route in routes]
    return blocks[0] if blocks and None not in blocks else None


def _find_first_blocked(position: Position, route: Sequence[int]) -> int | None:
    """Return the first point of a route with two or more opposing checkers, or None."""
    return next((point for point in route if is_blocked(position, point)), None)


def _find_backward_step(attempt: PlayAsWritten) -> BrokenRule | None:
    """Return the broken rule if a step goes backward or ends where it starts, else None."""
    for leg in attempt.legs:
        if leg.source <= leg.target:
            return BrokenRule("wrong-direction", leg.step, leg.target)
    return None


def _find_step_before_entering(attempt: PlayAsWritten) -> BrokenRule | None:
    """Return the broken rule if another checker moves while one is on the bar, else None."""
    if not attempt.end.own[BAR]:
        return None
    for leg in attempt.legs:
        fewest = next(yield_dice_for_leg(leg, dice_to_play(attempt.dice)), ())
        if leg.source != BAR or len(fewest) > 1:
            return BrokenRule("bar-first", leg.step, BAR)
    return None


def _find_early_bear_off(attempt: PlayAsWritten) -> BrokenRule | None:
    """Return the broken rule if a step bears off while a checker is outside home, else None."""
    leg = next((leg for leg in attempt.legs if leg.target == OFF), None)
    if leg is None:
        return None
    rear = _find_rearmost_point(attempt.end)
    return BrokenRule("early-bear-off", leg.step, rear) if rear > HOME else None


def _find_bear_off_with_large_die(attempt: PlayAsWritten) -> BrokenRule | None:
    """Return the broken rule if too large a die bears off a checker, else None."""
    written = attempt.legs
    borne_off = [leg for leg in written if leg.target == OFF]
    if not borne_off:
        return None
    rear = _find_rearmost_point(attempt.end)
    left = fit_dice([leg for leg in written if leg.target != OFF], dice_to_play(attempt.dice)).left
    for leg in sorted(borne_off, key=lambda leg: -leg.source):
        dice = _find_fewest_open_dice(attempt.position, leg, left)
        if sum(dice) > leg.source and rear > leg.source - sum(dice[:-1]):
            return BrokenRule("bear-off-die", leg.step, rear, dice[-1])
        left = remove_dice(left, dice)
    return None


def _find_fewest_open_dice(position: Position, leg: Leg, remaining: Roll) -> Roll:
    """Return the fewest dice that move a checker along a leg such as 13/5 past any blocks.

    If every way is blocked, the result is empty.
    """
    open_uses = (
        dice
        for dice in yield_dice_for_leg(leg, remaining)
        if _find_first_blocked(position, find_landing_points(leg, dice)) is None
    )
    return next(open_uses, ())


def _find_rearmost_point(position: Position) -> int:
    """Return the highest point with a checker, bar included; 0 if no point has one."""
    return next((point for point in range(BAR, OFF, -1) if position.own[point]), OFF)


def _find_step_without_die(attempt: PlayAsWritten) -> BrokenRule | None:
    """Return the broken rule if a step needs a die that was not rolled or is used up, else None."""
    written = attempt.legs
    fitted = fit_dice(written, dice_to_play(attempt.dice))
    if fitted.legs == len(written):
        return None
    leg = written[fitted.legs]
    name = "die-not-rolled" if fitted.left else "too-many-steps"
    return BrokenRule(name, leg.step, die=leg.source - leg.target)


def _find_unplayed_die(
    attempt: PlayAsWritten, legal: Mapping[Position, Steps] | None
) -> BrokenRule | None:
    """Return the broken rule if an otherwise legal play leaves out a playable die, else None.

    Without the `legal` plays, every unused die counts as playable.
    """
    if not attempt.steps:
        return BrokenRule("false-dance")
    unplayed = fit_dice(attempt.legs, dice_to_play(attempt.dice)).left
    used = len(dice_to_play(attempt.dice)) - len(unplayed)
    if legal is None or used < max(len(steps) for steps in legal.values()):
        return BrokenRule("unplayed-die", die=unplayed[0])
    if used == 1 and unplayed == (max(attempt.dice),):
        return BrokenRule("larger-die", 0, die=unplayed[0])
    return None


_Check = Callable[[PlayAsWritten], BrokenRule | None]

_BOARD_CHECKS: tuple[_Check, ...] = (
    _find_step_from_empty_point,
    _find_step_to_blocked_point,
    _find_backward_step,
    _find_step_before_entering,
)
_DICE_CHECKS: tuple[_Check, ...] = (
    _find_early_bear_off,
    _find_bear_off_with_large_die,
    _find_step_without_die,
)


# Hit marks, compared with the hits on the board.


def find_misplaced_marks(
    before: Position, end: Position, steps: Sequence[Step]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indexes of steps that lack a hit mark (`*`), and of steps with a needless one.

    If several steps land on a blot, only one needs the mark. The mark of `13/7*` may stand for a
    hit between 13 and 7.

    >>> from bganalyze.board.position import points
    >>> before = Position(points({8: 2}), points({20: 1}))
    >>> after_hit = Position(points({8: 1, 5: 1}), points({BAR: 1}))
    >>> find_misplaced_marks(before, after_hit, [Step((8, 5), (False,))])
    ((0,), ())
    """
    if end.other == before.other and not _has_any_mark(steps):
        return (), ()
    marked = {
        landing
        for path, marks in steps
        for landing, mark in zip(path[1:], marks, strict=True)
        if mark
    }
    hit = {BAR - point for point in range(1, BAR) if end.other[point] < before.other[point]}
    missing, needless = _remove_matching_marks_and_hits(hit - marked, marked - hit, steps)
    unmarked = {_find_hitting_step(steps, point) for point in missing}
    mismarked = {index for point in needless for index in _find_marked_steps(steps, point)}
    return tuple(sorted(unmarked)), tuple(sorted(mismarked))


def _remove_matching_marks_and_hits(
    missing: set[int], needless: set[int], steps: Sequence[Step]
) -> tuple[set[int], set[int]]:
    """Remove hits on the way from `missing`, with the marks in `needless` that stand for them.

    For example, the mark of `13/7*` may stand for a hit on 8.

    >>> _remove_matching_marks_and_hits({8}, {7}, [Step((13, 7), (True,))])
    (set(), set())
    """
    written = list_legs(steps) if missing and needless else ()
    passed_over = missing - {leg.target for leg in written}
    for leg in written:
        passed = {point for point in passed_over & missing if leg.target < point < leg.source}
        if passed and leg.target in needless:
            missing, needless = missing - passed, needless - {leg.target}
    return missing, needless


def _has_any_mark(steps: Sequence[Step]) -> bool:
    """Whether any step has a hit mark."""
    for _, marks in steps:  # noqa: SIM110
        if True in marks:
            return True
    return False


def _find_hitting_step(steps: Sequence[Step], point: int) -> int:
    """Return the index of the first step that lands on `point`, or else passes over it."""
    written = list_legs(steps)
    landing = (leg.step for leg in written if leg.target == point)
    passing = (leg.step for leg in written if leg.target < point < leg.source)
    return next(chain(landing, passing))


def _find_marked_steps(steps: Sequence[Step], point: int) -> Iterator[int]:
    """Yield the indexes of the steps with a hit mark at `point`, such as `13/7*` for 7."""
    for index, (path, marks) in enumerate(steps):
        if (point, True) in zip(path[1:], marks, strict=True):
            yield index
