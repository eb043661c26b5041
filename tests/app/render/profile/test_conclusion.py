"""The conclusion of a profile, from costs made up by hand."""

from __future__ import annotations

import math

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.profile.conclusion import (
    HABITS,
    Subject,
    costs_in_words,
    differences_in_words,
    find_subjects,
    find_sure_subjects,
    study_in_words,
)
from bganalyze.app.render.profile.kinds import are_norms_from_these_matches, norm_in_words
from bganalyze.statistics.norms import Norm, read_shipped_norms
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from bganalyze.statistics.profiles.recurring import Mistakes
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


def test_the_two_costliest_kinds_are_named_with_their_shares() -> None:
    assert costs_in_words([CONTACT, CASHES, CASHES]) == (
        "Costliest: contact errors, 60 % of the loss; then missed doubles (a pass), 20 %."
    )
    assert costs_in_words([CONTACT]) == "Costliest: contact errors, 100 % of the loss."


def test_only_what_is_sure_is_called_worse_or_better() -> None:
    unsure, sure = CONTACT.cost, assess(CONTACT, 0.01).cost
    assert differences_in_words([CONTACT, CASHES], unsure) == (
        "No kind is shown to be worse or better than the opponents': too few decisions."
    )
    assert differences_in_words([CONTACT, CASHES], sure) == (
        "All kinds together are worse than the opponents', fairly sure; no single kind is."
    )
    worse, better = assess(CONTACT, 0.01), assess(CASHES, 0.01)
    assert differences_in_words([better], better.cost) == (
        "Better than the opponents, fairly sure: missed doubles (a pass)."
    )
    assert differences_in_words([worse, better, CONTACT], sure) == (
        "Worse than the opponents, fairly sure: contact errors."
        " Better than the opponents, fairly sure: missed doubles (a pass); not sure in 1 kind."
    )
    assert differences_in_words([worse] * 5, sure).endswith("errors, contact errors and 3 more.")


BLITZ = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
ATTACK = Mistakes(*BLITZ, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0)
"""0.5 EMG lost in 10 decisions, 0.3 more than at the opponents' rate."""
ATTACKING = "attacking: whom to hit, and which points to make (16 % of the loss; not tested)"


def name_subjects(*mistakes: Mistakes, lost: float = 3.2) -> list[str]:
    """Return the recurring mistakes worth studying, in words."""
    return [subject.said for subject in find_subjects(mistakes, lost)]


def test_a_recurring_mistake_is_a_subject_if_it_costs_enough_and_more_than_the_opponents() -> None:
    assert name_subjects(ATTACK) == [ATTACKING]
    assert name_subjects(ATTACK._replace(opponents=None)) == [ATTACKING]
    assert name_subjects(ATTACK, lost=25.1) == []
    assert name_subjects(ATTACK._replace(opponents=25.0)) == []


def test_a_mistake_of_mainly_one_game_is_studied_after_others() -> None:
    """73 % is more than half, 50 % is not; both are stated."""
    much = ATTACK._replace(share_of_one_game=0.73)
    half = ATTACK._replace(position=PositionClass.HOLDING, share_of_one_game=0.5)
    first, second = name_subjects(much, half)
    assert first.startswith("holding an anchor: when to run")
    assert first.endswith("(16 % of the loss, 50 % of it in one game; not tested)")
    assert second.endswith("(16 % of the loss, 73 % of it in one game; not tested)")


def test_a_habit_is_a_sure_subject_if_it_costs_enough() -> None:
    """Missed doubles are 1 of 4; a habit of early doubles would cost nothing."""
    (late,) = find_sure_subjects(["too early", "too late"], [CONTACT, CASHES])
    assert late.said == (
        "doubling earlier (sure: doubles too late more often than too early; 25 % of the loss)"
    )
    assert find_sure_subjects(["too early"], [CONTACT, CASHES]) == []


def test_sure_subjects_are_studied_first_then_one_in_other_decisions() -> None:
    late, takes = (Subject(said, kinds) for said, kinds in (("A", LATE), ("B", TAKES)))
    part, attack = Subject("C", LATE), Subject("D", (DecisionKind.CONTACT_PLAY,))
    assert list(study_in_words([late], [part, attack])) == ["Study first: A.", "Then: D."]
    assert list(study_in_words([late, takes], [attack])) == ["Study first: A.", "Then: B."]
    assert list(study_in_words([late], [part])) == ["Study first: A.", "Of these errors: C."]
    assert list(study_in_words([late], [])) == ["Study first: A."]
    assert list(study_in_words([], [part, attack])) == ["Study first: C.", "Then: D."]
    assert list(study_in_words([], [])) == [
        "No recurring mistake stands out as a subject to study."
    ]


LATE = (DecisionKind.NO_DOUBLE_BELOW_CASH, DecisionKind.NO_DOUBLE_ABOVE_CASH)
TAKES = (DecisionKind.TAKE,)


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
