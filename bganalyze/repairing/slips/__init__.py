"""Slips of transcribers: functions that each suggest repairs for one kind of slip."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bganalyze.repairing.error_context import UNFOUNDED_WIN, ErrorContext, is_one_sided
from bganalyze.repairing.excerpt import CODES_COMPARING_GAMES
from bganalyze.repairing.slips import cells, cubes, games, rows, turns, unknown
from bganalyze.repairing.suggestion import Suggestion

RepairSuggester = Callable[[ErrorContext], Iterator[Suggestion]]

LAYOUT_SLIPS: tuple[RepairSuggester, ...] = (
    rows.suggest_deleting_repeated_row,
    rows.suggest_swapping_cells,
    rows.suggest_swapping_rolls,
    rows.suggest_swapping_rows,
    rows.suggest_joining_rows,
    rows.suggest_swapping_all_rolls,
    rows.suggest_swapping_columns,
    rows.suggest_swapping_sides,
    *turns.SLIPS,
    *games.SLIPS,
    *cubes.SLIPS,
)
LOST_TURN_SLIPS: tuple[RepairSuggester, ...] = (
    rows.suggest_lost_turn_and_move_others,
    rows.suggest_lost_row,
)
"""Slips that yield the most suggestions. They come last, because time may run out."""

PLAY_SLIPS: tuple[RepairSuggester, ...] = (
    rows.suggest_lost_turn,
    unknown.suggest_readable_cell,
    cells.suggest_removing_hit_mark,
    cells.suggest_other_roll,
    cells.suggest_other_play,
)

CALLED_ILLEGAL_SLIPS: tuple[RepairSuggester, ...] = (
    rows.suggest_deleting_repeated_row,
    turns.suggest_deleting_repeated_turn,
    unknown.suggest_readable_cell,
)
"""Slips to try where the match file itself calls the play illegal.

Measured on the twelve of 1,000 real match files that have errors: four hold such plays, and trying
every slip on them took 60 % of the time for all twelve.
"""

SCORE_SLIPS: tuple[RepairSuggester, ...] = (
    rows.suggest_swapping_columns,
    rows.suggest_swapping_sides,
    *games.SLIPS,
)
"""Slips to try where games of a match contradict each other. Cells need not be searched."""

MATCH_CODES = (*CODES_COMPARING_GAMES, "R607")
"""Codes of findings that compare a game with other games, or with the match."""

PLAY_CODES = ("P", "D", "T101", "T105", "T109", "C506", UNFOUNDED_WIN)
"""Starts of the codes that another play or roll may explain. Cube and score findings are not among
them: another play leaves them as they are."""


def suggest_repairs(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest repairs of an error, for every kind of slip that may explain it."""
    if context.finding.code == "T120" and context.problem.about["is_cut_off"]:
        return  # No edit can restore rows that are cut off.
    if context.is_too_long_to_search:
        return
    if is_one_sided(context.replayed, context.finding):
        yield from rows.suggest_lost_column(context)
        return
    for slip in _choose_searches(context):
        yield from slip(context)


def _choose_searches(context: ErrorContext) -> tuple[RepairSuggester, ...]:
    """Return the functions that suggest repairs of an error, one for each kind of slip."""
    if context.is_marked_illegal:
        return CALLED_ILLEGAL_SLIPS
    if context.finding.code in MATCH_CODES:
        return SCORE_SLIPS
    if cubes.is_unread_answer(context):
        return (cubes.suggest_spelling,)
    of_plays = PLAY_SLIPS if context.finding.code.startswith(PLAY_CODES) else ()
    return *LAYOUT_SLIPS, *of_plays, *LOST_TURN_SLIPS


def suggest_lost_rows(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing row, with a turn of each side, before the error."""
    if context.is_too_long_to_search:
        return
    # Slow: each place has more than 100,000 pairs of turns.
    yield from rows.suggest_lost_row(context)
    yield from rows.suggest_lost_row_despite_numbers(context)
