"""Counts for reports of analyzed matches: decisions, seen by the side that decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any
from weakref import ref

import numpy as np
import pandas as pd

from bganalyze.analysis.analyzed import CUBE
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import depth_of
from bganalyze.analysis.error_rates import (
    LEAST_DEVIATION,
    METRICS,
    PR,
    PR_SHOWN,
    LeftOut,
    Metric,
    grade_over_matches,
    pr_class,
    rate_name,
)
from bganalyze.analysis.select import RECORDED, name_edition
from bganalyze.statistics.reports.figures import (
    CALLED,
    COLUMNS,
    Figure,
    estimate_figures,
    list_summed_columns,
    rate,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.seats import OF_GAMES, add_acting_side, games_by_side
from bganalyze.statistics.tables.decisions import name_counted_column
from bganalyze.statistics.tables.frames import EDITION, AnalyzedTables
from bganalyze.text import number_of

_OF_ANALYZED_GAMES = (*OF_GAMES, "opened", "engine")

DIMENSIONS = (*_OF_ANALYZED_GAMES, "phase", "depth")
"""The dimensions that analyzed decisions can be grouped by."""


def name_engines(matches: pd.DataFrame) -> pd.Series:
    """Return the engine, version and level of each match's analysis, such as `sage 2.0 at 2ply`."""
    editions = matches[list(EDITION)].astype(str).itertuples(index=False, name=None)
    names = [name_edition(*edition) for edition in editions]
    return pd.Series(names, matches.index, dtype=object).astype("category")


def group_by_engine(tables: AnalyzedTables, question: Question) -> Question:
    """Return the question with grouping by engine, too, if several engines analyzed the matches."""
    matches = tables.matches
    # The version of an analysis stored in a file is its program. Else versions stay together.
    engine, version = (matches[name].astype(object) for name in ("engine", "version"))
    programs = engine.where(engine != RECORDED, version)
    if programs.nunique(dropna=False) < 2 or "engine" in question.by:
        return question
    return question._replace(by=("engine", *question.by))


def note_several_levels(tables: AnalyzedTables, question: Question) -> tuple[str, ...]:
    """Return a note that the matches were analyzed at different levels, or () if they were not."""
    matches = tables.matches[list(EDITION)].astype(str)
    editions = Counter(matches.itertuples(index=False, name=None))
    if len(editions) < 2 or "engine" in question.by:
        return ()
    is_by_level = len({edition[:2] for edition in editions}) == 1
    deepest, *others = (
        (count, f"at {level}" if is_by_level else f"by {name_edition(engine, version, level)}")
        for (engine, version, level), count in sorted(
            editions.items(), key=lambda item: depth_of(item[0][2]), reverse=True
        )
    )
    rest = ", ".join(f"{count:,} {how}" for count, how in others)
    if len(others) == 1:
        rest = f"the other{'s' * (others[0][0] > 1)} {others[0][1]}"
    are = "is" if deepest[0] == 1 else "are"
    some = f"{deepest[0]:,} of {number_of(len(matches), 'match')} {are} analyzed {deepest[1]}"
    return (f"{some}, {rest}; --level counts one level alone, --by engine each apart",)


def _cache_by_tables(
    make_rows: Callable[..., pd.DataFrame],
) -> Callable[..., pd.DataFrame]:
    """Return a function that calls `make_rows` and caches the results for the latest tables."""
    # The reports of a profile ask for the rows of the same tables thirty times, which took a fifth
    # of the time (measured). Rows are not kept longer than their tables exist.
    kept: tuple[tuple[ref[pd.DataFrame], ...], dict[Any, pd.DataFrame]] = (), {}

    def forget(_: object) -> None:
        """Forget the kept rows."""
        nonlocal kept
        kept = (), {}

    @wraps(make_rows)
    def return_kept_rows(tables: AnalyzedTables, **options: bool) -> pd.DataFrame:
        """Return the rows kept for these tables and options, or make them."""
        nonlocal kept
        sources, made = kept
        if not sources or any(
            source() is not frame for source, frame in zip(sources, tables, strict=True)
        ):
            sources, made = kept = tuple(ref(frame, forget) for frame in tables), {}
        key = tuple(options.items())
        if key not in made:
            made[key] = make_rows(tables, **options)
        return made[key].copy(deep=False)

    return return_kept_rows


@_cache_by_tables
def list_analyzed_games_by_side(tables: AnalyzedTables) -> pd.DataFrame:
    """Return two rows for each analyzed game, one per side, with the engine of the analysis."""
    by_side = games_by_side(tables)
    named = name_engines(tables.matches).set_axis(tables.matches["match"])
    return by_side.assign(engine=named.loc[by_side["match"]].to_numpy())


@_cache_by_tables
def list_decisions_by_side(tables: AnalyzedTables, *, of_opponent: bool = False) -> pd.DataFrame:
    """Return decisions, with columns such as `player`, `opponent` and `length`.

    With `of_opponent`, `player` is the opponent of the player who decided. Decisions on an
    uncertain (unverified) board are left out.
    """
    sure = tables.decisions[tables.decisions["verified"]]
    return add_acting_side(
        sure,
        list_analyzed_games_by_side(tables),
        of_opponent=of_opponent,
        columns=_OF_ANALYZED_GAMES,
    )


def count_doubles_so_far(tables: AnalyzedTables, rows: pd.DataFrame) -> pd.Series:
    """Count the doubles in each decision's game up to and including that decision."""
    every = tables.decisions
    doubles = (every["kind"] == Kind.DOUBLE).groupby([every["match"], every["game"]]).cumsum()
    by_decision = pd.Series(doubles.to_numpy(), index_by_decision(every))
    return pd.Series(by_decision.reindex(index_by_decision(rows)).to_numpy(), rows.index)


def index_by_decision(rows: pd.DataFrame) -> pd.MultiIndex:
    """Return each row's match number and decision number as an index."""
    return pd.MultiIndex.from_frame(rows[["match", "decision"]].astype("int64"))


@_cache_by_tables
def tabulate_losses(tables: AnalyzedTables) -> pd.DataFrame:
    """Return decisions with two columns for each error rate: a numerator and a denominator.

    An error rate such as `xg-b` is the sum of the column `xg-b_lost`, divided by the sum of
    `xg-b_of`.
    """
    own, of_opponent = (
        list_decisions_by_side(tables),
        list_decisions_by_side(tables, of_opponent=True),
    )
    of_opponent = of_opponent[_count_moves(of_opponent) > 0]
    own = own.assign(
        **dict(sums for metric in METRICS for sums in _make_metric_columns(metric, own))
    )
    # Snowie's rate divides by the plays of both sides.
    moved = of_opponent[["match", "game", *DIMENSIONS, "kind"]].assign(
        **{_name_metric_columns(metric)[1]: 1.0 for metric in METRICS if metric.per == "move"}
    )
    whole = pd.concat([own, moved], ignore_index=True)
    return whole.fillna(dict.fromkeys(list_summed_columns(make_metric_figures(METRICS)), 0.0))


def estimate_rates(
    rows: pd.DataFrame, metrics: Sequence[Metric], group_columns: Sequence[str]
) -> pd.DataFrame:
    """Return each group's error rates, with intervals, from the `rows` of `tabulate_losses`."""
    for metric in metrics:
        if metric.per == "match":
            _, of, _, sessions = _name_metric_columns(metric)
            rows = scale_to_matches(
                scale_to_matches(rows, of, group_columns), sessions, group_columns
            )
    return estimate_figures(rows, make_metric_figures(metrics), group_columns)


def add_pr_classes(frame: pd.DataFrame) -> pd.DataFrame:
    """Add the column `called` with the class that eXtreme Gammon gives each PR, such as `expert`.

    The class is empty if the 95 % interval of the PR spans several classes.
    """
    factor = next(metric.factor for metric in METRICS if metric.name == PR_SHOWN)
    is_shown = frame["figure"] == rate_name(PR_SHOWN, PR)
    called = name_certain_grades(frame, pr_class, factor * LEAST_DEVIATION).where(is_shown, "")
    dimensions = [name for name in frame if name not in COLUMNS]
    return frame.assign(**{CALLED: called})[[*dimensions, CALLED, *COLUMNS]]


def name_certain_grades(
    frame: pd.DataFrame, grade_of: Callable[[float], str], spread: float
) -> pd.Series:
    """Return the grade of each rate, or "" if the 95 % interval of the rate spans several grades.

    `spread` is the smallest standard deviation assumed for the loss of a decision, in the unit of
    the rates.
    """
    columns = ("value", "low", "high", "of")
    names = [
        grade_over_matches(grade_of, value, None if np.isnan(low) else (low, high), int(of), spread)
        for value, low, high, of in frame[list(columns)].astype(float).fillna({"of": 0}).to_numpy()
    ]
    return pd.Series(names, index=frame.index, dtype=object)


def choose_metrics(question: Question) -> tuple[Metric, ...]:
    """Return the error rates that a question names, or all if it names none."""
    names = question.metrics
    return tuple(metric for metric in METRICS if not names or metric.name in names)


def select_metrics_for_parts(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Return the error rates that make sense for a part of the decisions, such as cube decisions.

    Error rates per move are left out, because they need the plays of both sides.
    """
    return tuple(metric for metric in metrics if metric.per != "move")


def make_metric_figures(metrics: Sequence[Metric]) -> tuple[Figure, ...]:
    """Return the statistics with which a report shows the error rates `metrics`."""
    figures = []
    for metric in metrics:
        lost, of, points, sessions = _name_metric_columns(metric)
        name, about = rate_name(metric.name, metric.unit), metric.meaning
        figures.append(rate(name, lost, of, about, factor=metric.factor))
        if metric.per == "match":  # Money play has sessions instead of matches.
            name, about = (
                rate_name(metric.name, metric.unit_in(money=True)),
                "Points given away in money play, per session.",
            )
            figures.append(rate(name, points, sessions, about))
    return tuple(figures)


def scale_to_matches(rows: pd.DataFrame, column: str, group_columns: Sequence[str]) -> pd.DataFrame:
    """Scale `column` so that the values of each player, match and group add up to 1.

    The sum of the scaled column then is a number of matches.

    >>> rows = pd.DataFrame({"match": [1, 1, 2], "player": "Ann", "counted": [1.0, 3.0, 2.0]})
    >>> scale_to_matches(rows, "counted", [])["counted"].tolist()
    [0.25, 0.75, 1.0]
    """
    keys = [rows[key] for key in dict.fromkeys([*group_columns, "match", "player"])]
    whole = rows[column].groupby(keys, observed=True, dropna=False).transform("sum")
    return rows.assign(**{column: (rows[column] / whole.where(whole > 0)).fillna(0.0)})


def note_not_analyzed(tables: AnalyzedTables) -> tuple[str, ...]:
    """Return notes on decisions in no error rate, such as `2 illegal plays in no error rate`."""
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


def _make_metric_columns(metric: Metric, rows: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """Yield the columns, as name and values, of an error rate's numerators and denominators."""
    counts = rows[name_counted_column(metric)].astype(float)
    lost, of, points, sessions = _name_metric_columns(metric)
    if metric.per != "match":
        yield lost, rows["loss"].fillna(0.0) * counts
        yield of, _count_moves(rows) if metric.per == "move" else counts
        return
    cost, is_money = rows["cost"].fillna(0.0) * counts, rows["length"] == 0
    yield lost, cost.where(~is_money, 0.0)
    yield of, counts.where(~is_money, 0.0)
    yield points, cost.where(is_money, 0.0)
    yield sessions, counts.where(is_money, 0.0)


def _count_moves(rows: pd.DataFrame) -> pd.Series:
    """Return 1 for each legal play that is forced or evaluated, and 0 for every other decision."""
    legal = rows["kind"].eq("play") & rows["legal"].eq(True).fillna(False)
    return (legal & (rows["forced"] | rows["loss"].notna())).astype(float)


def _name_metric_columns(metric: Metric) -> tuple[str, str, str, str]:
    """Return names of columns: numerator and denominator in matches, then both in money play."""
    name = metric.name
    return f"{name}_lost", f"{name}_of", f"{name}_points", f"{name}_sessions"
