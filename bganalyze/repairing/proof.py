"""Proof: what a repair may change in a match at most, so that it can be called proved.

A record that contradicts itself rarely says which of its parts is wrong. Whether a double, a result
or a play was made at all, or what the score was, no other part of it can prove.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from bganalyze.record.model import Action, Answer, Double, Match, Play, Result, Unread
from bganalyze.repairing.draft import Draft
from bganalyze.validation.replaying.match import MatchReplay

KINDS = (Double, Answer, Result, Play)
"""Actions of which a proved repair keeps the number."""

WORDS = (Double, Answer, Result)
"""Of them those that a record spells in a word, which may be misspelled."""


def keeps_actions(before: Draft, after: Draft) -> bool:
    """Whether a repair removes no double, answer, result or play, and adds none.

    What stands in the place of a word that could not be read was there before.
    """
    had, has = _count_actions(before), _count_actions(after)
    return had <= has and has - had == _respelled(before, after)


def _respelled(before: Draft, after: Draft) -> Counter[type]:
    """Count the actions of words that could not be read before, by the lines they stand on."""
    unread_after = {action.span.line for action in _actions(after) if isinstance(action, Unread)}
    unread = {action.span.line for action in _actions(before) if isinstance(action, Unread)}
    read_before = {action.span.line for action in _actions(before) if isinstance(action, WORDS)}
    lines = unread - unread_after - read_before
    return Counter(
        type(action)
        for action in _actions(after)
        if isinstance(action, WORDS) and action.span.line in lines
    )


def keeps_head(before: Draft, after: Draft) -> bool:
    """Whether a repair leaves the number of matches and games, their lengths and header lines."""
    return [*map(_head, _matches(before))] == [*map(_head, _matches(after))]


def keeps_scores(before: Draft, after: Draft) -> bool:
    """Whether a repair leaves all scores as they are.

    A missing score line may be put in, but for that of the first game of a match: no result before
    it says what it was. One score line may be changed, if the results before and after it, and the
    next score line, all say what it has to be, and no other score of the match is wrong: then no game
    is missing or out of order there.
    """
    changes = 0
    for one, other in zip(before.replays, after.replays, strict=True):
        scores = zip(_scores(one.match), _scores(other.match), strict=True)
        for place, (score, score_after) in enumerate(scores):
            if score == score_after or (score is None and place > 0):
                continue
            changes += 1
            if score is None or not _is_confirmed(other, place):
                return False
    return changes <= 1


def _is_confirmed(replayed: MatchReplay, place: int) -> bool:
    """Whether results tell what the score before a game has to be, from both sides.

    While another score of the match does not follow from the game before it, games may be out of
    order instead.
    """
    games = replayed.match.games
    neighbors = games[max(place - 1, 0) : place + 1]
    is_followed = place + 1 < len(games) and games[place + 1].score is not None
    return (
        is_followed
        and replayed.order.is_as_recorded
        and not any(fact.rule == "score-mismatch" for fact in replayed.facts)
        and all(any(isinstance(action, Result) for action in game.actions) for game in neighbors)
    )


def may_be_proved(before: Draft, after: Draft) -> bool:
    """Whether a repair changes nothing of which no other part of the record can tell."""
    return (
        keeps_actions(before, after) and keeps_head(before, after) and keeps_scores(before, after)
    )


def _matches(draft: Draft) -> Iterable[Match]:
    return (replayed.match for replayed in draft.replays)


def _actions(draft: Draft) -> Iterator[Action]:
    return (action for match in _matches(draft) for game in match.games for action in game.actions)


def _count_actions(draft: Draft) -> Counter[type]:
    return Counter(type(action) for action in _actions(draft) if isinstance(action, KINDS))


def _head(match: Match) -> tuple[object, ...]:
    length = match.length and match.length.points
    return length, len(match.games), [(tag.key, tag.value) for tag in match.tags]


def _scores(match: Match) -> list[tuple[int, int] | None]:
    return [None if game.score is None else game.score.points for game in match.games]
