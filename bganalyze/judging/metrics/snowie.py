"""Snowie's error rate, as Snowie 4 and GNU Backgammon give it.

1000 times the equity lost (EMG) by plays and with the cube, over the moves of *both* sides, forced
plays and dances among them. (C. Yep, bug-gnubg, June 2003; GNU Backgammon's manual. Snowie 1 to 3
had another.) The losses are those of GNU Backgammon's statistics.
"""

from __future__ import annotations

from collections.abc import Iterable

from bganalyze.judging.decisions import Kind
from bganalyze.judging.metrics.figures import MetricValue, metric_value
from bganalyze.judging.verdict import CUBE, JudgedDecision

FACTOR = 1000.0


def counts(row: JudgedDecision) -> bool:
    """Whether the loss of a decision counts."""
    return row.legal is True if row.kind is Kind.PLAY else row.kind in CUBE


def error_rate(rows: Iterable[JudgedDecision], side: int) -> MetricValue:
    """Return the error rate of one side."""
    rows = list(rows)
    moves = sum(row.kind is Kind.PLAY and row.legal is True for row in rows)
    return MetricValue(metric_value(rows, side, counts, FACTOR).lost, moves, FACTOR)
