"""Slips of layout: rows, columns and cells that stand where they should not, twice or not at all."""

from __future__ import annotations

from random import Random

from bganalyze.record.model import RIGHT, Result
from tests.injection import turns
from tests.injection.breaks import first_of
from tests.injection.record import Act, Record
from tests.repairing.slip import (
    Slip,
    game_at,
    neighbors,
    renumbered,
    rows_of,
    slipped,
    with_cell,
    with_cells,
)


def columns_from_row(record: Record, rng: Random) -> Slip | None:
    """From a row on, to the end of the game and with its result, the columns are exchanged."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        act = pair[0]
        acts = [other for other in record.acts if other.game == act.game]
        if act.line == acts[0].line or any((a.line, a.side) in record.crowded for a in acts):
            return None
        lines = list(record.lines)
        for line in {other.line for other in acts if other.line >= act.line}:
            left, right = record.cells(line)
            lines[line - 1] = record.row(record.on_line(line)[0].action.row, right, left)
        return slipped(record, lines)

    return first_of(rng, turns.full_rows(record), make)


def row_doubled_numbered(record: Record, rng: Random) -> Slip | None:
    """A row of two plays stands twice, and the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        line, label = pair[0].line, pair[0].action.row
        lines = renumbered(record, line, 1)
        second = record.row(str(int(label) + 1), *record.cells(line))
        return slipped(record, (*lines[:line], second, *lines[line:]), line)

    return first_of(rng, turns.full_rows(record), make)


def row_lost_numbered(record: Record, rng: Random) -> Slip | None:
    """A row of two plays is lost, and the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        line = pair[0].line
        following = record.following(pair[1])
        if following is None or isinstance(following.action, Result):
            return None
        lines = renumbered(record, line, -1)
        return slipped(record, (*lines[: line - 1], *lines[line:]))

    return first_of(rng, turns.full_rows(record), make)


def rows_exchanged(record: Record, rng: Random) -> Slip | None:
    """The cells of two neighbouring rows stand in each other's place; the numbers do not."""

    def make(pair: tuple[int, int]) -> Slip | None:
        upper, lower = pair
        rows = rows_of(record, game_at(record, upper))
        return slipped(
            record, with_cells(record, rows, {upper: rows[lower][1], lower: rows[upper][1]})
        )

    return first_of(rng, list(neighbors(record)), make)


def lines_exchanged(record: Record, rng: Random) -> Slip | None:
    """Two neighbouring rows stand in each other's place, with their numbers."""

    def make(pair: tuple[int, int]) -> Slip | None:
        upper, lower = (record.lines[line - 1] for line in pair)
        return slipped(
            record, (*record.lines[: pair[0] - 1], lower, upper, *record.lines[pair[1] :])
        )

    return first_of(rng, list(neighbors(record)), make)


def dice_exchanged(record: Record, rng: Random) -> Slip | None:
    """The rolls of the two plays of a row stand in each other's cell."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        left, right = (record.text(act) for act in pair)
        cells = right[:2] + left[2:], left[:2] + right[2:]
        new = record.row(pair[0].action.row, *cells)
        return slipped(record, record.with_line(pair[0].line, new))

    return first_of(rng, turns.full_rows(record), make)


def turn_lost_moved_up(record: Record, rng: Random) -> Slip | None:
    """A play is lost with its roll, and all turns after it move up by a cell."""
    return first_of(rng, record.plays, lambda act: turn_lost_moved_up_at(record, act))


def dance_lost_moved_up(record: Record, rng: Random) -> Slip | None:
    """A dance is lost with its roll, and all turns after it move up by a cell."""
    return first_of(rng, record.dances, lambda act: turn_lost_moved_up_at(record, act))


def turn_lost_moved_up_at(record: Record, lost: Act) -> Slip | None:
    """That turn is lost, and all after it move up by a cell."""
    rows = rows_of(record, lost.game)
    acts = [act for act in record.acts if act.game == lost.game and act.line in rows]
    after = [act for act in acts if act.at > lost.at]
    crowded = any((act.line, act.side) in record.crowded for act in (lost, *after))
    if not after or crowded or any(isinstance(act.action, Result) for act in acts):
        return None
    changed_cells = {act.line: rows[act.line][1] for act in (lost, *after)}
    texts = [*(record.text(act) for act in after), ""]
    for act, moved in zip((lost, *after), texts, strict=True):
        changed_cells[act.line] = with_cell(changed_cells[act.line], act.side, moved)
    lines = with_cells(record, rows, changed_cells)
    last = after[-1].line
    if not any(changed_cells[last]):
        lines = (*lines[: last - 1], *lines[last:])
    return slipped(record, lines)


def half_row_alone(record: Record, rng: Random) -> Slip | None:
    """The right play of a row stands in the left column of a row of its own; the numbers go on."""

    def make(pair: tuple[Act, Act]) -> Slip | None:
        line, label = pair[0].line, pair[0].action.row
        left, right = record.cells(line)
        lines = renumbered(record, line, 1)
        new = record.row(label, left, ""), record.row(str(int(label) + 1), right, "")
        return slipped(record, (*lines[: line - 1], *new, *lines[line:]), line + 1)

    return first_of(rng, turns.full_rows(record), make)


def right_column_lost(record: Record, rng: Random) -> Slip | None:
    """The right column of a game is lost."""
    return _right_column_lost(record, rng, list(range(len(record.games))))


def right_column_lost_with_first(record: Record, rng: Random) -> Slip | None:
    """The right column of a game is lost that begins in it: the first row stands empty."""
    begun = [number for number, acts in enumerate(record.games) if acts[0].side == RIGHT]
    return _right_column_lost(record, rng, begun)


def _right_column_lost(record: Record, rng: Random, games: list[int]) -> Slip | None:
    def make(game: int) -> Slip | None:
        rows = rows_of(record, game)
        return slipped(
            record,
            with_cells(record, rows, {line: (cells[0], "") for line, (_, cells) in rows.items()}),
        )

    return first_of(rng, games, make)
