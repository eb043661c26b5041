"""Effort: how much work the search for the slips of one file may take.

It is counted, not timed, so that the same file has the same repairs on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Game, Profile
from bganalyze.repairing.suggestion import Suggestion
from bganalyze.validation.replaying.facts import Context
from bganalyze.validation.replaying.match import played
from bganalyze.validation.replaying.readings import BUDGET
from bganalyze.validation.replaying.state import Table

MOST = 96_000
"""The work for one file, in readings of 0.008 ms each: half a second of processor time. Fitted to the
times of 290 searches in damaged records, as are the numbers below."""

MOST_OF_FINDING = 28_000
"""The work for one finding of a file: one that needs more keeps nobody from looking at the others."""

FOR_FINDINGS = 50_000
"""So much of the work for a file is kept for the findings themselves, not for what follows them."""

OF_SUGGESTION, OF_EDIT, OF_TRIAL, OF_ACTION = 5, 2, 250, 3
"""The work for each suggestion, each of its edits, each trial of edits and each action replayed."""

MOST_EDITS = 10
"""No more edits of a suggestion count: those of a whole file are found at once."""

REMEMBERED = 128
"""A game that is as it was is not replayed again. Measured on a match of 27 games with eight lost
steps in each: each trial of a repair would take seconds."""


class EffortSpentError(Exception):
    """The search has done as much work as one file may take."""


class FindingSpentError(Exception):
    """The search has done as much work as one finding may take."""


class Effort:
    """The work that a search may still do, and its memory of the games that it has replayed."""

    def __init__(self, most: float = MOST) -> None:
        self._meter = _Meter(most)
        self.play = lru_cache(REMEMBERED)(partial(_play_counting, self._meter))
        """Replays a game as `played` does, and counts the work."""

    @property
    def left(self) -> float:
        """The work that may still be done."""
        return self._meter.left

    @property
    def is_spent(self) -> bool:
        """Whether nothing more may be done."""
        return self.left <= 0

    @property
    def was_short(self) -> bool:
        """Whether there was too little of it for all findings, or for one of them."""
        return self._meter.was_short

    @property
    def is_short(self) -> bool:
        """Whether not all was tried for the last finding."""
        return self._meter.is_short

    @property
    def is_scarce(self) -> bool:
        """Whether what is left is needed for the findings themselves, and nothing is looked at ahead."""
        return self.left < FOR_FINDINGS

    @contextmanager
    def for_finding(self) -> Iterator[None]:
        """Raise FindingSpentError in this block once the work for one finding is done."""
        self._meter.floor = max(self._meter.left - MOST_OF_FINDING, 0)
        self._meter.is_short = False
        try:
            yield
        finally:
            self._meter.floor = 0

    def spend_on_trial(self) -> None:
        """Count that a text was read and checked; raise EffortSpentError."""
        self._spend(OF_TRIAL)

    def spend_on_each(self, suggestions: Iterator[Suggestion]) -> Iterator[Suggestion]:
        """Yield suggestions, counting them, until half of the work for them and their trials is done.

        Raise EffortSpentError.
        """
        least = (self._meter.left + self._meter.floor) / 2
        for suggestion in suggestions:
            if self.left < least:
                self._meter.was_short = self._meter.is_short = True
                return
            self._spend(OF_SUGGESTION + OF_EDIT * min(len(suggestion.edits), MOST_EDITS))
            yield suggestion

    def _spend(self, work: int) -> None:
        self._meter.left -= work
        if self.left > self._meter.floor:
            return
        self._meter.was_short = self._meter.is_short = True
        raise EffortSpentError if self.is_spent else FindingSpentError


class _Meter:
    """The work that is left, and what of it has to be left behind a finding."""

    def __init__(self, most: float) -> None:
        self.left, self.floor = most, 0.0
        self.was_short = self.is_short = False


def _play_counting(
    meter: _Meter,
    profile: Profile,
    game: Game,
    rule_book: RuleBook,
    context: Context,
    odd_rows: tuple[int, ...],
) -> Table:
    """Replay a game, and count its actions and the readings that were tried."""
    table = played(profile, game, rule_book, context, odd_rows)
    meter.left -= len(game.actions) * OF_ACTION + BUDGET - table.doubt.budget
    return table
