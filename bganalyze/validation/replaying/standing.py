"""The player-error rule: whether an error can still be corrected, was corrected, or stands.

An error of movement can be corrected only before the next roll, an error of set-up only before the
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
"""Facts that make a double invalid. An invalid double closes no error."""

END_OF_RECORD = "end-of-record"


def with_standings(games: Sequence[GameReplay], rule_book: RuleBook) -> tuple[GameReplay, ...]:
    """Return the games with a standing (open, corrected, stands) for every error it applies to.

    These are errors of movement and of set-up.
    """
    if not any(map(_has_standings, games)):
        return tuple(games)
    first = [next(_closing_places(game, rule_book), None) for game in games]
    return tuple(
        _with_standings(game, Closers(game, _next_rolls(game, rule_book, later), later))
        if _has_standings(game)
        else game
        for game, later in zip(games, _first_later_rolls(first), strict=True)
    )


def _has_standings(game: GameReplay) -> bool:
    return any(fact.rule in MOVEMENT | SET_UP for fact in game.facts)


def _with_standings(game: GameReplay, places: Closers) -> GameReplay:
    return game._replace(facts=tuple(with_standing(fact, places) for fact in game.facts))


class Closers(NamedTuple):
    """The places that close the errors of a game.

    The next roll is the next in the order of the record. In the text, a play that was taken back
    may come much later.
    """

    game: GameReplay
    next_rolls: Mapping[Span, Span]
    """The place of the next roll after each action, if there is one."""
    later: Span | None
    """The first roll of a later game."""


def _first_later_rolls(first: Sequence[Span | None]) -> list[Span | None]:
    """Return, for each game, the place of the first roll in any later game; None if there is none.

    `first` are the first rolls of the games.
    """
    roll: Span | None = None
    later: list[Span | None] = []
    for span in reversed(first):
        later.append(roll)
        roll = span or roll
    return later[::-1]


def _next_rolls(game: GameReplay, rule_book: RuleBook, later: Span | None) -> dict[Span, Span]:
    """Return, for each action, the place of the roll after it that closes errors made at it.

    Both are places. `later` is the first roll of a later game.
    """
    following: dict[Span, Span] = {}
    closing, roll = set(_closing_places(game, rule_book)), later
    for action in reversed(list(game.turns.actions())):
        span = action.span
        if roll is not None:
            following[span] = roll
        if span in closing:
            roll = span
    return following


def _closing_places(game: GameReplay, rule_book: RuleBook) -> Iterator[Span]:
    """Yield the places of a game's rolls, and of its doubles if doubles close errors."""
    doubles_close = rule_book.stands_after == "roll-or-double"
    refused = {
        fact.span for fact in game.facts if doubles_close and refuses_double(fact, rule_book)
    }
    for action in game.turns.actions():
        if _closes_errors(action, game, refused, doubles_close):
            yield action.span


def _closes_errors(
    action: Action, game: GameReplay, refused: set[Span], doubles_close: bool
) -> bool:
    """Whether an action is a roll or, if doubles close errors, a valid double."""
    if doubles_close and type(action) is Double:
        return action.span not in refused
    return is_roll(action) and action.span not in game.not_rolled


def refuses_double(fact: Fact, rule_book: RuleBook) -> bool:
    """Return whether the fact makes a double invalid."""
    if fact.rule == "dead-cube":
        return rule_book.dead_cube == "prohibit"
    return fact.rule in INVALID_DOUBLE


def is_roll(action: Action) -> bool:
    """Whether the action shows a roll: dice are recorded, or checkers were moved."""
    return type(action) is Play and (action.dice not in (None, (0, 0)) or bool(action.steps))


def _second_play(game: GameReplay) -> Span | None:
    """Return the place of the first complete play of the side that plays second, or None."""
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
    """Return `fact` with its standing, if its rule has one."""
    if fact.standing is not None or fact.rule not in MOVEMENT | SET_UP:
        return fact
    closer = (
        _next_roll(fact, places) if fact.rule in MOVEMENT else _closing_second_play(fact, places)
    )
    if closer is None:
        return fact._replace(standing=Standing.OPEN, closed_by=END_OF_RECORD)
    return fact._replace(standing=Standing.STANDS, closed_by=place_text(closer))


def _next_roll(fact: Fact, places: Closers) -> Span | None:
    """Return the first roll after the faulty play, or None."""
    return places.next_rolls.get(fact.turn.action.span if fact.turn else fact.span)


def _closing_second_play(fact: Fact, places: Closers) -> Span | None:
    if fact.game is None:
        return None
    return _second_play(places.game) or places.later


def place_text(span: Span) -> str:
    """Return the place as findings name it, `line:column`."""
    return f"{span.line}:{span.column}"
