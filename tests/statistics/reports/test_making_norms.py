"""Norms made from analyzed matches."""

from __future__ import annotations

import numpy as np
import pytest

from bganalyze.analysis.decisions import Kind
from bganalyze.statistics.norms import ALL_PLAYERS, ONE_PLAYER, OPPONENTS
from bganalyze.statistics.reports.making_norms import (
    estimate_percentile_intervals,
    estimate_reliability,
    estimate_true_percentiles,
    make_norms,
)
from bganalyze.statistics.tables.frames import AnalyzedTables, tabulate_analyzed
from tests.analysis.rows import cube, play
from tests.statistics.reports.test_analyzed_small import ROWS, match

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables() -> AnalyzedTables:
    """Three matches: that of `ROWS`, as two games of one match by GNU Backgammon, and two others."""
    return tabulate_analyzed(
        [
            match(*ROWS, number=1, path="one.txt"),
            match(play(0.04), number=2, path="one_002.txt"),
            match(play(0.06), number=3, path="two.txt"),
            match(play(0.08), cube(Kind.NO_DOUBLE, 0.5, 1.2), number=4, path="three.txt"),
        ]
    )


def test_a_player_and_the_opponents(tables: AnalyzedTables) -> None:
    """Ann plays 0.02, 0.04, 0.06 and 0.08 away; once she misses a double worth 0.1, once one of 0.5."""
    norms = make_norms(tables, "here", "MIT", "ann")
    plays = norms.find("contact play", ONE_PLAYER)
    assert plays
    assert plays[2:6] == (1, 3, 4, 4)
    assert plays.rate == pytest.approx(500 * 0.2 / 4)
    assert plays.low <= plays.rate <= plays.high
    whole = norms.find("all kinds", ONE_PLAYER)
    assert whole
    assert (whole.decisions, whole.rate) == (7, pytest.approx(500 * 0.9 / 7))
    missed = norms.find("no double above cash", ONE_PLAYER)
    assert missed
    assert missed.rate == pytest.approx(500 * 0.5)
    both = norms.find("no doubles", ONE_PLAYER)
    assert both
    assert both.rate == pytest.approx(500 * 0.6 / 2)
    takes = norms.find("take", OPPONENTS)
    assert takes
    assert (takes.players, takes.rate) == (1, pytest.approx(500 * 0.2))
    assert norms.find("take", ONE_PLAYER) is None
    assert norms.engine == "sage 2.0 at 1ply"


def test_everybody(tables: AnalyzedTables) -> None:
    norms = make_norms(tables, "here")
    plays = norms.find("contact play", ALL_PLAYERS)
    assert plays
    assert plays.rate == pytest.approx(500 * 0.7 / 5)
    assert (plays.players, plays.decisions) == (2, 5)
    assert norms.percentiles == ()


def test_percentiles_need_thirty_players_with_enough_games() -> None:
    """Thirty players with three matches of 25 games, who lose 0.001, 0.002 ... a play."""

    def of_players(count: int) -> AnalyzedTables:
        return tabulate_analyzed(
            match(
                *(play(0.001 * (player + 1))._replace(game=game) for game in range(1, 26)),
                number=100 * player + number,
                names=(f"P{player:02}", "Bob"),
                results=tuple(
                    match().results[0]._replace(game=game, left_name=f"P{player:02}")
                    for game in range(1, 26)
                ),
            )
            for player in range(count)
            for number in range(3)
        )

    percentiles = make_norms(of_players(30), "here").percentiles
    middle = next(one for one in percentiles if (one.kind, one.percent) == ("plays", 50))
    assert (middle.players, middle.least_games, middle.reliability) == (30, 25, 1.0)
    assert middle.rate == pytest.approx(500 * 0.0155, rel=0.001)
    assert middle.low < middle.rate < middle.high
    assert make_norms(of_players(29), "here").percentiles == ()


def test_rates_that_differ_by_chance_alone_are_shrunk_to_one() -> None:
    draw = np.random.default_rng(5)
    rates, errors = draw.normal(8.0, 2.0, 200), np.full(200, 2.5)
    assert estimate_reliability(rates, errors) == 0
    assert estimate_true_percentiles(rates, errors, [10, 90]) == pytest.approx(
        rates.mean(), abs=0.3
    )


def test_the_spread_of_true_rates_is_found_again() -> None:
    """True rates of 8 ± 2, measured with an error of 2 at 8: the rates themselves spread too far."""
    draw = np.random.default_rng(6)
    true = draw.normal(8.0, 2.0, 4000)
    errors = 0.7 * np.sqrt(true)
    rates = np.maximum(true + draw.normal(0.0, 1.0, 4000) * errors, 0.0)
    assert estimate_reliability(rates, errors) == pytest.approx(0.5, abs=0.05)
    ends = np.percentile(true, [25, 75])
    assert estimate_true_percentiles(rates, errors, [25, 75]) == pytest.approx(ends, abs=0.2)
    assert np.percentile(rates, 75) > ends[1] + 0.4
    intervals = estimate_percentile_intervals(rates[:40], errors[:40], [25, 50])
    for (low, high), value in zip(intervals, (6.65, 8.0), strict=True):
        assert low < value < high
