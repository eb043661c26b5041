"""The costliest subjects of a player whose mistakes recur, each with its lesson and boards."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.describe import ERROR
from bganalyze.analysis.gnubg_statistics import MARKS
from bganalyze.analysis.position_classes import PositionClass
from bganalyze.statistics.profiles.kinds import KindLoss
from bganalyze.statistics.profiles.lesson_fit import (
    BestPlay,
    FittingLesson,
    describe_best_play,
    find_lesson,
)
from bganalyze.statistics.profiles.lessons import (
    AFTER_CRAWFORD,
    CUBE_LESSONS,
    WHO_LEAVES_FIRST,
    find_cube_lesson,
)
from bganalyze.statistics.profiles.subjects import (
    Subject,
    differ_clearly,
    list_subjects,
    select_decisions,
    select_decisions_of,
)
from bganalyze.statistics.reports.errors import boards_of
from bganalyze.statistics.reports.figures import Board, select_rows_of_question
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

MOST_SHOWN = 3
"""Subjects that have a lesson and boards, and boards of each."""

MUCH_OF_ONE_OPPONENT, FEWEST_OPPONENTS = 0.4, 4
"""Share of the loss above which it is stated that one opponent has it, and fewest opponents for that."""

LEAST_SHOWN = MARKS["doubtful"]
"""Loss (EMG) above which an error is shown on a board."""

LEAST_STUDIED = 0.035
"""Least share of a subject in the loss (0 to 1) with which it is worth studying.

Losses that may be slips do not count for the subject: one of them would make it look costly.
"""

LEAST_OF_LOSS = 0.005
"""Least share of resignations in the loss with which they change other shares: half a percent."""


class MainOpponent(NamedTuple):
    """The opponent against whom a player lost more than `MUCH_OF_ONE_OPPONENT` of all."""

    name: str
    share: float
    """The share of the loss."""
    matches: int
    """All matches with a loss."""
    matches_of_opponent: int


class Lesson(NamedTuple):
    """A subject whose mistakes recur, with what to study and boards of its mistakes."""

    subject: Subject
    text: str
    """The lesson; "" if it is about less than half of the mistakes: such a subject is not studied."""
    fitting: int
    """Number of mistakes that the lesson is about."""
    boards: tuple[Board, ...]
    """The costliest of these mistakes, one of each match, each above `LEAST_SHOWN`."""


class Study(NamedTuple):
    """The costs of a player's mistakes by subject, and lessons on the costliest subjects."""

    subjects: tuple[Subject, ...]
    """All subjects, the costliest first."""
    lessons: tuple[Lesson, ...] = ()
    """The lessons on the costliest subjects that recur and have one, at most `MOST_SHOWN`."""
    main_opponent: MainOpponent | None = None
    """The opponent against whom much of the equity was lost."""
    possible_slips: tuple[Subject, ...] = ()
    """Those of the `MOST_SHOWN` costliest repeated subjects whose cost is mostly in losses that may be slips."""
    matches: int = 0
    """Number of matches with decisions of the player."""

    @property
    def has_costly_resignations(self) -> bool:
        """Whether resignations have at least the share `LEAST_OF_LOSS` of the whole loss."""
        resigned = sum(one.lost for one in self.subjects if one.kind is None)
        return resigned >= LEAST_OF_LOSS * self.lost > 0

    @property
    def are_resignations_costliest(self) -> bool:
        """Whether resignations are a notable part of the loss, and cost more than any subject."""
        is_first = bool(self.subjects) and self.subjects[0].kind is None
        return is_first and self.has_costly_resignations

    @property
    def lost(self) -> float:
        """The equity (EMG) lost in all subjects."""
        return sum(one.lost for one in self.subjects)

    def count_equally_costly(self) -> int:
        """Count the lessons before the first one that clearly costs less than the costliest."""
        for number, lesson in enumerate(self.lessons):
            if number and differ_clearly(self.lessons[0].subject, lesson.subject, self.matches):
                return number
        return len(self.lessons)


def find_obstacle(subject: Subject, lost: float) -> str:
    """Return why a subject is not studied, such as `mostly one game`, or "" if it is.

    `lost` is the loss (EMG) in all subjects.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import Role
    >>> take = DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH
    >>> takes = Subject(*take, occasions=4, mistakes=4, matches=3, lost=1.0, decisions=50)
    >>> find_obstacle(takes, lost=10.0), find_obstacle(takes, lost=50.0)
    ('', 'below 3.5 % of the loss')
    """
    if subject.obstacle or subject.lost_without_slips >= LEAST_STUDIED * lost:
        return subject.obstacle
    return f"below {100 * LEAST_STUDIED:g} % of the loss{' without possible slips' * bool(subject.share_of_slips)}"


def find_study(tables: AnalyzedTables, question: Question, kinds: tuple[KindLoss, ...]) -> Study:
    """Return the costs of a player's mistakes by subject, and lessons on the costliest subjects.

    `kinds` has the costs of each kind of decision.
    """
    decisions = select_decisions(tables)
    own = select_rows_of_question(decisions, question)
    theirs = select_rows_of_question(decisions, Question(by=(), opponent=question.player))
    subjects = list_subjects(own, theirs, kinds)
    lost = sum(one.lost for one in subjects)
    lessons = (
        _make_lesson(one, select_decisions_of(own, one), tables)
        for one in subjects
        if not find_obstacle(one, lost)
    )
    repeated = [one for one in subjects if one.is_repeated and one.has_common_plan]
    return Study(
        tuple(subjects),
        tuple(islice((one for one in lessons if one.text), MOST_SHOWN)),
        _find_main_opponent(own),
        tuple(one for one in repeated[:MOST_SHOWN] if one.may_be_slips),
        own["match"].nunique(),
    )


def _make_lesson(subject: Subject, decisions: pd.DataFrame, tables: AnalyzedTables) -> Lesson:
    """Return the lesson on a subject, with boards of the costliest mistakes.

    `decisions` are the player's decisions on the subject.
    """
    wrong = decisions[decisions["loss"] >= ERROR]
    text, is_fitting = _find_lesson(subject, wrong, tables)
    fitting = wrong[is_fitting]
    costliest = (
        fitting[fitting["loss"] > LEAST_SHOWN]
        .sort_values("loss", ascending=False, kind="stable")
        .drop_duplicates("match")
    )
    boards = boards_of(costliest.head(MOST_SHOWN), tables)
    if text == WHO_LEAVES_FIRST:
        boards = map(_add_anchor_lesson, boards)
    return Lesson(subject, text, len(fitting), tuple(boards))


def _find_lesson(subject: Subject, wrong: pd.DataFrame, tables: AnalyzedTables) -> FittingLesson:
    """Return the lesson on a subject, and which of the mistakes `wrong` the lesson fits."""
    every = [True] * len(wrong)
    if subject.position is PositionClass.AFTER_CRAWFORD:
        return FittingLesson(AFTER_CRAWFORD, every)
    if subject.kind in CUBE_LESSONS:
        return FittingLesson(find_cube_lesson(subject.kind, subject.share_too_good), every)
    best_plays = list(map(_describe_best_play, boards_of(wrong, tables)))
    return find_lesson(subject.position, subject.role, best_plays)


def _find_main_opponent(decisions: pd.DataFrame) -> MainOpponent | None:
    """Return the opponent against whom a player lost most of the equity, or None.

    None means that nobody has more than the share `MUCH_OF_ONE_OPPONENT`, or that there are too few
    opponents.
    """
    wrong = decisions[decisions["loss"] > 0]
    if decisions["opponent"].nunique() < FEWEST_OPPONENTS or wrong.empty:
        return None
    lost = wrong.groupby("opponent", observed=True)["loss"].sum()
    name, share = lost.idxmax(), float(lost.max() / lost.sum())
    if share <= MUCH_OF_ONE_OPPONENT:
        return None
    of_opponent = wrong.loc[wrong["opponent"] == name, "match"].nunique()
    return MainOpponent(str(name), share, wrong["match"].nunique(), of_opponent)


def _describe_best_play(board: Board) -> BestPlay:
    """Return the effects that a board's best play has and the play made has not."""
    facts = dict(board.facts)
    return describe_best_play(facts["Better"], board.situation.position, facts["Played"])


def _add_anchor_lesson(board: Board) -> Board:
    """Add text to a board that says whether to leave or keep the anchor.

    The text is empty if the best play and the play made do the same with the anchor.
    """
    return board._replace(facts=(("Lesson", _describe_best_play(board).anchor), *board.facts))
