"""The table of subjects and their lessons, from costs made up by hand."""

from __future__ import annotations

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.document import Grid, Heading, Note
from bganalyze.app.render.profile.subjects import (
    MOST_ROWS,
    define_classes,
    list_lessons,
    tabulate_subjects,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.recurring import Lesson, Study
from bganalyze.statistics.profiles.subjects import Subject
from tests.app.render.profile.test_situations import make_profile

ATTACK = Subject(
    *(DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN),
    *(4, 4, 3, 1.5, 50),
    low=5.0,
    high=25.0,
    opponents=20.0,
    p_value=0.02,
)
"""1.5 EMG lost in 50 decisions, so 15 per 500."""
TAKE = Subject(DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH, 2, 2, 1, 0.5, 3)
RESIGNED = TAKE._replace(kind=None, lost=0.25, mistakes=1)


def make_profile_with(*subjects: Subject, lessons: tuple[Subject, ...] = ()) -> PlayerProfile:
    """Return a profile with these subjects, some of which have lessons."""
    taught = tuple(Lesson(one, "when to hit", one.mistakes, ()) for one in lessons)
    return make_profile()._replace(study=Study(subjects, taught, matches=3))


def tabulate(profile: PlayerProfile) -> list[list[str]]:
    """Return the texts of the table of subjects, the total last."""
    (grid,) = (one for one in tabulate_subjects(profile) if isinstance(one, Grid))
    return [[cell.text for cell in cells] for cells in (*grid.rows, grid.total)]


def test_subjects_have_cost_share_rate_interval_and_one_verdict() -> None:
    """Of 2.25 EMG, 1.5 are 67 %; three takes have no rate."""
    assert tabulate(make_profile_with(ATTACK, TAKE, RESIGNED, lessons=(ATTACK,))) == [
        [
            *("1. plays: attacking (blitz)", "1.50", "67 %", "less, fairly sure"),
            *("4 of 50", "15.0", "5.0 to 25.0", "20.0"),
        ],
        ["cube: wrong takes", "0.50", "22 %", "too few to say", "2 of 3", "-", "", "-"],
        ["resignations", "0.25", "11 %", "too few to say", "1 of 3", "-", "", "-"],
        ["all subjects", "2.25", "100 %", "", "7 of 56", "", "", ""],
    ]


def test_subjects_without_a_row_are_one_row() -> None:
    """One subject costs 1.5 EMG, nine cost 0.5 each, and one without a mistake 0.1: two have no row."""
    takes = [TAKE._replace(decisions=number) for number in range(3, 3 + MOST_ROWS)]
    small = TAKE._replace(mistakes=0, lost=0.1)
    *_, last, rest, total = tabulate(make_profile_with(ATTACK, *takes, small))
    assert (last[0], last[4]) == ("cube: wrong takes", "2 of 10")
    assert rest[:5] == ["2 more", "0.60", "10 %", "", "2 of 14"]
    assert total[:5] == ["all subjects", "6.10", "100 %", "", "22 of 116"]
    assert [cells[0] for cells in tabulate(make_profile_with(ATTACK, small))[1:]] == [
        "1 more",
        "all subjects",
    ]


def test_a_difference_that_is_shown_is_named_even_if_its_subject_has_no_row() -> None:
    """The attack costs least, and is the only subject with a test that shows a difference."""
    takes = [TAKE._replace(decisions=number) for number in range(3, 3 + MOST_ROWS)]
    cheap, crawford = (
        ATTACK._replace(lost=0.1),
        TAKE._replace(position=PositionClass.AFTER_CRAWFORD),
    )
    notes = [
        one.text
        for one in tabulate_subjects(make_profile_with(*takes, crawford, cheap))
        if isinstance(one, Note)
    ]
    assert notes[0].endswith(
        "; 3 decisions to double or not after Crawford, a subject of their own"
    )
    assert notes[1] == (
        "among the 2 more you also differ from the opponents in plays: attacking (blitz) (less, fairly sure)"
    )
    shown = tabulate_subjects(make_profile_with(ATTACK, *takes))
    assert not any(isinstance(one, Note) and "also differ" in one.text for one in shown)


def test_a_cost_that_other_totals_leave_out_is_named() -> None:
    notes = [
        one.text
        for one in tabulate_subjects(make_profile_with(ATTACK, RESIGNED))
        if isinstance(one, Note)
    ]
    assert "0.25 EMG that neither the PR nor" in notes[0]
    assert notes[1].startswith("no subject has a number: ")


def test_lessons_have_the_number_and_name_of_their_row() -> None:
    blocks = list(list_lessons(make_profile_with(ATTACK, lessons=(ATTACK,)), 1, {}))
    assert blocks[:2] == [
        Heading("1. Plays: attacking (blitz)"),
        Note(
            "study: when to hit; 4 errors in 3 matches; costly because frequent: you lose less per decision than your"
            " opponents here"
        ),
    ]


def test_the_class_of_each_row_is_defined() -> None:
    first, _ = define_classes(make_profile_with(ATTACK, TAKE))
    assert isinstance(first, Note)
    assert first.text.startswith("attacking (blitz): ")
    assert not list(define_classes(make_profile_with(TAKE)))


def test_missed_doubles_are_called_those_not_after_crawford_if_these_have_a_row() -> None:
    missed = TAKE._replace(kind=DecisionKind.NO_DOUBLE_BELOW_CASH)
    late = missed._replace(position=PositionClass.AFTER_CRAWFORD)
    names = [row[0] for row in tabulate(make_profile_with(missed, late, TAKE))]
    assert names[:3] == [
        "cube: missed double/take, not after Crawford",
        "cube: missed doubles, trailing after Crawford",
        "cube: wrong takes",
    ]
    assert tabulate(make_profile_with(missed, TAKE))[0][0] == "cube: missed double/take"
