"""Proof: what a repair may change in a match at most, so that it can be called proved.

A record that contradicts itself rarely says which of its parts is wrong. Whether a double, a result
or a play was made at all, or what the score was, no other part of it can prove.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bganalyze.repair.draft import Draft
from bganalyze.transcript.model import Answer, Double, Match, Play, Result

KINDS = (Double, Answer, Result, Play)
"""Actions of which a proved repair keeps the number."""


def keeps_actions(before: Draft, after: Draft) -> bool:
    """Whether a repair removes no double, answer, result or play, and adds none."""
    return _count_actions(before) == _count_actions(after)


def keeps_head(before: Draft, after: Draft) -> bool:
    """Whether a repair leaves the number of matches and games, their lengths and header lines."""
    return [*map(_head, _matches(before))] == [*map(_head, _matches(after))]


def keeps_scores(before: Draft, after: Draft) -> bool:
    """Whether a repair leaves all scores as they are; a missing score line may be put in.

    But for that of the first game of a match: no result before it says what it was.
    """
    return all(
        score == score_after or (score is None and game > 0)
        for one, other in zip(_matches(before), _matches(after), strict=True)
        for game, (score, score_after) in enumerate(zip(_scores(one), _scores(other), strict=True))
    )


def may_be_proved(before: Draft, after: Draft) -> bool:
    """Whether a repair changes nothing of which no other part of the record can tell."""
    return (
        keeps_actions(before, after) and keeps_head(before, after) and keeps_scores(before, after)
    )


def _matches(draft: Draft) -> Iterable[Match]:
    return (replayed.match for replayed in draft.replays)


def _count_actions(draft: Draft) -> Counter[type]:
    return Counter(
        type(action)
        for match in _matches(draft)
        for game in match.games
        for action in game.actions
        if type(action) in KINDS
    )


def _head(match: Match) -> tuple[object, ...]:
    length = match.length and match.length.points
    return length, len(match.games), [(tag.key, tag.value) for tag in match.tags]


def _scores(match: Match) -> list[tuple[int, int] | None]:
    return [None if game.score is None else game.score.points for game in match.games]
