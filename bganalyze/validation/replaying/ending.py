"""The end of a game: its possible points, and whether the recorded result agrees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bganalyze.board.cube import Cube, class_of_loss, limit_points
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
from bganalyze.validation.replaying.facts import Ending, EndKind, Fact
from bganalyze.validation.replaying.state import Table

SIZES = (1, 2, 3)

MOST_CAPPED = 200
"""Limit of points considered; no winner of a match could need more."""


def is_board_in_doubt(table: Table) -> bool:
    """Whether the final board may differ from the one that the players had."""
    doubt = table.doubt
    if doubt.cause is not None or doubt.is_amended or (table.odd_rows and table.astray):
        return True  # Or rows are missing: numbers jump, and plays do not fit.
    return any(noted.fact.rule == "unreadable-text" for noted in table.facts)


def allowed_points(table: Table, winner: Side) -> frozenset[int]:
    """Return the points that the file may record for a win of `winner`; empty if they are unknown.

    Points may be written in full, or capped at the points the winner needs, or at the match length.
    """
    full = {
        points for cube in possible_cubes(table) for points in _possible_points(table, winner, cube)
    }
    length, score = table.context.terms.length, table.context.score[winner]
    if length is None or table.is_swapped:
        return frozenset(full) | _smaller_points(full)
    if length == 0:
        return frozenset(full)
    as_they_count = {limit_points(points, length, score) for points in full if score < length}
    by_length = {min(points, length) for points in full}
    return frozenset(full | as_they_count | by_length | _points_needed(table, winner))


def resigned_points(table: Table) -> int | None:
    """Return the points that the game's resignation states, directly or by its size, else None.

    Under the Jacoby rule a gammon may count once, and if the cube is uncertain a size gives no
    points.
    """
    resignation, cube = table.end.resignation, table.cube.now
    if resignation is None or resignation.size is None:
        return resignation.points if resignation else None
    may_be_jacoby = table.context.terms.jacoby is not False and cube.owner is None
    if table.cube.fault is not None or (may_be_jacoby and resignation.size > 1):
        return None
    return resignation.size * cube.value


def _smaller_points(full: set[int]) -> frozenset[int]:
    """Return all numbers below those in `full`, because an unknown match length may have capped them."""
    return frozenset(range(1, min(max(full, default=0), MOST_CAPPED)))


def _possible_points(table: Table, winner: Side, cube: Cube) -> set[int]:
    """Return the points that a win of `winner` may be worth if the cube was `cube` at the end."""
    if table.end.kind == "pass":
        return {cube.refused or cube.value}
    sizes = _possible_multiples(table, winner)
    if cube.owner is None and table.context.terms.jacoby is not False:
        sizes = {1} if table.context.terms.jacoby else sizes | {1}
    return {cube.value * size for size in sizes}


def _possible_multiples(table: Table, winner: Side) -> set[int]:
    """Return the multiples of the cube that `winner` may have won: 1, 2 or 3.

    A side that has borne off a checker can lose only a single game, unless its resignation states
    more.
    """
    loser = table.boards[other_side(winner)]
    if is_board_in_doubt(table):
        return set(SIZES)
    if table.end.kind == "borne-off":
        return {int(class_of_loss(loser))}
    is_off = bool(loser[OFF]) and table.led_astray() is None
    return {1} if is_off and table.end.is_implied else set(SIZES)


def _points_needed(table: Table, winner: Side) -> set[int]:
    """Return two numbers that a resignation may state: the points the winner lacks, and the match length."""
    length = table.context.terms.length
    if table.end.kind in ("borne-off", "pass") or not length:
        return set()
    return {length, max(length - table.context.score[winner], 0)}


def possible_sizes(loser: tuple[int, ...], winner: tuple[int, ...]) -> range:
    """Return the multiples of the cube that a game may still be lost by, as a range.

    `loser` and `winner` are each side's checkers by point. A side with a checker off cannot lose a
    gammon. Without contact, and with no checker on the bar or in the winner's home board, it cannot
    lose a backgammon.

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


def off_board_kind(text: str) -> EndKind:
    """Return how a game ended by a comment that matches `OFF_THE_BOARD`.

    >>> off_board_kind("Ann wins by forfeit"), off_board_kind("Ann lost on time")
    ('forfeit', 'time')
    >>> off_board_kind("connection lost")
    'abandoned'
    """
    words = text.casefold()
    if "forfeit" in words:
        return "forfeit"
    return "time" if re.search(r"on time|out of time|timed out", words) else "abandoned"


def ending_of(table: Table) -> Ending:
    """Return the end of the game with its three forms of points: recorded, on the board, counting."""
    result, context = table.end.result, table.context
    kind: EndKind = table.end.kind or "abandoned"
    if kind == "replayed":
        return Ending(kind, None, None, None, None)
    winner = table.end.winner if result is None else result.side
    recorded = result.points if result else resigned_points(table)
    gained = recorded if recorded is not None else table.end.loss
    counting = None
    if winner is not None and gained is not None:
        counting = limit_points(gained, context.terms.length, context.score[winner])
    is_decided = not table.end.is_implied and not is_board_in_doubt(table)
    decided_for = table.end.winner if is_decided else None
    return Ending(kind, winner, recorded, table.end.loss, counting, decided_for)


def result_facts(table: Table, *, last: bool) -> Iterator[Fact]:
    """Yield the facts (observations to report) about the end of a game.

    `last` says that the game is the last of the match, which may lack a result.
    """
    result = table.end.result
    if table.end.kind == "replayed":
        return
    if result is None:
        yield from _missing_result_facts(table, last=last)
        return
    if is_impossible(result.points):
        yield fact_of(table, "impossible-value", result, points=result.points)
    contradictions = [] if table.end.doubt is not None else [*_end_mismatches(table, result)]
    yield from contradictions
    if all(fact.rule != "wrong-winner" for fact in contradictions):
        yield from _match_mark_facts(table, result, last=last)
    yield from _off_board_facts(table)


def fact_of(table: Table, rule: str, action: Action, **about: Any) -> Fact:
    """Return a fact (an observation to report): `action` breaks `rule`, with details in `about`."""
    side = getattr(action, "side", None)
    return Fact(rule, action.span, about, table.context.game, action.row, side)


def _missing_result_facts(table: Table, *, last: bool) -> Iterator[Fact]:
    """Report a game without a result: unfinished, or with its result missing.

    A game that ended off the board, by a forfeit or on time, is not reported. `last` says that the
    game is the last of the match.
    """
    place = table.game.actions[-1].span if table.game.actions else table.game.span
    game = table.context.game
    off_the_board = list(_off_board_facts(table))
    if off_the_board:
        yield from off_the_board
    elif table.end.kind is None and table.context.terms.variant not in UNCHECKED:
        yield Fact("unfinished-game", place, {}, game)
    elif not last:
        yield Fact("missing-result", place, {"ended": table.end.kind}, game)


def is_impossible(points: int) -> bool:
    """Whether no usual cube times 1, 2 or 3 gives this many points.

    >>> is_impossible(4016), is_impossible(96), is_impossible(5)
    (True, False, False)
    """
    odd = points
    while odd and odd % 2 == 0:
        odd //= 2
    if points > MOST_POSSIBLE:
        return True
    return points > CERTAINLY_POSSIBLE and odd not in POSSIBLE_ODD_PARTS


def _end_mismatches(table: Table, result: Result) -> Iterator[Fact]:
    """Report a result that differs from the end of the game by the board, the cube or a resignation."""
    if table.end.winner != result.side:
        if not is_board_in_doubt(table):
            about = {"winner": table.end.winner, "ended": table.end.kind}
            yield fact_of(table, "wrong-winner", result, **about)
        return
    if is_impossible(result.points):
        return  # Already reported.
    # True of nearly all games. Computing the other allowed points takes 1 % of a check.
    if table.end.loss == result.points:
        yield from _resignation_mismatches(table, result)
        return
    allowed = allowed_points(table, result.side)
    if table.end.is_implied and _has_no_ending(table) and not _counts_take_as_pass(table, result):
        yield fact_of(table, "unfounded-win", result)
        return
    if result.points in allowed:
        yield from _resignation_mismatches(table, result)
    elif _is_jacoby_slip(table, result):
        yield fact_of(table, "jacoby-gammon", result, points=result.points)
    else:
        points, ended = result.points, table.end.kind
        fact = fact_of(
            table, "wrong-points", result, points=points, allowed=sorted(allowed), ended=ended
        )
        yield fact._replace(reading=_likeliest_slip(table, result))


TAKE_IS_PASS = "the take a pass"
DOUBLE_IS_LOST = "a double and its take supplied"


def _likeliest_slip(table: Table, result: Result) -> str | None:
    """Return, in words, the slip in a cube action that explains wrong points, or None."""
    if _counts_take_as_pass(table, result):
        return TAKE_IS_PASS
    cube = table.cube.now
    if table.cube.fault is not None or table.end.kind == "pass" or cube.owner == result.side:
        return None
    doubled = Cube(2 * cube.value, other_side(result.side))
    return (
        DOUBLE_IS_LOST if result.points in _possible_points(table, result.side, doubled) else None
    )


def _counts_take_as_pass(table: Table, result: Result) -> bool:
    """Whether the game ends with a take, but its points are those of a pass (half the cube)."""
    turns = (action for action in reversed(table.game.actions) if type(action) in (Play, Answer))
    last = next(turns, None)
    is_taken = type(last) is Answer and last.taken and last.side != result.side
    return is_taken and 2 * result.points == table.cube.now.value


def _resignation_mismatches(table: Table, result: Result) -> Iterator[Fact]:
    """Report a result whose points differ from those that the resignation or the board gives."""
    named = resigned_points(table)
    if named is None or table.end.kind != "resigned" or _are_same_points(table, result, named):
        yield from _resignation_size_facts(table, result)
    else:
        about = {"points": result.points, "allowed": [named], "ended": "resigned-for"}
        yield fact_of(table, "wrong-points", result, **about)


def _are_same_points(table: Table, result: Result, stated_points: int) -> bool:
    """Whether the points of a result equal the stated ones, in full or capped at what the winner needed."""
    length, score = table.context.terms.length, table.context.score[result.side]
    if length is None:
        return result.points <= stated_points
    return limit_points(result.points, length, score) == limit_points(stated_points, length, score)


def _has_no_ending(table: Table) -> bool:
    """Whether no bear-off, pass or resignation ends a game in a file that records resignations."""
    if (
        not table.conventions.spells_resignations
        or is_board_in_doubt(table)
        or table.cube.fault is not None
    ):
        return False
    plays = [action for action in table.game.actions if isinstance(action, Play)]
    return not plays or bool(plays[-1].steps)


def _is_jacoby_slip(table: Table, result: Result) -> bool:
    """Whether the points count a gammon that the Jacoby rule does not count, as nobody doubled."""
    if not table.context.terms.jacoby or table.cube.now.owner is not None:
        return False
    if table.end.kind == "borne-off":
        loser = table.boards[other_side(result.side)]
        return result.points == table.cube.now.value * int(class_of_loss(loser))
    return table.end.kind != "pass" and result.points in (
        2 * table.cube.now.value,
        3 * table.cube.now.value,
    )


def _resignation_size_facts(table: Table, result: Result) -> Iterator[Fact]:
    """Report a resignation for more points than can still be lost.

    A resignation for less than is lost is fine: the winner accepted it, and a gammon is hardly ever
    certain before the last checker is off.
    """
    if (
        table.end.kind in ("borne-off", "pass")
        or is_board_in_doubt(table)
        or table.cube.fault is not None
    ):
        return
    size, remainder = divmod(result.points, table.cube.now.value)
    loser, winner = table.boards[other_side(result.side)], table.boards[result.side]
    if remainder or size not in (2, 3) or _is_capped(table, result):
        return
    if size not in possible_sizes(loser, winner):
        yield fact_of(table, "resignation-size", result, points=result.points)


def _is_capped(table: Table, result: Result) -> bool:
    """Whether the points of a result may be only those that the winner needed."""
    length = table.context.terms.length
    return bool(length) and result.points in (
        length,
        (length or 0) - table.context.score[result.side],
    )


def _match_mark_facts(table: Table, result: Result, *, last: bool) -> Iterator[Fact]:
    """Report a result that is marked as the end of the match although the score is too low."""
    context, length = table.context, table.context.terms.length
    if not result.match or not length:
        return
    if context.score[result.side] + result.points < length:
        loser, is_sure = other_side(result.side), not is_board_in_doubt(table)
        for_other = is_sure and context.score[loser] + result.points >= length
        goes_on = is_sure and not last
        yield fact_of(table, "match-end-mark", result, for_other=for_other, goes_on=goes_on)


def _off_board_facts(table: Table) -> Iterator[Fact]:
    """Report a forfeit, a loss on time, or a comment that mentions one."""
    for action in table.asides:
        if isinstance(action, Resignation) and action.manner in ("forfeit", "time"):
            words = {"forfeit": "forfeited", "time": "lost on time"}
            yield fact_of(table, "forfeit-or-time", action, text=words[action.manner])
            return
        if isinstance(action, Comment) and OFF_THE_BOARD.search(action.text):
            has_result = table.end.result is not None
            about = {"text": action.text, "comment": True, "has_result": has_result}
            yield fact_of(table, "forfeit-or-time", action, **about)
            return
