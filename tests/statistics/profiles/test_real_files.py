"""Figures of a profile from real files, counted a second time by a plain pass over the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decisions import GIVING_UP, Kind
from bganalyze.analysis.describe import ERROR
from bganalyze.analysis.error_rates import counts_for_gnubg
from bganalyze.analysis.match import AnalyzedMatch, analyze_match, number_sides_of_match
from bganalyze.analysis.position_classes import PositionClass, classify_decision
from bganalyze.record.players import Players
from bganalyze.record.reader import read
from bganalyze.statistics.profiles.kinds import sum_resignations
from bganalyze.statistics.profiles.player_pr import METRIC, estimate_error_rate
from bganalyze.statistics.profiles.recurring import find_study
from bganalyze.statistics.reports import load_report
from bganalyze.statistics.reports.question import Question, restrict_tables
from bganalyze.statistics.tables.frames import AnalyzedTables, tabulate_analyzed
from tests.statistics.reports.analyzed import Guesser

pytestmark = pytest.mark.corpus

EACH = 80
"""The step between files that are read: one of 80."""


@pytest.fixture(scope="module")
def matches(corpus: Path) -> list[AnalyzedMatch]:
    """Matches between two players to the end of the file, with drawn analyses."""
    found = [
        number_sides_of_match(analyze_match(match, Guesser()))
        for path in sorted((corpus / "mat").rglob("*.*"))[::EACH]
        for match in read(path)
    ]
    return [match for match in found if match.rows and all(match.names)]


@pytest.fixture(scope="module")
def player(matches: list[AnalyzedMatch]) -> str:
    ((name, _),) = Counter(name for match in matches for name in match.names).most_common(1)
    return name


@pytest.fixture(scope="module")
def tables(matches: list[AnalyzedMatch], player: str) -> AnalyzedTables:
    chosen, _ = restrict_tables(tabulate_analyzed(matches, Players()), Question(player=player))
    return chosen


def list_rows(
    matches: list[AnalyzedMatch], player: str, *, of_opponents: bool = False
) -> Iterator[AnalyzedDecision]:
    for match in matches:
        if player in match.names:
            side = match.names.index(player) ^ of_opponents
            yield from (row for row in match.rows if row.side == side and row.verified)


@pytest.mark.slow
def test_the_rates_of_player_and_opponents(
    matches: list[AnalyzedMatch], tables: AnalyzedTables, player: str
) -> None:
    for question, of_opponents in (
        (Question(by=(), player=player), False),
        (Question(by=(), opponent=player), True),
    ):
        rows = list_rows(matches, player, of_opponents=of_opponents)
        counted = [METRIC.lost(row) for row in rows if METRIC.counts(row)]
        known = [lost for lost in counted if lost is not None]
        rate = estimate_error_rate(tables, question)
        assert rate is not None
        assert rate.decisions == len(known)
        assert rate.value == pytest.approx(500 * sum(known) / len(known))


def test_resignations(matches: list[AnalyzedMatch], tables: AnalyzedTables, player: str) -> None:
    losses = [loss(row) for row in list_rows(matches, player) if row.kind in GIVING_UP]
    known = [lost for lost in losses if lost is not None]
    errors = sum(lost >= ERROR for lost in known)
    assert losses
    assert sum_resignations(tables, Question(by=(), player=player)) == (
        *(len(losses), errors, pytest.approx(sum(known))),
        len(losses) - len(known),
    )


def test_costs_of_subjects(
    matches: list[AnalyzedMatch], tables: AnalyzedTables, player: str
) -> None:
    """Contact plays have a subject for each class, takes are one, and all have the whole loss."""
    costs = Counter[str]()
    for row in list_rows(matches, player):
        lost, classified = loss(row), classify_decision(row)
        if row.kind in GIVING_UP:
            costs["all"] += lost or 0.0
        elif classified is not None and counts_for_gnubg(row):
            costs["all"] += lost or 0.0
            if row.kind is Kind.TAKE:
                costs["cube: wrong takes"] += lost or 0.0
            if row.kind is Kind.PLAY and classified.kind is PositionClass.PRIME_VS_PRIME:
                costs["plays: prime against prime"] += lost or 0.0
    found = find_study(tables, Question(by=(), player=player), ())
    assert found.lost == pytest.approx(costs.pop("all"))
    assert len(costs) == 2
    for name, lost in costs.items():
        assert next(one.lost for one in found.subjects if one.name == name) == pytest.approx(lost)


def test_only_complete_matches_have_a_result_without_luck(
    matches: list[AnalyzedMatch], tables: AnalyzedTables, player: str
) -> None:
    """Each side's luck is known in all games, so only the results decide."""
    results = []
    for match in matches:
        if player not in match.names or not match.length:
            continue
        *_, last = match.results
        scores = (last.left, last.right)
        is_complete = (
            all(result.compute_gain_of_winner() is not None for result in match.results)
            and last.winner is not None
            and scores[last.winner] + (last.points or 0) >= match.length
        )
        if is_complete:
            winner = (last.left_name, last.right_name)[last.winner or 0]
            results.append(50 if winner == player else -50)
    (_, section, _) = load_report("luck").report(tables, Question(by=(), player=player))
    row = section.frame.set_index("figure").loc["result (% MWC a match)"]
    assert row["of"] == len(results)
    assert 0 < len(results) < sum(player in match.names for match in matches)
    assert row["value"] == pytest.approx(sum(results) / len(results), abs=0.01)
