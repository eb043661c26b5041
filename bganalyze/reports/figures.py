"""Figures: what is counted, per what, and what was to be expected; and their estimates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import pandas as pd

from bganalyze.counts import number_of
from bganalyze.reports.question import Question
from bganalyze.reports.selection import is_player
from bganalyze.statistics import ratios, wilson

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


def asked(base: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Return the rows of a base that a question is about."""
    rows = base if question.player is None else base[is_player(base["player"], question.player)]
    if question.min_games <= 1 or not question.by:
        return rows
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
    base = _with_both_sides(base, figures, by)
    columns.update(name for name in base.columns if str(name).startswith(_BOTH))
    summed = base[[*by, "match", *columns]].groupby([*by, "match"], observed=True, dropna=False)
    units = summed[list(columns)].sum().reset_index()
    parts = [
        _estimated(units, figure, by).assign(figure=figure.name, kind=figure.kind, rank=rank)
        for rank, figure in enumerate(figures)
    ]
    if not parts:
        return pd.DataFrame(columns=[*by, *COLUMNS])
    whole = pd.concat(parts)
    whole = whole.sort_values([*by, "rank"], kind="stable") if by else whole
    return whole[[*by, *COLUMNS]].reset_index(drop=True)


def _estimated(units: pd.DataFrame, figure: Figure, by: list[str]) -> pd.DataFrame:
    made = ratios(units, by, figure.above, figure.below or figure.above)
    if figure.kind == "count":
        made["value"] = made["count"]
        made[["low", "high"]] = float("nan")
    elif figure.kind == "share":
        made["low"], made["high"] = made["low"].clip(lower=0), made["high"].clip(upper=1)
    elif figure.kind == "per thousand":
        made[["value", "low", "high"]] *= 1000
        made["low"] = made["low"].clip(lower=0)
    elif figure.kind in ("trials", "contests"):
        made["low"], made["high"] = wilson(made["count"], made["of"])
    elif figure.factor != 1:
        made[["value", "low", "high"]] *= figure.factor
    if figure.kind == "rate":
        made["low"] = made["low"].clip(lower=0)
    if figure.kind == "contests":
        both = _summed(units, figure, by, _BOTH + figure.below)
        made.loc[both == made["of"], ["low", "high"]] = float("nan")
    expected = _summed(units, figure, by, figure.expected) if figure.expected else float("nan")
    made["expected"] = expected / made["of"]
    return made.reset_index() if by else made


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
    counted = rows.groupby(keys, observed=True).agg(
        count=("match", "size"), matches=("match", "nunique")
    )
    made = counted.reset_index()
    whole = made.groupby(group, observed=True)["count"].transform("sum")
    low, high = wilson(made["count"], whole)
    made = made.assign(
        figure=name, kind="trials", value=made["count"] / whole, low=low, high=high, of=whole
    )
    return made.assign(expected=float("nan"))[[*keys, *COLUMNS]]


def _summed(units: pd.DataFrame, figure: Figure, by: list[str], column: str) -> Any:
    """The sum of a column over the units of each group in which the figure counts anything."""
    seen = units[units[figure.below] > 0]
    if not by:
        return seen[column].sum()
    return seen.groupby(by, observed=True, sort=False, dropna=False)[column].sum()
