"""Faults of results, scores, game numbers and the match line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from bganalyze.board.cube import classify_loss
from bganalyze.record.model import Answer, Double, Resignation, Result
from tests.faults.damage import Damage, first_of, make_damage
from tests.faults.record import Act, Record

_NUMBER = re.compile(r"[0-9]+")
MOST_POINTS = 12
_LONGEST_MATCH = 25


def find_allowed_points(record: Record, result: Act, cube: Any, ending: str) -> set[int]:
    """Return what may be written for the end of a game, by the definition of R602."""
    context, side = result.context, result.side
    if ending == "drop":
        values = {cube.value}
    elif ending == "borne-off":
        size = int(classify_loss(result.before[1 - side]))
        values = {cube.value * size}
        if cube.owner is None and context.terms.length == 0 and context.terms.jacoby is not False:
            values |= {cube.value}
    else:
        values = {cube.value * size for size in (1, 2, 3)}
    length = record.match.length.points if record.match.length else 0
    if not length:
        return values
    missing_points = max(length - context.score[side], 0)
    capped = {min(value, missing_points) for value in values} | {
        min(value, length) for value in values
    }
    return values | capped | ({missing_points, length} if ending == "resigned" else set())


def how_it_ended(record: Record, result: Act) -> tuple[str, Any]:
    """Return `drop`, `borne-off` or `resigned`, and the cube that the points follow from."""
    before = record.following(result, -1)
    if before is not None and isinstance(before.action, Answer) and not before.action.taken:
        return "drop", before.cube.withdrawn()
    if not any(result.before[result.side][1:]):
        return "borne-off", result.cube
    return "resigned", result.cube


def wins_value(record: Record, rng: Random) -> Damage | None:
    """Change the points of a won game."""

    def make(act: Act) -> Damage | None:
        ending, cube = how_it_ended(record, act)
        if cube.is_open:
            return None
        allowed = find_allowed_points(record, act, cube, ending)
        values = [n for n in range(1, MOST_POINTS + 1) if n != act.action.points]
        value = rng.choice(values)
        text = _NUMBER.sub(str(value), record.text(act), count=1)
        exact = {(act.line, "R602"), (act.line, "R610")} if value not in allowed else set()
        return make_damage(record, record.written(act, text), exact)

    return first_of(rng, record.of_kind(Result), make)


def wins_side(record: Record, rng: Random) -> Damage | None:
    """Write the win for the other side."""

    def make(act: Act) -> Damage | None:
        cells = record.on_line(act.line)
        if len(cells) > 1:
            return None
        text = record.text(act)
        new = record.row(act.action.row, *(("", text) if act.side == 0 else (text, "")))
        if not act.side:
            new = new.ljust(40)
        ending, _ = how_it_ended(record, act)
        exact = {(act.line, "R603")}
        if ending == "resigned":
            exact = _next_score(record, act)
            if _says_who_lost(record, act):
                exact = {(act.line, "R603")}
        return make_damage(record, record.with_line(act.line, new), exact)

    return first_of(rng, record.of_kind(Result), make)


def _says_who_lost(record: Record, result: Act) -> bool:
    """Return whether a resignation is written in one of the columns: on a line of its own it names nobody."""
    return any(
        isinstance(act.action, Resignation) and act.action.row is not None
        for act in record.games[result.game]
    )


def _next_score(record: Record, act: Act) -> set[tuple[int, str]]:
    """Return the report on the score line of the next game, which no longer follows."""
    if act.game + 1 >= len(record.match.games):
        return set()
    score = record.match.games[act.game + 1].score
    if score is None or _never_adds_up(record):
        return set()
    return {(score.span.line, "R604")}


def _never_adds_up(record: Record) -> bool:
    games = record.match.games
    return all(game.score is None or game.score.points == (0, 0) for game in games)


def score_line(record: Record, rng: Random) -> Damage | None:
    """Change a number of a score after the first game."""
    return first_of(
        rng, list(range(1, len(record.match.games))), lambda game: _rescore(record, rng, game)
    )


def _rescore(record: Record, rng: Random, game: int) -> Damage | None:
    score = record.match.games[game].score
    length = record.match.length.points if record.match.length else 0
    if score is None or _never_adds_up(record):
        return None
    side = rng.randrange(2)
    limit = length - 1 if length else 20
    values = [n for n in range(limit + 1) if n != score.points[side]]
    if not values:
        return None
    span = score.spans[side]
    lines = record.with_span(span, str(rng.choice(values)))
    return make_damage(record, lines, {(span.line, "R604")})


def first_score(record: Record, rng: Random) -> Damage | None:
    """Change the score before the first game from 0-0: the record begins late, or the next score is wrong."""
    games = record.match.games
    first = games[0].score
    if first is None or first.points != (0, 0) or not record.match.length or _no_length(record):
        return None
    broken = _rescore(record, rng, 0)
    if broken is None:
        return None
    exact = {(first.span.line, "R608"), (first.span.line, "R604")}
    also = set()
    if len(games) > 1 and games[1].score is not None:
        also.add((games[1].score.span.line, "R604"))
    return broken._replace(exact=frozenset(exact | also), also=frozenset(also))


def _no_length(record: Record) -> bool:
    return record.match.conventions.one_game_is_money or not record.match.length


def game_number(record: Record, rng: Random) -> Damage | None:
    """Change the number of a game after the first."""

    def make(game: int) -> Damage | None:
        header = record.match.games[game]
        if header.number is None:
            return None
        values = [n for n in range(1, len(record.match.games) + 3) if n != header.number]
        lines = record.with_number(header.span, rng.choice(values))
        return make_damage(record, lines, {(header.span.line, "T104")})

    return first_of(rng, list(range(1, len(record.match.games))), make)


def result_lost(record: Record, rng: Random) -> Damage | None:
    """Lose the result of a game that the board or a pass decided."""

    def make(act: Act) -> Damage | None:
        ending, _ = how_it_ended(record, act)
        if len(record.on_line(act.line)) > 1 and record.on_line(act.line)[-1] is not act:
            return None
        before = record.following(act, -1)
        lines = record.written(act, "")
        has_next_game = act.game + 1 < len(record.games)
        fault = ending != "resigned" and has_next_game and before is not None
        exact = {(before.line, "R606")} if fault and before is not None else set()
        return make_damage(record, lines, exact)

    return first_of(rng, record.of_kind(Result), make)


def match_line_lost(record: Record, rng: Random) -> Damage | None:
    """Lose the match line."""
    del rng
    length = record.match.length
    if length is None:
        return None
    game = record.match.games[0].span.line - 1
    return make_damage(record, record.without(length.span.line), {(game, "T117")})


def shorter_match(record: Record, rng: Random) -> Damage | None:
    """Shorten the length in the match line below the score: a game follows the match."""
    length = record.match.length
    if length is None or length.points < 2 or _no_length(record):
        return None
    first = record.match.games[0].score
    least = max(first.points) + 1 if first else 1
    if least >= length.points:
        return None
    points = rng.randrange(least, length.points)
    exact = set()
    also = set()
    for number, game in enumerate(record.match.games):
        if game.score and max(game.score.points) >= points:
            exact |= {(game.span.line, "R605"), (length.span.line, "R605")}
            break
        also |= _under_length(record, number)
    return make_damage(record, record.with_number(length.span, points), exact, also)


def _under_length(record: Record, number: int) -> set[tuple[int, str]]:
    """Under the length written a game may be the Crawford game, and points may be too many."""
    game = record.games[number]
    codes = {(act.line, "C503") for act in game if isinstance(act.action, Double)}
    return codes | {(act.line, "R602") for act in game if isinstance(act.action, Result)}


def header_lost(record: Record, rng: Random) -> Damage | None:
    """Lose the game line and the score line of a game after the first."""
    return _without_lines(record, rng, lambda game: (game.span.line, game.score.span.line))


def game_line_lost(record: Record, rng: Random) -> Damage | None:
    """Lose the game line of a game."""
    return _without_lines(record, rng, lambda game: (game.span.line,))


def score_line_lost(record: Record, rng: Random) -> Damage | None:
    """Lose the score line of a game."""
    return _without_lines(record, rng, lambda game: (game.score.span.line,))


def _without_lines(record: Record, rng: Random, lost_lines: Any) -> Damage | None:
    """Leave out lines of a header; the game then begins with what is left of it."""

    def make(number: int) -> Damage | None:
        game = record.match.games[number]
        acts = record.games[number]
        if game.score is None or game.number is None or game.score.span.line == game.span.line:
            return None
        if not acts or not _ends_in_result(record.games[number - 1]):
            return None
        lost_numbers = lost_lines(game)
        header = {game.span.line, game.score.span.line}
        start = min(header - {*lost_numbers}, default=acts[0].line)
        lines = tuple(line for at, line in enumerate(record.lines, 1) if at not in lost_numbers)
        place = start - sum(line < start for line in lost_numbers)
        return make_damage(record, lines, {(place, "T120")})

    return first_of(rng, list(range(1, len(record.match.games))), make)


def _ends_in_result(acts: list[Act]) -> bool:
    return bool(acts) and isinstance(acts[-1].action, Result)


def result_doubled(record: Record, rng: Random) -> Damage | None:
    """Write a result on a line of its own twice."""

    def make(act: Act) -> Damage | None:
        if len(record.on_line(act.line)) > 1:
            return None
        line = act.line + 1
        lines = record.inserted(line, record.lines[act.line - 1])
        return make_damage(record, lines, {(line, "R615")})

    return first_of(rng, record.of_kind(Result), make)


def names_exchanged(record: Record, rng: Random) -> Damage | None:
    """Exchange the names of one score line, but not the points."""

    def make(game: int) -> Damage | None:
        score = record.match.games[game].score
        if score is None or score.names[0] == score.names[1]:
            return None
        left_name, right_name = score.names
        line = record.lines[score.span.line - 1]
        header = re.fullmatch(
            rf"(\s*){re.escape(left_name)}(\s*:\s*[0-9]+\s*?)(\s+){re.escape(right_name)}(.*)", line
        )
        if header is None:
            return None
        before, points, gap, after = header.groups()
        left = (before + right_name + points).ljust(
            len(before + left_name + points + gap) - 1
        ) + " "
        return make_damage(record, record.with_line(score.span.line, left + left_name + after))

    return first_of(rng, list(range(1, len(record.match.games))), make)


def score_by_one(record: Record, rng: Random) -> Damage | None:
    """Make a score after the first game one too high or too low."""
    return first_of(
        rng,
        list(range(1, len(record.match.games))),
        lambda game: _rescore_by_one(record, rng, (game,)),
    )


def score_carried_on(record: Record, rng: Random) -> Damage | None:
    """From a game on one side's score is one too high or too low, to the end of the match."""
    games = len(record.match.games)
    return first_of(
        rng,
        list(range(1, games - 1)),
        lambda game: _rescore_by_one(record, rng, range(game, games)),
    )


def _rescore_by_one(record: Record, rng: Random, games: Sequence[int]) -> Damage | None:
    side, by = rng.randrange(2), rng.choice((-1, 1))
    length = record.match.length.points if record.match.length else 0
    lines = list(record.lines)
    for game in games:
        score = record.match.games[game].score
        if score is None:
            return None
        points = score.points[side] + by
        if points < 0 or (length and points >= length):
            return None
        line = score.spans[side].line
        lines[line - 1] = record.with_span(score.spans[side], str(points))[line - 1]
    return make_damage(record, lines)


def other_length(record: Record, rng: Random) -> Damage | None:
    """Change the length in the match line."""
    length = record.match.length
    if length is None or not length.points:
        return None
    points = rng.choice([n for n in range(1, _LONGEST_MATCH + 1, 2) if n != length.points])
    return make_damage(record, record.with_number(length.span, points))
