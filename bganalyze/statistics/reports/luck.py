"""The reports of luck: what the dice gave, results without it, and ratings by errors and by luck."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.analysis.gnubg_statistics import (
    LOWEST_DIFFERENCE,
    LUCK_MARKS,
    fibs_difference_of,
    fibs_rating_of,
    luck_rating,
    rating,
)
from bganalyze.analysis.metrics import LEAST_DEVIATION
from bganalyze.statistics.estimates import jackknife
from bganalyze.statistics.reports.analyzed import (
    both_sides,
    decided,
    in_units,
    not_analyzed,
    sure_names,
)
from bganalyze.statistics.reports.figures import (
    CALLED,
    COLUMNS,
    Figure,
    Section,
    count,
    count_note,
    counted,
    estimated,
    mean,
    rate,
    reporting,
    rows_for,
    share,
    with_counts,
    with_sums,
    with_whole,
)
from bganalyze.statistics.reports.question import Question, of_player
from bganalyze.statistics.tables.frames import AnalyzedTables

VERY, LESS = LUCK_MARKS["very lucky"], LUCK_MARKS["lucky"]

BANDS = {
    "very lucky": (VERY, float("inf"), f"Rolls that gained more than {VERY}."),
    "lucky": (LESS, VERY, f"Those that gained more than {LESS}, the former apart."),
    "unlucky": (-VERY, -LESS, f"Those that lost more than {LESS}, the next apart."),
    "very unlucky": (-float("inf"), -VERY, f"Those that lost more than {VERY}."),
}
"""GNU Backgammon's marks of rolls: the ends of each."""

LUCK = (
    count("rolls", "rolls", "", "Rolls of which the engine tells the luck."),
    mean(
        "luck a roll (mEMG)",
        "luck",
        "rolls",
        "Equity of the best play above the mean over all rolls.",
        factor=1000,
    ),
    *(share(mark, mark, "rolls", about) for mark, (_, _, about) in BANDS.items()),
)

ADJUSTED = {
    "result": ("result", "What was won, losses deducted."),
    "own luck": ("own", "The sum of the luck of the own rolls."),
    "opponent's luck": ("other", "That of the opponent's."),
    "luck-adjusted result": ("adjusted", "The result, less one's own luck, plus the opponent's."),
}
"""What results are made of: the column of each, and its meaning."""


def _results(unit: str, below: str, factor: float) -> tuple[Figure, ...]:
    return tuple(
        mean(f"{name} ({unit})", column, below, about, factor=factor)
        for name, (column, about) in ADJUSTED.items()
    )


MATCHES = _results("% MWC a match", "matches", 100)
GAMES = _results("points a game", "games", 1)

SECTIONS = {"Rolls": LUCK, "Results of matches": MATCHES, "Results of money games": GAMES}


@reporting(SECTIONS)
def luck(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Luck: how good the dice were, and what would have been won without it.

    The luck of a roll is the equity of its best play less the mean over all rolls; both sides have
    their own. A result adjusted for luck is what was won, less one's own luck, plus the opponent's (GNU
    Backgammon): it varies less than the result does, and says more of the players.
    """
    rolls = rows_for(lucky(tables), question)
    ended = rows_for(results(tables), question)
    by = [name for name in question.by if name in rolls]
    of_games = [name for name in by if name in ended]
    matches = of_matches(ended, of_games)
    unknown = count_note(tables.games["worth"].isna(), "game", "without a result left out")
    yield counted("Rolls", rolls, LUCK, by, *_unsure(of_player(tables, question)))
    yield counted("Results of matches", matches, MATCHES, of_games, *unknown)
    yield counted("Results of money games", ended[ended["games"] > 0], GAMES, of_games)


def lucky(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the rolls of which the luck is known; where the record shows no play, none is."""
    rows = decided(tables)
    rows = rows[rows["luck"].notna() & rows["legal"].notna()]
    gain = rows["luck"]
    marks = {
        mark: ((gain > low) & (gain <= high) if low > 0 else (gain >= low) & (gain < high))
        for mark, (low, high, _) in BANDS.items()
    }
    return with_sums(rows.assign(rolls=1.0), marks)


def results(tables: AnalyzedTables) -> pd.DataFrame:
    """Return each game that has a result as both sides see it, with the luck of either.

    In chances to win the match or, of a money game, in points.
    """
    both = both_sides(tables)
    both = both[both["worth"].notna()]
    rolls = lucky(tables)
    sums = rolls.groupby(["match", "game", "side"], observed=True)["luck_cost"].sum()
    other = both["side"].map({"left": "right", "right": "left"})
    own_luck, other_luck = (_luck_of(sums, both, side) for side in (both["side"], other))
    sign = both["won"].astype(float) - both["lost"].astype(float)
    result = sign * both["worth"]
    is_money = both["length"] == 0
    return both.assign(
        result=result,
        own=own_luck,
        other=other_luck,
        adjusted=result - own_luck + other_luck,
        matches=(~is_money).astype(float),
        games=is_money.astype(float),
    )


def of_matches(games: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the games of matches to a length; those of a match are one in each group."""
    return in_units(games[games["matches"] > 0], "matches", by)


def _luck_of(sums: pd.Series, both: pd.DataFrame, side: pd.Series) -> pd.Series:
    keys = pd.MultiIndex.from_arrays([both["match"], both["game"], side.astype(str)])
    by_side = sums.rename(index=str, level="side")
    return pd.Series(by_side.reindex(keys).fillna(0.0).to_numpy(), index=both.index)


def _unsure(tables: AnalyzedTables) -> tuple[str, ...]:
    rows = tables.decisions[tables.decisions["kind"] == "play"]
    silent = rows["verified"] & (rows["luck"].isna() | rows["legal"].isna())
    return (
        *count_note(~rows["verified"], "roll", "on boards in doubt left out"),
        *count_note(silent, "roll", "without a play, or whose luck is not told, left out"),
    )


# Ratings.

RATES = (
    rate(
        "overall (mEMG)",
        "lost",
        "counted",
        "Equity lost per unforced play and close or actual cube decision.",
        factor=1000,
    ),
    rate("plays (mEMG)", "checker_lost", "checker", "Per unforced play.", factor=1000),
    rate("cube (mEMG)", "cube_lost", "cube", "Per close or actual decision.", factor=1000),
)

FIBS = mean("FIBS rating", "", "", "What the rates of plays and cube speak for.")

DIFFERENCE = mean("FIBS difference", "", "", "To the opponents, by the luck-adjusted result.")

LUCKY = LUCK[1]
RESULT = MATCHES[-1]


@reporting({"By errors": (*RATES, FIBS), "By luck": (LUCKY, RESULT, DIFFERENCE)})
def ratings(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Ratings: what a player of these error rates, and of this luck, is called by GNU Backgammon.

    The FIBS rating that errors speak for depends on the length of the matches (K. van den Doel's
    formula, GNU Backgammon's manual), so each length stands apart; in money play there is none. The
    luck-adjusted results speak for a difference to the ratings of the opponents that were met.
    """
    rows = rows_for(_rated(tables), question)
    rolls = rows_for(lucky(tables), question)
    games = rows_for(results(tables), question)
    by = [name for name in question.by if name in games and name != "length"] + ["length"]
    yield Section("By errors", by_errors(rows, by), not_analyzed(of_player(tables, question)))
    yield Section("By luck", by_luck(rolls, games, by))


def by_errors(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the rates of each group with their names, and the FIBS rating."""
    rates = _called(estimated(rows, RATES, by), rating, LEAST_DEVIATION)
    sums = ["checker_lost", "checker", "cube_lost", "cube"]
    units = rows.groupby([*by, "match"], observed=True)[sums].sum().reset_index()
    fibs = [
        {**dict(zip(by, key, strict=True)), **_fibs(group[sums].to_numpy(float), int(key[-1]))}
        for key, group in units.groupby(by, observed=True)
        if key[-1] > 0 and group["checker"].sum() > 0
    ]
    return _together(rates, fibs, FIBS, by)


def by_luck(rolls: pd.DataFrame, games: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the luck of each group with its name, and the difference of FIBS ratings."""
    rolls = _called(estimated(rolls, (LUCKY,), by), luck_rating)
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
    whole = pd.concat([rolls, adjusted.assign(**{CALLED: ""})], ignore_index=True)
    return _together(whole, differences, DIFFERENCE, by)


def _rated(tables: AnalyzedTables) -> pd.DataFrame:
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


def _called(frame: pd.DataFrame, name: Callable[[float], str], spread: float = 0.0) -> pd.DataFrame:
    """The figures with what GNU Backgammon calls them, where that is sure; they are in thousandths."""
    names = sure_names(frame, lambda value: name(value / 1000), 1000 * spread)
    return frame.assign(**{CALLED: names})


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
    others = with_whole(others.reindex(columns=columns), frame, by)
    whole = pd.concat([frame, others], ignore_index=True)
    return with_counts(whole[columns].sort_values(by, kind="stable").reset_index(drop=True))
