"""The costliest decisions of a player, of all kinds and of each kind of cube mistake."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.analysis.decisions import GIVING_UP
from bganalyze.analysis.describe import ERROR
from bganalyze.statistics.profiles.recurring import LEAST_SHOWN
from bganalyze.statistics.reports.analyzed_counts import list_decisions_by_side
from bganalyze.statistics.reports.errors import (
    boards_of,
    keep_costliest_missed_doubles,
    leave_out_illegal,
    select_errors,
)
from bganalyze.statistics.reports.figures import Board, select_rows_of_question
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

MOST_OF_ALL = 10
"""Decisions of all kinds that are shown."""

MOST_BY_CHANCE = 3
"""Decisions that are named as the costliest in match-winning chance."""

MOST_OF_KIND = 2
"""Cube mistakes of each kind that are shown."""

MISSED_DOUBLE = "missed double"

CUBE_MISTAKES = {
    MISSED_DOUBLE: KINDS_IN[NO_DOUBLES],
    "wrong double": (DecisionKind.DOUBLE,),
    "wrong take": (DecisionKind.TAKE,),
    "wrong pass": (DecisionKind.PASS,),
}
"""The kinds of decision of each cube mistake."""

RESIGNATION = "resignation error"
"""The name of a mistake in resigning, or in answering a resignation."""


class CubeMistakes(NamedTuple):
    """The costliest cube mistakes of a kind, or mistakes in resigning."""

    name: str
    """The kind of mistake, in the singular."""
    errors: int
    """Mistakes of this kind that lost `ERROR` or more, shown or not."""
    lost: float
    """The equity (EMG) lost in all decisions of this kind, also by smaller losses."""
    boards: tuple[Board, ...]
    """The costliest above `LEAST_SHOWN`, one of each game, because missed doubles come in runs."""


class Costliest(NamedTuple):
    """The costliest decisions of a player."""

    boards: tuple[Board, ...]
    """Mistakes of all kinds, the costliest (EMG) first; doubles missed in a row count as one."""
    errors: int
    """Errors of all kinds that lost `ERROR` or more."""
    resignations: int
    """Those of these errors that offered or accepted a resignation, which is no kind of decision."""
    cube: tuple[CubeMistakes, ...]
    """The cube mistakes by kind and the resignations, the costliest kind first."""
    by_chance: tuple[Board, ...] = ()
    """The decisions of matches that cost most match-winning chance, the costliest first."""


def find_costliest(tables: AnalyzedTables, question: Question) -> Costliest:
    """Return the costliest legal decisions of the player whom the question names."""
    own = select_rows_of_question(list_decisions_by_side(tables), question)
    wrong = select_errors(own)
    by_name = {name: own[own["decision_kind"].isin(kinds)] for name, kinds in CUBE_MISTAKES.items()}
    by_name[RESIGNATION] = own[own["kind"].isin(GIVING_UP)]
    cube = (_find_cube_mistakes(name, rows, tables) for name, rows in by_name.items())
    joined = keep_costliest_missed_doubles(wrong, tables)
    of_matches = joined[joined["score"] != "none"].sort_values(
        "cost", ascending=False, kind="stable"
    )
    large = wrong[wrong["loss"] >= ERROR]
    return Costliest(
        tuple(boards_of(joined.head(MOST_OF_ALL), tables)),
        len(large),
        int(large["kind"].isin(GIVING_UP).sum()),
        tuple(sorted((one for one in cube if one.boards), key=lambda one: -one.lost)),
        tuple(boards_of(of_matches.head(MOST_BY_CHANCE), tables)),
    )


def _find_cube_mistakes(name: str, rows: pd.DataFrame, tables: AnalyzedTables) -> CubeMistakes:
    """Return the number, cost and costliest boards of the cube mistakes called `name`.

    `rows` are the decisions in which the mistake is possible. Each game gives at most one board.
    """
    wrong = select_errors(rows)
    shown = wrong[wrong["loss"] > LEAST_SHOWN].drop_duplicates(["match", "game"])
    return CubeMistakes(
        name,
        int((wrong["loss"] >= ERROR).sum()),
        float(leave_out_illegal(rows)["loss"].sum()),
        tuple(boards_of(shown.head(MOST_OF_KIND), tables)),
    )
