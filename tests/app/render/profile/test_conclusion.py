"""The conclusion of a profile, from costs made up by hand."""

from __future__ import annotations

import math

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.profile.conclusion import (
    HABITS,
    costs_in_words,
    differences_in_words,
    habit_to_study,
    study_in_words,
)
from bganalyze.app.render.profile.kinds import are_norms_from_these_matches, norm_in_words
from bganalyze.statistics.norms import Norm, read_shipped_norms
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from bganalyze.statistics.profiles.recurring import Mistakes, Study
from bganalyze.statistics.reports.cube_habits import DOUBLING, TAKING


def loss(
    kind: DecisionKind, share: float, decisions: int, theirs: float, corrected: float | None
) -> KindLoss:
    """Return the cost of a kind with these decisions of 400; the rate is 10."""
    of_all = Estimate(share, math.nan, math.nan, 400, 5)
    rate = Estimate(10.0, 5.0, 15.0, decisions, 5)
    opponents = Estimate(theirs, 1.0, 30.0, decisions, 5)
    return KindLoss(kind, of_all, Cost(rate, opponents, None, decisions // 4, corrected))


def assess(loss: KindLoss, corrected: float) -> KindLoss:
    """Return a cost with this p-value."""
    return loss._replace(cost=loss.cost._replace(corrected=corrected))


CONTACT = loss(DecisionKind.CONTACT_PLAY, 3.0, 300, 5.0, 0.2)
CASHES = loss(DecisionKind.NO_DOUBLE_ABOVE_CASH, 1.0, 40, 20.0, None)


def test_shares_of_cost_stand_beside_shares_of_decisions() -> None:
    """3 of 4 are lost in 300 of 400 decisions, 1 in 40; the rates of both are 10, of all 4."""
    assert costs_in_words([CONTACT, CASHES]) == (
        "Costliest: contact errors, 75 % of the loss in 75 % of the decisions (2.5 times the average);"
        " then missed doubles (was a pass), 25 % of the loss in 10 % of the decisions (2.5 times the average)."
    )
    assert costs_in_words([CONTACT]).startswith("Costliest: contact errors, 100 % of the loss")


def test_only_what_is_sure_is_called_worse_or_better() -> None:
    unknown = "known who loses more, the player or the opponents: too few decisions."
    assert differences_in_words([CONTACT, CASHES]) == f"In no kind is it {unknown}"
    worse, better = assess(CONTACT, 0.01), assess(CASHES, 0.01)
    assert differences_in_words([worse, better]) == (
        "Worse than the opponents, fairly sure: contact errors."
        " Better than the opponents, fairly sure: missed doubles (was a pass)."
    )
    assert differences_in_words([better, CONTACT]) == (
        "Better than the opponents, fairly sure: missed doubles (was a pass)."
        f" In 1 other kind it is not {unknown}"
    )
    assert differences_in_words([worse] * 5).endswith("contact errors, and 2 more.")


BLITZ = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
ATTACK = Mistakes(*BLITZ, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0)
"""0.5 EMG lost in 10 decisions, 0.3 more than at the opponents' rate."""


def test_the_subject_is_that_of_the_first_recurring_mistake() -> None:
    assert study_in_words(Study((ATTACK,), None, ()), 3.2) == (
        "Study first: attacking: whom to hit, and which points to make (4 errors in 3 matches, 16 % of"
        " the loss; more than at the opponents' rate, not tested)."
    )
    nothing = (
        "No recurring mistake stands out: each costs less than 2 % of the loss, or no more than the"
        " opponents'."
    )
    assert study_in_words(Study((ATTACK,), None, ()), 25.1) == nothing
    assert study_in_words(Study((ATTACK._replace(opponents=25.0),), None, ()), 3.2) == nothing
    alone = ATTACK._replace(opponents=None)
    assert "16 % of the loss; not tested)" in study_in_words(Study((alone,), None, ()), 3.2)
    late = (DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.AFTER_CRAWFORD, Role.BOTH)
    once = Mistakes(*late, 2, 12, 2, 2, 2.5, 0.8, 12, None)
    assert study_in_words(Study((), once, ()), 3.2) == (
        "No mistake recurs often enough to name a subject. One game alone cost 2.00 of 3.20 EMG, by"
        ' missed doubles, trailing after Crawford; see "How these mistakes were chosen".'
    )


def test_a_sure_habit_is_studied_first_if_it_costs_enough() -> None:
    """Missed doubles are 1 of 4; a habit of early doubles would cost nothing."""
    kinds = [CONTACT, CASHES]
    assert habit_to_study(["too early"], kinds) is None
    late = habit_to_study(["too early", "too late"], kinds)
    assert late is not None
    assert late.said == (
        "doubling earlier (a sure habit, in errors that are 25 % of the loss), before contact errors:"
        " costliest, but not shown to be worse than the opponents'"
    )
    said = study_in_words(Study((ATTACK,), None, ()), 3.2, late)
    assert said.startswith(f"Study first: {late.said}. Then, not sure: attacking: whom to hit")
    assert study_in_words(Study((), None, ()), 3.2, late) == f"Study first: {late.said}."


def test_the_costliest_kind_needs_no_excuse_if_it_is_worse_or_the_habit() -> None:
    for kinds in ([assess(CONTACT, 0.01), CASHES], [CASHES]):
        late = habit_to_study(["too late"], kinds)
        assert late is not None
        assert late.said.endswith("of the loss)")


def test_a_subject_within_the_first_is_named_as_part_of_it() -> None:
    """Doubles missed after Crawford are missed doubles, so the attack is the second subject, if there is one."""
    late = habit_to_study(["too late"], [CONTACT, CASHES])
    kind = (DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.AFTER_CRAWFORD, Role.BOTH)
    part = ATTACK._replace(kind=kind[0], position=kind[1], role=kind[2])
    only = study_in_words(Study((part,), None, ()), 3.2, late)
    assert ". Of these errors, not sure: after Crawford, trailing: double" in only
    both = study_in_words(Study((part, ATTACK), None, ()), 3.2, late)
    assert ". Then, not sure: attacking: whom to hit" in both


def test_a_mistake_of_mainly_one_game_is_studied_after_others() -> None:
    """73 % is more than half, 50 % is not; both are stated."""
    much = ATTACK._replace(share_of_one_game=0.73)
    half = ATTACK._replace(position=PositionClass.HOLDING, share_of_one_game=0.5)
    said = study_in_words(Study((much, half), None, ()), 3.2)
    assert said.startswith("Study first: holding an anchor: when to run")
    assert "16 % of the loss, 50 % of it in one game; more than" in said
    alone = study_in_words(Study((much,), None, ()), 3.2)
    assert "16 % of the loss, 73 % of it in one game; more than" in alone


def test_every_cube_habit_has_words() -> None:
    assert set(HABITS) == {*DOUBLING.called, *TAKING.called}


def test_another_engine_than_that_of_the_norms_is_named() -> None:
    said = norm_in_words(read_shipped_norms(), ["sage 2.0 at 2ply"])
    assert "787 opponents" in said
    assert "GNU Backgammon at 4ply" in said
    assert "analyzed by sage 2.0 at 2ply" in said
    assert "by GNU Backgammon" in norm_in_words(read_shipped_norms(), [])


def test_norms_made_of_the_same_matches_confirm_nothing() -> None:
    norm = Norm("opponents", "contact", 9, 9, 9, 300, 5.04, 1.0, 30.0)
    same = CONTACT._replace(cost=CONTACT.cost._replace(norm=norm))
    other = CONTACT._replace(cost=CONTACT.cost._replace(norm=norm._replace(rate=5.06)))
    assert are_norms_from_these_matches([same] * 4)
    assert not are_norms_from_these_matches([same] * 3)
    assert not are_norms_from_these_matches([*[same] * 4, other])
