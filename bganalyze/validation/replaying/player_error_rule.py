"""The player-error rule: whether an error can still be corrected, was corrected, or stands.

By the base rules an error of movement can be corrected only before the next roll, an error of set-up
only before the second play of the game ("Player Error" in the rule texts this project starts from).
Rule books set other ends, and say what becomes of some faults of the cube.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Action, Double, Play, Side, Span
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.facts import RULED, Fact, GameReplay, Turn

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

CUBE = frozenset(("crawford-double", "dead-cube", "wrong-value", "impossible-cube"))
"""Facts about the cube that have a standing if the rule book covers them."""

_WITH_STANDING = MOVEMENT | SET_UP | CUBE

END_OF_RECORD = "end-of-record"

BEFORE_FIRST_ROLL = "owned by a side before the first roll"
"""Why a recorded cube is impossible if it may be left over from the last game."""

FIRST_OFFER = 2
"""The value that the first double of a game offers."""


def with_standings(games: Sequence[GameReplay], rule_book: RuleBook) -> tuple[GameReplay, ...]:
    """Return the games with a standing for each error that the player-error rule covers.

    The standing says whether the error can still be corrected (open), was corrected, or stands.
    Illegal plays and wrong set-ups have one, and cube faults that the rule book covers.
    """
    if not any(map(_has_correctable_error, games)):
        return tuple(games)
    closing = [next(_closing_places(game, rule_book), None) for game in games]
    begun = [next(_find_rolls(game), None) for game in games]
    previous = (None, *games[:-1])
    return tuple(
        _with_standings(
            game,
            CorrectionLimits(
                rule_book,
                game,
                _map_closing_actions(game, rule_book, later),
                later,
                next_game=next_game,
                left_over=set() if before is None else {before.cube.value, before.cube.offer},
            ),
        )
        if _has_correctable_error(game)
        else game
        for game, later, next_game, before in zip(
            games, _find_first_later(closing), _find_first_later(begun), previous, strict=True
        )
    )


def _has_correctable_error(game: GameReplay) -> bool:
    """Whether a game has an error of a kind that the player-error rule covers.

    Players may correct such an error for some time; after that it stands.
    """
    return any(fact.rule in _WITH_STANDING for fact in game.facts)


def _with_standings(game: GameReplay, places: CorrectionLimits) -> GameReplay:
    """Return a game in which each error says whether it can still be corrected, was corrected, or stands.

    `places` has the actions that made it too late to correct an error.
    """
    return game._replace(facts=tuple(with_standing(fact, places) for fact in game.facts))


class CorrectionLimits(NamedTuple):
    """The places from which errors of a game can no longer be corrected.

    The next roll is the next in the order of the file. In the text, a play that was taken back
    may come much later.
    """

    rule_book: RuleBook
    game: GameReplay
    next_rolls: Mapping[Span, Span]
    """The place that closes errors of movement made at each action, if there is one."""
    later: Span | None
    """The first place of a later game that closes such errors."""
    next_game: Span | None
    """The first roll of a later game."""
    left_over: Collection[int]
    """The values that the cube may have had at the end of the game before."""


def _find_first_later(first_places: Sequence[Span | None]) -> list[Span | None]:
    """Return, for each game, the first place in the games after it, or None without one.

    `first_places` has the first place in each game, or None.
    """
    roll: Span | None = None
    later: list[Span | None] = []
    for span in reversed(first_places):
        later.append(roll)
        roll = span or roll
    return later[::-1]


def _map_closing_actions(
    game: GameReplay, rule_book: RuleBook, later: Span | None
) -> dict[Span, Span]:
    """Map each action to the next action that makes it too late to correct it, both by their places.

    The rule book decides whether that is a roll, a double or a completed play. `later` is the first
    such place in a later game.
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
    """Yield the places of a game that make it too late to correct an illegal play before them.

    As the rule book says, these are rolls, rolls and valid doubles, or completed plays.
    """
    match rule_book.stands_after:
        case "roll":
            yield from _find_rolls(game)
        case "roll-or-double":
            refused = {fact.span for fact in game.facts if refuses_double(fact, rule_book)}
            rolls = set(_find_rolls(game))
            for action in game.turns.actions():
                if action.span in rolls or (type(action) is Double and action.span not in refused):
                    yield action.span
        case "play":
            yield from (turn.action.span for turn in _completed_plays(game.turns, game.not_rolled))


def _find_rolls(game: GameReplay) -> Iterator[Span]:
    """Yield the places of a game's rolls."""
    for action in game.turns.actions():
        if is_roll(action) and action.span not in game.not_rolled:
            yield action.span


def _completed_plays(turns: Iterable[Turn], not_rolled: Collection[Span]) -> Iterator[Turn]:
    """Yield the turns of a game whose roll was played, or had no legal play.

    `not_rolled` are places of plays that count as no roll, such as a repeated row.
    """
    for turn in turns:
        action = turn.action
        if not isinstance(action, Play) or not is_roll(action) or action.span in not_rolled:
            continue
        if turn.legality is not None or action.steps:
            yield turn


def refuses_double(fact: Fact, rule_book: RuleBook) -> bool:
    """Whether the fact reports a double that the rule book makes invalid."""
    if fact.rule == "dead-cube":
        return rule_book.dead_cube == "prohibit"
    return fact.rule in INVALID_DOUBLE


def is_roll(action: Action) -> bool:
    """Whether the action shows a roll: dice are recorded, or checkers were moved."""
    return type(action) is Play and (action.dice not in (None, (0, 0)) or bool(action.steps))


def find_set_up_closer(
    turns: Iterable[Turn], not_rolled: Collection[Span], rule_book: RuleBook
) -> Span | None:
    """Return the place in a game that makes it too late to correct a wrong set-up, or None if none does.

    `not_rolled` are places of plays that count as no roll, such as a repeated row.
    """
    match rule_book.set_up_stands_after:
        case "second-play" | "second-roll-played":
            return _second_play(turns, not_rolled)
        case "starters-second-turn":
            return _second_turn_of_starter(turns, not_rolled)
        case "fifth-roll":
            return _fifth_roll(turns, not_rolled)


def _second_play(turns: Iterable[Turn], not_rolled: Collection[Span]) -> Span | None:
    """Return the place of the second play of a game, the first by the other side, or None if it is missing.

    Set-up errors can be corrected until then. `not_rolled` are the places of plays that do not
    count, such as a repeated opening roll.
    """
    first: Side | None = None
    for turn in turns:
        action = turn.action
        if not isinstance(action, Play) or not is_roll(action) or action.span in not_rolled:
            continue
        if first is None:
            first = action.side
        elif action.side != first and (turn.legality is not None or action.steps):
            return action.span
    return None


def _second_turn_of_starter(turns: Iterable[Turn], not_rolled: Collection[Span]) -> Span | None:
    """Return the place of the starting side's first roll or double after the other side's roll, or None.

    `not_rolled` are the places of plays that count as no roll.
    """
    starter: Side | None = None
    has_other_rolled = False
    for action in (turn.action for turn in turns):
        rolls = isinstance(action, Play) and is_roll(action) and action.span not in not_rolled
        if not rolls and not isinstance(action, Double):
            continue
        assert isinstance(action, Play | Double)
        if starter is None:
            starter = action.side if rolls else None
        elif action.side != starter:
            has_other_rolled |= rolls
        elif has_other_rolled:
            return action.span
    return None


def _fifth_roll(turns: Iterable[Turn], not_rolled: Collection[Span]) -> Span | None:
    """Return the place of a game's fifth roll, or None. Rolls of one side in a row count once.

    `not_rolled` are the places of plays that count as no roll.
    """
    count, last = 0, None
    for action in (turn.action for turn in turns):
        if not isinstance(action, Play) or not is_roll(action) or action.span in not_rolled:
            continue
        count, last = count + (action.side != last), action.side
        if count == FIFTH:
            return action.span
    return None


FIFTH = 5


def with_standing(fact: Fact, places: CorrectionLimits) -> Fact:
    """Return an error with its standing: whether it can still be corrected (open), was corrected, or stands.

    `places` has the actions that made it too late. If a director corrected the error, its details
    also keep what the standing would be without the director.
    """
    by_book = _with_standing_by_book(fact, places)
    if RULED not in fact.about or fact.standing is not None:
        return by_book
    return fact._replace(
        about={**fact.about, BY_BOOK: by_book},
        standing=Standing.CORRECTED,
        closed_by=fact.about[RULED],
    )


BY_BOOK = "by_book"
"""Detail of an error that a director corrected: the fact with the standing without the ruling."""


def _with_standing_by_book(fact: Fact, places: CorrectionLimits) -> Fact:
    """Return an error with its standing (open, corrected, stands), as if no director had ruled on it.

    `places` has the actions that made it too late to correct it.
    """
    if fact.standing is not None or fact.rule not in _WITH_STANDING:
        return fact
    if fact.rule in MOVEMENT:
        return _close_fact(fact, _next_roll(fact, places))
    if fact.rule == "shared-point" and places.rule_book.impossible_position:
        return _close_fact(fact, None)
    if fact.rule in SET_UP:
        return _close_fact(fact, _find_closer_of_set_up(fact, places))
    if is_left_over(fact, places.left_over):
        fact = fact._replace(about={**fact.about, "left_over": True})
        return _close_fact(fact, None) if places.rule_book.left_over_cube else fact
    return _with_standing_of_cube(fact, places) if _is_forbidden(fact, places.rule_book) else fact


def _close_fact(fact: Fact, closer: Span | None) -> Fact:
    """Return an error that stands, because the action at `closer` made it too late to correct it.

    If `closer` is None, the error is still open.
    """
    if closer is None:
        return fact._replace(standing=Standing.OPEN, closed_by=END_OF_RECORD)
    return fact._replace(standing=Standing.STANDS, closed_by=place_text(closer))


def _is_forbidden(fact: Fact, rule_book: RuleBook) -> bool:
    """Whether a fact reports a double that the Crawford rule or the score forbids."""
    if fact.rule == "dead-cube":
        return rule_book.dead_cube == "prohibit"
    return fact.rule == "crawford-double" and bool(fact.about["known"])


def _with_standing_of_cube(fact: Fact, places: CorrectionLimits) -> Fact:
    """Return a forbidden double with its standing (open, stands), if the rule book covers such doubles.

    `places` has the actions that made it too late to annul it.
    """
    match places.rule_book.forbidden_cube:
        case None:
            return fact
        case "void":
            return _close_fact(fact, None)
        case "annulled-until-recorded":
            return _close_fact(fact, places.next_game)
        case "stand":
            return _close_fact(fact, fact.span)


def is_left_over(fact: Fact, values: Collection[int]) -> bool:
    """Whether a wrong cube at the start of a game may be left over from the last game.

    It may if it has one of `values`, those that the cube may have had at the end of that game.
    """
    if fact.rule == "impossible-cube":
        return fact.about["why"] == BEFORE_FIRST_ROLL and fact.about["value"] in values
    if fact.rule != "wrong-value" or fact.about["expected"] != FIRST_OFFER:
        return False
    return fact.about["value"] // 2 in values and fact.about["value"] > FIRST_OFFER


def _next_roll(fact: Fact, places: CorrectionLimits) -> Span | None:
    """Return the place that makes it too late to correct the faulty play, or None if nothing follows."""
    return places.next_rolls.get(fact.turn.action.span if fact.turn else fact.span)


def _find_closer_of_set_up(fact: Fact, places: CorrectionLimits) -> Span | None:
    """Return the place that makes it too late to correct a wrong set-up, or None.

    It is in the same game or, if that was too short, at the first roll of a later game.
    """
    if fact.game is None:
        return None
    game = places.game
    closer = find_set_up_closer(game.turns, game.not_rolled, places.rule_book)
    return closer or places.next_game


def place_text(span: Span) -> str:
    """Return the place as findings name it, `line:column`."""
    return f"{span.line}:{span.column}"
