"""Notation: writing a play the customary way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bganalyze.board.position import BAR, OFF, Step


def notation(steps: Iterable[Step]) -> str:
    """Write a play: the rear checkers first, the steps of one checker joined, hits marked.

    A point touched under way is named only where a checker is hit there.

    >>> hop = lambda source, target, hit=False: Step((source, target), (hit,))
    >>> notation([hop(13, 8), hop(25, 21, True), hop(13, 8), hop(21, 16), hop(6, 0)])
    'bar/21*/16 13/8(2) 6/off'
    >>> notation([hop(6, 1, True), hop(6, 1)])
    '6/1*(2)'
    """
    written: list[Step] = []
    repeats: Counter[tuple[int, ...]] = Counter()
    for step in sorted(map(_shown, _joined(steps)), key=_rear_first):
        if step.path not in repeats:
            written.append(step)
        repeats[step.path] += 1
    return " ".join(_text(step) + _times(repeats[step.path]) for step in written)


def _joined(steps: Iterable[Step]) -> list[Step]:
    """Join steps where one goes on from the point that another reaches."""
    joined: list[Step] = []
    for step in sorted(steps, key=_rear_first):
        start = next((done for done in joined if done.path[-1] == step.path[0]), None)
        if start is None:
            joined.append(step)
        else:
            joined[joined.index(start)] = Step(
                start.path + step.path[1:], start.marked + step.marked
            )
    return joined


def _shown(step: Step) -> Step:
    """The step without the points under way at which nothing is hit."""
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
        [_point(step.path[0]), *(_point(landing) + "*" * mark for landing, mark in landings)]
    )


def _point(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def _times(count: int) -> str:
    return f"({count})" if count > 1 else ""
