"""Figures and their estimates: a count or sum, its divisor, and its expected value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.board.ids import Situation
from bganalyze.statistics.estimates import Clusters, Estimates, wilson_intervals
from bganalyze.statistics.reports.question import Question, match_players
from bganalyze.statistics.reports.sums import BOTH, make_number_table
from bganalyze.text import documentation, number_of

if TYPE_CHECKING:
    from bganalyze.statistics.reports.sums import SummedTable

Numbers: TypeAlias = npt.NDArray[np.float64]
Rows: TypeAlias = npt.NDArray[np.int64]

Kind = Literal["count", "share", "chance", "mean", "trials", "contests", "per thousand", "rate"]
"""`share`: share of cases in which an event happened, clustered by match; `chance`: a mean of
chances; `trials`: a share of independent trials; `contests`: a share of contests that one side wins
and the other loses, even if both sides are counted; `per thousand`: frequency of an event, however
rare; `rate`: a ratio that is never below 0."""

SHARES = ("share", "chance", "trials", "contests")
"""The kinds with values between 0 and 1."""

_EVEN = (
    "without an interval: games and matches that count for both players, because half of these are always won",
)

PERCENTAGE_POINTS = "percentage points"
"""Unit of a difference of shares, in the name of a figure."""

CALLED = "called"
"""Column for the name of a rate's class of players, if it has names."""

COLUMNS = ("figure", "kind", "value", "low", "high", "count", "of", "matches", "expected")


def has_figures(frame: pd.DataFrame) -> bool:
    """Whether a table has the columns of statistics with intervals, such as `value` and `low`."""
    return set(COLUMNS) <= set(frame.columns)


WHOLE = ("of", "matches")
"""The columns with whole numbers or no value; `count` has sums of any numbers."""


def as_int_if_whole(number: float) -> float:
    """Return a whole number as an `int`, and any other number unchanged.

    >>> as_int_if_whole(3.0), as_int_if_whole(0.5)
    (3, 0.5)
    """
    return int(number) if number == number // 1 else number


class Figure(NamedTuple):
    """One figure of a report: the sum of one column, divided by the sum of another."""

    name: str
    above: str
    """The column of the numerator."""
    below: str
    """The column of the denominator; empty for a plain count."""
    meaning: str
    expected: str = ""
    """The column with the expected value of the numerator; empty without one."""
    factor: float = 1.0
    """Factor on the ratio that gives it its unit."""
    kind: Kind = "share"
    known: str = ""
    """The column with the number of cases whose expected value is known; empty for all."""


count = partial(Figure, kind="count")
share = partial(Figure, kind="share")
chance = partial(Figure, kind="chance")
mean = partial(Figure, kind="mean")
trials = partial(Figure, kind="trials")
contests = partial(Figure, kind="contests")
per_thousand = partial(Figure, kind="per thousand")
rate = partial(Figure, kind="rate")


def list_summed_columns(figures: Iterable[Figure]) -> list[str]:
    """Return the names of all columns that these statistics sum up.

    >>> list_summed_columns([trials("doubles", "doubles", "rolls", "Of the rolls.")])
    ['doubles', 'rolls']
    """
    names = (
        name
        for figure in figures
        for name in (figure.above, figure.below, figure.expected, figure.known)
    )
    return sorted({name for name in names if name})


class Board(NamedTuple):
    """A position shown with a section."""

    title: str
    situation: Situation
    names: tuple[str, str]
    """Left player, right player."""
    facts: tuple[tuple[str, str], ...]
    """Pairs of a label and its text."""


class Section(NamedTuple):
    """A table of a report, with notes and boards."""

    title: str
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    boards: tuple[Board, ...] = ()


Sections: TypeAlias = Callable[[Any, Question], Iterator[Section]]
"""Function from the sums of a question, or the tables of analyzed matches, to the sections of a
report. It yields them one by one, because sections with very many groups should not be in memory
together."""


class Report(NamedTuple):
    """A report: a function from sums or tables and a question to tables of statistics."""

    about: str
    """Its text in the documentation."""
    sections: Mapping[str, tuple[Figure, ...]]
    """The statistics in each of its tables, by the table's title."""
    summed_tables: tuple[SummedTable, ...]
    """The tables it sums for match files; analyzed matches are counted from their tables."""
    report: Sections
    """The function, which yields the tables of statistics."""


def declare_report(
    sections: Mapping[str, tuple[Figure, ...]], *summed_tables: SummedTable
) -> Callable[[Sections], Report]:
    """Return a decorator that makes a `Report` of a function which yields the report's tables.

    The function's docstring describes the report in the documentation. `sections` has the
    statistics of each table by title. `summed_tables` are the tables to sum.
    """
    return lambda report: Report(
        documentation(report).partition("\n\n")[2], sections, summed_tables, report
    )


UNKNOWN = "unknown"
"""Value of a dimension that is not recorded."""


def name_groups(rows: pd.DataFrame, dimensions: Sequence[str]) -> list[str]:
    """Return the name of each row's group, such as `Ann, 7`, from the columns `dimensions`.

    Without columns, the name is `all`.

    >>> name_groups(pd.DataFrame({"player": ["Ann", None], "length": [7.0, None]}), ["player", "length"])
    ['Ann, 7', 'unknown, unknown']
    """
    if not dimensions:
        return ["all"] * len(rows)
    words = (map(_write_group_value, rows[name].astype(object)) for name in dimensions)
    return list(map(", ".join, zip(*words, strict=True)))


def _write_group_value(value: object) -> str:
    """Return the text for a group's value, such as a player's name or a match length.

    >>> _write_group_value(7.0), _write_group_value(None)
    ('7', 'unknown')
    """
    if pd.isna(value):
        return UNKNOWN
    return f"{value:g}" if isinstance(value, float) else str(value)


def select_rows_of_question(all_rows: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Return the rows that fit a question's player and opponent, in groups with enough games."""
    rows = all_rows[match_players(all_rows, question, "player", "opponent")]
    if question.min_games <= 1:
        return rows
    by = [name for name in question.by if name in rows]
    keys = rows[[*by, "match", "game"]].drop_duplicates()
    if not question.by:
        return rows if len(keys) >= question.min_games else rows[:0]
    if not by:
        return rows
    games = keys.groupby(by, observed=True, dropna=False)["game"].size()
    enough = games[games >= question.min_games].index.to_frame()
    return rows[pd.MultiIndex.from_frame(rows[by]).isin(pd.MultiIndex.from_frame(enough))]


def estimate_figures(
    rows: pd.DataFrame, figures: Sequence[Figure], group_columns: Sequence[str]
) -> pd.DataFrame:
    """Return the values of statistics in each group, with 95 % intervals.

    The table has a row for each group and statistic, with the columns `group_columns` and
    `COLUMNS`. A statistic divides the sum of one column by the sum of another.
    """
    group_columns = list(group_columns)
    if not figures:
        return pd.DataFrame(columns=[*group_columns, *COLUMNS])
    units = sum_rows_by_match(rows, figures, group_columns)
    clusters = Clusters(units, group_columns)
    parts = [_estimate_figure(units, clusters, figure) for figure in figures]
    seen = [np.flatnonzero(part["matches"] > 0) for part in parts]
    rank = [place for place, rows in enumerate(seen) for _ in rows]
    estimates = _name_groups_of_estimates(clusters, group_columns, seen).assign(
        figure=[figures[place].name for place in rank],
        kind=[figures[place].kind for place in rank],
        **{
            name: np.concatenate([part[name][rows] for part, rows in zip(parts, seen, strict=True)])
            for name in COLUMNS[2:]
        },
        rank=rank,
    )
    ordered = (
        estimates.sort_values([*group_columns, "rank"], kind="stable")
        if group_columns
        else estimates
    )
    return round_counts(ordered[[*group_columns, *COLUMNS]].reset_index(drop=True))


def round_counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Round the columns `of` and `matches` of a table of statistics to integers."""
    numbers = {name: frame[name].astype("Float64").round().astype("Int64") for name in WHOLE}
    # Fractions of a match divided among rows may sum up with rounding errors.
    return frame.assign(**numbers)


def _name_groups_of_estimates(
    clusters: Clusters, group_columns: list[str], group_numbers: list[Rows]
) -> pd.DataFrame:
    """Return a row for each estimate: the values that its group has in the `group_columns`.

    `group_numbers` has, for each statistic, the numbers of the groups with an estimate.
    """
    rows = np.concatenate(group_numbers)
    if not group_columns:
        return pd.DataFrame(index=range(len(rows)))
    return clusters.index.to_frame(index=False).take(rows).reset_index(drop=True)


def _estimate_figure(units: pd.DataFrame, clusters: Clusters, figure: Figure) -> dict[str, Numbers]:
    """Return arrays of a statistic's value, interval, sums and expected value in all groups.

    The arrays are named like columns, such as `value`. `units` has a row for each group and match.
    """
    below = figure.below or figure.above
    estimate = _choose_estimator(clusters, figure)(units[figure.above], units[below])
    seen = units[below] > 0
    if figure.kind == "count":
        estimate["value"] = estimate["count"]
        estimate["low"] = estimate["high"] = np.full(len(estimate["value"]), np.nan)
    elif figure.kind in ("trials", "contests"):
        estimate["low"], estimate["high"] = wilson_intervals(estimate["count"], estimate["of"])
    factor = 1000 if figure.kind == "per thousand" else figure.factor
    estimate |= {name: factor * estimate[name] for name in ("value", "low", "high")}
    if figure.kind in ("chance", "rate"):
        estimate["low"] = estimate["low"].clip(min=0)
    if figure.kind == "chance":
        estimate["high"] = estimate["high"].clip(max=1)
    if figure.kind == "contests":
        has_both = clusters.sum_by_group(units[BOTH + below].where(seen, 0)) == estimate["of"]
        estimate |= {name: np.where(has_both, np.nan, estimate[name]) for name in ("low", "high")}
    expected = units[figure.expected].where(seen, 0) if figure.expected else np.nan * units[below]
    estimate["expected"] = clusters.sum_by_group(expected) / np.maximum(estimate["of"], 1)
    if figure.known:
        is_known = clusters.sum_by_group(units[figure.known].where(seen, 0)) == estimate["of"]
        estimate["expected"] = np.where(is_known, estimate["expected"], np.nan)
    return estimate


def _choose_estimator(clusters: Clusters, figure: Figure) -> Callable[..., Estimates]:
    """Return the method of `clusters` that estimates this kind of statistic."""
    if figure.kind == "share":
        return clusters.share
    return clusters.occurrences if figure.kind == "per thousand" else clusters.ratio


def sum_rows_by_match(
    rows: pd.DataFrame, figures: Sequence[Figure], group_columns: list[str]
) -> pd.DataFrame:
    """Return a row for each group and match, with the sums of the columns that `figures` need."""
    keys = [*group_columns, "match"]
    columns = [
        *list_summed_columns(figures),
        *(name for name in rows.columns if str(name).startswith(BOTH)),
    ]
    narrow = rows[[*keys, *columns]]
    if not narrow.duplicated(keys).any():
        return narrow.fillna({name: 0 for name in columns if narrow[name].isna().any()})
    return narrow.groupby(keys, observed=True, dropna=False)[columns].sum().reset_index()


def make_figure_section(
    title: str,
    rows: pd.DataFrame,
    figures: Sequence[Figure],
    group_columns: Sequence[str],
    *notes: str,
) -> Section:
    """Return a report's table with statistics and intervals of each group.

    Further notes are added if a group has both players of its games, or if one match has most of a
    count.
    """
    units = sum_rows_by_match(rows, figures, list(group_columns))
    return make_plain_section(
        title,
        estimate_figures(units, figures, group_columns),
        *notes,
        *note_dominant_matches(units, figures, group_columns),
    )


FEWEST_HELD = 10
"""Fewest matches, and fewest events, for a note on a dominating match: with fewer, one match often
has most of them."""


def note_dominant_matches(
    units: pd.DataFrame, figures: Iterable[Figure], group_columns: Sequence[str]
) -> tuple[str, ...]:
    """Return notes on rare events of which a single match has more than half.

    `units` has a row for each group and match.

    >>> units = pd.DataFrame({"match": range(20), "found": [9, *[1] * 4, *[0] * 15], "rolls": 100})
    >>> note_dominant_matches(units, [per_thousand("faults", "found", "rolls", "")], [])
    ('faults: one match has 9 of 13, so the interval may be far off',)
    """
    rare = [figure for figure in figures if figure.kind in _CLUSTERED]
    grouped = (
        units.groupby(list(group_columns), observed=True, dropna=False) if group_columns else None
    )
    groups = np.zeros(len(units), dtype=int) if grouped is None else grouped.ngroup().to_numpy()
    words = [
        held
        for figure in rare
        for held in _describe_dominated_groups(units, groups, figure, group_columns)
    ]
    if len(words) > MOST_HELD:
        return (
            f"of {number_of(len(words), 'figure')} one match has more than half of the events, so the intervals may be far off",
        )
    return tuple(f"{which}, so the interval may be far off" for which in words)


_CLUSTERED = ("per thousand", "share")

MOST_HELD = 3
"""Most figures named in notes; more are only counted."""


def _describe_dominated_groups(
    units: pd.DataFrame, groups: Rows, figure: Figure, group_columns: Sequence[str]
) -> list[str]:
    """Describe the groups in which one match has more than half of the events that `figure` counts.

    A text is, for example, `faults: one match has 9 of 13`. `groups` has the group number of each
    row of `units`.
    """
    seen = units[figure.below].to_numpy(dtype=float) > 0
    group, counted = groups[seen], units[figure.above].to_numpy(dtype=float)[seen]
    sums, sizes = np.bincount(group, counted), np.bincount(group)
    largest = np.zeros(len(sums))
    np.maximum.at(largest, group, counted)
    enough = (sums >= FEWEST_HELD) & (sizes >= FEWEST_HELD)
    # A group is dominated if one match has more than half of the events.
    held = np.flatnonzero(enough & (2 * largest > sums))
    if not len(held):
        return []
    first_rows = np.unique(groups, return_index=True)[1][held]
    names = (
        name_groups(units.iloc[first_rows], group_columns) if group_columns else [""] * len(held)
    )
    return [
        f"{', '.join(filter(None, (name, figure.name)))}: one match has {top:,.0f} of {count:,.0f}"
        for name, top, count in zip(names, largest[held], sums[held], strict=True)
    ]


def make_plain_section(title: str, frame: pd.DataFrame, *notes: str) -> Section:
    """Return a data frame of statistics as a report's table, with `notes` below it."""
    # Shares of games won have no interval in a group that has both players of its games.
    without = (frame["kind"] == "contests") & frame["low"].isna()
    return Section(title, frame, (*(_EVEN if without.any() else ()), *notes))


def add_number_columns(rows: pd.DataFrame, sums: Mapping[str, pd.Series]) -> pd.DataFrame:
    """Add the columns `sums` to rows as numbers, in which True is 1 and False is 0."""
    replaced = [name for name in sums if name in rows.columns]
    others = rows.drop(columns=replaced) if replaced else rows
    numbers = make_number_table(
        {name: values.to_numpy(dtype=float) for name, values in sums.items()}
    )
    return pd.concat([others, numbers.set_axis(rows.index)], axis=1)


def restore_whole_types(
    rows: pd.DataFrame, like: pd.DataFrame, group_columns: Sequence[str]
) -> pd.DataFrame:
    """Make those `group_columns` of rows integers that are integers in the table `like`."""
    numbers = [name for name in group_columns if pd.api.types.is_integer_dtype(like[name])]
    return rows.astype({name: like.dtypes[name] for name in numbers})


def make_count_note(cases: pd.Series | int, word: str, remark: str) -> tuple[str, ...]:
    """Return a note such as `2 games left out` in a tuple, or () for 0.

    `cases` is a number, or a column with True for each case.

    >>> make_count_note(pd.Series([True, True, False]), "game", "left out")
    ('2 games left out',)
    """
    number = int(np.sum(cases))
    return (f"{number_of(number, word)} {remark}",) if number else ()


def estimate_shares(
    units: pd.DataFrame, group_columns: Sequence[str], column: str, count_column: str
) -> pd.DataFrame:
    """Return the share (0 to 1) that each value of `column` has in its group, with an interval.

    `units` has a row for each match and value, with the number of cases in `count_column`.

    >>> units = pd.DataFrame({"match": [1, 1], "roll": "31", "play": ["8/5 6/5", "13/10"], "made": [3, 1]})
    >>> estimate_shares(units, ["roll"], "play", "made")[["play", "figure", "value"]].values.tolist()
    [['13/10', 'made', 0.25], ['8/5 6/5', 'made', 0.75]]
    """
    group, keys = list(group_columns), [*group_columns, column]
    counted = units.groupby(keys, observed=True, dropna=False).agg(
        count=(count_column, "sum"), matches=("match", "nunique")
    )
    chosen = counted.reset_index()
    whole = chosen.groupby(group, observed=True, dropna=False)["count"].transform("sum")
    low, high = wilson_intervals(chosen["count"], whole)
    chosen = chosen.assign(
        figure=count_column,
        kind="trials",
        value=chosen["count"] / whole,
        low=low,
        high=high,
        of=whole,
    )
    return round_counts(chosen.assign(expected=float("nan"))[[*keys, *COLUMNS]])
