"""Ratings: what a player of these error rates, and of this luck, is called by GNU Backgammon.

The FIBS rating that errors speak for depends on the length of the matches (K. van den Doel's
formula, GNU Backgammon's manual), so each length stands apart; in money play there is none. The
luck-adjusted results speak for a difference to the ratings of the opponents that were met.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.judging.gnubg_statistics import (
    LOWEST_DIFFERENCE,
    fibs_difference_of,
    fibs_rating_of,
    luck_rating,
    rating,
)
from bganalyze.reports.figures import COLUMNS, Figure, Section, estimated, rows_for
from bganalyze.reports.judged import decided, not_judged
from bganalyze.reports.luck import LUCK, MATCHES, lucky, of_matches, results
from bganalyze.reports.question import Question
from bganalyze.statistics import jackknife
from bganalyze.tables.frames import JudgedTables

CALLED = "called"

RATES = (
    Figure(
        "overall (mEMG)",
        "lost",
        "counted",
        "rate",
        "Equity lost per unforced play and close or actual cube decision.",
        factor=1000,
    ),
    Figure("plays (mEMG)", "checker_lost", "checker", "rate", "Per unforced play.", factor=1000),
    Figure(
        "cube (mEMG)", "cube_lost", "cube", "rate", "Per close or actual decision.", factor=1000
    ),
)

FIBS = Figure("FIBS rating", "", "", "mean", "What the rates of plays and cube speak for.")

DIFFERENCE = Figure(
    "FIBS difference", "", "", "mean", "To the opponents, by the luck-adjusted result."
)

LUCKY = LUCK[1]
RESULT = MATCHES[-1]

SECTIONS = {"By errors": (*RATES, FIBS), "By luck": (LUCKY, RESULT, DIFFERENCE)}
"""The figures of each section."""


def report(tables: JudgedTables, question: Question) -> list[Section]:
    """Return error rates and luck with what GNU Backgammon calls them, and as FIBS ratings."""
    rows = rows_for(_rated(tables), question)
    throws = rows_for(lucky(tables), question)
    games = rows_for(results(tables), question)
    by = [name for name in question.by if name in games and name != "length"] + ["length"]
    return [
        Section("By errors", by_errors(rows, by), not_judged(tables)),
        Section("By luck", by_luck(throws, games, by)),
    ]


def by_errors(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the rates of each group with their names, and the FIBS rating."""
    rates = _called(estimated(rows, RATES, by), rating)
    sums = ["checker_lost", "checker", "cube_lost", "cube"]
    units = rows.groupby([*by, "match"], observed=True)[sums].sum().reset_index()
    fibs = [
        {**dict(zip(by, key, strict=True)), **_fibs(group[sums].to_numpy(float), int(key[-1]))}
        for key, group in units.groupby(by, observed=True)
        if key[-1] > 0 and group["checker"].sum() > 0
    ]
    return _together(rates, fibs, FIBS, by)


def by_luck(throws: pd.DataFrame, games: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the luck of each group with its name, and the difference of FIBS ratings."""
    luck = _called(estimated(throws, (LUCKY,), by), luck_rating)
    adjusted = estimated(of_matches(games, by), (RESULT,), by)
    differences = [
        {
            **{name: row[name] for name in by},
            "value": fibs_difference_of(0.5 + row["value"] / 100, row["length"]),
            **{end: _end(row[end], row["length"]) for end in ("low", "high")},
            "matches": row["matches"],
        }
        for row in adjusted.to_dict("records")
    ]
    whole = pd.concat([luck, adjusted.assign(**{CALLED: ""})], ignore_index=True)
    return _together(whole, differences, DIFFERENCE, by)


def _rated(tables: JudgedTables) -> pd.DataFrame:
    """The decisions that GNU Backgammon's rates count, plays and those about the cube."""
    rows = decided(tables)
    rows = rows[rows["gnubg_counts"]]
    is_play = (rows["kind"] == "play").astype(float)
    lost = rows["loss"].astype(float)
    return rows.assign(
        lost=lost,
        counted=1.0,
        checker=is_play,
        checker_lost=lost * is_play,
        cube=1 - is_play,
        cube_lost=lost * (1 - is_play),
    )


def _called(frame: pd.DataFrame, name: Callable[[float], str]) -> pd.DataFrame:
    """The figures with what GNU Backgammon calls them; they are in thousandths."""
    return frame.assign(**{CALLED: [name(value / 1000) for value in frame["value"]]})


def _fibs(units: npt.NDArray[np.float64], length: int) -> dict[str, Any]:
    """The FIBS rating of the losses and counts of each match: of plays, then of the cube."""

    def estimate(sums: npt.NDArray[np.float64]) -> float:
        lost, plays, cube_lost, cubes = sums.tolist()
        checker, cube = lost / plays if plays else 0.0, cube_lost / cubes if cubes else 0.0
        return fibs_rating_of(checker, cube, length)

    low, high = jackknife(units, estimate)
    value = estimate(units.sum(axis=0))
    return {"value": value, "low": low, "high": high, "matches": len(units)}


def _end(result: float, length: int) -> float:
    """The difference at an end of an interval of results, in per cent above an even chance."""
    if math.isnan(result):
        return result
    chance = 0.5 + result / 100
    difference = fibs_difference_of(chance, length)
    if difference is not None:
        return difference
    return LOWEST_DIFFERENCE if chance <= 0 else -LOWEST_DIFFERENCE


def _together(
    frame: pd.DataFrame, rows: Sequence[dict[str, Any]], figure: Figure, by: list[str]
) -> pd.DataFrame:
    """The figures of each group, one that is made of others after them."""
    others = pd.DataFrame(rows).assign(figure=figure.name, kind=figure.kind, **{CALLED: ""})
    columns = [*by, CALLED, *COLUMNS]
    whole = pd.concat([frame, others.reindex(columns=columns)], ignore_index=True)
    return whole[columns].sort_values(by, kind="stable").reset_index(drop=True)
