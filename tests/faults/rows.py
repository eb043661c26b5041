"""Slips of layout: rows, columns and cells in the wrong place, written twice or lost."""

from __future__ import annotations

from random import Random

from bganalyze.record.model import RIGHT, Result
from tests.faults.damage import Damage, first_of, make_damage
from tests.faults.record import Act, Record


def columns_from_row(record: Record, rng: Random) -> Damage | None:
    """From a row on, to the end of the game and with its result, the columns are exchanged."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        act = pair[0]
        acts = [other for other in record.acts if other.game == act.game]
        if act.line == acts[0].line or any((a.line, a.side) in record.crowded for a in acts):
            return None
        lines = {other.line for other in acts if other.line >= act.line}
        return make_damage(record, record.with_columns_exchanged(lines))

    return first_of(rng, record.full_rows, make)


def row_doubled_numbered(record: Record, rng: Random) -> Damage | None:
    """Write a row of two plays twice, and let the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        line, label = pair[0].line, pair[0].action.row
        lines = record.renumbered(line, 1)
        second = record.row(str(int(label) + 1), *record.cells(line))
        return make_damage(record, (*lines[:line], second, *lines[line:]), elsewhere={line})

    return first_of(rng, record.full_rows, make)


def row_lost_numbered(record: Record, rng: Random) -> Damage | None:
    """Lose a row of two plays, and let the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        line = pair[0].line
        following = record.following(pair[1])
        if following is None or isinstance(following.action, Result):
            return None
        lines = record.renumbered(line, -1)
        return make_damage(record, (*lines[: line - 1], *lines[line:]))

    return first_of(rng, record.full_rows, make)


def rows_exchanged(record: Record, rng: Random) -> Damage | None:
    """Exchange the cells of two neighboring rows, but not their numbers."""

    def make(pair: tuple[int, int]) -> Damage | None:
        upper, lower = pair
        cells = {upper: record.cells(lower), lower: record.cells(upper)}
        return make_damage(record, record.with_cells(cells))

    return first_of(rng, record.neighbors, make)


def lines_exchanged(record: Record, rng: Random) -> Damage | None:
    """Exchange two neighboring rows with their numbers."""

    def make(pair: tuple[int, int]) -> Damage | None:
        upper, lower = (record.lines[line - 1] for line in pair)
        return make_damage(
            record, (*record.lines[: pair[0] - 1], lower, upper, *record.lines[pair[1] :])
        )

    return first_of(rng, record.neighbors, make)


def turn_lost_moved_up(record: Record, rng: Random) -> Damage | None:
    """Lose a play with its roll, and move all later turns up by a cell."""
    return first_of(rng, record.plays, lambda act: turn_lost_moved_up_at(record, act))


def dance_lost_moved_up(record: Record, rng: Random) -> Damage | None:
    """Lose a dance with its roll, and move all later turns up by a cell."""
    return first_of(rng, record.dances, lambda act: turn_lost_moved_up_at(record, act))


def turn_lost_moved_up_at(record: Record, lost: Act) -> Damage | None:
    """Lose one turn, and move all later ones up by a cell."""
    acts = [act for act in record.acts if act.game == lost.game and act.line in record.labels]
    after = [act for act in acts if act.at > lost.at]
    crowded = any((act.line, act.side) in record.crowded for act in (lost, *after))
    if not after or crowded or any(isinstance(act.action, Result) for act in acts):
        return None
    texts = [*(record.text(act) for act in after), ""]
    return make_damage(record, record.with_texts(zip((lost, *after), texts, strict=True)))


def half_row_alone(record: Record, rng: Random) -> Damage | None:
    """Write the right play of a row in the left column of a row of its own; the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Damage | None:
        line, label = pair[0].line, pair[0].action.row
        left, right = record.cells(line)
        lines = record.renumbered(line, 1)
        new = record.row(label, left, ""), record.row(str(int(label) + 1), right, "")
        return make_damage(record, (*lines[: line - 1], *new, *lines[line:]), elsewhere={line + 1})

    return first_of(rng, record.full_rows, make)


def right_column_lost(record: Record, rng: Random) -> Damage | None:
    """Lose the right column of a game."""
    return _right_column_lost(record, rng, list(range(len(record.games))))


def right_column_lost_with_first(record: Record, rng: Random) -> Damage | None:
    """Lose the right column of a game that begins in it: the first row is left empty."""
    begun = [number for number, acts in enumerate(record.games) if acts[0].side == RIGHT]
    return _right_column_lost(record, rng, begun)


def _right_column_lost(record: Record, rng: Random, games: list[int]) -> Damage | None:
    def make(game: int) -> Damage | None:
        rows = record.rows_of(game)
        return make_damage(
            record, record.with_cells({line: (left, "") for line, (left, _) in rows.items()})
        )

    return first_of(rng, games, make)
