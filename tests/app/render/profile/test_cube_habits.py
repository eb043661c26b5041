"""Cube habits of a profile in words, from figures made up by hand."""

from __future__ import annotations

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.document import Grid, Note
from bganalyze.app.render.profile import profile_document
from bganalyze.app.render.profile.conclusion import cube_share_in_words
from bganalyze.app.render.profile.cube_habits import (
    _state_habit,
    answer_cube_questions,
    compare_with_opposite,
    list_shown_habits,
)
from bganalyze.statistics.profiles.subjects import Subject
from bganalyze.statistics.reports.cube_habits import CASES, DOUBLING
from bganalyze.statistics.reports.figures import CALLED
from bganalyze.statistics.sureness import MAY_BE_CHANCE
from tests.app.render.profile.test_situations import make_loss, make_profile


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

    def state(called: str, *costs: float) -> str:
        names = (*DOUBLING.loss_names, *DOUBLING.compared_loss_names)
        rows = [{"figure": name, "count": cost} for name, cost in zip(names, costs, strict=True)]
        about = {"figure": DOUBLING.figure, "count": 1.0, CALLED: called}
        return "; ".join(_state_habit(DOUBLING.title, [about, *rows]))

    late, early = (f"{name}, sure" for name in DOUBLING.called)
    assert state(late, 1.06, 1.81, 0.86, 0.0) == (
        "among decisions of equal cost more often too late, sure; but early doubles lost 1.81 EMG, missed"
        " doubles 1.06 EMG; left out of the comparison: 1.81 and 0.20 EMG of it (clear decisions, losses above 0.5 EMG,"
        " and decisions without an opposite one of equal cost)"
    )
    assert "; missed" in state(late, 1.81, 1.06, 0.86, 0.0)
    assert "; but missed" in state(early, 1.81, 1.06, 0.86, 0.0)
    unsure = state(MAY_BE_CHANCE, 1.06, 1.81, 0.86, 0.0)
    assert unsure.startswith("may be chance (how often, among decisions of equal cost); early")


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
        "among decisions of equal cost you more often double too late (sure)"
    ]
    take, play = early._replace(kind=DecisionKind.TAKE), early._replace(kind=DecisionKind.RACE_PLAY)
    assert [*compare_with_opposite(take, profile)] == [
        "whether you more often take wrongly or pass wrongly: not tested"
    ]
    assert not [*compare_with_opposite(play, profile)]
    assert not [*compare_with_opposite(early._replace(kind=None), profile)]


def test_only_habits_that_a_test_shows_are_in_the_conclusion() -> None:
    """Of a loss of 0.5 + 2.0 + 1.0 EMG per 500 decisions, 3.0 are in 20 % of these, the cube decisions."""
    shown = [*list_shown_habits(make_profile("more often too early, fairly sure"))]
    assert shown == ["more often double too early (fairly sure)"]
    assert not [*list_shown_habits(make_profile(MAY_BE_CHANCE))]
    kinds = [
        make_loss(DecisionKind.RACE_PLAY, 5.0),
        make_loss(DecisionKind.DOUBLE, 20.0),
        make_loss(DecisionKind.TAKE, 10.0),
    ]
    share = "Cube decisions: 86 % of the loss (20 % of decisions)"
    assert [*cube_share_in_words(kinds)] == [f"{share}."]
    assert [*cube_share_in_words(kinds, shown)] == [
        f"{share}; among those of equal cost you more often double too early (fairly sure)."
    ]
    assert not [*cube_share_in_words(kinds[:1], shown)]
