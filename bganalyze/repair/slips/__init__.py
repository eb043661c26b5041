"""The slips of a scribe, each a function that suggests what was meant; the registry of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bganalyze.repair.evidence import Evidence
from bganalyze.repair.slips import cells, cubes, games, rows
from bganalyze.repair.suggestion import Suggestion

Hypothesis = Callable[[Evidence], Iterator[Suggestion]]

HYPOTHESES: tuple[Hypothesis, ...] = (
    rows.doubled_row,
    rows.exchanged_cells,
    rows.exchanged_dice,
    rows.exchanged_rows,
    rows.half_row,
    rows.exchanged_columns,
    rows.exchanged_sides,
    *games.HYPOTHESES,
    *cubes.HYPOTHESES,
    rows.lost_turn,
    rows.lost_turn_moved_up,
    cells.unreadable_cell,
    cells.false_mark,
    cells.misread_throw,
    cells.wrong_play,
)
"""All hypotheses, those of layout before those of play."""
