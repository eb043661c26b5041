"""The account of a game and of a match: who won how much, and whether the record agrees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bganalyze.board.cube import Cube
from bganalyze.board.scoring import capped, class_of_loss
from bganalyze.facts import Ending, EndKind, Fact
from bganalyze.replay.table import Table, other_side
from bganalyze.transcript.model import Comment, Match, Play, Resignation, Result, Score, Side, Span

IMPOSSIBLE_FROM = 64
"""From here on a number of points must be a cube value times a class to be possible."""

_FORFEIT = re.compile(
    r"forfeit|out of time|on time|aborted|connection lost|disconnect", re.IGNORECASE
)


def ending_of(table: Table) -> Ending:
    """Return how the game ended, with its points as recorded, on the board, and counting."""
    result, context = table.result, table.context
    kind: EndKind = table.over or ("resigned" if result else "abandoned")
    winner = table.winner if result is None else result.side
    recorded = result.points if result else table.resigned_points
    on_board = table.loss
    gained = recorded if recorded is not None else on_board
    counting = None
    if winner is not None and gained is not None:
        counting = capped(gained, context.length, context.score[winner])
    return Ending(kind, winner, recorded, on_board, counting)


def result_facts(table: Table, *, last: bool) -> Iterator[Fact]:
    """Yield what is wrong or odd about the end of a game; `last` says that no game follows."""
    result = table.result
    if result is None:
        yield from _without_result(table, last=last)
        return
    if _is_impossible(result.points):
        yield fact_of(table, "impossible-value", result, points=result.points)
    elif table.over in ("borne-off", "drop") or table.resigned_points is not None or table.over:
        yield from _against_the_end(table, result)
    else:
        yield from _implied_resignation(table, result)
    yield from _match_mark(table, result)
    yield from _off_the_board(table, result)


def fact_of(table: Table, rule: str, action: Any, span: Span | None = None, **about: Any) -> Fact:
    """Return a fact about an action of the game."""
    game = table.context.game
    return Fact(rule, span or action.span, about, game, action.row, getattr(action, "side", None))


def _without_result(table: Table, *, last: bool) -> Iterator[Fact]:
    place = table.game.actions[-1].span if table.game.actions else table.game.span
    game = table.context.game
    comment = _forfeit_comment(table)
    if comment is not None:
        yield fact_of(table, "forfeit-or-time", comment, text=comment.text)
    elif table.over is None:
        yield Fact("unfinished-game", place, {}, game)
    elif not last:
        yield Fact("missing-result", place, {"ended": table.over}, game)


def _forfeit_comment(table: Table) -> Comment | None:
    comments = (a for a in table.game.actions if isinstance(a, Comment))
    return next((comment for comment in comments if _FORFEIT.search(comment.text)), None)


def _is_impossible(points: int) -> bool:
    """A number that no cube times 1, 2 or 3 gives, or an absurd one."""
    if points == 0:
        return False
    odd = points
    while odd % 2 == 0:
        odd //= 2
    return points > IMPOSSIBLE_FROM and (odd not in (1, 3) or points > 3 * 1024)


def _against_the_end(table: Table, result: Result) -> Iterator[Fact]:
    """Compare a result with the end that board, cube or a spelled resignation decided."""
    if table.winner != result.side:
        if not in_doubt(table):
            yield fact_of(table, "wrong-winner", result, winner=table.winner, ended=table.over)
        return
    allowed = allowed_points(table)
    if result.points in allowed:
        yield from _resignation_size(table, result)
        return
    if table.over == "borne-off" and _is_jacoby_slip(table, result):
        yield fact_of(table, "jacoby-gammon", result, points=result.points)
        return
    yield fact_of(
        table,
        "wrong-points",
        result,
        points=result.points,
        allowed=sorted(allowed),
        ended=table.over,
    )


def _is_jacoby_slip(table: Table, result: Result) -> bool:
    loser = table.boards[other_side(result.side)]
    full = table.cube.value * int(class_of_loss(loser))
    return bool(table.context.jacoby) and table.cube.owner is None and result.points == full


def in_doubt(table: Table) -> bool:
    """Whether the board at the end may not be the one that was played on."""
    return table.doubt is not None or table.amended


def allowed_points(table: Table) -> set[int]:
    """Return the points that may be written for the end of the game."""
    winner = table.winner
    assert winner is not None
    values: set[int] = set()
    for cube in (table.cube, *table.other_cubes):
        values |= _worth(table, cube)
    length, score = table.context.length, table.context.score[winner]
    return (
        values
        | {capped(value, length, score) for value in values}
        | ({min(value, length) for value in values} if length else set())
        | _all_that_is_left(table, winner)
    )


def _worth(table: Table, cube: Cube) -> set[int]:
    """Points that the end is worth at one state of the cube."""
    if table.over == "drop":
        return {cube.refused or cube.value}
    if table.over != "borne-off" or in_doubt(table):
        return {cube.value * size for size in (1, 2, 3)}
    winner = table.winner
    assert winner is not None
    size = int(class_of_loss(table.boards[other_side(winner)]))
    if cube.owner is None and table.context.jacoby is not False:
        return {cube.value} if table.context.jacoby else {cube.value, cube.value * size}
    return {cube.value * size}


def _all_that_is_left(table: Table, winner: Side) -> set[int]:
    """A resignation may be written as all that the winner needs, or as the whole length."""
    length = table.context.length
    if table.over in ("borne-off", "drop") or not length:
        return set()
    return {length, max(length - table.context.score[winner], 0)}


def _resignation_size(table: Table, result: Result) -> Iterator[Fact]:
    """A resignation for more than can still be lost, or for less than is lost already."""
    if table.over in ("borne-off", "drop") or in_doubt(table):
        return
    loser = table.boards[other_side(result.side)]
    size = result.points / table.cube.value
    if size > 1 and loser[0] > 0 and size in (2, 3):
        yield fact_of(table, "resignation-size", result, points=result.points)


def _implied_resignation(table: Table, result: Result) -> Iterator[Fact]:
    """A bare `Wins`: the other side resigned, unless this file spells its resignations."""
    unexplained = not in_doubt(table) and not _last_throw_is_unplayed(table)
    if table.profile.spells_resignations and unexplained:
        yield fact_of(table, "unfounded-win", result)
        return
    table.winner, table.over = result.side, "resigned"
    offered = table.cube
    if offered.is_open and offered.offered_by == result.side:
        table.other_cubes.append(offered.withdrawn())
    allowed = allowed_points(table)
    if result.points not in allowed and result.points != 0:
        yield fact_of(
            table,
            "wrong-points",
            result,
            points=result.points,
            allowed=sorted(allowed),
            ended="resigned",
        )
    else:
        yield from _resignation_size(table, result)


def _last_throw_is_unplayed(table: Table) -> bool:
    """The loser gave up after the throw: `????`, or an empty cell where dances are written out."""
    plays = [action for action in table.game.actions if isinstance(action, Play)]
    return bool(plays) and not plays[-1].steps


def _match_mark(table: Table, result: Result) -> Iterator[Fact]:
    context = table.context
    if not result.match or not context.length:
        return
    if context.score[result.side] + result.points < context.length:
        yield fact_of(table, "match-end-mark", result)


def _off_the_board(table: Table, result: Result) -> Iterator[Fact]:
    if table.over in ("forfeit", "time"):
        place = next((a for a in table.game.actions if isinstance(a, Resignation)), result)
        yield fact_of(table, "forfeit-or-time", place, text=table.over)


def next_scores(table: Table, ending: Ending, scores: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return every score that the next score line may show.

    From each score that may have stood before: plus the points recorded, plus the points won on
    the board, and either capped at the match length.
    """
    gains = set(_gains(table, ending))
    following: set[tuple[int, int]] = set()
    for score in scores:
        for side, points in gains:
            whole = list(score)
            whole[side] += points
            following.add((whole[0], whole[1]))
            length = table.context.length
            if length and whole[side] > length:
                whole[side] = length
                following.add((whole[0], whole[1]))
    return following or scores


def _gains(table: Table, ending: Ending) -> Iterator[tuple[Side, int]]:
    result = table.result
    if result is not None:
        yield result.side, result.points
    elif table.winner is not None and ending.recorded is not None:
        yield table.winner, ending.recorded
    if table.winner is None:
        return
    unsure = (
        result is None
        or _is_impossible(result.points)
        or result.points not in allowed_points(table)
    )
    if table.loss is not None:
        yield table.winner, table.loss
    if table.loss is None and unsure:
        for size in (1, 2, 3):
            yield table.winner, table.cube.value * size


def score_fact(
    match: Match, number: int, score: Score, expected: set[tuple[int, int]]
) -> Fact | None:
    """Return the fact that a score line does not follow from the game before it."""
    if score.points in expected or _never_adds_up(match):
        return None
    wanted = min(
        expected, key=lambda each: abs(each[0] - score.points[0]) + abs(each[1] - score.points[1])
    )
    return Fact("score-mismatch", score.span, {"score": score.points, "expected": wanted}, number)


def _never_adds_up(match: Match) -> bool:
    """A money session in which every game starts at 0-0."""
    return (
        match.length is not None
        and match.length.points == 0
        and all(game.score is None or game.score.points == (0, 0) for game in match.games)
    )
