"""The table of costs by kind of decision, from costs made up by hand."""

from __future__ import annotations

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.app.render.document import Grid
from bganalyze.app.render.profile.kinds import group_costs_in_words, tabulate_kinds
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from tests.app.render.profile.test_situations import make_profile

OF_ALL = Cost(Estimate(20.0, 10.0, 30.0, 250, 5), None, None, 40)
"""10 EMG in 250 decisions."""


def test_few_decisions_of_a_kind_have_no_rate_but_a_number() -> None:
    """Ann and her opponents made 30 contact plays and 3 takes each."""

    def of_kind(kind: DecisionKind, decisions: int) -> KindLoss:
        rate = Estimate(8.0, 1.0, 9.0, decisions, 3)
        return KindLoss(kind, Estimate(4.0, 0.0, 9.0, 250, 3), Cost(rate, rate, None, 1))

    kinds = (of_kind(DecisionKind.CONTACT_PLAY, 30), of_kind(DecisionKind.TAKE, 3))
    profile = make_profile()._replace(kinds=kinds, cost=OF_ALL)
    (grid,) = (one for one in tabulate_kinds(profile, on_page=True) if isinstance(one, Grid))
    assert [[cell.text for cell in cells[4:8]] for cells in grid.rows] == [
        ["1 of 30", "8.0", "1.0 to 9.0", "8.0"],
        ["1 of 3", "-", "", "- (3)"],
    ]


def test_missed_doubles_of_both_kinds_have_a_sum() -> None:
    """0.8 EMG in 50 decisions and 0.2 in 10."""

    def missed(kind: DecisionKind, lost: float, decisions: int) -> KindLoss:
        rate = Estimate(500 * lost / decisions, 1.0, 90.0, decisions, 3)
        share = Estimate(2 * lost, 0.0, 9.0, 250, 3)
        return KindLoss(kind, share, Cost(rate, None, None, 1))

    takes = missed(DecisionKind.NO_DOUBLE_BELOW_CASH, 0.8, 50)
    passes = missed(DecisionKind.NO_DOUBLE_ABOVE_CASH, 0.2, 10)
    said = "all missed doubles: 1.00 EMG in 60 decisions"
    assert said in group_costs_in_words([takes, passes], OF_ALL, None).split("; ")
    assert "missed" not in group_costs_in_words([takes], OF_ALL, None)
