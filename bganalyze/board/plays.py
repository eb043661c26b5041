"""Plays: whether what a record writes is legal, what it leaves, why it is not; and their notation.

The face of movement: what the rest of the program asks about plays is imported from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import gt, sub
from typing import NamedTuple

from bganalyze.board.faults import (
    Attempt,
    Fault,
    carried_out,
    empty_point,
    fault_of,
    fit,
    is_blocked,
    midpoints,
    misplaced_marks,
    moved_as_written,
    roll,
    uses,
    without,
)
from bganalyze.board.movement import (
    Dice,
    Steps,
    can_move,
    leaves_move,
    legal_plays,
    play_straight,
    played_straight,
)
from bganalyze.board.position import (
    BAR,
    HOME,
    OFF,
    Points,
    Position,
    Step,
    after,
    checkers,
    pips,
    swapped,
)

__all__ = [
    "LEGAL",
    "Dice",
    "Fault",
    "Legality",
    "after",
    "can_move",
    "check_play",
    "checkers",
    "curtailed",
    "legal_plays",
    "make_play",
    "nearest_plays",
    "notation",
    "pips",
    "point_name",
    "swapped",
]

MOST_STEPS = 16
"""Further steps are left out: four are a play, and no fault needs so many to be seen."""

MOST_POINTS = 26
"""Further points of a step are left out likewise: a checker that moves forward meets no more."""

REMEMBERED = 2_000
"""So many plays that needed a closer look are remembered: after a fault the same plays are tried on
the same boards again and again. Measured: it halves the search for what caused the faults."""

AMBIGUOUS_ROUTE = "ambiguous-route"
BLOCKED_ROUTE = "blocked-route"


class Legality(NamedTuple):
    """What the rule book says of a written play."""

    fault: Fault | None
    """Why the play is not legal; none if it is, or if the dice are none."""
    unmarked: tuple[int, ...]
    """Indexes of the steps that hit where the text does not mark it."""
    mismarked: tuple[int, ...]
    """Indexes of the steps that mark a hit where nothing was hit."""
    remark: str
    """`ambiguous-route`, `blocked-route` or nothing."""


LEGAL = Legality(None, (), (), "")
"""Legality of nearly every play: a legal play with nothing odd about its spelling."""


def check_play(
    position: Position, dice: Dice, steps: Sequence[Step], marks: bool = True
) -> tuple[Position, Legality]:
    """Check the written steps: the board they leave, and whether that is a legal play or why not.

    A play is legal if it leaves the checkers of both sides as some legal play does: the order, the
    spelling and the joining of its steps do not matter. `marks` says whether the record marks hits:
    if it does, nothing was hit on a point along the way that has no mark. The sides of the board
    are not swapped.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> end, checked = check_play(start, (3, 1), [Step((8, 5), (False,)), Step((6, 5), (False,))])
    >>> end.own[5], checked == LEGAL
    (2, True)
    >>> check_play(start, (3, 1), [Step((8, 5), (False,)), Step((6, 4), (False,))])[1].fault
    Fault(name='die-not-rolled', step=1, point=None, die=2)
    >>> check_play(start, (3, 1), [Step((6, 5), (False,))])[1].fault
    Fault(name='unplayed-die', step=None, point=None, die=3)
    """
    played = played_straight(*position, dice, steps)
    if played is None:
        steps = tuple(curtailed(steps))
        end, fault, remark = _checked(position, dice, steps, marks)
        return end, Legality(fault, *misplaced_marks(position, end, steps), remark)
    own, other, marked = played
    end = Position(own, other)
    if marked:
        return end, LEGAL
    return end, Legality(None, *misplaced_marks(position, end, steps), "")


def make_play(
    own: list[int], other: list[int], dice: Dice, steps: Sequence[Step], marks: bool = True
) -> tuple[Fault | None, bool]:
    """Move both sides' checkers by the steps; return why the play is not legal, and one thing more.

    That is whether a legal play marks hits wrongly, in a record that marks them. It is the part of
    a legality that trial plays need.

    >>> from bganalyze.board.position import start_position
    >>> own, other = map(list, start_position("standard"))
    >>> make_play(own, other, (3, 1), [Step((6, 5), (False,))]), own[5]
    ((Fault(name='unplayed-die', step=None, point=None, die=3), False), 1)
    """
    own_before, other_before = own[:], other[:]
    marked = play_straight(own, other, dice, steps)
    if marked or (marked is not None and not marks):
        return None, False
    before = Position(tuple(own_before), tuple(other_before))
    if marked is None:
        steps = tuple(curtailed(steps))
        end, fault, _ = _checked(before, dice, steps, marks)
        own[:], other[:] = end
    else:
        end, fault = Position(tuple(own), tuple(other)), None
    return fault, fault is None and marks and any(misplaced_marks(before, end, steps))


def nearest_plays(
    position: Position, dice: Dice, steps: Sequence[Step], limit: int = 5
) -> tuple[Steps, ...]:
    """The legal plays nearest to what was written: with the fewest checkers moved differently.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> written = [Step((8, 4), (False,)), Step((6, 5), (False,))]
    >>> [notation(play) for play in nearest_plays(start, (3, 1), written, limit=2)]
    ['8/5 6/5', '8/4']
    """
    end = carried_out(position, dice, curtailed(steps)).end
    plays = legal_plays(position, dice)
    ranked = sorted(plays, key=_distance_from(end))
    return tuple(plays[result] for result in ranked[:limit] if plays[result])


def curtailed(steps: Sequence[Step]) -> Sequence[Step]:
    """The steps that are looked at: nearly always all of them.

    >>> [len(step.path) for step in curtailed([Step((6,) * 99, (False,) * 98)] * 99)] == [26] * 16
    True
    """
    steps = steps[:MOST_STEPS]
    for path, _ in steps:
        if len(path) > MOST_POINTS:
            return [Step(path[:MOST_POINTS], marks[: MOST_POINTS - 1]) for path, marks in steps]
    return steps


def _distance_from(end: Position) -> Callable[[Position], tuple[int, int, int, bool]]:
    """How many own checkers stand differently, then how many hits, how many pips, and which hits."""
    own, other = end
    pips_left = pips(own)

    def distance(result: Position) -> tuple[int, int, int, bool]:
        moved = sum(map(abs, map(sub, own, result.own)))
        hits = abs(other[BAR] - result.other[BAR])
        return moved, hits, abs(pips_left - pips(result.own)), other != result.other

    return distance


def _checked(
    position: Position, dice: Dice, steps: Steps, marks: bool
) -> tuple[Position, Fault | None, str]:
    """Look closer: the board that is left, why no legal play leaves it, and what to remark.

    Half of the trial plays on a wrong board find no checker. To see that takes less time than to
    look up whether they are remembered.
    """
    if is_stranded(position.own, steps):
        end, stranded = moved_as_written(position, steps)
        return end, empty_point(steps, stranded), ""
    return closely_checked(position, dice, steps, marks)


@lru_cache(maxsize=REMEMBERED)
def closely_checked(
    position: Position, dice: Dice, steps: Steps, marks: bool
) -> tuple[Position, Fault | None, str]:
    """Do the same for steps that may all find a checker."""
    attempt = carried_out(position, dice, steps)
    # What finds no checker or stays on a block is no legal play, whatever it leaves.
    if (
        attempt.stranded
        or _stays_on_block(attempt)
        or is_out_of_reach(attempt)
        or _leaves_die(attempt)
    ):
        return attempt.end, fault_of(attempt), ""
    legal = legal_plays(position, dice)
    readings = _readings(attempt, legal)
    if not readings:
        return attempt.end, fault_of(attempt, legal), ""
    return readings[0], None, _remark(attempt, readings, marks)


def is_stranded(own: Points, steps: Steps) -> bool:
    """Whether plainly a step finds no checker, in whatever order: none is there and none comes.

    >>> from bganalyze.board.position import start_position
    >>> own, _ = start_position("standard")
    >>> is_stranded(own, (Step((8, 7), (False,)), Step((7, 5), (False,))))
    False
    >>> is_stranded(own, (Step((7, 5), (False,)),))
    True
    """
    for path, _ in steps:
        if not own[path[0]] and all(path[0] != other[-1] for other, _ in steps):
            return True
    return False


def is_out_of_reach(attempt: Attempt) -> bool:
    """Whether plainly no legal play leaves the side's checkers like this.

    A checker was moved while another stays on the bar, or was borne off while another is not at
    home; or the dice do not cover how the checkers have moved. Nearly all trial plays on a wrong
    board are like that. Measured: not to generate the legal plays for them takes 40 % off the check
    of a record with many faults.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> is_out_of_reach(carried_out(start, (3, 1), [Step((8, 3), (False,))]))
    True
    """
    before, end = attempt.position.own, attempt.end.own
    if end[BAR] and any(map(gt, before[OFF + 1 : BAR], end[OFF + 1 : BAR])):
        return True
    if end[OFF] != before[OFF]:
        return any(end[HOME + 1 :])
    return not _cover(attempt.dice, *_moved(before, end))


def _moved(before: Points, end: Points) -> tuple[list[int], list[int]]:
    """Return the points from which checkers are gone, and those to which they have come."""
    gone: list[int] = []
    come: list[int] = []
    for point in range(BAR, OFF, -1):
        if (change := end[point] - before[point]) < 0:
            gone += [point] * -change
        elif change:
            come += [point] * change
    return gone, come


def _cover(dice: Dice, gone: Sequence[int], come: Sequence[int]) -> bool:
    """Whether a roll can carry checkers so, whatever stands in their way; none need have moved.

    >>> _cover((3, 1), [8, 6], [5, 5]), _cover((3, 1), [8], [4]), _cover((3, 1), [8], [3])
    (True, True, False)
    """
    if not gone:
        return True
    pips, numbers = sum(gone) - sum(come), roll(dice)
    if pips not in (*accumulate(numbers), *numbers):
        return False
    die, other = dice
    if die == other:
        return sorted(point % die for point in gone) == sorted(point % die for point in come)
    if len(gone) == 1:
        return True
    lengths = gone[0] - come[0], gone[0] - come[1]
    return len(gone) == 2 and (die in lengths or other in lengths)


def _leaves_die(attempt: Attempt) -> bool:
    """Whether the steps are single dice, and it is plain that another one had to be played."""
    left = roll(attempt.dice)
    for _, source, target in attempt.legs:
        if source - target not in left:
            return False
        left = without(left, (source - target,))
    return bool(left) and bool(attempt.legs) and leaves_move(attempt.position, attempt.end, left[0])


def _stays_on_block(attempt: Attempt) -> bool:
    for path, _ in attempt.steps:
        if attempt.end.own[path[-1]] and is_blocked(attempt.position, path[-1]):
            return True
    return False


def _readings(attempt: Attempt, legal: Iterable[Position]) -> list[Position]:
    """The legal results that the text can mean, the one that hits nothing along the way first.

    That one is not meant where a mark says that something was hit, and that can only be along the way.
    """
    alike = [result for result in legal if result.own == attempt.end.own]
    touched = _under_way(attempt) if alike else frozenset()
    fitting = [result for result in alike if _differs_by_hits(attempt.end, result, touched)]
    hitting = [result for result in fitting if result != attempt.end]
    if len(hitting) == len(fitting):
        return fitting
    _, mismarked = misplaced_marks(attempt.position, attempt.end, attempt.steps)
    return hitting if hitting and mismarked else [attempt.end, *hitting]


def _differs_by_hits(plain: Position, result: Position, touched: frozenset[int]) -> bool:
    """Whether a result is the plain one but for hits on points touched along the way."""
    return all(
        result.other[point] == plain.other[point]
        or (BAR - point in touched and result.other[point] < plain.other[point])
        for point in range(1, BAR)
    )


def _under_way(attempt: Attempt) -> frozenset[int]:
    """The points that the steps, as written, may touch without naming them."""
    return frozenset(
        point
        for leg in attempt.legs
        for dice in uses(leg, roll(attempt.dice))
        for point in midpoints(leg, dice)
    )


def _remark(attempt: Attempt, readings: Sequence[Position], marks: bool) -> str:
    """What to remark about the spelling of a legal play."""
    if len(readings) > 1 and not (marks and readings[0] == attempt.end):
        return AMBIGUOUS_ROUTE
    written = attempt.legs
    possible = fit(written, roll(attempt.dice)).legs == len(written) and not any(
        is_blocked(attempt.position, leg.target) for leg in written
    )
    return "" if possible else BLOCKED_ROUTE


# Notation: a play written the customary way.


def notation(steps: Iterable[Step]) -> str:
    """Write a play: the rear checkers first, the steps of one checker joined, hits marked.

    A point touched along the way is named only where a checker is hit there.

    >>> hop = lambda source, target, hit=False: Step((source, target), (hit,))
    >>> notation([hop(13, 8), hop(25, 21, True), hop(13, 8), hop(21, 16), hop(6, 0)])
    'bar/21*/16 13/8(2) 6/off'
    >>> notation([hop(6, 1, True), hop(6, 1)])
    '6/1*(2)'
    """
    written: list[Step] = []
    repeats: Counter[tuple[int, ...]] = Counter()
    for step in sorted(map(_shown, _chained(steps)), key=_rear_first):
        if step.path not in repeats:
            written.append(step)
        repeats[step.path] += 1
    return " ".join(_text(step) + _times(repeats[step.path]) for step in written)


def _chained(steps: Iterable[Step]) -> list[Step]:
    """Join steps where one goes on from the point that another reaches."""
    joined: list[Step] = []
    for step in sorted(steps, key=_rear_first):
        start = next((part for part in joined if part.path[-1] == step.path[0]), None)
        if start is None:
            joined.append(step)
        else:
            joined[joined.index(start)] = Step(
                start.path + step.path[1:], start.marked + step.marked
            )
    return joined


def _shown(step: Step) -> Step:
    """The step without the points along the way at which nothing is hit."""
    last = len(step.marked) - 1
    kept = [
        (landing, mark)
        for number, (landing, mark) in enumerate(zip(step.path[1:], step.marked, strict=True))
        if mark or number == last
    ]
    return Step((step.path[0], *(landing for landing, _ in kept)), tuple(mark for _, mark in kept))


def _rear_first(step: Step) -> tuple[int, int, bool]:
    """The order of writing: from the rear forwards, the step that hits before its like."""
    return -step.path[0], -step.path[-1], not any(step.marked)


def _text(step: Step) -> str:
    landings = zip(step.path[1:], step.marked, strict=True)
    return "/".join(
        [
            point_name(step.path[0]),
            *(point_name(landing) + "*" * mark for landing, mark in landings),
        ]
    )


def point_name(point: int) -> str:
    """A point in notation: its number, `bar` or `off`."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def _times(count: int) -> str:
    return f"({count})" if count > 1 else ""
