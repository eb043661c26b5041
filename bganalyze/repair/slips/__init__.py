"""The slips of a scribe, each a function that suggests what was meant; the registry of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bganalyze.repair.evidence import UNFOUNDED_WIN, Evidence, is_one_sided
from bganalyze.repair.slips import cells, cubes, games, rows, turns, unknown
from bganalyze.repair.suggestion import Suggestion

Slip = Callable[[Evidence], Iterator[Suggestion]]

OF_LAYOUT: tuple[Slip, ...] = (
    rows.doubled_row,
    rows.exchanged_cells,
    rows.exchanged_dice,
    rows.exchanged_rows,
    rows.half_row,
    rows.exchanged_columns,
    rows.exchanged_sides,
    rows.lost_turn_moved_up,
    rows.lost_row,
    *turns.SLIPS,
    *games.SLIPS,
    *cubes.SLIPS,
)
OF_PLAYS: tuple[Slip, ...] = (
    rows.lost_turn,
    unknown.unreadable_cell,
    cells.false_mark,
    cells.misread_throw,
    cells.wrong_play,
)

TOLD_BY_PLAYS = ("P", "D", "T101", "T105", "T109", "C506", UNFOUNDED_WIN)
"""Findings that another play or throw may explain. What is wrong with the cube or a score would be so
with any play."""


def suggestions(evidence: Evidence) -> Iterator[Suggestion]:
    """Yield what may have been meant where a finding is: slips of layout before those of plays."""
    if is_one_sided(evidence.replayed, evidence.finding):
        lost_turns = list(rows.lost_turn(evidence))
        # Nothing else accounts for a first row that stands empty.
        yield from list(rows.lost_column(evidence, lost_turns)) or lost_turns
        yield from turns.lost_turn(evidence)
        return
    of_plays = OF_PLAYS if evidence.finding.code.startswith(TOLD_BY_PLAYS) else ()
    for slip in (*OF_LAYOUT, *of_plays):
        yield from slip(evidence)


def lost_rows(evidence: Evidence) -> Iterator[Suggestion]:
    """Yield the rows that may be lost, whatever the numbers say, which takes long."""
    yield from rows.lost_row(evidence)
    yield from rows.lost_row_renumbered(evidence)
