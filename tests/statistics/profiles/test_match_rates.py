"""The matches of a profile one by one, counted on paper."""

from __future__ import annotations

import datetime as dt
import math
from types import MappingProxyType

import pandas as pd
import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.record.players import Players
from bganalyze.statistics.profiles.match_rates import (
    MatchRate,
    RecordedWinner,
    Winners,
    _name_outcome,
    find_winners,
    name_two_periods,
    rate_matches,
)
from bganalyze.statistics.profiles.other_files import OtherFilesCounter
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.whole_matches import join_files_of_matches
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import play
from tests.statistics.match_report.analyzed import MATCH, analyze_text

WON = f"{MATCH}  3)  Doubles => 2                Takes\n  4) 61: 13/7 8/7\n      Wins 2 points\n"
MONEY = MATCH.replace(" 3 point match\n\n", "")


def make_analyzed_match(
    path: str, text: str, rows: tuple[AnalyzedDecision, ...], day: int | None = None
) -> AnalyzedMatch:
    _, match = analyze_text(text)
    date = None if day is None else dt.date(2024, 5, day)
    return match._replace(path=path, record=path, rows=rows, date=date)


def rate(*matches: AnalyzedMatch, winners: Winners = MappingProxyType({})) -> tuple[MatchRate, ...]:
    tables = join_files_of_matches(tabulate_analyzed(matches, Players()))
    return rate_matches(tables, Question(by=(), player="Ann"), winners)


OWN = (play(0.1), play(0.02), play(0.0), play(0.0))
"""Ann loses 0.12 in four plays: PR 15."""

BOTH = (*OWN, play(0.3, side=1), play(0.1, side=1))
"""Bob loses 0.4 in two plays: PR 100."""


def test_each_match_has_the_rates_of_both_players() -> None:
    (match,) = rate(make_analyzed_match("a.mat", WON, BOTH, 3))
    assert (match.path, match.number, match.opponent) == ("a.mat", 1, "Bob")
    assert (match.length, match.games, match.date) == (3, 2, dt.date(2024, 5, 3))
    assert (match.outcome, match.points) == ("won", (3, 0))
    assert match.decisions == (4, 2)
    own, theirs = match.rates
    assert own is not None
    assert theirs is not None
    assert math.isclose(own, 15.0)
    assert math.isclose(theirs, 100.0)
    assert math.isclose(match.lost, 0.12)


def test_resignations_are_summed_apart_from_the_decisions_of_the_pr() -> None:
    """Ann gives up too early for 0.5, and accepts what she should decline for 0.2; Bob's costs him."""
    resigned = play(0.5)._replace(kind=Kind.RESIGNATION)
    accepted = play(0.2)._replace(kind=Kind.ACCEPT)
    rows = (*OWN, resigned, accepted, resigned._replace(side=1))
    other, match = rate(
        make_analyzed_match("a.mat", WON, BOTH), make_analyzed_match("b.mat", WON, rows)
    )
    assert math.isclose(match.lost, 0.12)
    assert math.isclose(match.resigned_lost, 0.7)
    assert match.resigned_cost > match.cost
    assert (other.resigned_lost, other.resigned_cost) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("winner", "outcome"),
    [
        (RecordedWinner("Ann"), "won"),
        (RecordedWinner("Bob"), "lost"),
        (RecordedWinner(None), "open"),
        (RecordedWinner(None, is_disputed=True), "disputed"),
    ],
)
def test_the_outcome_is_that_of_the_shares_of_matches_won(
    winner: RecordedWinner, outcome: str
) -> None:
    """The file says 3 : 0; a match short of its end stays open without a winner."""
    ended, short = make_analyzed_match("a.mat", WON, OWN), make_analyzed_match("b.mat", MATCH, OWN)
    first, second = rate(ended, short, winners={0: winner, 1: RecordedWinner(None)})
    assert (first.outcome, first.points) == (outcome, (3, 0))
    assert second.outcome == "open"


def test_winners_are_found_by_file_and_number() -> None:
    recorded = pd.DataFrame(
        {
            "path": ["a.mat", "a.mat", "b.mat"],
            "number": [1, 2, 1],
            "left": "Ann",
            "right": ["Bob", "Bob", "Cleo"],
            "winner": pd.Categorical(["left", None, "right"]),
            "recorded_winner": pd.Categorical(["left", "right", "right"]),
            "board_winner": pd.Categorical(["left", "left", "right"]),
        }
    )
    analyzed = pd.DataFrame(
        {
            "match": [1, 2, 3, 4],
            "path": ["b.mat", "a.mat", "a.mat", "c.mat"],
            "number": [1, 2, 1, 1],
        }
    )
    assert find_winners(analyzed, recorded) == {
        1: RecordedWinner("Cleo"),
        2: RecordedWinner(None, is_disputed=True),
        3: RecordedWinner("Ann"),
    }


def test_matches_are_sorted_by_date_then_by_file() -> None:
    found = rate(
        make_analyzed_match("d.mat", WON, BOTH),
        make_analyzed_match("c.mat", WON, OWN, 9),
        make_analyzed_match("a.mat", MATCH, (play(0.1, side=1),)),
        make_analyzed_match("b.mat", WON, OWN, 2),
    )
    assert [match.path for match in found] == ["a.mat", "d.mat", "b.mat", "c.mat"]
    unfinished = found[0]
    assert (unfinished.outcome, unfinished.points) == ("open", (1, 0))
    assert (unfinished.decisions, unfinished.rates[0], unfinished.lost) == ((0, 1), None, 0.0)


@pytest.mark.slow
def test_a_loss_and_a_disputed_end() -> None:
    """Bob begins at 2-0 and wins; nobody can win 40 points with a cube of 2."""
    lost = (
        MATCH.partition(" Game 2")[0]
        .replace("Bob : 0", "Bob : 2")
        .replace(
            "  3)  Doubles => 2                Drops\n      Wins 1 point",
            "  3) 61: 13/7 8/7                 Doubles => 2\n"
            "  4)  Drops\n                                  Wins 1 point",
        )
    )
    disputed = WON.replace("Wins 2 points", "Wins 40 points")
    one, other = rate(
        make_analyzed_match("a.mat", lost, OWN), make_analyzed_match("b.mat", disputed, OWN)
    )
    assert (one.outcome, one.points) == ("lost", (0, 3))
    assert (other.outcome, other.points) == ("unknown", None)


def test_a_last_win_of_unknown_points_decides_a_match_that_needs_one_point() -> None:
    """Ann leads 1-0 in a match to 2 and wins; nobody can win 40 points, but one is enough."""
    text = WON.replace("Wins 2 points", "Wins 40 points").replace(
        " 3 point match", " 2 point match"
    )
    (match,) = rate(make_analyzed_match("a.mat", text, OWN))
    assert (match.outcome, match.points) == ("won", (2, 0))


def test_money_games_sum_their_points() -> None:
    (session,) = rate(
        make_analyzed_match("a.mat", MONEY, tuple(row._replace(length=0) for row in OWN))
    )
    assert (session.length, session.outcome, session.points) == (0, "won", (1, 0))
    assert math.isclose(session.cost, 0.12, abs_tol=1e-6)


def test_a_match_for_money_may_be_lost() -> None:
    assert _name_outcome((2, 6), 0) == "lost"


def test_two_periods_need_six_matches() -> None:
    year = [dt.date(2023, month, 1) for month in (1, 1, 2, 3, 5)]
    assert name_two_periods(year) == ""
    twice = [*year, dt.date(2023, 6, 1)]
    assert name_two_periods([*twice, *(day.replace(year=2024) for day in twice)]) == "2023,2024"


def test_a_name_that_another_player_has_is_not_similar() -> None:
    counter = OtherFilesCounter()
    counter.add("a.mat", ("bgnori", "Kool"), ("bgnori", "Kool"))
    assert counter.summarize("nori", ["bgnori"]).similar == ()
