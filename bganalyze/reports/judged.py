"""What reports of judged matches count: decisions, as the side that decides sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from bganalyze.judging.metrics import METRICS, Metric
from bganalyze.reports.figures import (
    OF_GAMES,
    Figure,
    acting,
    count_note,
    estimated,
    rate,
    sides,
    summed,
)
from bganalyze.reports.question import Question
from bganalyze.tables.decisions import counted_by
from bganalyze.tables.frames import EDITION, JudgedTables

DIMENSIONS = (*OF_GAMES, "opened", "engine", "phase")
"""What judged decisions may be told apart by."""

ABOUT = {
    "decision": "Equity lost per decision that it counts.",
    "move": "Equity lost per move of both sides.",
    "match": "Chances to win the match given away, per match in which there was such a decision.",
}
"""What the metrics are, by what their losses are divided by."""


def engines(matches: pd.DataFrame) -> pd.Series:
    """Return who judged each match: engine, version and level."""
    engine, version, level = (matches[name].astype(str) for name in EDITION)
    return (engine + " " + version + " at " + level).astype("category")


def apart(tables: JudgedTables, question: Question) -> Question:
    """Return the question with figures told apart by engine, wherever there is more than one."""
    if len(engines(tables.matches).cat.categories) < 2 or "engine" in question.by:
        return question
    return question._replace(by=("engine", *question.by))


def both_sides(tables: JudgedTables) -> pd.DataFrame:
    """Return the games as each of the two players sees them."""
    both = sides(tables)
    named = engines(tables.matches).set_axis(tables.matches["match"])
    return both.assign(engine=named.loc[both["match"]].to_numpy())


def decided(tables: JudgedTables, *, theirs: bool = False) -> pd.DataFrame:
    """Return the decisions on boards beyond doubt, with the dimensions of the side that decided.

    `theirs`: with those of its opponent.
    """
    sure = tables.decisions[tables.decisions["verified"]]
    return acting(sure, both_sides(tables), theirs=theirs, columns=("opened", "engine"))


def losses(tables: JudgedTables) -> pd.DataFrame:
    """Return the decisions with what each metric adds up and what it divides by.

    The plays of the opponent stand there too, for Snowie's rate is per move of both sides.
    """
    own, theirs = decided(tables), decided(tables, theirs=True)
    theirs = theirs[_moves(theirs) > 0]
    own = own.assign(**dict(sums for metric in METRICS for sums in _sums(metric, own)))
    moved = theirs[["match", "game", *DIMENSIONS, "kind"]].assign(
        **{_below(metric): 1.0 for metric in METRICS if metric.per == "move"}
    )
    whole = pd.concat([own, moved], ignore_index=True)
    return whole.fillna(dict.fromkeys(summed(figures_of(METRICS)), 0.0))


def rates(rows: pd.DataFrame, metrics: Sequence[Metric], by: Sequence[str]) -> pd.DataFrame:
    """Return error rates of each group of `losses`."""
    for metric in metrics:
        if metric.per == "match":
            rows = in_units(rows, _below(metric), by)
            rows = in_units(rows, _sessions(metric), by)
    return estimated(rows, figures_of(metrics), by)


def chosen(question: Question) -> tuple[Metric, ...]:
    """Return the metrics that are asked for."""
    return tuple(
        metric for metric in METRICS if not question.metrics or metric.name in question.metrics
    )


def of_decisions(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Return the metrics that make sense of some of the decisions."""
    return tuple(metric for metric in metrics if metric.per != "move")


def figures_of(metrics: Sequence[Metric]) -> tuple[Figure, ...]:
    """Return metrics as figures; what is per match has one for money play beside it."""
    figures = []
    for metric in metrics:
        name, about = f"{metric.name} ({metric.unit})", ABOUT[metric.per]
        above, below = _above(metric), _below(metric)
        figures.append(rate(name, above, below, about, factor=metric.factor))
        if metric.per == "match":
            name, about = f"{metric.name} (points)", "Given away in money play, per session."
            figures.append(rate(name, _points(metric), _sessions(metric), about))
    return tuple(figures)


def in_units(rows: pd.DataFrame, name: str, by: Sequence[str]) -> pd.DataFrame:
    """Return rows of which those that count sum to 1 in each group, match and player."""
    keys = [rows[key] for key in dict.fromkeys([*by, "match", "player"])]
    whole = rows[name].groupby(keys, observed=True, dropna=False).transform("sum")
    return rows.assign(**{name: (rows[name] / whole.where(whole > 0)).fillna(0.0)})


def not_judged(tables: JudgedTables) -> tuple[str, ...]:
    """Return notes on which decisions are in no error rate, and why."""
    rows = tables.decisions
    illegal, unsure = rows["legal"].eq(False).fillna(False), ~rows["verified"]
    silent = rows["loss"].isna() & ~rows["forced"] & ~illegal & ~unsure
    return (
        *count_note(unsure, "decision", "on boards in doubt left out"),
        *count_note(illegal & ~unsure, "illegal play", "in no error rate"),
        *count_note(silent, "decision", "of which the engine says nothing left out"),
    )


def _sums(metric: Metric, rows: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """What a metric adds up, and what it divides by."""
    counts = rows[counted_by(metric)].astype(float)
    if metric.per != "match":
        yield _above(metric), rows["loss"].fillna(0.0) * counts
        yield _below(metric), _moves(rows) if metric.per == "move" else counts
        return
    cost, is_money = rows["cost"].fillna(0.0) * counts, rows["length"] == 0
    yield _above(metric), cost.where(~is_money, 0.0)
    yield _below(metric), counts.where(~is_money, 0.0)
    yield _points(metric), cost.where(is_money, 0.0)
    yield _sessions(metric), counts.where(is_money, 0.0)


def _moves(rows: pd.DataFrame) -> pd.Series:
    return (rows["kind"].eq("play") & rows["legal"].eq(True).fillna(False)).astype(float)


def _above(metric: Metric) -> str:
    return f"{metric.name}_lost"


def _below(metric: Metric) -> str:
    return f"{metric.name}_of"


def _points(metric: Metric) -> str:
    return f"{metric.name}_points"


def _sessions(metric: Metric) -> str:
    return f"{metric.name}_sessions"
