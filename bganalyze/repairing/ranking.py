"""Ranking: how likely each suggestion is, among all that were made for one fault."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice
from bganalyze.board.position import Position
from bganalyze.repairing.evidence import Evidence
from bganalyze.repairing.prior import RARE, Prior
from bganalyze.repairing.remedy import Remedy
from bganalyze.repairing.suggestion import Suggestion

ANOTHER_SLIP = 4.0
"""What a suggestion loses in likelihood where another slip must be there, too."""

FAULT_LEFT, MOST_FAULTS_LEFT = 0.5, 6
"""What it loses besides for each fault that it leaves and others do not."""

NONE_OF_THESE = -4.0
"""How likely it is that nothing was meant that is suggested, beside the likeliest suggestion."""

ELSEWHERE = -6.5
"""How likely it is that the record was meant otherwise, or is as it was played, whatever is suggested.

Measured on slips in 376 records: of the first proposals that were right one in a hundred was less
likely than this, of those that were wrong, of rows lost above all, one in four.
"""

IMPOSSIBLE = 50.0
"""What is so much less likely than that, is not told from what is less likely still."""

LEAST_PROVED = 0.9
"""What is proved is at least so likely."""

PROVED = 4.0
"""So much likelier than any other a suggestion is that is proved."""

RIVALS_OF_PROVED = 0.01
"""All others together are no likelier than that: of what is proved one in a hundred may be wrong."""

RIVALS_OF_GUESSED_ROLL = 0.001
"""The same where the roll is a guess, too: the likelihoods of plays of other rolls say less."""

MOST_TRIED = 20
"""So many suggestions are tried on the whole file."""

NEGLIGIBLE = 9.0
"""A suggestion that is expected to be so much less likely than another is not tried."""

USUAL = -1.0
"""The logarithm of the probability of a play, on average: measured on records of matches."""

Made = tuple[Situation, Position]
"""A roll, and what its play leaves, seen by its side."""


class Weighed(NamedTuple):
    """A suggestion, and the logarithm of how likely it is before it is tried."""

    suggestion: Suggestion
    weight: float


class Tried(NamedTuple):
    """A suggestion that helps, and what it leaves in the file."""

    suggestion: Suggestion
    weight: float
    """As before it was tried."""
    faults: int
    errors: int
    plays: frozenset[Made]
    """Of the game, up to where it was at fault."""


class Repair(NamedTuple):
    """A suggestion that helps, and how sure it is."""

    suggestion: Suggestion
    errors: int
    """How many it leaves in the file."""
    probability: float
    """If the error is a slip."""
    proved: bool
    likelihood: float
    """The logarithm of how likely it is, whatever it leaves at fault."""
    weight: float
    """The same with what it loses for the faults that it leaves and others do not."""
    may_stand: bool = False
    """Whether the game goes on from the board as played: then a player may have made the error."""


def weighed(suggestions: Iterable[Suggestion], prior: Prior) -> list[Weighed]:
    """Return the suggestions by their likelihood before they are tried, each remedy once.

    Those that differ in their rolls alone are one.
    """
    distinct: dict[Remedy, Suggestion] = {}
    for suggestion in suggestions:
        other = distinct.get(suggestion.remedy)
        if other is None or suggestion.likelihood > other.likelihood:
            distinct[suggestion.remedy] = suggestion
    chances = _chances(tuple(distinct.values()), prior)
    weights = (
        Weighed(suggestion, suggestion.likelihood + chance)
        for suggestion, chance in zip(distinct.values(), chances, strict=True)
    )
    return sorted(_folded(weights), key=by_weight)


def by_weight(candidate: Weighed) -> float:
    """Return what a suggestion is sorted by, likeliest first."""
    return -candidate.weight


def _folded(weighed: Iterable[Weighed]) -> Iterator[Weighed]:
    """Yield one suggestion for all that differ in their rolls alone, and are about as likely.

    Whatever was rolled by one who danced, boards, cube and result are the same, and so they are where
    several rolls bear the same checkers off. A record has no sign for a roll that was made and is
    not known: `00` is none, `????` one that was not played, and a dance without a roll is an error.
    So the likeliest stands for the others, which are named beside it.
    """
    of_plays: dict[Hashable, list[Weighed]] = defaultdict(list)
    for candidate in weighed:
        of_plays[_but_for_rolls(candidate.suggestion)].append(candidate)
    for candidates in of_plays.values():
        rest = sorted(candidates, key=by_weight)
        while rest:
            least = rest[0].weight - PROVED
            count = sum(candidate.weight >= least for candidate in rest)
            yield _as_one(rest[:count])
            rest = rest[count:]


def _but_for_rolls(suggestion: Suggestion) -> Hashable:
    """Return what suggestions share that differ in their rolls alone."""
    if not suggestion.rolls:
        return suggestion.remedy
    lines = tuple(edit.line for edit in suggestion.edits)
    plays = tuple(tuple(sorted(steps)) for steps in suggestion.plays)
    return suggestion.kind, lines, suggestion.side, plays


def _as_one(candidates: Sequence[Weighed]) -> Weighed:
    """Return the first of some suggestions as likely as all of them; of several none is proved."""
    (suggestion, weight), *others = candidates
    if not others:
        return candidates[0]
    total = weight + math.log(math.fsum(math.exp(one.weight - weight) for one in candidates))
    rolls = zip(*(candidate.suggestion.rolls for candidate in candidates), strict=True)
    for_all = suggestion._replace(
        likelihood=suggestion.likelihood + total - weight,
        is_whole=False,
        other_rolls=tuple(tuple(dict.fromkeys(of_turn))[1:] for of_turn in rolls),
    )
    return Weighed(for_all, total)


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
    tried: Iterable[Tried], untried: Sequence[Weighed], evidence: Evidence, prior: Prior
) -> list[Repair]:
    """Return the suggestions that help, the likeliest first, with their probabilities.

    None is proved beside one of those that were not tried that may be as likely.
    """
    helping = list(tried)
    if not helping:
        return []
    fewest = min(entry.faults for entry in helping)
    order = sorted(
        (
            (likelihood - loss_for(entry.faults - fewest), likelihood, entry)
            for likelihood, entry in zip(_likelihoods(helping, prior), helping, strict=True)
        ),
        key=lambda ranked: -ranked[0],
    )
    weights = [weight for weight, _, _ in order]
    may_be_players = evidence.finding.may_be_players
    _, likelihood_of_first, first = order[0]
    nothing = max(NONE_OF_THESE, min(ELSEWHERE - likelihood_of_first, IMPOSSIBLE))
    shares = probabilities(weights, nothing)
    expected = first.weight - PROVED
    is_alone = all(weight < weights[0] - PROVED for weight in weights[1:])
    most = RIVALS_OF_GUESSED_ROLL if first.suggestion.rolls else RIVALS_OF_PROVED
    is_alone = is_alone and sum(shares[1:]) <= most
    is_alone = is_alone and all(rival.weight < expected for rival in untried)
    is_proved = is_alone and shares[0] >= LEAST_PROVED
    is_proved = is_proved and not (evidence.goes_on_as_played or may_be_players)
    return [
        Repair(
            entry.suggestion,
            entry.errors,
            share,
            is_proved and rank == 0 and entry.suggestion.is_whole,
            likelihood,
            weight,
            evidence.may_stand,
        )
        for rank, (share, (weight, likelihood, entry)) in enumerate(zip(shares, order, strict=True))
    ]


def _likelihoods(tried: Sequence[Tried], prior: Prior) -> list[float]:
    """Return how likely each is: the slip, and that the players made the plays that are there then.

    Plays that are the same with all of them say nothing, wherever the cube stood.
    """
    shared = frozenset.intersection(*(frozenset(map(_on_board, entry.plays)) for entry in tried))
    of_its_own = [
        [play for play in entry.plays if _on_board(play) not in shared] for entry in tried
    ]
    situations = tuple({situation: None for plays in of_its_own for situation, _ in plays})
    chances = dict(zip(situations, prior(situations), strict=True))
    return [
        entry.suggestion.likelihood
        + math.fsum(  # It is the same in whatever order a set has its members.
            chances[situation].get(result, RARE) - USUAL for situation, result in plays
        )
        for entry, plays in zip(tried, of_its_own, strict=True)
    ]


def _on_board(play: Made) -> tuple[int, Position, Dice | None, Position]:
    """Return what a play was on the board: whose, from where, with which roll, and what it left."""
    situation, result = play
    return situation.on_roll, situation.position, situation.dice, result


def loss_for(faults: int) -> float:
    """Return what a suggestion loses in likelihood for faults that it leaves and others do not.

    They need another slip; how many follow from that says little.
    """
    return ANOTHER_SLIP + FAULT_LEFT * min(faults, MOST_FAULTS_LEFT) if faults > 0 else 0.0


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
