"""Single-die steps of plays, for formats that do not join steps."""

from __future__ import annotations

from itertools import pairwise

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import Position, Step
from bganalyze.record.model import Play, PlayRecord
from bganalyze.validation.replaying.facts import Turn


def split_into_single_steps(turn: Turn) -> tuple[Step, ...]:
    """Return the steps of a play, one die each; illegal plays keep their written steps, split."""
    play = turn.action
    assert isinstance(play, Play)
    if play.dice is not None and turn.legality is not None and turn.legality.fault is None:
        own, other = turn.after[play.side], turn.after[1 - play.side]
        legal = legal_plays(turn.position(play.side), play.dice).get(Position(own, other))
        if legal is not None and play.how is PlayRecord.PLAYED:
            return _sort_as_written(play, legal)
    return tuple(single for step in play.steps for single in _split(step))


def _sort_as_written(play: Play, legal: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the legal steps in the written order, if the match file writes them one by one."""
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


def _split(step: Step) -> list[Step]:
    """Split a joined step at the points that it names."""
    pairs = zip(pairwise(step.path), step.marked, strict=True)
    return [Step(pair, (mark,)) for pair, mark in pairs]
