"""Match-winning chance given away: what the errors of a side cost it, in percent of the match.

The loss of each decision in equity, times half the difference between the chances to win the match
after a plain win and after a plain loss of the cube as it stood before the decision. Chances:
Kazaross-XG2. In money games: points. Illegal plays do not count.
"""

from __future__ import annotations

from collections.abc import Iterable

from bganalyze.judging.decisions import Kind
from bganalyze.judging.metrics.figures import MetricValue
from bganalyze.judging.verdict import CUBE, JudgedDecision, loss

FACTOR = 100.0


def counts(row: JudgedDecision) -> bool:
    """Whether a decision counts."""
    return row.legal is True if row.kind is Kind.PLAY else row.kind in CUBE


def cost(row: JudgedDecision) -> float | None:
    """Return what a decision gave away: a chance to win the match or, for money, points."""
    lost = loss(row)
    return None if lost is None or row.stake is None else row.stake.cost(lost)


def given_away(rows: Iterable[JudgedDecision], side: int) -> MetricValue:
    """Return the sum for one side, in percent of the match (points of a money game), over 1."""
    rows = list(rows)
    costs = [cost(row) for row in rows if row.side == side and counts(row)]
    money = any(not row.length for row in rows)
    return MetricValue(sum(filter(None, costs)), 1, 1.0 if money else FACTOR)
