"""Errors: what decisions cost, under each published error rate side by side.

Every rate has its own rule of what counts, which `judge --decisions` shows decision by decision.
Illegal plays are in none of them and stand apart.
"""

from __future__ import annotations

import pandas as pd

from bganalyze.judging.gnubg_statistics import MARKS
from bganalyze.judging.metrics import METRICS
from bganalyze.reports.figures import Figure, Section, estimated, rows_for
from bganalyze.reports.judged import chosen, figures_of, losses, not_judged, of_decisions, rates
from bganalyze.reports.question import Question
from bganalyze.tables.frames import JudgedTables

OF_SIZE = (
    Figure("decisions", "counted", "", "count", "Decisions that GNU Backgammon's rate counts."),
    Figure("errors", "errors", "counted", "share", "Of them, those that lost anything."),
    *(
        Figure(
            mark,
            mark,
            "counted",
            "share",
            f"Those that lost more than {least}, the next mark apart.",
        )
        for mark, least in reversed(MARKS.items())
    ),
)

ILLEGAL = (
    Figure("illegal plays", "illegal", "throws", "share", "Of the plays on boards beyond doubt."),
    Figure(
        "lost by an illegal play (mEMG)",
        "illegal_lost",
        "illegal_judged",
        "mean",
        "By the position it left: less than 0 where it was better than any legal play.",
        factor=1000,
    ),
)

SECTIONS = {
    "Error rates": figures_of(METRICS),
    "Plays": figures_of(of_decisions(METRICS)),
    "Cube": figures_of(of_decisions(METRICS)),
    "By phase": figures_of(of_decisions(METRICS)),
    "Errors by size": OF_SIZE,
    "Illegal plays": ILLEGAL,
}
"""The figures of each section."""


def report(tables: JudgedTables, question: Question) -> list[Section]:
    """Return the error rates, those of plays and of the cube, by phase, and errors by size."""
    rows = rows_for(losses(tables), question)
    by = [name for name in question.by if name in rows]
    metrics = chosen(question)
    of_parts = of_decisions(metrics)
    plays = rows["kind"] == "play"
    phased = [*by, *(name for name in ["phase"] if name not in by)]
    return [
        Section("Error rates", rates(rows, metrics, by), not_judged(tables)),
        Section("Plays", rates(rows[plays], of_parts, by)),
        Section("Cube", rates(rows[~plays], of_parts, by)),
        Section("By phase", rates(rows, of_parts, phased)),
        Section("Errors by size", estimated(_sizes(rows), OF_SIZE, by)),
        Section("Illegal plays", estimated(_illegal(rows), ILLEGAL, by)),
    ]


def _sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """How large each error is, by the largest mark that it has."""
    counts = rows["gnubg_counts"].eq(True)
    lost = rows["loss"].where(counts, 0.0)
    sizes = {"counted": counts, "errors": lost > 0}
    below = float("inf")
    for mark, least in MARKS.items():
        sizes[mark] = (lost > least) & (lost <= below)
        below = least
    return rows.assign(**{name: is_so.astype(float) for name, is_so in sizes.items()})


def _illegal(rows: pd.DataFrame) -> pd.DataFrame:
    """Which plays were illegal, and what they lost."""
    own = rows["decision"].notna()
    judgeable = rows["legal"].notna() & own & (rows["kind"] == "play")
    illegal = judgeable & rows["legal"].eq(False).fillna(False)
    judged = illegal & rows["loss"].notna()
    numbers = {
        "throws": judgeable,
        "illegal": illegal,
        "illegal_judged": judged,
        "illegal_lost": rows["loss"].where(judged, 0.0),
    }
    return rows.assign(**{name: values.astype(float) for name, values in numbers.items()})
