"""Single-die steps of plays, for formats that do not join steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import BAR, OFF, Position, Step
from bganalyze.record.model import Play, PlayRecord
from bganalyze.validation.replaying.replayed import Turn


def split_into_single_steps(turn: Turn) -> tuple[Step, ...]:
    """Return the steps of a turn's play with one die each: `13/9 9/7` instead of `13/7`.

    Steps of an illegal play are split only at points that are written.
    """
    play = turn.action
    assert isinstance(play, Play)
    written = tuple(single for step in play.steps for single in _split_step(step))
    if play.dice is not None and turn.legality is not None and turn.legality.fault is None:
        if _uses_one_die_each(written, play.dice):
            return tuple(_correct_hit_marks(written, turn.position(play.side)))
        own, other = turn.after[play.side], turn.after[1 - play.side]
        legal = legal_plays(turn.position(play.side), play.dice).get(Position(own, other))
        if legal is not None and play.how is PlayRecord.PLAYED:
            return _sort_as_written(play, legal)
    return written


def _uses_one_die_each(steps: Sequence[Step], dice: tuple[int, int]) -> bool:
    """Whether each of the steps uses exactly one die of the roll.

    >>> both = Step((6, 4), (False,)), Step((7, 6), (False,))
    >>> _uses_one_die_each(both, (2, 1)), _uses_one_die_each(both, (3, 1))
    (True, False)
    """
    left = list(dice) * (2 if dice[0] == dice[1] else 1)
    for step in sorted(steps, key=_is_bearing_off):  # Exact steps first: they have no choice.
        length = step.path[0] - step.path[-1]
        fitting = [die for die in left if die == length]
        if not fitting and _is_bearing_off(step):
            fitting = sorted(die for die in left if die > length)
        if not fitting:
            return False
        left.remove(fitting[0])
    return True


def _correct_hit_marks(steps: Iterable[Step], position: Position) -> Iterator[Step]:
    """Yield the steps of a play with hit marks exactly where the opponent has a blot."""
    blots = {BAR - point for point in range(1, BAR) if position.other[point] == 1}
    for step in steps:
        target = step.path[-1]
        yield Step(step.path, (target in blots,))
        blots.discard(target)


def _is_bearing_off(step: Step) -> bool:
    """Whether a step bears a checker off."""
    return step.path[-1] == OFF


def _sort_as_written(play: Play, legal: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps `legal` in the order of the written `play`, if it has the same steps."""
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


def _split_step(step: Step) -> list[Step]:
    """Split a step at each point written in it: 13/9/7 becomes 13/9 and 9/7."""
    pairs = zip(pairwise(step.path), step.marked, strict=True)
    return [Step(pair, (mark,)) for pair, mark in pairs]
