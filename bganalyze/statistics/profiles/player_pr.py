"""The PR of a player, how sure it is, and the classes that it supports."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from bganalyze.analysis.error_rates import (
    LEAST_DEVIATION,
    METRICS,
    PR_SHOWN,
    bmab_grade,
    grade_over_matches,
    pr_class,
)
from bganalyze.statistics.reports.analyzed_counts import estimate_rates, tabulate_losses
from bganalyze.statistics.reports.figures import select_rows_of_question
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

METRIC = next(metric for metric in METRICS if metric.name == PR_SHOWN)
"""The rule by which a profile counts PR."""


GradeOfRate: TypeAlias = Callable[[float], str]
"""A function that returns the class of a PR."""


class ErrorRate(NamedTuple):
    """A player's PR (error rate of eXtreme Gammon) with its 95 % interval."""

    value: float
    low: float
    high: float
    """The ends of the interval; NaN with too few matches."""
    decisions: int
    """Decisions that it counts."""
    matches: int

    @property
    def reach(self) -> float | None:
        """Half the width of the interval, or None if there is no interval."""
        return None if math.isnan(self.low) else (self.high - self.low) / 2

    @property
    def xg_class(self) -> str:
        """EXtreme Gammon's class of the player, such as `expert`, or "" if it is uncertain."""
        return self._grade_if_certain(pr_class)

    @property
    def bmab_grade(self) -> str:
        """The grade of the Backgammon Masters Awarding Body, or "" if it is uncertain."""
        return self._grade_if_certain(bmab_grade)

    def _grade_if_certain(self, grade_of: GradeOfRate) -> str:
        """Return the grade that every PR in the interval has, or "" if the grades differ."""
        interval = None if self.reach is None else (self.low, self.high)
        spread = METRIC.factor * LEAST_DEVIATION
        return grade_over_matches(grade_of, self.value, interval, self.decisions, spread)


def estimate_error_rate(tables: AnalyzedTables, question: Question) -> ErrorRate | None:
    """Return the PR over the decisions that a question selects, or None if none of them counts."""
    rows = select_rows_of_question(tabulate_losses(tables), question)
    found = estimate_rates(rows, (METRIC,), ()).to_dict("records")
    if not found or not found[0]["of"]:
        return None
    row = found[0]
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    return ErrorRate(value, low, high, int(row["of"]), int(row["matches"]))
