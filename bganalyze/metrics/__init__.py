"""Metrics: figures of judged decisions, one published definition in each module.

Every function takes the rows of one match, or of many, and no settings: a figure under another
definition is another function. What a metric counts, it also names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bganalyze.judged import Judged
from bganalyze.metrics import given_away, gnubg_rate, snowie, xg_a, xg_b
from bganalyze.metrics.figures import Figure


class Metric(NamedTuple):
    """A metric by its name."""

    name: str
    unit: str
    of: Callable[[Sequence[Judged], int], Figure]
    counts: Callable[[Judged], bool]
    """Whether a decision counts: what is listed on demand."""


METRICS = (
    Metric("gnubg", "mEMG", gnubg_rate.error_rate, gnubg_rate.counts),
    Metric("snowie", "mEMG", snowie.error_rate, snowie.counts),
    Metric("xg-a", "PR", xg_a.pr, xg_a.counts),
    Metric("xg-b", "PR", xg_b.pr, xg_b.counts),
    Metric("mwc", "% MWC", given_away.given_away, given_away.counts),
)
"""The error rates that are shown side by side."""
