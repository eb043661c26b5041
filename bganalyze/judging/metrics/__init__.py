"""Metrics: figures of judged decisions, one published definition in each module.

Every function takes the rows of one match, or of many, and no settings: a figure under another
definition is another function. What a metric counts, it also names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from bganalyze.judging.metrics import gnubg_rate, snowie, xg_a, xg_b
from bganalyze.judging.metrics import mwc as given_away
from bganalyze.judging.metrics.figures import MetricValue
from bganalyze.judging.verdict import JudgedDecision, loss


class Metric(NamedTuple):
    """A metric by its name."""

    name: str
    unit: str
    of: Callable[[Sequence[JudgedDecision], int], MetricValue]
    counts: Callable[[JudgedDecision], bool]
    """Whether a decision counts: what is listed on demand."""
    factor: float
    """What the sum of losses is multiplied by."""
    per: Literal["decision", "move", "match"] = "decision"
    """What it is divided by: decisions that count, moves of both sides, or nothing in a match."""
    lost: Callable[[JudgedDecision], float | None] = loss
    """What a decision that counts has lost."""

    @property
    def about(self) -> str:
        """What it is, in a line: the first of the module that defines it."""
        return (inspect.getdoc(inspect.getmodule(self.of)) or "").partition("\n")[0]


METRICS = (
    Metric("gnubg", "mEMG", gnubg_rate.error_rate, gnubg_rate.counts, gnubg_rate.FACTOR),
    Metric("snowie", "mEMG", snowie.error_rate, snowie.counts, snowie.FACTOR, "move"),
    Metric("xg-a", "PR", xg_a.pr, xg_a.counts, xg_a.FACTOR),
    Metric("xg-b", "PR", xg_b.pr, xg_b.counts, xg_b.FACTOR),
    Metric(
        *("mwc", "% MWC", given_away.given_away, given_away.counts, given_away.FACTOR, "match"),
        lost=given_away.cost,
    ),
)
"""The error rates that are shown side by side."""
