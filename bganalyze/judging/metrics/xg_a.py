"""PR as eXtreme Gammon shows it, by the counting rule that blunderDB has published.

500 times the equity lost (EMG) over the decisions that count. Of plays: those with a choice whose
outcomes differ by 0.001 or more. Of the cube: every double, take and drop; no double where the
position is to the doubler's favour (no-double equity above 0) and doubling is less than 0.200
worse. Illegal plays do not count. (blunderDB, `metriques.rst`, MIT: "verified match by match".)

XG's own definition is not published; `xg_b` is another rule that was fitted to its figures.
"""

from __future__ import annotations

from collections.abc import Iterable

from bganalyze.judging.decisions import ANSWERS, Kind
from bganalyze.judging.metrics.figures import MetricValue, metric_value
from bganalyze.judging.verdict import JudgedDecision, loss

FACTOR = 500.0
LEAST_SPREAD = 0.001
MOST_BEHIND = 0.200


def counts(row: JudgedDecision) -> bool:
    """Whether a decision counts."""
    if loss(row) is None:
        return False
    if row.kind is Kind.PLAY:
        chosen = row.legal is True and not row.forced
        return chosen and row.spread is not None and row.spread >= LEAST_SPREAD
    if row.kind is not Kind.NO_DOUBLE:
        return row.kind is Kind.DOUBLE or row.kind in ANSWERS
    assert row.no_double is not None
    assert row.take is not None
    assert row.drop is not None
    return row.no_double > 0 and row.no_double - min(row.take, row.drop) < MOST_BEHIND


def pr(rows: Iterable[JudgedDecision], side: int) -> MetricValue:
    """Return the PR of one side; `rate` is the figure that players know."""
    return metric_value(rows, side, counts, FACTOR)
