"""How likely a player makes a play: by an engine where one is installed, all alike where none is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from bganalyze.board.ids import Situation
from bganalyze.board.movement import legal_plays
from bganalyze.board.position import Position
from bganalyze.judging.engines import EngineError, equities_of_plays

Prior = Callable[[Sequence[Situation]], list[Mapping[Position, float]]]
"""For each throw the natural logarithm of the probability of each result of a legal play."""

TEMPERATURE = 0.05
"""How much equity a play may lose until it is made e times less often than the best."""

RARE = math.log(0.001)
"""What is said of a play that no player should make: they make such plays, too."""


def uniform(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Hold all legal plays of a throw alike."""
    return [_uniform(situation) for situation in situations]


def by_engine(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Hold a play the likelier the less it loses; raise EngineError where no engine is installed."""
    return [_by_loss(equities) for equities in equities_of_plays(situations)]


@cache
def installed_prior() -> Prior:
    """Return the best prior that can be had here, looked for once a process."""
    try:
        by_engine(())
    except EngineError:
        return uniform
    return by_engine


def _uniform(situation: Situation) -> Mapping[Position, float]:
    assert situation.dice is not None
    plays = legal_plays(situation.position, situation.dice)
    return dict.fromkeys(plays, -math.log(len(plays)))


def _by_loss(equities: Mapping[Position, float]) -> Mapping[Position, float]:
    best = max(equities.values())
    weights = {
        result: math.exp((equity - best) / TEMPERATURE) for result, equity in equities.items()
    }
    total = sum(weights.values())
    floor = RARE - math.log(len(weights))
    return {
        result: max(math.log(weight / total) if weight else floor, floor)
        for result, weight in weights.items()
    }
