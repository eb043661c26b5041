"""The table of contact errors by class of position, from costs made up by hand."""

from __future__ import annotations

import math

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.document import Grid
from bganalyze.app.render.profile.kinds import (
    MOST_CLASSES,
    ClassCost,
    list_class_costs,
    sum_in_words,
    tabulate_kinds,
)
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from bganalyze.statistics.profiles.recurring import Mistakes
from tests.app.render.profile.test_situations import make_profile

OF_ALL = Cost(Estimate(20.0, 10.0, 30.0, 250, 5), None, None, 40)
"""10 EMG in 250 decisions."""

WHOLE = ClassCost("contact errors", 5.0, 30, 200, "9.0")


def of_class(lost: float, decisions: int = 20, opponents: float | None = None) -> Mistakes:
    """Return a class of positions in which three errors lost this much."""
    about = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
    return Mistakes(*about, 3, 3, 3, 2, lost, 0.4, decisions, opponents)


def test_what_has_no_row_is_one_row_with_its_limit() -> None:
    """Six classes of 0.7 EMG, two of 0.3 and 0.2, and 0.3 in positions without an error: 5.0 in all."""
    classes = [*[of_class(0.7, opponents=8.0)] * MOST_CLASSES, of_class(0.3), of_class(0.2)]
    *shown, rest = list_class_costs(classes, WHOLE, OF_ALL)
    assert [cost.theirs for cost in shown] == ["8.0"] * MOST_CLASSES
    assert rest.name == "2 more, 3 % or less"  # 0.3 EMG of 10.
    assert math.isclose(rest.lost, 5.0 - 6 * 0.7)
    assert (rest.errors, rest.decisions) == (30 - 6 * 3, 200 - 6 * 20)


def test_few_classes_have_a_row_each() -> None:
    costs = list_class_costs([of_class(3.0), of_class(2.0)], WHOLE, OF_ALL)
    assert [(cost.name, cost.theirs) for cost in costs] == [("attacking (blitz)", "-")] * 2


def test_few_decisions_of_a_kind_have_no_rate_but_a_number() -> None:
    """Of 30 contact plays and of 3 takes by Ann, and as many by the opponents."""

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
    assert said in sum_in_words([takes, passes], OF_ALL, None).split("; ")
    assert "missed" not in sum_in_words([takes], OF_ALL, None)
