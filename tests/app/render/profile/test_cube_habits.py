"""Cube habits of a profile in words, from figures made up by hand."""

from __future__ import annotations

import pytest

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.document import Grid, Note
from bganalyze.app.render.profile import profile_document
from bganalyze.app.render.profile.cube_habits import (
    StatedHabit,
    _add_cost,
    _read_habit,
    _state_habit,
    answer_cube_questions,
    compare_with_opposite,
    describe_habit,
    summarize_habits,
)
from bganalyze.statistics.profiles.recurring import Study
from bganalyze.statistics.profiles.subjects import Subject
from bganalyze.statistics.reports.cube_habits import CASES, DOUBLING
from bganalyze.statistics.reports.figures import CALLED
from bganalyze.statistics.sureness import MAY_BE_CHANCE
from tests.app.render.profile.test_situations import make_profile


def test_a_cube_habit_is_stated_once_where_its_question_is_asked() -> None:
    document = profile_document(make_profile("more often too late, sure"), None)
    stating = [
        part.title
        for part in document.chapters[0].parts
        if any(isinstance(one, Note) and "too late, sure" in one.text for one in part.blocks)
    ]
    assert stating == ["Do I double too late, do I take too much?"]


def test_the_costs_of_both_errors_are_where_a_habit_is_named() -> None:
    """The more frequent error may cost less, as few early doubles that are far too early do."""

    late, early = (f"{name}, sure" for name in DOUBLING.called)

    def state(verdict: str, *costs: float) -> str:
        return "; ".join(_state_habit(StatedHabit(DOUBLING, verdict, costs[:2], costs[2:])))

    assert state(late, 1.06, 1.81, 0.86, 0.0) == (
        "in comparable decisions more often too late, sure; but early doubles lost 1.81 EMG, missed doubles"
        " lost 1.06 EMG; 0.00 and 0.86 EMG of these in comparable decisions, apart from losses above 0.5 EMG"
    )
    assert "; missed" in state(late, 1.81, 1.06, 0.86, 0.0)
    assert "; but missed" in state(early, 1.81, 1.06, 0.86, 0.0)
    unsure = state(MAY_BE_CHANCE, 1.06, 1.81, 0.86, 0.0)
    assert unsure.startswith("may be chance (how often, in comparable decisions); early")


def test_shares_of_habits_name_the_decisions_that_they_count() -> None:
    grids = [one for one in answer_cube_questions(make_profile()) if isinstance(one, Grid)]
    assert [cells[-1].text for grid in grids for cells in grid.rows] == ["30 in all, weighted"]
    assert CASES["missed doubles, any loss"] == "due"
    assert CASES["early doubles, any loss"] == "made"
    assert CASES["wrong passes, comparable"] == "to take, weighted"


def test_a_lesson_on_the_cube_says_whether_the_opposite_error_is_as_frequent() -> None:
    """Costly early doubles do not show that a player doubles too early."""
    profile = make_profile("more often too late, sure")
    early = Subject(DecisionKind.DOUBLE, PositionClass.OTHER, Role.BOTH, 4, 4, 3, 0.5, 50)
    assert [*compare_with_opposite(early, profile)] == [
        "where either error would cost about the same, you more often double too late than too early (sure)"
    ]
    take, play = early._replace(kind=DecisionKind.TAKE), early._replace(kind=DecisionKind.RACE_PLAY)
    assert [*compare_with_opposite(take, profile)] == [
        "whether you more often take wrongly or pass wrongly: not tested"
    ]
    assert not [*compare_with_opposite(play, profile)]
    assert not [*compare_with_opposite(early._replace(kind=None), profile)]


def test_only_habits_that_a_test_shows_are_in_the_conclusion() -> None:
    """The opponents have the same habit, or the opposite one."""
    profile = make_profile("more often too early, fairly sure")
    said = "Where either error would cost about the same, you more often double too early than too late"
    assert [*summarize_habits(profile)] == [f"{said} (fairly sure)."]
    assert not [*summarize_habits(make_profile(MAY_BE_CHANCE))]
    shared = profile._replace(opponents_habits=make_profile("more often too early, sure").analyzed)
    assert [*summarize_habits(shared)] == [f"{said} (fairly sure; so do the opponents)."]
    other = profile._replace(opponents_habits=make_profile("more often too late, sure").analyzed)
    assert [*summarize_habits(other)] == [*summarize_habits(profile)]


def test_the_conclusion_has_the_whole_cost_of_a_habit() -> None:
    """All missed doubles cost 1.06 of 5 EMG, whatever subjects they belong to."""
    stated = StatedHabit(DOUBLING, "more often too late, sure", (1.06, 0.5))
    loss = Subject(DecisionKind.RACE_PLAY, PositionClass.RACE, Role.BOTH, 4, 4, 3, 5.0, 50)
    said = ": missed doubles cost 1.06 EMG, 21 % of the"
    assert _add_cost(stated, Study((loss,))) == f"{said} loss"
    resigned = loss._replace(kind=None, lost=1.0)
    assert _add_cost(stated, Study((loss._replace(lost=4.0), resigned))) == f"{said} whole loss"
    early = stated._replace(verdict="more often too early, sure")
    assert _add_cost(early, Study((loss,))) == ": early doubles cost 0.50 EMG, 10 % of the loss"
    assert _add_cost(stated._replace(costs=None), Study((loss,))) == ""


def test_the_costs_of_a_habit_are_read_from_its_table() -> None:
    """Missed doubles cost 1.06 EMG, early ones 1.81; comparable are 0.86 and 0.0 EMG."""
    names = (*DOUBLING.loss_names, *DOUBLING.compared_loss_names)
    costs = zip(names, (1.06, 1.81, 0.86, 0.0), strict=True)
    rows = [{"figure": name, "count": cost} for name, cost in costs]
    about = {"figure": DOUBLING.figure, "count": 1.0, CALLED: "more often too late, sure"}
    stated = _read_habit(DOUBLING, [about, *rows])
    assert (stated.costs, stated.compared_costs) == ((1.06, 1.81), (0.86, 0.0))
    assert (stated.are_rarer_errors_costlier, stated.rarer_errors) == (True, "early doubles")
    assert _read_habit(DOUBLING, [about]).costs is None


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        (60.0, "sure; the opponents do so more, sure"),
        (10.0, "sure; the opponents do so less, sure"),
        (41.0, "sure; so do the opponents"),
    ],
)
def test_opponents_with_the_same_habit_have_it_more_or_less(theirs: float, said: str) -> None:
    """The player's balance is 40 percentage points, known to 5 points as the opponents' is."""

    def make_habit(value: float) -> StatedHabit:
        balance = {"value": value, "low": value - 5, "high": value + 5, "matches": 40}
        return StatedHabit(DOUBLING, "more often too late, sure", balance=balance)

    shared = make_habit(40.0)._replace(of_opponents=make_habit(theirs))
    assert (
        describe_habit(shared)
        == f"where either error would cost about the same, you more often double too late than too early ({said})"
    )
