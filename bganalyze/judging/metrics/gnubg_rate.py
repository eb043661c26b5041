"""GNU Backgammon's overall error rate, as its statistics tell it.

1000 times the equity lost (EMG) over unforced plays and close or actual cube decisions.
"""

from __future__ import annotations

from collections.abc import Iterable

from bganalyze.judging.decisions import Kind
from bganalyze.judging.metrics.figures import MetricValue, metric_value
from bganalyze.judging.metrics.gnubg import is_close
from bganalyze.judging.verdict import CUBE, JudgedDecision, loss

FACTOR = 1000.0


def counts(row: JudgedDecision) -> bool:
    """Whether a decision counts."""
    if loss(row) is None:
        return False
    if row.kind is Kind.PLAY:
        return row.legal is True and not row.forced
    return row.kind in CUBE and (row.kind is not Kind.NO_DOUBLE or is_close(row))


def error_rate(rows: Iterable[JudgedDecision], side: int) -> MetricValue:
    """Return the error rate of one side."""
    return metric_value(rows, side, counts, FACTOR)
