"""The analyses of a match report: who erred where, by how much, and what was better."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.store import Store
from bganalyze.app.api.analyses import find_analysis_of_each
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.statistics.match_report import MatchReport, make_match_reports, select_reported
from bganalyze.statistics.match_report.boards import EngineAnalyses
from tests.statistics.match_report.analyzed import MATCH, Dictated, analyze_text
from tests.statistics.match_report.test_figures import CHANGED


def analyses(text: str, engine: Dictated | None = None) -> EngineAnalyses:
    match, evaluations = analyze_text(text, engine)
    (report,) = make_match_reports(select_reported([match]), analyzed=[evaluations])
    assert report.analyses is not None
    return report.analyses


@pytest.mark.slow
def test_the_errors_stand_by_their_size() -> None:
    report = analyses(MATCH)
    assert (report.engine, report.version, report.level) == ("dictated", "1", "high")
    assert [
        (error.game, error.row.strip(), error.seat, error.kind, round(error.problem.loss, 4))
        for error in report.errors
    ] == [
        (1, "3", 1, "pass", 0.3),
        (1, "2", 0, "play", 0.2),
        (1, "3", 0, "double", 0.1),
        (1, "1", 1, "play", 0.05),
    ]


def test_each_error_says_what_was_better() -> None:
    passed, play, double, _ = (error.problem for error in analyses(MATCH).errors)
    assert (passed.made, passed.best, passed.error, passed.mark) == (
        "pass",
        "take",
        "wrong pass",
        "very bad",
    )
    assert (play.question, play.made) == ("5-2 to play", "24/22 13/8")
    assert play.best not in ("", play.made)
    assert (double.made, double.best, double.mark) == ("double", "no double", "bad")


@pytest.mark.slow
def test_the_rates_are_those_of_the_metrics() -> None:
    _, evaluations = analyze_text(MATCH)
    rates = analyses(MATCH).rates
    assert [rate.metric for rate in rates] == [metric.name for metric in METRICS]
    for rate, metric in zip(rates, METRICS, strict=True):
        assert rate.values == tuple(metric.measure(evaluations.rows, side).rate for side in (0, 1))
        assert rate.meaning


@pytest.mark.slow
def test_luck_is_of_both() -> None:
    luck = analyses(MATCH).luck
    assert luck is not None
    assert luck.result is not None
    assert luck.adjusted is not None
    assert luck.equity == (0.75, 1.0)
    assert luck.result[0] == -luck.result[1] > 0
    assert luck.adjusted[0] == pytest.approx(luck.result[0] - luck.chance[0] + luck.chance[1])


@pytest.mark.slow
def test_no_result_without_luck_is_given_where_the_result_is_disputed() -> None:
    luck = analyses(MATCH.replace("Ann : 1 ", "Ann : 2 ")).luck
    assert luck is not None
    assert (luck.equity, luck.result, luck.adjusted) == ((0.75, 1.0), None, None)


def test_disputed_games_have_no_result_in_the_statistics_of_luck() -> None:
    agreed, disputed = (
        [result.compute_gain_of_winner() for result in analyze_text(text)[1].results]
        for text in (MATCH, MATCH.replace("Ann : 1 ", "Ann : 2 "))
    )
    assert None not in agreed[:1]
    assert disputed[:1] == [None]


@pytest.mark.slow
def test_players_who_change_columns_keep_their_errors() -> None:
    report = analyses(CHANGED, Dictated({(1, "2", 0): 0.2, (2, "2", 0): 0.4}))
    (second, first) = (error for error in report.errors if error.kind == "play")
    assert (first.game, first.seat, second.game, second.seat) == (1, 0, 2, 1)
    assert second.shown.flipped
    pr = {rate.metric: rate for rate in report.rates}["xg-a"]
    assert pr.values[1] == pytest.approx(500 * (0.4 + 0.3) / pr.counted[1])


@pytest.mark.slow
def test_a_match_that_nobody_analyzed_has_none() -> None:
    match, _ = analyze_text(MATCH)
    (report,) = make_match_reports(select_reported([match]))
    assert report.analyses is None


@pytest.mark.slow
def test_what_the_engine_does_not_know_is_counted() -> None:
    text = MATCH.replace("51: bar/20 13/12", "51:")
    assert analyses(text).left_out == ("1 decision without an evaluation left out",)


@pytest.mark.slow
def test_an_error_at_a_score_too_large_for_other_programs_has_its_board() -> None:
    text = MATCH.replace("3 point", "0 point").replace("Ann : 0 ", "Ann : 999999 ")
    errors = analyses(text).errors
    assert errors[0].shown.situation.scores == (999999, 0)
    assert ":999999:" in errors[0].position


def calls_in(module: str, work: Callable[[], object]) -> list[str]:
    """Return the functions of a module that are called while some work is done."""
    called: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_globals.get("__name__") == module:
            called.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.slow
def test_boards_are_not_read_from_text_and_only_those_shown_are_written() -> None:
    match, evaluations = analyze_text(MATCH)
    called = calls_in(
        "bganalyze.board.ids",
        lambda: make_match_reports(select_reported([match]), analyzed=[evaluations]),
    )
    assert called.count("xgid") == len(analyses(MATCH).errors)
    assert not any(name.startswith("parse") for name in called)


@pytest.mark.slow
def test_a_match_is_replayed_once_for_its_report_and_its_analyses(tmp_path: Path) -> None:
    match, evaluations = analyze_text(MATCH)
    store = Store(str(tmp_path / "a.db"))
    store.add(evaluations)
    reports: list[MatchReport] = []

    def work() -> None:
        chosen = select_reported([match])
        reports.extend(
            make_match_reports(chosen, analyzed=find_analysis_of_each(chosen.replays, store))
        )

    assert calls_in("bganalyze.validation.replaying.match", work).count("replay") == 1
    assert reports[0].analyses == analyses(MATCH)


@pytest.mark.slow
def test_other_rules_change_no_evaluation(tmp_path: Path) -> None:
    match, evaluations = analyze_text(MATCH)
    store = Store(str(tmp_path / "a.db"))
    store.add(evaluations)
    chosen, rule_book = select_reported([match]), RULE_BOOKS["usbgf"]._replace(after_illegal="skip")
    (report,) = make_match_reports(
        chosen, rule_book, analyzed=find_analysis_of_each(chosen.replays, store)
    )
    assert report.rule_book == rule_book
    assert report.analyses == analyses(MATCH)
