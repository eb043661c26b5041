"""The PR of a player, how sure it is, and the classes that it supports."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from bganalyze.analysis.metrics import (
    LEAST_DEVIATION,
    METRICS,
    PR_SHOWN,
    bmab_grade,
    half_width_of_interval,
    pr_class,
)
from bganalyze.statistics.reports.analyzed import estimate_rates, losses_by_metric
from bganalyze.statistics.reports.figures import rows_for
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

METRIC = next(metric for metric in METRICS if metric.name == PR_SHOWN)
"""The rule by which a profile counts PR."""


NameOfRate: TypeAlias = Callable[[float], str]
"""A function that returns the class of a PR."""


class ErrorRate(NamedTuple):
    """A PR with its 95 % interval."""

    value: float
    low: float
    high: float
    """The ends of the interval; NaN with too few matches."""
    decisions: int
    """Decisions that it counts."""
    matches: int

    @property
    def reach(self) -> float | None:
        """Half the width of the interval, or None without one."""
        return None if math.isnan(self.low) else (self.high - self.low) / 2

    @property
    def xg_class(self) -> str:
        """EXtreme Gammon's class if the decisions support it, else empty."""
        return self._name_if_certain(pr_class)

    @property
    def bmab_grade(self) -> str:
        """The grade of the Backgammon Masters Awarding Body if the decisions support it, else empty."""
        return self._name_if_certain(bmab_grade)

    def _name_if_certain(self, name: NameOfRate) -> str:
        """Return a name if every rate of both intervals has it.

        The second interval comes from the number of decisions, because a few matches may agree by
        chance.
        """
        if self.reach is None:
            return ""
        least = half_width_of_interval(METRIC.factor * LEAST_DEVIATION, self.decisions)
        ends = (self.low, self.high, max(self.value - least, 0.0), self.value + least)
        names = set(map(name, ends))
        return names.pop() if len(names) == 1 else ""


def estimate_error_rate(tables: AnalyzedTables, question: Question) -> ErrorRate | None:
    """Return the PR of the question's player; None if no decision counts."""
    rows = rows_for(losses_by_metric(tables), question)
    found = estimate_rates(rows, (METRIC,), ()).to_dict("records")
    if not found or not found[0]["of"]:
        return None
    row = found[0]
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    return ErrorRate(value, low, high, int(row["of"]), int(row["matches"]))
