"""Whether anything in a match contradicts an error as it is recorded.

A player may really have made an illegal play, and both sides went on from it. Then everything that
follows fits the board as recorded, and nothing tells a wrong die that was played from one that was
written. Where something later does not fit, the record itself speaks for a slip.
"""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.findings import EvidenceKind
from bganalyze.replaying.facts import Contradiction, Fact, GameReplay
from bganalyze.replaying.standing import MOVEMENT, SET_UP
from bganalyze.transcript.model import Play

WITH_CUBE = frozenset(
    (
        "not-owner",
        "double-out-of-turn",
        "crawford-double",
        "dead-cube",
        "wrong-value",
        "beaver-not-allowed",
        "opening-cube",
        "no-cube-game",
        "cube-limit",
    )
)
"""Errors with the cube that players can make. An answer without a double, and a double without an
answer, are gaps in the record."""

ON_BOARD = MOVEMENT | SET_UP | {"impossible-cube", "turn-order"}
"""Errors with checkers that players can make."""

AT_TABLE = ON_BOARD | WITH_CUBE
"""Errors that players can make. All others contradict the record in themselves."""

IMPOSSIBLE_AT_TABLE = frozenset(("empty-point",))
"""Of these nobody can do what is recorded: there is no checker to be moved."""

SHOWS_BOARD = frozenset(("false-hit-mark", "unfounded-win", "wrong-winner", "resignation-size"))
"""Facts that may show, later in the game, that another board was played on."""

SHOWS_CUBE = frozenset(("wrong-points", "jacoby-gammon"))
"""Facts that may show, at the end of the game, that the cube was another."""


def contradictions_of(fact: Fact, game: GameReplay | None) -> tuple[Contradiction, ...]:
    """Return what does not fit a fact as it is recorded, in the order of the match.

    `game` is the game of the fact, if it is about one.
    """
    itself = () if _is_possible(fact) else (Contradiction(fact.span, fact.rule),)
    later = () if game is None else _later_facts(fact, game)
    return tuple(dict.fromkeys((*itself, *fact.contradictions, *later)))


def evidence_kind(
    fact: Fact, game: GameReplay | None, contradictions: tuple[Contradiction, ...]
) -> EvidenceKind:
    """Return whether the record contradicts a fact, fits it, or says nothing about it."""
    if contradictions:
        return EvidenceKind.CONTRADICTED
    is_followed = game is not None and _is_followed(fact, game)
    is_sure = fact.turn is None or fact.turn.verified
    return EvidenceKind.CONSISTENT if is_followed and is_sure else EvidenceKind.UNKNOWN


def _is_possible(fact: Fact) -> bool:
    """Whether players can do what a fact says."""
    return fact.rule in AT_TABLE - IMPOSSIBLE_AT_TABLE


def _later_facts(fact: Fact, game: GameReplay) -> Iterator[Contradiction]:
    """Yield the facts behind an error at the table that its board or cube may have led to.

    They are put down to the last such error before them.
    """
    if fact.rule not in AT_TABLE:
        return
    signs = SHOWS_CUBE if fact.rule in WITH_CUBE else SHOWS_BOARD
    alike = WITH_CUBE if fact.rule in WITH_CUBE else ON_BOARD
    last: Fact | None = None
    for other in sorted(game.facts, key=lambda other: other.span):
        if other.rule in alike:
            last = other
        elif other.rule in signs and last is fact:
            yield Contradiction(other.span, other.rule)


def _is_followed(fact: Fact, game: GameReplay) -> bool:
    """Whether checkers were moved later in the game."""
    start = fact.turn.action.span if fact.turn is not None else fact.span
    actions = (action for action in game.turns.actions() if action.span > start)
    return any(isinstance(action, Play) and action.steps for action in actions)
