"""Check written plays: whether they are legal, why not, and the board they leave; write plays.

Other packages import everything about plays from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import gt, sub
from typing import NamedTuple

from bganalyze.board.movement import (
    Dice,
    Steps,
    can_move,
    is_die_still_playable,
    legal_plays,
    try_plain_play,
    try_plain_play_in_place,
)
from bganalyze.board.play_faults import (
    BrokenRule,
    PlayAsWritten,
    dice_to_play,
    find_broken_rule,
    find_landing_points,
    find_misplaced_marks,
    find_rule_broken_by_stranded_step,
    fit_dice,
    is_blocked,
    move_as_written,
    play_as_written,
    remove_dice,
    yield_dice_for_leg,
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
    swap_sides,
)

__all__ = [
    "LEGAL",
    "BrokenRule",
    "Dice",
    "Legality",
    "after",
    "can_move",
    "check_play",
    "checkers",
    "find_nearest_plays",
    "legal_plays",
    "limit_steps",
    "make_play",
    "notation",
    "pips",
    "point_name",
    "swap_sides",
]

MOST_STEPS = 16
"""Largest number of steps checked; a play has at most four, and further ones show no new error."""

MOST_POINTS = 26
"""Largest number of points of a step checked; a checker that moves forward meets no more."""

REMEMBERED = 2_000
"""Cache size for plays that need a closer look. After an error the same plays are tried on the same
boards again and again; the cache halves the time of a search for repairs (measured)."""

AMBIGUOUS_ROUTE = "ambiguous-route"
BLOCKED_ROUTE = "blocked-route"


class Legality(NamedTuple):
    """Result of checking a written play."""

    fault: BrokenRule | None
    """Why the play is illegal; None if it is legal or the dice are invalid."""
    unmarked: tuple[int, ...]
    """Indexes of the steps that hit without a hit mark."""
    mismarked: tuple[int, ...]
    """Indexes of the steps with a hit mark but no hit."""
    remark: str
    """`ambiguous-route`, `blocked-route` or empty."""


class _CheckedPlay(NamedTuple):
    """Result of checking a play by the board that it leaves, without its hit marks."""

    end: Position
    """The board after the play."""
    fault: BrokenRule | None
    """The rule that the play breaks; None if it is legal."""
    remark: str
    """`ambiguous-route`, `blocked-route` or empty."""


LEGAL = Legality(None, (), (), "")
"""The result for nearly every play: legal, and spelled without anything odd."""


def check_play(
    position: Position, dice: Dice, steps: Sequence[Step], marks_hits: bool = True
) -> tuple[Position, Legality]:
    """Return the board after a written play, and whether the play is legal.

    `marks_hits` says whether the match file marks hits: if it does, an unmarked step hits nothing
    on its way. The sides are not swapped.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> end, checked = check_play(start, (3, 1), [Step((8, 5), (False,)), Step((6, 5), (False,))])
    >>> end.own[5], checked == LEGAL
    (2, True)
    >>> check_play(start, (3, 1), [Step((6, 5), (False,))])[1].fault
    BrokenRule(name='unplayed-die', step=None, point=None, die=3)
    """
    played = try_plain_play(*position, dice, steps)
    if played is None:
        steps = tuple(limit_steps(steps))
        end, fault, remark = _find_broken_rule_and_remark(position, dice, steps, marks_hits)
        return end, Legality(fault, *find_misplaced_marks(position, end, steps), remark)
    own, other, marked = played
    end = Position(own, other)
    if marked:
        return end, LEGAL
    return end, Legality(None, *find_misplaced_marks(position, end, steps), "")


def make_play(
    own: list[int], other: list[int], dice: Dice, steps: Sequence[Step], marks_hits: bool = True
) -> tuple[BrokenRule | None, bool]:
    """Make a play on the lists `own` and `other`, and return the rule that it breaks, or None.

    The second item says whether a legal play has wrong hit marks; without `marks_hits`, it is
    False.

    >>> from bganalyze.board.position import start_position
    >>> own, other = map(list, start_position("standard"))
    >>> make_play(own, other, (3, 1), [Step((6, 5), (False,))]), own[5]
    ((BrokenRule(name='unplayed-die', step=None, point=None, die=3), False), 1)
    """
    own_before, other_before = own[:], other[:]
    marked = try_plain_play_in_place(own, other, dice, steps)
    if marked or (marked is not None and not marks_hits):
        return None, False
    before = Position(tuple(own_before), tuple(other_before))
    if marked is None:
        steps = tuple(limit_steps(steps))
        end, fault, _ = _find_broken_rule_and_remark(before, dice, steps, marks_hits)
        own[:], other[:] = end
    else:
        end, fault = Position(tuple(own), tuple(other)), None
    return fault, fault is None and marks_hits and any(find_misplaced_marks(before, end, steps))


def find_nearest_plays(
    position: Position,
    dice: Dice,
    steps: Sequence[Step],
    limit: int | None = 5,
    recorded_end: Position | None = None,
) -> tuple[Steps, ...]:
    """Return the legal plays of a roll, those most similar to the written steps first.

    If the file records the board after the play (`recorded_end`), plays are compared with this
    board instead of the steps. If no play is possible, the result is empty.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> written = [Step((8, 4), (False,)), Step((6, 5), (False,))]
    >>> [notation(play) for play in find_nearest_plays(start, (3, 1), written, limit=2)]
    ['8/5 6/5', '8/4']
    """
    end = recorded_end or play_as_written(position, dice, limit_steps(steps)).end
    plays = legal_plays(position, dice)
    ranked = sorted(plays, key=_make_distance_key(end))
    return tuple(plays[result] for result in ranked[:limit] if plays[result])


def limit_steps(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the first 16 steps (`MOST_STEPS`), each cut to its first 26 points (`MOST_POINTS`).

    >>> [len(step.path) for step in limit_steps([Step((6,) * 99, (False,) * 98)] * 99)] == [26] * 16
    True
    """
    steps = steps[:MOST_STEPS]
    for path, _ in steps:
        if len(path) > MOST_POINTS:
            return [Step(path[:MOST_POINTS], marks[: MOST_POINTS - 1]) for path, marks in steps]
    return steps


def _make_distance_key(end: Position) -> Callable[[Position], tuple[int, int, int, bool]]:
    """Return a sort key that puts the boards most similar to `end` first."""
    own, other = end
    pips_left = pips(own)

    def distance(result: Position) -> tuple[int, int, int, bool]:
        """Return how much a board differs from `end`, the most important difference first."""
        moved = sum(map(abs, map(sub, own, result.own)))
        hits = abs(other[BAR] - result.other[BAR])
        return moved, hits, abs(pips_left - pips(result.own)), other != result.other

    return distance


def _find_broken_rule_and_remark(
    position: Position, dice: Dice, steps: Steps, marks_hits: bool
) -> _CheckedPlay:
    """Return the board after a written play, the rule it breaks (or None), and a remark.

    The remark is `ambiguous-route`, `blocked-route` or empty.
    """
    if has_stranded_step(position.own, steps):
        end, stranded = move_as_written(position, steps)
        return _CheckedPlay(end, find_rule_broken_by_stranded_step(steps, stranded), "")
    return compare_with_legal_plays(position, dice, steps, marks_hits)


@lru_cache(maxsize=REMEMBERED)
def compare_with_legal_plays(
    position: Position, dice: Dice, steps: Steps, marks_hits: bool
) -> _CheckedPlay:
    """Compare a written play with all legal plays.

    Return the board after the play, the rule it breaks (or None), and a remark. The remark is
    `ambiguous-route`, `blocked-route` or empty.
    """
    attempt = play_as_written(position, dice, steps)
    # A stranded step, or a step that ends on a block, makes the play illegal whatever board it
    # leaves.
    if (
        attempt.stranded
        or _ends_on_block(attempt)
        or is_clearly_illegal(attempt)
        or _leaves_playable_die(attempt)
    ):
        return _CheckedPlay(attempt.end, find_broken_rule(attempt), "")
    legal = legal_plays(position, dice)
    readings = _select_possible_results(attempt, legal)
    if not readings:
        return _CheckedPlay(attempt.end, find_broken_rule(attempt, legal), "")
    return _CheckedPlay(readings[0], None, _remark_on_route(attempt, readings, marks_hits))


def has_stranded_step(own: Points, steps: Steps) -> bool:
    """Whether a step starts from an empty point to which no other step brings a checker.

    >>> from bganalyze.board.position import start_position
    >>> own, _ = start_position("standard")
    >>> has_stranded_step(own, (Step((8, 7), (False,)), Step((7, 5), (False,))))
    False
    >>> has_stranded_step(own, (Step((7, 5), (False,)),))
    True
    """
    for path, _ in steps:
        if not own[path[0]] and all(path[0] != other[-1] for other, _ in steps):
            return True
    return False


def is_clearly_illegal(attempt: PlayAsWritten) -> bool:
    """Whether a quick test shows that a written play is illegal.

    False does not mean that the play is legal.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> is_clearly_illegal(play_as_written(start, (3, 1), [Step((8, 3), (False,))]))
    True
    """
    # Most plays tried on a wrong board are like that. Not listing legal plays for them takes 40 %
    # off the check of a match file with many findings (measured).
    before, end = attempt.position.own, attempt.end.own
    if end[BAR] and any(map(gt, before[OFF + 1 : BAR], end[OFF + 1 : BAR])):
        return True
    if end[OFF] != before[OFF]:
        return any(end[HOME + 1 :])
    return not _can_dice_cover(attempt.dice, *_find_changed_points(before, end))


def _find_changed_points(before: Points, end: Points) -> tuple[list[int], list[int]]:
    """Return the points that lost checkers and the points that gained some, in two lists."""
    lost: list[int] = []
    gained: list[int] = []
    for point in range(BAR, OFF, -1):
        if (change := end[point] - before[point]) < 0:
            lost += [point] * -change
        elif change:
            gained += [point] * change
    return lost, gained


def _can_dice_cover(dice: Dice, lost: Sequence[int], gained: Sequence[int]) -> bool:
    """Whether the dice could move checkers from the points `lost` to the points `gained`.

    Blocked points are ignored.

    >>> _can_dice_cover((3, 1), [8, 6], [5, 5]), _can_dice_cover((3, 1), [8], [3])
    (True, False)
    """
    if not lost:
        return True
    pips, numbers = sum(lost) - sum(gained), dice_to_play(dice)
    if pips not in (*accumulate(numbers), *numbers):
        return False
    die, other = dice
    if die == other:
        return sorted(point % die for point in lost) == sorted(point % die for point in gained)
    if len(lost) == 1:
        return True
    lengths = lost[0] - gained[0], lost[0] - gained[1]
    return len(lost) == 2 and (die in lengths or other in lengths)


def _leaves_playable_die(attempt: PlayAsWritten) -> bool:
    """Whether a play of one die per step leaves a die that could still be played."""
    left = dice_to_play(attempt.dice)
    for _, source, target in attempt.legs:
        if source - target not in left:
            return False
        left = remove_dice(left, (source - target,))
    return (
        bool(left)
        and bool(attempt.legs)
        and is_die_still_playable(attempt.position, attempt.end, left[0])
    )


def _ends_on_block(attempt: PlayAsWritten) -> bool:
    """Whether a step ends on a point held by two or more opposing checkers."""
    for path, _ in attempt.steps:
        if attempt.end.own[path[-1]] and is_blocked(attempt.position, path[-1]):
            return True
    return False


def _select_possible_results(attempt: PlayAsWritten, legal: Iterable[Position]) -> list[Position]:
    """Return the legal positions that the written steps can lead to, the likeliest first.

    There are several if a step may hit on its way, as 13/7 may hit a blot on 8.
    """
    alike = [result for result in legal if result.own == attempt.end.own]
    touched = _find_points_on_the_way(attempt) if alike else frozenset()
    fitting = [result for result in alike if _is_explained_by_hits(attempt.end, result, touched)]
    hitting = [result for result in fitting if result != attempt.end]
    if len(hitting) == len(fitting):
        return fitting
    _, mismarked = find_misplaced_marks(attempt.position, attempt.end, attempt.steps)
    return hitting if hitting and mismarked else [attempt.end, *hitting]


def _is_explained_by_hits(
    without_hits: Position, result: Position, possible_landings: frozenset[int]
) -> bool:
    """Whether hits on `possible_landings` explain how `result` differs from `without_hits`."""
    return all(
        result.other[point] == without_hits.other[point]
        or (BAR - point in possible_landings and result.other[point] < without_hits.other[point])
        for point in range(1, BAR)
    )


def _find_points_on_the_way(attempt: PlayAsWritten) -> frozenset[int]:
    """Return the points where checkers can land on the way: 12 and 8 for 13/7 with a 5-1."""
    return frozenset(
        point
        for leg in attempt.legs
        for dice in yield_dice_for_leg(leg, dice_to_play(attempt.dice))
        for point in find_landing_points(leg, dice)
    )


def _remark_on_route(
    attempt: PlayAsWritten, possible_results: Sequence[Position], marks_hits: bool
) -> str:
    """Return `ambiguous-route` or `blocked-route` as a remark on the written route, else ""."""
    if len(possible_results) > 1 and not (marks_hits and possible_results[0] == attempt.end):
        return AMBIGUOUS_ROUTE
    written = attempt.legs
    possible = fit_dice(written, dice_to_play(attempt.dice)).legs == len(written) and not any(
        is_blocked(attempt.position, leg.target) for leg in written
    )
    return "" if possible else BLOCKED_ROUTE


# Notation: plays in the usual spelling.


def notation(steps: Iterable[Step]) -> str:
    """Return a play in the usual notation, such as `13/8(2) 6/off`.

    Steps of one checker are joined. Points on the way are named only if the checker hits there.

    >>> step = lambda source, target, hit=False: Step((source, target), (hit,))
    >>> notation([step(13, 8), step(25, 21, True), step(13, 8), step(21, 16), step(6, 0)])
    'bar/21*/16 13/8(2) 6/off'
    """
    written: list[Step] = []
    repeats: Counter[tuple[int, ...]] = Counter()
    for step in sorted(map(_omit_plain_landings, _join_steps(steps)), key=_get_notation_sort_key):
        if step.path not in repeats:
            written.append(step)
        repeats[step.path] += 1
    return " ".join(
        _write_step(step) + _write_repeat_suffix(repeats[step.path]) for step in written
    )


def _join_steps(steps: Iterable[Step]) -> list[Step]:
    """Join each step to the step that ends where it starts, such as 13/8 and 8/2 to 13/8/2.

    >>> [step.path for step in _join_steps([Step((13, 8), (False,)), Step((8, 2), (True,))])]
    [(13, 8, 2)]
    """
    joined: list[Step] = []
    for step in sorted(steps, key=_get_notation_sort_key):
        start = next((part for part in joined if part.path[-1] == step.path[0]), None)
        if start is None:
            joined.append(step)
        else:
            joined[joined.index(start)] = Step(
                start.path + step.path[1:], start.marked + step.marked
            )
    return joined


def _omit_plain_landings(step: Step) -> Step:
    """Remove points where a step hits nothing on its way, such as 21 from 25/21/15.

    >>> _omit_plain_landings(Step((25, 21, 15), (False, False)))
    Step(path=(25, 15), marked=(False,))
    """
    last = len(step.marked) - 1
    kept = [
        (landing, mark)
        for number, (landing, mark) in enumerate(zip(step.path[1:], step.marked, strict=True))
        if mark or number == last
    ]
    return Step((step.path[0], *(landing for landing, _ in kept)), tuple(mark for _, mark in kept))


def _get_notation_sort_key(step: Step) -> tuple[int, int, bool]:
    """Return a sort key that puts rear steps first, and hits before equal steps without one.

    >>> steps = [Step((8, 5), (False,)), Step((25, 21), (False,)), Step((8, 5), (True,))]
    >>> [(step.path, step.marked) for step in sorted(steps, key=_get_notation_sort_key)]
    [((25, 21), (False,)), ((8, 5), (True,)), ((8, 5), (False,))]
    """
    return -step.path[0], -step.path[-1], not any(step.marked)


def _write_step(step: Step) -> str:
    """Return a step as points joined by slashes, with a star after each hit.

    >>> _write_step(Step((25, 21, 15), (True, False)))
    'bar/21*/15'
    """
    landings = zip(step.path[1:], step.marked, strict=True)
    return "/".join(
        [
            point_name(step.path[0]),
            *(point_name(landing) + "*" * mark for landing, mark in landings),
        ]
    )


def point_name(point: int) -> str:
    """Return the notation of a point: its number, `bar` or `off`.

    >>> point_name(25), point_name(6), point_name(0)
    ('bar', '6', 'off')
    """
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def _write_repeat_suffix(count: int) -> str:
    """Return a suffix such as `(2)` for a step made by several checkers, or "" for one."""
    return f"({count})" if count > 1 else ""
