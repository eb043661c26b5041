"""Plays whose throw stands apart from their steps, in whatever numbering a format uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.transcript.items import PlayItem, items
from bganalyze.transcript.model import How, Play, Span, Unread

HOME = 6
"""The highest point of the home board."""

DASHES = str.maketrans("-", "/")


def played(
    text: str, offset: int, turn: Play, *, mirror: bool | None = False
) -> Iterator[Play | Unread]:
    """Yield `turn` with the steps in `text`, and what of it cannot be read.

    `text` begins `offset` characters after the start of the turn's span. With `mirror` the points
    are those of the other side; None: of the side in whose numbering the checkers go down.

    >>> turn = Play(Span(3, 1, 16), None, 1, (6, 2))
    >>> [play] = played("1-7 12-14", 7, turn, mirror=None)
    >>> [step.path for step in play.steps], play.place(1)
    ([(24, 18), (13, 11)], Span(line=3, column=12, end_column=17))
    """
    found = items(text.translate(DASHES))
    said = [item for item in found if isinstance(item, PlayItem) and item.dice is None]
    if not said:
        unread = bool(text.strip())
        yield turn._replace(how=How.UNREAD if unread else How.EMPTY)
        if unread:
            yield _unread(text, 0, len(text), offset, turn)
        return
    steps = tuple(step for item in said for step in item.steps)
    if mirror or (mirror is None and _goes_up(steps)):
        steps = tuple(map(mirrored, steps))
    places = tuple((a + offset, b + offset) for item in said for a, b in item.places)
    how = said[0].how if len(said) == len(found) == 1 else How.UNREAD
    called = any(item.called_illegal for item in said)
    yield turn._replace(steps=steps, places=places, how=how, called_illegal=called)
    for item in found:
        if not isinstance(item, PlayItem) or item.dice is not None:
            yield _unread(text, item.start, item.end, offset, turn)


def _unread(text: str, start: int, end: int, offset: int, turn: Play) -> Unread:
    column = turn.span.column + offset
    place = Span(turn.span.line, column + start, column + end)
    return Unread(place, turn.row, turn.side, text[start:end].strip())


def _goes_up(steps: Iterable[Step]) -> bool:
    """Whether the checkers move up: then the points are numbered from the other side."""
    for path, _ in steps:
        source, target = path[0], path[-1]
        if source == BAR:
            return target <= HOME
        if target == OFF:
            return source > BAR - 1 - HOME
        return source < target
    return False


def mirrored(step: Step) -> Step:
    """Return a step in the numbering of the other side; the bar and off stay what they are.

    >>> mirrored(Step((25, 3), (False,))).path
    (25, 22)
    """
    path = tuple(point if point in (BAR, OFF) else BAR - point for point in step.path)
    return Step(path, step.marked)
