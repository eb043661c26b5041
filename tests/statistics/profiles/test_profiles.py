"""The profile of a player: every figure counted a second time by a plain pass over the decisions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain
from textwrap import wrap

import pandas as pd
import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decision_kinds import DecisionKind, kind_of_decision
from bganalyze.analysis.decisions import GIVING_UP, Kind
from bganalyze.analysis.describe import ERROR, LEAST, describe_problem
from bganalyze.analysis.error_rates import counts_for_gnubg
from bganalyze.analysis.match import AnalyzedMatch, number_sides_of_match
from bganalyze.analysis.position_classes import PositionClass, classify_decision
from bganalyze.app.render.output_options import plain_output_options
from bganalyze.app.render.profile import make_csv_row, profile_page, render_text
from bganalyze.app.render.profile.costliest import shorten_board
from bganalyze.app.render.profile.figures import select_main_engine
from bganalyze.app.render.profile.kinds import UNITS
from bganalyze.record.players import Players
from bganalyze.record.reader import read
from bganalyze.statistics.profiles import RECORDED_REPORTS, PlayerProfile, make_profile
from bganalyze.statistics.profiles.player_pr import METRIC, ErrorRate
from bganalyze.statistics.profiles.subjects import (
    FEWEST_MATCHES,
    FEWEST_OCCASIONS,
    MOST_OF_ONE_GAME,
    MOST_OF_SLIPS,
)
from bganalyze.statistics.reports.answer import answer_from_tables
from bganalyze.statistics.reports.whole_matches import join_files_of_matches
from bganalyze.statistics.sureness import DEFINITION
from bganalyze.statistics.tables.frames import tabulate, tabulate_analyzed
from bganalyze.validation.replaying import replay
from tests.statistics.reports.analyzed import CLEAN, analyze_samples
from tests.statistics.reports.analyzed import NAMES as SAMPLES

PLAYER = "Ada Quill"

NAMES = tuple(name for name in SAMPLES if name not in ("several-matches.mat", "unfinished.mat"))
"""Samples that are no copies of each other."""


@cache
def analyze_all() -> list[AnalyzedMatch]:
    return analyze_samples(NAMES)


@cache
def analyze_matches() -> list[AnalyzedMatch]:
    return [number_sides_of_match(match) for match in analyze_all()]


@cache
def profile() -> PlayerProfile:
    replays = [replay(match) for name in NAMES for match in read(str(CLEAN / name))]
    ask = partial(answer_from_tables, tabulate(replays))
    tables = join_files_of_matches(tabulate_analyzed(analyze_all(), Players()))
    return make_profile(ask, tables, PLAYER)


def own_rows() -> Iterator[tuple[AnalyzedMatch, AnalyzedDecision]]:
    """Yield the player's decisions on boards that are certain, each with its match."""
    for match in analyze_matches():
        if PLAYER in match.names:
            side = match.names.index(PLAYER)
            yield from ((match, row) for row in match.rows if row.side == side and row.verified)


@pytest.mark.slow
def test_the_error_rate_is_the_loss_over_the_decisions_that_count() -> None:
    rate = profile().error_rate
    assert rate is not None
    counted = [row for _, row in own_rows() if METRIC.counts(row) and METRIC.lost(row) is not None]
    lost = sum(METRIC.lost(row) or 0.0 for row in counted)
    assert rate.decisions == len(counted)
    assert math.isclose(rate.value, 500 * lost / len(counted))
    assert rate.reach is not None
    assert math.isclose(rate.reach, (rate.high - rate.low) / 2)


def test_the_opponents_rate_is_that_of_their_decisions_in_the_same_matches() -> None:
    counted = [
        row
        for match in analyze_matches()
        if PLAYER in match.names
        for row in match.rows
        if row.side != match.names.index(PLAYER) and row.verified
        if METRIC.counts(row) and METRIC.lost(row) is not None
    ]
    theirs = profile().opponents_rate
    assert theirs is not None
    assert theirs.decisions == len(counted)
    assert math.isclose(
        theirs.value, 500 * sum(METRIC.lost(row) or 0 for row in counted) / len(counted)
    )


def test_resignations_are_counted_beside_the_decisions_of_a_kind() -> None:
    given_up = [row for _, row in own_rows() if row.kind in GIVING_UP]
    lost = [loss(row) for row in given_up]
    found = profile().resignations
    assert found.number == len(given_up)
    assert found.unknown == sum(one is None for one in lost)
    assert found.errors == sum(one is not None and one >= ERROR for one in lost)
    assert math.isclose(found.lost, sum(one or 0.0 for one in lost), abs_tol=1e-9)


def test_each_match_has_its_rate_and_cost() -> None:
    for match in profile().matches:
        rows = [row for one, row in own_rows() if (one.path, one.number) == match[:2]]
        counted = [row for row in rows if METRIC.counts(row) and METRIC.lost(row) is not None]
        lost = sum(METRIC.lost(row) or 0.0 for row in counted)
        assert match.decisions[0] == len(counted)
        assert math.isclose(match.lost, lost, abs_tol=1e-12)
        if counted:
            assert match.rates[0] is not None
            assert math.isclose(match.rates[0], 500 * lost / len(counted))
    rate = profile().error_rate
    assert rate is not None
    assert sum(match.decisions[0] for match in profile().matches) == rate.decisions


def test_the_costliest_decisions_are_those_that_lost_most() -> None:
    costliest = profile().costliest
    assert costliest is not None
    lost = sorted(
        (loss(row) or 0.0 for _, row in own_rows() if row.legal is not False), reverse=True
    )
    assert costliest.errors == sum(one >= ERROR for one in lost)
    shown = [dict(board.facts)["Lost"].partition(" ")[0] for board in costliest.boards]
    assert shown == [f"{one:.3f}" for one in lost[:10] if one >= LEAST]


def test_a_loss_that_may_be_a_slip_is_marked_on_its_board() -> None:
    found = profile().costliest
    assert found is not None
    boards = [*found.boards, *(board for one in found.cube for board in one.boards)]
    lost = [dict(shorten_board(board, profile()).facts)["Lost"] for board in boards]
    marked = [text.endswith(", may be a slip") for text in lost]
    assert marked == [float(text.partition(" ")[0]) > 0.5 for text in lost]
    assert set(marked) == {True, False}


def test_the_costs_of_all_kinds_add_up() -> None:
    counted = [loss(row) for _, row in own_rows() if counts_for_gnubg(row)]
    known = [lost for lost in counted if lost is not None]
    total = sum(kind.share.value for kind in profile().kinds)
    assert math.isclose(total, 500 * sum(known) / len(known))
    shares = [kind.share.value for kind in profile().kinds]
    assert shares == sorted(shares, reverse=True)
    assert sum(kind.cost.rate.decisions for kind in profile().kinds) == len(known)


def test_the_match_winning_chance_lost_is_that_of_the_decisions_of_matches() -> None:
    """Money play has no such chance; the losses of each kind are added one by one."""
    lost = Counter[DecisionKind]()
    matches = set[str]()
    for match, row in own_rows():
        problem, kind = describe_problem(row), kind_of_decision(row)
        if match.length and counts_for_gnubg(row) and loss(row) is not None:
            matches.add(match.path)
            if problem is not None and problem.cost and kind is not None:
                lost[kind] += problem.cost
    found = profile().chance_lost
    assert found is not None
    assert found.matches == len(matches)
    assert {kind: round(cost, 9) for kind, cost in found.by_kind if cost} == {
        kind: round(cost, 9) for kind, cost in lost.items()
    }


def test_the_opponents_are_those_of_the_same_matches() -> None:
    others = Counter[str]()
    for match in analyze_matches():
        if PLAYER in match.names:
            side = 1 - match.names.index(PLAYER)
            rows = (row for row in match.rows if row.side == side and row.verified)
            others.update(str(row.kind) for row in rows if row.kind in (Kind.TAKE, Kind.PASS))
    of_kind = {kind.error: kind.cost.opponents for kind in profile().kinds}
    for error, kind in (("wrong takes", "take"), ("wrong passes", "pass")):
        if error in of_kind:
            opponents = of_kind[error]
            assert (0 if opponents is None else opponents.decisions) == others[kind]


def after_the_opponents_play(match: AnalyzedMatch) -> Iterator[tuple[AnalyzedDecision, str]]:
    """Yield each decision after a play of the other side, with whether that play hit."""
    last: AnalyzedDecision | None = None
    for row in match.rows:
        if last is not None and last.game == row.game and last.side != row.side:
            yield row, "hit" if "*" in (last.played or "") else "no hit"
        if row.kind is Kind.PLAY:
            last = row


def test_decisions_after_a_hit_are_found() -> None:
    found = {section.title: section.frame for section in profile().situations}["After a hit"]
    expected = Counter[str]()
    for match in analyze_matches():
        if PLAYER in match.names:
            side = match.names.index(PLAYER)
            for row, after in after_the_opponents_play(match):
                if row.side == side and row.verified and METRIC.counts(row):
                    expected[after] += METRIC.lost(row) is not None
    assert dict(zip(found["last play of the opponent"], found["of"], strict=True)) == expected


def test_each_situation_has_all_decisions_that_belong_to_one() -> None:
    rate = profile().error_rate
    assert rate is not None
    for section in profile().situations:
        if section.title in ("By stage of the match", "By match length", "By cube value"):
            assert section.frame["of"].sum() == rate.decisions, section.title


def test_each_subject_has_the_cost_of_its_decisions_and_all_have_the_whole_loss() -> None:
    """Resignations are a subject; all other subjects cost what the kinds of decision cost."""
    study, cost, expected = profile().study, profile().cost, Counter[str]()
    assert study is not None
    assert cost is not None
    for _, row in own_rows():
        kind, lost, classified = kind_of_decision(row), loss(row), classify_decision(row)
        if lost is None:
            continue
        if row.kind in GIVING_UP:
            expected["resignations"] += lost
        elif kind is not None and classified is not None and counts_for_gnubg(row):
            is_late = classified.kind is PositionClass.AFTER_CRAWFORD
            is_play = row.kind is Kind.PLAY
            expected[str((*classified,) if is_play or is_late else kind)] += lost
    found = {
        "resignations"
        if one.kind is None
        else str((one.position, one.role))
        if one.position is not PositionClass.OTHER or one.kind is DecisionKind.CONTACT_PLAY
        else str(one.kind): one.lost
        for one in study.subjects
    }
    assert len(found) == len(study.subjects)
    assert found == pytest.approx(expected)
    assert math.isclose(study.lost, cost.lost + profile().resignations.lost)


def test_lessons_are_on_the_costliest_subjects_that_recur() -> None:
    study = profile().study
    assert study is not None
    costs = [one.lost for one in study.subjects]
    assert costs == sorted(costs, reverse=True)
    assert study.lessons
    for one in study.lessons:
        subject = one.subject
        assert subject.matches >= FEWEST_MATCHES
        assert FEWEST_OCCASIONS <= subject.occasions <= subject.mistakes
        assert subject.share_of_one_game <= MOST_OF_ONE_GAME
        assert subject.share_of_slips < MOST_OF_SLIPS
    least = study.lessons[-1].subject.lost
    named = [one for one in study.subjects if one.recurs and one.has_common_plan]
    studied = [one for one in named if one.lost >= least and not one.may_be_slips]
    assert [one.subject for one in study.lessons] == studied


def test_a_class_is_named_only_if_all_of_both_intervals_has_it() -> None:
    certain = ErrorRate(6.0, 5.6, 6.4, 50_000, 900)
    assert (certain.xg_class, certain.bmab_grade) == ("expert", "Master")
    assert ErrorRate(6.0, 4.9, 7.1, 50_000, 900).xg_class == ""
    assert ErrorRate(6.0, 5.6, 6.4, 40, 30).xg_class == ""
    assert ErrorRate(6.0, math.nan, math.nan, 50_000, 2).bmab_grade == ""


def test_a_player_without_analyses_has_results() -> None:
    tables = tabulate_analyzed([], Players())
    ask = partial(
        answer_from_tables, tabulate([replay(match) for match in read(CLEAN / "one-point.mat")])
    )
    bare = make_profile(ask, tables, PLAYER)
    assert set(bare.recorded.reports) == set(RECORDED_REPORTS)
    assert bare.error_rate is None
    text = "".join(render_text(bare, plain_output_options()))
    assert "games won" in text
    assert "no analyzed decision" in text
    assert make_csv_row(bare)["pr"] is None


@pytest.mark.slow
def test_the_first_screen_has_results_pr_and_costs() -> None:
    text = "".join(render_text(profile(), plain_output_options()._replace(width=100)))
    folded = (wrap(line, 100, subsequent_indent=4 * " ") or [""] for line in text.splitlines())
    screen = list(chain.from_iterable(folded))[:40]
    for said in ("games won", "PR (xg-b)"):
        assert any(line.startswith(said) for line in screen), said
    kinds = screen[screen.index("Where points are lost") :]
    for one in profile().kinds[:5]:
        assert any(line.startswith(one.label) for line in kinds), one.label
    short = text[text.index("In short\n\n") : text.index("\n\nResults")].splitlines()[2:]
    assert 3 < len(short) <= 6
    assert "so only large differences are shown" in short[0]
    below = text[text.index("Where points are lost") :]
    assert UNITS in below
    assert DEFINITION in below


@pytest.mark.slow
def test_the_page_holds_everything_and_runs_nothing_of_others() -> None:
    page = profile_page(profile())
    tested = "Differences are not tested"
    for said in ("Where points are lost", tested, "After a hit", "Are the dice fair here?"):
        assert said in page
    assert "://" not in page.replace("http://www.w3.org", "")


def test_figures_of_the_engine_with_most_cases_are_shown_alone() -> None:
    frame = pd.DataFrame({"engine": ["few", "most", "most"], "of": [5, 90, 7]})
    assert select_main_engine(frame)["of"].tolist() == [90, 7]
    plain = frame.drop(columns="engine")
    assert select_main_engine(plain) is plain
