"""Sentences of a profile in their rarer forms, from figures made up by hand."""

from __future__ import annotations

import math

import pytest

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.profile import error_rate, kinds
from bganalyze.app.render.profile.conclusion import chance_in_words, study_in_words
from bganalyze.app.render.profile.cube_habits import StatedHabit, describe_habit
from bganalyze.app.render.profile.match_rates import shorten_file_names
from bganalyze.app.render.profile.subjects import (
    compare_in_words,
    explain_missing_numbers,
    lesson_in_words,
)
from bganalyze.statistics.norms import read_shipped_norms
from bganalyze.statistics.profiles.kinds import ChanceLost, Cost, Estimate, KindLoss, Resignations
from bganalyze.statistics.profiles.player_pr import ErrorRate
from bganalyze.statistics.profiles.recurring import Lesson, Study
from bganalyze.statistics.profiles.subjects import Subject
from bganalyze.statistics.reports.cube_habits import TAKING

TAKE = Subject(
    *(DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH),
    *(4, 4, 3, 0.5, 50),
    by_match={1: 0.1, 2: 0.2, 3: 0.2},
)
ATTACK = Subject(
    *(DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN),
    *(4, 4, 3, 1.5, 50),
    by_match={1: 0.5, 2: 0.4, 3: 0.6},
)
LESSONS = (Lesson(ATTACK, "", 4, ()), Lesson(TAKE, "", 4, ()))


def test_chance_lost_by_the_same_kinds_as_equity_is_given_as_shares_alone() -> None:
    chance = ChanceLost(2, ((DecisionKind.TAKE, 0.15), (DecisionKind.PASS, 0.05)))
    same = chance_in_words(chance, 2, [DecisionKind.TAKE, DecisionKind.PASS])
    assert same.endswith("): the same, 75 and 25 %.")
    assert "a match, in 2 matches to a length): wrong takes" in chance_in_words(chance, 3)
    assert "a match, without resignations): wrong takes" in chance_in_words(
        chance, 2, (), ", without resignations"
    )


def test_subjects_are_ranked_only_by_enough_matches() -> None:
    """With two matches the order may be chance; with one nothing recurs."""
    assert study_in_words(Study((ATTACK, TAKE), LESSONS, matches=3)) == (
        "Costliest subjects with a lesson, 100 % of the loss: 1. plays: attacking (blitz) (1.50 EMG);"
        " 2. wrong takes (0.50). Only 1 before 2 is shown."
    )
    assert study_in_words(Study((ATTACK, TAKE), LESSONS, matches=2)).endswith(
        "Too few matches to rank 1 and 2: choose any."
    )
    alone = study_in_words(Study((ATTACK,), LESSONS[:1], matches=3))
    assert alone.endswith("attacking (blitz) (1.50 EMG).")
    assert study_in_words(Study((ATTACK, TAKE), matches=2)) == (
        'No subject to study stands out: begin with "Costliest decisions".'
    )
    assert study_in_words(Study((ATTACK, TAKE), matches=1)) == (
        'One match cannot show which errors recur: begin with "Costliest decisions".'
    )


def test_subjects_of_possible_slips_come_before_those_to_study() -> None:
    slips = TAKE._replace(share_of_slips=0.71, slips=2)
    one = slips._replace(kind=DecisionKind.PASS, slips=1)
    assert study_in_words(Study((slips,), possible_slips=(slips,), matches=3)) == (
        "Wrong takes: 71 % of the cost in 2 losses above 0.5 EMG, which may be slips: look at these games first. No"
        ' other subject to study stands out: begin with "Costliest decisions".'
    )
    assert study_in_words(Study((slips, one), possible_slips=(slips, one), matches=3)).startswith(
        "Wrong takes: 71 % of the cost in 2 losses, wrong passes: 71 % in 1, above 0.5 EMG, which may be slips"
    )


def test_a_pr_says_how_far_it_is_known() -> None:
    def describe(value: float, low: float, high: float, *, decisions: int, matches: int) -> str:
        return error_rate.error_rate_in_words(ErrorRate(value, low, high, decisions, matches))

    assert describe(5.07, 3.56, 6.58, decisions=1519, matches=86) == (
        "PR (xg-b) 5.1, 95 % interval 3.6 to 6.6, in 86 matches; after 1,519 decisions ± 1.5"
    )
    assert describe(5.07, 3.86, 6.28, decisions=1519, matches=86).endswith(
        "; after 1,519 decisions ± 1.2; ± 1 needs about 2,200 decisions"
    )
    assert describe(22.2, 0.0, 112.7, decisions=78, matches=12).endswith("; after 78 decisions")
    assert describe(1.33, 0.7, 2.0, decisions=369, matches=6).startswith(
        "PR (xg-b) 1.3, 95 % interval 0.7 to 2.0, in 6 matches (too narrow: these few matches happen to be alike)"
    )
    assert describe(5.07, math.nan, math.nan, decisions=40, matches=2) == (
        "PR (xg-b) 5.1 after 40 decisions in 2 matches, too few for an interval"
    )


def test_few_decisions_are_named_with_the_matches_to_bring() -> None:
    (one,) = error_rate.limits_in_words(ErrorRate(8.0, math.nan, math.nan, 65, 1))
    assert one == (
        "1 match, 65 decisions: this page shows the errors in it, not how well you usually play or which errors"
        " recur. Bring more matches: 3 for intervals and tests, about 40 (2,600 decisions, if the errors vary as"
        " usual) for PR ± 1."
    )
    (few,) = error_rate.limits_in_words(ErrorRate(8.0, 5.5, 10.5, 650, 10))
    assert few == (
        "10 matches, 650 decisions: the PR is known to ± 2.5, so only large differences are shown. For ± 1 bring"
        " about 48 matches in all (3,100 decisions)."
    )
    (cut,) = error_rate.limits_in_words(ErrorRate(22.2, 0.0, 112.7, 78, 12))
    assert cut == (
        "12 matches, 78 decisions: the PR may be as high as 112.7, so only large differences are shown. These are"
        " too few to say how many matches ± 1 needs."
    )


def test_classes_are_named_as_far_as_the_interval_tells_them_apart() -> None:
    """One class, two, or too many; the best and the worst have one limit."""
    (sure,) = error_rate.classes_in_words(ErrorRate(3.2, 2.7, 3.6, 4237, 30), ["sage 2.0 at 1ply"])
    assert sure == (
        "class by BMAB: Grandmaster (PR 2.5 to 4); by eXtreme Gammon: world class (PR 2.5 to 5); both assume its"
        " analysis, this is by sage 2.0 at 1ply"
    )
    (between,) = error_rate.classes_in_words(ErrorRate(5.07, 4.55, 5.59, 5519, 286))
    assert between.endswith(
        "by eXtreme Gammon: expert (PR 5 to 7.5) or, less likely, world class (PR 2.5 to 5)"
    )
    assert error_rate.classes_in_words(ErrorRate(5.07, 1.0, 30.0, 40, 3)) == (
        "no class by eXtreme Gammon or BMAB: the interval spans more than two",
    )
    (best,) = error_rate.classes_in_words(ErrorRate(1.0, 0.9, 1.1, 9000, 200))
    (worst,) = error_rate.classes_in_words(ErrorRate(30.0, 29.0, 31.0, 9000, 200))
    assert best.endswith("by eXtreme Gammon: world champion (PR below 2.5)")
    assert worst.endswith("by eXtreme Gammon: beginner (PR 22.5 or more)")


def test_a_single_opponent_is_named() -> None:
    (said,) = error_rate.opponents_rate_in_words(ErrorRate(7.25, 6.5, 8.0, 1519, 86), ["Bob"])
    assert said.startswith("Bob in the same matches: PR 7.2,")


def test_the_cost_of_groups_and_of_all_decisions_is_named() -> None:
    cost = Cost(Estimate(10.0, 8.0, 12.0, 250, 5), None, None, 90)
    opening = KindLoss(DecisionKind.OPENING_PLAY, cost.rate, cost)
    said = kinds.group_costs_in_words([opening], cost, ErrorRate(10.1, 8.1, 12.1, 248, 5))
    assert said.split("; ")[:2] == [
        "plays: 10.0 EMG per 500 decisions of all kinds (100 % of the loss), rate 10.0 in 250 decisions",
        "all kinds: 5.00 EMG in 250 decisions",
    ]


def test_resignations_that_no_engine_evaluated_are_counted() -> None:
    some, none = (kinds.resignations_in_words(Resignations(3, 0, 0.0, n)) for n in (2, 3))
    assert some == "3 resignations or answers to one, which lost 0.00 EMG (2 not evaluated)"
    assert none == "3 resignations or answers to one, none evaluated"


def test_norms_say_whose_they_are() -> None:
    assert kinds.norm_in_words(read_shipped_norms(), ["GNU Backgammon at 4ply"]).startswith(
        "norm: others' rate, no grade: 787 opponents of one strong player, mostly"
    )


def test_rates_of_few_decisions_are_left_out() -> None:
    cells = kinds.rate_cells(5.0, 29, "4.0 to 6.0", has_intervals=True)
    assert [cell.text for cell in cells] == ["-", ""]


def test_a_habit_that_a_test_shows_is_a_statement() -> None:
    assert describe_habit(StatedHabit(TAKING, "more often takes wrongly, sure")) == (
        "where either error would cost about the same, you more often take wrongly than pass wrongly (sure)"
    )


def test_a_single_long_file_name_loses_its_middle() -> None:
    assert shorten_file_names(["matches/ann-bob.mat"]) == ["ann-bob.mat"]
    assert len(shorten_file_names([100 * "a"])[0]) == 30


@pytest.mark.parametrize(
    ("opponents", "p_value", "said"),
    [
        (4.0, 0.02, "more, fairly sure"),
        (4.0, 0.2, "no difference shown"),
        (4.0, None, "too few to say"),
        (6.0, 0.001, "less, sure"),
    ],
)
def test_a_subject_is_compared_with_the_opponents(
    opponents: float, p_value: float | None, said: str
) -> None:
    assert compare_in_words(TAKE._replace(opponents=opponents, p_value=p_value)) == said


def test_costly_subjects_without_a_number_have_a_reason() -> None:
    few = TAKE._replace(mistakes=2, occasions=2, matches=2)
    once = TAKE._replace(kind=DecisionKind.PASS, matches=2, lost=0.4, share_of_one_game=0.7)
    assert list(explain_missing_numbers(Study((few, once)))) == [
        "without a number: wrong takes (too few errors); wrong passes (mostly one game)"
    ]


def test_a_lesson_says_how_many_errors_it_fits_and_whether_they_are_only_frequent() -> None:
    assert lesson_in_words(Lesson(TAKE, "which doubles to pass", 4, ())) == (
        "study: which doubles to pass; 4 errors in 3 matches"
    )
    assert lesson_in_words(Lesson(TAKE, "entering", 3, ())) == (
        "study: entering (in 3 of the errors, as below); 4 errors in 3 matches"
    )
    missed = TAKE._replace(
        kind=DecisionKind.NO_DOUBLE_BELOW_CASH, occasions=3, opponents=9.0, p_value=0.001
    )
    assert lesson_in_words(Lesson(missed, "doubling in time", 4, ())).endswith(
        "; 3 missed doubles in 4 turns, in 3 matches; costly because frequent: you lose less per decision than your"
        " opponents here"
    )
