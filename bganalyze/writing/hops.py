"""Plays one die at a time, as formats want them that do not join steps."""

from __future__ import annotations

from itertools import pairwise

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import Position, Step
from bganalyze.record.model import Play, PlayRecord
from bganalyze.validation.replaying.facts import Turn


def hops(turn: Turn) -> tuple[Step, ...]:
    """Return the steps of a play, each of one die; of an illegal one as they were written."""
    play = turn.action
    assert isinstance(play, Play)
    if play.dice is not None and turn.legality is not None and turn.legality.fault is None:
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
