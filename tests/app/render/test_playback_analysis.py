"""The analysis beside the positions of a match says what the analyzed decisions say."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch, analyze_matches
from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.playback import Frame, Playback, make_playback
from bganalyze.app.render.playback_analysis import MOST_PLAYS, MOST_TURNS, ShownDecision
from bganalyze.record.reader import read, read_bytes
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.validation.replaying import replay
from tests.analysis.engines.test_gnubg_report import MATCH as REPORT
from tests.statistics.match_report.analyzed import MATCH, analyze_text

CORPUS = os.environ.get("BGANALYZE_CORPUS")


def reported(text: str = REPORT) -> tuple[Playback, AnalyzedMatch]:
    """Return the match of a report of GNU Backgammon with the analysis in it."""
    (match,) = read_bytes(text.encode(), "report.txt")
    (evaluated,) = analyze_matches([match], "recorded")
    return make_playback(replay(match), analyzed=evaluated), evaluated


@pytest.fixture(scope="module")
def report() -> tuple[Playback, AnalyzedMatch]:
    return reported()


def frames_of(playback: Playback) -> list[Frame]:
    return [frame for game in playback.games for frame in game.frames]


def decisions_of(playback: Playback) -> Iterator[ShownDecision]:
    for frame in frames_of(playback):
        if frame.analysis:
            yield from frame.analysis.decisions


def test_candidates_have_the_figures_of_the_report(report: tuple[Playback, AnalyzedMatch]) -> None:
    first, _, second = list(decisions_of(report[0]))[:3]
    assert [choice[:6] for choice in first.choices] == [
        ("8/5 6/5", "+0.243", "", (551, 174, 13, 124, 5), True, True),
        ("24/23 13/10", "-0.014", "-0.257", (497, 137, 8, 140, 7), False, False),
    ]
    assert (first.title, first.loss, first.severity) == ("best play", 0.0, "")
    assert [choice[:6] for choice in second.choices] == [
        ("8/4 6/5", "-1.000", "", (271, 60, 1, 210, 17), False, True),
        ("24/23 13/9", "-1.051", "-0.051", (257, 51, 1, 294, 21), True, False),
    ]
    assert (second.title, second.severity) == ("doubtful play of 4-1", "info")
    assert second.lines[0].startswith("cost 0.051 EMG, ")


def test_a_cube_decision_has_its_three_actions(report: tuple[Playback, AnalyzedMatch]) -> None:
    cubes = [decision for decision in decisions_of(report[0]) if decision.kind == "cube"]
    marked = {
        decision.title: [
            (choice.text, choice.equity, choice.difference, choice.made, choice.best)
            for choice in decision.choices
        ]
        for decision in cubes
    }
    assert marked["doubtful double to 2: should not double, too good"] == [
        ("no double", "+1.051", "", False, True),
        ("double, take", "+1.569", "+0.518", True, False),
        ("double, pass", "+1.000", "-0.051", False, False),
    ]
    assert marked["very bad take (cube at 2): should pass"] == [
        ("no double", "+1.051", "+0.051", False, False),
        ("double, take", "+1.569", "+0.569", True, False),
        ("double, pass", "+1.000", "", False, True),
    ]
    assert marked["very bad pass (cube at 4): should take"] == [
        ("no redouble", "+0.252", "-0.309", False, False),
        ("redouble, take", "+0.561", "", False, True),
        ("redouble, pass", "+1.000", "+0.439", True, False),
    ]


def test_a_beaver_marks_no_action_but_says_the_right_one() -> None:
    match, evaluated = analyze_text(MATCH)
    beaver = tuple(
        row._replace(kind=Kind.BEAVER, offer=4) if row.kind is Kind.PASS else row
        for row in evaluated.rows
    )
    shown = list(
        decisions_of(make_playback(replay(match), analyzed=evaluated._replace(rows=beaver)))
    )
    (decision,) = (one for one in shown if one.title == "very bad beaver (cube at 2): should take")
    assert "right: take" in decision.lines
    assert [(choice.made, choice.best) for choice in decision.choices] == [(False, False)] * 3


def test_each_list_agrees_with_its_analyzed_decision(
    report: tuple[Playback, AnalyzedMatch],
) -> None:
    shown = list(decisions_of(report[0]))
    rows = [row for row in report[1].rows if loss(row) is not None]
    assert len(shown) == len(rows) > 5
    for decision, row in zip(shown, rows, strict=True):
        assert_agrees(decision, row)


def assert_agrees(decision: ShownDecision, row: AnalyzedDecision) -> None:
    made = [choice for choice in decision.choices if choice.made]
    best = [choice for choice in decision.choices if choice.best]
    assert len(made) == len(best) == 1, decision
    assert decision.seat == row.side
    assert decision.loss == pytest.approx(loss(row), abs=1e-6)
    if row.kind is Kind.PLAY:
        names = row.played or "no play", row.better or "no play"
        assert (made[0].text, best[0].text) == names
        assert (made[0].equity, best[0].equity) == (f"{row.reached:+.3f}", f"{row.best:+.3f}")
        assert made[0].after is not None or row.played is None or not row.legal


def test_a_play_on_the_board_leads_where_it_says(report: tuple[Playback, AnalyzedMatch]) -> None:
    playback = report[0]
    for frame in frames_of(playback):
        for decision in frame.analysis.decisions if frame.analysis else ():
            for choice in decision.choices:
                if choice.made and decision.kind == "play":
                    assert choice.after == frame.after
                elif choice.after is not None:
                    assert choice.after != frame.after


def test_an_analysis_of_before_shows_the_best_play_and_the_one_made() -> None:
    (match,) = read_bytes(REPORT.encode(), "report.txt")
    (evaluated,) = analyze_matches([match], "recorded")
    bare = tuple(row._replace(plays=None, chances=None) for row in evaluated.rows)
    old = make_playback(replay(match), analyzed=evaluated._replace(rows=bare))
    second = list(decisions_of(old))[2]
    assert [(choice.text, choice.made) for choice in second.choices] == [
        ("8/4 6/5", False),
        ("24/23 13/9", True),
    ]
    assert second.lines[-1] == "chances of gammons are not known"


def test_of_many_plays_the_best_are_shown_and_the_one_made() -> None:
    (match,) = read_bytes(REPORT.encode(), "report.txt")
    (evaluated,) = analyze_matches([match], "recorded")
    listed = ";".join(f"24/{number}={-number / 100}" for number in range(1, 10))
    rows = tuple(
        row._replace(plays=f"{listed};{row.played}=*-1", best=-0.01, reached=-1.0)
        if row.kind is Kind.PLAY
        else row
        for row in evaluated.rows
    )
    shown = next(decisions_of(make_playback(replay(match), analyzed=evaluated._replace(rows=rows))))
    assert [choice.text for choice in shown.choices] == [
        *(f"24/{number}" for number in range(1, MOST_PLAYS + 1)),
        "8/5 6/5",
    ]
    assert [choice.made for choice in shown.choices] == [False] * MOST_PLAYS + [True]


def test_an_illegal_play_is_listed_last_and_said_to_be_illegal() -> None:
    match, evaluated = analyze_text(MATCH)
    last = list(decisions_of(make_playback(replay(match), analyzed=evaluated)))[-1]
    assert last.choices[-1].text == "bar/20 13/12"
    assert last.choices[-1].after is None
    assert "illegal, in no error rate; analyzed by the position it left" in last.lines


def test_a_match_without_analysis_has_none() -> None:
    (match,) = read_bytes(REPORT.encode(), "report.txt")
    playback = make_playback(replay(match))
    assert playback.course is None
    assert {frame.analysis for frame in frames_of(playback)} == {None}


def test_luck_is_given_where_it_is_known(report: tuple[Playback, AnalyzedMatch]) -> None:
    frames = {frame.place: frame.analysis for frame in frames_of(report[0]) if frame.analysis}
    known = {place for place, analysis in frames.items() if analysis.luck is not None}
    with_luck = [row for row in report[1].rows if row.luck is not None]
    assert len(known) == len(with_luck) > 0
    without = report[1]._replace(rows=tuple(row._replace(luck=None) for row in report[1].rows))
    (match,) = read_bytes(REPORT.encode(), "report.txt")
    blind = make_playback(replay(match), analyzed=without)
    assert all(frame.analysis.luck is None for frame in frames_of(blind) if frame.analysis)
    assert "dice" not in {turn.cause for turn in blind.course.turning if blind.course}


def test_a_roll_that_gains_equity_gains_chances_whoever_rolls(
    report: tuple[Playback, AnalyzedMatch],
) -> None:
    lines = [
        line
        for decision in decisions_of(report[0])
        for line in decision.lines
        if line.startswith("luck of the roll") and "%" in line
    ]
    signs = [re.findall(r"[-+](?=[0-9])", line) for line in lines]
    assert {frozenset(pair) for pair in signs} == {frozenset("+"), frozenset("-")}
    assert {row.side for row in report[1].rows if row.luck is not None} == {0, 1}


def test_turning_points_are_the_largest_changes(report: tuple[Playback, AnalyzedMatch]) -> None:
    course = report[0].course
    assert course is not None
    assert (course.unit, course.starts[1]) == ("%", 50.0)
    places = {frame.place for frame in frames_of(report[0])}
    for cause in ("dice", "play", "cube"):
        of_cause = [turn for turn in course.turning if turn.cause == cause]
        sizes = [abs(turn.change) for turn in of_cause]
        assert sizes == sorted(sizes, reverse=True)
        assert len(sizes) <= MOST_TURNS
        assert {turn.place for turn in of_cause} <= places
        assert cause == "dice" or all(turn.change <= 0 for turn in of_cause)
    plays = [turn.text for turn in course.turning if turn.cause == "play"]
    assert plays[0] == "plays 1-1: 8/7(2) 6/5(2), better 6/4(2)"
    assert {turn.text for turn in course.turning if turn.cause == "cube"} == {
        "takes",
        "passes",
    }  # The doubtful double cost less than a percent.


def test_the_course_ends_at_the_score(report: tuple[Playback, AnalyzedMatch]) -> None:
    course = report[0].course
    assert course is not None
    last = frames_of(report[0])[-1]
    assert last.analysis is not None
    assert last.analysis.chance == course.ends[1]


def test_a_game_given_up_ends_at_the_chances_of_its_score() -> None:
    text = MATCH.partition("\n Game 2")[0]
    match, evaluated = analyze_text(text)
    playback = make_playback(replay(match), analyzed=evaluated)
    assert playback.course is not None
    last = frames_of(playback)[-1]
    assert last.analysis is not None
    assert last.analysis.chance == playback.course.ends[1] is not None


def test_players_who_change_columns_keep_their_chances() -> None:
    match, evaluated = analyze_text(MATCH)
    swapped_text = MATCH.replace(
        " Ann : 1                         Bob : 0", " Bob : 0                         Ann : 1"
    )
    swapped, other = analyze_text(swapped_text)
    usual = make_playback(replay(match), analyzed=evaluated)
    turned = make_playback(replay(swapped), analyzed=other)
    assert usual.course is not None
    assert turned.course is not None
    assert usual.course.starts[2] == turned.course.starts[2]
    seats = [decision.seat for decision in decisions_of(turned)][-1]
    assert seats == 1 - [decision.seat for decision in decisions_of(usual)][-1]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="BGANALYZE_CORPUS names no folder of real files")
def test_pages_of_real_analyses_agree_with_them_and_are_small() -> None:
    files = sorted(Path(CORPUS or "").glob("xg/*.xg"), key=lambda path: -path.stat().st_size)[:3]
    for path in files:
        match = read(str(path))[0]
        (evaluated,) = analyze_matches([match], "recorded")
        shown = list(decisions_of(make_playback(replay(match), analyzed=evaluated)))
        rows = [row for row in evaluated.rows if loss(row) is not None or row.plays]
        assert len(shown) == len(rows) > 100
        for decision, row in zip(shown, rows, strict=True):
            if decision.loss is not None:
                assert_agrees(decision, row)
        page = match_page(make_match_reports(select_reported([match]), analyzed=[evaluated]))
        assert len(page.encode()) < 1_200_000, path
