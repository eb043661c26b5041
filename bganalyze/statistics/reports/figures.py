"""Figures: what is counted, per what, and what was to be expected; and their estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.board.ids import Situation
from bganalyze.statistics.estimates import Clusters, Estimates, wilson
from bganalyze.statistics.reports.question import Question, is_seat
from bganalyze.statistics.reports.sums import BOTH
from bganalyze.text import documentation, number_of

if TYPE_CHECKING:
    from bganalyze.statistics.reports.sums import Base

Numbers: TypeAlias = npt.NDArray[np.float64]
Rows: TypeAlias = npt.NDArray[np.int64]

Kind = Literal["count", "share", "chance", "mean", "trials", "contests", "per thousand", "rate"]
"""`share`: how often what can happen does, clustered by match; `chance`: a mean of chances;
`trials`: a share of independent trials; `contests`: of those that one side wins and the other loses,
even where both sides are counted; `per thousand`: how often something is found, however rare; `rate`:
what cannot be less than 0."""

SHARES = ("share", "chance", "trials", "contests")
"""The kinds that lie between 0 and 1."""

_EVEN = (
    "without an interval: games and matches that count for both of their players, of which half are won whoever plays",
)

CALLED = "called"
"""A column beside those: what players of a rate are called, where it has a name."""

COLUMNS = ("figure", "kind", "value", "low", "high", "count", "of", "matches", "expected")


def is_of_figures(frame: pd.DataFrame) -> bool:
    """Return whether a table holds figures with their intervals, not just numbers."""
    return set(COLUMNS) <= set(frame.columns)


WHOLE = ("of", "matches")
"""The columns of figures that hold whole numbers, or nothing; `count` holds sums of any numbers."""


def whole(number: float) -> float:
    """Return a number, as an `int` if it is whole.

    >>> whole(3.0), whole(0.5)
    (3, 0.5)
    """
    return int(number) if number == number // 1 else number


class Figure(NamedTuple):
    """One figure of a report: the sum of one column, per the sum of another."""

    name: str
    above: str
    below: str
    """Empty for a plain count."""
    meaning: str
    expected: str = ""
    """The column whose sum was to be expected of `above`."""
    factor: float = 1.0
    """What the ratio is multiplied by, to be in its unit."""
    kind: Kind = "share"
    known: str = ""
    """The column whose sum says of how many it is known what was to be expected; empty for all."""


count = partial(Figure, kind="count")
share = partial(Figure, kind="share")
chance = partial(Figure, kind="chance")
mean = partial(Figure, kind="mean")
trials = partial(Figure, kind="trials")
contests = partial(Figure, kind="contests")
per_thousand = partial(Figure, kind="per thousand")
rate = partial(Figure, kind="rate")


def summed(figures: Iterable[Figure]) -> list[str]:
    """Return the columns that figures are sums of.

    >>> summed([trials("doubles", "doubles", "rolls", "Of the rolls.")])
    ['doubles', 'rolls']
    """
    names = (
        name
        for figure in figures
        for name in (figure.above, figure.below, figure.expected, figure.known)
    )
    return sorted({name for name in names if name})


class Board(NamedTuple):
    """A position that a section shows."""

    title: str
    situation: Situation
    names: tuple[str, str]
    """Left, right."""
    facts: tuple[tuple[str, str], ...]
    """Pairs of a label and what it names."""


class Section(NamedTuple):
    """A table of a report, with what there is to say about it."""

    title: str
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    boards: tuple[Board, ...] = ()


Sections: TypeAlias = Callable[[Any, Question], Iterator[Section]]
"""From the sums that a question is about, or the tables of analyzed matches, to the sections of a report,
one after the other: those of very many groups need not be held together."""


class Report(NamedTuple):
    """A report: a function from tables and a question to sections."""

    about: str
    """Its text in the documentation."""
    sections: Mapping[str, tuple[Figure, ...]]
    """The figures of each section, by its title."""
    bases: tuple[Base, ...]
    """What it counts, of files; analyzed matches are counted from their tables."""
    report: Sections


def reporting(
    sections: Mapping[str, tuple[Figure, ...]], *bases: Base
) -> Callable[[Sections], Report]:
    """Declare a report by its function, whose docstring is the report's text in the documentation."""
    return lambda report: Report(documentation(report), sections, bases, report)


UNKNOWN = "unknown"
"""A dimension that a record does not tell."""


def groups_of(rows: pd.DataFrame, dimensions: Sequence[str]) -> list[str]:
    """Return what the group of each row is called; `all` where nothing tells groups apart.

    >>> groups_of(pd.DataFrame({"player": ["Ann", None], "length": [7.0, None]}), ["player", "length"])
    ['Ann, 7', 'unknown, unknown']
    """
    if not dimensions:
        return ["all"] * len(rows)
    words = (map(_word, rows[name].astype(object)) for name in dimensions)
    return list(map(", ".join, zip(*words, strict=True)))


def _word(value: object) -> str:
    if pd.isna(value):
        return UNKNOWN
    return f"{value:g}" if isinstance(value, float) else str(value)


def rows_for(base: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Return the rows of a base that a question is about."""
    rows = base[is_seat(base, question, "player", "opponent")]
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


def estimated(base: pd.DataFrame, figures: Sequence[Figure], by: Sequence[str]) -> pd.DataFrame:
    """Return every figure of every group: one row each, in the columns `by` and `COLUMNS`."""
    by = list(by)
    if not figures:
        return pd.DataFrame(columns=[*by, *COLUMNS])
    units = of_matches(base, figures, by)
    clusters = Clusters(units, by)
    parts = [_estimated(units, clusters, figure) for figure in figures]
    seen = [np.flatnonzero(part["matches"] > 0) for part in parts]
    rank = [place for place, rows in enumerate(seen) for _ in rows]
    estimates = _keys(clusters, by, seen).assign(
        figure=[figures[place].name for place in rank],
        kind=[figures[place].kind for place in rank],
        **{
            name: np.concatenate([part[name][rows] for part, rows in zip(parts, seen, strict=True)])
            for name in COLUMNS[2:]
        },
        rank=rank,
    )
    ordered = estimates.sort_values([*by, "rank"], kind="stable") if by else estimates
    return with_counts(ordered[[*by, *COLUMNS]].reset_index(drop=True))


def with_counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return figures with what they are per, and of how many matches, as whole numbers.

    Neither is a fraction, but for the rounding of what is shared out among the rows of a match.
    """
    numbers = {name: frame[name].astype("Float64").round().astype("Int64") for name in WHOLE}
    return frame.assign(**numbers)


def _keys(clusters: Clusters, by: list[str], seen: list[Rows]) -> pd.DataFrame:
    """The groups of the rows of every figure."""
    rows = np.concatenate(seen)
    if not by:
        return pd.DataFrame(index=range(len(rows)))
    return clusters.index.to_frame(index=False).take(rows).reset_index(drop=True)


def _estimated(units: pd.DataFrame, clusters: Clusters, figure: Figure) -> dict[str, Numbers]:
    """The columns of numbers of a figure, for every group."""
    below = figure.below or figure.above
    estimate = _interval_of(clusters, figure)(units[figure.above], units[below])
    seen = units[below] > 0
    if figure.kind == "count":
        estimate["value"] = estimate["count"]
        estimate["low"] = estimate["high"] = np.full(len(estimate["value"]), np.nan)
    elif figure.kind in ("trials", "contests"):
        estimate["low"], estimate["high"] = wilson(estimate["count"], estimate["of"])
    factor = 1000 if figure.kind == "per thousand" else figure.factor
    estimate |= {name: factor * estimate[name] for name in ("value", "low", "high")}
    if figure.kind in ("chance", "rate"):
        estimate["low"] = estimate["low"].clip(min=0)
    if figure.kind == "chance":
        estimate["high"] = estimate["high"].clip(max=1)
    if figure.kind == "contests":
        both = clusters.summed(units[BOTH + below].where(seen, 0)) == estimate["of"]
        estimate |= {name: np.where(both, np.nan, estimate[name]) for name in ("low", "high")}
    expected = units[figure.expected].where(seen, 0) if figure.expected else np.nan * units[below]
    estimate["expected"] = clusters.summed(expected) / np.maximum(estimate["of"], 1)
    if figure.known:
        is_known = clusters.summed(units[figure.known].where(seen, 0)) == estimate["of"]
        estimate["expected"] = np.where(is_known, estimate["expected"], np.nan)
    return estimate


def _interval_of(clusters: Clusters, figure: Figure) -> Callable[..., Estimates]:
    """What estimates a kind of figure, with the interval of its kind."""
    if figure.kind == "share":
        return clusters.share
    return clusters.occurrences if figure.kind == "per thousand" else clusters.ratio


def of_matches(base: pd.DataFrame, figures: Sequence[Figure], by: list[str]) -> pd.DataFrame:
    """Return the sums of each group and match: the rows of the base themselves where there is one for each."""
    keys = [*by, "match"]
    columns = [*summed(figures), *(name for name in base.columns if str(name).startswith(BOTH))]
    narrow = base[[*keys, *columns]]
    if not narrow.duplicated(keys).any():
        return narrow.fillna({name: 0 for name in columns if narrow[name].isna().any()})
    return narrow.groupby(keys, observed=True, dropna=False)[columns].sum().reset_index()


def counted(
    title: str, base: pd.DataFrame, figures: Sequence[Figure], by: Sequence[str], *notes: str
) -> Section:
    """Return the figures of every group as a section, with its notes.

    Where contests are counted for both of their sides, a first note says so; a last one, where a single
    match holds most of what is counted.
    """
    units = of_matches(base, figures, list(by))
    return as_section(
        title, estimated(units, figures, by), *notes, *one_match_notes(units, figures, by)
    )


FEWEST_HELD = 10
"""In fewer matches, or where fewer things are counted, one match often holds most of them."""


def one_match_notes(
    units: pd.DataFrame, figures: Iterable[Figure], by: Sequence[str]
) -> tuple[str, ...]:
    """Return a note on each rare thing of which one match holds more than half.

    Its interval holds the truth less often than it says: other matches may hold as many.

    >>> units = pd.DataFrame({"match": range(20), "found": [9, *[1] * 4, *[0] * 15], "rolls": 100})
    >>> one_match_notes(units, [per_thousand("faults", "found", "rolls", "")], [])
    ('faults: one match holds 9 of 13, so the interval may be far off',)
    """
    rare = [figure for figure in figures if figure.kind in _CLUSTERED]
    grouped = units.groupby(list(by), observed=True, dropna=False) if by else None
    groups = np.zeros(len(units), dtype=int) if grouped is None else grouped.ngroup().to_numpy()
    words = [held for figure in rare for held in _held_by_one(units, groups, figure, by)]
    if len(words) > MOST_HELD:
        return (
            f"of {number_of(len(words), 'figure')} one match holds more than half of what is counted, so their intervals may be far off",
        )
    return tuple(f"{which}, so the interval may be far off" for which in words)


_CLUSTERED = ("per thousand", "share")

MOST_HELD = 3
"""More are only counted."""


def _held_by_one(units: pd.DataFrame, groups: Rows, figure: Figure, by: Sequence[str]) -> list[str]:
    """Name the groups of which one match holds more than half of what a figure counts."""
    seen = units[figure.below].to_numpy(dtype=float) > 0
    group, counted = groups[seen], units[figure.above].to_numpy(dtype=float)[seen]
    sums, sizes = np.bincount(group, counted), np.bincount(group)
    largest = np.zeros(len(sums))
    np.maximum.at(largest, group, counted)
    enough = (sums >= FEWEST_HELD) & (sizes >= FEWEST_HELD)
    held = np.flatnonzero(enough & (2 * largest > sums))
    if not len(held):
        return []
    first_rows = np.unique(groups, return_index=True)[1][held]
    names = groups_of(units.iloc[first_rows], by) if by else [""] * len(held)
    return [
        f"{', '.join(filter(None, (name, figure.name)))}: one match holds {top:,.0f} of {count:,.0f}"
        for name, top, count in zip(names, largest[held], sums[held], strict=True)
    ]


def as_section(title: str, frame: pd.DataFrame, *notes: str) -> Section:
    """Return the figures of every group as a section, as `counted` does."""
    without = (frame["kind"] == "contests") & frame["low"].isna()
    return Section(title, frame, (*(_EVEN if without.any() else ()), *notes))


def with_sums(rows: pd.DataFrame, sums: Mapping[str, pd.Series]) -> pd.DataFrame:
    """Return rows with more columns to be summed: numbers, or whether something is so."""
    return rows.assign(**{name: values.astype(float) for name, values in sums.items()})


def with_whole(rows: pd.DataFrame, like: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return rows whose groups are whole numbers where those of another frame are: years, lengths."""
    numbers = [name for name in by if pd.api.types.is_integer_dtype(like[name])]
    return rows.astype({name: like.dtypes[name] for name in numbers})


def count_note(which: pd.Series | int, word: str, remark: str) -> tuple[str, ...]:
    """Return a note on how many there are of what a word names, if there are any.

    >>> count_note(pd.Series([True, True, False]), "game", "left out")
    ('2 games left out',)
    """
    number = int(np.sum(which))
    return (f"{number_of(number, word)} {remark}",) if number else ()


def shares(units: pd.DataFrame, among: Sequence[str], what: str, name: str) -> pd.DataFrame:
    """Return how often each value of a column occurs in a group, as a figure.

    `units` has a row for each of them and match, with how often it is there in the column `name`.
    """
    group, keys = list(among), [*among, what]
    counted = units.groupby(keys, observed=True, dropna=False).agg(
        count=(name, "sum"), matches=("match", "nunique")
    )
    chosen = counted.reset_index()
    whole = chosen.groupby(group, observed=True, dropna=False)["count"].transform("sum")
    low, high = wilson(chosen["count"], whole)
    chosen = chosen.assign(
        figure=name, kind="trials", value=chosen["count"] / whole, low=low, high=high, of=whole
    )
    return with_counts(chosen.assign(expected=float("nan"))[[*keys, *COLUMNS]])
