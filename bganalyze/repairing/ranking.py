"""Ranking: the likelihood of each suggestion among all that were made for one finding."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice
from bganalyze.board.position import Position
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.prior import LOG_CHANCE_OF_RARE_PLAY, PlayPrior
from bganalyze.repairing.proof import (
    GAME_MAY_BE_MISSING,
    GOES_ON,
    LATER_PLAYS,
    MAY_BE_PLAYERS,
    NO_EDIT,
    NOT_RULED_OUT,
    RIVALS_TOGETHER,
    ROLL_UNKNOWN,
    ROW_IS_GUESSED,
    ROW_MAY_BE_MISSING,
    TURN_MAY_BE_MISSING,
    UNLIKELY,
    UNTRIED,
    name_number_of_rivals,
)
from bganalyze.repairing.remedy import Remedy
from bganalyze.repairing.suggestion import Suggestion

ANOTHER_SLIP = 4.0
"""Penalty of a suggestion that needs a second slip."""

FAULT_LEFT, MOST_FAULTS_LEFT = 0.5, 6
"""Further penalty for each error that it leaves and others do not, and the most errors counted."""

LEAST_CHANCE_OF_NONE = -4.0
"""Least log-likelihood, relative to the best suggestion, that no suggestion is right."""

OTHER_EXPLANATION = -6.5
"""Log-likelihood of a different explanation, or of a player's own error, in absolute terms.

Measured on slips in 376 match files: of correct first proposals, one in a hundred was less likely
than this; of wrong ones (lost rows above all), one in four.
"""

IMPOSSIBLE = 50.0
"""Log-likelihood difference above which suggestions are no longer distinguished."""

LEAST_CHANCE_OF_PROVED = 0.9
"""Least probability of a proved repair."""

LEAST_LEAD_OF_PROVED = 4.0
"""Least log-likelihood by which a proved repair leads every other suggestion."""

RIVALS_OF_PROVED = 0.01
"""Largest joint probability of all rivals: one proved repair in a hundred may be wrong."""

RIVALS_OF_GUESSED_ROLL = 0.001
"""The same limit if the roll is guessed too: likelihoods compare plays of different rolls badly."""

MOST_TRIED = 20
"""Suggestions of each slip that are tried."""

NEGLIGIBLE = 9.0
"""A suggestion less likely than another by this log-likelihood is not tried."""

PLAY = "play"
"""Kind of suggestions that keep the roll and change its play."""

MEAN_LOG_CHANCE = -1.0
"""Mean natural logarithm of the probability of a play, measured on match files."""

LOST_PARTS = {
    "lost row": ROW_MAY_BE_MISSING,
    "lost turn": TURN_MAY_BE_MISSING,
    "lost turn, the rest moved up": TURN_MAY_BE_MISSING,
    "game-lost": GAME_MAY_BE_MISSING,
}
"""Kinds of suggestions that insert a lost part, and the doubt that each casts on the others."""

LIKELIER_RIVAL = "another edit is likelier"
"""Doubt about all repairs but the first."""

MadePlay = tuple[Situation, Position]
"""A roll, and the position after its play as its side sees it."""


class WeighedSuggestion(NamedTuple):
    """A suggested repair with its log-likelihood before it is tried."""

    suggestion: Suggestion
    weight: float


class TriedSuggestion(NamedTuple):
    """A suggested repair that helps when tried, with the errors left in the file."""

    suggestion: Suggestion
    weight: float
    """Log-likelihood before the trial."""
    problem_count: int
    errors: int
    plays: frozenset[MadePlay]
    """Plays of the repaired game up to the error."""


class Repair(NamedTuple):
    """A repair that was tried and helps, with its probability."""

    suggestion: Suggestion
    errors: int
    """Number of errors it leaves in the file."""
    probability: float
    """Probability, given that the error is a slip."""
    doubt: str | None
    """The reason why it is not proved, or None if it is."""
    likelihood: float
    """Log-likelihood, regardless of errors that it leaves."""
    weight: float
    """Log-likelihood, less a penalty if it leaves more errors than another repair."""
    may_stand: bool = False
    """Whether the game goes on from the board as played, so that a player may have made the
    error."""

    @property
    def proved(self) -> bool:
        """Whether no other repair is possible or likely, so that the user need not be asked."""
        return self.doubt is None


def rate_suggestions(
    suggestions: Iterable[Suggestion], prior: PlayPrior
) -> list[WeighedSuggestion]:
    """Return suggested repairs with their log-likelihoods, likeliest first; none is tried.

    `prior` has the probabilities of plays.
    """
    distinct: dict[Remedy, Suggestion] = {}
    for suggestion in suggestions:
        other = distinct.get(suggestion.remedy)
        if other is None or suggestion.likelihood > other.likelihood:
            distinct[suggestion.remedy] = suggestion
    chances = _rate_plays_of_suggestions(tuple(distinct.values()), prior)
    weights = (
        WeighedSuggestion(suggestion, suggestion.likelihood + chance)
        for suggestion, chance in zip(distinct.values(), chances, strict=True)
    )
    return sorted(_merge_by_rolls(weights), key=likelihood_sort_key)


def likelihood_sort_key(suggestion: WeighedSuggestion) -> float:
    """Return a key that sorts suggested repairs by likelihood, likeliest first."""
    return -suggestion.weight


def _merge_by_rolls(weighed: Iterable[WeighedSuggestion]) -> Iterator[WeighedSuggestion]:
    """Yield the suggestions, after merging those that differ only in guessed rolls.

    A suggestion is not merged with a far likelier one.
    """
    # The message lists the other rolls: match files cannot say that a roll is unknown.
    of_plays: dict[Hashable, list[WeighedSuggestion]] = defaultdict(list)
    for candidate in weighed:
        of_plays[_make_key_without_rolls(candidate.suggestion)].append(candidate)
    for candidates in of_plays.values():
        rest = sorted(candidates, key=likelihood_sort_key)
        while rest:
            least = rest[0].weight - LEAST_LEAD_OF_PROVED
            count = sum(candidate.weight >= least for candidate in rest)
            yield _merge_suggestions(rest[:count])
            rest = rest[count:]


def _make_key_without_rolls(suggestion: Suggestion) -> Hashable:
    """Return a key that is equal for suggestions that differ only in guessed rolls."""
    if not suggestion.rolls:
        return suggestion.remedy
    lines = tuple(edit.line for edit in suggestion.edits)
    plays = tuple(tuple(sorted(steps)) for steps in suggestion.plays)
    return suggestion.kind, lines, suggestion.side, plays


def _merge_suggestions(candidates: Sequence[WeighedSuggestion]) -> WeighedSuggestion:
    """Merge suggestions that differ only in guessed rolls, and add up their likelihoods."""
    (suggestion, weight), *others = candidates
    if not others:
        return candidates[0]
    total = weight + math.log(math.fsum(math.exp(one.weight - weight) for one in candidates))
    rolls = zip(*(candidate.suggestion.rolls for candidate in candidates), strict=True)
    for_all = suggestion._replace(
        likelihood=suggestion.likelihood + total - weight,
        # This never counts as certain.
        is_whole=False,
        other_rolls=tuple(tuple(dict.fromkeys(of_turn))[1:] for of_turn in rolls),
    )
    return WeighedSuggestion(for_all, total)


def _rate_plays_of_suggestions(suggestions: Sequence[Suggestion], prior: PlayPrior) -> list[float]:
    """Return the log-likelihood of each suggested play, compared with the recorded play."""
    situations = {s.alternative.situation: None for s in suggestions if s.alternative is not None}
    by_situation = dict(zip(situations, prior(tuple(situations)), strict=True))
    chances: list[float] = []
    for suggestion in suggestions:
        alternative = suggestion.alternative
        if alternative is None:
            # A suggestion without a play gets the average.
            chances.append(MEAN_LOG_CHANCE)
            continue
        plays = by_situation[alternative.situation]
        chance = plays.get(alternative.result, LOG_CHANCE_OF_RARE_PLAY)
        # An illegal recorded play counts as average.
        if alternative.written is not None:
            chance += MEAN_LOG_CHANCE - plays.get(alternative.written, LOG_CHANCE_OF_RARE_PLAY)
        chances.append(chance)
    return chances


def rank_repairs(
    tried: Iterable[TriedSuggestion],
    untried: Sequence[WeighedSuggestion],
    context: ErrorContext,
    prior: PlayPrior,
) -> list[Repair]:
    """Return the repairs that helped when tried, with probabilities, likeliest first.

    The first repair counts as certain if it is far likelier than all others, including `untried`
    ones.
    """
    helping = list(tried)
    if not helping:
        return []
    fewest = min(entry.problem_count for entry in helping)
    order = sorted(
        (
            (
                likelihood - compute_penalty_for_problems(entry.problem_count - fewest),
                likelihood,
                entry,
            )
            for likelihood, entry in zip(
                _rate_mistakes_and_plays(helping, prior), helping, strict=True
            )
        ),
        key=lambda ranked: -ranked[0],
    )
    weights = [weight for weight, _, _ in order]
    _, likelihood_of_first, first = order[0]
    nothing = max(LEAST_CHANCE_OF_NONE, min(OTHER_EXPLANATION - likelihood_of_first, IMPOSSIBLE))
    shares = compute_probabilities(weights, nothing)
    expected = first.weight - LEAST_LEAD_OF_PROVED
    beside_rivals = _find_reason_for_doubt_beside_others(
        [entry.suggestion for *_, entry in order], weights, shares
    )
    doubts = (
        (_find_own_reason_for_doubt(first.suggestion), True),
        (ROLL_UNKNOWN, beside_rivals == ROLL_UNKNOWN),
        (MAY_BE_PLAYERS, context.finding.may_be_players),
        (NOT_RULED_OUT, context.may_stand),
        (GOES_ON, context.is_followed_by_legal_plays),
        (beside_rivals, True),
        (UNTRIED, any(rival.weight >= expected for rival in untried)),
        (UNLIKELY, shares[0] < LEAST_CHANCE_OF_PROVED),
    )
    doubt = next((doubt for doubt, applies in doubts if applies and doubt is not None), None)
    fitting = _group_fitting_plays([entry.suggestion for *_, entry in order], untried)
    return [
        Repair(
            _add_fitting_plays(entry.suggestion, fitting),
            entry.errors,
            share,
            doubt if rank == 0 else LIKELIER_RIVAL,
            likelihood,
            weight,
            context.may_stand,
        )
        for rank, (share, (weight, likelihood, entry)) in enumerate(zip(shares, order, strict=True))
    ]


def _group_fitting_plays(
    tried: Iterable[Suggestion], untried: Iterable[WeighedSuggestion]
) -> dict[Situation, list[Position]]:
    """Map each board and roll to the boards after suggested plays that fit the later game.

    Plays from `tried` suggestions come before those from `untried` ones.
    """
    fitting: dict[Situation, list[Position]] = defaultdict(list)
    rest = (weighed.suggestion for weighed in sorted(untried, key=likelihood_sort_key))
    for suggestion in chain(tried, rest):
        if suggestion.kind == PLAY and suggestion.is_whole and suggestion.alternative is not None:
            fitting[suggestion.alternative.situation].append(suggestion.alternative.result)
    return fitting


def _add_fitting_plays(
    suggestion: Suggestion, fitting: dict[Situation, list[Position]]
) -> Suggestion:
    """Add to a suggested play the other plays of its roll that fit the game equally well.

    `fitting` maps each board and roll to the boards after fitting plays.
    """
    if suggestion.kind != PLAY or suggestion.alternative is None:
        return suggestion
    situation, result, _ = suggestion.alternative
    others = (other for other in fitting.get(situation, ()) if other != result)
    return suggestion._replace(fitting_plays=tuple(dict.fromkeys(others)))


def _find_own_reason_for_doubt(suggestion: Suggestion) -> str | None:
    """Return why a suggested repair is uncertain even without rivals, or None.

    The reason is a sentence for users.
    """
    if suggestion.doubt is not None:
        return suggestion.doubt
    if suggestion.is_whole:
        return None
    if not suggestion.edits:
        return NO_EDIT
    if suggestion.other_rolls:
        return ROLL_UNKNOWN
    return ROW_IS_GUESSED if suggestion.kind == "lost row" else LATER_PLAYS


def _find_reason_for_doubt_beside_others(
    suggestions: Sequence[Suggestion],
    log_likelihoods: Sequence[float],
    probabilities: Sequence[float],
) -> str | None:
    """Return why the likeliest repair is uncertain compared with its rivals, or None.

    `suggestions` are the repairs that helped, likeliest first. The reason is a sentence for users.
    """
    first, *rivals = suggestions
    close = sum(
        weight >= log_likelihoods[0] - LEAST_LEAD_OF_PROVED for weight in log_likelihoods[1:]
    )
    most = RIVALS_OF_GUESSED_ROLL if first.rolls else RIVALS_OF_PROVED
    if not close and sum(probabilities[1:]) <= most:
        return None
    if first.kind in LOST_PARTS and first.rolls:
        return ROLL_UNKNOWN if close else RIVALS_TOGETHER
    lost = [LOST_PARTS[rival.kind] for rival in rivals[: max(close, 1)] if rival.kind in LOST_PARTS]
    if lost:
        return lost[0]
    return name_number_of_rivals(close) if close else RIVALS_TOGETHER


def _rate_mistakes_and_plays(tried: Sequence[TriedSuggestion], prior: PlayPrior) -> list[float]:
    """Return the log-likelihood of each tried repair, by its slip and plays up to the error."""
    shared = frozenset.intersection(
        *(frozenset(map(_take_positions_and_roll, entry.plays)) for entry in tried)
    )
    # Plays that are the same after all of these repairs do not count.
    of_its_own = [
        [play for play in entry.plays if _take_positions_and_roll(play) not in shared]
        for entry in tried
    ]
    situations = tuple({situation: None for plays in of_its_own for situation, _ in plays})
    chances = dict(zip(situations, prior(situations), strict=True))
    return [
        entry.suggestion.likelihood
        + math.fsum(  # An exact sum does not depend on the order of a set.
            chances[situation].get(result, LOG_CHANCE_OF_RARE_PLAY) - MEAN_LOG_CHANCE
            for situation, result in plays
        )
        for entry, plays in zip(tried, of_its_own, strict=True)
    ]


def _take_positions_and_roll(play: MadePlay) -> tuple[Position, Dice | None, Position]:
    """Return the positions before and after a play, with the roll between them.

    Both positions are seen by the side that plays.
    """
    situation, result = play
    return situation.position, situation.dice, result


def compute_penalty_for_problems(more_errors: int) -> float:
    """Return the penalty, as a log-likelihood, for errors that a repair leaves.

    `more_errors` is how many more it leaves than the best repair.
    """
    return (
        ANOTHER_SLIP + FAULT_LEFT * min(more_errors, MOST_FAULTS_LEFT) if more_errors > 0 else 0.0
    )


def compute_probabilities(log_likelihoods: Sequence[float], none_is_right: float) -> list[float]:
    """Turn log-likelihoods of repairs into probabilities.

    The rest up to 1 is the probability that no repair is right. `none_is_right` is the
    log-likelihood of this case, minus the greatest of the others.

    >>> compute_probabilities([0.0, 0.0], none_is_right=0.0)
    [0.3333333333333333, 0.3333333333333333]
    """
    highest = max(log_likelihoods, default=0.0)
    shares = [math.exp(weight - highest) for weight in log_likelihoods]
    total = sum(shares) + math.exp(none_is_right)
    return [share / total for share in shares]
