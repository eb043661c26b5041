"""Snowie's rate, both rules of PR and match-winning chance: what counts, and what it comes to."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import sqrt

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.error_rates import (
    METRICS,
    LeftOut,
    MetricValue,
    bmab_grade,
    cost,
    count_left_out,
    grade_if_certain,
    grade_over_matches,
    pr_class,
)
from tests.analysis.rows import cube, make_resignation, play

NOTHING_KNOWN = play(None)
BY_NAME = {metric.name: metric for metric in METRICS}


PUBLISHED = ("gnubg", "snowie", "xg-a", "xg-b", "mwc")
"""Metrics for which the decisions below say whether they count."""


def find_metrics(row: AnalyzedDecision) -> set[str]:
    """Return the metrics that count a decision."""
    return {name for name in PUBLISHED if BY_NAME[name].counts(row)}


@pytest.mark.parametrize(
    ("row", "by"),
    [
        (play(0.1), {"gnubg", "snowie", "xg-a", "xg-b", "mwc"}),
        (play(0.1, legal=False), set()),
        (play(0.1, legal=None), set()),
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
        (cube(Kind.DOUBLE, 0.5, 0.3)._replace(legal=False), set()),
        (cube(Kind.PASS, 0.5, 0.3)._replace(legal=False), set()),
        (play(0.1)._replace(verified=False), set()),
        (cube(Kind.TAKE, 0.9, 1.3)._replace(verified=False), set()),
        (NOTHING_KNOWN, set()),
        (cube(Kind.BEAVER, 0.1, -0.1), set()),
        (cube(Kind.TAKE_BEAVER, 0.1, -0.1)._replace(offer=4), set()),
        (make_resignation(Kind.RESIGNATION, -1.0, -0.5), set()),
        (make_resignation(Kind.ACCEPT, 1.0, 1.5), set()),
    ],
)
def test_which_decisions_count(row: AnalyzedDecision, by: set[str]) -> None:
    assert find_metrics(row) == by


@pytest.mark.parametrize("name", BY_NAME)
def test_no_metric_counts_what_no_engine_has_analyzed(name: str) -> None:
    figure = BY_NAME[name].measure([NOTHING_KNOWN], 0)
    assert figure.lost == 0


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (play(0.1), 0.1),
        (cube(Kind.NO_DOUBLE, 0.5, 0.7), 0.2),
        (cube(Kind.DOUBLE, 0.5, 0.3), 0.2),
        (cube(Kind.TAKE, 0.9, 1.3), 0.3),
        (cube(Kind.PASS, 0.9, 0.7), 0.3),
        (cube(Kind.PASS, 0.9, 1.7), 0.0),
        (cube(Kind.PASS, 0.9, -0.7)._replace(offer=4), None),
        (cube(Kind.BEAVER, 0.3, 0.2), 0.2),
        (cube(Kind.BEAVER, 0.3, -0.2), 0.0),
        (cube(Kind.TAKE_BEAVER, -0.9, -1.1)._replace(offer=4), 0.2),
        (cube(Kind.PASS_BEAVER, -0.3, -0.7)._replace(offer=4), 0.6),
        (cube(Kind.PASS_BEAVER, -0.9, -1.1)._replace(offer=4), 0.0),
        (cube(Kind.RACCOON, 0.3, -0.2)._replace(offer=8), 0.4),
        (cube(Kind.RACCOON, -0.9, -1.1)._replace(offer=8), 2.4),
        (cube(Kind.RACCOON, 0.3, 0.2)._replace(offer=8), 0.0),
        (cube(Kind.TAKE_RACCOON, 0.9, 1.1)._replace(offer=8), 0.4),
        (cube(Kind.PASS_RACCOON, 0.3, 0.8)._replace(offer=8), 0.8),
        (make_resignation(Kind.RESIGNATION, -1.0, -0.5), 0.5),
        (make_resignation(Kind.ACCEPT, 1.0, 0.5), 0.0),
        (make_resignation(Kind.DECLINE, 0.5, 1.0), 0.5),
        (NOTHING_KNOWN, None),
    ],
)
def test_what_a_decision_loses(row: AnalyzedDecision, expected: float | None) -> None:
    assert loss(row) == (None if expected is None else pytest.approx(expected))


def test_pr_is_500_times_the_loss_of_a_decision() -> None:
    rows = [play(0.1), play(0.0), play(0.3, side=1)]
    assert BY_NAME["xg-a"].measure(rows, 0).rate == pytest.approx(25)
    assert BY_NAME["xg-b"].measure(rows, 1)[:3] == (0.3, 1, 500.0)


def test_snowie_divides_by_the_moves_of_both() -> None:
    rows = [play(0.1), play(0.0, forced=True), play(0.3, side=1), cube(Kind.NO_DOUBLE, 0.5, 0.7)]
    assert BY_NAME["snowie"].measure(rows, 0).rate == pytest.approx(100)


def test_a_move_without_an_evaluation_is_none_in_snowies_rate() -> None:
    rows = [play(0.1), play(None), play(None, side=1), play(None, forced=True)]
    assert BY_NAME["snowie"].measure(rows, 0)[:2] == (0.1, 2)


def test_the_interval_of_a_rate_is_that_of_its_decisions() -> None:
    few, many = (BY_NAME["xg-b"].measure([play(0.0), play(0.02)] * n, 0).interval for n in (3, 400))
    assert few == (0.0, pytest.approx(5 + 500 * 1.96 * sqrt((0.0006 + 50 * 0.052**2) / 55 / 6)))
    assert many == pytest.approx(
        [5 + side * 500 * 1.96 * sqrt((0.08 + 50 * 0.052**2) / 849 / 800) for side in (-1, 1)]
    )


def test_four_decisions_have_no_interval_and_five_have_one() -> None:
    four, five = (BY_NAME["xg-b"].measure([play(0.1)] * n, 0) for n in (4, 5))
    assert (four.rate, four.interval) == (pytest.approx(50), None)
    assert five.interval is not None


def test_no_name_without_enough_decisions() -> None:
    right, wrong = (BY_NAME["xg-b"].measure([play(loss)], 0) for loss in (0.0, 1.0))
    assert (
        grade_if_certain(pr_class, right.interval, 1)
        == grade_if_certain(pr_class, wrong.interval, 1)
        == ""
    )
    thousands = BY_NAME["xg-b"].measure([play(0.002)] * 5000, 0)
    assert grade_if_certain(pr_class, thousands.interval, thousands.counted) == "world champion"


def test_what_is_left_out_is_counted_once() -> None:
    illegal_double = cube(Kind.DOUBLE, 0.5, 0.3)._replace(legal=False)
    in_doubt = play(0.1, legal=False)._replace(verified=False)
    rows = [
        *(play(0.1), play(0.1, legal=False), illegal_double, in_doubt, play(None)),
        *(play(None, forced=True), make_resignation(Kind.ACCEPT, 1.0, 1.5)),
    ]
    assert count_left_out(rows) == LeftOut(in_doubt=1, illegal_plays=1, illegal_offers=1, silent=1)


def test_a_missed_double_is_always_close() -> None:
    missed = cube(Kind.NO_DOUBLE, 0.1, 0.9)
    assert BY_NAME["gnubg"].measure([missed, play(0.0)], 0)[:3] == (pytest.approx(0.8), 2, 1000.0)


def test_chance_given_away_depends_on_the_stake() -> None:
    single = play(0.1)
    doubled = single._replace(cube=2, owner=1)
    assert cost(doubled) > cost(single)  # type: ignore[operator]
    money = single._replace(length=0, cube=4)
    assert BY_NAME["mwc"].measure([money], 0).rate == pytest.approx(0.4)


def test_beyond_the_table_no_chance_is_told() -> None:
    assert cost(play(0.1)._replace(length=99)) is None


def test_nothing_counted_is_no_rate() -> None:
    assert BY_NAME["xg-a"].measure([], 0).rate is None


@pytest.mark.parametrize(
    ("grade_of", "bounds"),
    [
        (
            pr_class,
            "2.5 world class 5 expert 7.5 advanced 12.5 intermediate 17.5 casual player 22.5",
        ),
        (bmab_grade, "2.5 Grandmaster 4 Master 6.5 Advanced 10 Intermediate 16 no grade"),
    ],
)
def test_a_grade_goes_up_to_its_published_bound(
    grade_of: Callable[[float], str], bounds: str
) -> None:
    """A bound belongs to the grade after it, and a hundredth less to the grade before it."""
    parts = re.split(r" ?(\d+(?:\.\d+)?) ?", bounds)[1:]
    for bound, after, following in zip(
        parts[::2], parts[1::2], [*parts[2::2], "1000"], strict=True
    ):
        if after:
            assert grade_of(float(bound)) == grade_of(float(following) - 0.01) == after
        assert grade_of(float(bound) - 0.01) != grade_of(float(bound))


def test_few_decisions_have_neither_interval_nor_grade() -> None:
    assert MetricValue(lost=0.0, counted=4, factor=500.0).interval is None
    assert grade_if_certain(pr_class, (30.0, 90.0), 2) == ""
    assert grade_over_matches(pr_class, 6.0, interval=(5.6, 6.4), counted=100, spread=10.0) == ""


def test_only_the_unit_of_a_match_is_another_one_in_money_play() -> None:
    assert [name for name, one in BY_NAME.items() if one.unit_in(money=True) != one.unit] == ["mwc"]


def test_rates_add_up_with_their_decisions_and_end_at_zero() -> None:
    assert MetricValue(lost=0.25, counted=10).plus(MetricValue(lost=0.5, counted=20)).rate == 0.025
    assert MetricValue(lost=0.0, counted=5, factor=500.0).interval == pytest.approx(
        (0, 21.9), abs=0.05
    )


def test_an_illegal_double_leaves_out_both_decisions() -> None:
    left_out = LeftOut(in_doubt=0, illegal_plays=0, illegal_offers=2, silent=0)
    assert left_out.words() == ("2 cube decisions of illegal doubles in no error rate",)
