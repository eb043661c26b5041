"""The player-error rule: whether an error may still be corrected, or stands.

An error of movement may be corrected only before the next roll, an error of set-up only before the
second play of the game ("Player Error" in the rule texts this project starts from).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Action, Double, Play, Side, Span
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.facts import Fact, GameReplay

MOVEMENT = frozenset(
    (
        "empty-point",
        "blocked-point",
        "wrong-direction",
        "bar-first",
        "early-bear-off",
        "bear-off-die",
        "too-many-steps",
        "die-not-rolled",
        "false-dance",
        "unplayed-die",
        "larger-die",
        "hit-not-executed",
        "illegal-play",
    )
)
SET_UP = frozenset(("wrong-set-up", "checker-count", "shared-point", "variant-mismatch"))

INVALID_DOUBLE = frozenset(
    (
        "not-owner",
        "double-out-of-turn",
        "crawford-double",
        "beaver-not-allowed",
        "opening-cube",
        "no-cube-game",
        "action-after-end",
    )
)
"""Facts by which a double was not allowed, and so closes nothing."""

END_OF_RECORD = "end-of-record"


def with_standings(games: Sequence[GameReplay], rule_book: RuleBook) -> tuple[GameReplay, ...]:
    """Return the games with the standing of every error of movement or of set-up."""
    if not any(map(_has_standings, games)):
        return tuple(games)
    first = [next(_closing(game, rule_book), None) for game in games]
    return tuple(
        _with_standings(game, Closers(game, _next_rolls(game, rule_book, later), later))
        if _has_standings(game)
        else game
        for game, later in zip(games, _later(first), strict=True)
    )


def _has_standings(game: GameReplay) -> bool:
    return any(fact.rule in MOVEMENT | SET_UP for fact in game.facts)


def _with_standings(game: GameReplay, places: Closers) -> GameReplay:
    return game._replace(facts=tuple(with_standing(fact, places) for fact in game.facts))


class Closers(NamedTuple):
    """The places that close the errors of a game.

    What comes next is a matter of the record's order: in a text, a play that was taken back may
    stand far behind.
    """

    game: GameReplay
    next_rolls: Mapping[Span, Span]
    """For the place of each action, that of the roll that comes next, if any does."""
    later: Span | None
    """The first roll of the games after it."""


def _later(first: Sequence[Span | None]) -> list[Span | None]:
    """Return for each game the first roll of those after it, from the last game back."""
    roll: Span | None = None
    later: list[Span | None] = []
    for span in reversed(first):
        later.append(roll)
        roll = span or roll
    return later[::-1]


def _next_rolls(game: GameReplay, rule_book: RuleBook, later: Span | None) -> dict[Span, Span]:
    """Map the place of each action to that of the roll that comes next, from the last one back."""
    following: dict[Span, Span] = {}
    closing, roll = set(_closing(game, rule_book)), later
    for action in reversed(list(game.turns.actions())):
        span = action.span
        if roll is not None:
            following[span] = roll
        if span in closing:
            roll = span
    return following


def _closing(game: GameReplay, rule_book: RuleBook) -> Iterator[Span]:
    """Yield the places of the rolls of a game, and of the doubles where these close errors."""
    doubles_close = rule_book.stands_after == "roll-or-double"
    refused = {
        fact.span for fact in game.facts if doubles_close and refuses_double(fact, rule_book)
    }
    for action in game.turns.actions():
        if _closes(action, game, refused, doubles_close):
            yield action.span


def _closes(action: Action, game: GameReplay, refused: set[Span], doubles_close: bool) -> bool:
    if doubles_close and type(action) is Double:
        return action.span not in refused
    return is_roll(action) and action.span not in game.not_rolled


def refuses_double(fact: Fact, rule_book: RuleBook) -> bool:
    """Return whether the fact says that a double was not allowed."""
    if fact.rule == "dead-cube":
        return rule_book.dead_cube == "prohibit"
    return fact.rule in INVALID_DOUBLE


def is_roll(action: Action) -> bool:
    """Whether the action shows that dice were rolled: it names them, or checkers were moved."""
    return type(action) is Play and (action.dice not in (None, (0, 0)) or bool(action.steps))


def _second_play(game: GameReplay) -> Span | None:
    """Return the first complete play of the side that did not play first."""
    first: Side | None = None
    for turn in game.turns:
        action = turn.action
        if not isinstance(action, Play) or not is_roll(action) or action.span in game.not_rolled:
            continue
        if first is None:
            first = action.side
        elif action.side != first and (turn.legality is not None or action.steps):
            return action.span
    return None


def with_standing(fact: Fact, places: Closers) -> Fact:
    """Return `fact` with its standing, where it is one of the errors that have one."""
    if fact.standing is not None or fact.rule not in MOVEMENT | SET_UP:
        return fact
    closer = _next_roll(fact, places) if fact.rule in MOVEMENT else _second(fact, places)
    if closer is None:
        return fact._replace(standing=Standing.OPEN, closed_by=END_OF_RECORD)
    return fact._replace(standing=Standing.STANDS, closed_by=place_of(closer))


def _next_roll(fact: Fact, places: Closers) -> Span | None:
    """The first roll after the play at fault."""
    return places.next_rolls.get(fact.turn.action.span if fact.turn else fact.span)


def _second(fact: Fact, places: Closers) -> Span | None:
    if fact.game is None:
        return None
    return _second_play(places.game) or places.later


def place_of(span: Span) -> str:
    """Return the place as findings name it, `line:column`."""
    return f"{span.line}:{span.column}"
