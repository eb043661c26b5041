"""The cost of each kind of decision, counted on paper."""

from __future__ import annotations

import math

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.decisions import Kind
from bganalyze.record.players import Players
from bganalyze.statistics.norms import read_shipped_norms
from bganalyze.statistics.profiles.kinds import (
    Decisions,
    compare_kinds,
    split_decisions,
    sum_costs,
    sum_costs_of_all,
    sum_resignations,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import cube, make_resignation, play
from tests.statistics.match_report.analyzed import MATCH, analyze_text

ANN = Question(by=(), player="Ann")
NORMS = read_shipped_norms()


def contact(lost: float, side: int = 0) -> AnalyzedDecision:
    """Return a play with contact."""
    return play(lost, side=side)._replace(phase="contact")


ROWS = (
    *(contact(0.1), contact(0.0005), contact(0.0), contact(0.3, side=1)),
    cube(Kind.NO_DOUBLE, no_double=0.5, take=0.7),
    cube(Kind.DOUBLE, no_double=0.5, take=0.6),
)
"""Ann errs in one of three plays and misses a double; her other double is right. Bob errs once."""


def decisions_of(matches: int, player: Question = ANN) -> Decisions:
    """Return the decisions of a player, and of the opponents, in matches with `ROWS` each."""
    _, analyzed = analyze_text(MATCH)
    numbered = (
        analyzed._replace(path=f"{number}.mat", record=f"{number}", rows=ROWS)
        for number in range(matches)
    )
    return split_decisions(tabulate_analyzed(numbered, Players()), player)


def test_resignations_cost_beside_all_kinds() -> None:
    """Ann gives up a game worth -0.5 for -1, and another for nothing; one answer of hers has no evaluation.

    Bob accepts 0.7 where 1 was to be had.
    """
    own = (
        make_resignation(Kind.RESIGNATION, reached=-1.0, other=-0.5)._replace(side=0),
        make_resignation(Kind.RESIGNATION, reached=-1.0, other=-1.2)._replace(side=0),
        make_resignation(Kind.DECLINE, reached=0.0, other=0.0)._replace(side=0, best=None),
    )
    theirs = make_resignation(Kind.ACCEPT, reached=0.7, other=1.0)._replace(side=1)
    _, analyzed = analyze_text(MATCH)
    tables = tabulate_analyzed([analyzed._replace(rows=(*ROWS, *own, theirs))], Players())
    assert sum_resignations(tables, ANN) == (3, 1, 0.5, 1)
    assert sum_resignations(tables, Question(by=(), player="Bob")) == (
        *(1, 1, pytest.approx(0.3)),
        0,
    )
    cost = sum_costs_of_all(split_decisions(tables, ANN), NORMS)
    assert cost is not None
    assert math.isclose(cost.lost, 0.3005)


def test_errors_are_decisions_that_lost_two_hundredths_or_more() -> None:
    found = {loss.kind: loss for loss in compare_kinds(decisions_of(1), NORMS)}
    missed, plays = DecisionKind.NO_DOUBLE_BELOW_CASH, DecisionKind.CONTACT_PLAY
    assert list(found) == [missed, plays, DecisionKind.DOUBLE]
    assert found[DecisionKind.DOUBLE].cost.lost == 0.0
    assert (found[plays].cost.errors, found[plays].cost.rate.decisions) == (1, 3)
    assert (found[missed].cost.errors, found[missed].cost.rate.decisions) == (1, 1)
    assert math.isclose(found[plays].cost.lost, 0.1005)
    opponents = found[plays].cost.opponents
    assert opponents is not None
    assert math.isclose(opponents.value, 500 * 0.3)


@pytest.mark.slow
def test_all_kinds_together_are_the_sum_of_the_rows() -> None:
    """Ann loses 0.3005 EMG in five decisions, the right double included; Bob 0.3 in one."""
    decisions = decisions_of(2)
    cost = sum_costs_of_all(decisions, NORMS)
    assert cost is not None
    assert (cost.errors, cost.rate.decisions) == (4, 10)
    assert math.isclose(cost.lost, 2 * 0.3005)
    assert math.isclose(cost.rate.value, 500 * 0.3005 / 5)
    kinds = compare_kinds(decisions, NORMS)
    assert math.isclose(sum_costs(kinds), cost.rate.value)
    assert sum(loss.cost.rate.decisions for loss in kinds) == cost.rate.decisions
    assert cost.opponents is not None
    assert math.isclose(cost.opponents.value, 500 * 0.3)
    assert cost.norm is not None
    assert cost.norm.kind == "all kinds"
    assert cost.corrected is None  # Two matches are too few.


def test_kinds_are_compared_from_thirty_decisions_of_each_side() -> None:
    """Ann and Bob play once a match; her loss differs from match to match, his is constant but once."""
    _, analyzed = analyze_text(MATCH)

    def is_tested(matches: int) -> bool:
        rows = [
            (contact(0.1 + 0.001 * number), contact(0.1 if number else 0.2, side=1))
            for number in range(matches)
        ]
        numbered = (
            analyzed._replace(path=f"{number}.mat", record=f"{number}", rows=of_match)
            for number, of_match in enumerate(rows)
        )
        (found,) = compare_kinds(
            split_decisions(tabulate_analyzed(numbered, Players()), ANN), NORMS
        )
        return found.cost.corrected is not None

    assert is_tested(30)
    assert not is_tested(29)


def test_nobody_has_a_cost_without_decisions() -> None:
    assert sum_costs_of_all(decisions_of(1, Question(by=(), player="Carl")), NORMS) is None
