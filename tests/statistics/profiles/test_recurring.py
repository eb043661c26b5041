"""Recurring mistakes of matches made up by hand, counted on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.profile.mistakes import recurring_in_words
from bganalyze.board.position import Position, points
from bganalyze.record.players import Players
from bganalyze.statistics.norms import Norm, NormTable
from bganalyze.statistics.profiles.habits import Habit, HabitCosts
from bganalyze.statistics.profiles.kinds import Cost, Estimate, KindLoss
from bganalyze.statistics.profiles.lessons import AFTER_CRAWFORD, CUBE_LESSONS, PLANS
from bganalyze.statistics.profiles.recurring import (
    Mistakes,
    Study,
    explain_order,
    find_mistakes,
    make_study_key,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import cube, play
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
    norms: NormTable | None = None,
    habits: Sequence[Habit] = (),
    kinds: Sequence[KindLoss] = (),
    opponents: Sequence[str] = (),
) -> Study:
    """Return Ann's mistakes in matches with these decisions, if she has these habits and costs by kind."""
    _, analyzed = analyze_text(MATCH)

    def with_rows(number: int, rows: Sequence[AnalyzedDecision]) -> AnalyzedMatch:
        made = analyzed._replace(path=f"{number}.mat", record=f"{number}", rows=tuple(rows))
        return (
            made.rename_players(lambda name: opponents[number] if name == "Bob" else name)
            if opponents
            else made
        )

    tables = tabulate_analyzed([with_rows(*pair) for pair in enumerate(matches)], Players())
    return find_mistakes(tables, Question(by=(), player="Ann", own_norms=norms), habits, kinds)


def test_a_run_of_missed_doubles_is_one_occasion() -> None:
    """Ann misses 3 doubles, doubles, misses 2; in game 2 she misses 1; in another match 1."""
    first = [
        *[make_missed_double() for _ in range(3)],
        make_right_double(),
        *[make_missed_double() for _ in range(2)],
        make_missed_double(0.2, 2),
    ]
    (found,) = study(first, [make_missed_double(0.3)]).recurring
    assert (found.kind, found.position) == (
        DecisionKind.NO_DOUBLE_BELOW_CASH,
        PositionClass.HOLDING,
    )
    assert (found.errors, found.occasions, found.games, found.matches) == (7, 4, 3, 2)
    assert math.isclose(found.lost, 1.0)
    assert math.isclose(found.share_of_one_game, 0.5)
    assert found.decisions == 7
    said = recurring_in_words(found, 4.0)
    assert said == (
        "missed double/take, holding an anchor: 7 of 7 close no doubles lost 0.02 EMG or more (4 times, some"
        " over several turns), in 2 matches; with smaller losses 1.00 EMG, 25 % of the loss;"
        " the opponents made too few such decisions to compare; chosen by cost alone"
    )
    said = recurring_in_words(found._replace(decisions=30), 4.0)
    assert "25 % of the loss; rate 16.7; the opponents" in said
    assert found.study == (
        "doubling in time, while the opponent has a take, holding an anchor: "
        "the lead in the race, and the shots still to come"
    )


def test_a_run_in_one_game_is_no_recurring_mistake() -> None:
    """Of 2.2 EMG, 2.0 are lost in one game; what is left comes twice."""
    found = study(
        [make_missed_double(0.2) for _ in range(10)],
        [make_missed_double(0.1)],
        [make_missed_double(0.1)],
    )
    assert found.recurring == ()
    assert found.oversight is not None
    assert (found.oversight.errors, found.oversight.occasions) == (12, 3)
    assert math.isclose(found.oversight.share_of_one_game, 2.0 / 2.2)


def test_what_is_lost_mostly_in_possible_slips_is_studied_after_others() -> None:
    """Wrong takes cost 0.1 + 0.6 + 0.6, and 0.6 may be a slip; opening plays cost 0.1 three times."""
    slips, errors = (
        study(*([take(lost), opening(0.1)] for lost in takes)).recurring
        for takes in ((0.1, 0.6, 0.6), (0.1, 0.5, 0.5))
    )
    assert [one.kind for one in slips] == [DecisionKind.OPENING_PLAY, DecisionKind.TAKE]
    assert math.isclose(slips[1].share_of_slips, 1.2 / 1.3)
    assert [one.kind for one in errors] == [DecisionKind.TAKE, DecisionKind.OPENING_PLAY]
    assert errors[0].share_of_slips == 0.0


def take(lost: float, phase: str = "contact") -> AnalyzedDecision:
    """Return a wrong take of Ann in the opening, or in contact of no named class."""
    row = cube(Kind.TAKE, no_double=0.7, take=1.0 + lost)
    return row._replace(side=0, phase=phase)


def test_errors_of_a_habit_come_first_and_are_all_of_its_kinds() -> None:
    """Missed doubles cost 0.1 + 0.3, the plays 1.2; cashes missed in the opening are of the habit too."""
    cash = cube(Kind.NO_DOUBLE, 0.7, 1.2)._replace(phase="opening")
    rows = [*[opening(0.2)] * 3, make_missed_double(0.1), cash]
    found = study(rows, [opening(0.2)] * 3, habits=[Habit("too late", "sure")])
    late, opened = found.recurring
    assert late.habit == Habit("too late", "sure")
    assert (late.errors, late.occasions, late.decisions) == (2, 1, 2)
    assert math.isclose(late.lost, 0.4)
    assert len(late.boards) == 1
    assert (late.name, late.study) == ("missed doubles", "doubling earlier")
    assert opened.kind is DecisionKind.OPENING_PLAY
    assert found.subjects == found.recurring


def test_a_habit_that_costs_clearly_less_than_the_opposite_error_is_not_studied() -> None:
    """Doubles missed cost 0.1 a match, those made too early 0.3 to 0.5; those when too good are not the opposite.

    The differences by match are 0.2, 0.3 and 0.4: their sum of 0.9 has the error sqrt(1.5 * 0.02),
    so t is 5.2 with 2 degrees of freedom, and p 0.035. With 0.2, 0.3 and 0.1 t is 3.5, p 0.07.
    """
    late = Habit("too late", "sure")

    def early(lost: float) -> AnalyzedDecision:
        return _in_contact(cube(Kind.DOUBLE, no_double=0.5, take=0.5 - lost), 1)

    def rows(*losses: float) -> list[list[AnalyzedDecision]]:
        return [[make_missed_double(0.1), early(lost)] for lost in losses]

    found = study(*rows(0.3, 0.4, 0.5), habits=[late])
    assert all(one.habit is None for one in found.recurring)
    assert found.habit_costs["too late"] == pytest.approx((0.3, 1.2, 0.0351), abs=1e-4)
    assert found.habit_costs["too late"].are_clearly_lower
    alike = study(*rows(0.3, 0.4, 0.2), habits=[late])
    assert alike.habit_costs["too late"] == pytest.approx((0.3, 0.9, 0.0742), abs=1e-4)
    assert alike.recurring[0].habit == late
    assert alike.recurring[0].study == "doubling earlier, and when a double is too early"
    too_good = cube(Kind.DOUBLE, no_double=1.5, take=2.0)._replace(phase="opening")
    (found_late,) = study(*[[make_missed_double(0.4), too_good]] * 3, habits=[late]).recurring[:1]
    assert found_late.costs == (pytest.approx(1.2), 0.0, pytest.approx(math.nan, nan_ok=True))


def test_a_habit_by_which_the_opponents_surely_lose_more_is_not_studied() -> None:
    late = Habit("too late", "sure")
    theirs = Estimate(90.0, 80.0, 99.0, 40, 5)
    cost = Cost(Estimate(50.0, 40.0, 60.0, 40, 5), theirs, None, 4, corrected=0.04)
    missed = KindLoss(DecisionKind.NO_DOUBLE_BELOW_CASH, cost.rate, cost)
    above = missed._replace(kind=DecisionKind.NO_DOUBLE_ABOVE_CASH)

    def name_habits(*kinds: KindLoss) -> list[Habit | None]:
        return [
            one.habit for one in study([make_missed_double()], habits=[late], kinds=kinds).recurring
        ]

    assert name_habits(missed, above) == []
    found = study([make_missed_double()], habits=[late], kinds=[missed, above])
    assert found.better_habits == ("too late",)
    assert name_habits(missed, above._replace(cost=cost._replace(corrected=0.06))) == [late]
    worse = cost._replace(opponents=theirs._replace(value=10.0))
    assert name_habits(missed, above._replace(cost=worse)) == [late]


def test_a_habit_by_which_the_opponents_lose_more_comes_first_only_by_its_cost() -> None:
    """Ann's 30 missed doubles cost 3.0 EMG, Bob's 3.6 or 2.4; her 30 opening plays 3.3 or 1.2."""
    late = Habit("too late", "sure")

    def explain(theirs: float, openings: float) -> list[tuple[str, str]]:
        missed = [make_missed_double() for _ in range(10)]
        of_bob = [make_missed_double(theirs)._replace(side=1) for _ in range(10)]
        plays = [opening(openings) for _ in range(10)]
        matches = [[*missed, *of_bob, *plays]] * 3
        found = study(*matches, habits=[late], norms=NORMS._replace(norms=()))
        return [(one.error, explain_order(one, found.lost)) for one in found.recurring]

    by_cost = "chosen by cost alone"
    opened, doubles = ("opening errors", by_cost), ("missed doubles", by_cost)
    assert explain(0.12, 0.11) == [opened, doubles]
    assert explain(0.12, 0.04) == [doubles, opened]
    assert explain(0.08, 0.11) == [("missed doubles", ""), opened]


def test_possible_slips_decide_not_which_error_is_a_habit() -> None:
    """Missed doubles cost 0.1 a match, early doubles 0.3 to 0.5, or once a possible slip of 0.6 instead."""
    late = Habit("too late", "sure")

    def costs(*early: float) -> HabitCosts:
        doubles = [cube(Kind.DOUBLE, no_double=0.5 + lost, take=0.5) for lost in early]
        rows = [[make_missed_double(), _in_contact(row, 1)] for row in doubles]
        return study(*rows, habits=[late]).habit_costs["too late"]

    assert costs(0.3, 0.4, 0.5).are_clearly_lower
    assert costs(0.3, 0.4, 0.6)[:2] == pytest.approx((0.3, 0.7))
    assert not costs(0.3, 0.4, 0.6).are_clearly_lower


def test_doubles_when_too_good_are_another_subject_than_early_ones() -> None:
    """Doubles made too early cost 0.1 each, those when too good 0.3 each."""
    early = cube(Kind.DOUBLE, no_double=0.5, take=0.4)._replace(phase="opening")
    too_good = cube(Kind.DOUBLE, no_double=1.3, take=1.5)._replace(phase="opening")

    def subject(*rows: AnalyzedDecision) -> str:
        (found,) = study(*([row] for row in rows)).recurring
        return found.study.partition(", opening: ")[0]

    assert subject(early, early, early) == "when a double is too early"
    assert subject(too_good, too_good, too_good) == "when a position is too good to double"
    assert subject(early, early, early, too_good) == (
        "when a double is too early, and (50 % of the cost) when a position is too good to double"
    )
    assert subject(early, too_good, too_good) == (
        "when a position is too good to double, and (14 % of the cost) when a double is too early"
    )


def test_the_opponents_rate_is_that_of_the_table_by_kind() -> None:
    """Fewer than 30 decisions of theirs are not compared with."""
    rate = Estimate(50.0, 40.0, 60.0, 4, 3)
    theirs = Estimate(10.0, 5.0, 15.0, 30, 3)
    cost = Cost(rate, theirs, None, 4, corrected=0.5)
    takes = [[take(0.2, "opening"), take(0.2)], [take(0.2, "opening")]]

    def find(cost: Cost) -> Mistakes:
        kinds = [KindLoss(DecisionKind.TAKE, rate, cost)]
        norm = NORMS._replace(norms=(NORMS.norms[0]._replace(kind="take"),))
        (found,) = study(*takes, kinds=kinds, norms=norm).recurring
        return found

    assert (find(cost).opponents, find(cost).compared_with) == (10.0, "opponents")
    few = find(cost._replace(opponents=theirs._replace(decisions=29)))
    assert (few.opponents, few.compared_with) == (None, "norm")
    assert math.isclose(few.excess or 0.0, 0.6 - 3 * 12 / 500)
    contact_cost = KindLoss(DecisionKind.CONTACT_PLAY, rate, cost)
    unnamed = [play(0.2)._replace(phase="contact") for _ in range(3)]
    (others,) = study(unnamed, kinds=[contact_cost]).contact
    assert (others.position, others.opponents) == (PositionClass.OTHER, None)
    assert math.isclose(find(cost).excess or 0.0, 0.6 - 3 * 10 / 500)


def test_errors_opposite_to_a_habit_say_so() -> None:
    early = cube(Kind.DOUBLE, no_double=0.5, take=0.0)._replace(phase="opening")
    late = Habit("too late", "sure")
    (found,) = study([early, early], [early], habits=[late]).recurring
    assert (found.kind, found.habit, found.opposite_habit) == (DecisionKind.DOUBLE, None, late)


def test_cube_errors_that_recur_in_no_class_are_taken_together() -> None:
    """Two wrong takes in the opening and one in contact are three; with one game less, they are too few."""
    rows = [[take(0.3, "opening"), take(0.2)], [take(0.4, "opening")]]
    (found,) = study(*rows).recurring
    assert (found.name, found.study) == ("wrong takes", "which doubles to pass")
    assert (found.occasions, found.matches, len(found.boards)) == (3, 2, 2)
    few = study(rows[0])
    assert few.recurring == ()
    assert [one.kind for one in few.not_recurring] == [DecisionKind.TAKE]


def test_cube_errors_whose_cost_is_mostly_elsewhere_are_taken_together() -> None:
    """Three wrong takes in the opening cost 0.3; of the takes in contact, 0.2 leave most of the cost there, 0.4 not."""
    openings = [take(0.1, "opening")]

    def find(loss: float) -> list[tuple[str, float]]:
        found = study([*openings, take(loss)], openings, openings).recurring
        return [(one.name, round(one.lost, 3)) for one in found]

    assert find(0.2) == [("wrong takes, opening", 0.3)]
    assert find(0.4) == [("wrong takes", 0.7)]


def test_errors_below_two_hundredths_cost_but_are_not_counted() -> None:
    (found,) = study([opening(0.3), opening(0.01)], [opening(0.02), opening(0.2)]).recurring
    assert found.errors == 3
    assert math.isclose(found.lost, 0.53)


def test_after_crawford_all_missed_doubles_are_one_class() -> None:
    """Whether the opponent has a take or a pass, and whatever the position."""
    take = make_missed_double(0.4)._replace(length=7, left=3, right=6)
    cash = cube(Kind.NO_DOUBLE, 0.7, 1.2)._replace(length=7, left=3, right=6, phase="opening")
    (found,) = study([take, cash], [take], [cash]).recurring
    assert (found.position, found.occasions, found.errors) == (PositionClass.AFTER_CRAWFORD, 3, 4)
    assert found.name == "missed doubles, trailing after Crawford"
    assert found.study == AFTER_CRAWFORD


NORMS = NormTable(
    source="",
    license="",
    engine="",
    norms=(Norm("all players", "opening play", 9, 9, 9, 999, 12.0, 10.0, 14.0),),
)


def test_mistakes_that_cost_more_than_the_opponents_come_first() -> None:
    """Openings cost Ann 3.0 EMG and Bob the same decisions 6.0; holding an anchor 0.9 against 0.

    So the second is worse than the opponents' rate, although it costs less: by 0.2, 0.3 and 0.4 a match.
    """
    openings = [opening(0.1, side=side) for side in (0, 1, 1) for _ in range(10)]
    matches = [
        [
            *openings,
            *[contact(lost) for _ in range(10)],
            *[contact(0.0, side=1) for _ in range(10)],
        ]
        for lost in (0.02, 0.03, 0.04)
    ]
    found = study(*matches, norms=NORMS).recurring
    assert [one.kind for one in found] == [DecisionKind.CONTACT_PLAY, DecisionKind.OPENING_PLAY]
    anchor, opened = found
    assert math.isclose(anchor.rate, 500 * 0.03)
    assert (anchor.opponents, anchor.norm) == (0.0, None)
    assert math.isclose(anchor.excess or 0.0, 0.9)
    assert anchor.corrected == pytest.approx(0.0351, abs=1e-4)
    assert math.isclose(opened.rate, 50.0)
    assert math.isclose(opened.opponents or 0.0, 50.0)
    assert math.isclose(opened.excess or 0.0, 0.0, abs_tol=1e-9)
    assert opened.norm == 12.0


def test_mistakes_of_little_cost_come_last() -> None:
    """The first cost more than at the opponents' rate, but 0.9 of 60.9 EMG is less than 2 %."""
    openings = [
        opening(0.1 * factor, side=side) for side, factor in ((0, 20), (1, 20)) for _ in range(10)
    ]
    anchors = [*[contact(0.03) for _ in range(10)], *[contact(0.0, side=1) for _ in range(10)]]
    found = study(*[[*openings, *anchors]] * 3)
    assert [one.kind for one in found.recurring] == [
        DecisionKind.OPENING_PLAY,
        DecisionKind.CONTACT_PLAY,
    ]
    assert found.number == 2


def order(*mistakes: Mistakes, lost: float = 10.0) -> list[Mistakes]:
    return sorted(mistakes, key=lambda one: make_study_key(one, lost))


def test_with_nothing_to_compare_a_mistake_comes_before_none_that_cost_twice_as_much() -> None:
    """At the opponents' rate of 50 ten decisions cost 1.0, so a loss of 1.0 is no more than theirs."""
    about = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
    unknown = Mistakes(*about, 4, 4, 4, 3, 0.5, 0.4, 10, None)
    alike = unknown._replace(lost=1.0, opponents=50.0)
    assert order(unknown, alike) == [alike, unknown]
    assert order(unknown, alike._replace(lost=0.4))[0] == unknown
    assert order(unknown, alike._replace(opponents=100.0, lost=0.99))[0] == unknown
    assert order(unknown, alike._replace(opponents=98.0, lost=0.99))[1] == unknown
    better = alike._replace(is_better=True)
    assert order(unknown, better._replace(lost=1.01))[1] == unknown
    assert order(unknown, better._replace(lost=0.99))[0] == unknown
    slips = alike._replace(share_of_slips=0.6)
    assert order(unknown, slips) == [unknown, slips]


def test_a_shown_difference_from_the_opponents_counts_from_two_percent_of_the_loss() -> None:
    """A loss of 0.5 is 0.3 more than at the opponents' rate: 3 % of 10 EMG, and less than 2 % of 20."""
    about = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
    worse = Mistakes(*about, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0, corrected=0.04)
    unknown = worse._replace(lost=0.6, opponents=None)
    assert order(unknown, worse._replace(corrected=0.06)) == [
        unknown,
        worse._replace(corrected=0.06),
    ]
    assert order(unknown, worse, lost=10.0) == [worse, unknown]
    assert order(unknown, worse, lost=20.0) == [unknown, worse]
    assert explain_order(worse, 10.0) == "chosen by this difference"
    assert explain_order(worse, 20.0) == "chosen by cost alone"


PASSING = Position(points({13: 4, 8: 4, 6: 4, 4: 3}), points({20: 2, 13: 3, 8: 3, 6: 4, 4: 3}))
"""Bob holds an anchor that Ann has to pass."""


def pass_anchor(lost: float, better: str) -> AnalyzedDecision:
    """Return a play of Ann past Bob's anchor, and the play that was better."""
    row = contact(lost)
    situation = row.situation._replace(position=PASSING)
    return row._replace(situation=situation, better=better)


def test_the_boards_of_a_lesson_are_errors_whose_best_play_fits_it() -> None:
    """Of four errors, one missed a hit, and one left the rearmost point, as its best play does."""
    cleared = pass_anchor(0.4, "13/8")._replace(played="13/10 13/11")
    found = study(
        *([pass_anchor(0.3, "8/7*")], [pass_anchor(0.2, "13/8")], [pass_anchor(0.1, "13/7")]),
        [cleared],
    ).recurring[0]
    assert (found.position, found.role) == (PositionClass.HOLDING, Role.OPPONENT)
    assert found.study == "coming home past an anchor: clearing points from the rear"
    assert [dict(board.facts)["Better"] for board in found.boards] == ["13/8", "13/7"]
    assert (found.fitting, found.errors) == (2, 4)
    assert "in 4 matches (the title fits 2 of them, as on the boards);" in (
        recurring_in_words(found, 1.0)
    )


def test_an_opponent_with_much_of_the_loss_is_named() -> None:
    """Cleo has 0.5 of 1.1 EMG, the others 0.2 each; of three opponents none is named."""
    rows = ([opening(0.2)], [opening(0.5)], [opening(0.2)], [opening(0.2)])
    found = study(*rows, opponents=("Bob", "Cleo", "Dora", "Emil"))
    assert found.main_opponent is not None
    assert found.main_opponent == found.recurring[0].main_opponent
    assert found.main_opponent._replace(share=0) == ("Cleo", 0, 4, 1)
    assert math.isclose(found.main_opponent.share, 0.5 / 1.1)
    assert study(*rows, opponents=("Bob", "Cleo", "Dora", "Dora")).main_opponent is None
    even = [[opening(0.2)]] * 4
    assert study(*even, opponents=("Bob", "Cleo", "Dora", "Emil")).main_opponent is None


MUTUAL = Position(*[points({20: 2, 13: 4, 8: 3, 6: 4, 4: 2})] * 2)
"""Both sides hold an anchor."""


def hold_anchor(lost: float, played: str, better: str) -> AnalyzedDecision:
    """Return a play of Ann with two anchors, and the play that was better."""
    row = pass_anchor(lost, better)
    return row._replace(situation=row.situation._replace(position=MUTUAL), played=played)


def test_a_lesson_on_who_leaves_first_has_errors_of_leaving_or_keeping_an_anchor() -> None:
    """The board says which; an error by other checkers teaches neither."""
    leaving, keeping = hold_anchor(0.1, "6/1", "20/15"), hold_anchor(0.2, "20/15", "8/3")
    other = hold_anchor(0.3, "13/8", "8/3")
    found = study([leaving], [keeping], [other]).recurring[0]
    assert found.study == "two anchors: who may leave first"
    assert [board.facts[0] for board in found.boards] == [
        ("Lesson", "keep the anchor"),
        ("Lesson", "leave the anchor"),
    ]
    found = study([leaving], [other], [other]).recurring[0]
    assert found.study == "both sides holding an anchor: no common lesson"
    assert [board.facts[0][0] for board in found.boards] == ["Place"] * 3


def test_a_lesson_that_fits_few_errors_gives_way_to_what_their_best_plays_have_in_common() -> None:
    """In two matches of three Ann missed a hit."""
    found = study(
        [pass_anchor(0.3, "8/7*")], [pass_anchor(0.2, "13/8*")], [pass_anchor(0.4, "13/7")]
    ).recurring[0]
    assert found.study == "coming home past an anchor: when to hit"
    assert [dict(board.facts)["Better"] for board in found.boards] == ["8/7*", "13/8*"]


def test_contact_errors_of_no_named_class_have_boards_but_no_lesson() -> None:
    """Two such errors cost 0.2 and 0.3 EMG of 1.1 in all; of 60.5, 0.5 are less than 2 %."""

    def unnamed(lost: float) -> AnalyzedDecision:
        return play(lost)._replace(phase="contact")

    found = study([unnamed(0.2), opening(0.3)], [unnamed(0.3), opening(0.3)]).unnamed
    assert found is not None
    assert (found.position, found.theme, found.errors) == (PositionClass.OTHER, "", 2)
    lost = [dict(board.facts)["Lost"].split(",")[0] for board in found.boards]
    assert lost == ["0.300 EMG", "0.200 EMG"]
    costly = [opening(0.3)] * 100
    assert study([unnamed(0.2), *costly], [unnamed(0.3), *costly]).unnamed is None


def test_boards_show_the_costliest_of_each_match_above_the_mark() -> None:
    matches = ([opening(0.2), opening(0.1)], [opening(0.3)], [opening(0.03)], [opening(0.04)])
    (found,) = study(*matches).recurring
    lost = [dict(board.facts)["Lost"].split(",")[0] for board in found.boards]
    assert lost == ["0.300 EMG", "0.200 EMG", "0.040 EMG"]


@pytest.mark.parametrize("kind", DecisionKind)
def test_a_cube_error_has_a_cube_lesson_in_each_class(kind: DecisionKind) -> None:
    for position, plans in PLANS.items():
        if position is PositionClass.AFTER_CRAWFORD:
            continue
        for role, plan in plans.items():
            found = Mistakes(kind, position, role, 3, 3, 3, 3, 1.0, 0.5, 9, None).study
            assert found.startswith(CUBE_LESSONS.get(kind, plan.plays))
            assert (plan.cube in found) == (kind in CUBE_LESSONS)


def test_each_class_has_a_plan_for_each_side_it_can_have() -> None:
    shared = (
        *(PositionClass.OPENING, PositionClass.RACE, PositionClass.BEAR_OFF),
        *(PositionClass.PRIME_VS_PRIME, PositionClass.MUTUAL_HOLDING),
        PositionClass.AFTER_CRAWFORD,
    )
    for position in PositionClass:
        if position is not PositionClass.OTHER:
            assert set(PLANS[position]) == ({Role.BOTH} if position in shared else {*Role})


def test_a_double_due_after_the_crawford_game_is_no_board_of_other_missed_doubles() -> None:
    """In one match of three the missed double of Ann, who trails, is after the Crawford game."""
    late = make_missed_double(0.4)._replace(length=7, left=3, right=6)
    rows = [[late], [make_missed_double(0.2)], [make_missed_double(0.1)]]
    (found,) = study(*rows, habits=[Habit("too late", "sure")]).recurring
    lost = [dict(board.facts)["Lost"].split(",")[0] for board in found.boards]
    assert lost == ["0.200 EMG", "0.100 EMG"]
    assert found.errors == found.decisions == 2
    assert math.isclose(found.lost, 0.3)
    assert [(one.position, one.lost) for one in found.apart] == [
        (PositionClass.AFTER_CRAWFORD, pytest.approx(0.4))
    ]
    assert (
        ", without 0.40 EMG by missed doubles, trailing after Crawford (double"
        " there at the first chance): 0.70 EMG in all; "
    ) in recurring_in_words(found, 0.7)


def test_doubles_due_after_the_crawford_game_recur_beside_a_habit() -> None:
    late = make_missed_double(0.4)._replace(length=7, left=3, right=6)
    found = study(
        *[[late, make_missed_double(0.2)]] * 3, habits=[Habit("too late", "sure")]
    ).recurring
    assert [(one.position, round(one.lost, 3)) for one in found] == [
        (PositionClass.OTHER, 0.6),
        (PositionClass.AFTER_CRAWFORD, 1.2),
    ]


def test_one_oversight_is_not_in_the_cost_of_a_habit() -> None:
    """Ten doubles missed in one game are set apart from three in the opening."""
    early = make_missed_double(0.1)._replace(phase="opening")
    run = [make_missed_double(0.2) for _ in range(10)]
    found = study([*run, early], [early], [early], habits=[Habit("too late", "sure")])
    assert found.oversight is not None
    assert math.isclose(found.oversight.lost, 2.0)
    assert len(found.oversight.boards) == 1
    (late,) = found.recurring
    assert (late.errors, round(late.lost, 3)) == (3, 0.3)
    assert not late.is_of_whole_kinds
