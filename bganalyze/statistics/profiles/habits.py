"""Cube habits of a player, such as doubling too late: their names, and what to study against them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.analysis.describe import LEAST, MAY_BE_SLIP
from bganalyze.analysis.gnubg_statistics import CubeError
from bganalyze.statistics.estimates import p_value_of_sum
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.cube_habits import HABITS as ASKED_HABITS
from bganalyze.statistics.reports.cube_habits import compare_balances
from bganalyze.statistics.reports.figures import CALLED, Section
from bganalyze.statistics.sureness import NOT_SHOWN, SHOWN


class HabitWords(NamedTuple):
    """A cube habit in words, and what to study against it."""

    name: str
    said: str
    """The two errors compared."""
    study: str
    advice: str
    """What the player should do more or less often."""
    kinds: tuple[DecisionKind, ...]
    """The kinds of decision in which its errors are made."""
    opposite: tuple[DecisionKind, ...]
    """The kinds of decision with the opposite error."""
    errors: tuple[CubeError, ...]
    opposite_errors: tuple[CubeError, ...]
    """The errors of the habit, and the opposite ones: a double when too good is neither late nor early."""
    opposite_name: str
    opposite_study: str
    """The subject to study against the opposite errors."""


_MISSED = (CubeError.MISSED_BELOW_CP, CubeError.MISSED_ABOVE_CP)
_EARLY = (CubeError.WRONG_BELOW_DP,)

HABITS = {
    "too late": HabitWords(
        "missed doubles",
        "too late more often than too early, in comparable decisions",
        "doubling earlier",
        "double sooner",
        KINDS_IN[NO_DOUBLES],
        (DecisionKind.DOUBLE,),
        _MISSED,
        _EARLY,
        "early doubles",
        "when a double is too early",
    ),
    "too early": HabitWords(
        "wrong doubles",
        "too early more often than too late, in comparable decisions",
        "doubling later",
        "double later",
        (DecisionKind.DOUBLE,),
        KINDS_IN[NO_DOUBLES],
        _EARLY,
        _MISSED,
        "missed doubles",
        "doubling in time",
    ),
    "takes too much": HabitWords(
        "wrong takes",
        "wrong takes more often than wrong passes, in comparable decisions",
        "which doubles to pass",
        "pass more often",
        (DecisionKind.TAKE,),
        (DecisionKind.PASS,),
        (CubeError.WRONG_TAKE,),
        (CubeError.WRONG_PASS,),
        "wrong passes",
        "which doubles to take",
    ),
    "passes too much": HabitWords(
        "wrong passes",
        "wrong passes more often than wrong takes, in comparable decisions",
        "which doubles to take",
        "take more often",
        (DecisionKind.PASS,),
        (DecisionKind.TAKE,),
        (CubeError.WRONG_PASS,),
        (CubeError.WRONG_TAKE,),
        "wrong takes",
        "which doubles to pass",
    ),
}
"""The cube habits that the report on them can name."""


class Habit(NamedTuple):
    """A cube habit of a player."""

    name: str
    """A key of `HABITS`."""
    sureness: str
    lost: float = 0.0
    """The equity (EMG) that its errors cost among the comparable decisions, possible slips apart."""
    opposite_lost: float = 0.0
    """The equity (EMG) that the opposite errors cost among the same decisions."""
    compared: int = 0
    """Number of the comparable decisions, in which one of the two errors is possible."""

    @property
    def words(self) -> HabitWords:
        """The habit in words."""
        return HABITS[self.name]


class HabitCosts(NamedTuple):
    """The equity (EMG) lost in all decisions by the errors of a cube habit and by the opposite errors.

    Losses below `LEAST` and above `MAY_BE_SLIP` are left out.
    """

    lost: float
    opposite_lost: float
    p_value: float = math.nan
    """p-value of the difference, from the differences between matches; NaN with too few matches."""

    @property
    def differ_clearly(self) -> bool:
        """Whether chance would show so large a difference less than 5 times in 100."""
        return self.p_value < SHOWN

    @property
    def are_clearly_lower(self) -> bool:
        """Whether the errors of the habit cost clearly less than the opposite errors."""
        return self.differ_clearly and self.lost < self.opposite_lost


def sum_costs_of_habit(decisions: pd.DataFrame, words: HabitWords) -> HabitCosts:
    """Return the costs of a cube habit and of its opposite in a player's decisions.

    `words` names the errors of the habit and the opposite errors.
    """
    losses = decisions["loss"].where(decisions["loss"].between(LEAST, MAY_BE_SLIP), 0.0)
    own, opposite = (
        losses.where(decisions["cube_error"].isin(errors), 0.0)
        for errors in (words.errors, words.opposite_errors)
    )
    by_match = (own - opposite).groupby(decisions["match"]).sum()
    p_value = p_value_of_sum(by_match, len(by_match))
    return HabitCosts(float(own.sum()), float(opposite.sum()), p_value)


def find_habits(answer: ReportAnswer) -> Iterator[Habit]:
    """Yield the cube habits in an answer of the report `cube-habits`.

    Only those are yielded that a test shows: surely, fairly surely or barely.
    """
    asked_habits = {asked.title: asked for asked, _ in ASKED_HABITS}
    for section in answer.reports["cube-habits"]:
        name, _, sureness = name_habit(section).partition(", ")
        if name not in ("", *NOT_SHOWN):
            asked = asked_habits[section.title]
            frame = select_main_engine(section.frame).set_index("figure")
            is_second = asked.called.index(name)
            lost = [_look_up(frame, figure) for figure in asked.compared_loss_names]
            compared = sum(_look_up(frame, figure, "of") for figure in asked.compared_errors)
            yield Habit(name, sureness, lost[is_second], lost[1 - is_second], int(compared))


def find_questions_not_answered(answer: ReportAnswer) -> Mapping[DecisionKind, str]:
    """Return for kinds of cube decision why no habit in them is named.

    An example is `taking or passing too much: may be chance`.
    """
    asked_habits = {asked.title: asked for asked, _ in ASKED_HABITS}
    return {
        kind: f"{section.title.lower()}: {name_habit(section)}"
        for section in answer.reports["cube-habits"]
        if name_habit(section) in NOT_SHOWN
        for name in asked_habits[section.title].called
        for kind in HABITS[name].kinds
    }


class HabitDifference(NamedTuple):
    """A cube habit in which a player is shown to differ from the opponents in the same matches."""

    comparative: str
    """The action of the side that does it more, such as `double later`."""
    is_of_opponents: bool
    """Whether the opponents do it more than the player."""
    sureness: str


def compare_habits(own: ReportAnswer, theirs: ReportAnswer) -> Iterator[HabitDifference]:
    """Yield the cube habits in which a player is shown to differ from the opponents, even barely.

    Both answer the report `cube-habits`.
    """
    asked_habits = {asked.title: asked for asked, _ in ASKED_HABITS}
    of_opponents = {section.title: section for section in theirs.reports["cube-habits"]}
    for section in own.reports["cube-habits"]:
        asked = asked_habits[section.title]
        rows = [
            frame[frame["figure"] == asked.figure].to_dict("records")
            for frame in (
                select_main_engine(section.frame),
                select_main_engine(of_opponents[section.title].frame),
            )
        ]
        if not all(rows):
            continue
        (player,), (opponents,) = rows
        sureness = compare_balances(player, opponents)
        if sureness not in NOT_SHOWN:
            # The first habit has the larger balance.
            is_of_opponents = float(opponents["value"]) > float(player["value"])
            yield HabitDifference(asked.comparatives[0], is_of_opponents, sureness)


def _look_up(frame: pd.DataFrame, figure: str, column: str = "count") -> float:
    """Return a statistic's number in a column, or 0 if it is missing."""
    return float(frame.loc[figure, column]) if figure in frame.index else 0.0


def name_habit(section: Section) -> str:
    """Return the cube habit in a table of the report, such as `too late, sure`.

    If no habit is certain, the result is one of `NOT_SHOWN`; with too few decisions it is "".
    """
    frame = select_main_engine(section.frame)
    names = frame.get(CALLED, ())
    return next((str(name) for name in names if name), "")


def select_main_engine(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the statistics of the engine with the most cases."""
    if "engine" not in frame or frame.empty:
        return frame
    cases = frame["of"].astype(float).groupby(frame["engine"].astype(str)).max()
    return frame[frame["engine"].astype(str) == cases.idxmax()]
