"""A director's rulings in a match file: points given, a game played again, checkers put back.

A ruling counts as it is written. `ruling-mismatch` reports one that the rest of the match file
contradicts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

from bganalyze.board.cube import limit_points
from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.plays import legal_plays
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    Game,
    GameReplayed,
    Match,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    RulingMade,
    Side,
    Span,
)
from bganalyze.record.players import has_swapped_columns
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, SET_UP, place_text
from bganalyze.validation.replaying.replayed import (
    RULED,
    Boards,
    GameReplay,
    MatchProblem,
    Turn,
    seen_by,
)
from bganalyze.validation.replaying.set_ups import boards_from_start
from bganalyze.validation.replaying.state import GameState, ReportedProblem
from bganalyze.validation.replaying.terms import start_of
from bganalyze.validation.replaying.trial import boards_to_lists, lists_to_boards, play_on_lists

Score = tuple[int, int]

_OF_PLAY = (Play, Double, Answer, Resignation, Result)
"""Actions after which points that are given count in the next game."""


_ENDS = (Resignation, Result)
"""Actions that end a game."""

_RULINGS = frozenset((PointsGiven, GameReplayed, CheckersPutBack))


def has_rulings(game: Game) -> bool:
    """Whether a director made a ruling in a game."""
    return not _RULINGS.isdisjoint(map(type, game.actions))


# -- points


def points_before(game: Game) -> Score:
    """Return the points that a director gave each side before the game began."""
    return _sum_points(_split_points(game)[0])


def points_from_start(game: Game) -> Score:
    """Return the points that a director gave each side after the game began."""
    return _sum_points(_split_points(game)[1])


def points_during(game: Game) -> Score:
    """Return the points that a director gave each side during the game, before its result."""
    if not has_rulings(game):
        return 0, 0
    ends = (number for number, action in enumerate(game.actions) if type(action) in _ENDS)
    end = next(ends, len(game.actions))
    given = {ruling.span for ruling in _split_points(game)[1]}
    return _sum_points(
        action
        for action in game.actions[:end]
        if type(action) is PointsGiven and action.span in given
    )


def _split_points(game: Game) -> tuple[list[PointsGiven], list[PointsGiven]]:
    """Return the rulings that give points, in two lists: before the game began, and later."""
    before: list[PointsGiven] = []
    later: list[PointsGiven] = []
    if not has_rulings(game):
        return before, later
    is_begun = False
    for action in game.actions:
        is_begun = is_begun or type(action) in _OF_PLAY
        if type(action) is PointsGiven:
            (later if is_begun else before).append(action)
    return before, later


def rulings_on_points(game: Game, previous: Game | None) -> list[PointsGiven]:
    """Return the rulings that gave points after `previous` began and before `game` began.

    The score line of `game` must include these points.
    """
    later = [] if previous is None else _split_points(previous)[1]
    return [*later, *_split_points(game)[0]]


def _sum_points(rulings: Iterable[PointsGiven]) -> Score:
    """Return the points that these rulings give each side in total."""
    left = right = 0
    for ruling in rulings:
        if ruling.to == LEFT:
            left += ruling.points
        else:
            right += ruling.points
    return left, right


def add_points(score: Score, given: Score, length: int | None) -> Score:
    """Add a director's points to a score, up to the match length (0 for no limit).

    >>> add_points((3, 2), (0, 1), 5), add_points((4, 2), (2, 0), 5)
    ((3, 3), (5, 2))
    """
    left, right = (
        points + limit_points(more, length, points) if more else points
        for points, more in zip(score, given, strict=True)
    )
    return left, right


def add_points_to_all(scores: set[Score], given: Score, length: int | None) -> set[Score]:
    """Return the scores with a director's points added, both in full and up to the match length."""
    if given == (0, 0):
        return scores
    in_full = {add_points(score, given, None) for score in scores}
    return in_full | {add_points(score, given, length) for score in scores}


def is_replayed(game: Game) -> bool:
    """Whether a director ruled that the game is played again."""
    return GameReplayed in map(type, game.actions)


def with_points_given(
    match: Match, games: Sequence[GameReplay], order: Sequence[int]
) -> list[GameReplay]:
    """Return the games, each with the points that a director gave during it in the field `given`.

    `order` has the numbers of the games in the order of play.
    """
    given = {number: points_from_start(games[number - 1].game) for number in order}
    for number, following in pairwise(order):
        game, after = games[number - 1].game, games[following - 1].game
        points = points_before(after)
        if has_swapped_columns(match, game) != has_swapped_columns(match, after):
            points = points[1], points[0]
        given[number] = given[number][0] + points[0], given[number][1] + points[1]
    return [game._replace(given=given[number]) for number, game in enumerate(games, start=1)]


# -- checkers

MOST_TURNS = 20
"""Turns between an error and the ruling that corrects it; also the number of problems looked at."""


def move_checkers(boards: Boards, ruling: CheckersPutBack) -> Boards | MissingChecker:
    """Return the boards with checkers moved as the ruling says, or the missing checker."""
    moved = list(boards[0]), list(boards[1])
    for side, steps in zip((LEFT, RIGHT), ruling.steps, strict=True):
        for (source, *_, target), _ in steps:
            if not moved[side][source]:
                return MissingChecker(side, source)
            moved[side][source] -= 1
            moved[side][target] += 1
    return lists_to_boards(moved)


class MissingChecker(NamedTuple):
    """A checker that a ruling moves, but that is not on the board."""

    side: Side
    point: int


def carry_out_ruling(state: GameState, ruling: RulingMade) -> None:
    """Carry out a director's ruling: put checkers back, or end a game to be replayed."""
    match ruling:
        case CheckersPutBack():
            _put_checkers_back(state, ruling)
        case GameReplayed():
            for noted in (
                *_find_uncorrected_errors(state, MOVEMENT),
                *_find_uncorrected_errors(state, SET_UP),
            ):
                _mark_corrected(noted, ruling)
            state.end.end_to_be_played_again()


def _put_checkers_back(state: GameState, action: CheckersPutBack) -> None:
    """Put checkers back as a director ruled, and mark the errors corrected by it."""
    if state.end.result is not None or state.end.kind == "replayed":
        _report_mismatch(state, action, why="over")
        return
    boards = move_checkers(state.boards, action)
    # The ruling is reported if there is no checker to move or no error to correct.
    if isinstance(boards, MissingChecker):
        _report_mismatch(state, action, why="no-checker", who=boards.side, point=boards.point)
        return
    corrected = _find_corrected_errors(state, action, boards)
    for noted in corrected:
        _mark_corrected(noted, action)
    if not corrected:
        error = _find_last_error(state, MOVEMENT)
        _report_mismatch(
            state, action, why="no-error", dice=None if error is None else _find_dice(error.problem)
        )
    _decide_turn_after_ruling(state, boards, corrected)
    state.set_boards(boards)
    if state.end.kind == "borne-off" and any(boards[state.end.winner or LEFT][1:]):
        state.end.reopen_game()


def _mark_corrected(report: ReportedProblem, ruling: RulingMade) -> None:
    """Mark an error as corrected by a director's `ruling`."""
    report.amend_problem(about={**report.problem.about, RULED: place_text(ruling.span)})


def _report_mismatch(state: GameState, action: CheckersPutBack, **details: Any) -> None:
    """Report that a ruling to put checkers back does not fit the game, with `details` for the message."""
    cause = state.doubt.cause
    if cause is None:
        state.add_problem("ruling-mismatch", action, **details)
    else:
        # The board was uncertain already.
        cause.add_consequence(action, "ruling-mismatch")


def _decide_turn_after_ruling(
    state: GameState, boards: Boards, corrected: Sequence[ReportedProblem]
) -> None:
    """Give the turn to the side that acts next after a director put checkers back.

    `boards` are the boards after the ruling. `corrected` are the errors that it corrects.
    """
    if state.last is None:
        return
    for turn in (noted.problem.turn for noted in corrected):
        if turn is not None and isinstance(turn.action, Play) and boards == turn.before:
            state.give_turn(turn.action.side)
            return
    # The player of a play that was taken back acts again, or of a roll not yet played.
    is_taken_back = boards == state.boards_before_last_play() != state.boards
    if is_taken_back or state.last.play.how is PlayRecord.UNPLAYED:
        state.give_turn(state.last.play.side)


def _find_corrected_errors(
    state: GameState, action: CheckersPutBack, boards: Boards
) -> list[ReportedProblem]:
    """Return the errors that are corrected by putting checkers back as a director ruled.

    `boards` are the boards after the ruling.
    """
    error = _find_last_error(state, MOVEMENT)
    if error is not None and _corrects_illegal_play(state, error.problem, action, boards):
        return [error]
    # Plays made since from the right start lead to these boards.
    wrong = _find_uncorrected_errors(state, SET_UP)
    start = start_of(state.context.terms.variant)
    return wrong if wrong and boards == boards_from_start(state, start) else []


def _find_uncorrected_errors(state: GameState, rules: Collection[str]) -> list[ReportedProblem]:
    """Return the recent errors against `rules` that nobody has corrected, latest first."""
    return [
        noted
        for noted in islice(reversed(state.problems), MOST_TURNS)
        if noted.problem.rule in rules
        and noted.problem.standing is None
        and RULED not in noted.problem.about
    ]


def _find_last_error(state: GameState, rules: Collection[str]) -> ReportedProblem | None:
    """Return the latest error against `rules` that nobody has corrected, or None."""
    return next(iter(_find_uncorrected_errors(state, rules)), None)


def _find_dice(error: MatchProblem) -> Dice | None:
    """Return the roll of the illegal play that a problem reports, or None."""
    action = None if error.turn is None else error.turn.action
    return action.dice if isinstance(action, Play) else None


def _corrects_illegal_play(
    state: GameState, error: MatchProblem, ruling: CheckersPutBack, boards: Boards
) -> bool:
    """Whether a director's ruling takes an illegal play back or changes it into a legal play.

    `boards` are the boards after the ruling.
    """
    later: list[Play] = []
    faulty: Turn | None = None
    # Plays made since then may stay on the board.
    for turn in islice(reversed(state.turns), MOST_TURNS):
        if error.turn is not None and turn.action is error.turn.action:
            faulty = turn
            break
        if isinstance(turn.action, Play):
            later.append(turn.action)
    dice = _find_dice(error)
    if faulty is None or dice is None or not are_dice(dice):
        return False
    if boards == faulty.before:
        return True
    meant = move_checkers(faulty.after, ruling)
    if isinstance(meant, MissingChecker):
        return False
    side = LEFT if error.side == LEFT else RIGHT
    is_taken_back = meant == faulty.before and all(
        play.how is PlayRecord.UNPLAYED for play in later
    )
    if not is_taken_back and seen_by(meant, side) not in legal_plays(faulty.position(side), dice):
        return False
    sides = boards_to_lists(meant)
    for play in reversed(later):
        play_on_lists(sides, play, marks_hits=state.conventions.marks_hits)
    return lists_to_boards(sides) == boards


def is_roll_interrupted(state: GameState) -> bool:
    """Whether a director's ruling puts checkers back after the current roll, before its play."""
    following = (action for action in state.later_actions() if type(action) is not Comment)
    return type(next(following, None)) is CheckersPutBack


def interrupted_rolls(game: GameReplay) -> Iterator[Span]:
    """Yield the place of each roll that a director interrupted before it was played."""
    if not has_rulings(game.game):
        return
    # The file writes such a roll again after the ruling.
    actions = [action for action in game.game.actions if type(action) is not Comment]
    for roll, ruling, again in zip(actions, actions[1:], actions[2:], strict=False):
        if type(roll) is Play and roll.how is PlayRecord.UNPLAYED:
            is_again = type(again) is Play and (again.side, again.dice) == (roll.side, roll.dice)
            if type(ruling) is CheckersPutBack and is_again:
                yield roll.span
