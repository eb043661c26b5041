"""The conclusion of a profile, from costs made up by hand."""

from __future__ import annotations

import math

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.profile.conclusion import (
    costliest_resignations_in_words,
    costly_resignations_in_words,
    costs_in_words,
    differences_in_words,
    neglected_in_words,
    study_in_words,
)
from bganalyze.app.render.profile.kinds import are_norms_from_these_matches, norm_in_words
from bganalyze.statistics.norms import Norm, read_shipped_norms
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from bganalyze.statistics.profiles.recurring import Lesson, Study
from bganalyze.statistics.profiles.subjects import Subject


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


def test_the_two_costliest_kinds_are_named_with_their_shares_of_loss_and_decisions() -> None:
    """Contact is 300 of 400 decisions, cashes are 40."""
    assert costs_in_words([CONTACT, CASHES]) == (
        "Costliest by equity: contact errors, 75 % of the loss in 75 % of decisions; missed double/pass, 25 % in 10 %."
    )
    assert costs_in_words([CONTACT], ", without resignations") == (
        "Costliest by equity: contact errors, 100 % of the loss, without resignations, in 75 % of decisions."
    )


def test_a_summary_has_one_total_or_names_each_and_resignations_that_cost_most_come_first() -> None:
    """Resignations cost 6 of 10 EMG; then half a percent, and less."""
    about = (PositionClass.OTHER, Role.BOTH, 4, 4, 3)
    take = Subject(DecisionKind.TAKE, *about, 4.0, 50)
    resigning = Subject(None, *about, 6.0, 14)
    study = Study((resigning, take), (Lesson(take, "", 4, ()),), matches=3)
    assert study.has_costly_resignations
    cost = "esignations and answers to them: 6.00 EMG in 14, 60 % of the whole loss; no PR counts them."
    assert list(costliest_resignations_in_words(study)) == [
        f"Costliest: r{cost} Look at these games first: they may be abandoned games."
    ]
    assert not list(costly_resignations_in_words(study))
    second = study._replace(subjects=(take, resigning))
    assert list(costly_resignations_in_words(second)) == [f"R{cost}"]
    assert not list(costliest_resignations_in_words(second))
    assert "40 % of the whole loss" in study_in_words(study)
    fourth = study._replace(subjects=(take, take, take, resigning))
    assert fourth.has_costly_resignations
    assert not list(costly_resignations_in_words(fourth))
    for lost, is_costly in ((0.021, True), (0.019, False)):
        cheap = study._replace(subjects=(take, resigning._replace(lost=lost)))
        assert cheap.has_costly_resignations is is_costly
        assert ("whole" in study_in_words(cheap)) is is_costly


def test_only_what_is_sure_is_called_worse_or_better() -> None:
    unsure, sure = CONTACT.cost, assess(CONTACT, 0.02).cost
    nothing = (
        "No difference between your and your opponents' loss per decision is shown, in total or in a single kind of"
        " decision."
    )
    worse, better = assess(CONTACT, 0.009), assess(CASHES, 0.03)
    untested = CASHES._replace(cost=CASHES.cost._replace(corrected=None))
    for kinds in ([CONTACT, CONTACT], [CONTACT, untested], [untested, untested]):
        assert differences_in_words(kinds, unsure) == nothing
    assert differences_in_words([CONTACT, untested], sure) == (
        "You lose more per decision than your opponents in total (fairly sure); no single kind shows a difference."
    )
    assert differences_in_words([untested], untested.cost) == (
        "Whether you lose more or less per decision than your opponents is not tested: too few matches or decisions."
    )
    assert differences_in_words([better], unsure) == (
        "You lose less per decision than your opponents in missed double/pass (barely shown); the total shows no"
        " difference."
    )
    assert differences_in_words([worse, better, CONTACT, untested], sure) == (
        "You lose more per decision than your opponents in total (fairly sure), in contact errors (sure), but less in"
        " missed double/pass (barely shown); the other 2 kinds show no difference."
    )
    assert differences_in_words([better, worse, worse], sure._replace(corrected=0.001)) == (
        "You lose more per decision than your opponents in total, in contact errors and in contact errors (each sure),"
        " but less in missed double/pass (barely shown)."
    )
    for kinds, rest in (
        ([worse, CONTACT], "the total and the other kind show no difference"),
        ([worse, CONTACT, CONTACT], "the total and the other 2 kinds show no difference"),
    ):
        assert differences_in_words(kinds, unsure).partition("; ")[2] == f"{rest}."
    assert differences_in_words([worse, CONTACT], sure).endswith(
        "; the other kind shows no difference."
    )


def test_the_costliest_kind_without_a_numbered_subject_is_named_with_where_to_look() -> None:
    """Contact errors have three quarters of the loss; the lessons are about takes, or about contact."""
    about = (PositionClass.OTHER, Role.BOTH, 4, 4, 3)
    take, attack = (
        Subject(kind, *about, 0.5, 50) for kind in (DecisionKind.TAKE, DecisionKind.CONTACT_PLAY)
    )
    of_takes, of_both = (
        Study((take, attack), tuple(Lesson(one, "", 4, ()) for one in subjects), matches=3)
        for subjects in ([take, take], [take, attack])
    )
    kinds = [CONTACT, CASHES]
    said = ' None is about contact errors (75 %): study those in "Costliest decisions"'
    assert neglected_in_words(kinds, of_takes) == f"{said}."
    assert (
        neglected_in_words(kinds, of_takes, is_list_named=True)
        == f"{said} and in the list it names."
    )
    assert "(75 %, without resignations)" in neglected_in_words(
        kinds, of_takes, ", without resignations"
    )
    single = of_takes._replace(lessons=of_takes.lessons[:1])
    assert neglected_in_words(kinds, single).startswith(" It is not about contact errors")
    assert neglected_in_words(kinds, of_both) == ""
    assert neglected_in_words(kinds, of_takes._replace(lessons=())) == ""


def test_doubles_missed_after_crawford_are_of_both_kinds_of_missed_doubles() -> None:
    late = Subject(
        *(DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.AFTER_CRAWFORD, Role.BOTH),
        *(4, 4, 3, 0.5, 50),
    )
    study = Study((late,), (Lesson(late, "", 4, ()),), matches=3)
    for kind, is_about in (
        (DecisionKind.NO_DOUBLE_ABOVE_CASH, True),
        (DecisionKind.NO_DOUBLE_BELOW_CASH, True),
        (DecisionKind.TAKE, False),
    ):
        kinds = [CASHES._replace(kind=kind), CONTACT]
        assert (neglected_in_words(kinds, study) == "") is is_about


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
