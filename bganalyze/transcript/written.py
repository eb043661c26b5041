"""Plays whose throw stands apart from their steps, in whatever numbering a format uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.transcript.match_text.items import PlayItem, items
from bganalyze.transcript.model import How, Play, Span, Unread

HOME = 6
"""The highest point of the home board."""

THROW = "00: "
"""Put before the steps, it makes them a cell, and the usual ones are read at once."""

DASHES = str.maketrans("-", "/")


def played(
    text: str, offset: int, turn: Play, *, mirror: bool | None = False
) -> Iterator[Play | Unread]:
    """Yield the turn with the steps in `text`, and what of it cannot be read.

    `text` begins `offset` characters after the start of the turn's span. With `mirror` the points
    are those of the other side; None: of the side in whose numbering the checkers go down.

    >>> turn = Play(Span(3, 1, 16), None, 1, (6, 2))
    >>> [play] = played("1-7 12-14", 7, turn, mirror=None)
    >>> [step.path for step in play.steps], play.place(1)
    ([(24, 18), (13, 11)], Span(line=3, column=12, end_column=17))
    """
    cell = THROW + text.translate(DASHES)
    found = items(cell)
    said = found[0]
    assert isinstance(said, PlayItem)
    steps = said.steps
    if mirror or (mirror is None and _goes_up(steps)):
        steps = tuple(map(mirrored, steps))
    shift = offset - len(THROW)
    places = tuple((start + shift, end + shift) for start, end in said.places)
    how = said.how if len(found) == 1 else How.UNREAD
    span, row, side, dice = turn[:4]
    yield Play(span, row, side, dice, steps, places, how, said.called_illegal)
    for item in found[1:]:
        start, end = item.start - len(THROW), item.end - len(THROW)
        yield _unread(text, start, end, offset, turn)


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
