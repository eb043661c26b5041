"""PR as eXtreme Gammon shows it, by the counting rule that GammonView has published.

500 times the equity lost (EMG) over the decisions that count. Of plays: those whose candidates, the
ten best at most, differ by 0.0001 or more. A cube is *trivial* where doubling or not makes no
difference of 0.001, where no double is better by more than 0.200 than a take or than a drop, and
where both equities are below -0.900: a double or none does not count at a trivial cube unless it
lost 0.001. A take or drop does not count where both are within 0.001. Illegal plays do not count.
(GammonView, `gvformat`, MIT: reproduces six sides of XG exactly.)

XG's own definition is not published; `xg_a` is another rule that was fitted to its figures.
"""

from __future__ import annotations

from collections.abc import Iterable

from bganalyze.judging.decisions import ANSWERS, Kind
from bganalyze.judging.metrics.figures import MetricValue, metric_value
from bganalyze.judging.verdict import CUBE, JudgedDecision, loss

FACTOR = 500.0
LEAST_SPREAD = 1e-4
ROUNDING = 1e-9
"""Stored equities are decimal: their difference may fall short of it by a hair."""
SAME = 0.001
MOST_BEHIND = 0.200
HOPELESS = -0.900


def counts(row: JudgedDecision) -> bool:
    """Whether a decision counts."""
    lost = loss(row)
    if lost is None:
        return False
    if row.kind is Kind.PLAY:
        return (
            row.legal is True and row.spread is not None and row.spread >= LEAST_SPREAD - ROUNDING
        )
    if row.kind not in CUBE:
        return False
    assert row.take is not None
    assert row.drop is not None
    if row.kind in ANSWERS:
        return abs(row.take - row.drop) >= SAME
    return not (is_trivial(row) and lost < SAME)


def is_trivial(row: JudgedDecision) -> bool:
    """Whether a cube is so clear that it is no decision."""
    assert row.no_double is not None
    assert row.take is not None
    assert row.drop is not None
    none, take, drop = row.no_double, row.take, row.drop
    return (
        abs(none - min(take, drop)) < SAME
        or none - take > MOST_BEHIND
        or none - drop > MOST_BEHIND
        or (none < HOPELESS and take < HOPELESS)
    )


def pr(rows: Iterable[JudgedDecision], side: int) -> MetricValue:
    """Return the PR of one side; `rate` is the figure that players know."""
    return metric_value(rows, side, counts, FACTOR)
