"""Work limit: the amount of work allowed in the search for slips of one file.

Work is counted, not timed, so that a file gets the same repairs on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Conventions, Game
from bganalyze.repairing.suggestion import Suggestion
from bganalyze.validation.replaying.board_guesses import BUDGET
from bganalyze.validation.replaying.match import replay_as_meant
from bganalyze.validation.replaying.replayed import Context
from bganalyze.validation.replaying.state import GameState

MOST = 96_000
"""Work allowed for one file, in readings of 0.008 ms each: half a second of processor time. Fitted,
as are the numbers below, to the times of 290 searches in damaged match files."""

MOST_WORK_PER_FINDING = 28_000
"""Work allowed for one finding, so that no finding uses up the effort for the others."""

RESERVED_FOR_FINDINGS = 50_000
"""Work reserved for the findings themselves. When no more is left, nothing is followed ahead."""

WORK_PER_SUGGESTION, WORK_PER_EDIT, WORK_PER_TRIAL, WORK_PER_ACTION = 5, 2, 250, 3
"""Work counted for each suggestion, edit, trial of edits and action replayed."""

MOST_EDITS = 10
"""Largest number of edits counted for a suggestion. Edits of a whole file are found at once."""

REMEMBERED = 128
"""Cache size, in replayed games. Measured on a match of 27 games with eight lost steps in each:
without a cache, each trial would take seconds."""


class EffortSpentError(Exception):
    """The work allowed for one file is done."""


class FindingSpentError(Exception):
    """The work allowed for one finding is done."""


class WorkLimit:
    """Budget of work for the search for repairs of a file, with a cache of replayed games."""

    def __init__(self, most: float = MOST) -> None:
        self._meter = _Meter(most)
        self.play = lru_cache(REMEMBERED)(partial(_replay_counting_work, self._meter))
        """Replay a game as `replay_as_meant` does, and count the work."""

    @property
    def left(self) -> float:
        """The work that may still be done for this file, counted in boards tried in replays."""
        return self._meter.left

    @property
    def is_spent(self) -> bool:
        """Whether the budget of this file is used up."""
        return self.left <= 0

    @property
    def was_any_search_cut_short(self) -> bool:
        """Whether the search for repairs of some error was cut short or left out."""
        return self._meter.was_any_search_cut_short

    @property
    def was_last_search_cut_short(self) -> bool:
        """Whether the search for repairs of the last error was cut short."""
        return self._meter.was_last_search_cut_short

    @property
    def is_scarce(self) -> bool:
        """Whether too little work is left to try each repair with repairs of later errors."""
        return self.left < RESERVED_FOR_FINDINGS

    @contextmanager
    def for_finding(self) -> Iterator[None]:
        """Limit the work in a `with` block to the budget of one error or warning.

        When this budget is used up, FindingSpentError is raised in the block.
        """
        self._meter.floor = max(self._meter.left - MOST_WORK_PER_FINDING, 0)
        self._meter.was_last_search_cut_short = False
        try:
            yield
        finally:
            self._meter.floor = 0

    def leave_out_finding(self) -> None:
        """Note that an error is left unexamined because too many errors come before it."""
        self._meter.was_any_search_cut_short = True

    def spend_on_trial(self) -> None:
        """Count the reading and checking of one text as work.

        Raises EffortSpentError at the limit.
        """
        self._spend_work(WORK_PER_TRIAL)

    def take_within_half(self, suggestions: Iterator[Suggestion]) -> Iterator[Suggestion]:
        """Yield suggested repairs until their search has used half of the work left.

        Raises FindingSpentError or EffortSpentError if no work is left.
        """
        least = (self._meter.left + self._meter.floor) / 2
        for suggestion in suggestions:
            if self.left < least:
                self._meter.was_any_search_cut_short = self._meter.was_last_search_cut_short = True
                return
            self._spend_work(
                WORK_PER_SUGGESTION + WORK_PER_EDIT * min(len(suggestion.edits), MOST_EDITS)
            )
            yield suggestion

    def _spend_work(self, work: int) -> None:
        """Subtract work from the budget.

        Raises FindingSpentError or EffortSpentError if too little is left.
        """
        self._meter.left -= work
        if self.left > self._meter.floor:
            return
        self._meter.was_any_search_cut_short = self._meter.was_last_search_cut_short = True
        raise EffortSpentError if self.is_spent else FindingSpentError


class _Meter:
    """The work left, and the amount (`floor`) that the current finding must leave for others."""

    def __init__(self, most: float) -> None:
        self.left, self.floor = most, 0.0
        self.was_any_search_cut_short = self.was_last_search_cut_short = False


def _replay_counting_work(
    meter: _Meter,
    conventions: Conventions,
    game: Game,
    rule_book: RuleBook,
    context: Context,
    odd_rows: tuple[int, ...],
) -> GameState:
    """Replay a game as `replay_as_meant` does, and subtract the work from `meter.left`."""
    table = replay_as_meant(conventions, game, rule_book, context, odd_rows)
    # Each board tried costs 1, each action of the game `WORK_PER_ACTION`.
    meter.left -= len(game.actions) * WORK_PER_ACTION + BUDGET - table.doubt.budget
    return table
