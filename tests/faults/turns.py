"""Faults in the order of turns: cells and rows lost, doubled, exchanged or put in."""

from __future__ import annotations

from random import Random

from bganalyze.board.plays import check_play
from bganalyze.record.model import Action, Answer, Double, Play, Result
from tests.faults.check import faults
from tests.faults.damage import Damage, first_of, make_damage
from tests.faults.record import Act, Record
from tests.faults.referee import (
    Event,
    Place,
    Places,
    as_boards,
    events,
    first_fault,
    is_shut_out,
    other,
    see_from,
)


def turn_lost(record: Record, rng: Random) -> Damage | None:
    """Lose a play and its roll from its cell."""
    return first_of(rng, record.plays + record.dances, lambda act: _turn_lost(record, act))


def _turn_lost(record: Record, act: Act) -> Damage | None:
    lines, following = record.written(act, ""), record.following(act)
    if following is None:
        return make_damage(record, lines, ())
    if isinstance(following.action, Result):
        return make_damage(record, lines, _find_unfounded(record, act, following))
    if following.side == act.side or isinstance(following.action, Answer):
        return None
    before = record.following(act, -1)
    if before is None:
        return make_damage(record, lines, _late_start(record, act))
    if is_shut_out(act.before, act.side):
        return make_damage(record, lines, ())
    if not isinstance(following.action, Play | Double):
        return make_damage(record, lines, ())
    exact = {(following.line, "T105")}
    if isinstance(following.action, Double):
        exact.add((following.line, "C502"))
    elif _is_same(before.action, following.action):
        exact.add((following.line, "T118"))
    return make_damage(record, lines, exact)


def _is_same(action: Action, other: Action) -> bool:
    """Whether two turns running happen to be the same: then it may be one, recorded twice."""
    if not isinstance(action, Play) or not isinstance(other, Play):
        return False
    return action.dice == other.dice and action.steps == other.steps


def _late_start(record: Record, act: Act) -> Places:
    """Return the report on a start by the other side, which is legal in itself."""
    return first_fault(record, act.before, act, events(record.rest(act)), after=False)


def _find_unfounded(record: Record, act: Act, result: Act) -> set[Place]:
    """Return the report on an unfounded win: an error where the file spells its resignations."""
    if not record.match.conventions.spells_resignations:
        return set()
    earlier = [a for a in record.games[act.game] if a.at < act.at and isinstance(a.action, Play)]
    if not earlier or not earlier[-1].action.steps:
        return set()
    return {(result.line, "R601")}


def doubled_play(record: Record, rng: Random) -> Damage | None:
    """Repeat a play with its roll on a row of its own, before the other side's turn."""
    return first_of(
        rng, record.plays + record.dances, lambda act: repeat_cell(record, act, {"T118"})
    )


def repeat_cell(record: Record, act: Act, codes: set[str]) -> Damage | None:
    """Repeat a cell on a row put in behind it."""
    left, right = record.cells(act.line)
    text, label = record.text(act), act.action.row
    last = act.side == 1 or not right
    if last:
        new = record.row(label, *(("", text) if act.side else (text, "")))
        lines = record.inserted(act.line + 1, new)
    else:
        rows = record.row(label, left, ""), record.row(label, text, right)
        lines = record.with_line(act.line, *rows)
    following = record.following(act)
    ends = following is None or isinstance(following.action, Result)
    if following is not None and ends and following.line == act.line:
        return None
    exact = {(act.line + 1, code) for code in codes}
    if ends:
        exact |= {(act.line + 1, code) for code in ("T106", "T112")}
    return make_damage(record, lines, exact)


def doubled_row(record: Record, rng: Random) -> Damage | None:
    """Write a row of two plays twice."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        line = pair[0].line
        lines = record.inserted(line + 1, record.lines[line - 1])
        exact = {(line + 1, "T118")}
        following = record.following(pair[1])
        if following is None or isinstance(following.action, Result):
            exact |= {(line + 1, "T106"), (line + 1, "T112")}
        return make_damage(record, lines, exact)

    return first_of(rng, record.full_rows, make)


def swapped_cells(record: Record, rng: Random) -> Damage | None:
    """Exchange the two plays of a row."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        left, right = pair
        line = left.line
        new = record.row(left.action.row, record.text(right), record.text(left))
        order = [Event(right, 0, line), Event(left, 1, line)]
        remaining = [*order, *events(record.rest(right))]
        exact = first_fault(record, left.before, left, remaining, after=False)
        if any(place[0] == line for place in exact):
            exact |= _second_of_row(record, left, order)
        return make_damage(record, record.with_line(line, new), exact)

    return first_of(rng, record.full_rows, make)


def _second_of_row(record: Record, left: Act, order: list[Event]) -> Places:
    """Return the reports allowed for the second cell: a check may name either of the two."""
    first, second = (event.act.action for event in order)
    after, _ = check_play(see_from(left.before, 0), first.dice, first.steps, record.marks)
    position = see_from(as_boards(after, 0), 1)
    codes = faults(position, second.dice, second.steps, record.marks)
    return frozenset((left.line, code) for code in codes)


def row_lost(record: Record, rng: Random) -> Damage | None:
    """Lose a row of two plays."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        left, right = pair
        following = record.following(right)
        if following is None or isinstance(following.action, Result):
            return None
        remaining = events(record.rest(right))
        exact = first_fault(record, left.before, left, remaining, after=False)
        moved = {(line - 1, code) if line > left.line else (line, code) for line, code in exact}
        return make_damage(record, record.without(left.line), moved)

    return first_of(rng, record.full_rows, make)


def swapped_columns(record: Record, rng: Random) -> Damage | None:
    """Exchange the two cells of every row of a game."""

    def make(game: int) -> Damage | None:
        acts = [act for act in record.acts if act.game == game]
        if any((act.line, act.side) in record.crowded for act in acts):
            return None
        rows = sorted({act.line for act in acts})
        order = [
            Event(act, other(act.side), line)
            for line in rows
            for act in reversed(record.on_line(line))
        ]
        exact = first_fault(record, acts[0].before, acts[0], order, after=False)
        return make_damage(record, record.with_columns_exchanged(rows), exact)

    return first_of(rng, list(range(len(record.games))), make)


def swapped_sides(record: Record, rng: Random) -> Damage | None:
    """Write a game with its players exchanged, in order: only the score can reveal it."""

    def make(game: int) -> Damage | None:
        if game + 1 >= len(record.games) or record.match.games[game + 1].score is None:
            return None
        acts = [act for act in record.acts if act.game == game]
        if not isinstance(acts[-1].action, Result) or record.match.length is None:
            return None
        texts = [(1 - act.side, record.text(act)) for act in acts]
        rows = _lay_out(record, texts)
        first, last = acts[0].line, acts[-1].line
        lines = (*record.lines[: first - 1], *rows, *record.lines[last:])
        shift = len(rows) - (last - first + 1)
        score = record.match.games[game + 1].score
        assert score is not None
        ends, result = first + len(rows) - 1, acts[-1]
        exact = {(score.span.line + shift, "R604"), (ends, "R602"), (ends, "R603")}
        won = result.context.score[1 - result.side] + result.action.points
        if won >= record.match.length.points:
            exact.add((record.match.games[game + 1].span.line + shift, "R605"))
        return make_damage(record, lines, exact)

    return first_of(rng, list(range(len(record.games))), make)


def _lay_out(record: Record, texts: list[tuple[int, str]]) -> list[str]:
    """Write turns into rows, left first."""
    rows: list[list[str]] = []
    for side, text in texts:
        if side == 0 or not rows or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][side] = text
    return [record.row(str(number), *row) for number, row in enumerate(rows, 1)]


def row_after_end(record: Record, rng: Random) -> Damage | None:
    """Add a row after the end of the game."""

    def make(act: Act) -> Damage | None:
        before = record.following(act, -1)
        if before is None or isinstance(before.action, Double):
            return None
        decided = isinstance(before.action, Answer) or not any(act.before[before.side][1:])
        line = 1 + (before.line if decided else act.line)
        play = "31: 8/5 6/5"
        new = record.row("98", *((play, "") if before.side == 1 else ("", play)))
        return make_damage(record, record.inserted(line, new), {(line, "T106")})

    return first_of(rng, record.of_kind(Result), make)
