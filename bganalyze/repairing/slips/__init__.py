"""The slips of a transcriber, each a function that suggests what was meant; the registry of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bganalyze.repairing.evidence import UNFOUNDED_WIN, Evidence, is_one_sided
from bganalyze.repairing.excerpt import OF_OTHER_GAMES
from bganalyze.repairing.slips import cells, cubes, games, rows, turns, unknown
from bganalyze.repairing.suggestion import Suggestion

Slip = Callable[[Evidence], Iterator[Suggestion]]

OF_LAYOUT: tuple[Slip, ...] = (
    rows.doubled_row,
    rows.exchanged_cells,
    rows.exchanged_dice,
    rows.exchanged_rows,
    rows.half_row,
    rows.exchanged_columns,
    rows.exchanged_sides,
    *turns.SLIPS,
    *games.SLIPS,
    *cubes.SLIPS,
)
OF_LOST_TURNS: tuple[Slip, ...] = (rows.lost_turn_moved_up, rows.lost_row)
"""Those that suggest most, and so the last for which there may be no time."""

OF_PLAYS: tuple[Slip, ...] = (
    rows.lost_turn,
    unknown.unreadable_cell,
    cells.false_mark,
    cells.misread_roll,
    cells.wrong_play,
)

OF_CALLED_ILLEGAL: tuple[Slip, ...] = (rows.doubled_row, turns.turn_twice, unknown.unreadable_cell)
"""The slips behind a play that the record itself calls illegal, which it stays whatever else was meant.

Measured on the twelve of a thousand real records that have errors: four hold such plays, and to look
for every slip behind these took three fifths of the time for the twelve.
"""

OF_SCORES: tuple[Slip, ...] = (rows.exchanged_columns, rows.exchanged_sides, *games.SLIPS)
"""The slips behind what is wrong between the games of a match; no cell of one tells of it."""

TOLD_BY_GAMES = (*OF_OTHER_GAMES, "R607")
"""Findings that compare a game with others, or with the match."""

TOLD_BY_PLAYS = ("P", "D", "T101", "T105", "T109", "C506", UNFOUNDED_WIN)
"""Findings that another play or roll may explain. What is wrong with the cube or a score would be so
with any play."""


def suggestions(evidence: Evidence) -> Iterator[Suggestion]:
    """Yield what may have been meant where a finding is, by the slips that suggest least first."""
    if evidence.finding.code == "T120" and evidence.fact.about["is_cut_off"]:
        return  # No edit tells the rows that are cut off.
    if evidence.is_damage:
        return
    if is_one_sided(evidence.replayed, evidence.finding):
        yield from rows.lost_column(evidence)
        return
    for slip in _slips_for(evidence):
        yield from slip(evidence)


def _slips_for(evidence: Evidence) -> tuple[Slip, ...]:
    """Return the slips that may be behind a finding."""
    if evidence.is_called_illegal:
        return OF_CALLED_ILLEGAL
    if evidence.finding.code in TOLD_BY_GAMES:
        return OF_SCORES
    of_plays = OF_PLAYS if evidence.finding.code.startswith(TOLD_BY_PLAYS) else ()
    return *OF_LAYOUT, *of_plays, *OF_LOST_TURNS


def lost_rows(evidence: Evidence) -> Iterator[Suggestion]:
    """Yield the rows that may be lost, whatever the numbers say, which takes long."""
    if evidence.is_damage:
        return
    yield from rows.lost_row(evidence)
    yield from rows.lost_row_renumbered(evidence)
