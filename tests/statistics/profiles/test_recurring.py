"""Subjects to study in matches made up by hand, counted on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.board.position import Position, points
from bganalyze.record.players import Players
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from bganalyze.statistics.profiles.lesson_fit import BestPlay, fits_lesson
from bganalyze.statistics.profiles.lessons import AFTER_CRAWFORD, PLANS
from bganalyze.statistics.profiles.recurring import Study, find_obstacle, find_study
from bganalyze.statistics.profiles.subjects import Subject
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import cube, make_resignation, play
from tests.statistics.match_report.analyzed import MATCH, analyze_text

HOLDING = Position(points({20: 2, 13: 3, 8: 3, 6: 4, 4: 3}), points({13: 4, 8: 4, 6: 4, 4: 3}))
"""Ann, on roll, holds an anchor that Bob's checkers still have to pass."""


def make_missed_double(lost: float = 0.1, game: int = 1) -> AnalyzedDecision:
    """Return a double that Ann missed while Bob had a take."""
    row = cube(Kind.NO_DOUBLE, no_double=0.5, take=0.5 + lost)
    return _in_contact(row, game)


def make_right_double(game: int = 1) -> AnalyzedDecision:
    """Return a right double of Ann."""
    return _in_contact(cube(Kind.DOUBLE, no_double=0.5, take=0.6), game)


def opening(lost: float, side: int = 0) -> AnalyzedDecision:
    """Return a play in the opening."""
    return play(lost, side=side)._replace(phase="opening")


def contact(lost: float, side: int = 0) -> AnalyzedDecision:
    """Return a play in the holding game."""
    row = play(lost, side=side)
    return _in_contact(row, 1)._replace(
        situation=row.situation._replace(position=HOLDING, on_roll=side)
    )


def _in_contact(row: AnalyzedDecision, game: int) -> AnalyzedDecision:
    situation = row.situation._replace(position=HOLDING)
    return row._replace(phase="contact", game=game, situation=situation)


def study(
    *matches: Sequence[AnalyzedDecision],
    kinds: Sequence[KindLoss] = (),
    opponents: Sequence[str] = (),
) -> Study:
    """Return Ann's subjects in matches with these decisions, if the costs of kinds are these."""
    _, analyzed = analyze_text(MATCH)

    def with_rows(number: int, rows: Sequence[AnalyzedDecision]) -> AnalyzedMatch:
        made = analyzed._replace(path=f"{number}.mat", record=f"{number}", rows=tuple(rows))
        return (
            made.rename_players(lambda name: opponents[number] if name == "Bob" else name)
            if opponents
            else made
        )

    tables = tabulate_analyzed([with_rows(*pair) for pair in enumerate(matches)], Players())
    return find_study(tables, Question(by=(), player="Ann"), kinds)


def name_costs(found: Study) -> list[tuple[str, float]]:
    """Return the names of the subjects, the costliest first, with their costs."""
    return [(one.name, round(one.lost, 9)) for one in found.subjects]


def test_each_mistake_belongs_to_one_subject_and_the_costs_add_up() -> None:
    """Bob's errors are none of Ann's; her loss of 0.01 costs, but is no mistake."""
    cash = cube(Kind.NO_DOUBLE, 0.7, 1.2)._replace(phase="opening")
    late = make_missed_double(0.4)._replace(length=7, left=3, right=6)
    resigned = make_resignation(Kind.ACCEPT, reached=0.7, other=1.2)
    first = [opening(0.2), opening(0.01), opening(0.9, side=1), contact(0.32), resigned, cash]
    second = [make_missed_double(0.15), late, take(0.25, "opening"), take(0.1)]
    found = study(first, second)
    assert name_costs(found) == [
        ("resignations", 0.5),
        ("cube: missed doubles, trailing after Crawford", 0.4),
        ("cube: wrong takes", 0.35),
        ("plays: holding an anchor", 0.32),
        ("cube: missed double/pass", 0.3),
        ("plays: opening", 0.21),
        ("cube: missed double/take", 0.15),
    ]
    assert math.isclose(found.lost, 2.23)
    openings = next(one for one in found.subjects if one.name == "plays: opening")
    assert (openings.mistakes, openings.decisions, openings.matches) == (1, 2, 1)


@pytest.mark.slow
def test_the_loss_per_decision_has_an_interval_of_three_matches_or_more() -> None:
    """0.3 EMG in six decisions are 25 per 500; in each match two, with 0.1, 0.08 and 0.12."""
    rows = [[opening(lost), opening(0.04)] for lost in (0.06, 0.04, 0.08)]
    (found,) = study(*rows).subjects
    assert math.isclose(found.rate, 25.0)
    assert found.low < 25.0 < found.high
    (few,) = study(*rows[:2]).subjects
    assert math.isnan(few.low)


@pytest.mark.slow
def test_subjects_are_compared_with_the_opponents_in_the_same_matches() -> None:
    """Holding an anchor costs Ann 0.2, 0.3 and 0.4 EMG a match, Bob nothing; openings cost both the same.

    The rates are 0.03 and 0 a decision, so the matches add 0.2, 0.3 and 0.4 to the difference of 0.9.
    Its error is sqrt(3 / 2 * 0.02) = 0.173, so t is 5.2 with 2 degrees of freedom, and p 0.035. It is
    the only test: the openings of both sides cost the same in each match.
    """
    openings = [opening(0.1, side=side) for side in (0, 1) for _ in range(10)]
    matches = [
        [*openings, *[contact(lost) for _ in range(10)], *[contact(0.0, side=1) for _ in range(10)]]
        for lost in (0.02, 0.03, 0.04)
    ]
    opened, anchor = study(*matches).subjects
    assert (anchor.opponents, anchor.is_worse, anchor.is_difference_shown) == (0.0, True, True)
    assert anchor.p_value == pytest.approx(0.0351, abs=1e-4)
    assert opened.opponents == pytest.approx(50.0)
    assert (opened.p_value, opened.is_difference_shown) == (None, False)
    few = study(*[rows[:-1] for rows in matches]).subjects[1]
    assert (few.opponents, few.p_value) == (None, None)


@pytest.mark.slow
def test_a_subject_with_all_decisions_of_a_kind_differs_as_surely_as_the_kind() -> None:
    """Ann has three takes; of four, one would belong elsewhere, so she is compared anew."""
    theirs = Estimate(10.0, 5.0, 15.0, 30, 3)

    def compare(takes: int, theirs: Estimate) -> Subject:
        rate = Estimate(50.0, 40.0, 60.0, takes, 3)
        kinds = [KindLoss(DecisionKind.TAKE, rate, Cost(rate, theirs, None, 3, corrected=0.02))]
        (found,) = study([take(0.2), take(0.1)], [take(0.3)], kinds=kinds).subjects
        return found

    assert (compare(3, theirs).opponents, compare(3, theirs).p_value) == (10.0, 0.02)
    assert (compare(4, theirs).opponents, compare(4, theirs).p_value) == (None, None)
    assert compare(3, theirs._replace(decisions=29)).opponents is None


def test_a_run_of_missed_doubles_is_one_occasion() -> None:
    """Ann misses 3 doubles, doubles, misses 2; in game 2 she misses 1; in another match 1."""
    first = [
        *[make_missed_double() for _ in range(3)],
        make_right_double(),
        *[make_missed_double() for _ in range(2)],
        make_missed_double(0.2, 2),
    ]
    found = study(first, [make_missed_double(0.3)])
    missed, _ = found.subjects
    assert (missed.kind, missed.position) == (
        DecisionKind.NO_DOUBLE_BELOW_CASH,
        PositionClass.OTHER,
    )
    assert (missed.mistakes, missed.occasions, missed.matches) == (7, 4, 2)
    assert math.isclose(missed.lost, 1.0)
    assert math.isclose(missed.share_of_one_game, 0.5)
    (lesson,) = found.lessons
    assert lesson.subject == missed
    assert lesson.text == "doubling in time, while the opponent has a take"


def test_a_run_in_one_game_is_no_lesson() -> None:
    """Of 2.2 EMG, 2.0 are lost in one game; what is left comes twice."""
    found = study(
        [make_missed_double(0.2) for _ in range(10)],
        [make_missed_double(0.1)],
        [make_missed_double(0.1)],
    )
    (missed,) = found.subjects
    assert (missed.mistakes, missed.occasions, missed.recurs) == (12, 3, False)
    assert math.isclose(missed.share_of_one_game, 2.0 / 2.2)
    assert found.lessons == ()


@pytest.mark.slow
def test_lessons_are_those_of_the_costliest_subjects_that_recur() -> None:
    """Plays of no named class cost most; those of the opening have no lesson; two doubles are too few.

    Of four subjects with a lesson, the costliest three are studied.
    """
    unnamed = play(0.45)._replace(phase="contact")
    each = [unnamed, opening(0.42), pass_anchor(0.4, "13/8"), make_missed_double(0.3), take(0.2)]
    early = cube(Kind.DOUBLE, no_double=0.5, take=0.0)._replace(phase="opening")
    wrong_pass = cube(Kind.PASS, no_double=0.7, take=0.85)._replace(side=0)
    found = study([*each, wrong_pass, early], [*each, wrong_pass, early], [*each, wrong_pass])
    assert [name for name, _ in name_costs(found)] == [
        "plays: no named class",
        "plays: opening",
        "plays: coming home past an anchor",
        "cube: wrong doubles",
        "cube: missed double/take",
        "cube: wrong takes",
        "cube: wrong passes",
    ]
    assert [lesson.subject.name for lesson in found.lessons] == [
        "plays: coming home past an anchor",
        "cube: missed double/take",
        "cube: wrong takes",
    ]
    assert study(each).lessons == ()


@pytest.mark.slow
def test_a_subject_with_a_small_share_of_the_loss_is_not_studied() -> None:
    """Wrong takes cost 0.105 of 2.955 EMG, or of 3.045: 3.6 or 3.4 %."""

    def name_lessons(other: float) -> list[str]:
        rows = [[*[contact(0.19)] * 5, take(0.035)] for _ in range(3)]
        return [one.subject.name for one in study(*rows, [contact(other)]).lessons]

    assert [name_lessons(other) for other in (0.0, 0.09)] == [["cube: wrong takes"], []]


def test_lessons_of_about_the_same_cost_are_counted() -> None:
    """By match the first costs 0.25, 0.3 and 0.35; the second 0.25, 0.3 and 0.2; the third
    0.05, 0.1 and 0.1, or 0.05, 0.25 and 0.2.

    The second differs from the first by 0, 0 and 0.15 (t is 1, p 0.42). The third differs by 0.2, 0.2
    and 0.25 (t is 13, p 0.006), or by 0.2, 0.05 and 0.15 (t is 3.0, p 0.09).
    """

    def count(third: Sequence[float]) -> int:
        costs = zip((0.25, 0.3, 0.35), (0.25, 0.3, 0.2), third, strict=True)
        return study(
            *(
                [pass_anchor(one, "13/8"), take(two), make_missed_double(three)]
                for one, two, three in costs
            )
        ).count_equally_costly()

    assert count((0.05, 0.1, 0.1)) == 2
    assert count((0.05, 0.25, 0.2)) == 3
    assert study([opening(0.1)]).count_equally_costly() == 0


def test_a_subject_whose_cost_is_half_in_possible_slips_has_no_lesson() -> None:
    """Wrong takes cost 0.6 + 0.3 + 0.29, of which 0.6 may be a slip; or 0.6 + 0.4 + 0.3."""
    half, less = (
        study(*([take(lost)] for lost in (0.6, *rest))) for rest in ((0.3, 0.29), (0.4, 0.3))
    )
    (subject,) = half.possible_slips
    assert (subject.name, subject.slips, half.lessons) == ("cube: wrong takes", 1, ())
    assert [lesson.subject.name for lesson in less.lessons] == ["cube: wrong takes"]
    assert less.possible_slips == ()


def test_losses_that_may_be_slips_do_not_make_a_subject_worth_studying() -> None:
    """Wrong takes cost 0.6, 0.35 and 0.3. The 0.6 may be a slip; the rest is 3.7 % of 17.65, or 3.2 % of 20.05."""

    def name_lessons(plays: int) -> list[str]:
        rows = [[*[contact(0.4)] * plays, take(lost)] for lost in (0.6, 0.35, 0.3)]
        return [one.subject.name for one in study(*rows, [contact(0.4)] * 2).lessons]

    assert [name_lessons(plays) for plays in (13, 15)] == [["cube: wrong takes"], []]


@pytest.mark.slow
def test_a_share_in_possible_slips_is_known() -> None:
    """Wrong takes cost 0.1 + 0.6 + 0.6, and 0.6 may be a slip; 0.5 is none."""
    (slips,), (errors,) = (
        study(*([take(lost)] for lost in takes)).subjects for takes in ((0.1, 0.6, 0.6), (0.1, 0.5))
    )
    assert math.isclose(slips.share_of_slips, 1.2 / 1.3)
    assert errors.share_of_slips == 0.0


def take(lost: float, phase: str = "contact") -> AnalyzedDecision:
    """Return a wrong take of Ann in the opening, or in contact of no named class."""
    row = cube(Kind.TAKE, no_double=0.7, take=1.0 + lost)
    return row._replace(side=0, phase=phase)


@pytest.mark.slow
def test_doubles_when_too_good_are_another_lesson_than_early_ones() -> None:
    """Doubles made too early cost 0.1 each, those when too good 0.3 each."""
    early = cube(Kind.DOUBLE, no_double=0.5, take=0.4)._replace(phase="opening")
    too_good = cube(Kind.DOUBLE, no_double=1.3, take=1.5)._replace(phase="opening")

    def name_lesson(*rows: AnalyzedDecision) -> str:
        (lesson,) = study(*([row] for row in rows)).lessons
        return lesson.text

    assert name_lesson(early, early, early) == "when a double is too early"
    assert name_lesson(too_good, too_good, too_good) == "when a position is too good to double"
    assert name_lesson(early, early, early, early, too_good) == (
        "when a double is too early, and (43 % of the cost) when a position is too good to double"
    )
    assert name_lesson(early, too_good, too_good) == (
        "when a position is too good to double, and (14 % of the cost) when a double is too early"
    )


def test_after_crawford_all_missed_doubles_are_one_subject() -> None:
    """Whether the opponent has a take or a pass, and whatever the position."""
    take = make_missed_double(0.4)._replace(length=7, left=3, right=6)
    cash = cube(Kind.NO_DOUBLE, 0.7, 1.2)._replace(length=7, left=3, right=6, phase="opening")
    (lesson,) = study([take, cash], [take], [cash]).lessons
    found = lesson.subject
    assert (found.position, found.occasions, found.mistakes) == (PositionClass.AFTER_CRAWFORD, 3, 4)
    assert lesson.text == AFTER_CRAWFORD


PASSING = Position(points({13: 4, 8: 4, 6: 4, 4: 3}), points({20: 2, 13: 3, 8: 3, 6: 4, 4: 3}))
"""Bob holds an anchor that Ann has to pass."""


def pass_anchor(lost: float, better: str) -> AnalyzedDecision:
    """Return a play of Ann past Bob's anchor, and the play that was better."""
    row = contact(lost)
    situation = row.situation._replace(position=PASSING)
    return row._replace(situation=situation, better=better)


def test_the_boards_of_a_lesson_are_mistakes_whose_best_play_fits_it() -> None:
    """Of four errors, one missed a hit, and one left the rearmost point, as its best play does."""
    cleared = pass_anchor(0.4, "13/8")._replace(played="13/10 13/11")
    (found,) = study(
        *([pass_anchor(0.3, "8/7*")], [pass_anchor(0.2, "13/8")], [pass_anchor(0.1, "13/7")]),
        [cleared],
    ).lessons
    assert (found.subject.position, found.subject.role) == (PositionClass.HOLDING, Role.OPPONENT)
    assert found.text == "coming home past an anchor: clearing points from the rear"
    assert [dict(board.facts)["Better"] for board in found.boards] == ["13/8", "13/7"]
    assert (found.fitting, found.subject.mistakes) == (2, 4)


def test_a_lesson_that_any_play_would_fit_is_left_out() -> None:
    """Three plays of an opening have nothing in common."""
    assert study([opening(0.2), opening(0.2)], [opening(0.2)]).lessons == ()


def test_an_opponent_with_much_of_the_loss_is_named() -> None:
    """Cleo has 0.5 of 1.1 EMG, the others 0.2 each; of three opponents none is named."""
    rows = ([opening(0.2)], [opening(0.5)], [opening(0.2)], [opening(0.2)])
    found = study(*rows, opponents=("Bob", "Cleo", "Dora", "Emil")).main_opponent
    assert found is not None
    assert found._replace(share=0) == ("Cleo", 0, 4, 1)
    assert math.isclose(found.share, 0.5 / 1.1)
    assert study(*rows, opponents=("Bob", "Cleo", "Dora", "Dora")).main_opponent is None
    even = [[opening(0.2)]] * 4
    assert study(*even, opponents=("Bob", "Cleo", "Dora", "Emil")).main_opponent is None


MUTUAL = Position(*[points({20: 2, 13: 4, 8: 3, 6: 4, 4: 2})] * 2)
"""Both sides hold an anchor."""


def hold_anchor(lost: float, played: str, better: str) -> AnalyzedDecision:
    """Return a play of Ann with two anchors, and the play that was better."""
    row = pass_anchor(lost, better)
    return row._replace(situation=row.situation._replace(position=MUTUAL), played=played)


def test_a_lesson_on_who_leaves_first_has_mistakes_of_leaving_or_keeping_an_anchor() -> None:
    """The board says which; an error by other checkers teaches neither."""
    leaving, keeping = hold_anchor(0.1, "6/1", "20/15"), hold_anchor(0.2, "20/15", "8/3")
    other = hold_anchor(0.3, "13/8", "8/3")
    (found,) = study([leaving], [keeping], [other]).lessons
    assert found.text == "two anchors: who may leave first"
    assert [board.facts[0] for board in found.boards] == [
        ("Lesson", "keep the anchor"),
        ("Lesson", "leave the anchor"),
    ]
    assert study([leaving], [other], [other]).lessons == ()


@pytest.mark.slow
def test_a_lesson_that_fits_less_than_half_of_the_mistakes_is_none() -> None:
    """Ann missed a hit in two matches of three, or in one of two; hits are not the lesson."""
    hits = pass_anchor(0.3, "8/7*"), pass_anchor(0.2, "13/8*")
    clearing = pass_anchor(0.4, "13/7")
    assert study([hits[0]], [hits[1]], [clearing]).lessons == ()
    (found,) = study([hits[0]], [hits[1]], [clearing], [clearing]).lessons
    assert (found.fitting, found.subject.mistakes) == (2, 4)


def test_boards_show_the_costliest_of_each_match_above_the_mark() -> None:
    lost = ([0.2, 0.1], [0.3], [0.03], [0.04])
    matches = [[pass_anchor(one, "13/8") for one in of_match] for of_match in lost]
    (found,) = study(*matches).lessons
    lost = [dict(board.facts)["Lost"].split(",")[0] for board in found.boards]
    assert lost == ["0.300 EMG", "0.200 EMG", "0.040 EMG"]


def test_each_class_has_a_plan_for_each_side_it_can_have() -> None:
    shared = (
        *(PositionClass.OPENING, PositionClass.RACE, PositionClass.BEAR_OFF),
        *(PositionClass.PRIME_VS_PRIME, PositionClass.MUTUAL_HOLDING),
        PositionClass.AFTER_CRAWFORD,
    )
    for position in PositionClass:
        if position is not PositionClass.OTHER:
            assert set(PLANS[position]) == ({Role.BOTH} if position in shared else {*Role})


def test_a_class_has_a_lesson_on_plays_if_some_play_fits_it() -> None:
    for position, plans in PLANS.items():
        for role, plan in plans.items():
            effects = (BestPlay._make((True,) * len(BestPlay._fields))._replace(points=(4, 20)),)
            without_hits = tuple(one._replace(hits=False, misses_hit=False) for one in effects)
            is_fitting = [fits_lesson(position, role, one) for one in (*effects, *without_hits)]
            assert any(is_fitting) == bool(plan.plays), (position, role)


def test_a_small_share_without_possible_slips_is_an_obstacle() -> None:
    take = Subject(
        *(DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH),
        *(4, 4, 3, 1.0, 50),
        share_of_slips=0.4,
    )
    assert find_obstacle(take, 10.0) == ""
    assert find_obstacle(take, 20.0) == "below 3.5 % of the loss without possible slips"
