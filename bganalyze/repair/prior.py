"""How likely a player makes a play: by an engine where one is installed, at a glance where none is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice, legal_plays
from bganalyze.board.position import BAR, OFF, Points, Position
from bganalyze.judging.engines import EngineError, equities_of_plays

Prior = Callable[[Sequence[Situation]], list[Mapping[Position, float]]]
"""For each throw the natural logarithm of the probability of each result of a legal play."""

LOSS, POWER = 0.03, 2.5
"""A play that loses so much equity is made 2 to that power times less often than the best.

Measured on 958 plays of matches, by the logarithm of the probability of those made: -1.04, and -1.14
where it falls exponentially instead; players err by much more often than that would have it.
"""

UNSEEN = 0.1
"""Of so many plays nothing is seen at a glance: any may have been made."""

# How good a board looks at a glance. The weights are those with which the plays of 2,514 throws in
# matches are likeliest, fitted to seven in ten of them. Of the others a play has a mean logarithm of
# its probability of -1.54 by them; -2.56 where all legal plays are alike, and -1.04 by an engine.
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
BORNE_OFF = 2.5

HOME = 6
PRIMES = slice(2, 13)
REACH = 6

REMEMBERED = 4096
"""So many throws are remembered: those before a fault are looked at with each suggestion."""

RARE = math.log(0.001)
"""What is said of a play that no player should make: they make such plays, too."""


def by_eye(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Hold a play the likelier the better the board looks that it leaves."""
    return [_by_throw(situation.position, situation.dice) for situation in situations]


def by_engine(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Hold a play the likelier the less it loses; raise EngineError where no engine is installed."""
    return [_by_loss(equities) for equities in equities_of_plays(situations)]


@cache
def installed_prior() -> Prior:
    """Return the best prior that can be had here, looked for once a process."""
    try:
        by_engine(())
    except EngineError:
        return by_eye
    return by_engine


@lru_cache(maxsize=REMEMBERED)
def _by_throw(position: Position, dice: Dice | None) -> Mapping[Position, float]:
    assert dice is not None
    return by_looks(legal_plays(position, dice))


def by_looks(results: Iterable[Position]) -> Mapping[Position, float]:
    """Return the same for the results of one throw: all that a legal play of it may leave."""
    scores = {result: looks(result) for result in results}
    best = max(scores.values())
    weights = {result: math.exp(score - best) for result, score in scores.items()}
    total = sum(weights.values())
    return {
        result: math.log((1 - UNSEEN) * weight / total + UNSEEN / len(weights))
        for result, weight in weights.items()
    }


def _by_loss(equities: Mapping[Position, float]) -> Mapping[Position, float]:
    best = max(equities.values())
    weights = {
        result: (1 + (best - equity) / LOSS) ** -POWER for result, equity in equities.items()
    }
    total = sum(weights.values())
    return {result: math.log(weight / total) for result, weight in weights.items()}


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
    return score


def _points_made(counts: Sequence[int]) -> int:
    return len(counts) - counts.count(0) - counts.count(1)


def _longest_prime(own: Points) -> int:
    longest = length = 0
    for count in own[PRIMES]:
        if count > 1:
            length += 1
            longest = max(longest, length)
        else:
            length = 0
    return longest
