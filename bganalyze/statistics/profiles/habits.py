"""Cube habits of a player, such as doubling too late: their names, and what to study against them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import CALLED, Section
from bganalyze.statistics.sureness import NOT_SHOWN


class HabitWords(NamedTuple):
    """A cube habit in words, and what to study against it."""

    name: str
    said: str
    """The two errors compared."""
    study: str
    kinds: tuple[DecisionKind, ...]
    """The kinds of decision in which it costs."""
    opposite: tuple[DecisionKind, ...]
    """The kinds of decision with the opposite error."""


HABITS = {
    "too late": HabitWords(
        "missed doubles",
        "too late more often than too early",
        "doubling earlier",
        KINDS_IN[NO_DOUBLES],
        (DecisionKind.DOUBLE,),
    ),
    "too early": HabitWords(
        "wrong doubles",
        "too early more often than too late",
        "doubling later",
        (DecisionKind.DOUBLE,),
        KINDS_IN[NO_DOUBLES],
    ),
    "takes too much": HabitWords(
        "wrong takes",
        "wrong takes more often than wrong passes",
        "which doubles to pass",
        (DecisionKind.TAKE,),
        (DecisionKind.PASS,),
    ),
    "passes too much": HabitWords(
        "wrong passes",
        "wrong passes more often than wrong takes",
        "which doubles to take",
        (DecisionKind.PASS,),
        (DecisionKind.TAKE,),
    ),
}
"""The cube habits that the report on them can name."""


class Habit(NamedTuple):
    """A cube habit of a player."""

    name: str
    """A key of `HABITS`."""
    sureness: str

    @property
    def words(self) -> HabitWords:
        """The habit in words."""
        return HABITS[self.name]


def find_habits(answer: ReportAnswer) -> Iterator[Habit]:
    """Yield the cube habits in an answer of the report `cube-habits` that are sure or fairly sure."""
    for section in answer.reports["cube-habits"]:
        name, _, sureness = name_habit(section).partition(", ")
        if name not in ("", *NOT_SHOWN):
            yield Habit(name, sureness)


def name_habit(section: Section) -> str:
    """Return the cube habit that a section of the report on habits shows, such as `too late, sure`.

    If no habit is certain, return one of `NOT_SHOWN`; if there are too few decisions, return "".
    """
    frame = select_main_engine(section.frame)
    names = frame.get(CALLED, ())
    return next((str(name) for name in names if name), "")


def select_main_engine(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of a single engine: of several, the one with the most cases."""
    if "engine" not in frame or frame.empty:
        return frame
    cases = frame["of"].astype(float).groupby(frame["engine"].astype(str)).max()
    return frame[frame["engine"].astype(str) == cases.idxmax()]
