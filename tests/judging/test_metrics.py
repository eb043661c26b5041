"""Snowie's rate, both rules of PR and match-winning chance: what counts, and what it comes to."""

from __future__ import annotations

import pytest

from bganalyze.judging.decisions import Kind
from bganalyze.judging.metrics import METRICS, cost
from bganalyze.judging.verdict import JudgedDecision, loss
from tests.judging.rows import cube, given_up, play

BY_NAME = {metric.name: metric for metric in METRICS}
NOTHING_KNOWN = play(None)


def counted(row: JudgedDecision) -> set[str]:
    """Return the metrics that count a decision."""
    return {metric.name for metric in METRICS if metric.counts(row)}


@pytest.mark.parametrize(
    ("row", "by"),
    [
        (play(0.1), {"gnubg", "snowie", "xg-a", "xg-b", "mwc"}),
        (play(0.1, legal=False), set()),
        (play(0.0, forced=True, spread=0.0), {"snowie", "mwc"}),
        (play(0.0, spread=0.0005), {"gnubg", "snowie", "xg-b", "mwc"}),
        (cube(Kind.NO_DOUBLE, 0.3, 0.2), {"gnubg", "snowie", "xg-a", "xg-b", "mwc"}),
        (cube(Kind.NO_DOUBLE, -0.1, -0.2), {"gnubg", "snowie", "xg-b", "mwc"}),
        (cube(Kind.NO_DOUBLE, 0.3, 0.12), {"snowie", "xg-a", "xg-b", "mwc"}),
        (cube(Kind.NO_DOUBLE, 0.3, -0.5), {"snowie", "mwc"}),
        (cube(Kind.NO_DOUBLE, -0.95, -0.99), {"gnubg", "snowie", "mwc"}),
        (cube(Kind.DOUBLE, 0.9, 1.4), {"gnubg", "snowie", "xg-a", "xg-b", "mwc"}),
        (cube(Kind.DOUBLE, 0.999, 1.4, 0.9995), {"gnubg", "snowie", "xg-a", "mwc"}),
        (cube(Kind.TAKE, 0.9, 1.0005), {"gnubg", "snowie", "xg-a", "mwc"}),
        (cube(Kind.BEAVER, 0.1, -0.1), set()),
        (cube(Kind.TAKE_BEAVER, 0.1, -0.1)._replace(offer=4), set()),
        (given_up(Kind.RESIGNATION, -1.0, -0.5), set()),
        (given_up(Kind.ACCEPT, 1.0, 1.5), set()),
    ],
)
def test_which_decisions_count(row: JudgedDecision, by: set[str]) -> None:
    assert counted(row) == by


@pytest.mark.parametrize("name", BY_NAME)
def test_no_metric_counts_what_no_engine_has_judged(name: str) -> None:
    figure = BY_NAME[name].of([NOTHING_KNOWN], 0)
    assert figure.lost == 0


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (play(0.1), 0.1),
        (cube(Kind.NO_DOUBLE, 0.5, 0.7), 0.2),
        (cube(Kind.DOUBLE, 0.5, 0.3), 0.2),
        (cube(Kind.TAKE, 0.9, 1.3), 0.3),
        (cube(Kind.DROP, 0.9, 0.7), 0.3),
        (cube(Kind.DROP, 0.9, 1.7), 0.0),
        (cube(Kind.DROP, 0.9, -0.7)._replace(offer=4), None),
        (cube(Kind.BEAVER, 0.3, 0.2), 0.2),
        (cube(Kind.BEAVER, 0.3, -0.2), 0.0),
        (cube(Kind.TAKE_BEAVER, -0.9, -1.1)._replace(offer=4), 0.2),
        (cube(Kind.DROP_BEAVER, -0.3, -0.7)._replace(offer=4), 0.6),
        (cube(Kind.DROP_BEAVER, -0.9, -1.1)._replace(offer=4), 0.0),
        (cube(Kind.RACCOON, 0.3, -0.2)._replace(offer=8), 0.4),
        (cube(Kind.RACCOON, -0.9, -1.1)._replace(offer=8), 2.4),
        (cube(Kind.RACCOON, 0.3, 0.2)._replace(offer=8), 0.0),
        (cube(Kind.TAKE_RACCOON, 0.9, 1.1)._replace(offer=8), 0.4),
        (cube(Kind.DROP_RACCOON, 0.3, 0.8)._replace(offer=8), 0.8),
        (given_up(Kind.RESIGNATION, -1.0, -0.5), 0.5),
        (given_up(Kind.ACCEPT, 1.0, 0.5), 0.0),
        (given_up(Kind.DECLINE, 0.5, 1.0), 0.5),
        (NOTHING_KNOWN, None),
    ],
)
def test_what_a_decision_loses(row: JudgedDecision, expected: float | None) -> None:
    assert loss(row) == (None if expected is None else pytest.approx(expected))


def test_pr_is_500_times_the_loss_of_a_decision() -> None:
    rows = [play(0.1), play(0.0), play(0.3, side=1)]
    assert BY_NAME["xg-a"].of(rows, 0).rate == pytest.approx(25)
    assert BY_NAME["xg-b"].of(rows, 1) == (0.3, 1, 500.0)


def test_snowie_divides_by_the_moves_of_both() -> None:
    rows = [play(0.1), play(0.0, forced=True), play(0.3, side=1), cube(Kind.NO_DOUBLE, 0.5, 0.7)]
    assert BY_NAME["snowie"].of(rows, 0).rate == pytest.approx(100)


def test_a_missed_double_is_always_close() -> None:
    missed = cube(Kind.NO_DOUBLE, 0.1, 0.9)
    assert BY_NAME["gnubg"].of([missed, play(0.0)], 0) == (pytest.approx(0.8), 2, 1000.0)


def test_chance_given_away_depends_on_the_stake() -> None:
    single = play(0.1)
    doubled = single._replace(cube=2, owner=1)
    assert cost(doubled) > cost(single)  # type: ignore[operator]
    money = single._replace(length=0, cube=4)
    assert BY_NAME["mwc"].of([money], 0).rate == pytest.approx(0.4)


def test_beyond_the_table_no_chance_is_told() -> None:
    assert cost(play(0.1)._replace(length=99)) is None


def test_nothing_counted_is_no_rate() -> None:
    assert BY_NAME["xg-a"].of([], 0).rate is None
