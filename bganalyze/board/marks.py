"""Hit marks: where a record marks a hit, compared with where the board says there was one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from bganalyze.board.position import BAR, Position, Step
from bganalyze.board.routes import legs


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
