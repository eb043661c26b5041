"""Figures: what is counted, per what, and what was to be expected; and their estimates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.counts import number_of
from bganalyze.reports.question import Question
from bganalyze.reports.selection import is_player
from bganalyze.statistics import Clusters, wilson

Numbers: TypeAlias = npt.NDArray[np.float64]
Rows: TypeAlias = npt.NDArray[np.int64]

Kind = Literal["count", "share", "mean", "trials", "contests", "per thousand", "rate"]
"""`share`: between 0 and 1, clustered by match; `trials`: a share of independent trials;
`contests`: of those that one side wins and the other loses, even where both sides are counted;
`rate`: what cannot be less than 0."""

SHARES = ("share", "trials", "contests")
"""The kinds that lie between 0 and 1."""

_BOTH = "both sides of "
_EVEN = (
    "without an interval: games and matches that count for both of their players, of which half are won whoever plays",
)

COLUMNS = ("figure", "kind", "value", "low", "high", "count", "of", "matches", "expected")


class Figure(NamedTuple):
    """One figure of a report: the sum of one column, per the sum of another."""

    name: str
    above: str
    below: str
    """Empty for a plain count."""
    kind: Kind
    meaning: str
    expected: str = ""
    """The column whose sum was to be expected of `above`."""
    factor: float = 1.0
    """What the ratio is multiplied by, to be in its unit."""


class Board(NamedTuple):
    """A position that a section shows."""

    title: str
    xgid: str
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


def asked(base: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Return the rows of a base that a question is about."""
    rows = base if question.player is None else base[is_player(base["player"], question.player)]
    if question.min_games <= 1:
        return rows
    if not question.by:
        return (
            rows
            if len(rows[["match", "game"]].drop_duplicates()) >= question.min_games
            else rows[:0]
        )
    by = [name for name in question.by if name in rows]
    if not by:
        return rows
    keys = rows[[*by, "match", "game"]].drop_duplicates()
    games = keys.groupby(by, observed=True, dropna=False)["game"].size()
    enough = games[games >= question.min_games].index
    return rows[
        pd.MultiIndex.from_frame(rows[by]).isin(pd.MultiIndex.from_frame(enough.to_frame()))
    ]


def estimated(base: pd.DataFrame, figures: Sequence[Figure], by: Sequence[str]) -> pd.DataFrame:
    """Return every figure of every group: one row each, in the columns `by` and `COLUMNS`."""
    by = list(by)
    names = (name for each in figures for name in (each.above, each.below, each.expected))
    columns = {name for name in names if name}
    if not figures:
        return pd.DataFrame(columns=[*by, *COLUMNS])
    base = _with_both_sides(base, figures, by)
    columns.update(name for name in base.columns if str(name).startswith(_BOTH))
    summed = base[[*by, "match", *columns]].groupby([*by, "match"], observed=True, dropna=False)
    units = summed[list(columns)].sum().reset_index()
    clusters = Clusters(units, by)
    parts = [_estimated(units, clusters, figure) for figure in figures]
    seen = [np.flatnonzero(part["matches"] > 0) for part in parts]
    rank = [place for place, rows in enumerate(seen) for _ in rows]
    made = _keys(clusters, by, seen).assign(
        figure=[figures[each].name for each in rank],
        kind=[figures[each].kind for each in rank],
        **{
            name: np.concatenate([part[name][rows] for part, rows in zip(parts, seen, strict=True)])
            for name in COLUMNS[2:]
        },
        rank=rank,
    )
    made = made.sort_values([*by, "rank"], kind="stable") if by else made
    return made[[*by, *COLUMNS]].reset_index(drop=True)


def _keys(clusters: Clusters, by: list[str], seen: list[Rows]) -> pd.DataFrame:
    """The groups of the rows of every figure."""
    rows = np.concatenate(seen)
    if not by:
        return pd.DataFrame(index=range(len(rows)))
    return clusters.index.to_frame(index=False).take(rows).reset_index(drop=True)


def _estimated(units: pd.DataFrame, clusters: Clusters, figure: Figure) -> dict[str, Numbers]:
    """The columns of numbers of a figure, for every group."""
    below = figure.below or figure.above
    made = clusters.ratio(units[figure.above], units[below])
    seen = units[below] > 0
    if figure.kind == "count":
        made["value"] = made["count"]
        made["low"] = made["high"] = np.full(len(made["value"]), np.nan)
    elif figure.kind in ("trials", "contests"):
        made["low"], made["high"] = wilson(made["count"], made["of"])
    factor = 1000 if figure.kind == "per thousand" else figure.factor
    made |= {name: factor * made[name] for name in ("value", "low", "high")}
    if figure.kind in ("share", "per thousand", "rate"):
        made["low"] = made["low"].clip(min=0)
    if figure.kind == "share":
        made["high"] = made["high"].clip(max=1)
    if figure.kind == "contests":
        both = clusters.summed(units[_BOTH + below].where(seen, 0)) == made["of"]
        made |= {name: np.where(both, np.nan, made[name]) for name in ("low", "high")}
    expected = units[figure.expected].where(seen, 0) if figure.expected else np.nan * units[below]
    made["expected"] = clusters.summed(expected) / np.maximum(made["of"], 1)
    return made


def _with_both_sides(
    base: pd.DataFrame, figures: Sequence[Figure], by: Sequence[str]
) -> pd.DataFrame:
    """Add how many of the contests are in their group for both of their sides."""
    below = {figure.below for figure in figures if figure.kind == "contests"}
    if not below:
        return base
    both = base.duplicated([*by, "match", "game"], keep=False)
    return base.assign(**{_BOTH + name: base[name].where(both, 0) for name in below})


def even(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return a note on contests that are counted for both of their sides, if there are any."""
    made = frame[(frame["kind"] == "contests") & frame["low"].isna()]
    return _EVEN if len(made) else ()


def said(count: int, word: str, rest: str) -> tuple[str, ...]:
    """Return a note on how many there are of what a word names, if there are any.

    >>> said(1200, "game", "left out"), said(0, "game", "left out")
    (('1,200 games left out',), ())
    """
    return (f"{number_of(count, word)} {rest}",) if count else ()


def shares(rows: pd.DataFrame, among: Sequence[str], what: str, name: str) -> pd.DataFrame:
    """Return how often each value of a column occurs among the rows of a group, as a figure."""
    group, keys = list(among), [*among, what]
    counted = rows.groupby(keys, observed=True, dropna=False).agg(
        count=("match", "size"), matches=("match", "nunique")
    )
    made = counted.reset_index()
    whole = made.groupby(group, observed=True, dropna=False)["count"].transform("sum")
    low, high = wilson(made["count"], whole)
    made = made.assign(
        figure=name, kind="trials", value=made["count"] / whole, low=low, high=high, of=whole
    )
    return made.assign(expected=float("nan"))[[*keys, *COLUMNS]]
