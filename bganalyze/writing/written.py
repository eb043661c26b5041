"""What writing a match yields: its bytes, and what could not be said in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import Position, Step
from bganalyze.replaying.facts import Turn
from bganalyze.transcript.model import Match, Play, PlayRecord, Resignation, Span

# Plays one die at a time, as formats want them that do not join steps.


def hops(turn: Turn) -> tuple[Step, ...]:
    """Return the steps of a play, each of one die; of an illegal one as they were written."""
    play = turn.action
    assert isinstance(play, Play)
    if play.dice is not None and turn.verdict is not None and turn.verdict.fault is None:
        own, other = turn.after[play.side], turn.after[1 - play.side]
        legal = legal_plays(turn.position(play.side), play.dice).get(Position(own, other))
        if legal is not None and play.how is PlayRecord.PLAYED:
            return _in_order(play, legal)
    return tuple(hop for step in play.steps for hop in _apart(step))


def _in_order(play: Play, legal: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps in the order of the record, where it has them one by one."""
    if sorted(step.path for step in legal) != sorted(step.path for step in play.steps):
        return legal
    unordered = list(legal)
    ordered = []
    for step in play.steps:
        same = next((legal_step for legal_step in unordered if legal_step == step), None)
        next_step = same or next(
            legal_step for legal_step in unordered if legal_step.path == step.path
        )
        unordered.remove(next_step)
        ordered.append(next_step)
    return tuple(ordered)


def _apart(step: Step) -> list[Step]:
    """A joined step at the points that it names."""
    pairs = zip(pairwise(step.path), step.marked, strict=True)
    return [Step(pair, (mark,)) for pair, mark in pairs]


# What a resignation offers, beside the result of its game.

SIZES = {1: "single", 2: "gammon", 3: "backgammon"}
"""The words of the sizes, in units of the cube."""

POINTS_LOST = "the points that a resignation offers"
SIZE_LOST = "the size that a resignation offers"


def resignation_losses(offer: Resignation, cube: int, recorded: int | None) -> Iterator[str]:
    """Yield what an offer says that the points `recorded` for the game do not say, too.

    `cube` is its value.

    >>> from bganalyze.transcript.model import Resignation, Span
    >>> gammon = Resignation(Span(1, 1, 2), None, 0, size=2)
    >>> list(resignation_losses(gammon, 2, 4)), list(resignation_losses(gammon, 1, 1))
    ([], ['the size that a resignation offers'])
    """
    if offer.points not in (None, recorded):
        yield POINTS_LOST
    if offer.size is not None and offer.size * cube != recorded:
        yield SIZE_LOST


class Loss(NamedTuple):
    """Something the format has no way to say, with its place in the file that was read."""

    what: str
    span: Span | None = None


def odd_text(match: Match) -> Iterator[Loss]:
    """Yield what was odd about the text of a match, which no other text shows."""
    for odd in match.oddities:
        yield Loss(f"what was odd about the text itself ({odd.rule})", odd.span)


class UnwritableError(ValueError):
    """A match that a format cannot hold at all, or not here; the message says why."""


class Written(NamedTuple):
    """A file as written, and its losses in the order of the record."""

    data: bytes
    losses: tuple[Loss, ...]


def together(losses: Iterable[Loss]) -> list[str]:
    """Return the losses in lines: those of one kind together, with where the first is.

    >>> together([Loss("a mark", Span(3, 1, 2)), Loss("a mark", Span(9, 1, 2)), Loss("the length")])
    ['a mark (2 times, first in line 3)', 'the length']
    """
    by_kind: dict[str, list[Loss]] = {}
    for loss in losses:
        by_kind.setdefault(loss.what, []).append(loss)
    return [what + _where(alike) for what, alike in by_kind.items()]


def _where(losses: list[Loss]) -> str:
    first = losses[0].span
    if first is None:
        return ""
    if len(losses) == 1:
        return f" (line {first.line})"
    return f" ({len(losses)} times, first in line {first.line})"
