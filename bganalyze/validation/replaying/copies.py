"""Faults of a game and its copy: a fault in both is reported once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.record.model import Result
from bganalyze.validation.replaying.facts import Fact, GameReplay

DEPENDING_ON_SCORE = frozenset(
    (
        *("crawford-double", "crawford-mismatch", "dead-cube"),
        *("wrong-points", "match-end-mark", "resignation-size"),
    )
)
"""Facts that depend on the score before a game; in a copy, a lost game may have set that score."""


def report_faults_once(
    original: GameReplay, copy: GameReplay
) -> tuple[GameReplay, GameReplay, list[Fact]]:
    """Return a game and its copy with common faults only in the game, and those left out.

    A fault in only one of them stays if it comes from a difference in writing. If it depends on the
    score, it comes from the score of a lost game and is dropped.
    """
    had, has = set(map(_shared_key, original.facts)), set(map(_shared_key, copy.facts))
    is_same_result = _results(original) == _results(copy)
    kept = [
        fact.with_consequences(_same_facts(fact, copy.facts))
        for fact in original.facts
        if _shared_key(fact) in has or not _comes_of_score(fact, is_same_result)
    ]
    left = [
        fact
        for fact in copy.facts
        if _shared_key(fact) not in had and not _comes_of_score(fact, is_same_result)
    ]
    counted = [fact for fact in copy.facts if _shared_key(fact) in had]
    return original._replace(facts=tuple(kept)), copy._replace(facts=tuple(left)), counted


def _shared_key(fact: Fact) -> tuple[object, ...]:
    """Return a key that is equal for the same fact in a game and its copy."""
    return fact.rule, fact.row, fact.side


def _same_facts(fact: Fact, others: Iterable[Fact]) -> Iterator[Fact]:
    return (other for other in others if _shared_key(other) == _shared_key(fact))


def _comes_of_score(fact: Fact, is_same_result: bool) -> bool:
    """Whether a fact in only one game depends on its score.

    Wrong points do so only if the results match.
    """
    return fact.rule in DEPENDING_ON_SCORE and (fact.rule != "wrong-points" or is_same_result)


def _results(game: GameReplay) -> list[tuple[object, ...]]:
    return [(act.side, act.points) for act in game.game.actions if type(act) is Result]
