"""Priors: the probability that a player makes a play, by the board it leaves or by an engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice, legal_plays
from bganalyze.board.position import BAR, OFF, Points, Position

PlayPrior = Callable[[Sequence[Situation]], list[Mapping[Position, float]]]
"""For each roll, the natural logarithm of the probability of each legal result."""

# The numbers below maximize the likelihood of 3,120 plays of matches. The mean logarithm of the
# probability is -0.94 by an engine and appearance, -1.08 by an engine alone, -1.44 by appearance
# alone, and -2.57 if all legal plays are equally likely.
LOSS, POWER = 0.03, 2.0
"""A play that loses LOSS in equity is made 2 to the power of POWER times less often than the best.

Players err much more often than an exponential decline would suggest.
"""

SHARE_OF_APPEARANCE = 0.6
"""Weight of the appearance, beside the equity lost.

If all plays lose the same, as in a game that is nearly won, players still bear off: over 89 such
plays the mean is -1.29 with appearance and -2.21 without.
"""

RANDOM_SHARE_BY_ENGINE, RANDOM_SHARE = 0.01, 0.1
"""Share of plays made at random, beside a prior by engine and one by appearance."""

# Weights of features in the appearance of a board.
HIT = 3.2
"""For each opposing checker on the bar."""
SHOT = -1.7
"""For each blot that an opposing checker can hit with a single die."""
HOME_BLOT = -1.4
"""For each blot in the home board that the other side has still to pass."""
HOME_POINT = 1.0
"""For each point made in the home board, while there is contact."""
PRIME = 1.3
"""For each point of the longest prime from the 2 point to the 12 point."""
ANCHOR = -2.2
"""For each point held in the opponent's home board. Players leave anchors in time."""
BORNE_OFF = 1.0
CROSSOVER = -3.8
"""For each crossover left, bearing off included, once there is no contact."""

HOME = 6
PRIMES = slice(2, 13)
REACH = 6

REMEMBERED = 4096
"""Cache size, in rolls. The rolls before an error are examined with each suggestion."""

LOG_CHANCE_OF_RARE_PLAY = math.log(0.001)
"""Log-probability of a play that no player should make, because players make such plays too."""


def rate_plays_by_appearance(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Return how likely a player makes each legal play of a roll, by how natural it looks.

    The result has one mapping for each situation, from the position after a play to the
    log-probability of this play.
    """
    return [
        _weigh_plays_by_appearance(situation.position, situation.dice) for situation in situations
    ]


def rate_plays_by_engine(situations: Sequence[Situation]) -> list[Mapping[Position, float]]:
    """Return how likely a player makes each legal play of a roll, by an engine's equities.

    The result has one mapping for each situation, from the position after a play to the
    log-probability of this play. Raises EngineError if no engine is installed.
    """
    from bganalyze.analysis.engines import equities_of_plays  # A check needs no engine.

    return [weigh_by_losses(equities) for equities in equities_of_plays(situations)]


@lru_cache(maxsize=REMEMBERED)
def _weigh_plays_by_appearance(position: Position, dice: Dice | None) -> Mapping[Position, float]:
    """Return the log-probability of each legal play of a roll, by how natural it looks.

    The keys are the positions after the plays.
    """
    assert dice is not None
    return weigh_by_appearance(legal_plays(position, dice))


def weigh_by_appearance(results: Iterable[Position]) -> Mapping[Position, float]:
    """Return the log-probability that a player chooses each board, by how natural it looks."""
    return _to_log_probabilities(
        {result: score_appearance(result) for result in results}, RANDOM_SHARE
    )


def weigh_by_losses(equities: Mapping[Position, float]) -> Mapping[Position, float]:
    """Return the log-probability that a player chooses each board, by the equity it loses."""
    best = max(equities.values())
    return _to_log_probabilities(
        {
            result: SHARE_OF_APPEARANCE * score_appearance(result)
            - POWER * math.log1p((best - equity) / LOSS)
            for result, equity in equities.items()
        },
        RANDOM_SHARE_BY_ENGINE,
    )


def _to_log_probabilities(
    scores: Mapping[Position, float], random_share: float
) -> dict[Position, float]:
    """Turn scores of positions into log-probabilities by the softmax function.

    `random_share` of the probability is spread evenly over all positions.
    """
    best = max(scores.values())
    weights = {result: math.exp(score - best) for result, score in scores.items()}
    total = sum(weights.values())
    return {
        # A share of the probability is spread evenly.
        result: math.log((1 - random_share) * weight / total + random_share / len(weights))
        for result, weight in weights.items()
    }


def score_appearance(position: Position) -> float:
    """Rate how natural a board looks to the player who has just played (higher is better).

    After an opening 3-1, for example, 8/5 6/5 looks more natural than 24/23 13/10.

    >>> from bganalyze.board.plays import after
    >>> from bganalyze.board.position import Step, start_position
    >>> start = start_position("standard")
    >>> made, left = ([(8, 5), (6, 5)], [(24, 23), (13, 10)])
    >>> def played(steps):
    ...     board = start
    ...     for path in steps:
    ...         board = after(board, Step(path, (False,)))
    ...     return board
    >>> score_appearance(played(made)) > score_appearance(played(left))
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
    score += ANCHOR * _count_points_made(own[BAR - HOME : BAR])
    if any(own[passed + 1 :]):
        score += HOME_POINT * _count_points_made(own[1 : HOME + 1])
        score += PRIME * _measure_longest_prime(own)
    else:
        score += CROSSOVER * _count_crossovers(own)
    return score


def _count_points_made(counts: Sequence[int]) -> int:
    """Return the number of points with two or more checkers."""
    return len(counts) - counts.count(0) - counts.count(1)


def _count_crossovers(own: Points) -> int:
    """Return how many borders between quarters the checkers must still cross to be borne off.

    >>> from bganalyze.board.position import points
    >>> _count_crossovers(points({13: 1, 7: 1, 6: 2, OFF: 11}))
    7
    """
    return sum(sum(own[quarter:BAR]) for quarter in range(1, BAR, HOME))


def _measure_longest_prime(own: Points) -> int:
    """Return the length of the longest prime between the 2 point and the 12 point."""
    longest = length = 0
    for count in own[PRIMES]:
        if count > 1:
            length += 1
            longest = max(longest, length)
        else:
            length = 0
    return longest
