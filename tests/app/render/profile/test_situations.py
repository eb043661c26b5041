"""Luck and changes of a profile in words, from figures made up by hand."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.app.render.document import Grid, Note
from bganalyze.app.render.profile import OF_MONTHS, profile_document, say_how_to_compare
from bganalyze.app.render.profile.situations import (
    ABOUT_SCORES,
    BY_SCORE,
    _luck_adjusted_in_words,
    note_matches_without_luck,
    tabulate_luck,
    tabulate_situations,
)
from bganalyze.statistics.norms import read_shipped_norms
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from bganalyze.statistics.profiles.match_rates import MatchRate
from bganalyze.statistics.profiles.recurring import Study
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.cube_habits import DOUBLING
from bganalyze.statistics.reports.figures import CALLED, COLUMNS, Section
from bganalyze.statistics.reports.luck import MATCHES
from bganalyze.statistics.reports.overview import Overview
from bganalyze.statistics.reports.question import Question

LEFT_OUT = "2 matches left out"


def make_loss(kind: DecisionKind, rate: float) -> KindLoss:
    """Return the cost of 50 decisions of a kind, of 500."""
    return KindLoss(
        kind,
        Estimate(rate / 10, 0.0, 5.0, 500, 5),
        Cost(Estimate(rate, 0.0, 9.0, 50, 5), None, None, 4),
    )


def make_section(title: str, name: str, of: int, called: str = "", *notes: str) -> Section:
    """Return a section with one figure."""
    values = (name, "mean", 1.0, 0.5, 1.5, float(of), of, 5, float("nan"))
    row = dict(zip(COLUMNS, values, strict=True)) | {CALLED: called}
    return Section(title, pd.DataFrame([row]), notes)


def make_profile(called: str = "", results: int = 12) -> PlayerProfile:
    """Return the profile of Ann: her habit of doubling (`called`), and the number of matches with `results`."""
    reports = {
        "cube-habits": [make_section(DOUBLING.title, DOUBLING.figure, 30, called)],
        "luck": [
            make_section("Rolls", "luck a roll (mEMG)", 500),
            make_section("Results of matches", MATCHES[0].name, results, "", LEFT_OUT),
            Section("Results of money games", pd.DataFrame(columns=COLUMNS)),
        ],
    }
    nothing = pd.DataFrame(columns=COLUMNS)
    points = [Section("Games", nothing), Section("Matches", nothing)]
    of_records = {"points": points, "head-to-head": [], "dice": []}
    kinds = (
        make_loss(DecisionKind.DOUBLE, 20.0),
        make_loss(DecisionKind.NO_DOUBLE_BELOW_CASH, 10.0),
        make_loss(DecisionKind.NO_DOUBLE_ABOVE_CASH, 5.0),
    )
    return PlayerProfile(
        *("Ann", ReportAnswer(Question(), (), (), of_records)),
        *(ReportAnswer(Question(), (), (), reports), None, kinds, None, ()),
        *(Study(()), None, (), None, read_shipped_norms()),
    )


def test_only_results_that_are_shown_say_what_they_leave_out() -> None:
    assert Note(LEFT_OUT) in [*tabulate_luck(make_profile(results=12))]
    assert Note(LEFT_OUT) not in [*tabulate_luck(make_profile(results=9))]


def test_only_a_plot_over_time_has_the_note_on_months() -> None:
    """The analyses have no dates."""
    nothing = pd.DataFrame(columns=COLUMNS)
    form = Overview(Question(), (), nothing, None, Section("Players", nothing), nothing, None)
    few = Note("too few months")
    document = profile_document(make_profile()._replace(form=form), few)
    (over_time,) = (part for part in document.chapters[0].parts if part.title == "Over time")
    assert few in over_time.blocks
    assert not any(isinstance(one, Note) and OF_MONTHS in one.text for one in over_time.blocks)


def test_the_command_that_tests_two_periods_is_named_only_if_the_dates_have_two() -> None:
    """Three matches in each of two years; then one of the years has two."""
    match = MatchRate(
        *("a.mat", 1, dt.date(2023, 1, 1), "Bob", 7, 1, "won", None),
        *((9, 9), (1.0, 2.0), 0.1, 0.01),
    )
    years = [match._replace(date=dt.date(year, 1, 1)) for year in (2023, 2024) for _ in range(3)]
    made = make_profile()._replace(matches=tuple(years), stats_call=("stats", "my games"))
    assert say_how_to_compare(made) == (
        ": bganalyze stats 'my games' --report errors --compare 2023,2024 tests two periods"
    )
    assert say_how_to_compare(made._replace(matches=tuple(years[1:]))) == ""
    assert say_how_to_compare(made._replace(stats_call=())) == ""


def test_the_result_without_luck_says_how_many_matches_it_leaves_out() -> None:
    """Of 14 complete matches, 12 have all results and luck; their result is no share of matches won.

    A match recorded from a later score than 0–0 has a smaller result than 50 %.
    """
    made = make_profile(results=12)
    won = make_section("Matches", "matches won", 14)
    reports = {**made.recorded.reports, "points": [made.recorded.reports["points"][0], won]}
    (said,) = note_matches_without_luck(
        made._replace(recorded=made.recorded._replace(reports=reports))
    )
    assert said.text == (
        "without luck: only 12 matches, with all results and luck known; with luck: 51.0 % of them"
    )
    reports["points"][1] = make_section("Matches", "matches won", 12)
    assert not [
        *note_matches_without_luck(made._replace(recorded=made.recorded._replace(reports=reports)))
    ]


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-11.6, 12.5, ": may be chance"),
        (0.2, 24.2, "above an even 50 %: barely shown"),
        (9.0, 33.0, "above an even 50 %: sure"),
    ],
)
def test_a_result_without_luck_says_how_sure_it_is(low: float, high: float, said: str) -> None:
    figure = "luck-adjusted result (% MWC a match)"
    row = {"figure": figure, "value": 12.0 + low, "low": low, "high": high, "matches": 30}
    assert _luck_adjusted_in_words(row).endswith(said)


def test_a_result_of_money_games_without_luck_is_in_points() -> None:
    figure = "luck-adjusted result (points a game)"
    row = {"figure": figure, "value": -0.1, "low": -11.6, "high": 12.5, "matches": 30}
    said = "without luck 0.1 points a game below an even 0: may be chance"
    assert _luck_adjusted_in_words(row) == said


@pytest.mark.parametrize(("column", "order"), [(BY_SCORE, ["b", "a"]), ("stage", ["a", "b"])])
def test_scores_are_sorted_by_pr_and_explained(column: str, order: list[str]) -> None:
    rows = [
        {column: group, "value": pr, "low": pr - 1, "high": pr + 1, "of": of, "matches": 9}
        for group, pr, of in (("a", 4.0, 900), ("b", 6.0, 800))
    ]
    profile = make_profile()._replace(situations=(Section("PR", pd.DataFrame(rows), ()),))
    *_, grid = tabulate_situations(profile)
    assert isinstance(grid, Grid)
    assert [row[0].text for row in grid.rows] == order
    assert (ABOUT_SCORES in grid.caption) == (column == BY_SCORE)
