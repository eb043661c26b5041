"""Faults of two games of which one is a copy of the other: what both have is told once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.record.model import Result
from bganalyze.validation.replaying.facts import Fact, GameReplay

TOLD_BY_SCORE = frozenset(
    (
        *("crawford-double", "crawford-mismatch", "dead-cube"),
        *("wrong-points", "match-end-mark", "resignation-size"),
    )
)
"""Facts that depend on the score before a game, which may be that of the game that is lost."""


def with_faults_told_once(
    original: GameReplay, copy: GameReplay
) -> tuple[GameReplay, GameReplay, list[Fact]]:
    """Return two games with the same plays, a fault of both in the first alone, and those counted there.

    What depends on the score, and is at fault in one alone, comes of the score of another game. All
    else that is at fault in one alone is written there otherwise.
    """
    had, has = set(map(_place_of, original.facts)), set(map(_place_of, copy.facts))
    is_same_result = _results(original) == _results(copy)
    told = [
        fact.with_consequences(_again(fact, copy.facts))
        for fact in original.facts
        if _place_of(fact) in has or not _comes_of_score(fact, is_same_result)
    ]
    left = [
        fact
        for fact in copy.facts
        if _place_of(fact) not in had and not _comes_of_score(fact, is_same_result)
    ]
    counted = [fact for fact in copy.facts if _place_of(fact) in had]
    return original._replace(facts=tuple(told)), copy._replace(facts=tuple(left)), counted


def _place_of(fact: Fact) -> tuple[object, ...]:
    """Return what a fact of a game and that of its copy share."""
    return fact.rule, fact.row, fact.side


def _again(fact: Fact, others: Iterable[Fact]) -> Iterator[Fact]:
    return (other for other in others if _place_of(other) == _place_of(fact))


def _comes_of_score(fact: Fact, is_same_result: bool) -> bool:
    """Whether a fact of one game alone comes of its score; of points only if the other has the same."""
    return fact.rule in TOLD_BY_SCORE and (fact.rule != "wrong-points" or is_same_result)


def _results(game: GameReplay) -> list[tuple[object, ...]]:
    return [(act.side, act.points) for act in game.game.actions if type(act) is Result]
