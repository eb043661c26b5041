"""The end of a game: its possible points, and whether the recorded result agrees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bganalyze.board.cube import Cube, classify_loss, limit_points
from bganalyze.board.position import OFF, UNCHECKED
from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Play,
    Resignation,
    Result,
    Side,
    other_side,
)
from bganalyze.validation.replaying.cube import possible_cubes
from bganalyze.validation.replaying.replayed import Ending, EndKind, MatchProblem, TermsOfPlay
from bganalyze.validation.replaying.state import GameState

SIZES = (1, 2, 3)

MOST_CAPPED = 200
"""Limit of points considered; no winner of a match could need more."""


def is_board_in_doubt(state: GameState) -> bool:
    """Whether the final board of the replay may differ from the real one."""
    doubt = state.doubt
    if doubt.cause is not None or doubt.is_amended or (state.odd_rows and state.astray):
        return True  # Or rows are missing: numbers jump, and plays do not fit.
    return any(noted.problem.rule == "unreadable-text" for noted in state.problems)


def allowed_points(state: GameState, winner: Side) -> frozenset[int]:
    """Return the numbers of points that a result line may state for a win of `winner`.

    Points may be written in full or only as many as the winner needs. The result is empty if they
    are unknown.
    """
    full = {
        points
        for cube in possible_cubes(state)
        for points in _find_possible_points(state, winner, cube)
    }
    length, score = state.context.terms.length, state.context.score[winner]
    if length is None or state.is_swapped:
        return frozenset(full) | _list_possible_capped_points(full)
    if length == 0:
        return frozenset(full)
    as_they_count = {limit_points(points, length, score) for points in full if score < length}
    by_length = {min(points, length) for points in full}
    return frozenset(full | as_they_count | by_length | _find_points_needed(state, winner))


def resigned_points(state: GameState) -> int | None:
    """Return the points given up by a resignation, or None if unknown or without a resignation."""
    resignation, cube = state.end.resignation, state.cube.now
    if resignation is None or resignation.size is None:
        return resignation.points if resignation else None
    may_be_jacoby = state.context.terms.jacoby is not False and cube.owner is None
    if state.cube.fault is not None or (may_be_jacoby and resignation.size > 1):
        return None
    # The size is 1 to 3.
    return resignation.size * cube.value


def may_gammon_count_once(terms: TermsOfPlay, cube: Cube) -> bool:
    """Whether a gammon may count once: nobody doubled, and the Jacoby rule may be in force."""
    return terms.is_money and terms.jacoby is not False and cube.owner is None


def _list_possible_capped_points(full_points: set[int]) -> frozenset[int]:
    """Return the points that a win may count if a match of unknown length limits its `full_points`.

    >>> sorted(_list_possible_capped_points({2, 4}))
    [1, 2, 3]
    """
    return frozenset(range(1, min(max(full_points, default=0), MOST_CAPPED)))


def _find_possible_points(state: GameState, winner: Side, cube: Cube) -> set[int]:
    """Return the points that a win of `winner` may be worth with `cube` as the final cube."""
    if state.end.kind == "pass":
        return {cube.refused or cube.value}
    sizes = _find_possible_multiples(state, winner)
    if cube.owner is None and state.context.terms.jacoby is not False:
        sizes = {1} if state.context.terms.jacoby else sizes | {1}
    return {cube.value * size for size in sizes}


def _find_possible_multiples(state: GameState, winner: Side) -> set[int]:
    """Return by which multiples of the cube value `winner` may have won: some of 1, 2 and 3."""
    loser = state.boards[other_side(winner)]
    if is_board_in_doubt(state):
        return set(SIZES)
    if state.end.kind == "borne-off":
        return {int(classify_loss(loser))}
    # With a checker off, a side loses a single game, unless its resignation states more.
    is_off = bool(loser[OFF]) and state.find_misleading_error() is None
    return {1} if is_off and state.end.is_implied else set(SIZES)


def _find_points_needed(state: GameState, winner: Side) -> set[int]:
    """Return the points that a result may state if the loser gave up the whole match."""
    length = state.context.terms.length
    if state.end.kind in ("borne-off", "pass") or not length:
        return set()
    # Some files write the match length, others the points that the winner needs.
    return {length, max(length - state.context.score[winner], 0)}


def possible_sizes(loser: tuple[int, ...], winner: tuple[int, ...]) -> range:
    """Return the multiples of the cube value that the side `loser` may still lose.

    `loser` and `winner` have each side's checkers on each point.

    A side with a checker off loses no gammon. A side past all contact and outside the winner's home
    board loses no backgammon.

    >>> home = (0,) * 6 + (15,) + (0,) * 19
    >>> list(possible_sizes(home, home))
    [1, 2]
    """
    if loser[0]:
        return range(1, 2)
    rearmost = max((point for point in range(26) if loser[point]), default=0)
    rearmost_of_winner = max((point for point in range(26) if winner[point]), default=0)
    contact = rearmost + rearmost_of_winner > 25
    return range(1, 4) if contact or rearmost >= 19 else range(1, 3)


POSSIBLE_ODD_PARTS = (1, 3)
"""Odd factors of a possible number of points (a power of two times 1, 2 or 3)."""

CERTAINLY_POSSIBLE = 64
MOST_POSSIBLE = 3 * 1024

OFF_THE_BOARD = re.compile(
    r"forfeit|out of time|on time|aborted|connection lost|disconnect|timed out", re.IGNORECASE
)


def kind_of_end_off_board(text: str) -> EndKind:
    """Return how a game ended according to a comment: by forfeit, on time, or abandoned.

    >>> kind_of_end_off_board("Ann wins by forfeit"), kind_of_end_off_board("connection lost")
    ('forfeit', 'abandoned')
    """
    words = text.casefold()
    if "forfeit" in words:
        return "forfeit"
    return "time" if re.search(r"on time|out of time|timed out", words) else "abandoned"


def ending_of(state: GameState) -> Ending:
    """Return how the game ended, who won, and how many points the win gives."""
    result, context = state.end.result, state.context
    kind: EndKind = state.end.kind or "abandoned"
    if kind == "replayed":
        return Ending(kind, None, None, None, None)
    winner = state.end.winner if result is None else result.side
    recorded = result.points if result else resigned_points(state)
    gained = recorded if recorded is not None else state.end.loss
    counting = None
    if winner is not None and gained is not None:
        counting = limit_points(gained, context.terms.length, context.score[winner])
    is_decided = not state.end.is_implied and not is_board_in_doubt(state)
    decided_for = state.end.winner if is_decided else None
    return Ending(kind, winner, recorded, state.end.loss, counting, decided_for)


def result_problems(state: GameState, *, last: bool) -> Iterator[MatchProblem]:
    """Yield the problems with a game's result, including a missing result.

    The `last` game of the match needs no result.
    """
    result = state.end.result
    if state.end.kind == "replayed":
        return
    if result is None:
        yield from _report_missing_result(state, last=last)
        return
    if are_points_impossible(result.points):
        yield problem_of(state, "impossible-value", result, points=result.points)
    contradictions = [] if state.end.doubt is not None else [*_report_wrong_result(state, result)]
    yield from contradictions
    if all(problem.rule != "wrong-winner" for problem in contradictions):
        yield from _report_wrong_match_mark(state, result, last=last)
    yield from _report_end_off_board(state)


def problem_of(state: GameState, rule: str, action: Action, **about: Any) -> MatchProblem:
    """Return the problem that `action` breaks `rule`, with the details `about` for the message."""
    side = getattr(action, "side", None)
    return MatchProblem(rule, action.span, about, state.context.game, action.row, side)


def _report_missing_result(state: GameState, *, last: bool) -> Iterator[MatchProblem]:
    """Yield a problem if a game is unfinished or has no result."""
    place = state.game.actions[-1].span if state.game.actions else state.game.span
    game = state.context.game
    off_the_board = list(_report_end_off_board(state))
    if off_the_board:
        yield from off_the_board
    elif state.end.kind is None and state.context.terms.variant not in UNCHECKED:
        yield MatchProblem("unfinished-game", place, {}, game)
    # The last game of a match may lack a result.
    elif not last:
        yield MatchProblem("missing-result", place, {"ended": state.end.kind}, game)


def are_points_impossible(points: int) -> bool:
    """Whether no win can give this number of points.

    >>> are_points_impossible(4016), are_points_impossible(96), are_points_impossible(5)
    (True, False, False)
    """
    odd = points
    while odd and odd % 2 == 0:
        odd //= 2
    if points > MOST_POSSIBLE:
        return True
    # Points above this must be a cube value times 1, 2 or 3.
    return points > CERTAINLY_POSSIBLE and odd not in POSSIBLE_ODD_PARTS


def _report_wrong_result(state: GameState, result: Result) -> Iterator[MatchProblem]:
    """Yield a problem if the result differs from the board, the cube or a resignation."""
    if state.end.winner != result.side:
        if not is_board_in_doubt(state):
            about = {"winner": state.end.winner, "ended": state.end.kind}
            yield problem_of(state, "wrong-winner", result, **about)
        return
    if are_points_impossible(result.points):
        return  # Already reported.
    # True of nearly all games. Computing the other allowed points takes 1 % of a check.
    if state.end.loss == result.points:
        yield from _report_resignation_mismatch(state, result)
        return
    allowed = allowed_points(state, result.side)
    if state.end.is_implied and _has_no_ending(state) and not _counts_take_as_pass(state, result):
        yield problem_of(state, "unfounded-win", result)
        return
    if result.points in allowed:
        yield from _report_resignation_mismatch(state, result)
    elif _counts_gammon_despite_jacoby(state, result):
        yield problem_of(state, "jacoby-gammon", result, points=result.points)
    else:
        points, ended = result.points, state.end.kind
        problem = problem_of(
            state, "wrong-points", result, points=points, allowed=sorted(allowed), ended=ended
        )
        yield problem._replace(reading=_explain_wrong_points(state, result))


TAKE_IS_PASS = "the take a pass"
DOUBLE_IS_LOST = "a double and its take supplied"


def _explain_wrong_points(state: GameState, result: Result) -> str | None:
    """Return the wrong cube action that explains a result's wrong points, in words, or None."""
    # A pass may be written as a take, or a double may be missing.
    if _counts_take_as_pass(state, result):
        return TAKE_IS_PASS
    cube = state.cube.now
    if state.cube.fault is not None or state.end.kind == "pass" or cube.owner == result.side:
        return None
    doubled = Cube(2 * cube.value, other_side(result.side))
    return (
        DOUBLE_IS_LOST
        if result.points in _find_possible_points(state, result.side, doubled)
        else None
    )


def _counts_take_as_pass(state: GameState, result: Result) -> bool:
    """Whether the cube was taken, but the result states the points of a pass."""
    turns = (action for action in reversed(state.game.actions) if type(action) in (Play, Answer))
    last = next(turns, None)
    is_taken = type(last) is Answer and last.taken and last.side != result.side
    return is_taken and 2 * result.points == state.cube.now.value


def _report_resignation_mismatch(state: GameState, result: Result) -> Iterator[MatchProblem]:
    """Yield a problem if a result's points differ from the resignation or the board."""
    named = resigned_points(state)
    if named is None or state.end.kind != "resigned" or _are_same_points(state, result, named):
        yield from _report_resignation_size(state, result)
    else:
        about = {"points": result.points, "allowed": [named], "ended": "resigned-for"}
        yield problem_of(state, "wrong-points", result, **about)


def _are_same_points(state: GameState, result: Result, stated_points: int) -> bool:
    """Whether a result states `stated_points`, in full or only as many as the winner needs."""
    length, score = state.context.terms.length, state.context.score[result.side]
    if length is None:
        return result.points <= stated_points
    return limit_points(result.points, length, score) == limit_points(stated_points, length, score)


def _has_no_ending(state: GameState) -> bool:
    """Whether certainly no bear-off, pass or resignation comes before the result."""
    if (
        not state.conventions.spells_resignations
        or is_board_in_doubt(state)
        or state.cube.fault is not None
    ):
        # Some files do not write resignations.
        return False
    plays = [action for action in state.game.actions if isinstance(action, Play)]
    return not plays or bool(plays[-1].steps)


def _counts_gammon_despite_jacoby(state: GameState, result: Result) -> bool:
    """Whether a result counts a gammon that the Jacoby rule does not count."""
    if not state.context.terms.jacoby or state.cube.now.owner is not None:
        return False
    if state.end.kind == "borne-off":
        loser = state.boards[other_side(result.side)]
        return result.points == state.cube.now.value * int(classify_loss(loser))
    return state.end.kind != "pass" and result.points in (
        2 * state.cube.now.value,
        3 * state.cube.now.value,
    )


def _report_resignation_size(state: GameState, result: Result) -> Iterator[MatchProblem]:
    """Yield a problem if a resignation gives more points than can still be lost."""
    if (
        state.end.kind in ("borne-off", "pass")
        or is_board_in_doubt(state)
        or state.cube.fault is not None
    ):
        return
    size, remainder = divmod(result.points, state.cube.now.value)
    loser, winner = state.boards[other_side(result.side)], state.boards[result.side]
    if remainder or size not in (2, 3) or _is_capped(state, result):
        return
    if size not in possible_sizes(loser, winner):
        yield problem_of(state, "resignation-size", result, points=result.points)


def _is_capped(state: GameState, result: Result) -> bool:
    """Whether a result states the match length or the points that the winner needed."""
    length = state.context.terms.length
    # Some programs cap points.
    return bool(length) and result.points in (
        length,
        (length or 0) - state.context.score[result.side],
    )


def _report_wrong_match_mark(
    state: GameState, result: Result, *, last: bool
) -> Iterator[MatchProblem]:
    """Yield a problem if a result is wrongly marked as the end of the match."""
    context, length = state.context, state.context.terms.length
    if not result.match or not length:
        return
    if context.score[result.side] + result.points < length:
        loser, is_sure = other_side(result.side), not is_board_in_doubt(state)
        for_other = is_sure and context.score[loser] + result.points >= length
        goes_on = is_sure and not last
        yield problem_of(state, "match-end-mark", result, for_other=for_other, goes_on=goes_on)


def _report_end_off_board(state: GameState) -> Iterator[MatchProblem]:
    """Yield a problem if the game was forfeited or lost on time, or if a comment suggests this."""
    for action in state.asides:
        if isinstance(action, Resignation) and action.manner in ("forfeit", "time"):
            words = {"forfeit": "forfeited", "time": "lost on time"}
            yield problem_of(state, "forfeit-or-time", action, text=words[action.manner])
            return
        if isinstance(action, Comment) and OFF_THE_BOARD.search(action.text):
            has_result = state.end.result is not None
            about = {"text": action.text, "comment": True, "has_result": has_result}
            yield problem_of(state, "forfeit-or-time", action, **about)
            return
