"""Changes of checkers: the difference between two boards where the play is unknown or illegal.

Some records state only the board that an illegal play left. The changes then follow from the two
boards: a checker was left on the bar, one of the opponent's was taken off, and so on.
"""

# Annotations are evaluated here: `record/model.py` says why.

from collections.abc import Iterator, Sequence
from itertools import chain, permutations, repeat
from typing import Literal, NamedTuple

from bganalyze.board.movement import Dice, legal_plays
from bganalyze.board.play_faults import dice_to_play
from bganalyze.board.position import BAR, HOME, OFF, Points, Position

ChangeKind = Literal[
    "moved",
    "hit",
    "put-on-bar",
    "brought-back",
    "added",
    "removed",
    "left-on-bar",
    "left-under",
    "no-move",
    "opponent-added",
    "opponent-removed",
    "opponent-moved",
    "opponent-entered",
    "opponent-borne-off",
    "opponent-put-on-bar",
    "hit-borne-off",
    "hit-put-back",
]
"""Kinds of changes; those of the opponent's checkers begin with `opponent` or `hit`.

`moved` and `hit` are legal if the dice allow them. `left-under` is an opponent's checker that
stayed on a point the side came to. `hit-borne-off` and `hit-put-back` are checkers that were hit
and did not go to the bar.
"""


class Change(NamedTuple):
    """Change of one checker, or of several that changed in the same way."""

    kind: ChangeKind
    source: int | None = None
    """Point that was left, as the owner of the checker numbers it."""
    target: int | None = None
    """Point that was reached, as the owner of the checker numbers it."""
    checkers: int = 1


def find_changes(before: Position, after: Position, dice: Dice) -> tuple[Change, ...]:
    """Return how the checkers moved between the boards `before` and `after` a roll.

    If no checker moved although one could, the only change is `no-move`. Each point is numbered by
    the checker's owner.

    >>> from bganalyze.board.position import points
    >>> before = Position(points({25: 1, 13: 1}), points({20: 2}))
    >>> after = Position(points({25: 1, 7: 1}), points({20: 2}))
    >>> [(change.kind, change.source, change.target) for change in find_changes(before, after, (6, 2))]
    [('moved', 13, 7), ('left-on-bar', 25, None)]
    """
    own = tuple(_find_own_changes(before, after, dice))
    moved = [change for change in own if change.kind == "moved"]
    other = tuple(_find_opponent_changes(before, after, moved))
    if not own and not other:
        idle = Change("no-move") if any(legal_plays(before, dice).values()) else None
        return (idle,) if idle else ()
    return _merge_equal_changes([*own, *other, *_find_omissions(before, after, own)])


def _find_own_changes(before: Position, after: Position, dice: Dice) -> Iterator[Change]:
    """Yield the changes of the roller's own checkers, such as a checker moved from 13 to 7."""
    sources, targets = _compare_points(before.own, after.own)
    for source, target in _pair_points(sources, targets, dice_to_play(dice)):
        yield Change(_classify_own_change(source, target), source, target)


def _classify_own_change(source: int | None, target: int | None) -> ChangeKind:
    """Return the kind of change, such as `moved`, of a roller's checker from `source` to `target`.

    `source` is None if the checker appeared, `target` is None if it disappeared.
    """
    if source is None:
        return "added"
    if target is None:
        return "removed"
    if target == BAR:
        return "put-on-bar"
    return "brought-back" if source == OFF else "moved"


def _find_opponent_changes(
    before: Position, after: Position, own_movements: Sequence[Change]
) -> Iterator[Change]:
    """Yield the changes of the opponent's checkers: hit, moved, added or removed.

    `own_movements`, made by the roller, show which blots can have been hit.
    """
    sources, targets = _compare_points(before.other, after.other)
    for source, target in _pair_hits(before, sources, targets, own_movements):
        is_hit = source is not None and _can_be_hit(before, source, own_movements)
        yield Change(_classify_opponent_change(source, target, is_hit), source, target)


def _classify_opponent_change(source: int | None, target: int | None, is_hit: bool) -> ChangeKind:
    """Return the kind of change, such as `hit`, of an opponent's checker.

    The checker went from `source` (None if it appeared) to `target` (None if it disappeared).
    """
    if source is None:
        return "opponent-added"
    if target is None:
        return "opponent-removed"
    if target == BAR:
        return "hit" if is_hit else "opponent-put-on-bar"
    if is_hit:
        return "hit-borne-off" if target == OFF else "hit-put-back"
    if target == OFF:
        return "opponent-borne-off"
    return "opponent-entered" if source == BAR else "opponent-moved"


def _can_be_hit(before: Position, point: int, own_movements: Sequence[Change]) -> bool:
    """Whether one of the roller's movements reached or passed an opponent's blot on `point`.

    `point` is numbered by the opponent.
    """
    mine = BAR - point
    is_on_board = OFF < point < BAR
    return (
        is_on_board
        and before.other[point] == 1
        and any(
            change.source is not None
            and change.target is not None
            and change.target <= mine < change.source
            for change in own_movements
        )
    )


def _find_omissions(
    before: Position, after: Position, own_changes: Sequence[Change]
) -> Iterator[Change]:
    """Yield changes for checkers left on the bar, and for each point that both sides occupy."""
    if after.own[BAR] and before.own[BAR] and own_changes:
        yield Change("left-on-bar", BAR, checkers=after.own[BAR])
    for point in range(1, BAR):
        if after.own[point] and after.other[BAR - point]:
            yield Change("left-under", BAR - point, checkers=after.other[BAR - point])


def _compare_points(before: Points, after: Points) -> tuple[list[int], list[int]]:
    """Return the points that lost checkers and the points that gained some, each highest first.

    >>> from bganalyze.board.position import points
    >>> _compare_points(points({13: 2, 6: 1}), points({7: 2, 6: 1}))
    ([13, 13], [7, 7])
    """
    differences = [
        (point, now - then) for point, (then, now) in enumerate(zip(before, after, strict=True))
    ]
    lost = chain.from_iterable(repeat(point, -change) for point, change in differences)
    gained = chain.from_iterable(repeat(point, change) for point, change in differences)
    return sorted(lost, reverse=True), sorted(gained, reverse=True)


Pair = tuple[int | None, int | None]

MOST_PAIRED = 5
"""Most checkers for which all pairings are tried; more are paired in the order of their points."""


def _pair_points(sources: list[int], targets: list[int], dice: Sequence[int]) -> list[Pair]:
    """Pair each point that lost a checker with a point that gained one, to fit the dice best.

    A point without a partner is paired with None.

    >>> _pair_points([13, 6], [7, 5], (6, 1))
    [(13, 7), (6, 5)]
    """
    size = max(len(sources), len(targets))
    filled: list[int | None] = [*targets, *repeat(None, size - len(targets))]
    left: list[int | None] = [*sources, *repeat(None, size - len(sources))]
    if size > MOST_PAIRED:
        return list(zip(left, filled, strict=True))
    ways = (list(zip(left, order, strict=True)) for order in permutations(filled))
    return min(
        ways,
        key=lambda pairs: sum(_compute_movement_penalty(pair, dice) for pair in pairs),
        default=[],
    )


def _compute_movement_penalty(pair: Pair, dice: Sequence[int]) -> int:
    """Return a penalty for a movement: 0 if exactly one die fits it, more if the dice fit it worse.

    It is highest, 50, if the start or the end of the movement is unknown (None).

    >>> _compute_movement_penalty((13, 7), (6, 1)), _compute_movement_penalty((13, None), (6, 1))
    (0, 50)
    """
    source, target = pair
    if source is None or target is None:
        return 50
    length = source - target
    if target == BAR:
        return 20
    if length <= 0:
        return 20 - length
    if length in dice:
        return 0
    if target == OFF and source <= HOME and any(number > length for number in dice):
        return 1
    return 2 if length <= sum(dice) else 10


def _pair_hits(
    before: Position, sources: list[int], targets: list[int], own_movements: Sequence[Change]
) -> list[Pair]:
    """Pair points that lost an opponent's checker with points that gained one, hits first."""
    hit = [point for point in sources if point != BAR and _can_be_hit(before, point, own_movements)]
    to_bar = min(len(hit), targets.count(BAR))
    pairs: list[Pair] = [(point, BAR) for point in hit[:to_bar]]
    sources, targets = list(sources), list(targets)
    for point, _ in pairs:
        if point is not None:
            sources.remove(point)
        targets.remove(BAR)
    return pairs + _pair_points(sources, targets, ())


def _merge_equal_changes(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Merge equal changes into one, and add up their numbers of checkers.

    >>> _merge_equal_changes([Change("hit", 7, 25), Change("hit", 7, 25)])
    (Change(kind='hit', source=7, target=25, checkers=2),)
    """
    counted: dict[Change, int] = {}
    for change in changes:
        alike = change._replace(checkers=1)
        counted[alike] = counted.get(alike, 0) + change.checkers
    return tuple(change._replace(checkers=count) for change, count in counted.items())
