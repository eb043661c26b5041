"""What reports of analyzed matches count: decisions, as the side that decides sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from bganalyze.analysis.analyzed import CUBE
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.metrics import (
    LEAST_DEVIATION,
    METRICS,
    PR,
    PR_SHOWN,
    LeftOut,
    Metric,
    pr_class,
    rate_name,
    reach_of,
    sure_name,
)
from bganalyze.statistics.reports.figures import (
    CALLED,
    COLUMNS,
    Figure,
    estimated,
    rate,
    summed,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.seats import OF_GAMES, acting, sides
from bganalyze.statistics.tables.decisions import counted_by
from bganalyze.statistics.tables.frames import EDITION, AnalyzedTables

_OF_ANALYZED_GAMES = (*OF_GAMES, "opened", "engine")

DIMENSIONS = (*_OF_ANALYZED_GAMES, "phase", "depth")
"""What analyzed decisions may be told apart by."""

ABOUT = {
    "decision": "Equity lost per decision that it counts.",
    "move": "Equity lost per move of both sides.",
    "match": "Chances to win the match given away, per match in which there was such a decision.",
}
"""What the metrics are, by what their losses are divided by."""


def engines(matches: pd.DataFrame) -> pd.Series:
    """Return who analyzed each match: engine, version and level."""
    engine, version, level = (matches[name].astype(str) for name in EDITION)
    return (engine + " " + version + " at " + level).astype("category")


def apart(tables: AnalyzedTables, question: Question) -> Question:
    """Return the question with figures told apart by engine, wherever there is more than one."""
    if len(engines(tables.matches).cat.categories) < 2 or "engine" in question.by:
        return question
    return question._replace(by=("engine", *question.by))


def both_sides(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the games as each of the two players sees them."""
    both = sides(tables)
    named = engines(tables.matches).set_axis(tables.matches["match"])
    return both.assign(engine=named.loc[both["match"]].to_numpy())


def decided(tables: AnalyzedTables, *, theirs: bool = False) -> pd.DataFrame:
    """Return the decisions on boards beyond doubt, with the dimensions of the side that decided.

    `theirs`: with those of its opponent.
    """
    sure = tables.decisions[tables.decisions["verified"]]
    return acting(sure, both_sides(tables), theirs=theirs, columns=_OF_ANALYZED_GAMES)


def losses(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the decisions with what each metric adds up and what it divides by.

    The plays of the opponent stand there too, for Snowie's rate is per move of both sides.
    """
    own, of_opponent = decided(tables), decided(tables, theirs=True)
    of_opponent = of_opponent[_moves(of_opponent) > 0]
    own = own.assign(**dict(sums for metric in METRICS for sums in _sums(metric, own)))
    moved = of_opponent[["match", "game", *DIMENSIONS, "kind"]].assign(
        **{_columns(metric)[1]: 1.0 for metric in METRICS if metric.per == "move"}
    )
    whole = pd.concat([own, moved], ignore_index=True)
    return whole.fillna(dict.fromkeys(summed(figures_of(METRICS)), 0.0))


def rates(rows: pd.DataFrame, metrics: Sequence[Metric], by: Sequence[str]) -> pd.DataFrame:
    """Return error rates of each group of `losses`."""
    for metric in metrics:
        if metric.per == "match":
            _, of, _, sessions = _columns(metric)
            rows = in_units(in_units(rows, of, by), sessions, by)
    return estimated(rows, figures_of(metrics), by)


def named(frame: pd.DataFrame) -> pd.DataFrame:
    """Return error rates with what eXtreme Gammon calls players of such a PR, where that is sure.

    The whole interval must lie in one class, and so must one made of the number of decisions alone:
    a few matches may agree by chance.
    """
    factor = next(metric.factor for metric in METRICS if metric.name == PR_SHOWN)
    is_shown = frame["figure"] == rate_name(PR_SHOWN, PR)
    called = sure_names(frame, pr_class, factor * LEAST_DEVIATION).where(is_shown, "")
    dimensions = [name for name in frame if name not in COLUMNS]
    return frame.assign(**{CALLED: called})[[*dimensions, CALLED, *COLUMNS]]


def sure_names(frame: pd.DataFrame, name: Callable[[float], str], spread: float) -> pd.Series:
    """Return what `name` calls each rate where the whole interval is called so; else nothing.

    `spread` is the standard deviation that single decisions have at least: matches may agree by chance.
    """
    least = pd.Series(
        [reach_of(spread, max(int(of), 1)) for of in frame["of"].fillna(0)], index=frame.index
    )
    low = np.fmin(frame["low"], frame["value"] - least)
    high = np.fmax(frame["high"], frame["value"] + least)
    intervals = zip(low, high, strict=True)
    rows = zip(intervals, frame["low"].notna(), frame["of"].fillna(0), strict=True)
    names = [sure_name(name, ends if known else None, int(of)) for ends, known, of in rows]
    return pd.Series(names, index=frame.index, dtype=object)


def chosen(question: Question) -> tuple[Metric, ...]:
    """Return the metrics that are asked for."""
    names = question.metrics
    return tuple(metric for metric in METRICS if not names or metric.name in names)


def of_decisions(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Return the metrics that make sense of some of the decisions."""
    return tuple(metric for metric in metrics if metric.per != "move")


def figures_of(metrics: Sequence[Metric]) -> tuple[Figure, ...]:
    """Return metrics as figures; what is per match has one for money play beside it."""
    figures = []
    for metric in metrics:
        lost, of, points, sessions = _columns(metric)
        name, about = rate_name(metric.name, metric.unit), ABOUT[metric.per]
        figures.append(rate(name, lost, of, about, factor=metric.factor))
        if metric.per == "match":
            name, about = (
                rate_name(metric.name, metric.unit_in(money=True)),
                "Given away in money play, per session.",
            )
            figures.append(rate(name, points, sessions, about))
    return tuple(figures)


def in_units(rows: pd.DataFrame, name: str, by: Sequence[str]) -> pd.DataFrame:
    """Return rows of which those that count sum to 1 in each group, match and player."""
    keys = [rows[key] for key in dict.fromkeys([*by, "match", "player"])]
    whole = rows[name].groupby(keys, observed=True, dropna=False).transform("sum")
    return rows.assign(**{name: (rows[name] / whole.where(whole > 0)).fillna(0.0)})


def not_analyzed(tables: AnalyzedTables) -> tuple[str, ...]:
    """Return notes on which decisions are in no error rate, and why."""
    rows = tables.decisions
    rows = rows[rows["kind"].isin([Kind.PLAY, *CUBE])]
    sure = rows[rows["verified"]]
    is_play, illegal = sure["kind"] == Kind.PLAY, sure["legal"].eq(False).fillna(False)
    silent = sure["loss"].isna() & ~sure["forced"] & ~illegal
    return LeftOut(
        in_doubt=len(rows) - len(sure),
        illegal_plays=int((illegal & is_play).sum()),
        illegal_offers=int((illegal & ~is_play).sum()),
        silent=int(silent.sum()),
    ).words()


def _sums(metric: Metric, rows: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """What a metric adds up, and what it divides by."""
    counts = rows[counted_by(metric)].astype(float)
    lost, of, points, sessions = _columns(metric)
    if metric.per != "match":
        yield lost, rows["loss"].fillna(0.0) * counts
        yield of, _moves(rows) if metric.per == "move" else counts
        return
    cost, is_money = rows["cost"].fillna(0.0) * counts, rows["length"] == 0
    yield lost, cost.where(~is_money, 0.0)
    yield of, counts.where(~is_money, 0.0)
    yield points, cost.where(is_money, 0.0)
    yield sessions, counts.where(is_money, 0.0)


def _moves(rows: pd.DataFrame) -> pd.Series:
    """The moves of which the engine says something; forced ones need no evaluation."""
    legal = rows["kind"].eq("play") & rows["legal"].eq(True).fillna(False)
    return (legal & (rows["forced"] | rows["loss"].notna())).astype(float)


def _columns(metric: Metric) -> tuple[str, str, str, str]:
    """What a metric adds up and divides by, and the same in money play if it is per match."""
    name = metric.name
    return f"{name}_lost", f"{name}_of", f"{name}_points", f"{name}_sessions"
