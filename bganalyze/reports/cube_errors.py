"""Cube errors by class: the six ways to err with the cube that GNU Backgammon tells apart.

CP is the cash point, DP the doubling point, TG the point where a position is too good to double.
How often: of the decisions in which that error could be made. Costs: per decision that its cube
error rate counts, which is every double, take and drop, and no double where that was close; so the
costs of the six add up to that rate.
"""

from __future__ import annotations

import pandas as pd

from bganalyze.judging.gnubg_statistics import CubeError
from bganalyze.reports.figures import Figure, Section, estimated, rows_for
from bganalyze.reports.judged import decided, not_judged
from bganalyze.reports.question import Question
from bganalyze.tables.frames import JudgedTables

COULD_BE = {
    CubeError.MISSED_BELOW_CP: ("no-double", "close decisions not to double"),
    CubeError.MISSED_ABOVE_CP: ("no-double", "close decisions not to double"),
    CubeError.WRONG_BELOW_DP: ("double", "doubles"),
    CubeError.WRONG_ABOVE_TG: ("double", "doubles"),
    CubeError.WRONG_TAKE: ("take", "takes"),
    CubeError.WRONG_PASS: ("drop", "drops"),
}
"""The decision in which each error is made, and what such decisions are called."""

DECISIONS = Figure("decisions", "counted", "", "count", "Close or actual cube decisions.")

MADE = (
    DECISIONS,
    *(
        Figure(each, f"{each} made", f"{kind} counted", "share", f"Of the {called}.")
        for each, (kind, called) in COULD_BE.items()
    ),
)

COSTS = (
    *(
        Figure(
            f"{each} (mEMG)",
            f"{each} lost",
            "counted",
            "rate",
            "Equity lost so, per close or actual decision.",
            factor=1000,
        )
        for each in COULD_BE
    ),
    Figure(
        "all six (mEMG)",
        "lost",
        "counted",
        "rate",
        "GNU Backgammon's cube error rate.",
        factor=1000,
    ),
)

SECTIONS = {"How often": MADE, "Costs": COSTS}
"""The figures of each section."""


def report(tables: JudgedTables, question: Question) -> list[Section]:
    """Return how often each class of error was made, and what it cost."""
    rows = rows_for(cubes(tables), question)
    by = [name for name in question.by if name in rows]
    return [
        Section("How often", estimated(rows, MADE, by), not_judged(tables)),
        Section("Costs", estimated(rows, COSTS, by)),
    ]


def cubes(tables: JudgedTables) -> pd.DataFrame:
    """Return the close or actual cube decisions, each with the error that it was."""
    rows = decided(tables)
    rows = rows[rows["gnubg_counts"] & (rows["kind"] != "play")]
    kinds = {f"{kind} counted": rows["kind"] == kind for kind, _ in COULD_BE.values()}
    errors = {error: rows["cube_error"] == error for error in COULD_BE}
    happened = {f"{error} made": is_so for error, is_so in errors.items()}
    lost = {f"{error} lost": rows["loss"].where(is_so, 0.0) for error, is_so in errors.items()}
    counted = {"counted": pd.Series(True, index=rows.index), **kinds, **happened}
    return rows.assign(
        lost=rows["loss"], **lost, **{name: error.astype(float) for name, error in counted.items()}
    )
