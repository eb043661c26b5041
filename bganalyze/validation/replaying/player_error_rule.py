"""The player-error rule: whether an error can still be corrected, was corrected, or stands.

By the base rules an error of movement can be corrected only before the next roll, an error of set-up
only before the second play of the game ("Player Error" in the rule texts this project starts from).
Rule books set other ends, and say what becomes of some errors of the cube.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Action, Double, Play, Side, Span
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.replayed import RULED, GameReplay, MatchProblem, Turn

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
"""Problems that make a double invalid. An invalid double closes no error."""

CUBE = frozenset(("crawford-double", "dead-cube", "wrong-value", "impossible-cube"))
"""Problems about the cube that have a standing if the rule book covers them."""

_WITH_STANDING = MOVEMENT | SET_UP | CUBE

END_OF_RECORD = "end-of-record"

BEFORE_FIRST_ROLL = "owned by a side before the first roll"
"""Why a recorded cube is impossible if it may be left over from the last game."""

FIRST_OFFER = 2
"""The value that the first double of a game offers."""


def mark_correctable_errors(
    games: Sequence[GameReplay], rule_book: RuleBook
) -> tuple[GameReplay, ...]:
    """Return the games with each error marked: correctable, corrected or too late to correct."""
    if not any(map(_has_correctable_error, games)):
        return tuple(games)
    closing = [next(_find_closing_places(game, rule_book), None) for game in games]
    begun = [next(_find_rolls(game), None) for game in games]
    previous = (None, *games[:-1])
    return tuple(
        _mark_correctable_errors_of_game(
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
            games,
            _find_first_in_later_games(closing),
            _find_first_in_later_games(begun),
            previous,
            strict=True,
        )
    )


def _has_correctable_error(game: GameReplay) -> bool:
    """Whether a game has an error that players may correct until a certain later action."""
    return any(problem.rule in _WITH_STANDING for problem in game.problems)


def _mark_correctable_errors_of_game(game: GameReplay, limits: CorrectionLimits) -> GameReplay:
    """Return a game with each error marked: correctable, corrected or too late to correct."""
    return game._replace(
        problems=tuple(mark_if_correctable(problem, limits) for problem in game.problems)
    )


class CorrectionLimits(NamedTuple):
    """The places of actions after which the errors of a game can no longer be corrected."""

    rule_book: RuleBook
    game: GameReplay
    next_rolls: Mapping[Span, Span]
    """For the place of each action, the place from which an illegal play there can no longer be
    corrected. Actions without such a place are left out."""
    later: Span | None
    """The first place in a later game from which an illegal play cannot be corrected."""
    next_game: Span | None
    """The first roll of a later game."""
    left_over: Collection[int]
    """The values that the cube may have had at the end of the game before."""


def _find_first_in_later_games(first_places: Sequence[Span | None]) -> list[Span | None]:
    """Return for each game the first item of `first_places` that belongs to a later game, or None.

    `first_places` has one place or None for each game.
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
    """Map the place of each action to that of the later action that makes correction too late.

    `later` is the place of the first action in a later game that does so, or None.
    """
    following: dict[Span, Span] = {}
    closing, roll = set(_find_closing_places(game, rule_book)), later
    for action in reversed(list(game.turns.actions())):
        span = action.span
        if roll is not None:
            following[span] = roll
        if span in closing:
            # The next roll, double or completed play, as the rule book says.
            roll = span
    return following


def _find_closing_places(game: GameReplay, rule_book: RuleBook) -> Iterator[Span]:
    """Yield the places of actions that make it too late to correct earlier illegal plays."""
    match rule_book.stands_after:
        case "roll":
            yield from _find_rolls(game)
        case "roll-or-double":
            refused = {
                problem.span for problem in game.problems if refuses_double(problem, rule_book)
            }
            rolls = set(_find_rolls(game))
            for action in game.turns.actions():
                if action.span in rolls or (type(action) is Double and action.span not in refused):
                    yield action.span
        case "play":
            yield from (
                turn.action.span for turn in _find_completed_plays(game.turns, game.not_rolled)
            )


def _find_rolls(game: GameReplay) -> Iterator[Span]:
    """Yield the places of a game's rolls."""
    for action in game.turns.actions():
        if is_roll(action) and action.span not in game.not_rolled:
            yield action.span


def _find_completed_plays(turns: Iterable[Turn], skipped_rolls: Collection[Span]) -> Iterator[Turn]:
    """Yield the turns whose roll was played or has no legal play, without `skipped_rolls`."""
    for turn in turns:
        action = turn.action
        if not isinstance(action, Play) or not is_roll(action) or action.span in skipped_rolls:
            # A repeated row, for example, is no new roll.
            continue
        if turn.legality is not None or action.steps:
            yield turn


def refuses_double(error: MatchProblem, rule_book: RuleBook) -> bool:
    """Whether an error is a double that the rule book treats as invalid."""
    if error.rule == "dead-cube":
        return rule_book.dead_cube == "prohibit"
    return error.rule in INVALID_DOUBLE


def is_roll(action: Action) -> bool:
    """Whether an action is a play whose roll is known or whose checkers moved."""
    return type(action) is Play and (action.dice not in (None, (0, 0)) or bool(action.steps))


def find_end_of_set_up_correction(
    turns: Iterable[Turn], skipped_rolls: Collection[Span], rule_book: RuleBook
) -> Span | None:
    """Return the place of the game's action that makes it too late to correct a set-up, or None.

    `skipped_rolls` are the places of plays that do not count, such as those of a repeated row.
    """
    match rule_book.set_up_stands_after:
        case "second-play" | "second-roll-played":
            return _find_second_play(turns, skipped_rolls)
        case "starters-second-turn":
            return _find_second_turn_of_starter(turns, skipped_rolls)
        case "fifth-roll":
            return _find_fifth_roll(turns, skipped_rolls)


def _find_second_play(turns: Iterable[Turn], skipped_rolls: Collection[Span]) -> Span | None:
    """Return the place of the first play by the side that plays second, or None."""
    first: Side | None = None
    for turn in turns:
        action = turn.action
        if not isinstance(action, Play) or not is_roll(action) or action.span in skipped_rolls:
            continue
        if first is None:
            first = action.side
        elif action.side != first and (turn.legality is not None or action.steps):
            return action.span
    return None


def _find_second_turn_of_starter(
    turns: Iterable[Turn], skipped_rolls: Collection[Span]
) -> Span | None:
    """Return the place of the second turn (roll or double) of the side that began, or None."""
    starter: Side | None = None
    has_other_rolled = False
    for action in (turn.action for turn in turns):
        rolls = isinstance(action, Play) and is_roll(action) and action.span not in skipped_rolls
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


def _find_fifth_roll(turns: Iterable[Turn], skipped_rolls: Collection[Span]) -> Span | None:
    """Return the place of a game's fifth roll, or None."""
    count, last = 0, None
    for action in (turn.action for turn in turns):
        if not isinstance(action, Play) or not is_roll(action) or action.span in skipped_rolls:
            continue
        # Successive rolls of one side count once.
        count, last = count + (action.side != last), action.side
        if count == FIFTH:
            return action.span
    return None


FIFTH = 5


def mark_if_correctable(error: MatchProblem, limits: CorrectionLimits) -> MatchProblem:
    """Return an error marked as correctable, corrected or too late to correct."""
    by_book = _mark_as_if_no_director_ruled(error, limits)
    if RULED not in error.about or error.standing is not None:
        return by_book
    return error._replace(
        about={**error.about, BY_BOOK: by_book},
        standing=Standing.CORRECTED,
        closed_by=error.about[RULED],
    )


BY_BOOK = "by_book"
"""Detail of an error that a director corrected: the problem with the standing without the ruling."""


def _mark_as_if_no_director_ruled(error: MatchProblem, limits: CorrectionLimits) -> MatchProblem:
    """Return an error marked as correctable, corrected or too late, as if no director had ruled."""
    if error.standing is not None or error.rule not in _WITH_STANDING:
        return error
    if error.rule in MOVEMENT:
        place = error.turn.action.span if error.turn else error.span
        return _set_standing(error, limits.next_rolls.get(place))
    if error.rule == "shared-point" and limits.rule_book.impossible_position:
        return _set_standing(error, None)
    if error.rule in SET_UP:
        return _set_standing(error, _find_place_closing_set_up(error, limits))
    if is_cube_left_over(error, limits.left_over):
        error = error._replace(about={**error.about, "left_over": True})
        return _set_standing(error, None) if limits.rule_book.left_over_cube else error
    return (
        _mark_forbidden_double(error, limits) if _is_forbidden(error, limits.rule_book) else error
    )


def _set_standing(error: MatchProblem, closed_by: Span | None) -> MatchProblem:
    """Return an error marked as too late to correct since the action at `closed_by`.

    If `closed_by` is None, the error can still be corrected at the end of the file.
    """
    if closed_by is None:
        return error._replace(standing=Standing.OPEN, closed_by=END_OF_RECORD)
    return error._replace(standing=Standing.STANDS, closed_by=place_text(closed_by))


def _is_forbidden(error: MatchProblem, rule_book: RuleBook) -> bool:
    """Whether an error is a double that the Crawford rule or the rule on dead cubes forbids."""
    if error.rule == "dead-cube":
        return rule_book.dead_cube == "prohibit"
    return error.rule == "crawford-double" and bool(error.about["known"])


def _mark_forbidden_double(error: MatchProblem, limits: CorrectionLimits) -> MatchProblem:
    """Return a forbidden double marked as correctable or as too late to annul."""
    match limits.rule_book.forbidden_cube:
        case None:
            return error
        case "void":
            return _set_standing(error, None)
        case "annulled-until-recorded":
            return _set_standing(error, limits.next_game)
        case "stand":
            return _set_standing(error, error.span)


def is_cube_left_over(error: MatchProblem, values: Collection[int]) -> bool:
    """Whether a wrong cube value may come from a cube that was not reset after the last game.

    `values` are the possible cube values at the end of that game.
    """
    if error.rule == "impossible-cube":
        return error.about["why"] == BEFORE_FIRST_ROLL and error.about["value"] in values
    if error.rule != "wrong-value" or error.about["expected"] != FIRST_OFFER:
        return False
    return error.about["value"] // 2 in values and error.about["value"] > FIRST_OFFER


def _find_place_closing_set_up(error: MatchProblem, limits: CorrectionLimits) -> Span | None:
    """Return the place of the action that makes it too late to correct a wrong set-up, or None.

    The action may be in a later game.
    """
    if error.game is None:
        return None
    game = limits.game
    closer = find_end_of_set_up_correction(game.turns, game.not_rolled, limits.rule_book)
    # If the game was too short, it is the first roll of a later game.
    return closer or limits.next_game


def place_text(span: Span) -> str:
    """Return a place in the form used by findings: `line:column`."""
    return f"{span.line}:{span.column}"
