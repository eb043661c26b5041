"""Ranking: how likely each suggestion is, among all that were made for one fault."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.repair.edits import Edit
from bganalyze.repair.prior import RARE, Prior
from bganalyze.repair.suggestion import Suggestion

ERROR_LEFT, WARNING_LEFT = 3.0, 0.7
"""What a suggestion loses in likelihood for each error or warning that it leaves, and others do not."""

NONE_OF_THESE = math.log(0.001)
"""How likely it is that nothing suggested was meant."""

USUAL = -0.7
"""The logarithm of the probability of the play that a good player makes."""


class Weighed(NamedTuple):
    """A suggestion, and the logarithm of how likely it is."""

    suggestion: Suggestion
    weight: float


def weighed(suggestions: Iterable[Suggestion], prior: Prior) -> list[Weighed]:
    """Return the suggestions by their likelihood before they are tried, each edit once."""
    distinct: dict[tuple[Edit, ...], Suggestion] = {}
    for suggestion in suggestions:
        other = distinct.get(suggestion.edits)
        if other is None or suggestion.likelihood > other.likelihood:
            distinct[suggestion.edits] = suggestion
    chances = _chances(tuple(distinct.values()), prior)
    ranked = [
        Weighed(suggestion, suggestion.likelihood + chance)
        for suggestion, chance in zip(distinct.values(), chances, strict=True)
    ]
    return sorted(ranked, key=lambda entry: -entry.weight)


def _chances(suggestions: Sequence[Suggestion], prior: Prior) -> list[float]:
    """Return for each suggestion how much likelier its play is than the one it replaces."""
    situations = {s.alternative.situation: None for s in suggestions if s.alternative is not None}
    by_situation = dict(zip(situations, prior(tuple(situations)), strict=True))
    chances: list[float] = []
    for suggestion in suggestions:
        alternative = suggestion.alternative
        if alternative is None:
            chances.append(USUAL)
            continue
        plays = by_situation[alternative.situation]
        chance = plays.get(alternative.result, RARE)
        if alternative.written is not None:
            chance += USUAL - plays.get(alternative.written, RARE)
        chances.append(chance)
    return chances


def probabilities(weights: Sequence[float]) -> list[float]:
    """Return the probabilities of alternatives with these weights, beside that of none of them.

    >>> probabilities([0.0, 0.0])
    [0.49975012493753124, 0.49975012493753124]
    """
    highest = max(weights, default=0.0)
    shares = [math.exp(weight - highest) for weight in weights]
    total = sum(shares) + math.exp(NONE_OF_THESE)
    return [share / total for share in shares]
