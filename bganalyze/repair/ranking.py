"""Ranking: how likely each suggestion is, among all that were made for one fault."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.repair.draft import Draft
from bganalyze.repair.edits import Edit
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.prior import RARE, Prior
from bganalyze.repair.suggestion import Suggestion

FAULT_LEFT, MOST_FAULTS_LEFT = 3.0, 3
"""What a suggestion loses in likelihood for each fault that it leaves and others do not."""

NONE_OF_THESE = -4.0
"""How likely it is that nothing was meant that is suggested, beside the likeliest suggestion."""

PLAYER_ERROR = -1.0
"""The same where an illegal play was gone on from as it stands: then a player may have made it."""

PROVED = 4.0
"""So much likelier than any other a suggestion is that is proved."""

MOST_TRIED = 20
"""So many suggestions are tried on the whole file."""

USUAL = -0.7
"""The logarithm of the probability of the play that a good player makes."""


class Weighed(NamedTuple):
    """A suggestion, and the logarithm of how likely it is."""

    suggestion: Suggestion
    weight: float


class Repair(NamedTuple):
    """A suggestion that helps: what becomes of the file, and how sure it is."""

    suggestion: Suggestion
    weight: float
    draft: Draft
    probability: float
    proved: bool


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


def ranked(
    candidates: Sequence[Weighed], evidence: Evidence, repairs: Iterable[tuple[Weighed, Draft]]
) -> list[Repair]:
    """Return the suggestions that help, the likeliest first, with their probabilities."""
    tried = list(repairs)
    fewest = min((draft.faults for _, draft in tried), default=0)
    order = sorted(
        ((candidate, draft, _weight(candidate, draft, fewest)) for candidate, draft in tried),
        key=lambda entry: -entry[2],
    )
    nothing = PLAYER_ERROR if evidence.goes_on_as_played else NONE_OF_THESE
    shares = probabilities([weight for _, _, weight in order], nothing)
    proof = _proof(candidates, evidence, order)
    return [
        Repair(candidate.suggestion, weight, draft, share, candidate is proof)
        for (candidate, draft, weight), share in zip(order, shares, strict=True)
    ]


def _weight(candidate: Weighed, draft: Draft, fewest: int) -> float:
    return candidate.weight - FAULT_LEFT * min(draft.faults - fewest, MOST_FAULTS_LEFT)


def _proof(
    candidates: Sequence[Weighed],
    evidence: Evidence,
    order: Sequence[tuple[Weighed, Draft, float]],
) -> Weighed | None:
    """Return the suggestion that is proved, if one is."""
    if not order or evidence.goes_on_as_played:
        return None
    first, _, weight = order[0]
    tried = {id(candidate) for candidate, _, _ in order}
    rivals = [other for _, _, other in order[1:]]
    rivals += [other.weight for other in candidates[MOST_TRIED:] if id(other) not in tried]
    is_alone = all(other < weight - PROVED for other in rivals)
    return first if first.suggestion.is_whole and is_alone else None


def probabilities(weights: Sequence[float], nothing: float) -> list[float]:
    """Return the probabilities of alternatives with these weights.

    `nothing` is the weight, beside the greatest, of what is not among them.

    >>> probabilities([0.0, 0.0], nothing=0.0)
    [0.3333333333333333, 0.3333333333333333]
    """
    highest = max(weights, default=0.0)
    shares = [math.exp(weight - highest) for weight in weights]
    total = sum(shares) + math.exp(nothing)
    return [share / total for share in shares]
