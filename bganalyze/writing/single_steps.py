"""Single-die steps of plays, for formats that do not join steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import BAR, OFF, Position, Step
from bganalyze.record.model import Play, PlayRecord
from bganalyze.validation.replaying.facts import Turn


def split_into_single_steps(turn: Turn) -> tuple[Step, ...]:
    """Return the steps of a play, one die each; as written if they are, or if the play is illegal.

    A legal play with joined steps gets steps by which it is legal.
    """
    play = turn.action
    assert isinstance(play, Play)
    written = tuple(single for step in play.steps for single in _split(step))
    if play.dice is not None and turn.legality is not None and turn.legality.fault is None:
        if _uses_one_die_each(written, play.dice):
            return tuple(_mark_hits(written, turn.position(play.side)))
        own, other = turn.after[play.side], turn.after[1 - play.side]
        legal = legal_plays(turn.position(play.side), play.dice).get(Position(own, other))
        if legal is not None and play.how is PlayRecord.PLAYED:
            return _sort_as_written(play, legal)
    return written


def _uses_one_die_each(steps: Sequence[Step], dice: tuple[int, int]) -> bool:
    """Whether each step is as long as a die of its own; a checker may bear off with a larger one.

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


def _mark_hits(steps: Iterable[Step], position: Position) -> Iterator[Step]:
    """Yield steps with a hit mark on the first one to reach each hit checker."""
    blots = {BAR - point for point in range(1, BAR) if position.other[point] == 1}
    for step in steps:
        target = step.path[-1]
        yield Step(step.path, (target in blots,))
        blots.discard(target)


def _is_bearing_off(step: Step) -> bool:
    return step.path[-1] == OFF


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
