"""The conclusion of a profile, from costs made up by hand."""

from __future__ import annotations

import math

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.profile.conclusion import (
    costs_in_words,
    differences_in_words,
    study_in_words,
    why_not_studied,
)
from bganalyze.app.render.profile.kinds import are_norms_from_these_matches, norm_in_words
from bganalyze.app.render.profile.mistakes import (
    compare_mistakes,
    recurring_in_words,
    sureness_of_difference,
)
from bganalyze.statistics.norms import Norm, read_shipped_norms
from bganalyze.statistics.profiles.habits import HABITS, Habit, HabitCosts
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


NO_STUDY = Study((), None, ())


def test_the_two_costliest_kinds_are_named_with_their_shares_of_loss_and_decisions() -> None:
    """Contact is 300 of 400 decisions, cashes are 40."""
    study = Study((CASHING,), None, ())
    assert costs_in_words([CONTACT, CASHES, CASHES], study) == (
        "Costliest by equity: contact errors, 60 % of the loss (75 % of decisions); missed double/pass, 20 % (10 %)."
    )
    assert costs_in_words([CONTACT], study) == (
        "Costliest by equity: contact errors, 100 % of the loss (75 % of decisions)."
    )


def test_a_costly_kind_that_is_not_studied_has_a_reason() -> None:
    def why(*mistakes: Mistakes) -> str:
        return why_not_studied(CASHES, NO_STUDY._replace(not_recurring=mistakes))

    assert why_not_studied(CASHES, Study((CASHING,), None, ())) == ""
    assert why(CASHING._replace(occasions=2)) == "2 errors, too few for a habit"
    assert why(CASHING._replace(matches=1)) == "in one match only"
    assert why(CASHING._replace(share_of_one_game=0.8)) == "80 % of it in one game"
    assert why() == why_not_studied(CONTACT, NO_STUDY) == "too few errors for a habit"
    listed = NO_STUDY._replace(further=(CASHING,))
    assert why_not_studied(CONTACT, listed) == "too few errors for a habit"
    assert why_not_studied(CASHES, listed) == "other mistakes come first"
    better = NO_STUDY._replace(further=(CASHING._replace(opponents=50.0),))
    said = costs_in_words([CONTACT, CASHES], better)
    assert said.endswith(
        "(10 %), not to study first: the opponents lose clearly more, so half of the cost counts."
    )


def test_only_what_is_sure_is_called_worse_or_better() -> None:
    unsure, sure = CONTACT.cost, assess(CONTACT, 0.02).cost
    each = "no difference from the opponents is shown (each may be chance)."
    assert differences_in_words([CONTACT, CONTACT], unsure) == f"By kind and in all, {each}"
    assert differences_in_words([CONTACT, CONTACT], sure) == (
        f"Worse than the opponents in all (fairly sure); by kind, {each}"
    )
    worse, better = assess(CONTACT, 0.009), assess(CASHES, 0.03)
    untested = CASHES._replace(cost=CASHES.cost._replace(corrected=None))
    assert differences_in_words([CONTACT, untested], unsure) == (
        "By kind and in all, no difference from the opponents is shown (1 may be chance, 1 not tested)."
    )
    assert differences_in_words([untested], untested.cost) == (
        "Better or worse than the opponents: not tested, as there are too few matches or decisions."
    )
    assert differences_in_words([better], unsure) == (
        "Worse than the opponents: nothing is shown. Better: missed double/pass (barely shown)."
    )
    assert differences_in_words([worse, better, CONTACT, untested], sure) == (
        "Worse than the opponents: all kinds (fairly sure), contact errors (sure)."
        " Better than the opponents: missed double/pass (barely shown); 1 may be chance; 1 not tested."
    )
    assert differences_in_words([worse] * 5, sure).endswith(
        "all kinds (fairly sure), contact errors (sure) and 4 more."
    )


BLITZ = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
BY_MATCH = {1: 0.2, 2: 0.1, 3: 0.2}
ATTACK = Mistakes(*BLITZ, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0, by_match=BY_MATCH, corrected=0.02)
"""0.5 EMG lost in 10 decisions, 0.3 more than at the opponents' rate: fairly sure."""
ATTACKING = "attacking: whom to hit, and which points to make (0.50 EMG, 16 % of the loss; if you had erred as your opponents did: 0.20 EMG, so you lost 0.30 more (fairly sure); chosen by this difference)"
CASHING = ATTACK._replace(kind=DecisionKind.NO_DOUBLE_ABOVE_CASH, position=PositionClass.OTHER)
LATE = CASHING._replace(habit=Habit("too late", "sure"))


def name_subjects(*mistakes: Mistakes, lost: float = 3.2) -> list[str]:
    """Return the lines on what to study, in a study of these mistakes."""
    return list(study_in_words(Study(mistakes, None, (), lost=lost, matches=5), (), 5))


NOTHING = [
    'No recurring mistake stands out as a subject to study: begin with "Costliest decisions".'
]


def test_one_match_is_not_said_to_have_no_recurring_mistake() -> None:
    """A mistake recurs in two matches or more, so the absence of one is no finding."""
    assert list(study_in_words(NO_STUDY, (), 1)) == [
        'One match cannot show which mistakes recur: begin with "Costliest decisions".'
    ]
    assert costs_in_words([CONTACT, CASHES], None).endswith("missed double/pass, 25 % (10 %).")


def test_the_first_recurring_mistakes_are_the_subjects() -> None:
    holding = ATTACK._replace(position=PositionClass.HOLDING, share_of_one_game=0.5)
    costly = ATTACK._replace(by_match={1: 9.0, 2: 8.0, 3: 9.0, 4: 8.0, 5: 9.0})
    first, second = name_subjects(costly, holding, CASHING)
    assert first == f"Study first: {ATTACKING}."
    assert second.startswith("Then: holding an anchor: when to run")
    assert second.endswith(
        "(0.50 EMG, 16 % of the loss, 50 % of it in one game; if you had erred as your opponents did: 0.20 EMG, so you lost 0.30 more (fairly sure);"
        " chosen by this difference)."
    )


def test_mistakes_that_do_not_differ_clearly_in_cost_are_all_named() -> None:
    """By match 0.2, 0.1, 0.2 against 0.1, 0.2, 0.1: the difference of 0.1 EMG is within chance."""
    by_cost = ATTACK._replace(opponents=None, corrected=None)
    holding = by_cost._replace(position=PositionClass.HOLDING, by_match={1: 0.1, 2: 0.2, 3: 0.1})
    passing = by_cost._replace(kind=DecisionKind.PASS, position=PositionClass.OTHER)
    first, second = name_subjects(by_cost, holding, passing, passing._replace(lost=0.4))
    assert first.startswith("Study first: attacking")
    assert second.startswith("Or (the costs do not differ clearly): holding an anchor")
    assert second.endswith(
        " The cost of contact errors, attacking (blitz) does not differ clearly from that of wrong passes (0.50 EMG)"
        " and wrong passes (0.40 EMG)."
    )
    shown = name_subjects(ATTACK, holding, passing)
    assert shown[1].startswith("Then: holding an anchor")
    assert "differ clearly" not in shown[1]
    habit, second = name_subjects(LATE, by_cost, passing)
    assert habit.startswith("Study first: doubling earlier")
    assert second.startswith("Then: attacking")
    assert second.endswith(
        "attacking (blitz) does not differ clearly from that of wrong passes (0.50 EMG)."
    )


def test_a_habit_whose_opposite_costs_about_as_much_names_both() -> None:
    late = LATE._replace(costs=HabitCosts(1.46, 1.5, 0.8))
    (said,) = name_subjects(late)
    assert said.startswith(
        "Study first: doubling earlier, and when a double is too early (0.50 EMG, "
    )
    assert "comparable decisions: sure; early doubles cost 1.50 EMG, not clearly more; if" in said
    (said,) = name_subjects(late._replace(costs=HabitCosts(1.5, 0.75, 0.8)))
    assert said.startswith("Study first: doubling earlier (0.50 EMG, ")
    assert "sure; early doubles cost 0.75 EMG, not clearly less; if" in said
    for costs in (HabitCosts(1.5, 1.4, 0.02), HabitCosts(1.5, 0.7, 0.8)):
        (said,) = name_subjects(late._replace(costs=costs))
        assert "early doubles" not in said


def test_a_cube_error_that_is_no_habit_says_so() -> None:
    take = CASHING._replace(
        kind=DecisionKind.TAKE, not_answered="taking or passing too much: may be chance"
    )
    (said,) = name_subjects(take)
    assert said.startswith(
        "Study first: which doubles to pass (0.50 EMG, 16 % of the loss; taking or passing too much: may be chance; if"
    )


def test_a_share_in_possible_slips_is_named() -> None:
    """Of 0.5 EMG, 0.3 are in an error that may be a slip: the subject says so."""
    (said,) = name_subjects(ATTACK._replace(share_of_slips=0.6))
    assert "(0.50 EMG, 16 % of the loss, 60 % in errors that may be slips; " in said
    (said,) = name_subjects(ATTACK._replace(share_of_slips=0.49))
    assert "slips" not in said


def test_a_mistake_of_little_cost_is_no_subject_and_another_says_why_it_was_chosen() -> None:
    (said,) = name_subjects(ATTACK._replace(opponents=None))
    assert said.endswith(
        "(0.50 EMG, 16 % of the loss; the opponents made too few such decisions to compare; chosen by cost alone)."
    )
    assert name_subjects(ATTACK, lost=25.1) == NOTHING
    less, better = ATTACK._replace(opponents=25.0), ATTACK._replace(is_better=True, opponents=25.0)
    assert name_subjects(less)[0].endswith(
        "0.50 EMG, as you did (fairly sure); chosen by cost alone)."
    )
    half = "; chosen by half of the cost, as the opponents lose clearly more)."
    assert name_subjects(better)[0].endswith(half)
    assert name_subjects(ATTACK._replace(opponents=50.0))[0].endswith(half)
    untested = ATTACK._replace(opponents=49.0, corrected=None)
    assert name_subjects(untested)[0].endswith("; chosen by cost alone).")
    assert name_subjects(untested._replace(corrected=0.04))[0].endswith(half)
    assert name_subjects() == NOTHING


def test_a_habit_by_which_the_opponents_lose_more_says_by_what_it_was_chosen() -> None:
    (said,) = name_subjects(LATE._replace(opponents=90.0))
    assert said == (
        "Study first: doubling earlier (0.50 EMG, 16 % of the loss; too late more often than too early, in comparable"
        " decisions: sure; if you had erred as your opponents did: 1.80 EMG, so you lost 1.30 less (not tested); chosen by half of the cost, as the"
        " opponents lose clearly more)."
    )


def test_errors_opposite_to_a_habit_are_named_with_it() -> None:
    """Few doubles that were too early cost more than the many that were missed."""
    early = CASHING._replace(kind=DecisionKind.DOUBLE, opposite_habit=Habit("too late", "sure"))
    (said,) = name_subjects(early)
    assert (
        "; yet too late more often than too early, in comparable decisions: sure, so double sooner in general, but not"
        " in positions like those on the boards; if you had erred as" in said
    )


def test_subject_and_list_compare_with_the_same_rate() -> None:
    """The opponents' rate if it is known, else the norm, whose difference is never tested."""
    tested = [assess(CASHES, 0.001)]
    norm = CASHING._replace(opponents=None, norm=20.0, corrected=None)
    for mistakes, said in (
        (CASHING, "if you had erred as your opponents did: 0.20 EMG, so you lost 0.30 more (sure)"),
        (
            CASHING._replace(norm=99.0),
            "if you had erred as your opponents did: 0.20 EMG, so you lost 0.30 more (sure)",
        ),
        (
            norm,
            "if you had erred as other players do (norm): 0.40 EMG, so you lost 0.10 more (not tested)",
        ),
    ):
        (subject,) = study_in_words(Study((mistakes,), None, (), lost=3.2), tested, 5)
        chosen = "by cost alone" if mistakes is norm else "by this difference"
        assert subject.endswith(f"; {said}; chosen {chosen}).")
        assert recurring_in_words(mistakes, 3.2, tested).endswith(f"; {said}; chosen {chosen}")
        assert compare_mistakes(mistakes, tested) == said


def test_wrong_doubles_of_a_habit_say_what_doubles_when_too_good_cost() -> None:
    """These are neither early nor late."""
    early = CASHING._replace(kind=DecisionKind.DOUBLE, habit=Habit("too early", "sure"))
    (said,) = name_subjects(early._replace(share_too_good=0.3))
    assert said.startswith(
        "Study first: doubling later (0.50 EMG, 16 % of the loss, 30 % by doubles when too good; "
    )
    (said,) = name_subjects(early)
    assert "too good" not in said


def test_errors_of_a_whole_kind_are_as_sure_as_the_kind_is_worse() -> None:
    """A single class of positions has a test of its own, and a kind that is better is not called worse."""
    worse = assess(CASHES, 0.02)._replace(kind=CASHING.kind)
    worse = worse._replace(cost=worse.cost._replace(opponents=CONTACT.cost.opponents))
    assert sureness_of_difference(CASHING, [worse]) == "fairly sure"
    assert sureness_of_difference(CASHING, [assess(CASHES, 0.02)]) == "fairly sure"
    assert sureness_of_difference(CASHING, [assess(CASHES, 0.2)]) == "may be chance"
    assert sureness_of_difference(CASHING, [CASHES]) == "not tested"
    assert sureness_of_difference(ATTACK, [assess(CONTACT, 0.001)]) == "fairly sure"
    untested = ATTACK._replace(corrected=None)
    assert sureness_of_difference(untested, [assess(CONTACT, 0.001)]) == "not tested"


def test_a_habit_differs_from_the_opponents_as_its_rows_in_the_table_do() -> None:
    below = assess(CASHES, 0.2)._replace(kind=DecisionKind.NO_DOUBLE_BELOW_CASH)
    assert sureness_of_difference(LATE, [below, assess(CASHES, 0.3)]) == "may be chance"
    assert sureness_of_difference(LATE, [below, assess(CASHES, 0.02)]) == (
        "missed double/take may be chance, missed double/pass better, fairly sure"
    )
    assert sureness_of_difference(LATE, []) == "not tested"


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
