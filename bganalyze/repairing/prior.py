"""How likely a player makes a play: at a glance, or by an engine as well where that is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice, legal_plays
from bganalyze.board.position import BAR, OFF, Points, Position

Prior = Callable[[Sequence[Situation]], list[Mapping[Position, float]]]
"""For each roll the natural logarithm of the probability of each result of a legal play."""

# The numbers below are those with which the plays of matches are likeliest. Of 3,120 plays the mean
# logarithm of the probability is -0.94 by an engine and by looks, -1.08 by an engine alone, -1.44 by
# looks alone, and -2.57 where all legal plays are alike.
LOSS, POWER = 0.03, 2.0
"""A play that loses so much equity is made 2 to that power times less often than the best.

Players err by much more often than if it fell exponentially.
"""

SHARE_OF_LOOKS = 0.6
"""How much looks count beside what a play loses.

Where all plays lose the same, as in a game that is as good as won, players go on to bear off: of 89
such plays the mean is -1.29 with looks, and -2.21 without.
"""

UNSEEN_BY_ENGINE, UNSEEN = 0.01, 0.1
"""Of so many plays nothing is seen by an engine, or at a glance: any may have been made."""

# How good a board looks at a glance.
HIT = 3.2
"""For each checker of the other side on the bar."""
SHOT = -1.7
"""For each blot that a checker faces within the reach of a die."""
HOME_BLOT = -1.4
"""For each blot in the home board that the other side has still to pass."""
HOME_POINT = 1.0
"""For each point made in the home board, while the sides have still to pass each other."""
PRIME = 1.3
"""For each point of the longest prime, from the 2 point to the 12 point."""
ANCHOR = -2.2
"""For each point held in the other's home board, which is left in time."""
BORNE_OFF = 1.0
CROSSOVER = -3.8
"""For each crossover left, the last to bear off, once the sides have passed each other."""

HOME = 6
PRIMES = slice(2, 13)
REACH = 6

REMEMBERED = 4096
"""So many rolls are remembered: those before a fault are looked at with each suggestion."""

RARE = math.log(0.001)
"""What is said of a play that no player should make: they make such plays, too."""


def by_eye(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Hold a play the likelier the better the board looks that it leaves."""
    return [_by_roll(situation.position, situation.dice) for situation in situations]


def by_engine(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Hold a play the likelier the less it loses and the better the board looks that it leaves.

    Raise EngineError where no engine is installed.
    """
    from bganalyze.analysis.engines import equities_of_plays  # A check asks for no engine.

    return [by_losses(equities) for equities in equities_of_plays(situations)]


@lru_cache(maxsize=REMEMBERED)
def _by_roll(position: Position, dice: Dice | None) -> Mapping[Position, float]:
    assert dice is not None
    return by_looks(legal_plays(position, dice))


def by_looks(results: Iterable[Position]) -> Mapping[Position, float]:
    """Return the same for the results of one roll: all that a legal play of it may leave."""
    return _logarithms({result: looks(result) for result in results}, UNSEEN)


def by_losses(equities: Mapping[Position, float]) -> Mapping[Position, float]:
    """Return the same by the equities of the results of one roll, and by how they look."""
    best = max(equities.values())
    return _logarithms(
        {
            result: SHARE_OF_LOOKS * looks(result) - POWER * math.log1p((best - equity) / LOSS)
            for result, equity in equities.items()
        },
        UNSEEN_BY_ENGINE,
    )


def _logarithms(scores: Mapping[Position, float], unseen: float) -> dict[Position, float]:
    """Return the logarithms of probabilities that rise exponentially with the scores."""
    best = max(scores.values())
    weights = {result: math.exp(score - best) for result, score in scores.items()}
    total = sum(weights.values())
    return {
        result: math.log((1 - unseen) * weight / total + unseen / len(weights))
        for result, weight in weights.items()
    }


def looks(position: Position) -> float:
    """Return how good a board looks to the side that has just played.

    >>> from bganalyze.board.plays import after
    >>> from bganalyze.board.position import Step, start_position
    >>> start = start_position("standard")
    >>> made, left = ([(8, 5), (6, 5)], [(24, 23), (13, 10)])
    >>> def played(steps):
    ...     board = start
    ...     for path in steps:
    ...         board = after(board, Step(path, (False,)))
    ...     return board
    >>> looks(played(made)) > looks(played(left))
    True
    """
    own, other = position
    rearmost = BAR
    while rearmost and not other[rearmost]:
        rearmost -= 1
    passed = BAR - rearmost
    score = HIT * other[BAR] + BORNE_OFF * own[OFF]
    for point in range(passed + 1, BAR):
        if own[point] == 1:
            score += SHOT * any(other[BAR - point + 1 : BAR - point + REACH + 1])
            score += HOME_BLOT * (point <= HOME)
    score += ANCHOR * _points_made(own[BAR - HOME : BAR])
    if any(own[passed + 1 :]):
        score += HOME_POINT * _points_made(own[1 : HOME + 1])
        score += PRIME * _longest_prime(own)
    else:
        score += CROSSOVER * _crossovers(own)
    return score


def _points_made(counts: Sequence[int]) -> int:
    return len(counts) - counts.count(0) - counts.count(1)


def _crossovers(own: Points) -> int:
    """Return how many quarters of the board the checkers have still to leave.

    >>> from bganalyze.board.position import points
    >>> _crossovers(points({13: 1, 7: 1, 6: 2, OFF: 11}))
    7
    """
    return sum(sum(own[quarter:BAR]) for quarter in range(1, BAR, HOME))


def _longest_prime(own: Points) -> int:
    longest = length = 0
    for count in own[PRIMES]:
        if count > 1:
            length += 1
            longest = max(longest, length)
        else:
            length = 0
    return longest
