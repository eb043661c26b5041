"""What Smart Game Format has no place for: how a game ended, when, and what stands in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from bganalyze.replaying.facts import EndKind
from bganalyze.transcript.drafts import turn_of_cube
from bganalyze.transcript.model import (
    Action,
    Comment,
    Double,
    Game,
    Match,
    Resignation,
    Result,
    Unread,
)
from bganalyze.writing.written import Loss, odd_text

GIVEN_UP: frozenset[EndKind] = frozenset(("resigned", "resigned-match", "forfeit", "time"))
"""How a game ends that is given up."""


def of_match(match: Match) -> Iterator[Loss]:
    """Yield what is lost of a match as a whole."""
    yield from odd_text(match)
    if not match.games:
        yield Loss("a match without games", match.length.span if match.length else None)
    numbered = any(game.number is not None for game in match.games)
    for game in match.games:
        if game.number == 0 or (game.number is None and numbered):
            yield Loss("that a game has no number, or the number 0", game.span)


def of_end(game: Game, kind: EndKind) -> Iterator[Loss]:
    """Yield what the result in a root does not say of the end of a game, which is of that kind."""
    ends = [each for each in game.actions if _ends(each)]
    resignations = [each for each in ends if isinstance(each, Resignation)]
    results = [each for each in ends if isinstance(each, Result)]
    spans = [each.span for each in results[1:]] + [each.span for each in resignations[1:]]
    for span in spans:
        yield Loss("a further result or resignation", span)
    for given_up in resignations[:1]:
        if not results:
            yield Loss("that only a resignation tells how a game ended", given_up.span)
        elif kind not in GIVEN_UP or results[0].side == given_up.side:
            yield Loss("a resignation that is not how its game ended", given_up.span)
    yield from _after_end(game.actions)


def _ends(action: Action) -> bool:
    return isinstance(action, Result) or (isinstance(action, Resignation) and not action.declined)


def _after_end(actions: Sequence[Action]) -> Iterator[Loss]:
    """What a game goes on with after its end; only its result may follow a resignation."""
    first = next((at for at, action in enumerate(actions) if _ends(action)), len(actions))
    for before, action in pairwise(actions[first:]):
        known = isinstance(before, Resignation) and isinstance(action, Result)
        if not known and not isinstance(action, Comment | Unread):
            yield Loss("that a game went on after its end", action.span)
            return


def of_cube(told: Sequence[Action]) -> Iterator[Loss]:
    """Yield the doubles that are read again as something else: what stands before them tells.

    `told` are the actions that are written.
    """
    read: list[Action] = []
    for action in told:
        if isinstance(action, Double):
            kind = turn_of_cube(read, action.side)
            if kind != action.kind:
                yield Loss("whether a double is a beaver", action.span)
            read.append(action._replace(kind=kind))
        elif not isinstance(action, Unread):
            read.append(action)
