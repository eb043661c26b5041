"""The decisions of one action with their evaluations, for writers of analyses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.candidates import RatedPlay, read_plays
from bganalyze.analysis.decisions import Decision, Kind
from bganalyze.board.plays import legal_plays, notation

_PLIES = re.compile(r"[0-9]+")


class Evaluated(NamedTuple):
    """A decision with its evaluation, to be written to a file."""

    decision: Decision
    row: AnalyzedDecision
    level: str
    """The level of the engine, for an evaluation that states no depth."""

    @property
    def depth(self) -> str:
        """The search depth of the evaluation, such as `2ply`."""
        return self.row.depth or self.level


class EvaluatedAction(NamedTuple):
    """The evaluations that a file stores with one action, such as a roll or a double."""

    play: Evaluated | None = None
    """The play of the roll, if the action is a roll."""
    cube: Evaluated | None = None
    """The cube decision made by the action; with a roll, the decision not to double before it."""

    def add(self, evaluated: Evaluated) -> EvaluatedAction:
        """Return the action with one more evaluation, of its play or of a cube decision."""
        return self._replace(**{"play" if evaluated.row.kind is Kind.PLAY else "cube": evaluated})


class ListedPlay(NamedTuple):
    """A play that an engine lists, checker by checker."""

    rated: RatedPlay
    moves: tuple[tuple[int, int], ...]
    """Start and end of each checker's move by one die, in the numbering of the side that plays."""


def list_plays(evaluated: Evaluated) -> Iterator[ListedPlay]:
    """Yield the candidate plays of a roll, each with the moves of its checkers."""
    decision = evaluated.decision
    assert decision.dice is not None
    legal = {
        notation(steps): steps
        for steps in legal_plays(decision.position, decision.dice).values()
        if steps
    }
    for rated in read_plays(evaluated.row.plays):
        steps = legal.get(rated.play, decision.steps if rated.is_made else None)
        if steps:
            moves = (
                (a, b) for step in steps for a, b in zip(step.path, step.path[1:], strict=False)
            )
            yield ListedPlay(rated, tuple(moves))


def plies_of(depth: str) -> int:
    """Return the last number of plies in the name of a search depth, or 0 if it has none.

    >>> plies_of("1ply+2ply"), plies_of("rollout")
    (2, 0)
    """
    return int(([*_PLIES.findall(depth)] or ["0"])[-1])
